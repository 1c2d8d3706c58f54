//! The sequences of moves whose end another sequence reaches.
//!
//! They are found length by length, on a grid that has room for all that a board of the size has
//! room for. Few sequences do what another one does, one in 70 of 14 moves, so only those are
//! kept: a first walk over all sequences sets a bit for the fingerprint of what each one does, and
//! lists the fingerprints whose bit was set before. A second walk collects the sequences with a
//! listed fingerprint. Those that have one in common are compared tile by tile, so no fingerprint
//! forbids anything by chance.

use super::allowance::Allowance;
use super::automaton::{FORBIDDEN, Number, START};
use super::sequence::{Board, Rectangle, Sequence};
use crate::puzzle::{Move, Size};
use crate::search::Stop;

/// A set of fingerprints that may take others for its own: a bit for each, by some bits of it.
struct Filter {
    words: Vec<u64>,
    bits: u32,
}

/// Bits of a filter for each sequence that is put in: one in twenty is taken for another.
const BITS_FOR_EACH: u64 = 16;

impl Filter {
    /// For about so many fingerprints.
    fn new(fingerprints: u64, allowance: &mut Allowance) -> Result<Filter, Stop> {
        let bits = (BITS_FOR_EACH * fingerprints).next_power_of_two();
        let bits = bits.max(u64::BITS.into());
        let mut words = allowance.list((bits / 64) as usize)?;
        words.resize((bits / 64) as usize, 0);
        Ok(Filter {
            words,
            bits: bits.ilog2(),
        })
    }

    /// Puts a fingerprint in; says whether its bit was set before.
    #[inline(always)]
    fn insert(&mut self, fingerprint: u64) -> bool {
        let bit = fingerprint >> (64 - self.bits);
        let word = &mut self.words[(bit / 64) as usize];
        let before = *word >> (bit % 64) & 1 == 1;
        *word |= 1 << (bit % 64);
        before
    }

    #[inline(always)]
    fn contains(&self, fingerprint: u64) -> bool {
        let bit = fingerprint >> (64 - self.bits);
        self.words[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }

    fn clear(&mut self) {
        self.words.fill(0);
    }
}

/// Other bits of a fingerprint first, for a filter that does not mistake the same ones again.
fn rotated(fingerprint: u64) -> u64 {
    fingerprint.rotate_left(19)
}

/// A walk over all sequences of up to so many moves that are allowed so far.
struct Walk<'a, V> {
    /// Forbids what is shorter.
    automaton: &'a [[Number; 4]],
    len: usize,
    board: Board,
    /// Is shown every sequence of as many moves, or fewer by an even number, and its fingerprint:
    /// no others can do the same.
    visit: V,
    is_cancelled: &'a dyn Fn() -> bool,
}

/// A walk asks whether it is cancelled so many moves from the end.
const UNASKED: usize = 10;

impl<V: FnMut(Sequence, u64) -> Result<(), Stop>> Walk<'_, V> {
    fn run(mut self) -> Result<(), Stop> {
        if self.len.is_multiple_of(2) {
            (self.visit)(Sequence::EMPTY, 0)?;
        }
        self.descend(Sequence::EMPTY, Rectangle::default(), START, self.len)
    }

    /// Visits what begins with a sequence, after which the automaton is in this state and so many
    /// moves are left.
    fn descend(
        &mut self,
        sequence: Sequence,
        rectangle: Rectangle,
        state: Number,
        left: usize,
    ) -> Result<(), Stop> {
        if left == UNASKED && (self.is_cancelled)() {
            return Err(Stop::Cancelled);
        }
        let left = left - 1;
        let after = self.automaton[state as usize];
        for (mv, next) in Move::ALL.into_iter().zip(after) {
            if next == FORBIDDEN {
                continue;
            }
            let Some(rectangle) = self.board.room_for(mv, rectangle) else {
                continue;
            };
            let sequence = sequence.then(mv);
            self.board.slide(mv);
            if left.is_multiple_of(2) {
                (self.visit)(sequence, self.board.fingerprint())?;
            }
            if left > 0 {
                self.descend(sequence, rectangle, next, left)?;
            }
            self.board.slide(mv.opposite());
        }
        Ok(())
    }
}

/// The search for the sequences of one length.
pub(super) struct Duplicates<'a> {
    pub size: Size,
    pub len: u32,
    /// Forbids what is shorter.
    pub automaton: &'a [[Number; 4]],
    pub is_cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Duplicates<'a> {
    /// The sequences that need never be made, none of which has a shorter one in it, in their order;
    /// why not, if that is cancelled or takes too much memory. `shorter` is how many sequences one
    /// move shorter were allowed, and becomes how many of this length are.
    pub fn find(
        &self,
        shorter: &mut u64,
        allowance: &mut Allowance,
    ) -> Result<Vec<Sequence>, Stop> {
        let candidates = self.candidates(shorter, allowance)?;
        let mut forbidden = Vec::new();
        let mut board = Board::new(self.size);
        let alike = candidates.chunk_by(|a, b| a.0 == b.0);
        for alike in alike.filter(|it| it.len() > 1) {
            let mut allowed = Vec::new();
            // The shortest first, and of those the earliest.
            for &(_, sequence) in alike {
                let effect = board.effect(sequence);
                if allowed.iter().any(|other| effect.is_reached_by(other)) {
                    allowance.push(&mut forbidden, sequence)?;
                } else {
                    allowed.push(effect);
                }
            }
        }
        allowance.free(candidates);
        forbidden.sort_unstable();
        *shorter -= forbidden.len() as u64;
        Ok(forbidden)
    }

    /// The sequences whose fingerprint another one has, and a few more, in the order of these.
    fn candidates(
        &self,
        shorter: &mut u64,
        allowance: &mut Allowance,
    ) -> Result<Vec<(u64, Sequence)>, Stop> {
        // Those that are shorter by two moves or more are visited too: an eighth of the rest.
        let mut filter = Filter::new(4 * *shorter, allowance)?;
        let mut listed = Vec::new();
        let (len, mut count) = (self.len as usize, 0);
        self.walk(|sequence, fingerprint| {
            count += u64::from(sequence.len() == len);
            match filter.insert(fingerprint) {
                true => allowance.push(&mut listed, fingerprint),
                false => Ok(()),
            }
        })
        .run()?;
        *shorter = count;
        filter.clear();
        for &fingerprint in &listed {
            filter.insert(rotated(fingerprint));
        }
        allowance.free(listed);
        let mut candidates = Vec::new();
        self.walk(
            |sequence, fingerprint| match filter.contains(rotated(fingerprint)) {
                true => allowance.push(&mut candidates, (fingerprint, sequence)),
                false => Ok(()),
            },
        )
        .run()?;
        allowance.free(filter.words);
        candidates.sort_unstable();
        Ok(candidates)
    }

    fn walk<V: FnMut(Sequence, u64) -> Result<(), Stop>>(&self, visit: V) -> Walk<'a, V> {
        Walk {
            automaton: self.automaton,
            len: self.len as usize,
            board: Board::new(self.size),
            visit,
            is_cancelled: self.is_cancelled,
        }
    }
}
