//! States as the assignments in Python hold them: flat lists.

use std::cmp::Ordering;
use std::fmt;

use super::python;
use crate::puzzle::Board;

/// A board that is printed and ordered as the list of its tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Listed(pub Board);

impl Ord for Listed {
    fn cmp(&self, other: &Listed) -> Ordering {
        self.0.tiles().cmp(other.0.tiles())
    }
}

impl PartialOrd for Listed {
    fn partial_cmp(&self, other: &Listed) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&python::list(self.0.tiles()))
    }
}
