//! Heuristics as a user names them.

use std::fmt;
use std::str::FromStr;

use super::Estimate;

/// A heuristic as a user names it, for boards of any size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicName {
    /// One that needs no table of the caller's: `zero`, `md`, `lc`.
    Computed(Estimate<'static>),
    /// Walking distance: `wd`.
    WalkingDistance,
    /// `pdb:NAME` or `pdb:NAME,nomirror`; the name may be a grid of letters.
    Patterns {
        /// Its name, or a drawing.
        partition: String,
        /// Whether the mirror image counts too.
        mirror: bool,
    },
    /// `auto`: the strongest that is at hand or soon built.
    Auto,
}

impl HeuristicName {
    /// All names, `pdb:NAME` for every pattern database.
    pub fn names() -> Vec<String> {
        let computed = Estimate::COMPUTED.map(|estimate| estimate.to_string());
        let others = [WALKING_DISTANCE, "pdb:NAME", AUTO].map(str::to_owned);
        [&computed[..], &others[..]].concat()
    }

    /// Reads names separated by commas; `nomirror` belongs to the name before it.
    pub fn list(text: &str) -> Result<Vec<HeuristicName>, HeuristicNameError> {
        let mut names: Vec<HeuristicName> = Vec::new();
        for part in text.split(',').map(str::trim) {
            match names.last_mut() {
                Some(HeuristicName::Patterns { mirror, .. }) if part == NO_MIRROR => {
                    *mirror = false
                }
                _ => names.push(part.parse()?),
            }
        }
        Ok(names)
    }
}

const WALKING_DISTANCE: &str = "wd";
const PATTERNS: &str = "pdb:";
const NO_MIRROR: &str = "nomirror";
const AUTO: &str = "auto";

impl Default for HeuristicName {
    fn default() -> HeuristicName {
        HeuristicName::Computed(Estimate::default())
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeuristicName::Computed(estimate) => estimate.fmt(f),
            HeuristicName::Patterns { partition, mirror } => {
                let partition = partition.split_whitespace().collect::<Vec<_>>().join("/");
                write!(f, "{PATTERNS}{partition}")?;
                match mirror {
                    true => Ok(()),
                    false => write!(f, ",{NO_MIRROR}"),
                }
            }
            HeuristicName::WalkingDistance => f.write_str(WALKING_DISTANCE),
            HeuristicName::Auto => f.write_str(AUTO),
        }
    }
}

/// A text that names no heuristic.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeuristicNameError {
    /// There is none of that name.
    #[error("'{0}' is not a heuristic; choose one of {known}", known = HeuristicName::names().join(", "))]
    Unknown(String),
    /// Pattern databases of no partition, or with something behind it.
    #[error(
        "'{0}' is not a heuristic; write pdb:NAME or pdb:NAME,{NO_MIRROR}, for example pdb:7-8"
    )]
    Patterns(String),
}

impl FromStr for HeuristicName {
    type Err = HeuristicNameError;

    fn from_str(text: &str) -> Result<HeuristicName, HeuristicNameError> {
        match text {
            AUTO => return Ok(HeuristicName::Auto),
            WALKING_DISTANCE => return Ok(HeuristicName::WalkingDistance),
            _ => {}
        }
        if let Some(name) = text.strip_prefix(PATTERNS) {
            let (partition, rest) = name.split_once(',').unwrap_or((name, ""));
            return match rest {
                "" | NO_MIRROR if !partition.trim().is_empty() => Ok(HeuristicName::Patterns {
                    partition: partition.trim().to_owned(),
                    mirror: rest.is_empty(),
                }),
                _ => Err(HeuristicNameError::Patterns(text.to_owned())),
            };
        }
        let computed = Estimate::COMPUTED.into_iter();
        let named = computed
            .map(HeuristicName::Computed)
            .find(|name| name.to_string() == text);
        named.ok_or_else(|| HeuristicNameError::Unknown(text.to_owned()))
    }
}
