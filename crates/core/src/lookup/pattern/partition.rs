//! Patterns, and the sets of them whose values may be added.
//!
//! A pattern is a set of tiles; a partition gives each tile to exactly one pattern. Since a
//! pattern database counts the moves of its own tiles only, the values of a partition's
//! patterns add up to an estimate that never exceeds the distance.

use std::fmt;

use crate::puzzle::{Cell, Size, Tile, WideBoard, excerpt};

use super::{Collection, MOST_PARTITIONS, MOST_SUMMANDS, MOST_TILES};

/// A set of tiles on boards of one size, at home in the cells of their numbers; where the gap
/// belongs into another cell than the first, the tile of that number is at home in the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    size: Size,
    /// Bit t: tile t is one of them.
    tiles: u32,
    /// The cell that the gap belongs into.
    gap: Cell,
}

impl Pattern {
    /// `None` for no tile, more than [`MOST_TILES`], or one that the board has not.
    pub fn new(size: Size, tiles: u32) -> Option<Pattern> {
        let fits = !size.is_wide() && tiles >> size.cells() == 0 && tiles & 1 == 0;
        let count = tiles.count_ones() as usize;
        (fits && (1..=MOST_TILES).contains(&count)).then_some(Pattern {
            size,
            tiles,
            gap: 0,
        })
    }

    /// Tiles of boards whose gap belongs into this cell.
    pub(super) fn with_gap_in(size: Size, tiles: u32, gap: Cell) -> Pattern {
        Pattern { size, tiles, gap }
    }

    /// The boards that it is for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Its tiles as bits.
    pub fn mask(&self) -> u32 {
        self.tiles
    }

    /// Its tiles, in the order of their numbers.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        let tiles = self.tiles;
        (0..32).filter(move |tile| tiles >> tile & 1 == 1)
    }

    /// The cell that the gap belongs into.
    pub fn gap(&self) -> Cell {
        self.gap
    }

    /// The cell that a tile belongs into.
    pub fn home_of(&self, tile: Tile) -> Cell {
        if tile == self.gap { 0 } else { tile }
    }

    /// Whether a tile is one of its own.
    pub fn contains(&self, tile: Tile) -> bool {
        self.tiles >> tile & 1 == 1
    }
}

/// The tiles, as in `1.4.5.8`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles: Vec<String> = self.tiles().map(|tile| tile.to_string()).collect();
        f.write_str(&tiles.join("."))
    }
}

/// The cell that a reflection at the main diagonal brings here, on a square board; it also says
/// which tile becomes which.
pub fn mirrored(size: Size, cell: Cell) -> Cell {
    size.col_of(cell) * size.cols() as u8 + size.row_of(cell)
}

/// Disjoint patterns that hold every tile of a board once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Partition {
    size: Size,
    patterns: Vec<Pattern>,
}

/// The most patterns of a partition.
pub const MOST_PATTERNS: usize = 8;

/// Why a text is not a [`Partition`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PartitionError {
    /// No such name, and no drawing.
    #[error(
        "'{0}' is no partition of {1}; name one of {2}, or draw one as a grid of letters with . for the gap, for example {3}"
    )]
    Unknown(String, Size, String, String),
    /// A drawing of another size.
    #[error(
        "'{0}' has {1} cells; a partition of {2} has {3}, one letter for each tile and . first for the gap"
    )]
    Cells(String, usize, Size, usize),
    /// A tile without a pattern.
    #[error("tile {0} is in no pattern; each tile belongs to exactly one")]
    Missing(Tile),
    /// A tile with two patterns.
    #[error("tile {0} is in two patterns; each tile belongs to exactly one")]
    Overlap(Tile),
    /// The gap has no pattern.
    #[error("the gap's cell, the first one, belongs to pattern '{0}'; write . there")]
    Gap(char),
    /// A drawing is made of letters.
    #[error(
        "'{0}' in a drawn partition is no letter; write the same letter for the tiles of a pattern"
    )]
    NoLetter(char),
    /// A number that is no tile.
    #[error("'{0}' is no tile of {1}; its tiles are 1 to {2}")]
    NoTile(String, Size, usize),
    /// A pattern of too many tiles.
    #[error("the pattern {0} has {1} tiles; at most {MOST_TILES} are possible: cut it in two")]
    TooLarge(String, usize),
    /// Too many patterns.
    #[error("{0} patterns; at most {MOST_PATTERNS} are possible: join some")]
    TooMany(usize),
    /// Too many partitions.
    #[error("'{0}' has {1} partitions; at most {MOST_PARTITIONS} are possible: leave some out")]
    TooManySums(String, usize),
    /// Too many patterns in all partitions.
    #[error(
        "'{0}' has {1} patterns; all partitions together can have {MOST_SUMMANDS}: leave one out"
    )]
    TooManySummands(String, usize),
    /// There are no tables for such boards.
    #[error(transparent)]
    WideBoard(#[from] WideBoard),
}

