//! Additive pattern databases: the values of a partition's patterns, added.
//!
//! Each pattern's table says how many moves its own tiles need at least; no tile is in two
//! patterns, so the sum never exceeds the distance. On a square board the reflection at the main
//! diagonal is as far from the goal as the board itself, so the same tables give a second sum,
//! and the larger of the two counts.
//!
//! A collection has several partitions, and the largest of all their sums counts.
//!
//! A move slides one tile, which is in one pattern of each reflection of the board: one value a reflection is
//! read anew, the rest is carried. It changes that value by exactly one ([`PatternTable`]), and so
//! the sums, and their maximum: the estimate is consistent.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::lookup::{
    BuildControl, Collection, MOST_PARTITIONS, MOST_SUMMANDS, Partition, PatternTable, Placement,
    Slide, Unbuilt, mirrored,
};
use crate::puzzle::{Board, Cell, MAX_OPTIMAL_CELLS, Packed, Size, Tile, Word};

use super::Heuristic;

/// The tables of a collection of partitions.
///
/// ```
/// use slidebench::heuristic::{Estimate, Patterns};
/// use slidebench::lookup::{BuildControl, Collection};
/// use slidebench::puzzle::{Board, Goal, Problem};
/// use slidebench::search::{Control, Settings, solve};
///
/// let collection = Collection::parse("4-4", "3x3".parse()?)?;
/// let patterns = Patterns::build(collection, true, &BuildControl::default())?;
/// let board: Board = "8 7 6 / 4 3 1 / . 5 2".parse()?;
/// let problem = Problem::new(&board, Goal::First)?;
/// let settings = Settings::astar(Estimate::Patterns(&patterns));
/// let outcome = solve(&problem, &settings, &Control::default());
/// assert!(outcome.result?.verified);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Patterns {
    collection: Collection,
    mirror: bool,
    /// A table for each pattern, once.
    tables: Vec<PatternTable>,
    reflections: Vec<Reflection>,
    /// For each slot of [`Placements`], its reflection and its table.
    slots: Vec<(u8, u8)>,
}

/// A way to look at a board: as it is or reflected, cut up by one of the partitions.
#[derive(Clone, Debug)]
pub(crate) struct Reflection {
    /// Which slot and which table have the tile that this tile is seen as.
    pub holders: [Holder; MAX_OPTIMAL_CELLS],
    /// Which cell a cell is seen as; also which tile a tile is seen as.
    pub image: [Cell; MAX_OPTIMAL_CELLS],
}

/// Where a pattern's place and value are, and its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Holder {
    pub slot: u8,
    pub table: u8,
}

/// The most reflections of a board.
pub(crate) const MOST_REFLECTIONS: usize = 2 * MOST_PARTITIONS;
/// The most places that a board has in tables: each pattern twice.
pub(crate) const MOST_SLOTS: usize = 2 * MOST_SUMMANDS;

/// Where the tiles of each pattern are, and what that is worth.
#[derive(Clone, Copy, Debug)]
pub struct Placements {
    places: [Placement; MOST_SLOTS],
    values: [u8; MOST_SLOTS],
    sums: [u8; MOST_REFLECTIONS],
}

impl Placements {
    /// Values may differ by a multiple of four from what the tables have: a move changes a value by
    /// one, and its two lowest bits say which way.
    pub(crate) fn new(
        places: [Placement; MOST_SLOTS],
        values: [u8; MOST_SLOTS],
        sums: [u8; MOST_REFLECTIONS],
    ) -> Placements {
        Placements {
            places,
            values,
            sums,
        }
    }

    pub(crate) fn place(&self, slot: usize) -> Placement {
        self.places[slot]
    }

    pub(crate) fn value(&self, slot: usize) -> u8 {
        self.values[slot]
    }

    pub(crate) fn sum(&self, reflection: usize) -> u8 {
        self.sums[reflection]
    }
}

/// The tables of a collection are a matter of its patterns alone.
impl PartialEq for Patterns {
    fn eq(&self, other: &Patterns) -> bool {
        (&self.collection, self.mirror) == (&other.collection, other.mirror)
    }
}

impl Eq for Patterns {}

impl Hash for Patterns {
    fn hash<S: Hasher>(&self, state: &mut S) {
        (&self.collection, self.mirror).hash(state);
    }
}

