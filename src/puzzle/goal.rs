//! The two goals of the field.

use std::fmt;
use std::str::FromStr;

/// Where the gap is when the tiles 1, 2, 3 … are in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Gap top left, then 1, 2, 3 … (Korf's goal).
    First,
    /// 1, 2, 3 …, gap bottom right.
    Last,
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Goal::First => "first",
            Goal::Last => "last",
        })
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Goal, String> {
        match text {
            "first" => Ok(Goal::First),
            "last" => Ok(Goal::Last),
            _ => Err(format!(
                "'{text}' is not a goal; write first (gap top left) or last (gap bottom right)"
            )),
        }
    }
}
