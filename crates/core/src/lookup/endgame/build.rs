//! Building an endgame table: layers first, then all of them into one hash table.

use std::mem::size_of;
use std::time::{Duration, Instant};

use memmap2::MmapMut;
use rayon::prelude::*;

use super::layers::{Layers, PARTS};
use super::slots::{home, home_bytes, lines};
use super::{ENCODING, Endgame, EndgamePlan, InMemory, is_narrow};
use crate::lookup::{BuildControl, Description, Kind, Layer, VALUES};
use crate::puzzle::{Entry, Size, WideBoard};

/// How deep a table goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// All states up to this distance.
    Depth(u32),
    /// As deep as can be finished in so long.
    Time(Duration),
}

/// What to build, and how to hear of it.
#[derive(Clone, Copy)]
pub struct Builder<'a> {
    /// The boards.
    pub size: Size,
    /// How far it goes.
    pub until: Until,
    /// The most bytes to hold.
    pub memory: Option<u64>,
    /// How it is watched.
    pub control: BuildControl<'a>,
}

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// The caller did not wait.
    #[error("interrupted")]
    Cancelled,
    /// No entry has room for such a distance.
    #[error("an endgame of {size} has at most depth {deepest}, not {depth}")]
    TooDeep {
        /// The boards.
        size: Size,
        /// What was asked for.
        depth: u32,
        /// What there is at most.
        deepest: u32,
    },
    /// There are no tables for such boards.
    #[error(transparent)]
    WideBoard(#[from] WideBoard),
    /// It does not fit.
    #[error("building it takes about {needed} bytes of memory, and {free} are free")]
    Memory {
        /// Bytes that the build takes.
        needed: u64,
        /// Bytes that it may take.
        free: u64,
    },
}

/// A table in memory, and what it is made of.
pub struct BuiltEndgame {
    table: InMemory,
    size: Size,
    depth: u32,
    layers: Vec<u64>,
}

