//! What runs are compared or ranked by, as a flag's value.

use crate::harness::analysis::Measure;
use crate::puzzle::UnknownName;

/// A measure by its name; `generated`, as the column is called, is `nodes`.
pub fn measure(text: &str) -> Result<Measure, UnknownName> {
    match text {
        "generated" => Ok(Measure::Nodes),
        _ => text.parse(),
    }
}
