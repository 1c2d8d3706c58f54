//! What is written about runs: the rows of runs and of thresholds, their formats, the append-only
//! files that keep them, and the sidecar beside them.

mod configurations;
mod csv_rows;
mod file_choices;
mod format;
mod incumbent_row;
mod journal;
mod jsonl_rows;
mod key;
mod lines;
mod plan_record;
mod puzzle_key;
mod resume;
mod row;
mod run_files;
mod shard;
mod sidecar;
mod solver_record;
mod status;
mod table_record;
mod texts;
mod threshold_file;
mod threshold_row;

pub use configurations::Configurations;
pub(crate) use file_choices::TIME_LOG;
pub use file_choices::{Companion, FileChoices, OtherPuzzle, RunFilesError};
pub use format::RowFormat;
pub use incumbent_row::IncumbentRow;
pub use journal::{Destination, Journal, JournalError};
pub use key::{ConfigurationKey, Entrant, RunKey, SOLVER, algorithm_name};
pub use lines::{Record, RowsError, Unreadable};
pub use plan_record::{
    InstanceNames, NoInstances, PlanRecord, SearchRecord, SizedKey, SuiteRecord,
};
pub use puzzle_key::PuzzleKey;
pub(crate) use puzzle_key::{goal_text, numbers};
pub(crate) use resume::is_final;
pub use resume::latest;
pub(crate) use row::nanoseconds;
pub use row::{Row, RunFacts, parse_own_rows, parse_rows};
pub use run_files::{Earlier, Puzzles, Recorded, RunFiles, write_rows, write_thresholds};
pub use shard::{Shard, ShardError};
pub use sidecar::{Session, ShardRecord, Sidecar, SidecarError};
pub use solver_record::{OtherSolver, SolverRecord};
pub use status::Status;
pub use table_record::TableRecord;
pub(crate) use table_record::{checksum, mark, tables_read};
pub use threshold_row::{SearchKey, ThresholdRow};
