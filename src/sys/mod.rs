//! What the machine has and how it is asked for: cache lines, pages, processor,
//! its time, and memory.

pub(crate) mod cpu_time;
pub(crate) mod huge_pages;
pub mod machine;
pub(crate) mod pages;
pub(crate) mod prefetch;
