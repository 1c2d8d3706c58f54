//! A finite-state machine that forbids sequences of moves whose end another one reaches.
//!
//! Taylor and Korf (1993): a breadth-first search over sequences of moves, on a grid without
//! borders, finds sequences that do to the tiles what a shorter one does, or one that comes
//! earlier among those of the same length. Such a sequence need never be tried where the
//! other one can be, which is everywhere if the gap stays inside the same rectangle. The
//! machine reads the moves of a path and knows which move would complete a forbidden sequence.
//!
//! A path with a forbidden sequence in it can be rewritten, each time into a shorter or an
//! earlier one, so one of the paths to every state survives, a shortest one among them. With a
//! consistent estimate it survives the threshold as well: f never falls along a path, so no
//! state of it lies above its end.
//!
//! Sequences of two moves forbid taking back the last move, which every search here does.

use std::collections::VecDeque;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use crate::puzzle::Move;

/// What the machine remembers of a path: a state's number, and below it the moves that are
/// allowed next, bit m for move m. So it takes no look-up to leave out the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State(u32);

impl State {
    fn new(number: Number, after: &[Number; 4]) -> State {
        let bit = |(mv, &next): (usize, &Number)| u32::from(next != FORBIDDEN) << mv;
        State(number << 4 | after.iter().enumerate().map(bit).sum::<u32>())
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

/// The number of a state.
type Number = u32;

const START: Number = 0;
const FORBIDDEN: Number = Number::MAX;

/// The transitions of the machine.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// By a state's number and a move; behind a forbidden one stands the state itself.
    after: Vec<[State; 4]>,
    depth: u32,
}

impl Machine {
    /// The state of a path without moves, which forbids none.
    pub const START: State = State(START << 4 | 15);

    /// Forbids to take back the last move, and nothing else.
    pub fn no_return() -> Machine {
        Machine::new(2, &|| false).expect("nothing cancels it")
    }

    /// Forbids sequences of up to `depth` moves; `None` if it is cancelled meanwhile.
    pub fn new(depth: u32, is_cancelled: &dyn Fn() -> bool) -> Option<Machine> {
        let sequences = forbidden_sequences(depth, is_cancelled)?;
        let numbers = minimal(&automaton(&sequences));
        let states = (START..).zip(&numbers);
        let states: Vec<State> = states.map(|(own, after)| State::new(own, after)).collect();
        let after = states.iter().zip(&numbers).map(|(&own, after)| {
            after.map(|next| states.get(next as usize).copied().unwrap_or(own))
        });
        Some(Machine {
            after: after.collect(),
            depth,
        })
    }

    /// The state after a move, or `None` where it is forbidden.
    #[inline(always)]
    pub fn after(&self, state: State, mv: Move) -> Option<State> {
        let is_allowed = state.allowed() >> mv as u8 & 1 == 1;
        is_allowed.then(|| self.after_allowed(state, mv))
    }

    /// The state after a move that is allowed.
    #[inline(always)]
    pub fn after_allowed(&self, state: State, mv: Move) -> State {
        self.after[state.number()][mv as usize]
    }

    /// Whether all that is forbidden is to take back the last move.
    pub fn is_no_return(&self) -> bool {
        self.depth <= 2
    }

    /// The last move of a path, for a machine that forbids no more than to take it back.
    pub fn last_move(&self, state: State) -> Option<Move> {
        debug_assert!(self.is_no_return());
        let index = state.number().checked_sub(1)?;
        Some(Move::ALL[index])
    }
}

/// A sequence of moves, two bits each, the first one highest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Sequence {
    moves: u64,
    len: u32,
}

impl Sequence {
    fn then(self, mv: Move) -> Sequence {
        Sequence {
            moves: self.moves << 2 | mv as u64,
            len: self.len + 1,
        }
    }

    /// All but the first move.
    fn rest(self) -> Sequence {
        let len = self.len - 1;
        let moves = self.moves & ((1 << (2 * len)) - 1);
        Sequence { moves, len }
    }

    fn iter(self) -> impl Iterator<Item = Move> {
        let shifts = (0..self.len).rev().map(|index| 2 * index);
        shifts.map(move |shift| Move::ALL[(self.moves >> shift & 3) as usize])
    }
}

