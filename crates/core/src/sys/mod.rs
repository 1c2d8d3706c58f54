//! What the machine has and how it is asked for: cache lines, pages, processor,
//! its time, memory, maps of files, files that are whole, and numbers that are the same on all.

pub mod atomic_file;
pub(crate) mod cpu_time;
pub(crate) mod huge_pages;
pub mod machine;
pub mod mapped_file;
pub(crate) mod pages;
pub(crate) mod prefetch;
mod random;
pub mod same_file;
pub mod signals;
pub(crate) mod vectors;

pub use random::Random;
