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
use std::mem::size_of;

use super::byte_rows::{Members, Reading};
use super::child::Child;
use super::estimates::{Batch, ByParent, Estimates, Parent, Resume, expand_by};
#[cfg(target_arch = "x86_64")]
use super::line::Avx2;
use super::line::{Lanes, Single};
use crate::heuristic::{Heuristic, MOST_REFLECTIONS, MOST_SLOTS, Patterns, Placements, Reflection};
use crate::lookup::{Index, Placement};
use crate::puzzle::{Cell, Entry, Grid, Move, Packed, Tile};
use crate::search::Stop;
use crate::search::meter::Meter;
use crate::search::probe::{Holders, Probe, Slid};

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
    readings: Vec<Reading>,
    slots: Vec<SlotTable<'a>>,
    /// The cells where a tile has come to by an odd number of moves, if it started in the first.
    odd_cells: u32,
    /// All bits of the bytes that reflections have, but for the first one's.
    ahead_mask: u64,
}

/// The table that has the value of a slot.
struct SlotTable<'a> {
    index: &'a Index,
    /// Whether the values of places on an odd number of odd cells are even.
    home_is_odd: u8,
}

/// How a reflection reads a board.
fn reading(patterns: &Patterns, reflection: &Reflection) -> Reading {
    // A reflection is its own inverse: its image of a place is the cell that is read there.
    let cells = &reflection.image[..patterns.size().cells()];
    let slots = cells[1..]
        .iter()
        .map(|&tile| reflection.holders[usize::from(tile)].slot);
    let first_slot = slots.min().unwrap_or(0);
    Reading::new(cells, |tile| {
        let holder = reflection.holders[usize::from(tile)];
        let pattern = patterns.tables()[usize::from(holder.table)].pattern();
        let seen_as = reflection.image[usize::from(tile)];
        let number = pattern.tiles().position(|own| own == seen_as);
        let number = number.expect("a holder has its tiles") as u8;
        (holder.slot - first_slot, number)
    })
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
                let mut seen: Vec<_> = (0..reflections.len())
                    .map(|number| slid(gap, mv, number))
                    .collect();
                // Of a reflection and its mirror image one has the tile in its row, the other in its
                // column. Always in this order, the branch on it is foreseen.
                seen.sort_by_key(|slid| slid.slide.keeps_order());
                slides.append(&mut seen);
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
            readings: reflections.iter().map(|it| reading(patterns, it)).collect(),
            slots: slot_tables.collect(),
            odd_cells,
            ahead_mask: (u64::MAX >> (64 - 8 * reflections.len())) & !0xff,
        }
    }

    /// The slides that the reflections see when the gap moves so.
    #[inline(always)]
    fn slides(&self, gap: Cell, mv: Move) -> &[Slid<'a>] {
        let count = self.readings.len();
        &self.slides[(4 * usize::from(gap) + mv as usize) * count..][..count]
    }
}

fn parity(set: u32) -> u8 {
    (set.count_ones() % 2) as u8
}

/// The values of the children of a batch.
pub(super) struct PatternValues<'a> {
    moves: &'a PatternMoves<'a>,
    /// The state whose children are looked up, as each reflection reads it.
    rows: [Members; MOST_REFLECTIONS],
    /// For each child, what its parent knows, and then what it knows itself.
    known: Vec<Known>,
    /// For each child, a look-up for each reflection.
    lookups: Vec<Lookup<'a>>,
}

/// What is known of a state, but for its places.
#[derive(Clone, Copy)]
struct Known {
    /// The sum of the first reflection.
    first: i32,
    /// For each reflection, by how many steps of two its sum is ahead of the first one; 0 for the first
    /// one itself, and where there is none.
    ahead: [i8; MOST_REFLECTIONS],
    /// Of each slot's value, the bit that is worth two.
    bits: u32,
}

