//! The two goals of the field.

use super::named::named;

/// Where the gap is when the tiles 1, 2, 3 … are in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Gap top left, then 1, 2, 3 … (Korf's goal).
    First,
    /// 1, 2, 3 …, gap bottom right.
    Last,
}

named!(Goal, "a goal": First "first" "gap top left", Last "last" "gap bottom right");
