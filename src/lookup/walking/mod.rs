//! Tables of walking distances: an abstract board is a [`Tally`], and has a bit.
//!
//! A vertical move takes some tile of a goal row from one row to the next, into the gap's row.
//! How many tiles of each goal row are in each row is a tally; its distance is the fewest
//! vertical moves to that of the goal. Columns likewise. [`Numbering`] says which bit belongs to
//! a tally, [`build`] finds the distances.
//!
//! A step changes the parity of the gap's line, and so the distance by exactly one.

mod build;
mod numbering;
mod steps;
mod tally;

use std::sync::Arc;
use std::time::Duration;

use self::numbering::Numbering;
use self::tally::Shape;
use super::{
    Bits, BuildControl, Cancelled, Description, Directory, FormatError, Kind, Problem, TableError,
    VALUES, bit_at, next_value,
};
use crate::puzzle::Size;
pub use steps::StepTable;
pub use tally::Tally;

/// The abstract boards of a size: along the rows, and along the columns.
#[derive(Clone, Debug)]
pub struct AbstractBoards {
    size: Size,
    /// By axis; on square boards they are the same.
    numberings: [Arc<Numbering>; 2],
}

/// The walking distances of all boards of a size.
#[derive(Debug)]
pub struct WalkingTable {
    boards: AbstractBoards,
    bits: Bits,
    /// By axis, where its bits start, in bytes.
    starts: [usize; 2],
}

/// A table as it was built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltWalking {
    /// For each tally of rows, then of columns unless the board is square, the bit of its
    /// distance that is worth two.
    pub bits: Vec<u8>,
    /// How many tallies have each distance.
    pub histogram: [u64; VALUES],
}

/// The encoding of a payload: one bit for each tally, in the order of their numbers.
const BITS: u32 = 1;

/// Tallies that a core finds in a second, about.
const TALLIES_PER_CORE: f64 = 10e6;

impl AbstractBoards {
    /// `None` where there are too many of them.
    pub fn new(size: Size) -> Option<AbstractBoards> {
        let rows = Shape::new(size.rows(), size.cols())?;
        let cols = Shape::new(size.cols(), size.rows())?;
        let rows = Arc::new(Numbering::new(rows));
        let cols = match size.is_square() {
            true => rows.clone(),
            false => Arc::new(Numbering::new(cols)),
        };
        Some(AbstractBoards {
            size,
            numberings: [rows, cols],
        })
    }

