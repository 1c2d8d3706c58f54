//! Two tiles side by side change places, in all states of a chunk at once.
//!
//! With a smaller tile first, digits (a, b) of the two positions become (b + 1, a), and back: the
//! first tile no longer has the second behind it, or has it there now. Digits before and after
//! stay, so for each prefix the states of (a, b), one for each tail, and those of (b + 1, a) change
//! places. How large a tail is decides how that is done: runs of words, parts of words, or bits.

use super::index::{CHUNK, WORD_STATES, words_of};

/// Has the tiles change places that have `behind` tiles behind the first of the two, itself
/// included. `is_odd` says that the orders are odd permutations before, or that the number of the
/// chunk has an odd sum of digits, but not both.
#[inline(always)]
pub(super) fn swap(words: &mut [u64], behind: usize, is_odd: bool) {
    match behind {
        // The digit that is left out.
        2 => {}
        3 => rotate_last(words, is_odd),
        4 => words
            .iter_mut()
            .for_each(|word| *word = LAST_FOUR.of(*word)),
        5 => words
            .iter_mut()
            .for_each(|word| *word = LAST_FIVE.of(*word)),
        6 => words.as_chunks_mut().0.iter_mut().for_each(swap_parts),
        7 => swap_runs::<7>(words),
        8 => swap_runs::<8>(words),
        _ => unreachable!("a chunk has no more tiles"),
    }
}

/// The pairs of states of a word that change places: for each difference of digits, the lower one
/// of each pair, and how much higher the other one is.
struct Pairs<const N: usize> {
    lower: [u64; N],
    distance: [u32; N],
}

const LAST_FOUR: Pairs<3> = Pairs::new(4, 1);
const LAST_FIVE: Pairs<4> = Pairs::new(5, 3);

impl<const N: usize> Pairs<N> {
    /// Of the first two of `tiles` last tiles, with so many states in a tail.
    const fn new(tiles: usize, tail: usize) -> Pairs<N> {
        let mut pairs = Pairs {
            lower: [0; N],
            distance: [0; N],
        };
        let second = tiles - 1;
        let mut difference = 0;
        while difference < N {
            pairs.distance[difference] = ((second + difference * (second - 1)) * tail) as u32;
            let mut bit = 0;
            while bit < WORD_STATES {
                let (a, b) = (bit / tail / second % tiles, bit / tail % second);
                if a + difference == b {
                    pairs.lower[difference] |= 1 << bit;
                }
                bit += 1;
            }
            difference += 1;
        }
        pairs
    }

    #[inline(always)]
    fn of(&self, word: u64) -> u64 {
        let mut after = 0;
        for (lower, distance) in self.lower.iter().zip(self.distance) {
            after |= (word & lower) << distance | (word >> distance) & lower;
        }
        after
    }
}

/// States of a word whose two digits before the last have an even sum.
const EVEN: u64 = {
    let (mut even, mut bit) = (0, 0);
    while bit < WORD_STATES {
        if (bit / 12 + bit / 3 % 4) % 2 == 0 {
            even |= 1 << bit;
        }
        bit += 1;
    }
    even
};
/// States whose last digit is 0.
const LAST_0: u64 = 0o1111_1111_1111_1111_1111;
const LAST_2: u64 = LAST_0 << 2;

/// For each word of a chunk, all bits if its digits have an odd sum.
const ODD_WORDS: [u64; CHUNK] = {
    let mut odd = [0; CHUNK];
    let mut word = 0;
    while word < CHUNK {
        let sum = word / 42 + word / 6 % 7 + word % 6;
        odd[word] = if sum % 2 == 1 { u64::MAX } else { 0 };
        word += 1;
    }
    odd
};

/// The last digit of a rank, and behind it the one that is left out, which the others decide. Where
/// it is the last digit modulo 2, (0, 0), (1, 1), (2, 0) become (1, 0), (2, 1), (0, 1): the last
/// digit goes up by one, modulo 3. Elsewhere it goes down: the way back.
#[inline(always)]
fn rotate_last(words: &mut [u64], is_odd: bool) {
    let all = if is_odd { u64::MAX } else { 0 };
    for (word, odd) in words.iter_mut().zip(&ODD_WORDS) {
        let upward = EVEN ^ odd ^ all;
        let (up, down) = (*word & upward, *word & !upward);
        *word =
            (up & !LAST_2) << 1 | (up & LAST_2) >> 2 | (down & !LAST_0) >> 1 | (down & LAST_0) << 2;
    }
}

/// Six words for the first digit, with five parts of twelve bits for the second.
#[inline(always)]
fn swap_parts(words: &mut [u64; 6]) {
    for a in 0..5 {
        for b in a..5 {
            let (low, high) = (12 * b, 12 * a);
            let different = (words[a] >> low ^ words[b + 1] >> high) & 0xfff;
            words[a] ^= different << low;
            words[b + 1] ^= different << high;
        }
    }
}

/// Whole words, for the first two of so many tiles.
#[inline(always)]
fn swap_runs<const TILES: usize>(words: &mut [u64]) {
    let (second, run) = (TILES - 1, words_of(TILES - 2));
    for block in words.chunks_exact_mut(words_of(TILES)) {
        for a in 0..second {
            for b in a..second {
                let (low, high) = ((a * second + b) * run, ((b + 1) * second + a) * run);
                let (before, after) = block.split_at_mut(high);
                before[low..low + run].swap_with_slice(&mut after[..run]);
            }
        }
    }
}
