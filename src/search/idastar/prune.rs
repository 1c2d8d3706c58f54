//! Which fsm prunes, by its name; each is built once.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::fsm::{Allowance, Fsm};
use crate::search::Stop;

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

    /// The deepest fsm: it takes 3.5 s and 0.7 GB to build, within the memory that a search may
    /// have; one of depth 12 takes 0.3 s.
    pub const DEEPEST: u32 = 14;

    /// The fsm, built when it is first needed, in at most so many bytes; why not, if that is
    /// cancelled or takes more.
    pub(crate) fn fsm(
        self,
        memory: Option<u64>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<&'static Fsm, Stop> {
        const DEPTHS: usize = Prune::DEEPEST as usize + 1;
        static BUILT: [OnceLock<Fsm>; DEPTHS] = [const { OnceLock::new() }; DEPTHS];
        /// Bytes that are known to be too few: the next search need not find out again.
        static TOO_FEW: [AtomicU64; DEPTHS] = [const { AtomicU64::new(0) }; DEPTHS];
        // Those that need it meanwhile wait, rather than build it as well.
        static BUILDING: Mutex<()> = Mutex::new(());
        let built = &BUILT[self.depth as usize];
        let _turn = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fsm) = built.get() {
            return Ok(fsm);
        }
        let too_few = &TOO_FEW[self.depth as usize];
        if memory.is_some_and(|most| most <= too_few.load(Relaxed)) {
            return Err(Stop::Memory);
        }
        let fsm = Fsm::new(self.depth, &mut Allowance::new(memory), is_cancelled);
        if let (Err(Stop::Memory), Some(most)) = (&fsm, memory) {
            too_few.fetch_max(most, Relaxed);
        }
        let fsm = fsm?;
        Ok(built.get_or_init(|| fsm))
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
