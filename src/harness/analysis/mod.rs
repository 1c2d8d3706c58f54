//! What came of runs: their summary, the comparison of two files, forecasts and advice; and what an
//! estimate is worth before any run.

mod advice;
mod bootstrap;
mod compare;
mod eta;
mod evidence;
mod forecast;
mod growth;
mod hdr_log;
mod summary;

pub use advice::{Advice, advice};
pub use bootstrap::{Pair, Ratio, mean_ratio};
pub use compare::{Caveat, Comparison, Difference, NothingInCommon, Verdict};
pub use eta::{Draw, Eta, Etas, branching_factor, etas};
pub use evidence::{Evidence, Why, Wrong};
pub use forecast::{Budget, Forecast, Level, NoForecast, forecast};
pub use growth::{Growth, Left};
pub use hdr_log::write_time_log;
pub use summary::{
    Common, Group, Longest, Published, Summary, Unsolved, geometric_mean, solved_by_all,
    time_histogram,
};
