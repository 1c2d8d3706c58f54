//! What a suite is: boards for one goal, with what is known of them.

use std::fmt;

use crate::puzzle::{Board, Costs, Goal, Metric, Rules};
use crate::search::{Algorithm, Prune, Unit};

/// Boards for one goal.
///
/// ```
/// use slidebench::harness::suite::{Asked, built_in, parse_suite};
///
/// let korf100 = built_in("korf100").ok_or("there is no such suite")?.suite();
/// assert_eq!(korf100.instances[0].optimal, Some(57));
/// let own = parse_suite("mine", b"instance,board,optimal\na,1 2 / . 3,1\n", Asked::default())?;
/// assert_eq!(own.instances.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// Of all its boards.
    pub goal: Goal,
    /// What counts as a move.
    pub metric: Metric,
    /// What it costs to move a tile.
    pub costs: Costs,
    /// In the order of the file.
    pub instances: Vec<Instance>,
    /// Where the instances are units of a threshold: the search that they were split for.
    pub split_for: Option<SplitFor>,
}

/// A board with what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// The start.
    pub board: Board,
    /// The length of a shortest solution, if it is known.
    pub optimal: Option<u32>,
    /// The length of the shortest solution that somebody has found, where that is known.
    pub best_known: Option<u32>,
    /// Nodes of IDA* with taxicab on one thread, where they are published.
    pub ida_md_generated: Option<u64>,
    /// Nodes that some search takes, where they are published: what shards are balanced by.
    pub known_nodes: Option<u64>,
    /// The part of the board's search that is to be done, where it is not all.
    pub unit: Option<Unit>,
}

/// The search that units were split for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitFor {
    /// One that has units.
    pub algorithm: Algorithm,
    /// As rows name it.
    pub heuristic: String,
    /// The pruning, if there is one.
    pub prune: Option<Prune>,
}

/// `idastar with md, pruned by fsm:8`
impl fmt::Display for SplitFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.algorithm, self.heuristic)?;
        match self.prune {
            Some(prune) => write!(f, ", pruned by {prune}"),
            None => Ok(()),
        }
    }
}

impl Instance {
    /// A board of which nothing is known.
    pub fn new(name: impl ToString, board: Board) -> Instance {
        Instance {
            name: name.to_string(),
            board,
            optimal: None,
            best_known: None,
            ida_md_generated: None,
            known_nodes: None,
            unit: None,
        }
    }
}

impl Suite {
    /// What its boards are to become, and by which moves.
    pub fn rules(&self) -> Rules {
        Rules {
            goal: self.goal,
            metric: self.metric,
            costs: self.costs,
        }
    }

    /// The threshold that the instances are units of.
    pub fn threshold(&self) -> Option<u32> {
        let unit = self.instances.first()?.unit.as_ref()?;
        Some(unit.threshold)
    }

    /// Whether the instances are units of a threshold.
    pub fn is_of_units(&self) -> bool {
        self.split_for.is_some()
    }

    /// The instance of that name.
    pub fn instance(&self, name: &str) -> Option<&Instance> {
        self.instances.iter().find(|instance| instance.name == name)
    }
}
