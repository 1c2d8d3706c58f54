//! A run: suites and configurations make a [`Plan`], which is [`Ready`] once its tables are;
//! [`run_plan`] runs what is left of it.

mod configuration;
mod contender;
mod failures;
mod outline;
mod plan;
mod prepare;
mod ready;
mod runner;
mod session;

pub use configuration::{Choices, Configuration};
pub use contender::Contender;
pub use failures::LeftOut;
pub use outline::Outlined;
pub(crate) use plan::runs;
pub use plan::{Plan, Planned};
pub use prepare::{PlanTables, PreparedFsm, SearchTables};
pub use ready::{NotReady, Ready};
pub use runner::{Ended, Finished, RunEvent, RunOptions, limits_of_each, run_into_files, run_plan};
pub use session::session;
