//! The searches, behind one call: [`solve`].
//!
//! Each search is one file that reads like its textbook page. They walk on packed boards
//! with the goal in one place ([`Problem`](crate::puzzle::Problem) turns the others), count in a
//! meter that stops them at their limits, and return moves; [`solve`] replays those on a plain
//! board before it hands them on.
//!
//! A search is guided by an [`Estimate`](crate::heuristic::Estimate), for which there is tuned
//! code, or by any [`Heuristic`](crate::heuristic::Heuristic) of one's own:
//!
//! ```
//! use slidebench::heuristic::OfTiles;
//! use slidebench::puzzle::{Board, Goal, Problem};
//! use slidebench::search::{Control, Settings, solve};
//!
//! let board: Board = "8 6 7 / 2 5 4 / 3 . 1".parse()?;
//! let problem = Problem::new(&board, Goal::Last)?;
//! // How many tiles are not at home; tile t belongs into cell t.
//! let misplaced = OfTiles(|tiles: &[u8]| {
//!     let away = |&(home, &tile): &(usize, &u8)| tile != 0 && usize::from(tile) != home;
//!     tiles.iter().enumerate().filter(away).count() as u32
//! });
//! let outcome = solve(&problem, &Settings::idastar(misplaced), &Control::default());
//! assert_eq!(outcome.result?.moves.len(), 31);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod algorithm_name;
mod arastar;
mod astar;
mod beam;
mod bestfirst;
mod bibfs;
mod bidirectional;
mod control;
mod ees;
mod engine_choice;
mod engine_of;
mod graph;
mod greedy;
mod guide;
mod idastar;
mod iddfs;
mod layers;
mod meter;
mod node_counts;
mod outcome;
mod path;
mod probe;
mod rbfs;
mod rows;
mod settings;
mod solve;
mod split;
mod store;
mod suboptimal;
mod threads;
mod variant;
mod wastar;
mod weight;
mod widastar;

pub use algorithm::Algorithm;
pub use algorithm_name::{AlgorithmError, Width};
pub use control::{Control, Event, Incumbent, Iteration, Limits, Progress, ResumePoint, Stop};
pub use engine_choice::EngineChoice;
pub use guide::Guide;
pub use idastar::{Prune, PruneError, Pruning};
pub use layers::{WholeSpace, layer_sizes};
pub use meter::{IterationStart, Meter, Watch};
pub use node_counts::NodeCounts;
pub use outcome::{Outcome, Solution, Stats};
pub use path::trace_back;
pub use settings::Settings;
pub use solve::solve;
pub use split::{SplitError, Unit, search_unit, split};
pub use store::{Arena, Heap, Seen};
pub use weight::{Weight, WeightError};
