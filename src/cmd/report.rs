//! `slidebench report`: files of rows become a page.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::summary::some;
use super::{Exit, UsageError, typed_command};
use crate::cmd::args::board::input_name;
use crate::cmd::args::rows::read_records;
use crate::cmd::examples;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::{refuse_other_than, refuse_other_than_page, replace_page};
use crate::harness::humanize::{counted, shell_word};
use crate::harness::record::{IncumbentRow, Sidecar, ThresholdRow};
use crate::report::{MADE_BY, PaperFile, Records, Report, Source, spaces_page, spaces_paper};
use crate::space::LayerCount;

/// Draw the runs of files: one page with tables and plots, which plays solutions.
///
/// The page needs no network and no other file. Wrong answers, errors and missing pairs come
/// first. The sidecars of the files, where there are any, tell what made them.
#[derive(clap::Args)]
#[command(after_help = examples::REPORT)]
pub struct Args {
    /// Files of runs, csv or jsonl; files of thresholds, of incumbents and of whole spaces (space --format
    /// csv) are known by their columns.
    #[arg(required = true, value_name = "CSV")]
    files: Vec<PathBuf>,

    /// A file of thresholds, as run --iterations writes it.
    #[arg(long, value_name = "FILE")]
    iterations: Vec<PathBuf>,

    /// A file of incumbents, as run --incumbents writes it.
    #[arg(long, value_name = "FILE")]
    incumbents: Vec<PathBuf>,

    /// Draw these two configurations against each other, by their names, which may be shortened
    /// ('idastar md'); the page can choose others.
    #[arg(long, num_args = 2, value_names = ["ACROSS", "UP"])]
    scatter: Option<Vec<String>>,

    /// Write what a paper prints into this folder, too: each figure as SVG (rsvg-convert -f pdf makes a
    /// PDF of it), each table as CSV and as LaTeX for booktabs, all with the command that made them.
    /// Files of an earlier report are replaced.
    #[arg(long, value_name = "DIRECTORY")]
    paper: Option<PathBuf>,

    /// Write to this file, over a page that is there; - is stdout.
    #[arg(short, long, default_value = "report.html", value_name = "FILE")]
    output: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    refuse_other_than_page(&args.output, "-o")?;
    let mut read = Read::default();
    let companions = args.iterations.iter().chain(&args.incumbents);
    for path in args.files.iter().chain(companions) {
        read.add(path)?;
    }
    if read.has_spaces_alone() {
        return report_spaces(args, &read.spaces);
    }
    let report = Report::with_incumbents(&read.sources, &read.iterations, &read.incumbents);
    let report = report.map_err(|error| {
        let names: Vec<String> = args.files.iter().map(|path| input_name(path)).collect();
        UsageError(format!("{}: {error}", some(&names)))
    })?;
    let mut report = report.with_spaces(&read.spaces);
    if let Some([across, up]) = args.scatter.as_deref() {
        let chosen = report.choose(across, up);
        chosen.map_err(|error| UsageError(error.to_string()))?;
    }
    if let Some(folder) = &args.paper {
        write_paper(folder, &report.paper(&command_of_paper()))?;
    }
    replace_page(&args.output, &report.html())?;
    match report.wrong() {
        0 => Ok(Exit::Done),
        wrong => {
            let wrong = counted(wrong, "wrong answer");
            message::tell(&format!("{wrong}; the page begins with them"));
            Ok(Exit::WrongAnswer)
        }
    }
}

/// A page of whole spaces, where there are no runs.
fn report_spaces(args: &Args, layers: &[LayerCount]) -> anyhow::Result<Exit> {
    if args.scatter.is_some() {
        let message = "--scatter draws configurations, and there is no run in what was read";
        return Err(UsageError(message.to_owned()).into());
    }
    if let Some(folder) = &args.paper {
        write_paper(folder, &spaces_paper(layers, &command_of_paper()))?;
    }
    let names: Vec<String> = args.files.iter().map(|path| input_name(path)).collect();
    replace_page(&args.output, &spaces_page(layers, &names))?;
    Ok(Exit::Done)
}

/// What was typed behind the program's name.
fn command_of_paper() -> String {
    let words = typed_command().into_iter().skip(1);
    let words: Vec<String> = words.map(|word| shell_word(&word)).collect();
    words.join(" ")
}

/// Writes the files of a paper; nothing is written where one would replace a file of another kind.
fn write_paper(folder: &Path, files: &[PaperFile]) -> anyhow::Result<()> {
    for file in files {
        refuse_other_than(
            &folder.join(&file.name),
            MADE_BY,
            "file for a paper",
            "--paper",
        )?;
    }
    let cannot_make = || format!("cannot make {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_make)?;
    for file in files {
        replace_page(&folder.join(&file.name), &file.text)?;
    }
    Ok(())
}

/// What the files hold.
#[derive(Default)]
struct Read {
    sources: Vec<Source>,
    iterations: Vec<ThresholdRow>,
    incumbents: Vec<IncumbentRow>,
    spaces: Vec<LayerCount>,
}

impl Read {
    fn has_spaces_alone(&self) -> bool {
        let has_runs = !self.sources.is_empty();
        !self.spaces.is_empty()
            && !has_runs
            && self.iterations.is_empty()
            && self.incumbents.is_empty()
    }

    fn add(&mut self, path: &Path) -> anyhow::Result<()> {
        let parse = |text: &str| Ok((Records::parse(text)?, Source::head(text)));
        let ((records, is_cut), comments) = read_records(path, parse)?;
        match records {
            Records::Iterations(rows) => self.iterations.extend(rows),
            Records::Incumbents(rows) => self.incumbents.extend(rows),
            Records::Spaces(layers) => self.spaces.extend(layers),
            Records::Runs(rows) => self.sources.push(Source {
                name: input_name(path),
                rows,
                sidecar: Sidecar::read(&Sidecar::path(path)).unwrap_or_default(),
                comments,
                is_cut,
            }),
        }
        Ok(())
    }
}
