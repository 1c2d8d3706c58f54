//! The conflicts of one line: their definition, and a table of all short lines.

use std::sync::OnceLock;

use crate::puzzle::{MAX_CELLS, Tile};

/// The longest line of a legal board: 2x32.
pub(super) const MOST_LINE_CELLS: usize = MAX_CELLS / 2;

/// The conflicts of a line: how many of its own tiles must leave it before the others can
/// reach their cells inside it. Each of them makes two moves that no taxicab counts.
///
/// `line` are the tiles as they stand, `home` those of the solved line; 0 is the gap in
/// both. The tiles that may stay are a longest sequence in the order of `home`.
pub fn line_conflicts(line: &[Tile], home: &[Tile]) -> u32 {
    let mut places = [0; MOST_LINE_CELLS];
    for (place, &tile) in places.iter_mut().zip(line) {
        let own = home.iter().position(|&own| own == tile && tile != 0);
        *place = own.map_or(0, |own| own as u8 + 1);
    }
    conflicts(&places[..line.len()])
}

/// The conflicts of a line given by its tiles' goal places, which count from 1; 0 is the gap
/// or a tile of another line.
#[inline]
pub(super) fn conflicts(places: &[u8]) -> u32 {
    let (mut own, mut most) = (0, 0);
    // The longest increasing sequence so far that ends with each place.
    let mut longest = [0; MOST_LINE_CELLS + 1];
    for place in places.iter().map(|&place| usize::from(place)) {
        if place != 0 {
            own += 1;
            longest[place] = 1 + longest[..place].iter().max().unwrap_or(&0);
            most = most.max(longest[place]);
        }
    }
    own - most
}

/// Whether taking the tile at `cell` out of the line takes a conflict with it.
#[inline(always)]
pub(crate) fn is_in_conflict(places: &mut [u8], cell: usize) -> bool {
    let with = conflicts(places);
    places[cell] = 0;
    with > conflicts(places)
}

/// Every content of a line of up to five cells.
///
/// A content's index has three bits a cell, the first cell lowest: the goal place of its tile
/// as in [`conflicts`]. One byte a content says all, as five cells have at most four conflicts.
pub(crate) struct LineTable {
    /// Bits 0 to 4: the flag of each cell. Bits 5 to 7: the conflicts.
    entries: Vec<u8>,
}

impl LineTable {
    /// The longest line that has a table: 32 kB. One cell more would be 256 kB.
    const MOST_CELLS: usize = 5;
    pub const BITS: u32 = 3;

    /// The table of all lines of `cells` cells, made once in a process; `None` for long lines.
    pub fn of(cells: usize) -> Option<&'static LineTable> {
        static TABLES: [OnceLock<LineTable>; LineTable::MOST_CELLS + 1] =
            [const { OnceLock::new() }; LineTable::MOST_CELLS + 1];
        let table = TABLES.get(cells)?;
        Some(table.get_or_init(|| LineTable::new(cells)))
    }

    fn new(cells: usize) -> LineTable {
        let entry = |index: u32| {
            let mut places = [0; LineTable::MOST_CELLS];
            for (cell, place) in (0..).zip(&mut places[..cells]) {
                *place = (index >> (LineTable::BITS * cell)) as u8 & 7;
            }
            let flag = |cell| u8::from(is_in_conflict(&mut places.clone(), cell)) << cell;
            let flags: u8 = (0..cells).map(flag).sum();
            (conflicts(&places) as u8) << LineTable::MOST_CELLS | flags
        };
        let contents = 1 << (LineTable::BITS * cells as u32);
        LineTable {
            entries: (0..contents).map(entry).collect(),
        }
    }

    /// The conflicts of a content.
    pub fn conflicts(&self, index: usize) -> u32 {
        u32::from(self.entries[index] >> LineTable::MOST_CELLS)
    }

    /// Bit c: taking the tile at cell c out of this content takes a conflict with it.
    #[inline(always)]
    pub fn flags(&self, index: usize) -> u8 {
        self.entries[index] & ((1 << LineTable::MOST_CELLS) - 1)
    }
}
