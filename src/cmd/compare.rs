//! `slidebench compare`: two files of rows, or configurations of one, with a verdict.

use std::path::PathBuf;

use super::summary::some;
use super::{Exit, UsageError};
use crate::cmd::args::board::input_name;
use crate::cmd::args::measure::measure;
use crate::cmd::args::rows::read_records;
use crate::cmd::examples;
use crate::cmd::terminal::columns::{Align, columns};
use crate::cmd::terminal::output::{create_new, table};
use crate::harness::analysis::statistics::{Ratio, SignedRank, holm};
use crate::harness::analysis::{
    Caveat, Choice, CompareError, Comparison, Contrast, Measure, Verdict, both_configurations,
};
use crate::harness::humanize::{change, count, counted, differing, duration, probability, ratio};
use crate::harness::record::{Row, parse_rows};

/// Compare runs: ratios of times and nodes with their intervals, a test, a verdict.
///
/// Runs of two files are paired by suite, instance and configuration, a line for each configuration
/// and then all together; where each file has one configuration and they differ, by suite and
/// instance. Within one file two configurations are compared (--between), or all with one
/// (--baseline).
///
/// Ratios are B/A. Repeats are reduced to their median, and the geometric mean is over the instances
/// that both solved every time. The interval is that of 95 % of bootstrap samples of instances (of
/// repeats, where there is one instance), and decides; p is that of Wilcoxon's signed-rank test over
/// the instances, in a list of several after Holm.
#[derive(clap::Args)]
#[command(after_help = examples::COMPARE)]
pub struct Args {
    /// The first file, csv or jsonl.
    #[arg(value_name = "A")]
    before: PathBuf,

    /// The second file; without it configurations of A are compared.
    #[arg(value_name = "B")]
    after: Option<PathBuf>,

    /// Compare one configuration of A with one of B, or of A where that is all; names may be
    /// shortened: 'idastar md'.
    #[arg(long, num_args = 2, value_names = ["ONE", "OTHER"])]
    between: Option<Vec<String>>,

    /// Compare all configurations with this one of A.
    #[arg(long, value_name = "NAME", conflicts_with = "between")]
    baseline: Option<String>,

    /// What decides: time, cpu or nodes. By default CPU time where all rows have it and search on
    /// one thread, for a busy machine changes it little; else wall time.
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    by: Option<Measure>,

    /// End with exit code 1 where B is slower than A by more than this, beyond the noise:
    /// 5% or 0.05. All configurations together count; with --baseline each.
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
    let after = match &args.after {
        Some(after) => Some(read_records(after, parse_rows)?),
        None => None,
    };
    let comparison = compare(args, &before, after.as_deref());
    let comparison = comparison.map_err(|error| UsageError(advised(&error)))?;
    create_new(&args.output)?.write(&text(args, &comparison))?;
    Ok(match args.fail_if_slower {
        _ if comparison.wrong_costs() > 0 => Exit::WrongAnswer,
        Some(part) if comparison.is_slower_than(part) => Exit::Rejected,
        _ => Exit::Done,
    })
}

fn compare(args: &Args, before: &[Row], after: Option<&[Row]>) -> Result<Comparison, CompareError> {
    let both = match (after, &args.between, &args.baseline) {
        (None, None, None) => Some(both_configurations(before)?),
        _ => None,
    };
    let choice = match (&args.between, &args.baseline, &both) {
        (Some(names), ..) => Choice::Between(&names[0], &names[1]),
        (_, Some(name), _) => Choice::Baseline(name),
        (_, _, Some([one, other])) => Choice::Between(one, other),
        _ => Choice::Same,
    };
    Comparison::of(before, after.unwrap_or(before), choice, args.by)
}

/// With the flag that helps.
fn advised(error: &CompareError) -> String {
    match error {
        CompareError::NotChosen(_) => format!("{error} (--between ONE OTHER, --baseline NAME)"),
        CompareError::NotMeasured(_) => format!("{error} (--by time)"),
        CompareError::Alone(_) => format!("{error}; give a second file"),
        _ => error.to_string(),
    }
}

