//! The names of the searches, some with a parameter behind a colon: `wastar:1.5`.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::{Algorithm, Weight, WeightError};
use crate::puzzle::{UnknownName, excerpt};

/// How many states a beam keeps of each layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Width(NonZeroU32);

impl Width {
    /// The widest: a layer of as many states of 5x5 has some hundred bytes for each.
    pub const MOST: u32 = 100_000_000;

    /// A common one.
    pub(super) const USUAL: Width = Width(NonZeroU32::new(1000).unwrap());

    /// From one to [`Width::MOST`].
    pub const fn new(states: u32) -> Option<Width> {
        match NonZeroU32::new(states) {
            Some(width) if states <= Width::MOST => Some(Width(width)),
            _ => None,
        }
    }

    /// The one that is nearest to so many states.
    pub fn nearest(states: usize) -> Width {
        let states = u32::try_from(states).unwrap_or(Width::MOST);
        Width::new(states.clamp(1, Width::MOST)).unwrap_or(Width::USUAL)
    }

    /// As many states.
    pub const fn states(self) -> usize {
        self.0.get() as usize
    }
}

/// A text that names no algorithm.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AlgorithmError {
    /// There is none of that name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// Its weight is missing or none.
    #[error("{name} takes a weight behind a colon, such as {name}:1.5; {source}")]
    Weight {
        /// The algorithm.
        name: &'static str,
        /// What is wrong with it.
        source: WeightError,
    },
    /// Its width is missing or none.
    #[error(
        "{name} takes the states of a layer behind a colon, from 1 to {most}, such as {name}:1000, and \
         not '{}'", excerpt(.text), most = Width::MOST
    )]
    Width {
        /// The algorithm.
        name: &'static str,
        /// What was read.
        text: String,
    },
    /// It has no parameter.
    #[error("'{}' is not an algorithm; {name} takes nothing behind its name", excerpt(.text))]
    NoParameter {
        /// The algorithm.
        name: &'static str,
        /// What was read.
        text: String,
    },
}

/// What stands behind a weight where states are expanded again.
const REOPEN: &str = "reopen";

/// The names as a user writes them, each with its parameter.
const FORMS: [&str; Algorithm::ALL.len()] = [
    "bfs",
    "bibfs",
    "dfs",
    "iddfs",
    "astar",
    "idastar",
    "astar+idastar",
    "reverse-astar",
    "reverse-idastar",
    "bae",
    "nbs",
    "mm",
    "wastar:W",
    "greedy",
    "widastar:W",
    "beam:WIDTH",
    "ees:W",
    "arastar:W",
    "rbfs",
    "rows",
];

impl Algorithm {
    /// All of them; those with a parameter have one that is common.
    pub const ALL: [Algorithm; 20] = [
        Algorithm::Bfs,
        Algorithm::BiBfs,
        Algorithm::Dfs,
        Algorithm::Iddfs,
        Algorithm::AStar,
        Algorithm::IdaStar,
        Algorithm::AStarIdaStar,
        Algorithm::ReverseAStar,
        Algorithm::ReverseIdaStar,
        Algorithm::Bae,
        Algorithm::Nbs,
        Algorithm::Mm,
        Algorithm::WAStar {
            weight: Weight::whole(2),
            reopen: false,
        },
        Algorithm::Greedy,
        Algorithm::WIdaStar(Weight::whole(2)),
        Algorithm::Beam(Width::USUAL),
        Algorithm::Ees(Weight::whole(2)),
        Algorithm::AraStar(Weight::whole(3)),
        Algorithm::Rbfs,
        Algorithm::Rows,
    ];

    /// As a user names it, without its parameter.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Bfs => "bfs",
            Algorithm::BiBfs => "bibfs",
            Algorithm::Dfs => "dfs",
            Algorithm::Iddfs => "iddfs",
            Algorithm::AStar => "astar",
            Algorithm::IdaStar => "idastar",
            Algorithm::AStarIdaStar => "astar+idastar",
            Algorithm::ReverseAStar => "reverse-astar",
            Algorithm::ReverseIdaStar => "reverse-idastar",
            Algorithm::Bae => "bae",
            Algorithm::Nbs => "nbs",
            Algorithm::Mm => "mm",
            Algorithm::WAStar { .. } => "wastar",
            Algorithm::Greedy => "greedy",
            Algorithm::WIdaStar(_) => "widastar",
            Algorithm::Beam(_) => "beam",
            Algorithm::Ees(_) => "ees",
            Algorithm::AraStar(_) => "arastar",
            Algorithm::Rbfs => "rbfs",
            Algorithm::Rows => "rows",
        }
    }

    /// The algorithm that a row names. Behind `astar+idastar` and a colon a row says how many states
    /// its open list had, which a user asks for in another way.
    pub fn of_row(name: &str) -> Option<Algorithm> {
        let plain = Algorithm::AStarIdaStar;
        let rest = name.strip_prefix(plain.name());
        match rest.is_some_and(|rest| rest.starts_with(':')) {
            true => Some(plain),
            false => name.parse().ok(),
        }
    }

    /// The same with another parameter.
    fn with(self, parameter: &str) -> Result<Algorithm, AlgorithmError> {
        let name = self.name();
        let weight = |text: &str| {
            let parsed = text.parse::<Weight>();
            parsed.map_err(|source| AlgorithmError::Weight { name, source })
        };
        Ok(match self {
            Algorithm::WAStar { .. } => {
                let (text, reopen) = match parameter.split_once(':') {
                    Some((text, REOPEN)) => (text, true),
                    _ => (parameter, false),
                };
                let weight = weight(text)?;
                Algorithm::WAStar { weight, reopen }
            }
            Algorithm::WIdaStar(_) => Algorithm::WIdaStar(weight(parameter)?),
            Algorithm::Ees(_) => Algorithm::Ees(weight(parameter)?),
            Algorithm::AraStar(_) => Algorithm::AraStar(weight(parameter)?),
            Algorithm::Beam(_) => {
                let text = parameter.to_owned();
                let width = parameter.parse().ok().and_then(Width::new);
                Algorithm::Beam(width.ok_or(AlgorithmError::Width { name, text })?)
            }
            _ => {
                let text = format!("{name}:{parameter}");
                return Err(AlgorithmError::NoParameter { name, text });
            }
        })
    }

    /// Whether its name is not enough.
    const fn has_parameter(self) -> bool {
        self.is_suboptimal() && !matches!(self, Algorithm::Greedy)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Algorithm::WAStar { weight, reopen } => {
                write!(f, ":{weight}")?;
                match reopen {
                    true => write!(f, ":{REOPEN}"),
                    false => Ok(()),
                }
            }
            Algorithm::WIdaStar(weight) | Algorithm::Ees(weight) | Algorithm::AraStar(weight) => {
                write!(f, ":{weight}")
            }
            Algorithm::Beam(width) => write!(f, ":{}", width.states()),
            _ => Ok(()),
        }
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, AlgorithmError> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let named = Algorithm::ALL.into_iter().find(|it| it.name() == name);
        let Some(named) = named else {
            return Err(AlgorithmError::Unknown(UnknownName {
                text: text.to_owned(),
                what: "an algorithm",
                names: &FORMS,
            }));
        };
        match parameter {
            None if named.has_parameter() => named.with(""),
            None => Ok(named),
            Some(parameter) => named.with(parameter),
        }
    }
}
