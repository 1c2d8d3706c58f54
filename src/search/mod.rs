//! The searches, behind one call: [`solve`].
//!
//! Each search is one file that reads like its textbook page. They walk on packed boards
//! with the goal in one place ([`Problem`] turns the others), count in a meter that stops
//! them at their limits, and return moves; [`solve`] replays those on a plain board before
//! it hands them on.

mod astar;
mod bibfs;
mod control;
mod graph;
mod idastar;
mod iddfs;
mod layers;
mod meter;
mod path;
mod store;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

pub use control::{Control, Event, Iteration, Limits, Progress, Stop};
pub use layers::layer_sizes;
pub(crate) use meter::{Meter, Watch};
pub(crate) use path::trace_back;
pub(crate) use store::{Arena, Heap, Seen};

use crate::heuristic::{Heuristic, HeuristicName, Taxicab, Zero};
use crate::puzzle::{Grid, Move, MoveOrder, Packed, Problem, Word};
use astar::Entry;
use graph::Discipline;

/// A search by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    Bfs,
    BiBfs,
    Dfs,
    Iddfs,
    AStar,
    IdaStar,
}

impl Algorithm {
    pub const ALL: [Algorithm; 6] = [
        Algorithm::Bfs,
        Algorithm::BiBfs,
        Algorithm::Dfs,
        Algorithm::Iddfs,
        Algorithm::AStar,
        Algorithm::IdaStar,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Bfs => "bfs",
            Algorithm::BiBfs => "bibfs",
            Algorithm::Dfs => "dfs",
            Algorithm::Iddfs => "iddfs",
            Algorithm::AStar => "astar",
            Algorithm::IdaStar => "idastar",
        }
    }

    /// Whether its solutions are shortest ones.
    pub const fn is_optimal(self) -> bool {
        !matches!(self, Algorithm::Dfs)
    }

    /// Whether it reads a heuristic.
    pub const fn is_informed(self) -> bool {
        matches!(self, Algorithm::AStar | Algorithm::IdaStar)
    }

    /// The order in which it tries moves unless told otherwise.
    pub const fn default_order(self) -> MoveOrder {
        match self {
            Algorithm::IdaStar => MoveOrder::ULRD,
            _ => MoveOrder::UDLR,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Algorithm, String> {
        let known = Algorithm::ALL.map(Algorithm::name);
        Algorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == text)
            .ok_or_else(|| {
                format!(
                    "'{text}' is not an algorithm; choose one of {}",
                    known.join(", ")
                )
            })
    }
}

/// Which search, and how.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub algorithm: Algorithm,
    /// Read by the informed searches.
    pub heuristic: HeuristicName,
    /// The order of moves on the given board; `None` is the algorithm's own.
    pub order: Option<MoveOrder>,
}

/// What a search counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// The estimate at the start.
    pub h0: u32,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// The start and every child made (Korf's count).
    pub generated: u64,
    /// States in memory at the end.
    pub stored: u64,
    /// The deepest node that was kept.
    pub max_depth: u32,
    /// The most nodes that waited to be expanded at one time.
    pub max_frontier: u64,
    /// Thresholds or depth limits tried.
    pub iterations: u32,
    pub time: Duration,
    /// The most bytes held at one time, tables aside.
    pub peak_memory: u64,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub result: Result<Solution, Stop>,
    pub stats: Stats,
}

/// A path to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Moves of the gap on the board as it was given.
    pub moves: Vec<Move>,
    /// Whether a replay, move by move on a plain board, ended on the goal.
    pub verified: bool,
}

/// Searches for a solution and replays it.
pub fn solve(problem: &Problem, settings: &Settings, control: &Control<'_>) -> Outcome {
    let watch = Watch::new(control);
    let fits_u64 = problem.size().cells() <= <u64 as Word>::CELLS;
    let narrow = fits_u64.then(|| search_packed::<u64>(problem, settings, &watch));
    let (result, mut stats) = match narrow {
        Some((Ok(Some(moves)), stats)) => (Ok(moves), stats),
        Some((Err(stop), stats)) => (Err(stop), stats),
        // Too large for 64 bits, or more layers of f than those have room for.
        Some((Ok(None), _)) | None => {
            let (result, stats) = search_packed::<u128>(problem, settings, &watch);
            let moves = result.map(|moves| moves.expect("a u128 has room for every layer of f"));
            (moves, stats)
        }
    };
    stats.time = watch.elapsed();
    let result = result.map(|moves| {
        let moves = problem.moves_as_given(moves);
        let verified = problem.is_solved_by(&moves);
        Solution { moves, verified }
    });
    Outcome { result, stats }
}

/// The moves found, `None` where the word is too narrow for the search.
type Found = Result<Option<Vec<Move>>, Stop>;

fn search_packed<W: Entry>(
    problem: &Problem,
    settings: &Settings,
    watch: &Watch<'_>,
) -> (Found, Stats) {
    let order = settings.order.unwrap_or(settings.algorithm.default_order());
    let grid = Grid::new(problem.size(), problem.order_as_searched(order));
    let start = Packed::<W>::new(problem.start());
    let mut meter = Meter::new(watch);
    meter.stats.generated = 1;
    let m = &mut meter;
    let found = match settings.algorithm {
        Algorithm::Bfs => graph::search(start, &grid, Discipline::Fifo, m).map(Some),
        Algorithm::BiBfs => bibfs::search(start, &grid, m).map(Some),
        Algorithm::Dfs => graph::search(start, &grid, Discipline::Lifo, m).map(Some),
        Algorithm::Iddfs => iddfs::search(start, &grid, m).map(Some),
        Algorithm::AStar | Algorithm::IdaStar => match settings.heuristic {
            HeuristicName::Zero => search_informed(start, &grid, &Zero, settings, m),
            HeuristicName::Taxicab => {
                let taxicab = Taxicab::new(problem.size());
                search_informed(start, &grid, &taxicab, settings, m)
            }
        },
    };
    (found, meter.stats)
}

fn search_informed<W: Entry, H: Heuristic<W>>(
    start: Packed<W>,
    grid: &Grid,
    heuristic: &H,
    settings: &Settings,
    meter: &mut Meter<'_>,
) -> Found {
    meter.stats.h0 = heuristic.value(heuristic.start(start));
    match settings.algorithm {
        Algorithm::AStar => astar::search(start, grid, heuristic, meter),
        _ => idastar::search(start, grid, heuristic, meter).map(Some),
    }
}
