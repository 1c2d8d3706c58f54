//! Which lookup tables a search reads, so that what a damaged one made can be told from the rest.
//!
//! A sidecar has them for each session, and a row is of the session in which it began; a threshold
//! carries them itself, because another process goes on from it.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::heuristic::Estimate;
use crate::lookup::{Bits, Directory, Endgame, Kind, PatternTable, WalkingTable};
use crate::puzzle::Size;
use crate::search::Settings;

/// A lookup table that was read.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TableRecord {
    /// As its file is called, or would be.
    pub name: String,
    /// Of its payload.
    pub bytes: u64,
    /// Of its payload, as the header has it.
    pub checksum: String,
    /// Whether the process built it; otherwise it came from a file.
    pub built_in_memory: bool,
    /// Whether the payload is known to have that checksum: a damaged one has the header of a
    /// whole one.
    pub verified: bool,
    /// When the file last changed, of one that is not verified: a repair changes that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_at: Option<String>,
}

/// The tables that a search reads, files `verified` or not.
pub fn tables_read(settings: &Settings<'_>, verified: bool) -> Vec<TableRecord> {
    if !settings.algorithm.is_informed() {
        return Vec::new();
    }
    let mut tables: Vec<TableRecord> = match settings.heuristic {
        Estimate::WalkingDistance(walking) => walking.table().map(of_walking).into_iter().collect(),
        Estimate::Patterns(patterns) => patterns.tables().iter().map(of_pattern).collect(),
        Estimate::Zero | Estimate::Taxicab | Estimate::LinearConflict => Vec::new(),
    };
    tables.extend(settings.endgame.map(of_endgame));
    for table in &mut tables {
        table.verified = verified || table.built_in_memory;
        if table.verified {
            table.changed_at = None;
        }
    }
    tables
}

/// The same in one field: their checksums in the order in which a search names them.
pub fn mark(tables: &[TableRecord]) -> String {
    let marks = tables.iter().map(|table| match table.verified {
        true => table.checksum.clone(),
        false => {
            let changed = table.changed_at.as_deref().unwrap_or_default();
            format!("unverified:{}@{changed}", table.checksum)
        }
    });
    marks.collect::<Vec<String>>().join(" ")
}

impl TableRecord {
    /// Whether what was made with this table can stand beside what is made with another one of the
    /// same name: it is the same, and it is not less known to be whole. Of two that were both not
    /// verified, the file has not changed since.
    pub fn stands_beside(&self, other: &TableRecord) -> bool {
        let is_same_file = self.changed_at.is_some() && self.changed_at == other.changed_at;
        let is_as_whole = self.verified || !other.verified && is_same_file;
        self.checksum == other.checksum && is_as_whole
    }
}

fn of_endgame(endgame: &Endgame) -> TableRecord {
    let depth = endgame.depth();
    TableRecord {
        name: Directory::name_of(Kind::Endgame { depth }, endgame.size()),
        bytes: endgame.bytes(),
        checksum: checksum(endgame.checksum()),
        built_in_memory: endgame.is_built(),
        verified: false,
        changed_at: endgame.changed_at().map(in_utc),
    }
}

fn of_pattern(table: &PatternTable) -> TableRecord {
    let pattern = table.pattern();
    of_bits(pattern.kind(), pattern.size(), table.bits())
}

fn of_walking(table: &WalkingTable) -> TableRecord {
    of_bits(Kind::Walking, table.boards().size(), table.bits())
}

fn of_bits(kind: Kind, size: Size, bits: &Bits) -> TableRecord {
    TableRecord {
        name: Directory::name_of(kind, size),
        bytes: bits.as_ref().len() as u64,
        checksum: checksum(bits.checksum()),
        built_in_memory: bits.is_built(),
        verified: false,
        changed_at: bits.changed_at().map(in_utc),
    }
}

fn in_utc(time: SystemTime) -> String {
    humantime::format_rfc3339_nanos(time).to_string()
}

pub(crate) fn checksum(sum: u64) -> String {
    format!("xxh3:{sum:016x}")
}
