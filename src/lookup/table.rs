//! A pattern database that can be read: values by place.

use memmap2::Mmap;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::puzzle::{Cell, Tile};

use super::{
    BuildControl, Cancelled, Description, Directory, FormatError, Index, Kind, Pattern, Place,
    Problem, TableError, TableFile, build,
};

/// The values of a pattern's places.
#[derive(Debug)]
pub struct PatternTable {
    pattern: Pattern,
    index: Index,
    values: Values,
}

/// Where the bytes of a table lie.
#[derive(Debug)]
pub enum Values {
    Built(Vec<u8>),
    Mapped(Box<TableFile<Mmap>>),
}

/// The encoding of a payload: one byte for each place, in the order of their ranks. A place that
/// cannot be reached has 255, which the histogram leaves out.
const BYTES: u32 = 1;

impl Directory {
    /// Opens the table of a pattern; `None` where there is no such file.
    pub fn open_pattern(&self, pattern: &Pattern) -> Result<Option<PatternTable>, TableError> {
        let (kind, size) = (pattern.kind(), pattern.size());
        let Some(file) = self.open(kind, size)? else {
            return Ok(None);
        };
        let encoding = file.header().table.encoding;
        let table = match encoding {
            BYTES => PatternTable::new(*pattern, Values::Mapped(Box::new(file))),
            _ => None,
        };
        table.map(Some).ok_or_else(|| {
            let content = format!("its encoding {encoding} has not one value for each place");
            let problem = Problem::Format(FormatError::Content(content));
            TableError::new(self.path_of(kind, size), problem)
        })
    }
}

impl Pattern {
    /// What its table's file says that it holds.
    pub fn kind(&self) -> Kind {
        Kind::Patterns { tiles: self.mask() }
    }
}

impl AsRef<[u8]> for Values {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        match self {
            Values::Built(values) => values,
            Values::Mapped(file) => file.payload(),
        }
    }
}

impl PatternTable {
    /// `None` if there is not one value for each place.
    pub fn new(pattern: Pattern, values: Values) -> Option<PatternTable> {
        let index = Index::new(&pattern);
        (values.as_ref().len() == index.places()).then_some(PatternTable {
            pattern,
            index,
            values,
        })
    }

    /// Builds the table of a pattern in memory.
    pub fn build(pattern: Pattern, control: &BuildControl<'_>) -> Result<PatternTable, Cancelled> {
        let values = Values::Built(build(&pattern, control)?);
        Ok(PatternTable::new(pattern, values).expect("a built table is whole"))
    }

    /// What the file of a table says of it.
    pub fn description(pattern: &Pattern, values: &[u8], command: &str) -> Description {
        let counts = values.par_chunks(1 << 20).map(|values| {
            let mut counts = [0u64; u8::MAX as usize + 1];
            values
                .iter()
                .for_each(|&value| counts[usize::from(value)] += 1);
            counts
        });
        let none = || [0u64; u8::MAX as usize + 1];
        let counts = counts.reduce(none, |a, b| {
            std::array::from_fn(|value| a[value] + b[value])
        });
        Description {
            kind: pattern.kind(),
            size: pattern.size(),
            encoding: BYTES,
            entries: values.len() as u64,
            histogram: std::array::from_fn(|value| counts[value]),
            command: command.to_owned(),
        }
    }

    /// Has all of it in memory.
    pub fn read_in(&self) {
        if let Values::Mapped(file) = &self.values {
            file.read_in();
        }
    }

    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub fn index(&self) -> &Index {
        &self.index
    }

    pub fn values(&self) -> &[u8] {
        self.values.as_ref()
    }

    /// Whether this process built the table, and no file has it.
    pub fn is_built(&self) -> bool {
        matches!(self.values, Values::Built(_))
    }

    /// The checksum of the values, as a file's header has it.
    pub fn checksum(&self) -> u64 {
        match &self.values {
            Values::Built(values) => xxh3_64(values),
            Values::Mapped(file) => file.header().payload_checksum,
        }
    }

    /// The place of the tiles, where `cell_of` says in which cell each one is.
    pub fn place(&self, cell_of: impl Fn(Tile) -> Cell) -> Place {
        self.index.place(cell_of)
    }

    /// The fewest moves of the pattern's tiles that bring them home.
    #[inline(always)]
    pub fn value(&self, place: Place) -> u8 {
        self.values.as_ref()[self.index.rank(place)]
    }
}
