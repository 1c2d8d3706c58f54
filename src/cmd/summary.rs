//! What came of a run, for people.

use std::fmt::Write;

use bytesize::ByteSize;

use crate::cmd::terminal::columns::{Align, columns};
use crate::harness::analysis::{
    Advice, BestKnown, Better, Common, Group, Longest, Published, Standing, Standings, Summary,
    Unsolved, Wrong,
};
use crate::harness::humanize::{
    count, counted, differ, duration, nanoseconds, percent, probability, rate, waiting,
};
use crate::harness::record::SOLVER;

/// How many instances a line names before it only counts.
const NAMED: usize = 10;

/// A block for each suite and configuration, with the longest instance that was solved if that is
/// asked for; then all of them on what all solved.
pub fn text(summary: &Summary, names_longest: bool) -> String {
    let mut text = String::new();
    for group in &summary.groups {
        let _ = writeln!(text, "{}, {}", group.suite, group.configuration);
        let longest = names_longest.then(|| ("longest", longest(group)));
        for (name, value) in lines(group).into_iter().chain(longest) {
            let _ = writeln!(text, "  {name:<12}{value}");
        }
    }
    text.extend(summary.standings.iter().map(standings));
    if let Some(common) = &summary.common {
        text += &common_text(common);
    }
    if summary.waited > 0 {
        let _ = writeln!(text, "{}", busy(summary.waited));
    }
    text
}

/// What tells that times are not to be relied on.
fn busy(waited: usize) -> String {
    format!("the machine was busy: {}", waiting(waited))
}

fn lines(group: &Group) -> Vec<(&'static str, String)> {
    let mut lines = vec![("solved", solved(group))];
    if let (Some(mean), Some(percentiles)) = (group.geometric_mean, group.percentiles) {
        let (total, mean) = (duration(group.time), duration(mean));
        lines.push(("time", format!("{total} in all, {mean} geometric mean")));
        lines.extend(of_limits(&group.standing).map(|means| ("means", means)));
        let [p50, p90, p99, max] = percentiles.map(duration);
        let message = format!("p50 {p50}, p90 {p90}, p99 {p99}, max {max}");
        lines.push(("percentiles", message));
    }
    if let Some(spread) = &group.standing.spread {
        let (median, largest) = (percent(spread.median), percent(spread.largest));
        let message = format!(
            "repeats are {median} of their median apart, at most {largest} ({})",
            spread.instance
        );
        lines.push(("spread", message));
    }
    let speed = group
        .nodes_per_second
        .map_or(String::new(), |speed| format!(" ({})", rate(speed)));
    // A program of others may count none.
    if group.generated > 0 || group.configuration.solver == SOLVER {
        lines.push((
            "nodes",
            format!("{} generated{speed}", count(group.generated)),
        ));
    }
    if let Some(Published { known, differing }) = &group.published {
        let message = match differing.is_empty() {
            true => format!("{known} of {known} node counts equal"),
            false => format!(
                "{} of {known} node counts {}: {}",
                differing.len(),
                differ(differing.len()),
                some(differing)
            ),
        };
        lines.push(("published", message));
    }
    if let Some(best_known) = &group.best_known {
        lines.push(("best known", best_known_line(best_known)));
    }
    if group.solved > 1 {
        let slowest = group.slowest.iter();
        let slowest = slowest.map(|(instance, time)| format!("{instance} ({})", duration(*time)));
        lines.push(("slowest", slowest.collect::<Vec<_>>().join(", ")));
    }
    if !group.unsolved.is_empty() {
        let unsolved: Vec<String> = group.unsolved.iter().map(unsolved).collect();
        lines.push(("unsolved", some(&unsolved)));
    }
    if !group.wrong.is_empty() {
        let wrong: Vec<String> = group.wrong.iter().map(Wrong::to_string).collect();
        lines.push(("WRONG", some(&wrong)));
    }
    lines
}

fn solved(group: &Group) -> String {
    let mut line = format!("{}/{}", group.solved, group.instances);
    if group.runs > group.instances {
        line += &format!(" instances in {}", counted(group.runs, "run"));
    }
    if group.unsolvable > 0 {
        line += &format!(", {} unsolvable", group.unsolvable);
    }
    if group.exhausted > 0 {
        line += &format!(", {} exhausted", group.exhausted);
    }
    if group.unverified > 0 {
        line += &format!(", {} not verified (no moves)", group.unverified);
    }
    line + &format!(", {} wrong", group.wrong.len())
}

/// Means that count unsolved instances, where there are any.
fn of_limits(standing: &Standing) -> Option<String> {
    if standing.solved == standing.instances {
        return None;
    }
    let (par2, par10) = (nanoseconds(standing.par2?), nanoseconds(standing.par10?));
    let shifted = nanoseconds(standing.shifted_mean?);
    Some(format!(
        "PAR-2 {par2}, PAR-10 {par10}, {shifted} shifted geometric mean"
    ))
}

