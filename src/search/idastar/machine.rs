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

use std::collections::{HashMap, HashSet, VecDeque};

use crate::puzzle::Move;

/// What the machine remembers of a path.
pub(crate) type State = u32;

const FORBIDDEN: State = State::MAX;

/// The transitions of the machine.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    after: Vec<[State; 4]>,
    depth: u32,
}

impl Machine {
    /// The state of a path without moves.
    pub const START: State = 0;

    /// Forbids to take back the last move, and nothing else.
    pub fn no_return() -> Machine {
        Machine::new(2)
    }

    /// Forbids sequences of up to `depth` moves.
    pub fn new(depth: u32) -> Machine {
        Machine {
            after: automaton(&forbidden_words(depth)),
            depth,
        }
    }

    /// The state after a move, or `None` where it is forbidden.
    #[inline(always)]
    pub fn after(&self, state: State, mv: Move) -> Option<State> {
        let next = self.after[state as usize][mv as usize];
        (next != FORBIDDEN).then_some(next)
    }

    /// Whether all that is forbidden is to take back the last move.
    pub fn is_no_return(&self) -> bool {
        self.depth <= 2
    }

    /// The last move of a path, for a machine that forbids no more than to take it back.
    pub fn last_move(&self, state: State) -> Option<Move> {
        debug_assert!(self.is_no_return());
        let index = state.checked_sub(1)?;
        Some(Move::ALL[index as usize])
    }
}

type Word = Vec<Move>;

/// What a sequence of moves does on a grid without borders, and how far it strays.
#[derive(Clone)]
struct Walk {
    word: Word,
    gap: (i8, i8),
    /// Cells with another tile than before: (cell, where its tile came from), sorted.
    moved: Vec<((i8, i8), (i8, i8))>,
    /// The least and greatest row and column that the gap was in.
    rows: (i8, i8),
    cols: (i8, i8),
}

impl Walk {
    fn start() -> Walk {
        Walk {
            word: Vec::new(),
            gap: (0, 0),
            moved: Vec::new(),
            rows: (0, 0),
            cols: (0, 0),
        }
    }

    fn after(&self, mv: Move) -> Walk {
        let mut walk = self.clone();
        walk.word.push(mv);
        let to = match mv {
            Move::Up => (self.gap.0 - 1, self.gap.1),
            Move::Down => (self.gap.0 + 1, self.gap.1),
            Move::Left => (self.gap.0, self.gap.1 - 1),
            Move::Right => (self.gap.0, self.gap.1 + 1),
        };
        // The tile in `to` goes where the gap was; nothing is noted of the gap itself.
        let tile = match walk.moved.binary_search_by_key(&to, |&(cell, _)| cell) {
            Ok(at) => walk.moved.remove(at).1,
            Err(_) => to,
        };
        if tile != self.gap {
            let at = walk.moved.partition_point(|&(cell, _)| cell < self.gap);
            walk.moved.insert(at, (self.gap, tile));
        }
        walk.gap = to;
        walk.rows = (walk.rows.0.min(to.0), walk.rows.1.max(to.0));
        walk.cols = (walk.cols.0.min(to.1), walk.cols.1.max(to.1));
        walk
    }

    /// Whether this walk is possible wherever `other` is.
    fn fits_into(&self, other: &Walk) -> bool {
        let within = |a: (i8, i8), b: (i8, i8)| a.0 >= b.0 && a.1 <= b.1;
        within(self.rows, other.rows) && within(self.cols, other.cols)
    }
}

/// The shortest sequences of up to `depth` moves that need never be made.
fn forbidden_words(depth: u32) -> Vec<Word> {
    let mut forbidden = Vec::new();
    // Walks by what they do; those of one kind are in the order they are preferred in.
    let mut kinds: HashMap<_, Vec<Walk>> = HashMap::new();
    let mut layer = vec![Walk::start()];
    kinds.insert(((0, 0), Vec::new()), layer.clone());
    for _ in 0..depth {
        let allowed: HashSet<Word> = layer.iter().map(|walk| walk.word.clone()).collect();
        let mut next = Vec::new();
        for walk in layer
            .iter()
            .flat_map(|walk| Move::ALL.map(|mv| walk.after(mv)))
        {
            // A shorter forbidden word at its end forbids the whole.
            if !allowed.contains(&walk.word[1..]) {
                continue;
            }
            let kind = kinds.entry((walk.gap, walk.moved.clone())).or_default();
            if kind.iter().any(|known| known.fits_into(&walk)) {
                forbidden.push(walk.word);
            } else {
                kind.push(walk.clone());
                next.push(walk);
            }
        }
        layer = next;
    }
    forbidden
}

/// The transitions that recognise any of the words (Aho and Corasick), which lead nowhere.
fn automaton(words: &[Word]) -> Vec<[State; 4]> {
    const UNKNOWN: State = State::MAX - 1;
    let mut after = vec![[UNKNOWN; 4]];
    let extend = |after: &mut Vec<[State; 4]>, state: State, mv: Move| {
        let known = after[state as usize][mv as usize];
        if known != UNKNOWN {
            return known;
        }
        let new = after.len() as State;
        after.push([UNKNOWN; 4]);
        after[state as usize][mv as usize] = new;
        new
    };
    // One move is remembered whatever is forbidden: state 1 + its number.
    for mv in Move::ALL {
        extend(&mut after, Machine::START, mv);
    }
    for word in words {
        let (last, prefix) = word.split_last().expect("no word is empty");
        let state = prefix
            .iter()
            .fold(Machine::START, |state, &mv| extend(&mut after, state, mv));
        after[state as usize][*last as usize] = FORBIDDEN;
    }
    // Breadth first: the state of the longest shorter suffix is complete before it is asked.
    let mut suffix = vec![Machine::START; after.len()];
    let mut queue = VecDeque::from([Machine::START]);
    while let Some(state) = queue.pop_front() {
        let by_suffix = match state {
            Machine::START => [Machine::START; 4],
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
    fn twelve_moves_are_half_a_turn_each_way() {
        let words = forbidden_words(6);
        assert!(words.iter().all(|word| word.len() == 2 || word.len() == 6));
        let squares = words.iter().filter(|word| word.len() == 6).count();
        assert_eq!(squares, 4);
    }
}
