//! The plan: every instance with every configuration, so many times, in order or shuffled.

use super::contender::Contender;
use crate::harness::record::{PuzzleKey, Puzzles};
use crate::harness::suite::{Instance, Random, Suite};
use crate::heuristic::Usable;

/// What is to run.
///
/// ```
/// use slidebench::harness::run::{Choices, Plan};
/// use slidebench::harness::suite::built_in;
/// use slidebench::heuristic::HeuristicName;
///
/// let smoke = built_in("smoke").ok_or("there is no such suite")?.suite();
/// let boards = smoke.instances.len();
/// let choices = Choices { heuristics: HeuristicName::list("md,lc")?, ..Choices::default() };
/// let plan = Plan::new(vec![smoke], choices.contenders(), 3, Some(7));
/// assert_eq!(plan.runs.len(), boards * 2 * 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// The suites.
    pub suites: Vec<Suite>,
    /// The ways to solve a board.
    pub configurations: Vec<Contender>,
    /// How often each instance runs with each configuration.
    pub repeat: u32,
    /// What the order was drawn from; without it the runs are in order.
    pub seed: Option<u64>,
    /// The runs in their order.
    pub runs: Vec<Planned>,
}

/// One run, by its places in the plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Planned {
    /// Of the plan's suites.
    pub suite: usize,
    /// Of the suite's instances.
    pub instance: usize,
    /// Of the plan's configurations.
    pub configuration: usize,
    /// Which time, from 1.
    pub repeat: u32,
}

impl Plan {
    /// Plans `repeat` runs of each instance with each configuration: all first runs, then all
    /// second ones, so that what slows the machine down for a while does not meet one instance
    /// alone. A seed shuffles them.
    pub fn new(
        suites: Vec<Suite>,
        configurations: Vec<Contender>,
        repeat: u32,
        seed: Option<u64>,
    ) -> Plan {
        let instances: Vec<usize> = suites.iter().map(|suite| suite.instances.len()).collect();
        Plan {
            runs: runs(&instances, configurations.len(), repeat, seed),
            suites,
            configurations,
            repeat,
            seed,
        }
    }

    /// The problem of each suite and instance.
    pub fn puzzles(&self) -> Puzzles {
        let suites = self.suites.iter();
        let puzzles = suites.flat_map(|suite| {
            suite.instances.iter().map(|instance| {
                let puzzle = PuzzleKey::new(&instance.board, suite.rules());
                ((suite.name.clone(), instance.name.clone()), puzzle)
            })
        });
        puzzles.collect()
    }

    /// The suite of a run.
    pub fn suite(&self, run: &Planned) -> &Suite {
        &self.suites[run.suite]
    }

    /// The instance of a run.
    pub fn instance(&self, run: &Planned) -> &Instance {
        &self.suites[run.suite].instances[run.instance]
    }

    /// Which estimates hold under the rules of a run.
    pub fn usable(&self, run: &Planned) -> Usable {
        let size = self.instance(run).board.size();
        Usable::under(&self.suite(run).rules(), size)
    }

    /// Who runs.
    pub fn configuration(&self, run: &Planned) -> &Contender {
        &self.configurations[run.configuration]
    }
}

/// The runs of so many instances of each suite, in their order.
pub(crate) fn runs(
    instances: &[usize],
    configurations: usize,
    repeat: u32,
    seed: Option<u64>,
) -> Vec<Planned> {
    let mut runs = Vec::new();
    for repeat in 1..=repeat {
        for (suite, &instances) in instances.iter().enumerate() {
            for instance in 0..instances {
                runs.extend((0..configurations).map(|configuration| Planned {
                    suite,
                    instance,
                    configuration,
                    repeat,
                }));
            }
        }
    }
    if let Some(seed) = seed {
        Random::new(seed).shuffle(&mut runs);
    }
    runs
}
