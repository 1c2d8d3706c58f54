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

    /// The same; an engine that can also notes for each subtree the least h in it.
    fn search_noting(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[SubtreeOf<W, H>],
        expected: u64,
        meter: &mut Meter<'_>,
        _least: &mut [u8],
    ) -> Found {
        self.search(tree, subtrees, expected, meter)
    }

    /// How many nodes are worth a call of [`Engine::search`].
    fn grain(&self) -> Grain;
}

/// The least nodes that are worth a call, and the most that are searched faster together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    pub least: u64,
    pub most: u64,
}

impl Grain {
    /// Calls of one size.
    pub const fn of(nodes: u64) -> Grain {
        Grain {
            least: nodes,
            most: nodes,
        }
    }
}

/// A solution, last move first, and the place of its subtree; `None` where there is none.
pub(crate) type Found = Result<Option<(usize, Vec<Move>)>, Stop>;

/// The engines that there are for a heuristic on a grid.
pub(crate) struct Engines<W, H> {
    scalar: Box<dyn Engine<W, H>>,
    batched: Option<Batches<W, H>>,
}

/// A batched engine.
struct Batches<W, H> {
    engine: Box<dyn Engine<W, H>>,
    /// From how many nodes of a threshold on it is the faster one.
    pays_from: u64,
}

impl<W: Word, H: Heuristic<W>> Engines<W, H> {
    pub fn scalar(engine: impl Engine<W, H> + 'static) -> Engines<W, H> {
        Engines {
            scalar: Box::new(engine),
            batched: None,
        }
    }

    /// With batches as well, if there are any, for thresholds from so many nodes on.
    pub fn or_batched<E: Engine<W, H> + 'static>(
        self,
        engine: Option<E>,
        pays_from: u64,
    ) -> Engines<W, H> {
        let batched = engine.map(|engine| Batches {
            engine: Box::new(engine),
            pays_from,
        });
        Engines { batched, ..self }
    }

    /// Those of them that the user wants.
    pub fn chosen(mut self, choice: EngineChoice) -> Engines<W, H> {
        match (choice, &mut self.batched) {
            (EngineChoice::Scalar, batched) => *batched = None,
            (EngineChoice::Batched, Some(batched)) => batched.pays_from = 0,
            _ => {}
        }
        self
    }

    /// The engine for a threshold of about so many nodes, and its name.
    pub fn for_nodes(&self, expected: u64) -> (&dyn Engine<W, H>, EngineChoice) {
        match &self.batched {
            Some(batched) if expected >= batched.pays_from => {
                (&*batched.engine, EngineChoice::Batched)
            }
            _ => (&*self.scalar, EngineChoice::Scalar),
        }
    }
}