/// The named partitions: size, name, grid. Those of a size stand in the order of their strength,
/// the weakest first.
///
/// Those of 4x4 `7-8` and `6-6-3` and of 5x5 `6-6-6-6` are the best of those that were tried
/// for the fewest nodes on random boards; the cut matters more than the code.
const NAMED: [(&str, &str, &str); 7] = [
    ("3x3", "4-4", ".AA/AAB/BBB"),
    ("3x4", "6-5", ".ABB/AABB/AAAB"),
    ("4x4", "5-5-5", ".ABB/AABB/AACB/CCCC"),
    ("4x4", "6-6-3", ".ABB/AABB/AABB/ACCC"),
    ("4x4", "7-8", ".ABB/AABB/AABB/AABB"),
    ("5x5", "5-5-5-5-4", ".ABBB/AABBC/AACCC/DDDCE/DDEEE"),
    ("5x5", "6-6-6-6", ".ABBB/AABBB/AAACC/DDDCC/DDDCC"),
];

impl Partition {
    /// Patterns that hold every tile once.
    pub(super) fn of(size: Size, patterns: Vec<Pattern>) -> Partition {
        Partition { size, patterns }
    }

    /// The named partitions of a size.
    pub fn names(size: Size) -> impl Iterator<Item = &'static str> {
        let size = size.to_string();
        NAMED
            .iter()
            .filter(move |(of, _, _)| *of == size)
            .map(|&(_, name, _)| name)
    }

    /// The partition of that name, or drawn as a grid of letters (`.ABB/AABB/AABB/AABB`), or
    /// listed as tiles (`1.2.3/4.5.6.7.8`).
    pub fn parse(text: &str, size: Size) -> Result<Partition, PartitionError> {
        size.refuse_wide()?;
        let of = size.to_string();
        if let Some((_, _, grid)) = NAMED.iter().find(|(s, name, _)| *s == of && *name == text) {
            return Partition::drawn(grid, size);
        }
        if text.contains('.') && text.contains(|c: char| c.is_ascii_digit()) {
            return Partition::listed(text, size);
        }
        if text.contains('.')
            || text.chars().filter(|c| c.is_alphabetic()).count() + 1 >= size.cells()
        {
            return Partition::drawn(text, size);
        }
        let names: Vec<&str> = Collection::names(size).collect();
        let names = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        let example = Partition::example(size).grid();
        Err(PartitionError::Unknown(excerpt(text), size, names, example))
    }

    /// The size that a name or a grid in rows shows.
    pub fn size_of(text: &str) -> Option<Size> {
        if let Some((size, _, _)) = NAMED.iter().find(|(_, name, _)| *name == text) {
            return size.parse().ok();
        }
        let rows: Vec<&str> = text
            .split(|c: char| c == '/' || c.is_whitespace())
            .filter(|row| !row.is_empty())
            .collect();
        let cols = rows.first()?.chars().count();
        let is_grid = rows.iter().all(|row| row.chars().count() == cols);
        Size::new(rows.len(), cols).ok().filter(|_| is_grid)
    }

    /// A partition by rows of cells, a few tiles each.
    fn example(size: Size) -> Partition {
        let tiles: Vec<Tile> = (1..size.cells() as Tile).collect();
        let patterns = tiles.chunks(6).map(|tiles| {
            let mask = tiles.iter().fold(0, |mask, tile| mask | 1 << tile);
            Pattern::new(size, mask).expect("six tiles of the board")
        });
        Partition {
            size,
            patterns: patterns.collect(),
        }
    }

    fn drawn(text: &str, size: Size) -> Result<Partition, PartitionError> {
        let cells: Vec<char> = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '/')
            .collect();
        if cells.len() != size.cells() {
            return Err(PartitionError::Cells(
                excerpt(text),
                cells.len(),
                size,
                size.cells(),
            ));
        }
        let is_gap = |letter: char| matches!(letter, '.' | '_' | '0');
        if !is_gap(cells[0]) {
            return Err(PartitionError::Gap(cells[0]));
        }
        let mut letters: Vec<(char, u32)> = Vec::new();
        for (tile, &letter) in cells.iter().enumerate().skip(1) {
            if is_gap(letter) {
                return Err(PartitionError::Missing(tile as Tile));
            }
            if !letter.is_alphabetic() {
                return Err(PartitionError::NoLetter(letter));
            }
            match letters.iter_mut().find(|(known, _)| *known == letter) {
                Some((_, tiles)) => *tiles |= 1 << tile,
                None => letters.push((letter, 1 << tile)),
            }
        }
        Partition::new(size, letters.into_iter().map(|(_, tiles)| tiles))
    }

    fn listed(text: &str, size: Size) -> Result<Partition, PartitionError> {
        let mut masks = Vec::new();
        let lists = text
            .split(['/', '\n'])
            .filter(|list| !list.trim().is_empty());
        for list in lists {
            let mut mask = 0u32;
            let numbers = list.split(|c: char| c == '.' || c == ',' || c.is_whitespace());
            for number in numbers.filter(|number| !number.is_empty()) {
                let no_tile = || PartitionError::NoTile(excerpt(number), size, size.cells() - 1);
                let tile: usize = number.parse().map_err(|_| no_tile())?;
                if !(1..size.cells()).contains(&tile) {
                    return Err(no_tile());
                }
                if mask >> tile & 1 == 1 {
                    return Err(PartitionError::Overlap(tile as Tile));
                }
                mask |= 1 << tile;
            }
            masks.push(mask);
        }
        Partition::new(size, masks)
    }

    fn new(size: Size, masks: impl IntoIterator<Item = u32>) -> Result<Partition, PartitionError> {
        let mut seen = 0;
        let mut patterns = Vec::new();
        for mask in masks.into_iter().filter(|&mask| mask != 0) {
            if seen & mask != 0 {
                return Err(PartitionError::Overlap(
                    (seen & mask).trailing_zeros() as Tile
                ));
            }
            seen |= mask;
            let tiles = mask.count_ones() as usize;
            let pattern = Pattern::new(size, mask).ok_or_else(|| {
                let pattern = Pattern {
                    size,
                    tiles: mask,
                    gap: 0,
                };
                PartitionError::TooLarge(pattern.to_string(), tiles)
            })?;
            patterns.push(pattern);
        }
        let missing = ((1u32 << size.cells()) - 2) & !seen;
        if missing != 0 {
            return Err(PartitionError::Missing(missing.trailing_zeros() as Tile));
        }
        if patterns.len() > MOST_PATTERNS {
            return Err(PartitionError::TooMany(patterns.len()));
        }
        Ok(Partition { size, patterns })
    }

    /// The boards that it is for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Its patterns, in their order.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The partition as a grid of letters.
    pub fn grid(&self) -> String {
        let letter = |cell: usize| {
            let holder = self.patterns.iter().position(|pattern| {
                pattern
                    .tiles()
                    .any(|it| usize::from(pattern.home_of(it)) == cell)
            });
            holder.map_or('.', |pattern| (b'A' + pattern as u8) as char)
        };
        let rows = 0..self.size.rows();
        let row = |row| {
            let cells = row * self.size.cols()..(row + 1) * self.size.cols();
            cells.map(letter).collect::<String>()
        };
        rows.map(row).collect::<Vec<_>>().join("/")
    }
}

/// Its name if it has one, its grid otherwise.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = self.grid();
        let size = self.size.to_string();
        let named = NAMED
            .iter()
            .find(|(of, _, drawn)| *of == size && *drawn == grid);
        f.write_str(named.map_or(&grid, |(_, name, _)| name))
    }
}
