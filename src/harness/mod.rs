//! Runs and what is written about them.

pub mod machine;
mod row;

pub use row::{Row, Run, Status};
