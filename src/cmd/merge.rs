//! `slidebench merge`: the files of shards into one.

use std::path::{Path, PathBuf};

use super::summary::some;
use super::{Exit, UsageError, advice, summary};
use crate::cmd::args::board::input_name;
use crate::cmd::args::rows::{OwnRows, read_whole_rows};
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::{destination, print, print_aside};
use crate::harness::analysis::Summary;
use crate::harness::cluster::{
    Missing, ShardFile, Threshold, ThresholdEnd, ThresholdsFile, merge, merge_thresholds,
    thresholds,
};
use crate::harness::humanize::counted;
use crate::harness::record::{
    JournalError, Row, RowFormat, RunFilesError, Sidecar, write_rows, write_thresholds,
};
use crate::search::NodeCounts;
use crate::sys::same_file::is_same_file;

/// Put the rows of shards together: one file, in the order of the plan.
///
/// Beside each SHARD.csv stands the SHARD.meta.json that run has written. Refused are runs that
/// are missing or twice there, and shards of different plans, versions, limits or tables.
#[derive(clap::Args)]
pub struct Args {
    /// The files of all shards, and those of their thresholds (run --iterations), which are known by
    /// their columns. Rows of units can be merged whether they were run in shards or not.
    #[arg(required = true, value_name = "SHARD.csv")]
    shards: Vec<PathBuf>,

    /// Write the rows to this new file; - is stdout.
    #[arg(short, long, value_name = "FILE", required_unless_present = "missing")]
    output: Option<PathBuf>,

    /// Write the thresholds, in the order of the rows, to this new file.
    #[arg(long, value_name = "FILE", conflicts_with = "missing")]
    iterations: Option<PathBuf>,

    /// Rows as csv, or as jsonl.
    #[arg(long, default_value = "csv")]
    format: RowFormat,

    /// Merge what is there, and say what is missing.
    #[arg(long)]
    partial: bool,

    /// Print the shards that have to run, again or at all, as 2,5; merge nothing.
    #[arg(long, conflicts_with_all = ["output", "partial"])]
    missing: bool,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let (shards, thresholds_files) = read_files(&args.shards)?;
    refuse_iterations(args, &thresholds_files)?;
    let merged = merge(&shards).map_err(|error| advice::of_merge(&error))?;
    let Some(output) = &args.output else {
        print(&shard_list(&merged.missing))?;
        return Ok(Exit::Done);
    };
    if !merged.missing.runs.is_empty() {
        let message = message(&merged.missing);
        if !args.partial {
            let message = format!("{message}; run them, or merge what is there with --partial");
            return Err(UsageError(message).into());
        }
        message::tell(&message);
    }
    let to = destination(output);
    let to_name = to.name().to_owned();
    // They are there before the rows of their runs.
    if let Some(path) = &args.iterations {
        let rows = merge_thresholds(&thresholds_files, &merged);
        let rows = rows.map_err(|error| advice::of_merge(&error))?;
        write_thresholds(path, args.format, &rows).map_err(advice::of_new_rows)?;
    }
    match write_rows(to, args.format, &merged.rows, &merged.sidecar) {
        // Whoever reads has enough; the verdict is the same.
        Err(RunFilesError::Journal(JournalError::Closed(_))) => {}
        written => written.map_err(advice::of_new_rows)?,
    }
    let summary = Summary::new(&merged.rows, &[]);
    let files = counted(shards.len(), "file");
    let rows = counted(merged.rows.len(), "run");
    let mut text = summary::text(&summary, false);
    let thresholds = thresholds(&merged.rows, &merged.sidecar);
    text.extend(thresholds.iter().map(threshold_line));
    text += &format!("rows: {}, {rows} from {files}\n", to_name.display());
    match output == Path::new("-") {
        true => print_aside(&text),
        false => print(&text)?,
    }
    Ok(match summary.wrong() {
        0 => Exit::Done,
        _ => Exit::WrongAnswer,
    })
}

