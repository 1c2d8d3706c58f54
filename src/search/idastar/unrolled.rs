//! The recursion for 4x4 with the gap's cell and the last move known at compile time.
//!
//! One function for each (gap, last move): shifts and masks are immediates, and moves off the
//! board or back are not there at all. f grows by 0 or by 2, so instead of g and h a node has
//! *slack*, (threshold − f) / 2, and a move costs 0 or 1 of it. With taxicab that is one bit of
//! a mask, indexed by the tile.

use super::{Explorer, Meter, Move, Stop, Subtree, Tree};
use crate::heuristic::{Heuristic, Taxicab};
use crate::puzzle::MoveOrder;

pub(super) const UP: usize = Move::Up as usize;
pub(super) const DOWN: usize = Move::Down as usize;
pub(super) const LEFT: usize = Move::Left as usize;
pub(super) const RIGHT: usize = Move::Right as usize;

/// The solved board: tile t in cell t.
pub(super) const SOLVED: u64 = 0xfedc_ba98_7654_3210;

/// No cell: the move leaves the board.
pub(super) const OFF: usize = usize::MAX;

/// Where a gap in `cell` comes to.
pub(super) const fn neighbour(cell: usize, mv: usize) -> usize {
    match mv {
        UP if cell >= 4 => cell - 4,
        DOWN if cell < 12 => cell + 4,
        LEFT if !cell.is_multiple_of(4) => cell - 1,
        RIGHT if cell % 4 < 3 => cell + 1,
        _ => OFF,
    }
}

pub(super) const fn opposite(mv: usize) -> usize {
    mv ^ 1
}

/// Whether a node with this gap and last move has this child.
pub(super) const fn has_child(gap: usize, last: usize, mv: usize) -> bool {
    mv != opposite(last) && neighbour(gap, mv) != OFF
}

pub(super) const fn children(gap: usize, last: usize) -> usize {
    has_child(gap, last, UP) as usize
        + has_child(gap, last, DOWN) as usize
        + has_child(gap, last, LEFT) as usize
        + has_child(gap, last, RIGHT) as usize
}

/// Bit t: tile t goes away from its cell when it slides from `from` into `gap`.
pub(super) const fn farther(gap: usize, from: usize) -> u64 {
    let mut mask = 0;
    let mut tile = 1;
    while tile < 16 {
        let before = (from / 4).abs_diff(tile / 4) + (from % 4).abs_diff(tile % 4);
        let after = (gap / 4).abs_diff(tile / 4) + (gap % 4).abs_diff(tile % 4);
        mask |= ((after > before) as u64) << tile;
        tile += 1;
    }
    mask
}

/// What a move costs in slack, 0 or 1: by how much f grows, halved.
pub(crate) trait SlackCost: Heuristic<u64> {
    fn cost<const GAP: usize, const MV: usize>(&self, before: u64, after: u64, tile: u64) -> u32;
}

impl SlackCost for Taxicab {
    #[inline(always)]
    fn cost<const GAP: usize, const MV: usize>(&self, _: u64, _: u64, tile: u64) -> u32 {
        let farther = const { farther(GAP, neighbour(GAP, MV)) };
        (farther >> tile) as u32 & 1
    }
}

/// The unrolled recursion; its child order is Up, Left, Right, Down, or that turned by 180°.
pub(crate) struct Unrolled {
    is_turned: bool,
}

impl Unrolled {
    /// `None` for any other order of moves.
    pub fn new(order: MoveOrder) -> Option<Unrolled> {
        let turned = MoveOrder::ULRD.turned();
        (order == MoveOrder::ULRD || order == turned).then_some(Unrolled {
            is_turned: order == turned,
        })
    }
}

