//! Pattern values that travel through the open list, so that no walk home has to find them.
//!
//! A move changes the value of one pattern a reflection by one, and the two lowest bits of that
//! value say which way. The lower of these is its parity, which the pattern's cells give away;
//! the other one travels, a bit for each pattern. h is the largest sum of a reflection; how far
//! the other sums are from the first one travels too, in steps of two, since all have the parity
//! of the distance. With `6-6-6-6` and its mirror image that is two bytes a state.
//!
//! Where the tiles of a pattern are is found anew when a state is popped. The look-ups of all
//! children of a batch are made together, so that their cache misses overlap.

use std::array;
use std::mem::{size_of, take};

use super::child::Child;
use super::estimates::Estimates;
use crate::heuristic::{Heuristic, MOST_REFLECTIONS, MOST_SLOTS, Patterns, Placements, Reflection};
use crate::lookup::{Index, Placement};
use crate::puzzle::{Cell, Grid, MAX_OPTIMAL_CELLS, Move, Packed, Tile, Word};
use crate::search::probe::{CELLS, Holders, Probe, Slid};

/// The distances of the sums from the first one, a byte each, then the bits; the lowest byte
/// first.
pub(super) type Note = [u8; NOTE_BYTES];
const NOTE_BYTES: usize = size_of::<u128>();
const _: () = assert!(MOST_REFLECTIONS - 1 + MOST_SLOTS.div_ceil(8) <= NOTE_BYTES);

/// What the tables look like from the board, the same for all states.
pub(super) struct PatternMoves<'a> {
    patterns: &'a Patterns,
    /// By cell of the gap, move and reflection.
    slides: Vec<Slid<'a>>,
    /// By reflection.
    seen: Vec<Seen>,
    slots: Vec<SlotTable<'a>>,
    /// The cells where a tile has come to by an odd number of moves, if it started in the first.
    odd_cells: u32,
}

/// What a board looks like in a reflection.
struct Seen {
    /// The cells of the board in the reflection's reading order.
    cells: [Cell; MAX_OPTIMAL_CELLS],
    /// For each tile its slot, and its number among the tiles of that one's pattern.
    members: [(u8, u8); CELLS],
}

/// The table that has the value of a slot.
struct SlotTable<'a> {
    index: &'a Index,
    /// Whether the values of places on an odd number of odd cells are even.
    home_is_odd: u8,
}

impl Seen {
    fn new(patterns: &Patterns, reflection: &Reflection) -> Seen {
        // The gap is in no pattern; behind the last slot it does no harm.
        let mut members = [(patterns.slots() as u8, 0); CELLS];
        let size = patterns.size();
        for tile in 1..size.cells() as Tile {
            let holder = reflection.holders[usize::from(tile)];
            let pattern = patterns.tables()[usize::from(holder.table)].pattern();
            let seen_as = reflection.image[usize::from(tile)];
            let number = pattern.tiles().position(|own| own == seen_as);
            let number = number.expect("a holder has its tiles") as u8;
            members[usize::from(tile)] = (holder.slot, number);
        }
        Seen {
            // A reflection is its own inverse.
            cells: reflection.image,
            members,
        }
    }
}

impl<'a> PatternMoves<'a> {
    pub fn new(
        grid: &Grid,
        patterns: &'a Patterns,
        holders: &'a [Holders<'a>],
    ) -> PatternMoves<'a> {
        let size = grid.size();
        let cells = 0..size.cells() as Cell;
        let reflections = patterns.reflections();
        let slid = |gap: Cell, mv: Move, number: usize| {
            // A move that would leave the board is never made.
            let to = size.neighbour(gap, mv).unwrap_or(gap);
            let (reflection, holders) = (&reflections[number], &holders[number]);
            Slid::new(number as u8, reflection, holders, (gap, to))
        };
        let mut slides = Vec::new();
        for gap in cells.clone() {
            for mv in Move::ALL {
                slides.extend((0..reflections.len()).map(|number| slid(gap, mv, number)));
            }
        }
        let is_odd = |&cell: &Cell| size.distance(0, cell) % 2 == 1;
        let odd_cells = cells.filter(is_odd).fold(0, |set, cell| set | 1 << cell);
        let slot_tables = patterns.slot_tables().map(|table| SlotTable {
            index: table.index(),
            home_is_odd: parity(table.pattern().home().cells & odd_cells),
        });
        PatternMoves {
            patterns,
            slides,
            seen: reflections
                .iter()
                .map(|it| Seen::new(patterns, it))
                .collect(),
            slots: slot_tables.collect(),
            odd_cells,
        }
    }

    /// The slides that the reflections see when the gap moves so.
    #[inline(always)]
    fn slides(&self, gap: Cell, mv: Move) -> &[Slid<'a>] {
        let count = self.seen.len();
        &self.slides[(4 * usize::from(gap) + mv as usize) * count..][..count]
    }
}

