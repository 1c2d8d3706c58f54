//! Endgame tables: every state up to a depth, with its exact distance from the goal.
//!
//! The file is the hash table (`slots`) that searches look states up in. `layers` finds the
//! states, breadth-first from the goal, `build` puts them into a table, and `perimeter` is a
//! filter of the last layer alone, which is all that IDA* asks for.

mod build;
mod choice;
mod layers;
mod perimeter;
mod plan;
mod slots;

use std::fmt;
use std::sync::OnceLock;
use std::time::SystemTime;

use memmap2::MmapMut;

pub use build::{BuildError, Builder, BuiltEndgame, Until};
pub use choice::{EndgameError, EndgameName};
pub(crate) use perimeter::Perimeter;
pub use plan::EndgamePlan;

use xxhash_rust::xxh3::xxh3_64;

use super::file::checksum_reading_in;
use super::{FormatError, Header, Kind, TableFile, VALUES};
use crate::puzzle::{Board, Cell, Entry, Grid, Move, MoveOrder, Packed, Size, Word};
use crate::sys::mapped_file::is_lost;
use perimeter::Filter;
use slots::Slots;

/// The encoding of the payload: slots of one word, as [`slots`] places them.
const ENCODING: u32 = 1;

/// A table in memory or in a mapped file.
pub struct Endgame {
    payload: Box<dyn AsRef<[u8]> + Send + Sync>,
    size: Size,
    depth: u32,
    entries: u64,
    /// As the file's header has it; `None` for a table that this process built.
    checksum: Option<u64>,
    /// When the file last changed, if it is from one and the system says.
    changed_at: Option<SystemTime>,
    /// States of the deepest layer.
    last_layer: u64,
    grid: Grid,
    filter: OnceLock<Filter>,
}

impl fmt::Debug for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endgame({} to depth {})", self.size, self.depth)
    }
}

impl Endgame {
    /// The deepest table for boards of this size: half of the depth has 4 bits beside 16 cells.
    pub fn deepest(size: Size) -> u32 {
        match is_narrow(size) {
            true => 2 * <u64 as Entry>::LAYERS - 1,
            false => VALUES as u32 - 1,
        }
    }

    /// Takes a file's table; looks at its header only.
    pub fn new<D>(file: TableFile<D>) -> Result<Endgame, FormatError>
    where
        D: AsRef<[u8]> + Send + Sync + 'static,
    {
        let Header {
            table, payload_len, ..
        } = file.header();
        let Kind::Endgame { depth } = table.kind else {
            return Err(FormatError::Content(format!(
                "it is the table of a {}, not of an endgame",
                table.kind
            )));
        };
        let (size, entries) = (table.size, table.entries);
        let last_layer = table.histogram[depth as usize % VALUES];
        if table.encoding != ENCODING || depth > Endgame::deepest(size) {
            return Err(FormatError::Content(format!(
                "encoding {} of depth {depth} is unknown",
                table.encoding
            )));
        }
        let is_right = match is_narrow(size) {
            true => Slots::<u64>::is_right_length(entries, *payload_len),
            false => Slots::<u128>::is_right_length(entries, *payload_len),
        };
        if !is_right {
            return Err(FormatError::Content(format!(
                "{payload_len} bytes are no table of {entries} entries"
            )));
        }
        let checksum = file.header().payload_checksum;
        let last_layer = last_layer.min(entries);
        Ok(Endgame {
            checksum: Some(checksum),
            ..Endgame::over(Box::new(file), size, depth, entries, last_layer)
        })
    }

    fn over(
        payload: Box<dyn AsRef<[u8]> + Send + Sync>,
        size: Size,
        depth: u32,
        entries: u64,
        last_layer: u64,
    ) -> Endgame {
        Endgame {
            payload,
            size,
            depth,
            entries,
            checksum: None,
            changed_at: None,
            last_layer,
            grid: Grid::new(size, MoveOrder::ULRD),
            filter: OnceLock::new(),
        }
    }

    /// The boards that it is for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The distance of its last layer.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// How many states it has.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Bytes of the table, in memory or mapped.
    pub fn bytes(&self) -> u64 {
        (*self.payload).as_ref().len() as u64
    }

    /// Whether this process built the table, and it came from no file.
    pub fn is_built(&self) -> bool {
        self.checksum.is_none()
    }

    /// The checksum of the payload, as a file's header has it.
    pub fn checksum(&self) -> u64 {
        let payload = || xxh3_64((*self.payload).as_ref());
        self.checksum.unwrap_or_else(payload)
    }

    /// When its file last changed, if it was opened by its name and the system says.
    pub fn changed_at(&self) -> Option<SystemTime> {
        self.changed_at
    }

