//! Tables of walking distances: an abstract board is a [`Tally`], and has a bit.
//!
//! A vertical move takes some tile of a goal row from one row to the next, into the gap's row.
//! How many tiles of each goal row are in each row is a tally; its distance is the fewest
//! vertical moves to that of the goal. Columns likewise. [`Numbering`] says which bit belongs to
//! a tally, [`build`] finds the distances. Where tallies are few, all steps between them are
//! listed instead ([`steps`]), and there is no file.
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
    Bits, BuildControl, Description, Directory, Kind, TableError, TableProblem, Unbuilt, VALUES,
    bit_at, next_value, steps_home,
};
use crate::puzzle::Size;
pub(crate) use steps::StepTable;
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

/// Tallies that a core finds in a second: 10 million on an Intel Xeon (Emerald Rapids).
const TALLIES_PER_CORE: f64 = 10e6;

/// The share of all tallies that two layers in a row have at most, 11.0 % of 5x5, 11.7 % of 3x6 and
/// 12.7 % of 4x5, with what the allocator rounds up.
const TWO_LAYERS: f64 = 0.137;

/// There is no walking distance for a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no walking distance for {size}, whose abstract boards are too many or too large; it \
     is there for boards up to 5x5, 3x6 and 2x6; use lc (linear conflict)"
)]
pub struct Unsupported {
    size: Size,
}

impl AbstractBoards {
    /// All of them for one size of board.
    pub fn new(size: Size) -> Result<AbstractBoards, Unsupported> {
        let shapes = Shape::new(size.rows(), size.cols()).zip(Shape::new(size.cols(), size.rows()));
        let (rows, cols) = shapes.ok_or(Unsupported { size })?;
        let rows = Arc::new(Numbering::new(rows));
        let cols = match size.is_square() {
            true => rows.clone(),
            false => Arc::new(Numbering::new(cols)),
        };
        Ok(AbstractBoards {
            size,
            numberings: [rows, cols],
        })
    }

    /// The boards that they stand for.
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

    /// Bytes that are held at one time while a table is built, about, beside the program itself.
    /// An axis takes a bit for each tally that is found, one for its distance, and two layers;
    /// the table of the axis before it is there already.
    pub fn memory(&self) -> u64 {
        let axes = self.distinct();
        let numbers: u64 = axes.iter().map(|axis| axis.own_bytes() as u64).sum();
        let mut before = 0;
        let building = axes.iter().map(|axis| {
            let (bits, tallies) = (axis.bytes() as u64, axis.tallies() as f64);
            let layers = TWO_LAYERS * tallies * size_of::<Tally>() as f64;
            let taken = before + 2 * bits + layers as u64;
            before += bits;
            taken
        });
        numbers + building.max().unwrap_or(0)
    }

    /// How long a build takes on so many cores, about.
    pub fn time(&self, cores: usize) -> Duration {
        let rate = TALLIES_PER_CORE * cores as f64;
        Duration::from_secs_f64(self.count() as f64 / rate)
    }

    /// The distance of every one of them.
    pub fn build(&self, control: &BuildControl<'_>) -> Result<BuiltWalking, Unbuilt> {
        let mut built = BuiltWalking {
            bits: Vec::new(),
            histogram: [0; VALUES],
        };
        for numbering in self.distinct() {
            build::build(numbering, &mut built, control)?;
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

    /// Whether their steps are few enough to list, so that no table is needed. The largest such
    /// list, that of 2x6, takes 0.1 s and 18 MB; the smallest above, that of 4x5, would take
    /// 240 MB.
    pub fn are_listed(&self) -> bool {
        const MOST: u64 = 2_000_000;
        self.count() <= MOST
    }

    /// The steps along the rows and along the columns, listed.
    pub(crate) fn steps(&self) -> [Arc<StepTable>; 2] {
        let rows = Arc::new(StepTable::new(&self.numberings[0]));
        let cols = match self.size.is_square() {
            true => rows.clone(),
            false => Arc::new(StepTable::new(&self.numberings[1])),
        };
        [rows, cols]
    }

    /// What a tile of `goal_line` adds to a tally in a line.
    pub(crate) fn one(&self, axis: usize, line: u8, goal_line: u8) -> u64 {
        self.numberings[axis]
            .shape()
            .one(line.into(), goal_line.into())
    }
}

impl WalkingTable {
    /// Opens the table of walking distances, and reads all of it: that takes milliseconds, and a
    /// damaged one would make solutions longer. `None` where there is no such file.
    pub fn open(
        directory: &Directory,
        boards: &AbstractBoards,
    ) -> Result<Option<WalkingTable>, TableError> {
        let (size, bytes) = (boards.size, boards.bytes() as usize);
        let Some(bits) = Bits::open(directory, (Kind::Walking, size), BITS, bytes)? else {
            return Ok(None);
        };
        bits.verify().map_err(|error| {
            let path = directory.path_of(Kind::Walking, size);
            TableError::new(path, TableProblem::Format(error))
        })?;
        let table = WalkingTable::new(boards.clone(), bits);
        Ok(Some(table.expect("the length is right")))
    }

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
    ) -> Result<WalkingTable, Unbuilt> {
        let bits = Bits::Built(boards.build(control)?.bits);
        Ok(WalkingTable::new(boards, bits).expect("a built table is whole"))
    }

    /// The abstract boards of its size.
    pub fn boards(&self) -> &AbstractBoards {
        &self.boards
    }

    /// The distances, a bit each.
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
    ///
    /// It is not inlined, so that what calls it can be: IDA* makes 42 instead of 30 million
    /// nodes/s on 4x4.
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
    pub fn distance(&self, axis: usize, tally: Tally) -> u8 {
        let numbering = &self.boards.numberings[axis];
        let goal = numbering.shape().goal();
        steps_home(
            tally,
            self.residue(axis, tally),
            |&tally| tally == goal,
            |&tally, bit| {
                let mut nearer = None;
                numbering.for_each_step(tally, |step| {
                    if bit_at(self.bits_of(axis), step.number) == bit {
                        nearer = Some(step.tally);
                    }
                });
                nearer
            },
        )
    }
}
