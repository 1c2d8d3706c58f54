//! An oracle for tiles with costs of their own.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use slidebench::puzzle::{Board, Cost, Costs, Move};

/// The least cost of each board up to some cost, by Dijkstra's algorithm over plain boards. It
/// begins at the goal: a move costs the same there and back.
pub fn dijkstra(goal: Board, costs: Costs, most: Cost) -> HashMap<Board, Cost> {
    let mut least = HashMap::from([(goal, Cost::default())]);
    let mut boards = vec![goal];
    let mut waiting = BinaryHeap::from([Reverse((Cost::default(), 0))]);
    while let Some(Reverse((cost, number))) = waiting.pop() {
        let board = boards[number];
        if cost > least[&board] {
            continue;
        }
        for mv in Move::ALL {
            let Some(child) = board.after(mv) else {
                continue;
            };
            let tile = child.tiles()[usize::from(board.gap())];
            let cost = cost + costs.of(tile, board.size());
            let known = least.get(&child);
            if cost <= most && known.is_none_or(|&known| cost < known) {
                least.insert(child, cost);
                boards.push(child);
                waiting.push(Reverse((cost, boards.len() - 1)));
            }
        }
    }
    least
}
