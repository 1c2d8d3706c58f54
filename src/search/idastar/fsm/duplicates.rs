//! The sequences of moves whose end another sequence reaches.
//!
//! They are found breadth first, in the order of their moves, on a grid without borders. What a
//! sequence does to the tiles is kept as a fingerprint of 128 bits: as lists of tiles, the nine
//! million of up to 14 moves took 2.3 GB and five times as long.

use foldhash::fast::FixedState;
use hashbrown::{HashSet, HashTable};

use super::allowance::Allowance;
use crate::puzzle::Move;
use crate::search::Stop;

/// A sequence of moves, two bits each, the first one highest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sequence {
    moves: u64,
    len: u32,
}

impl Sequence {
    const EMPTY: Sequence = Sequence { moves: 0, len: 0 };

    pub fn len(self) -> usize {
        self.len as usize
    }

    fn then(self, mv: Move) -> Sequence {
        Sequence {
            moves: self.moves << 2 | mv as u64,
            len: self.len + 1,
        }
    }

    /// The first moves of it.
    fn first(self, len: u32) -> Sequence {
        let moves = self.moves >> (2 * (self.len - len));
        Sequence { moves, len }
    }

    /// All but the first move.
    fn rest(self) -> Sequence {
        let len = self.len - 1;
        let moves = self.moves & ((1 << (2 * len)) - 1);
        Sequence { moves, len }
    }

    pub fn iter(self) -> impl Iterator<Item = Move> {
        let shifts = (0..self.len).rev().map(|index| 2 * index);
        shifts.map(move |shift| Move::ALL[(self.moves >> shift & 3) as usize])
    }
}

/// Row and column, seen from where the gap started.
type Offset = (i8, i8);

/// The least and greatest row and column that a gap was in.
#[derive(Clone, Copy)]
struct Rectangle {
    rows: (i8, i8),
    cols: (i8, i8),
}

