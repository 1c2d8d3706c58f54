//! The recursion for 4x4 and 5x5 with the gap's cell and the last move known at compile time.
//!
//! One function for each (gap, last move): shifts and masks are immediates, and moves off the
//! board or back are not there at all. Instead of g and h a node has [`slack`](super::slack).
//!
//! These functions are most of what there is to compile, so nothing else is a constant of theirs.
//! Children come in the order Up, Left, Right, Down; a tree in the reverse of it is that of the
//! board [`turned`] by 180°, whose goal has the gap in the last cell. Tile t is at home in cell t
//! on both, so both have the same costs.

use super::recursion::Recursion;
use super::slack::{Budget, PERIMETER_SHIFT, Slack, SlackCost, SlackToPerimeter};
use super::square::{
    DOWN, LEFT, RIGHT, Square, UP, children, has_child, is_led_to, neighbour, turned,
};
use crate::heuristic::Heuristic;
use crate::puzzle::{Cell, Move, MoveOrder, Packed};
use crate::search::control::Stop;
use crate::search::idastar::engine::{Engine, Found, Grain};
use crate::search::idastar::frontier::SubtreeOf;
use crate::search::idastar::perimeter::PerimeterBatch;
use crate::search::idastar::tree::Tree;
use crate::search::meter::Meter;

/// The unrolled recursion; its child order is Up, Left, Right, Down, or that turned by 180°.
pub(crate) struct Unrolled<C> {
    is_turned: bool,
    cost: C,
}

impl<C> Unrolled<C> {
    /// `None` for any other order of moves.
    pub fn new(order: MoveOrder, cost: C) -> Option<Unrolled<C>> {
        let turned = MoveOrder::ULRD.turned();
        (order == MoveOrder::ULRD || order == turned).then_some(Unrolled {
            is_turned: order == turned,
            cost,
        })
    }
}

impl<W: Square, H: Heuristic<W>, C: SlackCost<W>> Engine<W, H> for Unrolled<C> {
    fn search(
        &self,
        tree: &Tree<'_, W, H>,
        subtrees: &[SubtreeOf<W, H>],
        expected: u64,
        meter: &mut Meter<'_>,
    ) -> Found {
        let is_start =
            |subtree: &SubtreeOf<W, H>| tree.fsm.last_move(subtree.node.fsm_state).is_none();
        if subtrees.iter().any(is_start) {
            // There is no function without a last move: a tree that is not split is tiny.
            return Recursion.search(tree, subtrees, expected, meter);
        }
        let mut walk = Walk {
            cost: &self.cost,
            is_turned: self.is_turned,
            visits: [0; 5],
            not_made: 0,
            countdown: CHECK_EVERY,
            moves: Vec::new(),
            stop: None,
            perimeter: tree.perimeter.map(PerimeterBatch::new),
            meter,
        };
        for (index, subtree) in subtrees.iter().enumerate() {
            walk.meter.count(subtree.before);
            let mark = walk.meter.counts();
            let mut is_found = walk.enter(tree, subtree)?;
            if let Some(perimeter) = &mut walk.perimeter
                && (is_found || perimeter.look_up())
            {
                perimeter.look_up_at_once();
                walk.meter.roll_back(mark);
                walk.moves.clear();
                is_found = walk.enter(tree, subtree)?;
            }
            if is_found {
                return Ok(Some((index, walk.moves)));
            }
        }
        Ok(None)
    }

    fn grain(&self) -> Grain {
        Grain::of(1 << 20)
    }
}

/// Visits of one kind of node between two looks at the meter.
const CHECK_EVERY: u32 = 32;

/// A walk through subtrees, with its counts.
struct Walk<'a, 'm, W, C> {
    cost: &'a C,
    is_turned: bool,
    /// Nodes expanded, by the number of their children: one counter to raise at each node.
    visits: [u64; 5],
    /// Children that were not made because the walk ended at one before them.
    not_made: u64,
    countdown: u32,
    /// The solution, last move first, or how far the walk was when it was stopped.
    moves: Vec<Move>,
    stop: Option<Stop>,
    perimeter: Option<PerimeterBatch<'a, W>>,
    meter: &'a mut Meter<'m>,
}

