//! A finite-state machine that forbids sequences of moves whose end another one reaches.
//!
//! Taylor and Korf (1993): a search over sequences of moves, shorter ones first, finds those that
//! do to the tiles what a shorter one does, or one that comes earlier among those of the same
//! length. Such a sequence need never be tried where the other one can be, which is everywhere
//! if the gap stays inside the same rectangle. The fsm reads the moves of a path and knows which
//! move would complete a forbidden sequence. Sequences that no board of the size has room for
//! are left out: of 14 moves, two in three on 5x5.
//!
//! A path with a forbidden sequence in it can be rewritten, each time into a shorter or an
//! earlier one, so one of the paths to every state survives, a shortest one among them. With a
//! consistent estimate it survives the threshold as well: f never falls along a path, so no
//! state of it lies above its end.
//!
//! Sequences of two moves forbid taking back the last move, which every search here does.

mod allowance;
mod automaton;
mod duplicates;
mod sequence;

use crate::puzzle::{Move, Size};
use crate::search::Stop;
use crate::sys::prefetch::prefetch;
pub(crate) use allowance::Allowance;
use automaton::{FORBIDDEN, Number, START, automaton, minimal};
use duplicates::Duplicates;
use sequence::Sequence;

/// What the fsm remembers of a path: a state's number, and below it the moves that are
/// allowed next, bit m for move m. So it takes no look-up to leave out the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FsmState(u32);

impl FsmState {
    fn new(number: Number, after: &[Number; 4]) -> FsmState {
        let bit = |(mv, &next): (usize, &Number)| u32::from(next != FORBIDDEN) << mv;
        FsmState(number << 4 | after.iter().enumerate().map(bit).sum::<u32>())
    }

    /// The moves that are allowed, as a set.
    #[inline(always)]
    pub fn allowed(self) -> u8 {
        self.0 as u8 % 16
    }

    #[inline(always)]
    fn number(self) -> usize {
        (self.0 >> 4) as usize
    }
}

/// The transitions of the fsm.
#[derive(Clone, Debug)]
pub(crate) struct Fsm {
    /// By a state's number and a move; behind a forbidden one stands the state itself.
    after: Vec<[FsmState; 4]>,
    depth: u32,
}

/// Which of the shortest sequences with one end is kept: the least in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Order {
    /// Compared from their first moves, by the numbers of these.
    Lexicographic,
    /// Compared from their last moves, by the numbers of those that take them back. So all parts
    /// of a path that is kept are kept, and what a path is kept for can be seen at its end.
    Colexicographic,
}

impl Fsm {
    /// The state of a path without moves, which forbids none.
    pub const START: FsmState = FsmState(START << 4 | 15);

    /// Forbids to take back the last move, and nothing else.
    pub fn no_return() -> Fsm {
        let size = Size::new(2, 2).expect("a size");
        let allowance = &mut Allowance::new(None);
        let fsm = Fsm::new(2, size, Order::Lexicographic, allowance, &|| false);
        fsm.expect("nothing stops it")
    }

