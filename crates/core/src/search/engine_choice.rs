//! The engines of IDA*, by the names that users know them by.

use crate::puzzle::named;

/// Which engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EngineChoice {
    /// For each threshold the fastest that there is for the board, the estimate and the pruning,
    /// by how many nodes the threshold is expected to have.
    #[default]
    Auto,
    /// A recursion, one node at a time.
    Scalar,
    /// Batches of nodes, where there is such a way; otherwise the recursion.
    Batched,
}

named!(EngineChoice, "an engine": Auto "auto", Scalar "scalar", Batched "batched");