fn parity(set: u32) -> u8 {
    (set.count_ones() % 2) as u8
}

/// The values of the children of a batch.
pub(super) struct PatternValues<'a> {
    moves: &'a PatternMoves<'a>,
    /// Where the tiles of the state are whose children are being made.
    places: [Placement; MOST_SLOTS],
    /// For each child, what its parent knows.
    parents: Vec<Sums>,
    /// For each child, a look-up for each reflection.
    lookups: Vec<Lookup<'a>>,
}

/// What is known of a state, but for its places.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// Of each reflection.
    sums: [u8; MOST_REFLECTIONS],
    /// Of each slot's value, the bit that is worth two.
    bits: u32,
}

/// A value that is looked up.
struct Lookup<'a> {
    probe: Probe<'a>,
    slid: &'a Slid<'a>,
    /// The value before, but for a multiple of four.
    before: u8,
}

impl<'a> PatternValues<'a> {
    pub fn new(moves: &'a PatternMoves<'a>) -> PatternValues<'a> {
        PatternValues {
            moves,
            places: [Placement::default(); MOST_SLOTS],
            parents: Vec::new(),
            lookups: Vec::new(),
        }
    }

    fn reflections(&self) -> usize {
        self.moves.seen.len()
    }

    /// Finds where the tiles of each slot are.
    #[inline(always)]
    fn find_places<W: Word>(&mut self, state: Packed<W>) {
        let moves = self.moves;
        let cells = moves.patterns.size().cells();
        let mut tiles: [Tile; CELLS] = [0; CELLS];
        for (cell, tile) in tiles[..cells].iter_mut().enumerate() {
            *tile = state.cells.tile(cell as Cell);
        }
        let mut sets = [0u32; 2 * MOST_SLOTS];
        let mut orders = [0u32; 2 * MOST_SLOTS];
        // What a cell adds to its slot waits for the cell before: those of all reflections at once.
        for place in 0..cells {
            for seen in &moves.seen {
                let cell = usize::from(seen.cells[place % MAX_OPTIMAL_CELLS]) % CELLS;
                let (slot, number) = seen.members[usize::from(tiles[cell]) % CELLS];
                let slot = usize::from(slot) % (2 * MOST_SLOTS);
                orders[slot] = Index::append(orders[slot], number);
                sets[slot] |= 1 << place;
            }
        }
        for (slot, table) in moves.slots.iter().enumerate() {
            self.places[slot] = table.index.place_of(sets[slot], orders[slot]);
        }
    }

    /// The value of a slot, but for a multiple of four.
    #[inline(always)]
    fn value_mod_4(&self, slot: usize, bits: u32) -> u8 {
        let parity = parity(self.places[slot].cells & self.moves.odd_cells);
        let bit = (bits >> slot & 1) as u8;
        bit << 1 | parity ^ self.moves.slots[slot].home_is_odd
    }

    #[inline(always)]
    fn note(&self, Sums { sums, bits }: Sums) -> Note {
        let mut note = u128::from(bits);
        for &sum in sums[1..self.reflections().min(MOST_REFLECTIONS)]
            .iter()
            .rev()
        {
            // Both are at most 255, so half of their difference fits a byte with its sign.
            let ahead = (i32::from(sum) - i32::from(sums[0])) / 2;
            note = note << 8 | u128::from(ahead as u8);
        }
        note.to_le_bytes()
    }

    #[inline(always)]
    fn sums(&self, h: u32, note: Note) -> Sums {
        let mut note = u128::from_le_bytes(note);
        let reflections = self.reflections().min(MOST_REFLECTIONS);
        let mut ahead = [0; MOST_REFLECTIONS];
        for ahead in &mut ahead[1..reflections] {
            *ahead = 2 * i32::from(note as i8);
            note >>= 8;
        }
        // The largest sum is h.
        let first = h as i32 - ahead.iter().copied().max().unwrap_or(0);
        Sums {
            sums: ahead.map(|ahead| (first + ahead) as u8),
            bits: note as u32,
        }
    }
}

