//! What came of runs: their summary, the comparison of two files, forecasts and advice.

mod advice;
mod best_known;
mod compare;
mod contrast;
mod evidence;
mod forecast;
mod growth;
mod hdr_log;
mod measure;
mod naming;
mod puzzles;
mod rank;
mod repeats;
pub mod statistics;
mod suite_results;
mod summary;
mod workload;

pub use advice::{Advice, advice};
pub use best_known::{BestKnown, Better};
pub use compare::{Caveat, Choice, CompareError, Comparison, both_configurations};
pub use contrast::{Contrast, Difference, Verdict};
pub use evidence::{Evidence, Why, Wrong};
pub use forecast::{Budget, Forecast, Level, NoForecast, forecast};
pub use growth::{Growth, Left};
pub use hdr_log::write_time_log;
pub use measure::Measure;
pub use naming::{NameError, find_name};
pub use puzzles::Mixture;
pub use rank::{RankError, RankedSuite, rank};
pub use repeats::Repeats;
pub use suite_results::{Duel, Ranking, Spread, Standing, SuiteResults};
pub use summary::{
    Common, Group, Longest, Published, Standings, Summary, Unsolved, time_histogram,
};
pub use workload::Workload;
