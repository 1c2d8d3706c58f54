//! What an engine is, and which one searches a threshold.

use super::frontier::SubtreeOf;
use super::tree::Tree;
use crate::heuristic::Heuristic;
use crate::puzzle::{Move, Word};
use crate::search::control::Stop;
use crate::search::engine_choice::EngineChoice;
use crate::search::meter::Meter;

/// A way to search subtrees. Every engine counts and finds what the recursion does, whatever the
/// order in which it comes to the nodes.
pub(crate) trait Engine<W: Word, H: Heuristic<W>>: Sync {
    /// Exhausts subtrees in their order, up to the first solution.
    ///
    /// `expected` is about how many nodes each subtree has.
    fn search(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[SubtreeOf<W, H>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found;

    /// How many nodes are worth a call of [`Engine::search`].
    fn grain(&self) -> u64;
}

/// A solution, last move first, and the place of its subtree; `None` where there is none.
pub(crate) type Found = Result<Option<(usize, Vec<Move>)>, Stop>;

/// The engines that there are for a heuristic on a grid.
pub(crate) struct Engines<W, H> {
    scalar: Box<dyn Engine<W, H>>,
    batched: Option<Box<dyn Engine<W, H>>>,
}

impl<W: Word, H: Heuristic<W>> Engines<W, H> {
    pub fn scalar(engine: impl Engine<W, H> + 'static) -> Engines<W, H> {
        Engines {
            scalar: Box::new(engine),
            batched: None,
        }
    }

    /// With batches as well, if there are any.
    pub fn or_batched<E: Engine<W, H> + 'static>(self, engine: Option<E>) -> Engines<W, H> {
        Engines {
            batched: engine.map(|engine| Box::new(engine) as Box<dyn Engine<W, H>>),
            ..self
        }
    }

    /// Those of them that the user wants.
    pub fn chosen(self, choice: EngineChoice) -> Engines<W, H> {
        match choice {
            EngineChoice::Scalar => Engines {
                batched: None,
                ..self
            },
            EngineChoice::Auto | EngineChoice::Batched => self,
        }
    }

    /// How to name them to the reader of a report: by the one for large thresholds.
    pub fn name(&self) -> EngineChoice {
        match self.batched {
            Some(_) => EngineChoice::Batched,
            None => EngineChoice::Scalar,
        }
    }

    pub fn engine(&self) -> &dyn Engine<W, H> {
        match &self.batched {
            Some(batched) => &**batched,
            None => &*self.scalar,
        }
    }
}
