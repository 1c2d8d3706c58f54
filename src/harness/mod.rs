//! Runs and what is written about them.
//!
//! A [`Suite`] and some [`Configuration`]s make a [`Plan`], which is [`Ready`] once its tables
//! are; [`run_plan`] runs it; a [`Journal`] keeps the rows, whatever ends the process; a
//! [`Summary`] tells what came of them. Several processes take a [`Shard`] of the plan each, and
//! [`merge`] puts their rows together.

mod advice;
mod bootstrap;
mod built_in;
mod compare;
mod configuration;
pub mod figures;
mod filter;
mod forecast;
pub mod generate;
mod growth;
mod iteration_row;
mod journal;
pub mod machine;
mod merge;
mod meta;
mod plan;
mod plan_record;
mod prepare;
mod random;
mod resume;
mod row;
mod row_format;
mod runner;
mod shard;
mod signature;
mod suite;
mod summary;
mod threshold;
mod time_log;
mod units;

pub use advice::{Advice, advice};
pub use bootstrap::{Pair, Ratio, mean_ratio};
pub use built_in::{BUILT_IN, BuiltIn, built_in, nearest_names};
pub use compare::{Caveat, Comparison, Difference, NothingInCommon, Verdict};
pub use configuration::{Choices, Configuration};
pub use filter::Filter;
pub use forecast::{Budget, Forecast, Level, NoForecast, forecast};
pub use growth::{Growth, Left};
pub use iteration_row::{IterationRow, SearchKey};
pub use journal::{Journal, JournalError};
pub use merge::{MergeError, Merged, Missing, ShardFile, merge};
pub use meta::{Meta, Session, ShardRecord, Table};
pub use plan::{Plan, Planned};
pub use plan_record::{InstanceNames, PlanRecord, SearchRecord, SuiteRecord};
pub use prepare::{Estimates, Ready};
pub use random::Random;
pub use resume::{begun, latest, remaining};
pub use row::{ConfigurationKey, Row, Run, RunKey, Status};
pub use row_format::{RowFormat, RowsError, parse_rows};
pub use runner::{Ended, News, Orders, Record, run_plan};
pub use shard::{Shard, SlurmError};
pub use signature::{Signed, signature};
pub use suite::{Asked, Instance, Suite, SuiteError};
pub use summary::{
    Common, Group, Published, Summary, Unsolved, Wrong, geometric_mean, solved_by_all,
    time_histogram,
};
pub use threshold::{Threshold, ThresholdEnd, thresholds};
pub use time_log::write_time_log;
pub use units::{CutFor, refuse_other_search, units_text};