/// As in `pdb:7-8`, or `pdb:7-8,nomirror` where there could be a mirror image.
impl fmt::Display for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pdb:{}", self.collection)?;
        match self.mirror || !self.size().is_square() {
            true => Ok(()),
            false => f.write_str(",nomirror"),
        }
    }
}

impl Patterns {
    /// The sums of these tables, one for each of the collection's patterns in their order, and on
    /// square boards those of the mirror image too, if wanted.
    ///
    /// # Panics
    ///
    /// If the tables are not those of the collection's patterns.
    pub fn new(collection: Collection, tables: Vec<PatternTable>, mirror: bool) -> Patterns {
        let patterns = tables.iter().map(|table| *table.pattern());
        assert!(
            patterns.eq(collection.patterns()),
            "a table for each pattern"
        );
        let size = collection.size();
        let mirror = mirror && size.is_square();
        let mut patterns = Patterns {
            mirror,
            tables,
            reflections: Vec::new(),
            slots: Vec::new(),
            collection: collection.clone(),
        };
        for partition in collection.partitions() {
            patterns.add_reflection(partition, |cell| cell);
            if mirror {
                patterns.add_reflection(partition, |cell| mirrored(size, cell));
            }
        }
        patterns
    }

    /// Adds a reflection.
    fn add_reflection(&mut self, partition: &Partition, image: impl Fn(Cell) -> Cell) {
        let mut reflection = Reflection {
            holders: [Holder::default(); MAX_OPTIMAL_CELLS],
            image: [0; MAX_OPTIMAL_CELLS],
        };
        for cell in 0..partition.size().cells() as Cell {
            reflection.image[usize::from(cell)] = image(cell);
        }
        for pattern in partition.patterns() {
            let same = |table: &PatternTable| table.pattern() == pattern;
            let table = self.tables.iter().position(same).expect("it has a table");
            let holder = Holder {
                slot: self.slots.len() as u8,
                table: table as u8,
            };
            for tile in pattern.tiles() {
                // A reflection is its own inverse: it says which tile is seen as this one.
                reflection.holders[usize::from(image(tile))] = holder;
            }
            self.slots
                .push((self.reflections.len() as u8, holder.table));
        }
        self.reflections.push(reflection);
    }

    /// Builds the tables of a collection in memory.
    pub fn build(
        collection: Collection,
        mirror: bool,
        control: &BuildControl<'_>,
    ) -> Result<Patterns, Unbuilt> {
        let built = collection.patterns().into_iter();
        let built = built.map(|pattern| PatternTable::build(pattern, control));
        let tables = built.collect::<Result<_, _>>()?;
        Ok(Patterns::new(collection, tables, mirror))
    }

    /// The tables of the same collection for the way to another board of its size, whose gap belongs into
    /// any cell and each tile into the cell of its number, as a [`Problem`](crate::puzzle::Problem) lays
    /// its target. They are built in memory: files are for the gap in a corner. Any other target is
    /// refused.
    ///
    /// ```
    /// use slidebench::heuristic::{Estimate, Patterns};
    /// use slidebench::lookup::{BuildControl, Collection};
    /// use slidebench::puzzle::{Board, Goal, Problem};
    /// use slidebench::search::{Algorithm, Control, Settings, solve};
    ///
    /// let collection = Collection::parse("4-4", "3x3".parse()?)?;
    /// let patterns = Patterns::build(collection, true, &BuildControl::default())?;
    /// let board: Board = "8 6 7 / 2 . 5 / 3 1 4".parse()?;
    /// let problem = Problem::new(&board, Goal::First)?;
    /// let turned = patterns.toward(problem.reversed().target(), &BuildControl::default())?;
    /// let settings = Settings::with(Algorithm::ReverseIdaStar, Estimate::Patterns(&turned));
    /// let outcome = solve(&problem, &settings, &Control::default());
    /// assert!(outcome.result?.verified);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn toward(&self, target: &Board, control: &BuildControl<'_>) -> Result<Patterns, Unbuilt> {
        let (collection, mirror) = self.collection_toward(target)?;
        Patterns::build(collection, mirror, control)
    }

    /// The collection whose tables lead to that board, and whether their mirror images do too.
    pub(crate) fn collection_toward(&self, target: &Board) -> Result<(Collection, bool), Unbuilt> {
        let (size, gap) = (self.size(), target.gap());
        if !is_at_home(target, size, gap) {
            return Err(Unbuilt::Target);
        }
        let is_on_diagonal = size.is_square() && mirrored(size, gap) == gap;
        let mirrors_apart = self.mirror && !is_on_diagonal;
        let collection = self.collection.with_gap_in(gap, mirrors_apart);
        Ok((collection, self.mirror && is_on_diagonal))
    }

    /// Whether the tables are for the way to this board.
    pub(crate) fn lead_to(&self, target: &Board) -> bool {
        is_at_home(target, self.size(), self.tables[0].pattern().gap())
    }

    /// The partitions whose sums are compared.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// The boards that the tables are for.
    pub fn size(&self) -> Size {
        self.collection.size()
    }

    /// Bytes of the tables.
    pub fn table_bytes(&self) -> u64 {
        let bytes = self
            .tables
            .iter()
            .map(|table| table.bits().as_ref().len() as u64);
        bytes.sum()
    }

    /// The tables, one for each pattern.
    pub fn tables(&self) -> &[PatternTable] {
        &self.tables
    }

    pub(crate) fn reflections(&self) -> &[Reflection] {
        &self.reflections
    }

    /// The table of each place that a board has.
    pub(crate) fn slot_tables(&self) -> impl Iterator<Item = &PatternTable> {
        let tables = self.slots.iter();
        tables.map(|&(_, table)| &self.tables[usize::from(table)])
    }

    /// How many places a board has.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }
}

