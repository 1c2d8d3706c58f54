//! Runs and what is written about them.
//!
//! The folders are the way of a run: a [`suite`] of boards; a [`solver`] is a program of others; a
//! [`record`] has the rows and files
//! that a run leaves; [`run`] plans and runs suites with configurations; [`cluster`] shares a plan
//! between processes; [`analysis`] tells what came of it.

pub mod analysis;
pub mod cluster;
mod csv_cell;
mod csv_line;
pub mod humanize;
pub mod record;
pub mod run;
mod signature;
pub mod solver;
pub mod suite;

pub use csv_cell::text_cell;
pub use signature::{Signed, signature};
