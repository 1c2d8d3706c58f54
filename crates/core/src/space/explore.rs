//! All layers of a space.

use std::io;
use std::path::{Path, PathBuf};

use super::bitmaps::{Bitmaps, groups};
use super::index::Index;
use super::journal::{Folder, Journal};
use super::lists::{Head, Neighbours, State, Tail};
use super::multi::{Multi, MultiMaps};
use super::plan::SpacePlan;
use super::single::Single;
use super::watch::{Cancelled, SpaceControl, SpaceEvent, Watch};
use crate::puzzle::{Board, Metric, Size};

/// All states of a size by their distance from the goal `first`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Space {
    /// The size of its boards.
    pub size: Size,
    /// What counts as a move.
    pub metric: Metric,
    /// How many states are at each distance.
    pub counts: Vec<u64>,
    /// The boards of the last layer, by their tiles. There are none here if that layer is no small
    /// part of the space; no size is known where that is so.
    pub farthest: Vec<Board>,
}

impl Space {
    /// How many moves the farthest boards need.
    pub fn radius(&self) -> usize {
        self.counts.len() - 1
    }
}

/// Why a space was not explored.
#[derive(Debug, thiserror::Error)]
pub enum SpaceError {
    /// The caller did not wait.
    #[error("the exploration was interrupted")]
    Cancelled,
    /// More cells than a rank holds.
    #[error("{0} has more than {most} cells, the most whose space can be explored", most = Index::MOST_CELLS)]
    TooLarge(Size),
    /// The system gives no more memory.
    #[error("the exploration takes {0} bytes of memory more than the system gives")]
    NoMemory(u64),
    /// Another process has the files.
    #[error("another exploration is at work in {}", .0.display())]
    Locked(PathBuf),
    /// A file that no exploration of this version left.
    #[error("{} was not left by an exploration of this version", .0.display())]
    Foreign(PathBuf),
    /// The disk is too full.
    #[error("the bitmaps need {needed} bytes in {}, where {free} are free", folder.display())]
    NoRoom {
        /// Where.
        folder: PathBuf,
        /// Bytes of all bitmaps.
        needed: u128,
        /// Bytes that are free.
        free: u64,
    },
    /// A file cannot be read or written.
    #[error("cannot work with {}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl SpaceError {
    pub(super) fn file(path: &Path, source: io::Error) -> SpaceError {
        SpaceError::File {
            path: path.to_owned(),
            source,
        }
    }
}

impl From<Cancelled> for SpaceError {
    fn from(_: Cancelled) -> SpaceError {
        SpaceError::Cancelled
    }
}

/// Every state of a size, breadth-first from the goal `first`, on the threads of the current pool.
///
/// With a folder the bitmaps are mapped files there, and one that was stopped, in whatever way,
/// goes on behind its last layer. [`remove_files`](super::remove_files) is for when all is done.
///
/// ```
/// use slidebench::puzzle::Metric;
/// use slidebench::space::{SpaceControl, explore};
///
/// let space = explore("2x3".parse()?, Metric::Single, None, SpaceControl::default())?;
/// assert_eq!(space.radius(), 21);
/// assert_eq!(space.farthest[0].to_string(), "3 4 5 / 0 1 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explore(
    size: Size,
    metric: Metric,
    folder: Option<&Path>,
    control: SpaceControl<'_>,
) -> Result<Space, SpaceError> {
    if size.cells() > Index::MOST_CELLS {
        return Err(SpaceError::TooLarge(size));
    }
    let plan = SpacePlan::new(size, metric);
    let folder = folder
        .map(|folder| Folder::open(folder, &plan))
        .transpose()?;
    let mut search = Search::begin(plan, folder, control)?;
    let left = match metric {
        Metric::Single => search.single()?,
        Metric::Multi => search.multi()?,
    };
    let tail = Tail::new(left, &search.neighbours);
    let mut counts = search.journal.counts;
    counts.extend(tail.counts);
    let farthest = tail.farthest.into_iter();
    let mut farthest: Vec<Board> = farthest.map(|state| search.index.board(state)).collect();
    farthest.sort_unstable_by(|a, b| a.tiles().cmp(b.tiles()));
    Ok(Space {
        size,
        metric,
        counts,
        farthest,
    })
}

/// An exploration under way.
struct Search<'a> {
    plan: SpacePlan,
    index: Index,
    neighbours: Neighbours,
    folder: Option<Folder>,
    journal: Journal,
    /// The states of the first layers, which are in no bitmap yet.
    head: Vec<State>,
    control: SpaceControl<'a>,
}