    /// Whether there are few enough of them; makes nothing.
    pub fn are_few(size: Size) -> bool {
        let (rows, cols) = (size.rows(), size.cols());
        Shape::new(rows, cols).and(Shape::new(cols, rows)).is_some()
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// Those that differ: columns of square boards are like rows.
    fn distinct(&self) -> &[Arc<Numbering>] {
        &self.numberings[..2 - usize::from(self.size.is_square())]
    }

    /// How many a table has.
    pub fn count(&self) -> u64 {
        let tallies = self.distinct().iter().map(|axis| axis.tallies() as u64);
        tallies.sum()
    }

    /// Bytes of a table, a bit for each.
    pub fn bytes(&self) -> u64 {
        let bytes = self.distinct().iter().map(|axis| axis.bytes() as u64);
        bytes.sum()
    }

    /// Bytes of memory while a table is built, about: bits for what is found and for distances,
    /// and two layers, of which the largest has less than a tenth of all.
    pub fn memory(&self) -> u64 {
        3 * self.bytes() + self.count() * 2 * size_of::<Tally>() as u64 / 10
    }

    /// How long a build takes on so many cores, about.
    pub fn time(&self, cores: usize) -> Duration {
        let rate = TALLIES_PER_CORE * cores as f64;
        Duration::from_secs_f64(self.count() as f64 / rate)
    }

    /// The distance of every one of them.
    pub fn build(&self, control: &BuildControl<'_>) -> Result<BuiltWalking, Cancelled> {
        let mut built = BuiltWalking {
            bits: Vec::new(),
            histogram: [0; VALUES],
        };
        for numbering in self.distinct() {
            let (bits, histogram) = build::build(numbering, control)?;
            built.bits.extend(bits);
            for (sum, count) in built.histogram.iter_mut().zip(histogram) {
                *sum += count;
            }
        }
        Ok(built)
    }

    /// What the file of a table says of it.
    pub fn description(&self, built: &BuiltWalking, command: &str) -> Description {
        Description {
            kind: Kind::Walking,
            size: self.size,
            encoding: BITS,
            entries: self.count(),
            histogram: built.histogram,
            command: command.to_owned(),
        }
    }

    /// The tally of tiles along an axis, given by the line and the goal line of each.
    pub fn tally(&self, axis: usize, tiles: impl Iterator<Item = (u8, u8)>) -> Tally {
        let tiles = tiles.map(|(line, goal_line)| (line.into(), goal_line.into()));
        self.numberings[axis].shape().tally(tiles)
    }

    /// The number of a tally.
    pub fn number(&self, axis: usize, tally: Tally) -> usize {
        self.numberings[axis].number(tally)
    }

    /// The steps along the rows and along the columns; `None` where there are too many. The
    /// largest, those of 2x6, take 0.1 s and 18 MB; the smallest above, those of 4x5, would take
    /// 240 MB.
    pub fn steps(&self) -> Option<[Arc<StepTable>; 2]> {
        const MOST: u64 = 2_000_000;
        (self.count() <= MOST).then(|| {
            let rows = Arc::new(StepTable::new(&self.numberings[0]));
            let cols = match self.size.is_square() {
                true => rows.clone(),
                false => Arc::new(StepTable::new(&self.numberings[1])),
            };
            [rows, cols]
        })
    }

    /// What a tile of `goal_line` adds to a tally in a line.
    pub fn one(&self, axis: usize, line: u8, goal_line: u8) -> u64 {
        self.numberings[axis]
            .shape()
            .one(line.into(), goal_line.into())
    }
}

impl Directory {
    /// Opens the table of walking distances; `None` where there is no such file.
    pub fn open_walking(&self, boards: AbstractBoards) -> Result<Option<WalkingTable>, TableError> {
        let size = boards.size;
        let Some(file) = self.open(Kind::Walking, size)? else {
            return Ok(None);
        };
        let encoding = file.header().table.encoding;
        let table = match encoding {
            BITS => WalkingTable::new(boards, Bits::Mapped(Box::new(file))),
            _ => None,
        };
        table.map(Some).ok_or_else(|| {
            let content =
                format!("its encoding {encoding} has not one bit for each abstract board");
            let problem = Problem::Format(FormatError::Content(content));
            TableError::new(self.path_of(Kind::Walking, size), problem)
        })
    }
}

impl WalkingTable {
    /// `None` if there is not one bit for each abstract board.
    pub fn new(boards: AbstractBoards, bits: Bits) -> Option<WalkingTable> {
        let rows = boards.numberings[0].bytes();
        let starts = match boards.size.is_square() {
            true => [0, 0],
            false => [0, rows],
        };
        (bits.as_ref().len() as u64 == boards.bytes()).then_some(WalkingTable {
            boards,
            bits,
            starts,
        })
    }

    /// Builds the table in memory.
    pub fn build(
        boards: AbstractBoards,
        control: &BuildControl<'_>,
    ) -> Result<WalkingTable, Cancelled> {
        let bits = Bits::Built(boards.build(control)?.bits);
        Ok(WalkingTable::new(boards, bits).expect("a built table is whole"))
    }

    pub fn boards(&self) -> &AbstractBoards {
        &self.boards
    }

    pub fn bits(&self) -> &Bits {
        &self.bits
    }

    #[inline(always)]
    fn bit(&self, axis: usize, tally: Tally) -> u8 {
        let number = self.boards.numberings[axis].number(tally);
        bit_at(self.bits_of(axis), number)
    }

    #[inline(always)]
    fn bits_of(&self, axis: usize) -> &[u8] {
        &self.bits.as_ref()[self.starts[axis]..]
    }

    /// The distance of a tally that is one step away from one with the distance `before`. A
    /// multiple of four more or less in the one is a multiple of four in the other.
    // Inlined it keeps the recursion of IDA* from being so: 30 instead of 42 million nodes/s.
    #[inline(never)]
    pub fn next_distance(&self, axis: usize, before: u8, tally: Tally) -> u8 {
        next_value(before, self.bit(axis, tally))
    }

    /// The distance of a tally, but for a multiple of four.
    pub fn residue(&self, axis: usize, tally: Tally) -> u8 {
        let parity = self.boards.numberings[axis].gap(tally) % 2;
        2 * self.bit(axis, tally) + parity as u8
    }

    /// The distance of a tally, by walking home.
    ///
    /// A table that is damaged may have no way home; then it is what the way was until it ended.
    pub fn distance(&self, axis: usize, mut tally: Tally) -> u8 {
        let numbering = &self.boards.numberings[axis];
        let goal = numbering.shape().goal();
        let mut residue = self.residue(axis, tally);
        let mut steps = 0;
        while tally != goal && usize::from(steps) < VALUES {
            let nearer = residue.wrapping_sub(1) % 4;
            let mut next = None;
            numbering.for_each_step(tally, |step| {
                if bit_at(self.bits_of(axis), step.number) == nearer / 2 {
                    next = Some(step.tally);
                }
            });
            let Some(closer) = next else {
                break;
            };
            tally = closer;
            residue = nearer;
            steps += 1;
        }
        steps
    }
}
