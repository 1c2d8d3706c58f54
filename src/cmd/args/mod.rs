//! Flags that several commands share, and what they mean.

pub mod board;
pub mod goal;
pub mod limits;
pub mod measure;
pub mod rows;
pub mod shard;
pub mod suites;
pub mod tables;
pub mod walk;