impl Rectangle {
    fn with(self, (row, col): Offset) -> Rectangle {
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

/// What moves do: the place of the gap, and each tile that is not where it was, as the exclusive
/// or of their keys. Among nine million, two would be the same by chance once in 10²⁴ times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Effect([u64; 2]);

impl Effect {
    const NONE: Effect = Effect([0; 2]);

    /// That a cell has the tile of another, or that it has its own, which is nothing.
    fn of(cell: usize, tile: usize) -> Effect {
        if cell == tile {
            return Effect::NONE;
        }
        let pair = (cell << 32 | tile) as u64;
        Effect([mixed(pair), mixed(!pair)])
    }

    fn with(self, other: Effect) -> Effect {
        Effect([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }

    fn hash(&self) -> u64 {
        self.0[0]
    }
}

/// A number that has nothing in common with those of other words (splitmix64).
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Tiles on a grid so large that no sequence of moves comes to its border, and the sequence that
/// was made on it.
struct UnboundedBoard {
    /// Cells to each side of the one that the gap starts in.
    radius: usize,
    /// By cells, row by row: the cell that the tile there came from.
    tiles: Vec<usize>,
    gap: usize,
    sequence: Sequence,
    /// All that the moves do to the tiles.
    moved: Effect,
}

impl UnboundedBoard {
    fn new(depth: u32) -> UnboundedBoard {
        let radius = depth as usize;
        let side = 2 * radius + 1;
        UnboundedBoard {
            radius,
            tiles: (0..side * side).collect(),
            gap: radius * side + radius,
            sequence: Sequence::EMPTY,
            moved: Effect::NONE,
        }
    }

    fn side(&self) -> usize {
        2 * self.radius + 1
    }

    /// Where the gap is, seen from where it started.
    fn offset(&self) -> Offset {
        let from_start = |line: usize| line as i8 - self.radius as i8;
        (
            from_start(self.gap / self.side()),
            from_start(self.gap % self.side()),
        )
    }

    fn effect(&self) -> Effect {
        // No cell has the tile of a cell that is not there.
        self.moved.with(Effect::of(self.gap, self.tiles.len()))
    }

    fn slide(&mut self, mv: Move) {
        let (from, side) = (self.gap, self.side());
        let to = match mv {
            Move::Up => from - side,
            Move::Down => from + side,
            Move::Left => from - 1,
            Move::Right => from + 1,
        };
        let tile = self.tiles[to];
        let before_and_after = Effect::of(to, tile).with(Effect::of(from, tile));
        self.moved = self.moved.with(before_and_after);
        self.tiles[from] = tile;
        self.gap = to;
    }

    fn push(&mut self, mv: Move) {
        self.slide(mv);
        self.sequence = self.sequence.then(mv);
    }

    fn pop(&mut self) {
        let last = Move::ALL[(self.sequence.moves & 3) as usize];
        self.slide(last.opposite());
        self.sequence = self.sequence.first(self.sequence.len - 1);
    }

    /// Makes another sequence of at least as many moves, by way of the moves that both have.
    fn change_to(&mut self, sequence: Sequence) {
        while sequence.first(self.sequence.len) != self.sequence {
            self.pop();
        }
        for mv in sequence.iter().skip(self.sequence.len()) {
            self.push(mv);
        }
    }
}

/// The shortest sequences of up to `depth` moves that need never be made; why not, if it is
/// cancelled meanwhile or takes too much memory.
pub(super) fn forbidden_sequences(
    depth: u32,
    allowance: &mut Allowance,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Sequence>, Stop> {
    let mut board = UnboundedBoard::new(depth);
    let at_start = Rectangle {
        rows: (0, 0),
        cols: (0, 0),
    };
    let mut forbidden = Vec::new();
    // Where the gap was in the sequences so far that are not forbidden, by what they do.
    let mut known: HashTable<(Effect, Rectangle)> = HashTable::new();
    let hash_of = |known: &(Effect, Rectangle)| known.0.hash();
    let nothing = board.effect();
    let mut layer = Vec::new();
    allowance.push(&mut layer, (Sequence::EMPTY, at_start))?;
    known.insert_unique(nothing.hash(), (nothing, at_start), hash_of);
    for len in 1..=depth {
        let mut allowed: HashSet<u64, FixedState> = HashSet::default();
        for walk in &layer {
            let now = (allowed.len(), allowed.capacity(), allowed.allocation_size());
            allowance.before_insert(now, |more| allowed.try_reserve(more))?;
            allowed.insert(walk.0.moves);
        }
        let mut next = Vec::new();
        for (index, &(sequence, rectangle)) in layer.iter().enumerate() {
            if index.is_multiple_of(1 << 12) && is_cancelled() {
                return Err(Stop::Cancelled);
            }
            board.change_to(sequence);
            for mv in Move::ALL {
                let sequence = sequence.then(mv);
                // A shorter forbidden sequence at its end forbids the whole.
                if !allowed.contains(&sequence.rest().moves) {
                    continue;
                }
                board.push(mv);
                let (effect, rectangle) = (board.effect(), rectangle.with(board.offset()));
                board.pop();
                let mut others = known.iter_hash(effect.hash());
                if others.any(|other| other.0 == effect && other.1.is_within(rectangle)) {
                    allowance.push(&mut forbidden, sequence)?;
                    continue;
                }
                let now = (known.len(), known.capacity(), known.allocation_size());
                allowance.before_insert(now, |more| known.try_reserve(more, hash_of))?;
                known.insert_unique(effect.hash(), (effect, rectangle), hash_of);
                if len < depth {
                    allowance.push(&mut next, (sequence, rectangle))?;
                }
            }
        }
        allowance.free_bytes(allowed.allocation_size());
        allowance.free(std::mem::replace(&mut layer, next));
    }
    allowance.free(layer);
    allowance.free_bytes(known.allocation_size());
    Ok(forbidden)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Six moves around a square do what the six moves the other way around do.
    #[test]
    fn the_first_duplicates_are_half_turns_around_a_square() {
        let forbidden = forbidden_sequences(6, &mut Allowance::new(None), &|| false).unwrap();
        let of_len = |len| {
            forbidden
                .iter()
                .filter(|sequence| sequence.len == len)
                .count()
        };
        assert_eq!((of_len(2), of_len(6)), (4, 4));
        assert_eq!(forbidden.len(), 8);
    }

    /// What a sequence does, tile by tile: the gap's place, and which cell's tile is in which cell.
    fn plain_effect(sequence: Sequence) -> (Offset, BTreeMap<Offset, Offset>, Rectangle) {
        let (mut gap, mut tiles) = ((0, 0), BTreeMap::new());
        let mut rectangle = Rectangle {
            rows: (0, 0),
            cols: (0, 0),
        };
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

    /// All sequences that come before another one, each with what it does, against the list.
    #[test]
    fn forbidden_are_those_that_another_stands_for() {
        let depth = 10;
        let listed = forbidden_sequences(depth, &mut Allowance::new(None), &|| false).unwrap();
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
            let is_minimal = |it: &Sequence| allowed.contains(&it.rest());
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
        assert_eq!(listed, forbidden);
    }
}