type Place = (i8, i8);

/// What a sequence of moves does on a grid without borders.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Effect {
    gap: Place,
    /// Cells with another tile than before: (cell, where its tile came from), sorted.
    moved: Vec<(Place, Place)>,
}

impl Effect {
    fn after(&self, mv: Move) -> Effect {
        let to = match mv {
            Move::Up => (self.gap.0 - 1, self.gap.1),
            Move::Down => (self.gap.0 + 1, self.gap.1),
            Move::Left => (self.gap.0, self.gap.1 - 1),
            Move::Right => (self.gap.0, self.gap.1 + 1),
        };
        let mut moved = Vec::with_capacity(self.moved.len() + 1);
        moved.extend_from_slice(&self.moved);
        // The tile in `to` goes where the gap was; nothing is noted of the gap itself.
        let tile = match moved.binary_search_by_key(&to, |&(cell, _)| cell) {
            Ok(at) => moved.remove(at).1,
            Err(_) => to,
        };
        if tile != self.gap {
            let at = moved.partition_point(|&(cell, _)| cell < self.gap);
            moved.insert(at, (self.gap, tile));
        }
        Effect { gap: to, moved }
    }
}

/// The least and greatest row and column that a gap was in.
#[derive(Clone, Copy)]
struct Rectangle {
    rows: (i8, i8),
    cols: (i8, i8),
}

impl Rectangle {
    fn with(self, (row, col): Place) -> Rectangle {
        Rectangle {
            rows: (self.rows.0.min(row), self.rows.1.max(row)),
            cols: (self.cols.0.min(col), self.cols.1.max(col)),
        }
    }

    fn is_within(self, other: Rectangle) -> bool {
        let within = |a: (i8, i8), b: (i8, i8)| a.0 >= b.0 && a.1 <= b.1;
        within(self.rows, other.rows) && within(self.cols, other.cols)
    }
}

type Walk = (Sequence, Effect, Rectangle);

/// The shortest sequences of up to `depth` moves that need never be made.
fn forbidden_sequences(depth: u32, is_cancelled: &dyn Fn() -> bool) -> Option<Vec<Sequence>> {
    let start: Walk = (
        Sequence { moves: 0, len: 0 },
        Effect {
            gap: (0, 0),
            moved: Vec::new(),
        },
        Rectangle {
            rows: (0, 0),
            cols: (0, 0),
        },
    );
    let mut forbidden = Vec::new();
    // Where the gap was in the sequences so far that are not forbidden, by what they do.
    let mut known: HashMap<Effect, Vec<Rectangle>, FixedState> = HashMap::default();
    known.insert(start.1.clone(), vec![start.2]);
    let mut layer = vec![start];
    for len in 1..=depth {
        let allowed: HashSet<Sequence, FixedState> = layer.iter().map(|walk| walk.0).collect();
        let mut next = Vec::new();
        for (index, (sequence, effect, rectangle)) in layer.iter().enumerate() {
            if index.is_multiple_of(1 << 12) && is_cancelled() {
                return None;
            }
            for mv in Move::ALL {
                let sequence = sequence.then(mv);
                // A shorter forbidden sequence at its end forbids the whole.
                if !allowed.contains(&sequence.rest()) {
                    continue;
                }
                let effect = effect.after(mv);
                let rectangle = rectangle.with(effect.gap);
                let others = known.entry_ref(&effect).or_default();
                if others.iter().any(|other| other.is_within(rectangle)) {
                    forbidden.push(sequence);
                    continue;
                }
                others.push(rectangle);
                if len < depth {
                    next.push((sequence, effect, rectangle));
                }
            }
        }
        layer = next;
    }
    Some(forbidden)
}