impl<H: SlackCost> Explorer<u64, H> for Unrolled {
    fn explore(
        &self,
        tree: &Tree<'_, u64, H>,
        subtrees: &[Subtree<u64, H>],
        _expected: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<(usize, Vec<Move>)>, Stop> {
        let mut walk = Walk {
            heuristic: tree.heuristic,
            visits: [0; 5],
            not_made: 0,
            countdown: CHECK_EVERY,
            moves: Vec::new(),
            stop: None,
            meter,
        };
        for (index, subtree) in subtrees.iter().enumerate() {
            subtree.before.count(walk.meter);
            let is_found = walk.enter(tree, subtree, self.is_turned);
            walk.hand_over();
            if let Some(stop) = walk.stop {
                return Err(stop);
            }
            if is_found {
                return Ok(Some((index, walk.moves)));
            }
        }
        Ok(None)
    }

    fn grain(&self) -> u64 {
        1 << 20
    }
}

/// Visits of one kind of node between two looks at the meter.
const CHECK_EVERY: u32 = 32;

/// A walk through subtrees, with its counts.
struct Walk<'a, 'm, H> {
    heuristic: &'a H,
    /// Nodes expanded, by the number of their children: one counter to raise at each node.
    visits: [u64; 5],
    /// Children that were not made because the walk ended at one before them.
    not_made: u64,
    countdown: u32,
    /// The solution, last move first, or how far the walk was when it was stopped.
    moves: Vec<Move>,
    stop: Option<Stop>,
    meter: &'a mut Meter<'m>,
}

impl<H: SlackCost> Walk<'_, '_, H> {
    /// Adds the counts so far to the meter.
    fn hand_over(&mut self) {
        let [_, one, two, three, four] = std::mem::take(&mut self.visits);
        let not_made = std::mem::take(&mut self.not_made);
        self.meter.stats.expanded += one + two + three + four;
        self.meter.stats.generated += one + 2 * two + 3 * three + 4 * four - not_made;
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

    /// Notes the move that led to the end of the walk.
    #[cold]
    fn ended(&mut self, mv: usize, not_made: usize) {
        self.moves.push(Move::ALL[mv]);
        self.not_made += not_made as u64;
    }
}

macro_rules! call_with_gap {
    ($gap:expr, $visit:ident, $last:tt, $turned:tt, $($argument:expr),*) => {
        call_with_gap!(@ $gap, $visit, $last, $turned, ($($argument),*),
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $gap:expr, $visit:ident, $last:tt, $turned:tt, $arguments:tt, $($cell:literal)*) => {
        match $gap {
            $($cell => call_with_gap!(! $visit, $cell, $last, $turned, $arguments),)*
            _ => unreachable!("a board of 4x4 has 16 cells"),
        }
    };
    (! $visit:ident, $cell:literal, $last:tt, $turned:tt, ($($argument:expr),*)) => {
        $visit::<$cell, $last, $turned, H>($($argument),*)
    };
}

impl<H: SlackCost> Walk<'_, '_, H> {
    /// Searches one subtree; true if it ended early, at a solution or stopped.
    fn enter(
        &mut self,
        tree: &Tree<'_, u64, H>,
        subtree: &Subtree<u64, H>,
        is_turned: bool,
    ) -> bool {
        let node = &subtree.node;
        let f = node.g + tree.heuristic.value(node.carried);
        let slack = (tree.threshold - f) / 2;
        let (cells, gap) = (node.state.cells, node.state.gap);
        let last = tree.machine.last_move(node.history);
        if is_turned {
            enter::<true, H>(self, cells, gap, last, slack)
        } else {
            enter::<false, H>(self, cells, gap, last, slack)
        }
    }
}

/// Picks the function for a gap and a last move that are known only now.
fn enter<const TURNED: bool, H: SlackCost>(
    walk: &mut Walk<'_, '_, H>,
    cells: u64,
    gap: u8,
    last: Option<Move>,
    slack: u32,
) -> bool {
    const NONE: usize = 4;
    match last {
        Some(Move::Up) => call_with_gap!(gap, visit, UP, TURNED, walk, cells, slack),
        Some(Move::Down) => call_with_gap!(gap, visit, DOWN, TURNED, walk, cells, slack),
        Some(Move::Left) => call_with_gap!(gap, visit, LEFT, TURNED, walk, cells, slack),
        Some(Move::Right) => call_with_gap!(gap, visit, RIGHT, TURNED, walk, cells, slack),
        // Only a start has no last move; 4 is the opposite of none.
        None => call_with_gap!(gap, visit, NONE, TURNED, walk, cells, slack),
    }
}

/// Searches below a node; true if it ended early, at a solution or stopped.
fn visit<const GAP: usize, const LAST: usize, const TURNED: bool, H: SlackCost>(
    walk: &mut Walk<'_, '_, H>,
    cells: u64,
    slack: u32,
) -> bool {
    if GAP == 0 && cells == SOLVED {
        return true;
    }
    // One kind of node in 48 is enough to look at the clock.
    if GAP == 5 && LAST == UP && walk.is_stopped() {
        return true;
    }
    walk.visits[children(GAP, LAST)] += 1;
    if TURNED {
        child::<GAP, LAST, DOWN, TURNED, H>(walk, cells, slack)
            || child::<GAP, LAST, RIGHT, TURNED, H>(walk, cells, slack)
            || child::<GAP, LAST, LEFT, TURNED, H>(walk, cells, slack)
            || child::<GAP, LAST, UP, TURNED, H>(walk, cells, slack)
    } else {
        child::<GAP, LAST, UP, TURNED, H>(walk, cells, slack)
            || child::<GAP, LAST, LEFT, TURNED, H>(walk, cells, slack)
            || child::<GAP, LAST, RIGHT, TURNED, H>(walk, cells, slack)
            || child::<GAP, LAST, DOWN, TURNED, H>(walk, cells, slack)
    }
}

/// Makes one child and searches below it, if there is such a child and slack for it.
#[inline(always)]
fn child<const GAP: usize, const LAST: usize, const MV: usize, const TURNED: bool, H: SlackCost>(
    walk: &mut Walk<'_, '_, H>,
    cells: u64,
    slack: u32,
) -> bool {
    let from = const { neighbour(GAP, MV) };
    if const { !has_child(GAP, LAST, MV) } {
        return false;
    }
    let tile = cells >> (4 * from) & 15;
    let after = cells ^ tile << (4 * from) ^ tile << (4 * GAP);
    let cost = walk.heuristic.cost::<GAP, MV>(cells, after, tile);
    let (slack, is_pruned) = slack.overflowing_sub(cost);
    if is_pruned || !call_with_gap!(from, visit, MV, TURNED, walk, after, slack) {
        return false;
    }
    walk.ended(MV, const { children_behind(GAP, LAST, MV, TURNED) });
    true
}

/// How many children of a node come after this one.
const fn children_behind(gap: usize, last: usize, mv: usize, turned: bool) -> usize {
    let mut order = [UP, LEFT, RIGHT, DOWN];
    if turned {
        order = [DOWN, RIGHT, LEFT, UP];
    }
    let (mut behind, mut index, mut is_behind) = (0, 0, false);
    while index < 4 {
        behind += (is_behind && has_child(gap, last, order[index])) as usize;
        is_behind |= order[index] == mv;
        index += 1;
    }
    behind
}
