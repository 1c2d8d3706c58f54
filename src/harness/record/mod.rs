//! What is written about runs: the rows of runs and of thresholds, their formats, the append-only
//! file that keeps them, and the sidecar beside it.

mod format;
mod journal;
mod key;
mod row;
mod sidecar;
mod threshold_row;

pub(crate) use format::data_line;
pub use format::{Record, RowFormat, RowsError, parse_own_rows, parse_rows};
pub use journal::{Journal, JournalError};
pub use key::{ConfigurationKey, Configurations, RunKey, SOLVER};
pub use row::{Row, RunFacts, Status};
pub(crate) use row::{nanoseconds, numbers};
pub(crate) use sidecar::checksum;
pub use sidecar::{Meta, Session, ShardRecord, TableRecord};
pub use threshold_row::{IterationRow, SearchKey};