/// The transitions that recognise any of the sequences (Aho and Corasick): they lead nowhere.
fn automaton(sequences: &[Sequence]) -> Vec<[Number; 4]> {
    const UNKNOWN: Number = Number::MAX - 1;
    let mut after = vec![[UNKNOWN; 4]];
    let extend = |after: &mut Vec<[Number; 4]>, state: Number, mv: Move| {
        let known = after[state as usize][mv as usize];
        if known != UNKNOWN {
            return known;
        }
        let new = after.len() as Number;
        after.push([UNKNOWN; 4]);
        after[state as usize][mv as usize] = new;
        new
    };
    // One move is remembered whatever is forbidden: state 1 + its number.
    for mv in Move::ALL {
        extend(&mut after, START, mv);
    }
    for sequence in sequences {
        let mut state = START;
        for (index, mv) in sequence.iter().enumerate() {
            if index + 1 == sequence.len as usize {
                after[state as usize][mv as usize] = FORBIDDEN;
            } else {
                state = extend(&mut after, state, mv);
            }
        }
    }
    // Breadth first: the state of the longest shorter suffix is complete before it is asked.
    let mut suffix = vec![START; after.len()];
    let mut queue = VecDeque::from([START]);
    while let Some(state) = queue.pop_front() {
        let by_suffix = match state {
            START => [START; 4],
            _ => after[suffix[state as usize] as usize],
        };
        for (next, by_suffix) in after[state as usize].iter_mut().zip(by_suffix) {
            match *next {
                FORBIDDEN => {}
                UNKNOWN => *next = by_suffix,
                next => {
                    suffix[next as usize] = by_suffix;
                    queue.push_back(next);
                }
            }
        }
    }
    after
}

/// The same transitions with as few states as can be: states that forbid the same sequences of
/// moves are one. They are numbered in the order in which they came.
///
/// Moore's way: states differ if they forbid different moves, or if a move leads to states that
/// differ, until that tells no more of them apart.
fn minimal(after: &[[Number; 4]]) -> Vec<[Number; 4]> {
    let mut classes: Vec<Number> = vec![0; after.len()];
    let mut count = 1;
    loop {
        let mut known: HashMap<(Number, [Number; 4]), Number, FixedState> = HashMap::default();
        let class_of = |state: Number| match state {
            FORBIDDEN => FORBIDDEN,
            state => classes[state as usize],
        };
        let finer = classes.iter().zip(after).map(|(&class, after)| {
            let new = known.len() as Number;
            *known.entry((class, after.map(class_of))).or_insert(new)
        });
        let finer: Vec<Number> = finer.collect();
        let is_stable = known.len() == count;
        count = known.len();
        classes = finer;
        if is_stable {
            break;
        }
    }
    let mut minimal = vec![[FORBIDDEN; 4]; count];
    for (&class, after) in classes.iter().zip(after) {
        minimal[class as usize] = after.map(|state| match state {
            FORBIDDEN => FORBIDDEN,
            state => classes[state as usize],
        });
    }
    minimal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_moves_forbid_the_return() {
        let machine = Machine::no_return();
        assert_eq!(machine.after.len(), 5);
        for mv in Move::ALL {
            let state = machine.after(Machine::START, mv).expect("any first move");
            assert_eq!(machine.last_move(state), Some(mv));
            assert_eq!(machine.after(state, mv.opposite()), None);
        }
    }

    /// Six moves around a square do what the six moves the other way around do.
    #[test]
    fn the_first_duplicates_are_half_turns_around_a_square() {
        let forbidden = forbidden_sequences(6, &|| false).expect("nothing cancels it");
        let of_len = |len| {
            forbidden
                .iter()
                .filter(|sequence| sequence.len == len)
                .count()
        };
        assert_eq!((of_len(2), of_len(6)), (4, 4));
        assert_eq!(forbidden.len(), 8);
    }

    /// Whatever the moves, the smaller machine forbids what the automaton forbids.
    #[test]
    fn a_minimal_machine_forbids_the_same() {
        let sequences = forbidden_sequences(8, &|| false).expect("nothing cancels it");
        let (all, few) = (automaton(&sequences), minimal(&automaton(&sequences)));
        assert!(few.len() < all.len());
        let mut pairs = vec![(START, START)];
        let mut seen: HashSet<(Number, Number), FixedState> = pairs.iter().copied().collect();
        while let Some((a, b)) = pairs.pop() {
            for (next_a, next_b) in all[a as usize].into_iter().zip(few[b as usize]) {
                assert_eq!(next_a == FORBIDDEN, next_b == FORBIDDEN);
                if next_a != FORBIDDEN && seen.insert((next_a, next_b)) {
                    pairs.push((next_a, next_b));
                }
            }
        }
    }
}
