//! Moves across rows, on bitmaps.

use super::bitmaps::Map;
use super::index::{CHUNK, Index, words_of};
use super::swaps::swap;

/// A move of the gap across rows: in which column, between which rows, and which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// The gap's cell in the upper row. In the order of the tiles it is also the position before
    /// which the gap is there.
    pub upper: usize,
    /// Whether the gap goes down.
    pub is_down: bool,
}

impl Step {
    pub fn down(upper: usize) -> Step {
        Step {
            upper,
            is_down: true,
        }
    }

    pub fn up(upper: usize) -> Step {
        Step {
            upper,
            is_down: false,
        }
    }
}

/// What moves across rows do to the ranks of a size.
#[derive(Debug)]
pub(super) struct Steps {
    index: Index,
    /// For moves that change digits of chunks' numbers, down and up.
    runs: Vec<[Runs; 2]>,
}

/// How runs of words go together.
#[derive(Debug)]
struct Runs {
    /// Words of a run: the tail behind the digits that change.
    tail: usize,
    /// For each choice of these digits, the choice before the move.
    sources: Vec<u32>,
}

impl Steps {
    pub fn new(index: Index) -> Steps {
        let runs = (0..index.first_inside())
            .map(|upper| [Step::down(upper), Step::up(upper)].map(|step| Runs::new(&index, step)));
        Steps {
            index,
            runs: runs.collect(),
        }
    }

    /// Adds to a chunk the states that a move reaches from a map.
    #[inline(always)]
    pub fn add(&self, into: &mut [u64], chunk: usize, from: Map<'_>, step: Step) {
        match self.runs.get(step.upper) {
            Some(both) => both[usize::from(!step.is_down)].add(into, chunk, from),
            None => {
                let mut buffer = [0; CHUNK];
                let moved = &mut buffer[..into.len()];
                moved.copy_from_slice(from.chunk(chunk));
                self.make_inside(moved, chunk, step);
                add(into, moved);
            }
        }
    }

    /// The columns of the laid board.
    pub fn cols(&self) -> usize {
        self.index.laid().cols()
    }

    /// Makes a move with all states of a chunk that stay in it: the gap comes behind so many tiles.
    #[inline(always)]
    pub fn make_inside(&self, words: &mut [u64], chunk: usize, step: Step) {
        let cols = self.index.laid().cols();
        let row = step.upper / cols + usize::from(!step.is_down);
        let mut is_odd = self.index.is_odd(row) != self.index.is_odd_chunk(chunk);
        for position in swaps(step, cols) {
            swap(words, self.index.tiles() - position, is_odd);
            is_odd = !is_odd;
        }
    }
}

/// A move across rows takes a tile past `cols - 1` others: the first positions of these swaps, in
/// turn.
#[inline(always)]
fn swaps(step: Step, cols: usize) -> impl Iterator<Item = usize> {
    (0..cols - 1).map(move |swap| match step.is_down {
        true => step.upper + cols - 2 - swap,
        false => step.upper + swap,
    })
}

/// Adds states to others.
#[inline(always)]
pub(super) fn add(into: &mut [u64], words: &[u64]) {
    for (into, word) in into.iter_mut().zip(words) {
        *into |= word;
    }
}

impl Runs {
    fn new(index: &Index, step: Step) -> Runs {
        let cols = index.laid().cols();
        let first = index.tiles() - step.upper;
        let radices: Vec<usize> = (0..cols).map(|i| first - i).collect();
        let choices: usize = radices.iter().product();
        let mut sources = vec![0; choices];
        for source in 0..choices {
            let (mut digits, mut rest) = (vec![0; cols], source);
            for (digit, radix) in digits.iter_mut().zip(&radices).rev() {
                *digit = rest % radix;
                rest /= radix;
            }
            for position in swaps(step, cols) {
                let i = position - step.upper;
                let (a, b) = (digits[i], digits[i + 1]);
                (digits[i], digits[i + 1]) = if a <= b { (b + 1, a) } else { (b, a - 1) };
            }
            let pairs = digits.iter().zip(&radices);
            let target = pairs.fold(0, |number, (digit, radix)| number * radix + digit);
            sources[target] = source as u32;
        }
        Runs {
            tail: words_of(first - cols),
            sources,
        }
    }

    #[inline(always)]
    fn add(&self, into: &mut [u64], chunk: usize, from: Map<'_>) {
        let (begin, choices) = (chunk * into.len(), self.sources.len());
        // Chunks and runs both have the last tiles of an order: one has a whole number of the
        // other.
        let together = self.tail.min(into.len());
        for (number, into) in into.chunks_exact_mut(together).enumerate() {
            let word = begin + number * together;
            let (run, rest) = (word / self.tail, word % self.tail);
            let source = run - run % choices + self.sources[run % choices] as usize;
            add(into, from.words(source * self.tail + rest, together));
        }
    }
}