impl Known {
    /// The largest of so many sums.
    #[inline(always)]
    fn h(&self, sums: usize) -> u32 {
        let others = &self.ahead[1..sums.min(MOST_REFLECTIONS)];
        let most = others.iter().fold(0, |most, &ahead| most.max(ahead));
        // The values of a damaged table may lead below 0. A sum has a byte.
        u32::from((self.first + 2 * i32::from(most)) as u8)
    }
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
            rows: [Members::default(); MOST_REFLECTIONS],
            known: Vec::new(),
            lookups: Vec::new(),
        }
    }

    fn reflections(&self) -> usize {
        self.moves.readings.len()
    }

    /// Has every reflection read a state.
    #[inline(always)]
    fn read<W: Entry>(&mut self, lanes: impl Lanes, state: Packed<W>) {
        let tiles = lanes.tiles(state.cells);
        for (row, reading) in self.rows.iter_mut().zip(&self.moves.readings) {
            *row = lanes.read::<W>(&tiles, reading);
        }
    }

    /// Where the tiles are that share a table with this one in a reflection.
    #[inline(always)]
    fn place<W: Entry>(
        &self,
        lanes: impl Lanes,
        reflection: u8,
        tile: Tile,
        index: &Index,
    ) -> Placement {
        let reflection = usize::from(reflection) % MOST_REFLECTIONS;
        let pattern = self.moves.readings[reflection].pattern(tile);
        let (cells, order) = lanes.find::<W>(&self.rows[reflection], pattern);
        index.place_of(cells, order)
    }

    /// The value of a slot, but for a multiple of four.
    #[inline(always)]
    fn value_mod_4(&self, slot: usize, place: Placement, bits: u32) -> u8 {
        let parity = parity(place.cells & self.moves.odd_cells);
        let bit = (bits >> slot & 1) as u8;
        bit << 1 | parity ^ self.moves.slots[slot].home_is_odd
    }

    /// How many bits of a note say how far sums are ahead.
    #[inline(always)]
    fn ahead_bits(&self) -> u32 {
        8 * (self.reflections() as u32 - 1)
    }

    #[inline(always)]
    fn note(&self, known: &Known) -> Note {
        let ahead = u64::from_le_bytes(bytemuck::cast(known.ahead)) >> 8;
        u128::to_le_bytes(u128::from(ahead) | u128::from(known.bits) << self.ahead_bits())
    }

    #[inline(always)]
    fn known(&self, h: u32, note: Note) -> Known {
        let note = u128::from_le_bytes(note);
        let ahead = (note as u64) << 8 & self.moves.ahead_mask;
        let mut known = Known {
            first: 0,
            ahead: bytemuck::cast(ahead.to_le_bytes()),
            bits: (note >> self.ahead_bits()) as u32,
        };
        // The largest sum is h.
        known.first = h as i32 - known.h(self.reflections()) as i32;
        known
    }
}

impl PatternValues<'_> {
    /// What a path carries that goes on from a state. Of each value only the two lowest bits are known,
    /// which say all that a move asks for.
    #[inline(always)]
    fn carried_by<W: Entry>(
        &mut self,
        lanes: impl Lanes,
        state: Packed<W>,
        h: u32,
        note: Note,
    ) -> Placements {
        self.read(lanes, state);
        let Known { first, ahead, bits } = self.known(h, note);
        let mut sums = ahead.map(|ahead| (first + 2 * i32::from(ahead)) as u8);
        sums[self.reflections()..].fill(0);
        let mut places = [Placement::default(); MOST_SLOTS];
        let mut values = [0; MOST_SLOTS];
        let patterns = self.moves.patterns;
        for (number, reflection) in patterns.reflections().iter().enumerate() {
            for tile in 1..patterns.size().cells() as Tile {
                let slot = usize::from(reflection.holders[usize::from(tile)].slot);
                // Tiles of one pattern have one place.
                if places[slot].cells == 0 {
                    let index = self.moves.slots[slot].index;
                    places[slot] = self.place::<W>(lanes, number as u8, tile, index);
                    values[slot] = self.value_mod_4(slot, places[slot], bits);
                }
            }
        }
        Placements::new(places, values, sums)
    }

    /// The same, compiled for AVX2 and what came with it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn carried_by_avx2<W: Entry>(
        &mut self,
        lanes: Avx2,
        state: Packed<W>,
        h: u32,
        note: Note,
    ) -> Placements {
        self.carried_by(lanes, state, h, note)
    }
}

/// The values as one instruction set reads boards.
struct By<'v, 'a, L> {
    values: &'v mut PatternValues<'a>,
    lanes: L,
}

impl<W: Entry, L: Lanes> ByParent<W, Note> for By<'_, '_, L> {
    type Known = Known;

    #[inline(always)]
    fn parent(&mut self, parent: &Parent<W, Note>) -> Known {
        self.values.read(self.lanes, parent.state);
        self.values.known(parent.h, parent.note)
    }

    /// Notes what its parent knows, and for each reflection where the tiles are, before the slide, that
    /// share a table with the one that slides.
    #[inline(always)]
    fn child(
        &mut self,
        known: Known,
        before: Packed<W>,
        _: Packed<W>,
        (mv, tile): (Move, Tile),
    ) -> (u32, Note) {
        let values = &mut *self.values;
        values.known.push(known);
        for slid in values.moves.slides(before.gap, mv) {
            let holder = slid.holder(tile);
            let slot = usize::from(holder.slot) % MOST_SLOTS;
            let index = holder.table.index;
            let place = values.place::<W>(self.lanes, slid.reflection, tile, index);
            if !slid.slide.keeps_order() {
                index.prefetch_slid(place, &slid.slide);
            }
            values.lookups.push(Lookup {
                probe: Probe::waiting(holder, place),
                slid,
                before: values.value_mod_4(slot, place, known.bits),
            });
        }
        (0, Note::default())
    }
}

