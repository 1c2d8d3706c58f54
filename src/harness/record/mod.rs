//! What is written about runs: the rows of runs and of thresholds, their formats, the append-only
//! files that keep them, and the sidecar beside them.

mod configurations;
mod format;
mod journal;
mod key;
mod plan_record;
mod resume;
mod row;
mod run_files;
mod shard;
mod sidecar;
mod threshold_file;
mod threshold_row;

pub use configurations::Configurations;
pub use format::{Record, RowFormat, RowsError};
pub use journal::{Destination, Journal, JournalError};
pub use key::{ConfigurationKey, RunKey, SOLVER};
pub use plan_record::{InstanceNames, PlanRecord, SearchRecord, SizedKey, SuiteRecord};
pub(crate) use resume::is_final;
pub use resume::latest;
pub use row::{Row, RunFacts, Status, parse_own_rows, parse_rows};
pub(crate) use row::{nanoseconds, numbers};
pub use run_files::{
    Companion, Earlier, FileChoices, Recorded, RunFiles, RunFilesError, write_rows,
};
pub use shard::{Shard, ShardError};
pub(crate) use sidecar::checksum;
pub use sidecar::{Session, ShardRecord, Sidecar, TableRecord};
pub use threshold_row::{SearchKey, ThresholdRow};
