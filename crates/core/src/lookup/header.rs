//! The first page of a table's file: what it holds, and checksums of all of it.

use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use super::FormatError;
use crate::puzzle::Size;

/// Values that a histogram counts: no table of a board has one of 128 or more.
pub const VALUES: usize = 128;

/// What a table is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The moves that a pattern's tiles need; bit t of `tiles` is set for its tile t.
    Patterns {
        /// The pattern's tiles as bits.
        tiles: u32,
    },
    /// Every state up to a distance from the goal.
    Endgame {
        /// The distance of its last layer.
        depth: u32,
    },
    /// The walking distances of all abstract boards.
    Walking,
}

impl Kind {
    const PATTERNS: u32 = 1;
    const ENDGAME: u32 = 2;
    const WALKING: u32 = 3;

    fn code(self) -> (u32, u32) {
        match self {
            Kind::Patterns { tiles } => (Kind::PATTERNS, tiles),
            Kind::Endgame { depth } => (Kind::ENDGAME, depth),
            Kind::Walking => (Kind::WALKING, 0),
        }
    }

    /// The numbers of a pattern's tiles.
    pub fn tiles(self) -> Vec<u32> {
        match self {
            Kind::Patterns { tiles } => (0..u32::BITS).filter(|t| tiles >> t & 1 == 1).collect(),
            Kind::Endgame { .. } | Kind::Walking => Vec::new(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Patterns { .. } => {
                let tiles: Vec<String> = self.tiles().iter().map(u32::to_string).collect();
                write!(f, "pattern of the tiles {}", tiles.join(" "))
            }
            Kind::Endgame { depth } => write!(f, "endgame to depth {depth}"),
            Kind::Walking => f.write_str("walking distance"),
        }
    }
}

/// What a builder says of its table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// What it is.
    pub kind: Kind,
    /// The boards that it is for.
    pub size: Size,
    /// How the payload is to be read: a number that the kind of table gives a meaning.
    pub encoding: u32,
    /// States or distances that it has.
    pub entries: u64,
    /// How many entries have each value.
    pub histogram: [u64; VALUES],
    /// The command that built it.
    pub command: String,
}

/// What a file says of itself.
///
/// The header is one page, so that the payload behind it is aligned to any word. All numbers
/// are little-endian.
///
/// | at | bytes | field |
/// | --- | --- | --- |
/// | 0 | 8 | magic: `slidetab` |
/// | 8 | 4 | version of the format: 1 |
/// | 12 | 4 | kind: 1 a pattern, 2 an endgame, 3 walking distances |
/// | 16 | 4 | the pattern's tiles as bits, the endgame's depth, or 0 |
/// | 20 | 1 + 1 | rows, columns |
/// | 22 | 2 | goal: 0 is `first`, the only one inside; tables serve both |
/// | 24 | 4 | encoding of the payload, the kind's own |
/// | 28 | 4 | length of the command |
/// | 32 | 8 | entries |
/// | 40 | 8 | offset of the payload: 4096 |
/// | 48 | 8 | length of the payload |
/// | 56 | 8 | checksum of the payload: XXH3, 64 bits |
/// | 64 | 128 × 8 | histogram: entries of each value |
/// | 1088 | 3000 | the command that built it, UTF-8, cut off where it is longer |
/// | 4088 | 8 | checksum of the 4088 bytes before: XXH3, 64 bits |
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What the file holds.
    pub table: Description,
    /// Bytes behind the header.
    pub payload_len: u64,
    /// Of these bytes.
    pub payload_checksum: u64,
}

const MAGIC: [u8; 8] = *b"slidetab";
const VERSION: u32 = 1;
const GOAL_FIRST: u16 = 0;
const HISTOGRAM: usize = 64;
const COMMAND: usize = HISTOGRAM + 8 * VALUES;
const CHECKSUM: usize = Header::LEN - 8;

impl Header {
    /// Bytes of a header, and where the payload starts.
    pub const LEN: usize = 4096;

    /// For a payload.
    pub fn new(table: &Description, payload: &[u8]) -> Header {
        Header {
            table: table.clone(),
            payload_len: payload.len() as u64,
            payload_checksum: xxh3_64(payload),
        }
    }