impl PatternValues<'_> {
    /// Makes the children of a batch, and then finds their values together.
    #[inline(always)]
    fn expand_on<W: Entry>(
        &mut self,
        lanes: impl Lanes,
        batch: &Batch<'_, W, Note>,
        children: &mut Vec<Child<W, Note>>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        self.known.clear();
        self.lookups.clear();
        let values = &mut *self;
        let cost = expand_by(&mut By { values, lanes }, batch, children, meter)?;
        for lookup in &mut self.lookups {
            // SAFETY: the place was read off a board, on which one of its tiles slides so.
            unsafe { lookup.probe.slide(&lookup.slid.slide) };
        }
        for lookup in &mut self.lookups {
            // SAFETY: it has just slid so.
            unsafe { lookup.probe.prefetch(&lookup.slid.slide) };
        }
        self.read_values();
        for (child, known) in children.iter_mut().zip(&self.known) {
            child.set_h(known.h(self.reflections()));
            child.note = self.note(known);
        }
        Ok(cost)
    }

    /// Reads what was prefetched, and changes what is known of the children.
    #[inline(always)]
    fn read_values(&mut self) {
        let reflections = self.reflections().min(MOST_REFLECTIONS);
        let of_children = self.lookups.chunks_exact_mut(reflections);
        for (known, lookups) in self.known.iter_mut().zip(of_children) {
            let mut is_more = [0; MOST_REFLECTIONS];
            for Lookup {
                probe,
                slid,
                before,
            } in lookups
            {
                probe.read(*before);
                let bit = 1 << (probe.slot % 32);
                let is_set = before.wrapping_add(probe.change) >> 1 & 1;
                known.bits = known.bits & !bit | (bit * u32::from(is_set));
                let reflection = usize::from(slid.reflection) % MOST_REFLECTIONS;
                is_more[reflection] = i8::from(probe.change == 1);
            }
            // Each sum changes by one, so one gains two on the first or loses two, or neither.
            known.first += 2 * i32::from(is_more[0]) - 1;
            for (ahead, more) in known.ahead[1..reflections].iter_mut().zip(&is_more[1..]) {
                *ahead = ahead.wrapping_add(more - is_more[0]);
            }
        }
    }

    /// Makes the children of a batch, compiled for AVX2 and what came with it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn expand_by_avx2<W: Entry>(
        &mut self,
        lanes: Avx2,
        batch: &Batch<'_, W, Note>,
        children: &mut Vec<Child<W, Note>>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        self.expand_on(lanes, batch, children, meter)
    }
}

impl<W: Entry> Estimates<W, Note> for PatternValues<'_> {
    fn note_bytes(&self) -> usize {
        self.reflections() - 1 + self.moves.slots.len().div_ceil(8)
    }

    fn start(&self, state: Packed<W>) -> (u32, Note) {
        let patterns = self.moves.patterns;
        let carried = patterns.start(state);
        let bit = |slot: usize| u32::from(carried.value(slot) >> 1 & 1) << slot;
        let first = i32::from(carried.sum(0));
        // Both are at most 255, so half of their difference fits a byte with its sign.
        let ahead = |number: usize| (i32::from(carried.sum(number)) - first) / 2;
        let known = Known {
            first,
            ahead: array::from_fn(|number| match number < self.reflections() {
                true => ahead(number) as i8,
                false => 0,
            }),
            bits: (0..self.moves.slots.len()).map(bit).sum(),
        };
        (known.h(self.reflections()), self.note(&known))
    }

    fn expand(
        &mut self,
        batch: &Batch<'_, W, Note>,
        children: &mut Vec<Child<W, Note>>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<u32>, Stop> {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = Avx2::new() {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.expand_by_avx2(lanes, batch, children, meter) };
        }
        self.expand_on(Single, batch, children, meter)
    }
}

impl<W: Entry> Resume<W, Note> for PatternValues<'_> {
    type Carried = Placements;

    fn carried(&mut self, state: Packed<W>, h: u32, note: Note) -> Placements {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = Avx2::new() {
            // SAFETY: the processor has what the function is compiled for. A*+IDA* asks for each root in
            // each threshold: 292 million instructions in place of 825 in the first 3 million nodes of korf24 #40.
            return unsafe { self.carried_by_avx2(lanes, state, h, note) };
        }
        self.carried_by(Single, state, h, note)
    }
}
