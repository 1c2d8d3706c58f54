//! From the names of a heuristic and of an endgame to the tables: finds them, or builds them.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::lookup::endgame::{BuildError, EndgameError, EndgameName};
use crate::lookup::{
    AbstractBoards, BuildControl, BuildPlan, Collection, Directory, Endgame, FormatError,
    PartitionError, PatternTable, TableError, TableProblem, Unbuilt, Unsupported, WalkingTable,
};
use crate::puzzle::Size;
use crate::sys::machine;

use super::{Estimate, HeuristicName, Patterns, TalliedWalks, WalkingDistance};

/// Where tables are, and partitions of the user's own.
///
/// A damaged table makes solutions longer and says nothing, so what is opened here is read in whole
/// and compared with its checksum, each file once.
#[derive(Clone, Debug)]
pub struct Tables {
    directory: Directory,
    /// Names and texts of partitions.
    partitions: Vec<(String, String)>,
    trust: bool,
    /// Files that were found whole, with the checksum of their tables.
    whole: Arc<Mutex<HashSet<(PathBuf, u64)>>>,
    /// The most bytes for what is built in memory, and those that it takes so far.
    memory: Option<u64>,
    built: Arc<AtomicU64>,
}

/// Why there is no such estimate, or no such endgame.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// There is no walking distance for such boards.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// No such partition.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is no such endgame.
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    /// A table that takes long to build, and has no file.
    #[error("pdb:{partition} needs {path}, which is not there")]
    NotBuilt {
        /// The collection that it belongs to.
        partition: String,
        /// The boards.
        size: Size,
        /// Where it would be.
        path: PathBuf,
    },
    /// One that would be built in memory does not fit.
    #[error("building {table} takes {needed} bytes of memory, and {most} are left for it")]
    Memory {
        /// The table.
        table: String,
        /// Bytes that the build takes.
        needed: u64,
        /// Bytes that it may take.
        most: u64,
    },
    /// The caller did not wait, or the system gives no memory.
    #[error(transparent)]
    Unbuilt(#[from] Unbuilt),
}

impl TablesError {
    /// Whether another name, or another command first, would have helped.
    pub fn is_usage(&self) -> bool {
        match self {
            TablesError::Endgame(error) => error.is_usage(),
            TablesError::Table(_) | TablesError::Unbuilt(_) => false,
            _ => true,
        }
    }

    /// Whether the caller did not wait for a table.
    pub fn is_cancelled(&self) -> bool {
        use TablesError::Endgame;
        matches!(
            self,
            TablesError::Unbuilt(Unbuilt::Cancelled)
                | Endgame(EndgameError::Build(BuildError::Cancelled))
        )
    }
}

/// States that are built in memory where there is no file: about two seconds on two cores.
const BUILT_AT_ONCE: u64 = 300_000_000;

impl Tables {
    /// Tables in a folder.
    pub fn new(directory: Directory) -> Tables {
        Tables {
            directory,
            partitions: Vec::new(),
            trust: false,
            whole: Arc::default(),
            memory: None,
            built: Arc::default(),
        }
    }

    /// Builds nothing in memory that takes more than so many bytes, all tables together.
    pub fn within(mut self, memory: Option<u64>) -> Tables {
        self.memory = memory;
        self
    }

    /// Bytes of all tables that were built in memory.
    pub fn built_bytes(&self) -> u64 {
        self.built.load(Relaxed)
    }

    /// The bytes that a build in memory may take.
    pub fn memory_left(&self) -> Option<u64> {
        let asked = self
            .memory
            .map(|most| most.saturating_sub(self.built_bytes()));
        asked.into_iter().chain(machine::free_memory()).min()
    }

    /// Refuses a build that would take more than there is; it is begun nowhere else.
    fn check_memory(&self, table: impl FnOnce() -> String, needed: u64) -> Result<(), TablesError> {
        match self.memory_left() {
            Some(most) if needed > most => Err(TablesError::Memory {
                table: table(),
                needed,
                most,
            }),
            _ => Ok(()),
        }
    }

    /// Takes files for what their headers say, without a look at the rest.
    pub fn trusting(mut self, trust: bool) -> Tables {
        self.trust = trust;
        self
    }

