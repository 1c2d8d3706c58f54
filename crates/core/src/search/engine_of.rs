//! Which engine a search has, before it begins.

use super::guide::{Code, Dispatch, WithHeuristic};
use super::idastar::{Allowance, Fsm, Order};
use super::{Algorithm, EngineChoice, Settings};
use crate::heuristic::{Heuristic, Usable};
use crate::puzzle::{Board, Entry, Goal, Grid, MoveOrder, Size};

impl<G: Dispatch> Settings<'_, G> {
    /// The engine that was asked for by its name; `None` where the search chooses, or has none.
    pub fn engine_by_name(&self) -> Option<EngineChoice> {
        let named = self.engine != EngineChoice::Auto && self.algorithm.has_thresholds();
        named.then_some(self.engine)
    }

    /// The engine by name that there is on boards of a size, under rules where some estimates hold:
    /// where there are no batches, `batched` is `scalar`.
    pub fn engine_on(&self, size: Size, usable: Usable) -> EngineChoice {
        let can_have = (self.algorithm).can_have_batches(usable, self.endgame.is_some());
        match self.engine_by_name() {
            Some(EngineChoice::Batched) if !can_have => EngineChoice::Scalar,
            Some(EngineChoice::Batched) => {
                let order = self.order.unwrap_or(self.algorithm.default_order());
                // To an engine all pruning of more than the return is the same.
                let depth = self.prune.map_or(2, |prune| prune.depth().min(3));
                self.heuristic.batches_on(size, order, depth)
            }
            _ => self.engine,
        }
    }
}

impl Algorithm {
    /// Whether there is an estimate with which it has a batched engine, under rules where these hold.
    pub fn can_have_batches(self, usable: Usable, has_endgame: bool) -> bool {
        // They lead to the board that tables know. From the goal it depends on the board whether there
        // are any, and not on its size.
        usable == Usable::All && !has_endgame && !self.is_reverse()
    }
}

/// What a guide has where batches are asked for, with an fsm of a depth.
pub(super) fn batches_on(
    guide: &impl Dispatch,
    size: Size,
    order: MoveOrder,
    depth: u32,
) -> EngineChoice {
    let allowance = &mut Allowance::new(None);
    let fsm = Fsm::new(depth, size, Order::Lexicographic, allowance, &|| false)
        .expect("nothing stops it");
    let name = EngineName {
        grid: &Grid::new(size, order),
        fsm: &fsm,
    };
    let solved = Board::solved(size, Goal::First);
    match guide.fits_u64(size) {
        true => guide.with_u64(&solved, name),
        false => guide.with_u128(&solved, name),
    }
}

/// Asks for batches, and takes the name of what there is.
struct EngineName<'a> {
    grid: &'a Grid,
    fsm: &'a Fsm,
}

impl<W> WithHeuristic<W> for EngineName<'_> {
    type Output = EngineChoice;

    fn with<H: Heuristic<W>>(self, heuristic: &H, code: Code<W, H>) -> EngineChoice
    where
        W: Entry,
    {
        let engines = (code.engines)(heuristic, self.grid, self.fsm);
        let (_, name) = engines.chosen(EngineChoice::Batched).for_nodes(u64::MAX);
        name
    }
}
