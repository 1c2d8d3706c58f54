//! `slidebench suite rank`: a suite from measured difficulty.

use std::path::PathBuf;

use crate::cmd::args::board::input_name;
use crate::cmd::args::measure::measure;
use crate::cmd::args::rows::read_records;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::create_new;
use crate::cmd::{Exit, UsageError};
use crate::harness::analysis::{Measure, RankError, rank};
use crate::harness::humanize::{counted, shell_word};
use crate::harness::record::{Row, parse_rows};
use crate::harness::suite::generate::suite_text;

/// Make a suite of the instances that a search found easiest or hardest, in that order.
///
/// An instance counts with the median of its runs. Those that were not solved are left out: how hard
/// they are is not known.
#[derive(clap::Args)]
pub struct RankArgs {
    /// Files of runs, csv or jsonl.
    #[arg(required = true, value_name = "RESULTS")]
    files: Vec<PathBuf>,

    /// What counts: nodes (or generated), time or cpu.
    #[arg(long, default_value = "nodes", value_name = "MEASURE", value_parser = measure)]
    by: Measure,

    /// The configuration that was measured, where there are several; its name may be shortened:
    /// 'idastar md'.
    #[arg(long, value_name = "NAME")]
    configuration: Option<String>,

    /// Keep so many, the easiest first.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    easiest: Option<u32>,

    /// Keep so many, the hardest first.
    #[arg(long, value_name = "NUMBER", conflicts_with = "easiest", value_parser = clap::value_parser!(u32).range(1..))]
    hardest: Option<u32>,

    /// Write to this new file; - is stdout.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
}

pub fn run(args: &RankArgs) -> anyhow::Result<Exit> {
    let mut rows: Vec<Row> = Vec::new();
    for path in &args.files {
        rows.extend(read_records(path, parse_rows)?);
    }
    let ranked = rank(&rows, args.configuration.as_deref(), args.by);
    let mut ranked = ranked.map_err(|error| UsageError(advised(&error)))?;
    if args.hardest.is_some() {
        ranked.suite.instances.reverse();
        ranked.values.reverse();
    }
    let all = ranked.suite.instances.len();
    let kept = args
        .easiest
        .or(args.hardest)
        .map_or(all, |kept| kept as usize);
    ranked.suite.instances.truncate(kept);
    if kept > all {
        let there = counted(all, "instance");
        message::tell(&format!("{kept} were asked for, and {there} were solved"));
    }
    let output = create_new(&args.output)?;
    output.write(&suite_text(
        &ranked.suite,
        &source(args, &ranked.configuration),
    ))?;
    if ranked.left_out > 0 {
        let left_out = counted(ranked.left_out, "instance");
        message::tell(&format!("{left_out} left out: not solved, or not measured"));
    }
    Ok(Exit::Done)
}

/// The command that makes the same suite again.
fn source(args: &RankArgs, configuration: &str) -> String {
    let files: Vec<String> = (args.files.iter())
        .map(|path| shell_word(&input_name(path)))
        .collect();
    let most = match (args.easiest, args.hardest) {
        (Some(easiest), _) => format!(" --easiest {easiest}"),
        (_, Some(hardest)) => format!(" --hardest {hardest}"),
        _ => String::new(),
    };
    format!(
        "slidebench {}, suite rank {} --by {}{most} --configuration {}",
        env!("CARGO_PKG_VERSION"),
        files.join(" "),
        args.by,
        shell_word(configuration),
    )
    .replace(char::is_control, " ")
}

fn advised(error: &RankError) -> String {
    match error {
        RankError::NotChosen(_) => format!("{error} (--configuration NAME)"),
        _ => error.to_string(),
    }
}