    /// Whether files are taken for what their headers say.
    pub fn trust(&self) -> bool {
        self.trust
    }

    /// Has `verify` look at a file, unless it is trusted, or was found whole; says whether it did,
    /// and so has all of it in memory.
    fn check(
        &self,
        path: PathBuf,
        checksum: u64,
        verify: impl FnOnce() -> Result<(), FormatError>,
    ) -> Result<bool, TableError> {
        let whole = || self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        let file = (path, checksum);
        if self.trust || whole().contains(&file) {
            return Ok(false);
        }
        if let Err(error) = verify() {
            return Err(TableError::new(file.0, TableProblem::Format(error)));
        }
        whole().insert(file);
        Ok(true)
    }

    /// Gives a partition a name of the user's own.
    pub fn define(&mut self, name: String, partition: String) {
        self.partitions.push((name, partition));
    }

    /// The folder.
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// The collection of that name, or drawn so.
    pub fn collection(&self, name: &str, size: Size) -> Result<Collection, PartitionError> {
        Collection::parse(self.partition_text(name), size)
    }

    /// The text of a partition with a name of the user's own, or else the name itself.
    pub fn partition_text<'a>(&'a self, name: &'a str) -> &'a str {
        let own = self.partitions.iter().find(|(own, _)| own == name);
        own.map_or(name, |(_, text)| text)
    }

    /// Finds or builds what a heuristic needs for boards of a size.
    pub fn prepare(
        &self,
        name: &HeuristicName,
        size: Size,
        control: &BuildControl<'_>,
    ) -> Result<Prepared, TablesError> {
        match name {
            HeuristicName::Computed(estimate) => Ok(Prepared::computed(*estimate)),
            HeuristicName::WalkingDistance => {
                self.prepare_walking(AbstractBoards::new(size)?, control)
            }
            HeuristicName::Patterns { partition, mirror } => {
                self.prepare_patterns(partition, *mirror, size, control)
            }
            HeuristicName::Auto => self.prepare_strongest(size, control),
        }
    }

    /// Finds or builds an endgame for boards of a size.
    pub fn prepare_endgame(
        &self,
        name: &EndgameName,
        size: Size,
        control: &BuildControl<'_>,
    ) -> Result<PreparedEndgame, TablesError> {
        let begun = Instant::now();
        let memory = self.memory_left();
        let table = name.open_or_build(size, &self.directory, memory, control)?;
        if table.is_built() {
            self.built.fetch_add(table.bytes(), Relaxed);
        }
        if !table.is_built() {
            let path = name.path(size, &self.directory);
            self.check(path, table.checksum(), || table.verify())?;
        }
        Ok(PreparedEndgame {
            table,
            time: begun.elapsed(),
        })
    }

    /// The strongest collection whose files are there or that is built at once.
    fn prepare_strongest(
        &self,
        size: Size,
        control: &BuildControl<'_>,
    ) -> Result<Prepared, TablesError> {
        let strongest_first = Collection::names(size)
            .collect::<Vec<_>>()
            .into_iter()
            .rev();
        for name in strongest_first {
            match self.prepare_patterns(name, true, size, control) {
                Err(TablesError::NotBuilt { .. } | TablesError::Memory { .. }) => {}
                prepared => return prepared,
            }
        }
        self.prepare(&strongest_without_patterns(size), size, control)
    }

    /// What `auto` stands for on boards of a size; `None` where the tables at hand decide it.
    pub fn auto_on(size: Size) -> Option<HeuristicName> {
        let has_collections = Collection::names(size).next().is_some();
        (!has_collections).then(|| strongest_without_patterns(size))
    }

    /// Small sizes need no table. Others have a file, or are built in memory: the largest, that of
    /// 5x5, takes seconds.
    fn prepare_walking(
        &self,
        boards: AbstractBoards,
        control: &BuildControl<'_>,
    ) -> Result<Prepared, TablesError> {
        let begun = Instant::now();
        let found = match boards.are_listed() {
            true => None,
            false => WalkingTable::open(&self.directory, &boards)?,
        };
        let walking = match found {
            Some(table) => WalkingDistance::Tallied(TalliedWalks::new(table)),
            None => {
                if !boards.are_listed() {
                    let name = || format!("the walking distances of {}", boards.size());
                    self.check_memory(name, boards.memory())?;
                    self.built.fetch_add(boards.bytes(), Relaxed);
                }
                WalkingDistance::build(boards, control)?
            }
        };
        Ok(Prepared {
            content: Content::Walking(walking),
            time: begun.elapsed(),
            is_read: true,
        })
    }