/// What the files are, by their columns.
fn read_files(paths: &[PathBuf]) -> anyhow::Result<(Vec<ShardFile>, Vec<ThresholdsFile>)> {
    let (mut shards, mut thresholds) = (Vec::new(), Vec::new());
    for path in paths {
        match read_whole_rows(path)? {
            OwnRows::Runs(rows) => shards.push(with_sidecar(path, rows)?),
            OwnRows::Thresholds(rows) => thresholds.push(ThresholdsFile {
                name: input_name(path),
                rows,
            }),
        }
    }
    Ok((shards, thresholds))
}

/// Thresholds need a file to go to, which is not that of the rows.
fn refuse_iterations(args: &Args, files: &[ThresholdsFile]) -> Result<(), UsageError> {
    let message = match (files.first(), &args.iterations) {
        (Some(file), None) if !args.missing => format!(
            "{} has thresholds; say where they go (--iterations FILE)",
            file.name
        ),
        (None, Some(_)) => {
            "--iterations: no file of thresholds is given; name those of run --iterations beside the \
             shards"
                .to_owned()
        }
        (_, Some(path)) if args.output.as_ref().is_some_and(|it| is_same_file(it, path)) => {
            let path = path.display();
            format!("--iterations and -o are both {path}; they need a file each")
        }
        (_, Some(path)) if path.exists() => {
            let path = path.display();
            format!("{path} exists; write to another file (--iterations)")
        }
        _ => return Ok(()),
    };
    Err(UsageError(message))
}

fn with_sidecar(path: &Path, rows: Vec<Row>) -> anyhow::Result<ShardFile> {
    let name = input_name(path);
    let sidecar = Sidecar::path(path);
    if !sidecar.is_file() {
        let sidecar = sidecar.display();
        let message = format!("{name} has no {sidecar} beside it, which says what shard it is");
        return Err(UsageError(message).into());
    }
    let sidecar = Sidecar::read(&sidecar).map_err(|error| UsageError(error.to_string()))?;
    Ok(ShardFile {
        name,
        rows,
        sidecar,
    })
}

/// What came of a threshold, in exact numbers for programs: `threshold 57: exhausted, …`.
fn threshold_line(threshold: &Threshold) -> String {
    let nodes = |nodes: &NodeCounts| {
        let NodeCounts {
            expanded,
            generated,
        } = nodes;
        format!("{expanded} expanded, {generated} generated")
    };
    let end = match &threshold.end {
        ThresholdEnd::Exhausted(all) => format!("exhausted, {}", nodes(all)),
        ThresholdEnd::Solved {
            unit,
            cost,
            solution,
            nodes: up_to,
        } => {
            let up_to = match up_to {
                Some(up_to) => format!("{} up to it", nodes(up_to)),
                None => "units before it are open".to_owned(),
            };
            format!("solved, {cost} moves in unit {unit}, {up_to}, {solution}")
        }
        ThresholdEnd::Open(open) => {
            let open = some(open);
            format!("open, units without an answer: {open}")
        }
    };
    let Threshold {
        suite,
        threshold,
        units,
        ..
    } = threshold;
    format!("threshold {threshold}: {end} ({units} units of {suite})\n")
}

/// Shards with something missing, as `sbatch --array` reads them; an empty line for none.
fn shard_list(missing: &Missing) -> String {
    let mut shards = [&missing.shards[..], &missing.unfinished].concat();
    shards.sort_unstable();
    let shards: Vec<String> = shards.iter().map(ToString::to_string).collect();
    shards.join(",") + "\n"
}

/// What is missing, in one line.
fn message(missing: &Missing) -> String {
    let Missing {
        shards,
        of,
        unfinished,
        runs,
    } = missing;
    let mut parts = vec![format!(
        "{} missing: {}",
        counted(runs.len(), "run"),
        some(runs)
    )];
    for (shards, what) in [(shards, "no file"), (unfinished, "not finished")] {
        if !shards.is_empty() {
            let shards = shards.iter().map(|shard| format!("{shard}/{of}"));
            let shards = some(&shards.collect::<Vec<_>>());
            parts.push(format!("{what}: shard {shards}"));
        }
    }
    parts.join("; ")
}
