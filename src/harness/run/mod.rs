//! A run: suites and configurations make a [`Plan`], which is [`Ready`] once its tables are;
//! [`run_plan`] runs what is left of it.

mod configuration;
mod plan;
mod prepare;
mod resume;
mod runner;

pub use configuration::{Choices, Configuration};
pub(crate) use plan::runs;
pub use plan::{Plan, Planned};
pub use prepare::{Estimates, Ready, refuse_other_search};
pub(crate) use resume::is_final;
pub use resume::{begun, latest, remaining};
pub use runner::{Ended, Recorded, RunEvent, RunOptions, run_plan};
