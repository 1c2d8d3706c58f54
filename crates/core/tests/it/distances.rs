//! Exact distances, by a plain search.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use slidebench::puzzle::{Board, Move};

/// The distance of every board that is at most `depth` moves from this one: a plain
/// breadth-first search that shares nothing with the heuristics or the searches.
pub fn distances_from(target: Board, depth: u32) -> HashMap<Board, u32> {
    let mut distances = HashMap::from([(target, 0)]);
    let mut layer = vec![target];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for board in &layer {
            for child in Move::ALL.into_iter().filter_map(|mv| board.after(mv)) {
                if let Entry::Vacant(vacant) = distances.entry(child) {
                    vacant.insert(distance);
                    next.push(child);
                }
            }
        }
        layer = next;
    }
    distances
}