fn text(args: &Args, comparison: &Comparison) -> String {
    let mut head = vec![("A", input_name(&args.before))];
    if let Some(after) = &args.after {
        head.push(("B", input_name(after)));
    }
    if let [one] = &comparison.contrasts[..]
        && one.names[0] != one.names[1]
    {
        match args.after {
            Some(_) => head.push(("across", one.names.join(" against "))),
            None => head = of_one_file(args, one),
        }
    }
    if let Some(baseline) = comparison
        .contrasts
        .first()
        .filter(|_| args.baseline.is_some())
    {
        head.push(("baseline", baseline.names[0].clone()));
    }
    let mut text = table(&head);
    if comparison.contrasts.len() > 1 {
        text += &lines(comparison);
    }
    let mut tail = Vec::new();
    if let Some(overall) = comparison.overall() {
        tail = of_all(overall);
    }
    for (name, items) in lists(comparison) {
        tail.push((name, some(&items)));
    }
    text + &table(&tail)
}

fn of_one_file(args: &Args, one: &Contrast) -> Vec<(&'static str, String)> {
    let file = input_name(&args.before);
    let [before, after] = &one.names;
    vec![("file", file), ("A", before.clone()), ("B", after.clone())]
}

/// A line for each pair of configurations, and one for all of them.
fn lines(comparison: &Comparison) -> String {
    let tested: Vec<f64> = (comparison.contrasts.iter())
        .map(|it| it.test.map_or(1.0, |test| test.p))
        .collect();
    let adjusted = holm(&tested);
    let by = format!("{} B/A", comparison.by.words());
    let heads = [
        "",
        "pairs",
        &by,
        "95 % interval",
        "p",
        "verdict",
        "nodes B/A",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for (contrast, p) in comparison.contrasts.iter().zip(adjusted) {
        rows.push(line(contrast, contrast.test.map(|_| p)));
    }
    let pooled = comparison.pooled.iter();
    rows.extend(pooled.map(|all| line(all, all.test.map(|test| test.p))));
    if comparison.by == Measure::Nodes {
        rows.iter_mut()
            .for_each(|row| row.truncate(heads.len() - 1));
    }
    use Align::{Left, Right};
    columns(&rows, &[Left, Right, Right, Left, Right, Left, Right])
}

fn line(contrast: &Contrast, p: Option<f64>) -> Vec<String> {
    let none = || "–".to_owned();
    let (mean, interval) = match contrast.ratio() {
        Some(Ratio { mean, low, high }) => {
            (ratio(mean), format!("{} to {}", ratio(low), ratio(high)))
        }
        None => (none(), none()),
    };
    let nodes = match contrast.nodes {
        Some(_) if contrast.node_differences.is_empty() => "equal".to_owned(),
        Some(nodes) => ratio(nodes.mean),
        None => none(),
    };
    let verdict = match (contrast.verdict(), contrast.by) {
        (Verdict::Faster, Measure::Nodes) => "B searches less",
        (Verdict::Slower, Measure::Nodes) => "B searches more",
        (Verdict::Faster, _) => "B is faster",
        (Verdict::Slower, _) => "B is slower",
        (Verdict::WithinNoise, _) => "within noise",
        (Verdict::NoVerdict, _) => "none",
    };
    vec![
        contrast.names[1].clone(),
        count(contrast.pairs as u64),
        mean,
        interval,
        p.map_or_else(none, probability),
        verdict.to_owned(),
        nodes,
    ]
}

/// All about one pair of configurations, or about all together.
fn of_all(contrast: &Contrast) -> Vec<(&'static str, String)> {
    let mut lines = vec![("pairs", pairs(contrast))];
    if let Some(time) = contrast.time {
        let [before, after] = contrast.total_time.map(duration);
        lines.push((
            "time B/A",
            format!("{}, in all {before} → {after}", with_interval(time)),
        ));
    }
    if let Some(cpu) = contrast.cpu {
        lines.push(("CPU B/A", with_interval(cpu)));
    }
    if let Some(nodes) = contrast.nodes {
        let message = match contrast.node_differences.is_empty() {
            true => "equal in every pair".to_owned(),
            false => with_interval(nodes),
        };
        lines.push(("nodes B/A", message));
    }
    if contrast.verdict() != Verdict::NoVerdict {
        lines.push(("Wilcoxon", wilcoxon(contrast)));
    }
    lines.push(("verdict", verdict(contrast)));
    lines
}

fn pairs(contrast: &Contrast) -> String {
    let mut text = format!("{} solved by both", contrast.pairs);
    if contrast.instances < contrast.pairs {
        text += &format!(", of {}", counted(contrast.instances, "instance"));
    }
    if contrast.runs > 2 * contrast.pairs {
        text += &format!(", medians of {}", counted(contrast.runs, "run"));
    }
    text
}

fn with_interval(of: Ratio) -> String {
    let [mean, low, high] = [of.mean, of.low, of.high].map(ratio);
    format!("{mean} (95 % interval {low} to {high})")
}

fn wilcoxon(contrast: &Contrast) -> String {
    let Some(SignedRank {
        pairs,
        plus,
        minus,
        p,
    }) = contrast.test
    else {
        return "no pair differs".to_owned();
    };
    let (by, differing) = (contrast.by.words(), differing(pairs, "instance"));
    let p = match probability(p) {
        below if below.starts_with('<') => format!("p {below}"),
        p => format!("p = {p}"),
    };
    format!("{p} by {by}: {differing}, rank sums {minus} (B less) and {plus} (B more)")
}

fn verdict(contrast: &Contrast) -> String {
    let mean = contrast.ratio().map_or(1.0, |ratio| ratio.mean);
    let by = contrast.by.words();
    let message = match contrast.verdict() {
        Verdict::Faster if contrast.by == Measure::Nodes => {
            format!("B searches less: it generates {} fewer nodes", change(mean))
        }
        Verdict::Slower if contrast.by == Measure::Nodes => {
            format!("B searches more: it generates {} more nodes", change(mean))
        }
        Verdict::Faster => format!("B is faster: it takes {} less {by}", change(mean)),
        Verdict::Slower => format!("B is slower: it takes {} more {by}", change(mean)),
        Verdict::WithinNoise => "within noise: the interval includes 1".to_owned(),
        Verdict::NoVerdict if contrast.pairs == 0 => "none: nothing was solved by both".to_owned(),
        Verdict::NoVerdict => "none: a single pair has no interval; use --repeat".to_owned(),
    };
    let decided = matches!(contrast.verdict(), Verdict::Faster | Verdict::Slower);
    match contrast.test.filter(|test| decided && test.p >= LEVEL) {
        // Few instances cannot reach the level, however alike they are.
        Some(_) if contrast.instances >= LEAST_TESTED => {
            format!("{message}; Wilcoxon's test does not confirm it")
        }
        _ => message,
    }
}

/// Below that a test has found something; with fewer instances it cannot.
const LEVEL: f64 = 0.05;
const LEAST_TESTED: usize = 6;

/// What differs, is missing, or has to be known.
fn lists(comparison: &Comparison) -> Vec<(&'static str, Vec<String>)> {
    let several = comparison.contrasts.len() > 1;
    let named = |contrast: &Contrast, item: &str| match several {
        true => format!("{item} ({})", contrast.names[1]),
        false => item.to_owned(),
    };
    let all = |items: &dyn Fn(&Contrast) -> Vec<String>| -> Vec<String> {
        let each = |it| items(it).into_iter().map(move |item| named(it, &item));
        comparison.contrasts.iter().flat_map(each).collect()
    };
    let nodes = all(&|it| {
        // Two configurations of a list are expected to differ.
        let is_expected = several && it.names[0] != it.names[1];
        let differences = it.node_differences.iter().filter(|_| !is_expected);
        differences
            .map(|it| format!("{}: {} → {}", it.name, count(it.before), count(it.after)))
            .collect()
    });
    let costs = all(&|it| {
        let differences = it.cost_differences.iter();
        differences
            .map(|it| format!("{}: {} → {}", it.name, it.before, it.after))
            .collect()
    });
    let whole = |side: usize| {
        let names = comparison.unmatched[side].iter();
        names
            .map(|name| format!("all of {name}"))
            .collect::<Vec<_>>()
    };
    let only_a = [whole(0), all(&|it| it.only_before.clone())].concat();
    let only_b = [whole(1), all(&|it| it.only_after.clone())].concat();
    let notes = comparison.caveats.iter().map(caveat).collect();
    let lists = [
        ("nodes", nodes),
        ("COST", costs),
        ("only A", only_a),
        ("only B", only_b),
        ("note", notes),
    ];
    lists
        .into_iter()
        .filter(|(_, items)| !items.is_empty())
        .collect()
}

fn caveat(caveat: &Caveat) -> String {
    match caveat {
        Caveat::Cpu(before, after) => format!("other processors: {before}, {after}"),
        Caveat::Jobs(before, after) => format!("other --jobs: {before}, {after}"),
        Caveat::FewPairs(pairs) => format!("an interval from {} is rough", counted(*pairs, "pair")),
    }
}