    /// As it stands in a file.
    pub fn to_bytes(&self) -> [u8; Header::LEN] {
        let Description {
            kind,
            size,
            encoding,
            entries,
            histogram,
            command,
        } = &self.table;
        let command = &command[..command.floor_char_boundary(CHECKSUM - COMMAND)];
        let (kind, detail) = kind.code();
        let mut page = Page([0; Header::LEN]);
        page.put(0, &MAGIC);
        page.put(8, &VERSION.to_le_bytes());
        page.put(12, &kind.to_le_bytes());
        page.put(16, &detail.to_le_bytes());
        page.put(20, &[size.rows() as u8, size.cols() as u8]);
        page.put(22, &GOAL_FIRST.to_le_bytes());
        page.put(24, &encoding.to_le_bytes());
        page.put(28, &(command.len() as u32).to_le_bytes());
        page.put(32, &entries.to_le_bytes());
        page.put(40, &(Header::LEN as u64).to_le_bytes());
        page.put(48, &self.payload_len.to_le_bytes());
        page.put(56, &self.payload_checksum.to_le_bytes());
        for (value, count) in histogram.iter().enumerate() {
            page.put(HISTOGRAM + 8 * value, &count.to_le_bytes());
        }
        page.put(COMMAND, command.as_bytes());
        page.put(CHECKSUM, &xxh3_64(&page.0[..CHECKSUM]).to_le_bytes());
        page.0
    }

    /// Whether the first bytes of a file, damaged or not, are those of a table.
    pub(super) fn begins_like(bytes: &[u8]) -> bool {
        let right = bytes.iter().zip(MAGIC).filter(|(byte, own)| *byte == own);
        2 * right.count() >= bytes.len().min(MAGIC.len())
    }

    /// Reads the header at the front of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, FormatError> {
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(FormatError::Magic);
        }
        let Some(page) = bytes.first_chunk::<{ Header::LEN }>() else {
            return Err(FormatError::NoHeader(bytes.len()));
        };
        let page = Page(*page);
        // Another version may have its checksum elsewhere, so this comes before it.
        match page.u32(8) {
            VERSION => {}
            version => return Err(FormatError::Version(version)),
        }
        if page.u64(CHECKSUM) != xxh3_64(&page.0[..CHECKSUM]) {
            return Err(FormatError::HeaderChecksum);
        }
        page.header()
    }
}

/// A header's bytes, read and written field by field.
struct Page([u8; Header::LEN]);

impl Page {
    fn put(&mut self, at: usize, field: &[u8]) {
        self.0[at..at + field.len()].copy_from_slice(field);
    }

    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|byte| self.0[at + byte])
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.array(at))
    }

    /// The fields of a page whose checksum is right: what is wrong now was written so.
    fn header(&self) -> Result<Header, FormatError> {
        let kind = match (self.u32(12), self.u32(16)) {
            (Kind::PATTERNS, tiles) => Kind::Patterns { tiles },
            (Kind::ENDGAME, depth) => Kind::Endgame { depth },
            (Kind::WALKING, 0) => Kind::Walking,
            (kind, _) => return Err(FormatError::Field("kind", kind.into())),
        };
        let [rows, cols] = self.array(20);
        let size = Size::new(rows.into(), cols.into()).map_err(FormatError::Size)?;
        size.refuse_wide()?;
        let goal = u16::from_le_bytes(self.array(22));
        if goal != GOAL_FIRST {
            return Err(FormatError::Goal(goal));
        }
        if self.u64(40) != Header::LEN as u64 {
            return Err(FormatError::Field("payload offset", self.u64(40)));
        }
        let command_len = self.u32(28);
        let command = self.0[COMMAND..CHECKSUM].get(..command_len as usize);
        let command = command.and_then(|command| std::str::from_utf8(command).ok());
        let Some(command) = command else {
            return Err(FormatError::Field("command length", command_len.into()));
        };
        Ok(Header {
            table: Description {
                kind,
                size,
                encoding: self.u32(24),
                entries: self.u64(32),
                histogram: std::array::from_fn(|value| self.u64(HISTOGRAM + 8 * value)),
                command: command.to_owned(),
            },
            payload_len: self.u64(48),
            payload_checksum: self.u64(56),
        })
    }
}