    /// Reads all of it against the checksum of its file; what this process built has none.
    pub fn verify(&self) -> Result<(), FormatError> {
        let payload = (*self.payload).as_ref();
        match self.checksum {
            Some(checksum) if checksum_reading_in(payload) != checksum => {
                Err(FormatError::PayloadChecksum)
            }
            _ => Ok(()),
        }
    }

    /// Whether a part of its file went away while it was in use.
    pub(crate) fn is_lost(&self) -> bool {
        is_lost((*self.payload).as_ref())
    }

    /// How far a board is from the goal `first`, if that is within the depth.
    pub fn distance(&self, board: &Board) -> Option<u32> {
        match is_narrow(self.size) {
            true => self.lookup::<u64>().distance(Packed::new(board)),
            false => self.lookup::<u128>().distance(Packed::new(board)),
        }
    }

    /// The table for a search whose boards are in words of this kind.
    pub(crate) fn lookup<W: Entry>(&self) -> Lookup<'_, W> {
        Lookup {
            endgame: self,
            slots: Slots::new((*self.payload).as_ref(), self.entries),
        }
    }

    /// The last layer. Its filter, in the table's words, is made when it is first asked for.
    pub(crate) fn perimeter<W: Entry>(&self) -> Perimeter<'_, W> {
        let filter = self.filter.get_or_init(|| match is_narrow(self.size) {
            true => Filter::new(&self.lookup::<u64>()),
            false => Filter::new(&self.lookup::<u128>()),
        });
        Perimeter::new(self, filter)
    }
}

/// Whether boards of this size are kept in 64 bits.
fn is_narrow(size: Size) -> bool {
    size.cells() <= <u64 as Word>::CELLS
}

/// A distance by its half: the gap's parity is that of the distance.
fn distance(half: u8, gap: Cell, size: Size) -> u32 {
    2 * u32::from(half) + size.distance(gap, 0) % 2
}

/// A table as a search reads it.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'a, W> {
    endgame: &'a Endgame,
    slots: Slots<'a, W>,
}

impl<W> Lookup<'_, W> {
    pub fn depth(&self) -> u32 {
        self.endgame.depth
    }
}

impl<W: Entry> Lookup<'_, W> {
    /// The exact distance of a state that is within the depth.
    #[inline(always)]
    pub fn distance(&self, state: Packed<W>) -> Option<u32> {
        let size = self.endgame.size;
        let half = match self.is_wider() {
            false => self.slots.tag(W::pack(state.cells, 0))?,
            true => {
                let slots = self.endgame.lookup::<u64>().slots;
                slots.tag(<u64 as Entry>::pack(narrowed(state.cells, size), 0))?
            }
        };
        Some(distance(half, state.gap, size))
    }

    /// Whether the search's words are wider than the table's: A* with many layers of f, and what is
    /// compiled for one word alone.
    #[inline(always)]
    fn is_wider(&self) -> bool {
        W::CELLS > <u64 as Word>::CELLS && is_narrow(self.endgame.size)
    }

    /// Asks for the cache line of a state that is about to be looked up, by its hash.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        self.slots.prefetch(hash);
    }

    /// The least distance of a state that is not in the table.
    pub fn distance_of_others(&self, state: Packed<W>) -> u32 {
        let next = self.endgame.depth + 1;
        next + (next + self.endgame.size.distance(state.gap, 0)) % 2
    }

    /// The moves from a state in the table to the goal; `None` where the table is damaged.
    pub fn path(&self, mut state: Packed<W>) -> Option<Vec<Move>> {
        let mut moves = Vec::new();
        let mut left = self.distance(state)?;
        while left > 0 {
            let steps = self.endgame.grid.steps(state.gap).iter();
            let mut nearer = steps.map(|&(mv, to)| (mv, state.slide(to).0));
            let (mv, next) = nearer.find(|&(_, next)| self.distance(next) == Some(left - 1))?;
            moves.push(mv);
            state = next;
            left -= 1;
        }
        Some(moves)
    }

    /// The states of the deepest layer.
    fn last_layer(&self) -> impl Iterator<Item = W> {
        let (size, depth) = (self.endgame.size, self.endgame.depth);
        self.slots.entries().filter(move |entry| {
            u32::from(entry.tag()) == depth / 2
                && distance(entry.tag(), entry.state(size).gap, size) == depth
        })
    }
}

/// The cells of a small board in a narrow word.
fn narrowed<W: Word>(cells: W, size: Size) -> u64 {
    (0..size.cells() as Cell).fold(0, |narrow, cell| narrow.with(cells.tile(cell), cell))
}

/// A table that was built into memory.
struct InMemory {
    pages: MmapMut,
    bytes: usize,
}

impl AsRef<[u8]> for InMemory {
    fn as_ref(&self) -> &[u8] {
        &self.pages[..self.bytes]
    }
}
