//! What people see on a terminal: progress, drawings, messages, answers.

pub mod animate;
pub mod build_progress;
pub mod columns;
pub mod interrupt;
pub mod message;
pub mod output;
pub mod progress;
pub mod run_progress;
pub mod space_progress;
