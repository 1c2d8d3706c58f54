//! Tests that take long: many boards, searched for long or to the last state. They are built with
//! all others, but run optimised only, with `cargo test --release`.

mod astar;
#[path = "../it/consistency.rs"]
mod consistency;
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
