//! Additive pattern databases: the values of a partition's patterns, added.
//!
//! Each pattern's table says how many moves its own tiles need at least; no tile is in two
//! patterns, so the sum never exceeds the distance. On a square board the reflection at the main
//! diagonal is as far from the goal as the board itself, so the same tables give a second sum,
//! and the larger of the two counts.
//!
//! A move slides one tile, which is in one pattern of the board and one of its mirror image:
//! two values are read anew, the rest is carried. The tables hold the least value over all regions
//! that the gap can be in, so a move can change the sum by more than one: by an odd number,
//! admissible but not consistent.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::lookup::{
    BuildControl, Cancelled, MOST_PATTERNS, Partition, PatternTable, Place, Slide, mirrored,
};
use crate::puzzle::{Cell, MAX_CELLS, Packed, Size, Tile, Word};

use super::{Heuristic, Taxicab};

/// The tables of a partition.
#[derive(Debug)]
pub struct Patterns {
    partition: Partition,
    tables: Vec<PatternTable>,
    views: Vec<View>,
}

/// A way to look at a board: as it is, or reflected.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// Which table has the tile that this tile is seen as.
    pub table_of: [u8; MAX_CELLS],
    /// Which cell a cell is seen as; also which tile a tile is seen as.
    pub seen_as: [Cell; MAX_CELLS],
}

/// The most tables that a board is looked up in: those of a partition, twice.
pub(crate) const MOST_PLACES: usize = 2 * MOST_PATTERNS;

/// Where the tiles of each pattern are, and what that is worth.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    places: [Place; MOST_PLACES],
    values: [u8; MOST_PLACES],
    sums: [u16; 2],
}

impl Places {
    /// The place in the table of this number; those of the mirror image come behind the others.
    pub(crate) fn place(&self, number: usize) -> Place {
        self.places[number]
    }

    /// What that place is worth.
    pub(crate) fn look(&self, number: usize) -> u8 {
        self.values[number]
    }
}

/// The tables of a partition are a matter of its patterns alone.
impl PartialEq for Patterns {
    fn eq(&self, other: &Patterns) -> bool {
        (&self.partition, self.has_mirror()) == (&other.partition, other.has_mirror())
    }
}

impl Eq for Patterns {}

impl Hash for Patterns {
    fn hash<S: Hasher>(&self, state: &mut S) {
        (&self.partition, self.has_mirror()).hash(state);
    }
}

/// As in `pdb:7-8`, or `pdb:7-8,nomirror` where there could be a mirror image.
impl fmt::Display for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pdb:{}", self.partition)?;
        match self.has_mirror() || !self.size().is_square() {
            true => Ok(()),
            false => f.write_str(",nomirror"),
        }
    }
}

impl Patterns {
    /// The sum of these tables, one for each pattern of the partition in their order, and on
    /// square boards its mirror image too, if wanted.
    pub fn new(partition: Partition, tables: Vec<PatternTable>, mirror: bool) -> Patterns {
        let patterns = tables.iter().map(|table| table.pattern());
        assert!(
            patterns.eq(partition.patterns()),
            "a table for each pattern"
        );
        let size = partition.size();
        let mut views = vec![View::new(&partition, |cell| cell)];
        if mirror && size.is_square() {
            views.push(View::new(&partition, |cell| mirrored(size, cell)));
        }
        Patterns {
            partition,
            tables,
            views,
        }
    }

    /// Builds the tables of a partition in memory.
    pub fn build(
        partition: Partition,
        mirror: bool,
        control: &BuildControl<'_>,
    ) -> Result<Patterns, Cancelled> {
        let built = partition.patterns().iter();
        let built = built.map(|pattern| PatternTable::build(*pattern, control));
        let tables = built.collect::<Result<_, _>>()?;
        Ok(Patterns::new(partition, tables, mirror))
    }

    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    pub fn size(&self) -> Size {
        self.partition.size()
    }

    /// Whether the mirror image is looked up too.
    pub fn has_mirror(&self) -> bool {
        self.views.len() > 1
    }

    /// Bytes of the tables.
    pub fn table_bytes(&self) -> u64 {
        self.tables
            .iter()
            .map(|table| table.values().len() as u64)
            .sum()
    }

    pub(crate) fn tables(&self) -> &[PatternTable] {
        &self.tables
    }

    pub(crate) fn views(&self) -> &[View] {
        &self.views
    }
}

impl View {
    fn new(partition: &Partition, seen_as: impl Fn(Cell) -> Cell) -> View {
        let mut view = View {
            table_of: [0; MAX_CELLS],
            seen_as: [0; MAX_CELLS],
        };
        for cell in 0..partition.size().cells() as Cell {
            let seen = seen_as(cell);
            let holds = |pattern: &crate::lookup::Pattern| pattern.contains(seen);
            let table = partition.patterns().iter().position(holds);
            view.seen_as[usize::from(cell)] = seen;
            view.table_of[usize::from(cell)] = table.unwrap_or(0) as u8;
        }
        view
    }
}

impl<W: Word> Heuristic<W> for Patterns {
    type Carried = Places;

    const IS_CONSISTENT: bool = false;

    fn start(&self, state: Packed<W>) -> Places {
        let mut cell_of = [0; MAX_CELLS];
        for cell in 0..self.size().cells() as Cell {
            cell_of[usize::from(state.cells.tile(cell))] = cell;
        }
        let mut carried = Places {
            places: [Place::default(); MOST_PLACES],
            values: [0; MOST_PLACES],
            sums: [0; 2],
        };
        let slots = carried.places.iter_mut().zip(&mut carried.values);
        let looks = self.views.iter().zip(0..);
        let looks = looks.flat_map(|view| self.tables.iter().map(move |table| (view, table)));
        for ((place, value), ((view, sum), table)) in slots.zip(looks) {
            // A reflection is its own inverse: it says which tile is seen as this one.
            let seen = |index: u8| view.seen_as[usize::from(index)];
            *place = table.place(|tile| seen(cell_of[usize::from(seen(tile))]));
            *value = table.value(*place);
            carried.sums[sum] += u16::from(*value);
        }
        carried
    }

    fn moved(
        &self,
        mut carried: Places,
        before: Packed<W>,
        after: Packed<W>,
        tile: Tile,
    ) -> Places {
        let mut first = 0;
        for (view, sum) in self.views.iter().zip(&mut carried.sums) {
            let table = usize::from(view.table_of[usize::from(tile)]);
            let (place, value) = (
                &mut carried.places[first + table],
                &mut carried.values[first + table],
            );
            let from = view.seen_as[usize::from(after.gap)];
            let to = view.seen_as[usize::from(before.gap)];
            let table = &self.tables[table];
            *place = table.index().slid(*place, &Slide::new(from, to));
            let new = table.value(*place);
            *sum = *sum + u16::from(new) - u16::from(*value);
            *value = new;
            first += self.tables.len();
        }
        carried
    }

    fn value(&self, carried: Places) -> u32 {
        carried.sums[0].max(carried.sums[1]).into()
    }

    /// The taxicab distance, which is consistent, and no value of a table is below that of its
    /// tiles.
    fn floor(&self, state: Packed<W>) -> u32 {
        let taxicab = Taxicab::new(self.size());
        Heuristic::<W>::value(&taxicab, Heuristic::<W>::start(&taxicab, state))
    }
}
