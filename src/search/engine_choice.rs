//! The engines of IDA*, by the names that users know them by.

use std::fmt;
use std::str::FromStr;

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

impl EngineChoice {
    /// All of them.
    pub const ALL: [EngineChoice; 3] = [
        EngineChoice::Auto,
        EngineChoice::Scalar,
        EngineChoice::Batched,
    ];

    /// As a user names it.
    pub const fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Scalar => "scalar",
            EngineChoice::Batched => "batched",
        }
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineChoice, String> {
        let known = EngineChoice::ALL.map(EngineChoice::name);
        EngineChoice::ALL
            .into_iter()
            .find(|engine| engine.name() == text)
            .ok_or_else(|| {
                format!(
                    "'{text}' is not an engine; choose one of {}",
                    known.join(", ")
                )
            })
    }
}