/// The configurations of a suite beside each other.
fn standings(standings: &Standings) -> String {
    let heads = [
        "",
        "solved",
        "only it",
        "PAR-2",
        "PAR-10",
        "shifted mean",
        "rank",
    ];
    let mut lines = vec![heads.map(str::to_owned).to_vec()];
    let rank = |number: usize| {
        let ranking = standings.ranking.as_ref()?;
        let place = ranking.entrants.iter().position(|it| *it == number)?;
        Some(format!("{:.2}", ranking.test.mean_ranks[place]))
    };
    for (number, (key, standing)) in standings.entrants.iter().enumerate() {
        let only = count(standing.only.len() as u64);
        lines.push(line(&key.to_string(), standing, only, rank(number)));
    }
    lines.push(line(
        "virtual best",
        &standings.virtual_best,
        String::new(),
        None,
    ));
    if standings.ranking.is_none() {
        lines
            .iter_mut()
            .for_each(|line| line.truncate(heads.len() - 1));
    }
    for line in &mut lines {
        line[0] = format!("  {}", line[0]);
    }
    let aligns: Vec<Align> = std::iter::once(Align::Left)
        .chain([Align::Right; 6])
        .collect();
    let mut text = format!(
        "{}, all configurations\n{}",
        standings.suite,
        columns(&lines, &aligns)
    );
    if let Some(ranking) = &standings.ranking {
        let _ = writeln!(
            text,
            "  ranks by {} on {}: Friedman's test p {}, ranks differ where they are {:.2} apart (Nemenyi, 5 %)",
            ranking.by.words(),
            counted(ranking.test.blocks, "instance"),
            probability(ranking.test.p),
            ranking.critical_difference,
        );
    }
    text
}

fn line(name: &str, standing: &Standing, only: String, rank: Option<String>) -> Vec<String> {
    let time = |ns: Option<f64>| ns.map_or("–".to_owned(), nanoseconds);
    vec![
        name.to_owned(),
        format!("{}/{}", standing.solved, standing.instances),
        only,
        time(standing.par2),
        time(standing.par10),
        time(standing.shifted_mean),
        rank.unwrap_or_default(),
    ]
}

/// How costs compare with the best known ones; what is better is news.
fn best_known_line(best_known: &BestKnown) -> String {
    let BestKnown {
        runs,
        ratio,
        better,
    } = best_known;
    let line = format!("{ratio:.3} times the cost, on {}", counted(*runs, "run"));
    let better: Vec<String> = better.iter().map(Better::to_string).collect();
    match better.is_empty() {
        true => line,
        false => format!("{line}; BETTER: {}", some(&better)),
    }
}

fn longest(group: &Group) -> String {
    match &group.longest {
        None => "nothing was solved".to_owned(),
        Some(Longest {
            moves,
            instance,
            time,
        }) => {
            let (moves, time) = (counted(*moves, "move"), duration(*time));
            format!("{moves}, instance {instance}, solved in {time}")
        }
    }
}

fn unsolved(run: &Unsolved) -> String {
    let mut what = format!("{} ({}", run.instance, run.status);
    if run.solved > 0 {
        let _ = write!(what, ", solved in {} of {} runs", run.solved, run.runs);
    }
    if let Some(threshold) = run.last_threshold_finished {
        let _ = write!(what, ", over {threshold} moves");
    }
    if let Some(stored) = run.stored {
        let _ = write!(what, ", {} states stored", count(stored));
    }
    what + ")"
}

/// The first of many, and how many more there are.
pub fn some(items: &[String]) -> String {
    let named = items
        .iter()
        .take(NAMED)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match items.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Which command builds a better table, with the flags of this one, and what it takes and gains.
pub fn advice(advice: &Advice, flags: &str) -> String {
    let Advice {
        size,
        partition,
        build_time,
        table_bytes,
        gain,
    } = advice;
    let gain = gain.map_or("fewer nodes".to_owned(), |gain| {
        format!("about {gain:.0} times fewer nodes")
    });
    let takes = format!(
        "about {}, {}",
        duration(*build_time),
        ByteSize(*table_bytes)
    );
    format!(
        "a bigger table helps: slidebench pdb build {size}:{partition}{flags} ({takes}), {gain}"
    )
}

fn common_text(common: &Common) -> String {
    let on = counted(common.instances, "instance");
    let mut text = format!("geometric means on the {on} that all configurations solved\n");
    let widths = (common.means.iter()).map(|(name, ..)| name.to_string().chars().count() + 2);
    let width = widths.fold(32, usize::max);
    for (configuration, time, nodes) in &common.means {
        // A program of others need not say how many there were.
        let nodes = nodes.map(|nodes| format!("  {:>16} nodes", count(nodes.round() as u64)));
        let (name, nodes) = (configuration.to_string(), nodes.unwrap_or_default());
        let _ = writeln!(text, "  {name:<width$}{:>9}{nodes}", duration(*time));
    }
    text
}
