//! A pattern database that can be read: values by state, a bit for each.
//!
//! A move of a tile changes a state's value by exactly one, and the parity of a value is that of
//! its set of cells: [`Bits`] are enough. The first value of a path is found by walking home,
//! each step to a neighbour with a smaller value.

use std::sync::Arc;

use crate::puzzle::{Cell, Tile};

use super::regions::{FloodFill, cells};
use super::{BuildControl, BuiltPattern, Index, Pattern, Placement, Slide, Unbuilt, build};
use crate::lookup::bits::{bit_at, next_value, steps_home};
use crate::lookup::{Bits, Description, Directory, Kind, TableError};

/// The values of a pattern's states.
#[derive(Debug)]
pub struct PatternTable {
    pattern: Pattern,
    index: Arc<Index>,
    bits: Bits,
}

/// The encoding of a payload: one bit for each state, in the order of their ranks.
const BITS: u32 = 2;

impl Pattern {
    /// What its table's file says that it holds.
    ///
    /// # Panics
    ///
    /// If the gap does not belong into the first cell: there are no files of such tables.
    pub fn kind(&self) -> Kind {
        assert_eq!(self.gap(), 0, "tables in files have the gap in a corner");
        Kind::Patterns { tiles: self.mask() }
    }

    /// The ranks of its states.
    pub fn index(&self) -> Arc<Index> {
        Index::of(self.size(), self.tiles().count())
    }

    /// Where its tiles are in the goal.
    pub fn home(&self) -> Placement {
        self.index().place(self.tiles(), |tile| self.home_of(tile))
    }
}

impl PatternTable {
    /// Opens the table of a pattern; `None` where there is no such file.
    pub fn open(
        directory: &Directory,
        pattern: &Pattern,
    ) -> Result<Option<PatternTable>, TableError> {
        let bytes = pattern.index().bits() / 8;
        let bits = Bits::open(directory, (pattern.kind(), pattern.size()), BITS, bytes)?;
        let whole = |bits| PatternTable::new(*pattern, bits).expect("the length is right");
        Ok(bits.map(whole))
    }

    /// `None` if there is not one bit for each state.
    pub fn new(pattern: Pattern, bits: Bits) -> Option<PatternTable> {
        let index = pattern.index();
        (8 * bits.as_ref().len() == index.bits()).then_some(PatternTable {
            pattern,
            index,
            bits,
        })
    }

    /// Builds the table of a pattern in memory.
    pub fn build(pattern: Pattern, control: &BuildControl<'_>) -> Result<PatternTable, Unbuilt> {
        let bits = Bits::Built(build(&pattern, control)?.bits);
        Ok(PatternTable::new(pattern, bits).expect("a built table is whole"))
    }

    /// What the file of a table says of it.
    pub fn description(pattern: &Pattern, built: &BuiltPattern, command: &str) -> Description {
        Description {
            kind: pattern.kind(),
            size: pattern.size(),
            encoding: BITS,
            entries: pattern.index().states() as u64,
            histogram: built.histogram,
            command: command.to_owned(),
        }
    }

    /// The tiles that it is about.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Which bit belongs to which state.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The values, a bit each.
    pub fn bits(&self) -> &Bits {
        &self.bits
    }

    /// The place of the tiles, where `cell_of` says in which cell each one is.
    pub fn place(&self, cell_of: impl Fn(Tile) -> Cell) -> Placement {
        self.index.place(self.pattern.tiles(), cell_of)
    }

    /// The value of a state that is one move away from one with the value `before`.
    #[inline(always)]
    pub fn next_value(&self, before: u8, place: Placement, gap: Cell) -> u8 {
        next_value(
            before,
            bit_at(self.bits.as_ref(), self.index.rank(place, gap)),
        )
    }

    /// The fewest moves of the pattern's tiles that bring them home.
    pub fn value(&self, place: Placement, gap: Cell) -> u8 {
        let flood = FloodFill::new(self.pattern.size());
        let home = self.pattern.home();
        let parity = flood.parity(place.cells) ^ flood.parity(home.cells);
        let bit_of = |place, gap| bit_at(self.bits.as_ref(), self.index.rank(place, gap));
        steps_home(
            (place, gap),
            2 * bit_of(place, gap) + parity as u8,
            |&(place, gap)| {
                place == home && self.index.region(home, gap) >> self.pattern.gap() & 1 == 1
            },
            |&(place, gap), bit| {
                let mut moves = self.moves(&flood, place, gap);
                moves.find(|&(place, gap)| bit_of(place, gap) == bit)
            },
        )
    }

    /// The states that are one move of a tile away.
    fn moves<'a>(
        &'a self,
        flood: &'a FloodFill,
        place: Placement,
        gap: Cell,
    ) -> impl Iterator<Item = (Placement, Cell)> + 'a {
        let gaps = cells(self.index.region(place, gap));
        let moves = gaps.flat_map(move |gap| {
            let tiles = cells(flood.next_to(1 << gap) & place.cells);
            tiles.map(move |tile| (tile, gap))
        });
        moves.map(move |(tile, gap)| (self.index.slid(place, &Slide::new(tile, gap)), tile))
    }
}
