//! Pictures of runs: files of rows become one page that needs nothing else.
//!
//! A [`Source`] is a file of rows. [`Report`] sorts its rows into series, finds what is wrong, and
//! draws. Plots are SVG and tables HTML, so that a page says everything without a script; the
//! script in it sorts, filters, chooses, and plays solutions.

mod axis;
mod board_svg;
mod bounds;
mod cactus;
mod cost;
mod data;
mod facts;
mod figure;
mod html;
mod incumbents;
mod overview;
mod page;
mod paper;
mod percentiles;
mod plot;
mod problems;
mod quality;
mod ranks;
mod run_table;
mod scale;
mod scatter;
mod series;
mod solution_page;
mod source;
mod spaces;
mod speed;
mod standings;
mod start;
mod table;
mod thresholds;

pub use board_svg::board_svg;
pub use page::GENERATOR;
pub use paper::{MADE_BY, PaperFile};
pub use solution_page::solution_page;
pub use source::{Records, Source};
pub use spaces::spaces_page;

use crate::harness::analysis::{NameError, find_name};
use crate::harness::record::{IncumbentRow, ThresholdRow};
use crate::space::LayerCount;
use facts::Facts;
use problems::Problems;

/// The most runs on a page: with so many of korf100 it has 17 MB.
pub const MOST_RUNS: usize = 100_000;

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReportError {
    /// No file has a run.
    #[error("there is no run in what was read; expected the rows of a run")]
    NoRuns,
    /// More runs than a browser shows.
    #[error(
        "there are {found} runs, and a page holds at most {MOST_RUNS}; report fewer files at a time"
    )]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// A configuration that is not there, or not the only one.
    #[error(transparent)]
    Choice(#[from] NameError),
}

/// The figure of whole spaces, where there are no runs, as SVG with the command that makes it.
pub fn spaces_paper(layers: &[LayerCount], command: &str) -> Vec<PaperFile> {
    paper::drawings(spaces::figure(layers, 0).as_slice(), command)
}

/// All that some files say about their runs.
///
/// ```
/// use slidebench::harness::record::parse_rows;
/// use slidebench::report::{Report, Source};
///
/// let rows = parse_rows("suite,instance,status,cost,time_ns\nmine,a,solved,31,1200\n")?;
/// let sources = [Source { name: "mine.csv".to_owned(), rows, ..Source::default() }];
/// let page = Report::new(&sources, &[])?.html();
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Report<'a> {
    facts: Facts<'a>,
    problems: Problems,
    chosen: Option<(usize, usize)>,
}

impl<'a> Report<'a> {
    /// Reads what is to be shown.
    pub fn new(
        sources: &'a [Source],
        iterations: &'a [ThresholdRow],
    ) -> Result<Report<'a>, ReportError> {
        Report::with_incumbents(sources, iterations, &[])
    }

    /// The same, with the solutions that anytime searches had on their way.
    pub fn with_incumbents(
        sources: &'a [Source],
        iterations: &'a [ThresholdRow],
        incumbents: &'a [IncumbentRow],
    ) -> Result<Report<'a>, ReportError> {
        let facts = Facts::new(sources, iterations, incumbents);
        match facts.runs.runs.len() {
            0 => return Err(ReportError::NoRuns),
            found if found > MOST_RUNS => return Err(ReportError::TooMany { found }),
            _ => {}
        }
        Ok(Report {
            problems: Problems::new(&facts.runs),
            facts,
            chosen: None,
        })
    }

    /// The same, with whole spaces beside the runs.
    pub fn with_spaces(mut self, layers: &'a [LayerCount]) -> Report<'a> {
        self.facts.spaces = layers;
        self
    }

    /// Chooses the configurations of the scatter plot, each by its name, which may be shortened.
    pub fn choose(&mut self, across: &str, up: &str) -> Result<(), ReportError> {
        self.chosen = Some((self.find(across)?, self.find(up)?));
        Ok(())
    }

    fn find(&self, asked: &str) -> Result<usize, NameError> {
        let labels = self
            .facts
            .runs
            .series
            .iter()
            .map(|series| series.label.clone());
        find_name(asked, &labels.collect::<Vec<_>>())
    }

    /// How many answers are false.
    pub fn wrong(&self) -> usize {
        self.problems.wrong.len()
    }

    /// Each figure as SVG and each table as CSV and LaTeX, with the command that makes them.
    pub fn paper(&self, command: &str) -> Vec<PaperFile> {
        paper::files(&self.facts, self.chosen, command)
    }

    /// The page.
    pub fn html(&self) -> String {
        page::report(&self.facts, &self.problems, self.chosen)
    }
}