/// Whether a board is of this size, with the gap in this cell and each tile in that of its number, but for
/// the one that makes room for the gap.
fn is_at_home(board: &Board, size: Size, gap: Cell) -> bool {
    let tile_in = |cell: Cell| match cell {
        _ if cell == gap => 0,
        0 => gap,
        _ => cell,
    };
    board.size() == size
        && (0..)
            .zip(board.tiles())
            .all(|(cell, &tile)| tile == tile_in(cell))
}

impl<W: Word> Heuristic<W> for Patterns {
    type Carried = Placements;

    const STEP: u32 = 2;

    fn supports(&self, size: Size) -> bool {
        self.size() == size
    }

    fn leads_to(&self, target: &Board) -> bool {
        self.lead_to(target)
    }

    fn start(&self, state: Packed<W>) -> Placements {
        let mut cell_of = [0; MAX_OPTIMAL_CELLS];
        for cell in 0..self.size().cells() as Cell {
            cell_of[usize::from(state.cells.tile(cell))] = cell;
        }
        let mut carried = Placements {
            places: [Placement::default(); MOST_SLOTS],
            values: [0; MOST_SLOTS],
            sums: [0; MOST_REFLECTIONS],
        };
        for (slot, &(reflection, table)) in self.slots.iter().enumerate() {
            let table = &self.tables[usize::from(table)];
            let image = &self.reflections[usize::from(reflection)].image;
            let seen = |cell: u8| image[usize::from(cell)];
            let place = table.place(|tile| seen(cell_of[usize::from(seen(tile))]));
            let value = table.value(place, seen(state.gap));
            carried.places[slot] = place;
            carried.values[slot] = value;
            let sum = &mut carried.sums[usize::from(reflection)];
            *sum = sum.wrapping_add(value);
        }
        carried
    }

    fn moved(
        &self,
        mut carried: Placements,
        before: Packed<W>,
        after: Packed<W>,
        tile: Tile,
    ) -> Placements {
        for (reflection, sum) in self.reflections.iter().zip(&mut carried.sums) {
            let holder = reflection.holders[usize::from(tile)];
            let slot = usize::from(holder.slot);
            let (place, value) = (&mut carried.places[slot], &mut carried.values[slot]);
            let from = reflection.image[usize::from(after.gap)];
            let to = reflection.image[usize::from(before.gap)];
            let table = &self.tables[usize::from(holder.table)];
            *place = table.index().slid(*place, &Slide::new(from, to));
            let new = table.next_value(*value, *place, from);
            *sum = sum.wrapping_add(new).wrapping_sub(*value);
            *value = new;
        }
        carried
    }

    fn value(&self, carried: Placements) -> u32 {
        carried.sums.iter().copied().max().unwrap_or(0).into()
    }

    fn is_lost(&self) -> bool {
        self.tables.iter().any(|table| table.bits().are_lost())
    }
}
