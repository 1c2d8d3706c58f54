//! Tests that take long: many boards, searched for long or to the last state. They are built and run where
//! they are asked for, and optimised only: `cargo test --release --test slow`.

mod astar;
#[path = "../it/consistency.rs"]
mod consistency;
#[path = "../it/dijkstra.rs"]
mod dijkstra;
#[path = "../it/distances.rs"]
mod distances;
mod five_by_five;
mod forecasts;
mod heuristics;
#[path = "../../../../tests/it/instances.rs"]
mod instances;
mod metric;
mod signature;
mod space;
#[path = "../../../../tests/it/space_counts.rs"]
mod space_counts;
mod tile_costs;
mod walking_tables;