impl<W: Word> Estimates<W> for PatternValues<'_> {
    type Note = Note;
    type Parent = Sums;
    type Carried = Placements;

    const STEP: u32 = <Patterns as Heuristic<W>>::STEP;

    fn note_bytes(&self) -> usize {
        self.reflections() - 1 + self.moves.slots.len().div_ceil(8)
    }

    fn start(&self, state: Packed<W>) -> (u32, Note) {
        let patterns = self.moves.patterns;
        let carried = patterns.start(state);
        let bit = |slot: usize| u32::from(carried.value(slot) >> 1 & 1) << slot;
        let known = Sums {
            sums: array::from_fn(|reflection| carried.sum(reflection)),
            bits: (0..self.moves.slots.len()).map(bit).sum(),
        };
        let h = <Patterns as Heuristic<W>>::value(patterns, carried);
        (h, self.note(known))
    }

    #[inline(always)]
    fn resume(&mut self, state: Packed<W>, h: u32, note: Note) -> Sums {
        self.find_places(state);
        self.sums(h, note)
    }

    #[inline(always)]
    fn child(
        &mut self,
        &parent: &Sums,
        before: Packed<W>,
        _: Packed<W>,
        (mv, tile): (Move, Tile),
    ) -> (u32, Note) {
        for slid in self.moves.slides(before.gap, mv) {
            let holder = slid.holder(tile);
            let slot = usize::from(holder.slot) % MOST_SLOTS;
            let place = self.places[slot];
            holder.table.index.prefetch_slid(place, &slid.slide);
            self.lookups.push(Lookup {
                probe: Probe::waiting(holder, place),
                slid,
                before: self.value_mod_4(slot, parent.bits),
            });
        }
        self.parents.push(parent);
        (0, Note::default())
    }

    /// Of each value only the two lowest bits are known, which say all that a move asks for.
    fn carried(&mut self, state: Packed<W>, h: u32, note: Note) -> Placements {
        self.find_places(state);
        let Sums { mut sums, bits } = self.sums(h, note);
        sums[self.reflections()..].fill(0);
        let values = array::from_fn(|slot| match self.moves.slots.get(slot) {
            Some(_) => self.value_mod_4(slot, bits),
            None => 0,
        });
        Placements::new(self.places, values, sums)
    }

    #[inline(always)]
    fn finish(&mut self, children: &mut [Child<W, Note>]) {
        for lookup in &mut self.lookups {
            lookup.probe.slide(lookup.slid);
        }
        for lookup in &mut self.lookups {
            lookup.probe.prefetch(lookup.slid);
        }
        let of_children = self.lookups.chunks_exact_mut(self.moves.seen.len());
        let mut known = take(&mut self.parents);
        for (known, lookups) in known.iter_mut().zip(of_children) {
            for (sum, Lookup { probe, before, .. }) in known.sums.iter_mut().zip(lookups) {
                probe.read(*before);
                let bit = 1 << (probe.slot % 32);
                let is_set = before.wrapping_add(probe.change) >> 1 & 1;
                known.bits = known.bits & !bit | (bit * u32::from(is_set));
                *sum = sum.wrapping_add(probe.change);
            }
        }
        for (child, &known) in children.iter_mut().zip(&known) {
            let sums = &known.sums[..self.reflections()];
            child.bucket.h = sums.iter().copied().max().unwrap_or(0).into();
            child.note = self.note(known);
        }
        known.clear();
        self.parents = known;
        self.lookups.clear();
    }
}
