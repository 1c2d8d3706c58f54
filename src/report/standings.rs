//! Tables for each suite: how its configurations did.

use std::fmt::Write;

use bytesize::ByteSize;

use super::facts::Facts;
use super::html::escape;
use super::series::Run;
use super::table::{NONE, Table, TableRow, value};
use crate::harness::analysis::{Measure, Standing, SuiteResults};
use crate::harness::humanize::{count, counted, nanoseconds, percent, probability, rate};

pub fn html(facts: &Facts<'_>) -> String {
    let mut html = "<section id=\"summary\"><h2>Summary</h2>".to_owned();
    for results in &facts.results {
        html += &coverage(facts, results).html();
        html += &work(facts, results).html();
        if let Some(pairs) = pairs(facts, results) {
            let _ = write!(
                html,
                "<details><summary>{}: pairs of configurations</summary>{}</details>",
                escape(results.suite),
                pairs.html()
            );
        }
    }
    html + "</section>\n"
}

/// All tables about runs.
pub fn tables(facts: &Facts<'_>) -> Vec<Table> {
    let each = |results| {
        let all = [Some(coverage(facts, results)), Some(work(facts, results))];
        let compared = [ranks(facts, results), pairs(facts, results)];
        all.into_iter().chain(compared).flatten()
    };
    facts.results.iter().flat_map(each).collect()
}

fn label(facts: &Facts<'_>, entrant: usize) -> String {
    facts.runs.series[entrant].label.clone()
}

fn seconds(nanoseconds: Option<f64>) -> String {
    value(nanoseconds.map(|ns| ns / 1e9))
}

/// What was solved, and how long it took.
fn coverage(facts: &Facts<'_>, results: &SuiteResults<'_>) -> Table {
    let entrants = results.entrants();
    let mut rows: Vec<TableRow> = (entrants.iter())
        .map(|&entrant| {
            let standing = results.standing(entrant);
            let only = Some(standing.only.len());
            coverage_row(Some(entrant), label(facts, entrant), &standing, only)
        })
        .collect();
    if entrants.len() > 1 {
        let best = results.virtual_best();
        rows.push(coverage_row(None, "virtual best".to_owned(), &best, None));
    }
    let instances = counted(results.instances.len(), "instance");
    Table {
        id: "coverage",
        suite: results.suite.to_owned(),
        names: 1,
        about: format!(
            "{instances}, each once, with the median of its runs. PAR-2 and PAR-10 are mean times \
             where an unsolved instance counts as 2 and 10 times its limit; the shifted geometric \
             mean counts it as its limit, with a shift of 1 s. Spread is how far the repeats of an \
             instance are apart, as a part of their median: of the instance in the middle, and at \
             most"
        ),
        heads: vec![
            "configuration",
            "solved",
            "only it",
            "PAR-2",
            "PAR-10",
            "shifted mean",
            "spread",
        ],
        columns: vec![
            "configuration",
            "solved",
            "instances",
            "only",
            "par2_s",
            "par10_s",
            "shifted_mean_s",
            "spread_median",
            "spread_largest",
        ],
        rows,
    }
}

fn coverage_row(
    series: Option<usize>,
    name: String,
    standing: &Standing,
    only: Option<usize>,
) -> TableRow {
    let time = |ns: Option<f64>| ns.map_or(NONE.to_owned(), nanoseconds);
    let spread = standing.spread.as_ref();
    let solved = count(standing.solved as u64);
    TableRow {
        series,
        cells: vec![
            name.clone(),
            format!("{solved} / {}", count(standing.instances as u64)),
            only.map_or(NONE.to_owned(), |only| count(only as u64)),
            time(standing.par2),
            time(standing.par10),
            time(standing.shifted_mean),
            spread.map_or(NONE.to_owned(), |spread| {
                format!("{}, {}", percent(spread.median), percent(spread.largest))
            }),
        ],
        values: vec![
            name,
            standing.solved.to_string(),
            standing.instances.to_string(),
            value(only),
            seconds(standing.par2),
            seconds(standing.par10),
            seconds(standing.shifted_mean),
            value(spread.map(|spread| spread.median)),
            value(spread.map(|spread| spread.largest)),
        ],
    }
}

