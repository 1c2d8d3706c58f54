//! What is written about runs: the rows of runs and of thresholds, their formats, the append-only
//! file that keeps them, and the sidecar beside it.

mod format;
mod journal;
mod row;
mod sidecar;
mod threshold_row;

pub(crate) use format::data_line;
pub use format::{RowFormat, RowsError, parse_rows};
pub use journal::{Journal, JournalError};
pub(crate) use row::nanoseconds;
pub use row::{ConfigurationKey, Row, RunFacts, RunKey, Status};
pub(crate) use sidecar::checksum;
pub use sidecar::{Meta, Session, ShardRecord, TableRecord};
pub use threshold_row::{IterationRow, SearchKey};
