//! The estimates that a size has without files.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use slidebench::heuristic::{Estimate, WalkingDistance};
use slidebench::lookup::{AbstractBoards, BuildControl};
use slidebench::puzzle::Size;

/// The walking distance of a size, if it has one, built once in a process.
fn walking(size: Size) -> Option<&'static WalkingDistance> {
    static BUILT: LazyLock<Mutex<HashMap<Size, &'static WalkingDistance>>> =
        LazyLock::new(Mutex::default);
    let boards = AbstractBoards::new(size).ok()?;
    let mut built = BUILT.lock().unwrap();
    Some(built.entry(size).or_insert_with(|| {
        let walking = WalkingDistance::build(boards, &BuildControl::default());
        Box::leak(Box::new(walking.unwrap()))
    }))
}

/// All that need no file; the walking distance, if there is one, is the last.
pub fn estimates(size: Size) -> Vec<Estimate<'static>> {
    let walking = walking(size).map(Estimate::WalkingDistance);
    Estimate::COMPUTED.into_iter().chain(walking).collect()
}