impl<W: Square, C> Walk<'_, '_, W, C> {
    /// Adds the counts so far to the meter.
    fn hand_over(&mut self) {
        let [_, one, two, three, four] = std::mem::take(&mut self.visits);
        let not_made = std::mem::take(&mut self.not_made);
        self.meter.stats.expanded += one + two + three + four;
        self.meter.stats.generated += one + 2 * two + 3 * three + 4 * four;
        self.meter.uncount(not_made);
    }

    /// Asks the meter from time to time; true if the walk has to stop.
    #[inline(always)]
    fn is_stopped(&mut self) -> bool {
        self.countdown -= 1;
        self.countdown == 0 && self.ask_meter()
    }

    #[cold]
    fn ask_meter(&mut self) -> bool {
        self.countdown = CHECK_EVERY;
        self.hand_over();
        self.stop = self.meter.pulse().err();
        self.stop.is_some()
    }

    /// Takes a node at the perimeter; true if the walk ends there. One node in fifty is there, so
    /// this stays out of the others' registers.
    #[cold]
    #[inline(never)]
    fn meets(&mut self, cells: W, gap: Cell) -> bool {
        let met = Packed { cells, gap };
        let met = if self.is_turned { turned(met) } else { met };
        let perimeter = self.perimeter.as_mut();
        perimeter.is_some_and(|perimeter| perimeter.meet(met.cells)) && self.note_path(met)
    }

    #[cold]
    fn note_path(&mut self, met: Packed<W>) -> bool {
        match self.perimeter.as_ref().map(|perimeter| perimeter.path(met)) {
            Some(Err(stop)) => self.stop = Some(stop),
            path => self.moves = path.transpose().ok().flatten().unwrap_or_default(),
        }
        true
    }

    /// Notes the move that led to the end of the walk.
    #[cold]
    fn ended(&mut self, mv: usize, not_made: usize) {
        let mv = Move::ALL[mv];
        self.moves
            .push(if self.is_turned { mv.opposite() } else { mv });
        self.not_made += not_made as u64;
    }
}

impl<W: Square, C: SlackCost<W>> Walk<'_, '_, W, C> {
    /// Searches one subtree; true if it ended early, at a solution.
    fn enter<H: Heuristic<W>>(
        &mut self,
        tree: &Tree<'_, W, H>,
        subtree: &SubtreeOf<W, H>,
    ) -> Result<bool, Stop> {
        let node = &subtree.node;
        let f = node.g + tree.heuristic.value(node.carried);
        let slack = (tree.threshold - f) / 2;
        let last = tree.fsm.last_move(node.fsm_state);
        let last = last.expect("the start was left to the plain recursion");
        let (state, last) = match self.is_turned {
            true => (turned(node.state), last.opposite()),
            false => (node.state, last),
        };
        let is_found = match tree.perimeter_depth() {
            None => enter(self, state, last, Slack(slack)),
            Some(perimeter) => {
                let budget = SlackToPerimeter::new(slack, perimeter - node.g);
                enter(self, state, last, budget)
            }
        };
        self.hand_over();
        self.stop.map_or(Ok(is_found), Err)
    }
}

/// Calls the function for a gap and a last move that are known only now.
fn enter<W: Square, C: SlackCost<W>, B: Budget>(
    walk: &mut Walk<'_, '_, W, C>,
    state: Packed<W>,
    last: Move,
    budget: B,
) -> bool {
    let visits: &Visits<W, C, B> = const { &visits() };
    visits[usize::from(state.gap)][last as usize](walk, state.cells, budget)
}

/// A function that searches below a node; true if it ended early, at a solution or stopped.
type Visit<W, C, B> = fn(&mut Walk<'_, '_, W, C>, W, B) -> bool;

/// Such functions by gap and last move, for the most cells of a [`Square`].
type Visits<W, C, B> = [[Visit<W, C, B>; 4]; 25];

const fn visits<W: Square, C: SlackCost<W>, B: Budget>() -> Visits<W, C, B> {
    let mut visits = [[nowhere as Visit<W, C, B>; 4]; 25];
    let mut index = 0;
    while index < 4 * visits.len() {
        visits[index / 4][index % 4] = visit_of(index / 4, index % 4);
        index += 1;
    }
    visits
}

