//! Tests that take long: many boards, searched for long or to the last state. They are built and run where
//! they are asked for, and optimised only: `cargo test --release --test slow`.

mod astar;
mod astar_idastar;
mod by_rows;
#[path = "../it/conflicts.rs"]
mod conflicts;
#[path = "../it/consistency.rs"]
mod consistency;
#[path = "../it/costed.rs"]
mod costed;
#[path = "../it/dijkstra.rs"]
mod dijkstra;
#[path = "../it/distances.rs"]
mod distances;
mod endgame;
#[path = "../it/endgames.rs"]
mod endgames;
mod engines;
#[path = "../it/estimates.rs"]
mod estimates;
mod five_by_five;
mod forecasts;
mod heuristics;
#[path = "../../../../tests/it/instances.rs"]
mod instances;
mod metric;
#[path = "../it/open_lists.rs"]
mod open_lists;
#[path = "../it/optimal.rs"]
mod optimal;
mod searches;
mod signature;
#[path = "../it/solved_by_rows.rs"]
mod solved_by_rows;
mod space;
#[path = "../../../../tests/it/space_counts.rs"]
mod space_counts;
mod split;
#[path = "../it/thresholds.rs"]
mod thresholds;
mod tile_costs;
#[path = "../it/units.rs"]
mod units;
mod walking_tables;
#[path = "../it/walks.rs"]
mod walks;
