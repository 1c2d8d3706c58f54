//! Runs and what is written about them.

pub mod machine;
mod row;
mod signature;

pub use row::{Row, Run, Status};
pub use signature::{Signed, signature};
