//! Which fsm prunes, by its name; each is built once.

use std::fmt;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, PoisonError};

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::fsm::{Allowance, Fsm, Order};
use crate::heuristic::Estimate;
use crate::puzzle::{Size, Word};
use crate::search::{Algorithm, Stop};

/// A finite-state machine that prunes: `fsm:DEPTH`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Prune {
    depth: u32,
}

impl Prune {
    /// `None` for a depth below 2 or past [`Prune::DEEPEST`].
    pub fn new(depth: u32) -> Option<Prune> {
        (2..=Prune::DEEPEST)
            .contains(&depth)
            .then_some(Prune { depth })
    }

    /// The longest sequence that it forbids.
    pub fn depth(self) -> u32 {
        self.depth
    }

    /// The deepest fsm.
    pub const DEEPEST: u32 = 18;

    /// Builds the fsm of an algorithm for boards of a size, in at most so many bytes, unless this process has it;
    /// says how many bytes it has. A search that needs it would do the same.
    pub fn prepare(
        self,
        algorithm: Algorithm,
        size: Size,
        memory: Option<u64>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<u64, Stop> {
        self.fsm(algorithm, size, memory, is_cancelled)
            .map(Fsm::bytes)
    }

    /// The fsm, built when it is first needed, in at most so many bytes; why not, if that is
    /// cancelled or takes more.
    pub(crate) fn fsm(
        self,
        algorithm: Algorithm,
        size: Size,
        memory: Option<u64>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<&'static Fsm, Stop> {
        let order = match algorithm {
            Algorithm::AStarIdaStar => Order::Colexicographic,
            _ => Order::Lexicographic,
        };
        // Those that need it meanwhile wait, rather than build it as well.
        static BUILT: Mutex<Option<Machines>> = Mutex::new(None);
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        let built = built.get_or_insert_default().entry((self, size, order));
        let built = built.or_insert(Built::Not { too_few: 0 });
        let too_few = match *built {
            Built::Fsm(fsm) => return Ok(fsm),
            Built::Not { too_few } => too_few,
        };
        if memory.is_some_and(|most| most <= too_few) {
            return Err(Stop::Memory);
        }
        let fsm = Fsm::new(
            self.depth,
            size,
            order,
            &mut Allowance::new(memory),
            is_cancelled,
        );
        if let (Err(Stop::Memory), Some(most)) = (&fsm, memory) {
            *built = Built::Not { too_few: most };
        }
        let fsm = Box::leak(Box::new(fsm?));
        *built = Built::Fsm(fsm);
        Ok(fsm)
    }
}

/// What there is of each fsm.
type Machines = HashMap<(Prune, Size, Order), Built, FixedState>;

/// What there is of an fsm.
#[derive(Clone, Copy)]
enum Built {
    /// All of it.
    Fsm(&'static Fsm),
    /// Nothing; so many bytes are known to be too few, and need not be tried again.
    Not { too_few: u64 },
}

/// The fsm of a search without a pruning of the user's: it forbids to take back the last move.
pub(crate) fn no_return() -> &'static Fsm {
    static NO_RETURN: LazyLock<Fsm> = LazyLock::new(Fsm::no_return);
    &NO_RETURN
}

impl fmt::Display for Prune {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fsm:{}", self.depth)
    }
}

/// A text that is no pruning.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no pruning; write auto, none, or fsm:DEPTH with a depth from 2 to {deepest}", deepest = Prune::DEEPEST)]
pub struct PruneError(pub String);

impl FromStr for Prune {
    type Err = PruneError;

    fn from_str(text: &str) -> Result<Prune, PruneError> {
        let depth = text
            .strip_prefix("fsm:")
            .and_then(|depth| depth.parse().ok());
        let prune = depth.and_then(Prune::new);
        prune.ok_or_else(|| PruneError(text.to_owned()))
    }
}

/// The pruning that a user asks for: `auto`, `none` or `fsm:DEPTH`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pruning {
    /// The fastest there is for the estimate.
    #[default]
    Auto,
    /// Nothing but to take back the last move.
    Off,
    /// This one.
    By(Prune),
}

impl Pruning {
    /// What `auto` chooses where it prunes.
    const FASTEST: Prune = Prune { depth: 14 };

    const AUTO: &str = "auto";
    const NONE: &str = "none";

    /// What prunes a search with this estimate.
    ///
    /// `auto` prunes with pattern databases on boards of more than 16 cells. On smaller ones it
    /// saves less than it takes to build, and the engines for other estimates know no fsm.
    pub fn with(self, estimate: &Estimate<'_>) -> Option<Prune> {
        match (self, estimate) {
            (Pruning::By(prune), _) => Some(prune),
            (Pruning::Auto, Estimate::Patterns(patterns))
                if patterns.size().cells() > <u64 as Word>::CELLS =>
            {
                Some(Pruning::FASTEST)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Pruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pruning::Auto => f.write_str(Pruning::AUTO),
            Pruning::Off => f.write_str(Pruning::NONE),
            Pruning::By(prune) => prune.fmt(f),
        }
    }
}

impl FromStr for Pruning {
    type Err = PruneError;

    fn from_str(text: &str) -> Result<Pruning, PruneError> {
        match text {
            Pruning::AUTO => Ok(Pruning::Auto),
            Pruning::NONE => Ok(Pruning::Off),
            text => text.parse().map(Pruning::By),
        }
    }
}