    fn prepare_patterns(
        &self,
        name: &str,
        mirror: bool,
        size: Size,
        control: &BuildControl<'_>,
    ) -> Result<Prepared, TablesError> {
        let collection = self.collection(name, size)?;
        let begun = Instant::now();
        let mut tables = Vec::new();
        let mut missing = Vec::new();
        for pattern in collection.patterns() {
            let table = PatternTable::open(&self.directory, &pattern)?;
            if table.is_none() {
                missing.push(pattern);
            }
            tables.push(table);
        }
        let states: u64 = missing
            .iter()
            .map(|pattern| BuildPlan::new(pattern).states)
            .sum();
        if let [first, ..] = missing[..]
            && states > BUILT_AT_ONCE
        {
            return Err(TablesError::NotBuilt {
                partition: name.to_owned(),
                size,
                path: self.directory.path_of(first.kind(), size),
            });
        }
        let opened = tables.par_iter().flatten();
        let read = opened.map(|table| {
            let (pattern, bits) = (table.pattern(), table.bits());
            let path = self.directory.path_of(pattern.kind(), pattern.size());
            self.check(path, bits.checksum(), || bits.verify())
        });
        let is_read = read.try_reduce(|| true, |all, one| Ok(all && one))?;
        let patterns = collection.patterns().into_iter().zip(tables);
        let tables = patterns.map(|(pattern, table)| match table {
            Some(table) => Ok(table),
            None => {
                let plan = BuildPlan::new(&pattern);
                let name = || format!("the {size} {}", pattern.kind());
                self.check_memory(name, plan.memory)?;
                self.built.fetch_add(plan.bytes, Relaxed);
                Ok(PatternTable::build(pattern, control)?)
            }
        });
        let tables = tables.collect::<Result<Vec<_>, TablesError>>()?;
        Ok(Prepared {
            content: Content::Patterns(Patterns::new(collection, tables, mirror)),
            time: begun.elapsed(),
            is_read,
        })
    }
}

fn strongest_without_patterns(size: Size) -> HeuristicName {
    match AbstractBoards::new(size) {
        Ok(_) if size.cells() <= 16 => HeuristicName::WalkingDistance,
        _ => HeuristicName::Computed(Estimate::LinearConflict),
    }
}

/// An endgame, and how long it took to open or build it.
#[derive(Debug)]
pub struct PreparedEndgame {
    /// The table.
    pub table: Endgame,
    /// How long it took to open or build.
    pub time: Duration,
}

/// An estimate with the tables that it reads.
#[derive(Debug)]
pub struct Prepared {
    content: Content,
    time: Duration,
    /// Whether all tables are in memory.
    is_read: bool,
}

#[derive(Debug)]
enum Content {
    Computed(Estimate<'static>),
    Walking(WalkingDistance),
    Patterns(Patterns),
}

impl Prepared {
    fn computed(estimate: Estimate<'static>) -> Prepared {
        Prepared {
            content: Content::Computed(estimate),
            time: Duration::ZERO,
            is_read: true,
        }
    }

    /// The estimate, ready for a search.
    pub fn estimate(&self) -> Estimate<'_> {
        match &self.content {
            Content::Computed(estimate) => *estimate,
            Content::Walking(walking) => Estimate::WalkingDistance(walking),
            Content::Patterns(patterns) => Estimate::Patterns(patterns),
        }
    }

    /// Has all tables in memory, so that the first search is as fast as the next.
    pub fn read_in(&mut self) {
        if let (Content::Patterns(patterns), false) = (&self.content, self.is_read) {
            let begun = Instant::now();
            let tables = patterns.tables().iter();
            tables.for_each(|table| table.bits().read_in());
            self.time += begun.elapsed();
            self.is_read = true;
        }
    }

    /// How long it took to open or build the tables.
    pub fn time(&self) -> Duration {
        self.time
    }
}