impl Builder<'_> {
    /// Builds it in memory, breadth first from the goal.
    pub fn build(&self) -> Result<BuiltEndgame, BuildError> {
        let (size, deepest) = (self.size, Endgame::deepest(self.size));
        size.refuse_wide()?;
        if let Until::Depth(depth) = self.until {
            if depth > deepest {
                return Err(BuildError::TooDeep {
                    size,
                    depth,
                    deepest,
                });
            }
            self.check_memory(EndgamePlan::new(size, depth).memory)?;
        }
        match is_narrow(size) {
            true => self.build_words::<u64>(),
            false => self.build_words::<u128>(),
        }
    }

    fn build_words<W: Entry>(&self) -> Result<BuiltEndgame, BuildError> {
        let begun = Instant::now();
        let mut layers = Layers::<W>::new(self.size);
        while self.goes_deeper(&layers, begun.elapsed())? {
            if !layers.deepen(&self.control) {
                return Err(BuildError::Cancelled);
            }
            let sizes = layers.sizes();
            if let Some(listener) = self.control.listener {
                listener(Layer {
                    depth: sizes.len() as u32 - 1,
                    states: sizes[sizes.len() - 1],
                    reached: layers.total(),
                });
            }
        }
        let mut sizes = layers.sizes().to_vec();
        // Behind the farthest layer there is an empty one.
        sizes.pop_if(|last| *last == 0);
        Ok(BuiltEndgame {
            table: self.place(layers)?,
            size: self.size,
            depth: match self.until {
                Until::Depth(depth) => depth,
                Until::Time(_) => sizes.len() as u32 - 1,
            },
            layers: sizes,
        })
    }

    /// Whether there is a next layer that is wanted and fits.
    fn goes_deeper<W: Entry>(
        &self,
        layers: &Layers<W>,
        elapsed: Duration,
    ) -> Result<bool, BuildError> {
        let sizes = layers.sizes();
        let depth = sizes.len() as u32 - 1;
        let is_all = sizes[sizes.len() - 1] == 0 || depth == Endgame::deepest(self.size);
        let total = layers.total() + EndgamePlan::next_layer(self.size, sizes);
        let memory = EndgamePlan::memory::<W>(total, sizes.len() + 1);
        match self.until {
            Until::Depth(wanted) => {
                if is_all || depth == wanted {
                    return Ok(false);
                }
                self.check_memory(memory).map(|()| true)
            }
            Until::Time(limit) => {
                // The next layer takes longer than the last by as much as it is larger, and the
                // table is then made of all.
                let last = layers.times()[sizes.len() - 1];
                let table = elapsed.mul_f64(TABLE_SHARE);
                let predicted = elapsed + (last + table).mul_f64(GROWTH);
                let fits = self.check_memory(memory).is_ok();
                Ok(!is_all && predicted < limit && fits)
            }
        }
    }

    fn check_memory(&self, needed: u64) -> Result<(), BuildError> {
        match self.memory {
            Some(free) if needed > free => Err(BuildError::Memory { needed, free }),
            _ => Ok(()),
        }
    }

    /// Puts every state into its slot, in the order of the hashes.
    fn place<W: Entry>(&self, layers: Layers<W>) -> Result<InMemory, BuildError> {
        let entries = layers.total();
        let homes = home_bytes::<W>(entries) as usize;
        // Room for what runs over the last home: at worst every entry does, and what is not
        // used of it costs nothing.
        let most = homes + (entries as usize + 1) * size_of::<W>();
        let no_memory = |_| BuildError::Memory {
            needed: most as u64,
            free: 0,
        };
        let mut pages = MmapMut::map_anon(most).map_err(no_memory)?;
        // Look-ups are at random: small pages would miss the TLB as well as the cache.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        let slots: &mut [W] = bytemuck::cast_slice_mut(&mut pages);
        let lines = lines::<W>(entries);
        let mut free = 0;
        let mut sorted = vec![Vec::new(); TOGETHER];
        for first in (0..PARTS).step_by(TOGETHER) {
            if self.control.is_cancelled() {
                return Err(BuildError::Cancelled);
            }
            let parts = (first..first + TOGETHER).into_par_iter();
            let lists = parts.zip(&mut sorted);
            lists.for_each(|(part, entries)| layers.sort_part(part, entries));
            for &entry in sorted.iter().flatten() {
                let at = free.max(home(entry.hash(), lines) / size_of::<W>());
                slots[at] = entry.to_le();
                free = at + 1;
            }
        }
        let bytes = homes.max(free * size_of::<W>()) + size_of::<W>();
        Ok(InMemory { pages, bytes })
    }
}

/// Parts that are put in order at one time.
pub(super) const TOGETHER: usize = 64;
/// The time for the table, as a share of the time for its layers.
const TABLE_SHARE: f64 = 0.7;
/// The most that a layer is larger than the one before it, for boards of 4x4 and more.
const GROWTH: f64 = 2.3;

impl BuiltEndgame {
    /// The distance of its last layer.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// How many states there are at each distance.
    pub fn layers(&self) -> &[u64] {
        &self.layers
    }

    /// The table as it lies in a file.
    pub fn payload(&self) -> &[u8] {
        self.table.as_ref()
    }

    /// What its file says about itself.
    pub fn description(&self, command: &str) -> Description {
        let mut histogram = [0; VALUES];
        histogram[..self.layers.len()].copy_from_slice(&self.layers);
        Description {
            kind: Kind::Endgame { depth: self.depth },
            size: self.size,
            encoding: ENCODING,
            entries: self.layers.iter().sum(),
            histogram,
            command: command.to_owned(),
        }
    }
}

impl From<BuiltEndgame> for Endgame {
    fn from(built: BuiltEndgame) -> Endgame {
        let entries = built.layers.iter().sum();
        let (size, depth) = (built.size, built.depth);
        let last_layer = built.layers.get(depth as usize).copied().unwrap_or(0);
        Endgame::over(Box::new(built.table), size, depth, entries, last_layer)
    }
}
