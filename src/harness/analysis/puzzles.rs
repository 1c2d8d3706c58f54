//! Whether rows that name the same instance are of one puzzle.

use std::collections::HashSet;

use crate::harness::record::{PuzzleKey, Row};
use crate::puzzle::excerpt;

/// Rows of one instance whose puzzles are not the same.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{suite} {instance} has the {column} '{one}' in some rows and '{other}' in others")]
pub struct Mixture {
    /// The suite.
    pub suite: String,
    /// The instance.
    pub instance: String,
    /// The first column in which they differ.
    pub column: &'static str,
    /// What some rows say.
    pub one: String,
    /// What others say.
    pub other: String,
}

impl Mixture {
    /// What rows of one instance contradict each other in. A row that does not say what its puzzle
    /// is contradicts none.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<Mixture> {
        let mut seen: HashSet<PuzzleKey> = HashSet::new();
        let mut distinct: Vec<PuzzleKey> = Vec::new();
        for row in rows {
            let key = row.puzzle_key();
            if !seen.insert(key.clone()) {
                continue;
            }
            let key = key.plain();
            let differing = distinct.iter().find_map(|it| it.contradiction(&key));
            if let Some((column, one, other)) = differing {
                return Some(Mixture {
                    suite: row.suite.clone(),
                    instance: row.instance.clone(),
                    column,
                    one: excerpt(one),
                    other: excerpt(other),
                });
            }
            distinct.push(key);
        }
        None
    }
}
