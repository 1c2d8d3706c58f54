//! `slidebench compare`: two files of rows, with a verdict.

use std::path::PathBuf;

use slidebench::harness::analysis::{Caveat, Comparison, Difference, Ratio, Verdict};
use slidebench::harness::humanize::{count, counted, duration};
use slidebench::harness::record::parse_rows;
use slidebench::puzzle::Cost;

use super::summary::some;
use super::{Exit, UsageError};
use crate::cmd::args::board::input_name;
use crate::cmd::args::rows::read_records;
use crate::cmd::examples;
use crate::cmd::terminal::output::{create_new, table};

/// Compare two files of runs: ratios of times and nodes, with a verdict.
///
/// Runs are paired by suite, instance and configuration; where each file has one configuration
/// and they differ, by suite and instance. Ratios are B/A: the geometric mean over what both
/// solved, and the interval that 95 % of bootstrap samples lie in.
#[derive(clap::Args)]
#[command(after_help = examples::COMPARE)]
pub struct Args {
    /// The first file, csv or jsonl.
    #[arg(value_name = "A")]
    before: PathBuf,

    /// The second file.
    #[arg(value_name = "B")]
    after: PathBuf,

    /// End with exit code 1 where B is slower than A by more than this, beyond the noise:
    /// 5% or 0.05.
    #[arg(long, value_name = "PART", value_parser = part)]
    fail_if_slower: Option<f64>,

    /// Write to this new file; - is stdout.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
}

fn part(text: &str) -> Result<f64, String> {
    let parsed = match text.trim().strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.trim().parse(),
    };
    match parsed {
        Ok(part) if part >= 0.0 && part.is_finite() => Ok(part),
        _ => Err(format!("'{text}' is not a part; write 5% or 0.05")),
    }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let before = read_records(&args.before, parse_rows)?;
    let after = read_records(&args.after, parse_rows)?;
    let comparison = Comparison::new(&before, &after);
    let comparison = comparison.map_err(|nothing| UsageError(nothing.to_string()))?;
    create_new(&args.output)?.write(&text(args, &comparison))?;
    Ok(match args.fail_if_slower {
        _ if comparison.wrong_costs > 0 => Exit::WrongAnswer,
        Some(part) if comparison.is_slower_than(part) => Exit::Rejected,
        _ => Exit::Done,
    })
}

fn text(args: &Args, comparison: &Comparison) -> String {
    let mut lines = vec![
        ("A", input_name(&args.before)),
        ("B", input_name(&args.after)),
    ];
    if let Some((before, after)) = &comparison.across {
        lines.push(("across", format!("{before} against {after}")));
    }
    lines.push(("pairs", format!("{} solved by both", comparison.pairs)));
    if let Some(time) = comparison.time {
        let [before, after] = comparison.total_time.map(duration);
        lines.push((
            "time B/A",
            format!("{}, in all {before} → {after}", ratio(time)),
        ));
    }
    if let Some(nodes) = comparison.nodes {
        let message = match comparison.node_differences.is_empty() {
            true => "equal in every pair".to_owned(),
            false => ratio(nodes),
        };
        lines.push(("nodes B/A", message));
    }
    lines.push(("verdict", verdict(comparison)));
    let lists = [
        ("nodes", node_differences(&comparison.node_differences)),
        ("COST", cost_differences(&comparison.cost_differences)),
        ("only A", comparison.only_before.clone()),
        ("only B", comparison.only_after.clone()),
        ("note", comparison.caveats.iter().map(caveat).collect()),
    ];
    for (name, items) in lists.iter().filter(|(_, items)| !items.is_empty()) {
        lines.push((name, some(items)));
    }
    table(&lines)
}

fn ratio(ratio: Ratio) -> String {
    let Ratio { mean, low, high } = ratio;
    format!("{mean:.3} (95 % interval {low:.3} to {high:.3})")
}

fn verdict(comparison: &Comparison) -> String {
    let percent = |ratio: f64| format!("{:.1} %", (ratio - 1.0).abs() * 100.0);
    let mean = comparison.time.map_or(1.0, |time| time.mean);
    match comparison.verdict() {
        Verdict::Faster => format!("B is faster: it takes {} less time", percent(mean)),
        Verdict::Slower => format!("B is slower: it takes {} more time", percent(mean)),
        Verdict::WithinNoise => "within noise: the interval includes 1".to_owned(),
        Verdict::NoVerdict if comparison.pairs == 0 => {
            "none: nothing was solved by both".to_owned()
        }
        Verdict::NoVerdict => "none: a single pair has no interval; use --repeat".to_owned(),
    }
}

fn node_differences(differences: &[Difference<u64>]) -> Vec<String> {
    let message =
        |it: &Difference<u64>| format!("{}: {} → {}", it.name, count(it.before), count(it.after));
    differences.iter().map(message).collect()
}

fn cost_differences(differences: &[Difference<Cost>]) -> Vec<String> {
    let message = |it: &Difference<Cost>| format!("{}: {} → {}", it.name, it.before, it.after);
    differences.iter().map(message).collect()
}

fn caveat(caveat: &Caveat) -> String {
    match caveat {
        Caveat::Cpu(before, after) => format!("other processors: {before}, {after}"),
        Caveat::Jobs(before, after) => format!("other --jobs: {before}, {after}"),
        Caveat::FewPairs(pairs) => format!("an interval from {} is rough", counted(*pairs, "pair")),
    }
}