impl<'a> Search<'a> {
    /// Makes the first layers, or finds what an earlier process left.
    fn begin(
        plan: SpacePlan,
        folder: Option<Folder>,
        control: SpaceControl<'a>,
    ) -> Result<Search<'a>, SpaceError> {
        let index = Index::new(plan.size);
        let neighbours = Neighbours::new(index.laid(), plan.metric);
        let left = folder.as_ref().and_then(|folder| folder.journal.clone());
        let (journal, head) = match left {
            Some(journal) => {
                let depth = journal.counts.len() - 1;
                control.tell(SpaceEvent::Resumed { depth });
                (journal, Vec::new())
            }
            None => {
                let head = Head::new(&index, &neighbours, plan.listed());
                (Journal::new(&plan, head.counts), head.states)
            }
        };
        Ok(Search {
            plan,
            index,
            neighbours,
            folder,
            journal,
            head,
            control,
        })
    }

    fn bitmaps(&self, number: usize, maps: usize) -> Result<Bitmaps, SpaceError> {
        match &self.folder {
            // A file of no length cannot be mapped.
            Some(folder) if maps > 0 => folder.bitmaps(number, &self.index, maps),
            _ => {
                let bytes = 8 * (self.index.words() * maps) as u64;
                let bitmaps = Bitmaps::in_memory(&self.index, maps);
                bitmaps.ok_or(SpaceError::NoMemory(bytes))
            }
        }
    }

    /// Notes that bitmaps are as far as the journal says.
    fn save(&self, flush: impl FnOnce() -> io::Result<()>) -> Result<(), SpaceError> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        flush().map_err(|error| folder.failed(error))?;
        folder.save(&self.journal)
    }

    fn reached(&self) -> u64 {
        self.journal.counts.iter().sum()
    }

    /// States that have not been reached, if these are few enough to be listed.
    fn few_are_left(&self) -> bool {
        self.plan.states - u128::from(self.reached()) <= self.plan.listed() as u128
    }

    /// What is told while so many passes make the next layer.
    fn watch(&self, passes: usize) -> Watch<'a> {
        let depth = self.journal.counts.len();
        Watch::new(
            self.control,
            depth,
            self.reached(),
            passes * groups(&self.index),
        )
    }

    /// All layers but the last ones, with one tile a move; the states that are left.
    fn single(&mut self) -> Result<Vec<State>, SpaceError> {
        let [white, black] = Single::cells(&self.index).map(|cells| cells.len());
        let halves = [self.bitmaps(0, white)?, self.bitmaps(1, black)?];
        let mut single = Single::new(self.index, halves);
        if !self.head.is_empty() {
            self.head.drain(..).for_each(|state| single.insert(state));
            self.save(|| single.flush())?;
        }
        while !self.few_are_left() {
            let depth = self.journal.counts.len();
            let states = single.advance(depth, &self.watch(1))?;
            let known: u64 = self.journal.counts.iter().skip(depth % 2).step_by(2).sum();
            self.journal.counts.push(states - known);
            self.save(|| single.flush())?;
        }
        Ok(single.left())
    }

    /// The same with a row of tiles a move.
    fn multi(&mut self) -> Result<Vec<State>, SpaceError> {
        let maps = MultiMaps::new(&self.index);
        let [a, b] = maps.columns;
        let [c, d] = maps.moved;
        let rows = self.bitmaps(0, maps.rows)?;
        let columns = [self.bitmaps(1, a)?, self.bitmaps(2, b)?];
        let moved = [self.bitmaps(3, c)?, self.bitmaps(4, d)?];
        let mut multi = Multi::new(self.index, rows, columns, moved);
        if !self.head.is_empty() {
            self.head.drain(..).for_each(|state| multi.insert(state, 0));
            self.save(|| multi.flush())?;
        }
        let passes = multi.passes();
        loop {
            let watch = self.watch(passes);
            let slot = self.journal.slot;
            if !self.journal.rows_are_next {
                let left = multi.count_left(slot, &watch)?;
                let farther = self.plan.states - u128::from(left);
                self.journal.counts.push(farther as u64 - self.reached());
                if self.few_are_left() {
                    return Ok(multi.left(slot, &watch)?);
                }
                multi.advance_columns(slot, &watch)?;
                self.journal.rows_are_next = true;
                self.save(|| multi.flush())?;
            }
            multi.advance_rows(slot, &watch)?;
            self.journal.rows_are_next = false;
            self.journal.slot = 1 - slot;
            self.save(|| multi.flush())?;
        }
    }
}