    /// Forbids sequences of up to `depth` moves on boards of a size; why not, if it is cancelled
    /// meanwhile or takes too much memory.
    pub fn new(
        depth: u32,
        size: Size,
        order: Order,
        allowance: &mut Allowance,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Fsm, Stop> {
        let (mut sequences, mut all) = forbidden_sequences(depth, size, allowance, is_cancelled)?;
        if order == Order::Colexicographic {
            // Two sequences have one end if and only if those that take them back have one.
            (sequences.iter_mut()).for_each(|it| *it = it.taken_back());
            allowance.free(all);
            all = automaton(&sequences, allowance)?;
        }
        allowance.free(sequences);
        let numbers = minimal(&all, allowance)?;
        allowance.free(all);
        let states = (START..).zip(&numbers);
        let states: Vec<FsmState> = states
            .map(|(own, after)| FsmState::new(own, after))
            .collect();
        let after = states.iter().zip(&numbers).map(|(&own, after)| {
            after.map(|next| states.get(next as usize).copied().unwrap_or(own))
        });
        Ok(Fsm {
            after: after.collect(),
            depth,
        })
    }

    /// The state of a path that begins where this move ended: it forbids to take that back, and
    /// nothing else of what the move may be a part of.
    pub fn begin_after(&self, last: Option<Move>) -> FsmState {
        match last {
            None => Fsm::START,
            Some(mv) if self.is_no_return() => self.after_allowed(Fsm::START, mv),
            Some(mv) => FsmState(Fsm::START.0 & !(1 << mv.opposite() as u32)),
        }
    }

    /// The state after a move, or `None` where it is forbidden.
    #[inline(always)]
    pub fn after(&self, state: FsmState, mv: Move) -> Option<FsmState> {
        let is_allowed = state.allowed() >> mv as u8 & 1 == 1;
        is_allowed.then(|| self.after_allowed(state, mv))
    }

    /// The state after a move that is allowed.
    #[inline(always)]
    pub fn after_allowed(&self, state: FsmState, mv: Move) -> FsmState {
        self.after[state.number()][mv as usize]
    }

    /// Prefetches what follows a state.
    #[inline(always)]
    pub fn prefetch(&self, state: FsmState) {
        prefetch(&self.after, state.number());
    }

    /// Bytes of its transitions.
    pub fn bytes(&self) -> u64 {
        size_of_val(&self.after[..]) as u64
    }

    /// How many of the last moves of a path decide what is forbidden.
    pub fn memory(&self) -> u32 {
        self.depth - 1
    }

    /// Whether all that is forbidden is to take back the last move.
    pub fn is_no_return(&self) -> bool {
        self.depth <= 2
    }

    /// The last move of a path, for an fsm that forbids no more than to take it back.
    pub fn last_move(&self, state: FsmState) -> Option<Move> {
        debug_assert!(self.is_no_return());
        let index = state.number().checked_sub(1)?;
        Some(Move::ALL[index])
    }
}

/// The shortest sequences of up to `depth` moves that need never be made, and the automaton that
/// recognises them.
fn forbidden_sequences(
    depth: u32,
    size: Size,
    allowance: &mut Allowance,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(Vec<Sequence>, Vec<[Number; 4]>), Stop> {
    let mut forbidden = Vec::new();
    let mut all = automaton(&forbidden, allowance)?;
    let mut shorter = Move::ALL.len() as u64;
    for len in 2..=depth {
        let duplicates = Duplicates {
            size,
            len,
            automaton: &all,
            is_cancelled,
        };
        let more = duplicates.find(&mut shorter, allowance)?;
        for &sequence in &more {
            allowance.push(&mut forbidden, sequence)?;
        }
        allowance.free(more);
        let longer = automaton(&forbidden, allowance)?;
        allowance.free(std::mem::replace(&mut all, longer));
    }
    Ok((forbidden, all))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use foldhash::fast::FixedState;
    use hashbrown::HashSet;

    use super::sequence::Rectangle;
    use super::*;

    type Offset = (i8, i8);

    #[test]
    fn two_moves_forbid_the_return() {
        let fsm = Fsm::no_return();
        assert_eq!(fsm.after.len(), 5);
        for mv in Move::ALL {
            let state = fsm.after(Fsm::START, mv).expect("any first move");
            assert_eq!(fsm.last_move(state), Some(mv));
            assert_eq!(fsm.after(state, mv.opposite()), None);
        }
    }

    fn listed(depth: u32, size: Size) -> Vec<Sequence> {
        let listed = forbidden_sequences(depth, size, &mut Allowance::new(None), &|| false);
        listed.unwrap().0
    }

    fn without_the_first(sequence: Sequence) -> Sequence {
        sequence
            .iter()
            .skip(1)
            .fold(Sequence::EMPTY, Sequence::then)
    }

    /// Six moves around a square do what the six moves the other way around do.
    #[test]
    fn the_first_duplicates_are_half_turns_around_a_square() {
        let forbidden = listed(6, "3x3".parse().unwrap());
        let of_len = |len| {
            forbidden
                .iter()
                .filter(|sequence| sequence.len() == len)
                .count()
        };
        assert_eq!((of_len(2), of_len(6)), (4, 4));
        assert_eq!(forbidden.len(), 8);
    }

    /// What a sequence does, tile by tile: the gap's place, and which cell's tile is in which cell.
    fn plain_effect(sequence: Sequence) -> (Offset, BTreeMap<Offset, Offset>, Rectangle) {
        let (mut gap, mut tiles) = ((0, 0), BTreeMap::new());
        let mut rectangle = Rectangle::default();
        for mv in sequence.iter() {
            let to = match mv {
                Move::Up => (gap.0 - 1, gap.1),
                Move::Down => (gap.0 + 1, gap.1),
                Move::Left => (gap.0, gap.1 - 1),
                Move::Right => (gap.0, gap.1 + 1),
            };
            let tile = tiles.remove(&to).unwrap_or(to);
            tiles.insert(gap, tile);
            gap = to;
            rectangle = rectangle.with(to);
        }
        tiles.retain(|cell, tile| cell != tile);
        (gap, tiles, rectangle)
    }

    /// All sequences that come before another one, on a grid without borders, each with what it
    /// does, against the lists of those that a size has room for.
    #[test]
    fn forbidden_are_those_that_another_stands_for() {
        let depth = 10;
        let mut forbidden = Vec::new();
        let mut known: BTreeMap<_, Vec<Rectangle>> = BTreeMap::new();
        known.insert(
            ((0, 0), BTreeMap::new()),
            vec![plain_effect(Sequence::EMPTY).2],
        );
        let mut layer = vec![Sequence::EMPTY];
        for _ in 0..depth {
            let longer = layer.iter().flat_map(|it| Move::ALL.map(|mv| it.then(mv)));
            let allowed: HashSet<Sequence, FixedState> = layer.iter().copied().collect();
            let is_minimal = |it: &Sequence| allowed.contains(&without_the_first(*it));
            let mut next = Vec::new();
            for sequence in longer.filter(is_minimal) {
                let (gap, tiles, rectangle) = plain_effect(sequence);
                let others = known.entry((gap, tiles)).or_default();
                if others.iter().any(|other| other.is_within(rectangle)) {
                    forbidden.push(sequence);
                } else {
                    others.push(rectangle);
                    next.push(sequence);
                }
            }
            layer = next;
        }
        for size in ["2x2", "2x5", "4x4", "5x5"] {
            let size: Size = size.parse().unwrap();
            let has_room = |it: &Sequence| plain_effect(*it).2.fits(size);
            let of_size: Vec<Sequence> = forbidden.iter().copied().filter(has_room).collect();
            assert_eq!(listed(depth, size), of_size, "{size}");
        }
    }
}