/// What searching took.
fn work(facts: &Facts<'_>, results: &SuiteResults<'_>) -> Table {
    let common = results.common();
    let row = |entrant: usize| {
        let runs = facts.runs.of(entrant).map(|(_, run)| run);
        let own: Vec<&Run<'_>> = runs.filter(|run| run.row.suite == results.suite).collect();
        let time = results.mean(entrant, &common, Measure::Time);
        let nodes = results.mean(entrant, &common, Measure::Nodes);
        let speed = speed(&own);
        let most = |of: fn(&Run<'_>) -> Option<u64>| own.iter().filter_map(|run| of(run)).max();
        let memory = most(|run| run.row.peak_mem_bytes);
        let tables = most(|run| run.row.table_bytes);
        let bytes =
            |bytes: Option<u64>| bytes.map_or(NONE.to_owned(), |it| ByteSize(it).to_string());
        TableRow {
            series: Some(entrant),
            cells: vec![
                label(facts, entrant),
                time.map_or(NONE.to_owned(), nanoseconds),
                nodes.map_or(NONE.to_owned(), |nodes| count(nodes.round() as u64)),
                speed.map_or(NONE.to_owned(), rate),
                bytes(memory),
                bytes(tables),
            ],
            values: vec![
                label(facts, entrant),
                seconds(time),
                value(nodes),
                value(speed),
                value(memory),
                value(tables),
            ],
        }
    };
    Table {
        id: "work",
        suite: results.suite.to_owned(),
        names: 1,
        about: match common.len() {
            0 => "no instance was solved by all, so there are no means".to_owned(),
            number => format!(
                "geometric means over the {} that all solved",
                counted(number, "instance")
            ),
        },
        heads: vec![
            "configuration",
            "time, mean",
            "nodes, mean",
            "speed",
            "memory",
            "tables",
        ],
        columns: vec![
            "configuration",
            "time_mean_s",
            "nodes_mean",
            "nodes_per_s",
            "peak_mem_bytes",
            "table_bytes",
        ],
        rows: results.entrants().into_iter().map(row).collect(),
    }
}

/// Nodes a second over all runs that count them.
fn speed(runs: &[&Run<'_>]) -> Option<f64> {
    let counted = || runs.iter().filter(|run| run.row.generated.is_some());
    let generated = counted().filter_map(|run| run.row.generated);
    let generated: f64 = generated.map(|nodes| nodes as f64).sum();
    let seconds: f64 = counted().map(|run| run.row.time_ns as f64 / 1e9).sum();
    (seconds > 0.0).then(|| generated / seconds)
}

/// The figures of the critical-difference diagram.
fn ranks(facts: &Facts<'_>, results: &SuiteResults<'_>) -> Option<Table> {
    let ranking = results.ranking()?;
    let test = &ranking.test;
    let rows = ranking.entrants.iter().zip(&test.mean_ranks);
    let rows = rows.map(|(&entrant, rank)| TableRow {
        series: Some(entrant),
        cells: vec![label(facts, entrant), format!("{rank:.2}")],
        values: vec![
            label(facts, entrant),
            rank.to_string(),
            test.blocks.to_string(),
            test.chi_square.to_string(),
            test.p.to_string(),
            ranking.critical_difference.to_string(),
        ],
    });
    Some(Table {
        id: "ranks",
        suite: results.suite.to_owned(),
        names: 1,
        about: format!(
            "mean ranks by {} over {}; Friedman's chi square is {:.2}, p {}; ranks differ beyond \
             chance where they are {:.3} apart (Nemenyi, 5 %)",
            ranking.by.words(),
            counted(test.blocks, "instance"),
            test.chi_square,
            probability(test.p),
            ranking.critical_difference,
        ),
        heads: vec!["configuration", "mean rank"],
        columns: vec![
            "configuration",
            "mean_rank",
            "instances",
            "friedman_chi_square",
            "friedman_p",
            "critical_difference",
        ],
        rows: rows.collect(),
    })
}

/// More pairs would be no table to read.
const MOST_PAIRS: usize = 200;

/// Each configuration beside each other one.
fn pairs(facts: &Facts<'_>, results: &SuiteResults<'_>) -> Option<Table> {
    let duels = results.duels();
    if duels.is_empty() || duels.len() > MOST_PAIRS {
        return None;
    }
    let rows = duels.iter().map(|duel| {
        let [one, other] = duel.entrants.map(|entrant| label(facts, entrant));
        let [wins, losses] = duel.wins;
        TableRow {
            series: None,
            cells: vec![
                one.clone(),
                other.clone(),
                count(wins as u64),
                count(losses as u64),
                probability(duel.p),
                probability(duel.adjusted),
            ],
            values: vec![
                one,
                other,
                wins.to_string(),
                losses.to_string(),
                duel.p.to_string(),
                duel.adjusted.to_string(),
            ],
        }
    });
    Some(Table {
        id: "pairs",
        suite: results.suite.to_owned(),
        names: 2,
        about: format!(
            "on how many instances one configuration is better than the other, and Wilcoxon's \
             signed-rank test, by {}; after Holm p is for all pairs together. An unsolved instance \
             counts as twice its limit",
            results.measure().words(),
        ),
        heads: vec!["one", "other", "one better", "other better", "p", "p, Holm"],
        columns: vec!["one", "other", "one_better", "other_better", "p", "p_holm"],
        rows: rows.collect(),
    })
}
