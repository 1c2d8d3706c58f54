//! Costs beside the best that are known of instances whose optimum nobody knows.

use std::collections::HashMap;
use std::fmt;

use crate::harness::record::Row;
use crate::harness::suite::Suite;

/// Solutions of a suite beside the best known ones.
#[derive(Clone, PartialEq, Debug)]
pub struct BestKnown {
    /// How many solved runs there are of instances of which one is known.
    pub runs: usize,
    /// Their costs in sum, over those of the best known solutions.
    pub ratio: f64,
    /// Those that are shorter than what was known, each instance once.
    pub better: Vec<Better>,
}

/// A solution that is shorter than what was known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Better {
    /// The instance.
    pub instance: String,
    /// The cost that was found.
    pub cost: usize,
    /// The best cost before.
    pub known: usize,
}

/// `7 (312 moves, best known 320)`
impl fmt::Display for Better {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Better {
            instance,
            cost,
            known,
        } = self;
        write!(f, "{instance} ({cost} moves, best known {known})")
    }
}

impl BestKnown {
    /// Compares the solved ones of some runs with what their suite knows. Only a path that was replayed is one, and
    /// the best known are paths for the suite's own goal, of single moves that cost one each.
    pub fn of(rows: &[&Row], facts: Option<&Suite>) -> Option<BestKnown> {
        let facts = facts?;
        let known: HashMap<&str, usize> = (facts.instances.iter())
            .filter_map(|it| Some((it.name.as_str(), it.best_known? as usize)))
            .collect();
        let goal = facts.goal.to_string();
        let is_alike = |row: &&&Row| {
            row.verified == Some(true)
                && row.goal == goal
                && row.metric == "single"
                && row.costs == "unit"
        };
        let (mut runs, mut sum, mut sum_known) = (0, 0, 0);
        let mut better: Vec<Better> = Vec::new();
        for row in rows.iter().filter(is_alike) {
            let (Some(cost), Some(&known)) = (row.moves, known.get(row.instance.as_str())) else {
                continue;
            };
            (runs, sum, sum_known) = (runs + 1, sum + cost, sum_known + known);
            let instance = &row.instance;
            match better.iter_mut().find(|it| it.instance == *instance) {
                Some(before) => before.cost = before.cost.min(cost),
                None if cost < known => better.push(Better {
                    instance: instance.clone(),
                    cost,
                    known,
                }),
                None => {}
            }
        }
        (sum_known > 0).then(|| BestKnown {
            runs,
            ratio: sum as f64 / sum_known as f64,
            better,
        })
    }
}
