//! A finite-state machine that forbids sequences of moves whose end another one reaches.
//!
//! Taylor and Korf (1993): a breadth-first search over sequences of moves, on a grid without
//! borders, finds sequences that do to the tiles what a shorter one does, or one that comes
//! earlier among those of the same length. Such a sequence need never be tried where the
//! other one can be, which is everywhere if the gap stays inside the same rectangle. The fsm
//! reads the moves of a path and knows which move would complete a forbidden sequence.
//!
//! A path with a forbidden sequence in it can be rewritten, each time into a shorter or an
//! earlier one, so one of the paths to every state survives, a shortest one among them. With a
//! consistent estimate it survives the threshold as well: f never falls along a path, so no
//! state of it lies above its end.
//!
//! Sequences of two moves forbid taking back the last move, which every search here does.

mod allowance;
mod duplicates;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::puzzle::Move;
use crate::search::Stop;
pub(crate) use allowance::Allowance;
use duplicates::{Sequence, forbidden_sequences};

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

/// The number of a state.
type Number = u32;

const START: Number = 0;
const FORBIDDEN: Number = Number::MAX;

/// The transitions of the fsm.
#[derive(Clone, Debug)]
pub(crate) struct Fsm {
    /// By a state's number and a move; behind a forbidden one stands the state itself.
    after: Vec<[FsmState; 4]>,
    depth: u32,
}

impl Fsm {
    /// The state of a path without moves, which forbids none.
    pub const START: FsmState = FsmState(START << 4 | 15);

    /// Forbids to take back the last move, and nothing else.
    pub fn no_return() -> Fsm {
        Fsm::new(2, &mut Allowance::new(None), &|| false).expect("nothing stops it")
    }

    /// Forbids sequences of up to `depth` moves; why not, if it is cancelled meanwhile or takes too
    /// much memory.
    pub fn new(
        depth: u32,
        allowance: &mut Allowance,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Fsm, Stop> {
        let sequences = forbidden_sequences(depth, allowance, is_cancelled)?;
        let all = automaton(&sequences, allowance)?;
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

/// The transitions that recognise any of the sequences (Aho and Corasick): they lead nowhere.
fn automaton(sequences: &[Sequence], allowance: &mut Allowance) -> Result<Vec<[Number; 4]>, Stop> {
    const UNKNOWN: Number = Number::MAX - 1;
    let mut after = Vec::new();
    allowance.push(&mut after, [UNKNOWN; 4])?;
    let mut extend = |after: &mut Vec<[Number; 4]>, state: Number, mv: Move| {
        let known = after[state as usize][mv as usize];
        if known != UNKNOWN {
            return Ok(known);
        }
        let new = after.len() as Number;
        allowance.push(after, [UNKNOWN; 4])?;
        after[state as usize][mv as usize] = new;
        Ok::<Number, Stop>(new)
    };
    // One move is remembered whatever is forbidden: state 1 + its number.
    for mv in Move::ALL {
        extend(&mut after, START, mv)?;
    }
    for sequence in sequences {
        let mut state = START;
        for (index, mv) in sequence.iter().enumerate() {
            if index + 1 == sequence.len() {
                after[state as usize][mv as usize] = FORBIDDEN;
            } else {
                state = extend(&mut after, state, mv)?;
            }
        }
    }
    // Breadth first: the state of the longest shorter suffix is complete before it is asked.
    let mut suffix: Vec<Number> = allowance.list(after.len())?;
    suffix.resize(after.len(), START);
    // Every state once, in the order in which it is reached.
    let mut queue: Vec<Number> = allowance.list(after.len())?;
    queue.push(START);
    let mut done = 0;
    while let Some(&state) = queue.get(done) {
        done += 1;
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
                    queue.push(next);
                }
            }
        }
    }
    allowance.free(suffix);
    allowance.free(queue);
    Ok(after)
}

/// The same transitions with as few states as can be: states that forbid the same sequences of
/// moves are one. They are numbered in the order in which they came.
///
/// Moore's way: states differ if they forbid different moves, or if a move leads to states that
/// differ, until that tells no more of them apart.
fn minimal(after: &[[Number; 4]], allowance: &mut Allowance) -> Result<Vec<[Number; 4]>, Stop> {
    let mut classes: Vec<Number> = allowance.list(after.len())?;
    classes.resize(after.len(), 0);
    let mut finer: Vec<Number> = allowance.list(after.len())?;
    let mut count = 1;
    loop {
        let mut known: HashMap<(Number, [Number; 4]), Number, FixedState> = HashMap::default();
        let class_of = |state: Number| match state {
            FORBIDDEN => FORBIDDEN,
            state => classes[state as usize],
        };
        finer.clear();
        for (&class, after) in classes.iter().zip(after) {
            let new = known.len() as Number;
            let now = (known.len(), known.capacity(), known.allocation_size());
            allowance.before_insert(now, |more| known.try_reserve(more))?;
            finer.push(*known.entry((class, after.map(class_of))).or_insert(new));
        }
        let is_stable = known.len() == count;
        count = known.len();
        allowance.free_bytes(known.allocation_size());
        std::mem::swap(&mut classes, &mut finer);
        if is_stable {
            break;
        }
    }
    let mut minimal = allowance.list(count)?;
    minimal.resize(count, [FORBIDDEN; 4]);
    for (&class, after) in classes.iter().zip(after) {
        minimal[class as usize] = after.map(|state| match state {
            FORBIDDEN => FORBIDDEN,
            state => classes[state as usize],
        });
    }
    allowance.free(classes);
    allowance.free(finer);
    Ok(minimal)
}

#[cfg(test)]
mod tests {
    use hashbrown::HashSet;

    use super::*;

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

    /// Whatever the moves, the smaller fsm forbids what the automaton forbids.
    #[test]
    fn a_minimal_machine_forbids_the_same() {
        let allowance = &mut Allowance::new(None);
        let sequences = forbidden_sequences(8, allowance, &|| false).unwrap();
        let all = automaton(&sequences, allowance).unwrap();
        let few = minimal(&all, allowance).unwrap();
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
