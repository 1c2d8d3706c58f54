//! Which fsm prunes, by its name; each is built once.

use std::fmt;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::fsm::Fsm;

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

    /// The deepest fsm: it takes 3.5 s and 0.7 GB to build; one of depth 12 takes 0.3 s.
    pub const DEEPEST: u32 = 14;

    /// The fsm, built when it is first needed; `None` if that is cancelled.
    pub(crate) fn fsm(self, is_cancelled: &dyn Fn() -> bool) -> Option<&'static Fsm> {
        const DEPTHS: usize = Prune::DEEPEST as usize + 1;
        static BUILT: [OnceLock<Fsm>; DEPTHS] = [const { OnceLock::new() }; DEPTHS];
        // Those that need it meanwhile wait, rather than build it as well.
        static BUILDING: Mutex<()> = Mutex::new(());
        let built = &BUILT[self.depth as usize];
        let _turn = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        if built.get().is_none() {
            let fsm = Fsm::new(self.depth, is_cancelled)?;
            built.get_or_init(|| fsm);
        }
        built.get()
    }
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
#[error("'{0}' is no pruning; write fsm:DEPTH with a depth from 2 to {deepest}", deepest = Prune::DEEPEST)]
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
