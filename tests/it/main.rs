//! Tests of the harness, its commands and its files, in one program: a module for each part, beside what
//! several of them share. Those of searches are in `crates/core/tests`.

mod bounds;
mod browser;
mod command;
mod compare;
mod course;
mod course_check;
#[path = "../../crates/core/tests/it/distances.rs"]
mod distances;
mod estimate;
#[path = "../../crates/core/tests/it/estimates.rs"]
mod estimates;
mod goals;
mod hints;
mod imports;
mod instances;
mod listing;
mod memory;
mod merge;
mod metric;
mod own_files;
mod pages;
mod paper;
mod pdb;
mod planner;
mod promises;
mod report;
mod report_files;
mod rows;
mod run;
mod schema;
mod shard;
mod solve;
mod solver_rows;
mod solvers;
mod space;
mod space_counts;
mod split;
mod statistics;
mod stop_after_failures;
mod strangers;
mod suites;
#[cfg(target_os = "linux")]
mod terminal;
mod tile_costs;
mod trust;
mod whole_tables;
mod wrong_fields;