/// The function for a gap and a last move. It is only called at compile time, so that only those
/// that it returns are compiled, not all that it names.
const fn visit_of<W: Square, C: SlackCost<W>, B: Budget>(
    gap: usize,
    last: usize,
) -> Visit<W, C, B> {
    macro_rules! visits_by_gap {
        ($($gap:literal)*) => {
            [$([
                visit::<$gap, UP, W, C, B>,
                visit::<$gap, DOWN, W, C, B>,
                visit::<$gap, LEFT, W, C, B>,
                visit::<$gap, RIGHT, W, C, B>,
            ]),*]
        };
    }
    let visits: Visits<W, C, B> =
        visits_by_gap!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
    match is_led_to(W::SIDE, gap, last) {
        true => visits[gap][last],
        false => nowhere,
    }
}

/// Stands where a move does not lead to a cell.
fn nowhere<W: Square, C: SlackCost<W>, B: Budget>(_: &mut Walk<'_, '_, W, C>, _: W, _: B) -> bool {
    unreachable!("no move leads there")
}

/// Searches below a node; true if it ended early, at a solution or stopped.
fn visit<const GAP: usize, const LAST: usize, W: Square, C: SlackCost<W>, B: Budget>(
    walk: &mut Walk<'_, '_, W, C>,
    cells: W,
    budget: B,
) -> bool {
    if !B::HAS_PERIMETER && is_solved::<GAP, W>(cells) {
        return true;
    }
    if budget.is_at_perimeter() {
        return walk.meets(cells, GAP as Cell);
    }
    // One kind of node of many is enough to look at the clock.
    if GAP == 5 && LAST == UP && walk.is_stopped() {
        return true;
    }
    walk.visits[const { children(W::SIDE, GAP, LAST) }] += 1;
    let budget = budget.below();
    child::<GAP, LAST, UP, W, C, B>(walk, cells, budget)
        || child::<GAP, LAST, LEFT, W, C, B>(walk, cells, budget)
        || child::<GAP, LAST, RIGHT, W, C, B>(walk, cells, budget)
        || child::<GAP, LAST, DOWN, W, C, B>(walk, cells, budget)
}

/// Whether it is the solved board or the turned one. Neither comes up in a walk to the other: it
/// has a tile that is missing there.
#[inline(always)]
fn is_solved<const GAP: usize, W: Square>(cells: W) -> bool {
    (GAP == 0 && cells == W::SOLVED) || (GAP == W::LAST as usize && cells == W::SOLVED_TURNED)
}

/// Makes one child and searches below it, if there is such a child and slack for it.
#[inline(always)]
fn child<
    const GAP: usize,
    const LAST: usize,
    const MV: usize,
    W: Square,
    C: SlackCost<W>,
    B: Budget,
>(
    walk: &mut Walk<'_, '_, W, C>,
    cells: W,
    budget: B,
) -> bool {
    // As a constant, it keeps the rest from being compiled.
    if const { !has_child(W::SIDE, GAP, LAST, MV) } {
        return false;
    }
    let from = const { neighbour(W::SIDE, GAP, MV) };
    let tile = cells.tile(from as Cell);
    let after = cells.slid(tile, from as Cell, GAP as Cell);
    let cost = match B::HAS_PERIMETER {
        true => walk.cost.of::<GAP, MV, PERIMETER_SHIFT>(cells, after, tile),
        false => walk.cost.of::<GAP, MV, 0>(cells, after, tile),
    };
    let (budget, is_overspent) = budget.after(cost);
    let visit = const { visit_of::<W, C, B>(neighbour(W::SIDE, GAP, MV), MV) };
    if is_overspent || !visit(walk, after, budget) {
        return false;
    }
    walk.ended(MV, const { children_behind(W::SIDE, GAP, LAST, MV) });
    true
}

/// How many children of a node come after this one.
const fn children_behind(side: usize, gap: usize, last: usize, mv: usize) -> usize {
    let order = [UP, LEFT, RIGHT, DOWN];
    let (mut behind, mut index, mut is_behind) = (0, 0, false);
    while index < 4 {
        behind += (is_behind && has_child(side, gap, last, order[index])) as usize;
        is_behind |= order[index] == mv;
        index += 1;
    }
    behind
}
