//! `slidebench pdb eta`: what heuristics are worth, before any search.

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::Context;
use bytesize::ByteSize;
use clap::ValueEnum;
use serde::Serialize;

use super::print;
use crate::cmd::args::tables::SearchTableArgs;
use crate::cmd::terminal::output::table;
use crate::cmd::terminal::progress::When;
use crate::cmd::{Exit, UsageError, catch_interrupt, examples};
use crate::harness::humanize::count;
use crate::harness::run::Configuration;
use crate::heuristic::{Estimate, HeuristicName};
use crate::heuristic::{Etas, etas};
use crate::lookup::Collection;
use crate::puzzle::{Goal, Size};
use crate::search::{Algorithm, EngineChoice, Pruning};

/// Measure the share of nodes that heuristics leave: the mean of b^-h over all states, where b is
/// the branching factor. The ratio of two is the ratio of nodes on hard boards.
#[derive(clap::Args)]
#[command(after_help = examples::PDB_ETA)]
pub struct Args {
    /// Collections as for pdb build (6-6-6-6, 4x4:7-8, a grid), md, lc or wd, with ,nomirror
    /// behind one whose mirror image is to be left out. All are measured on the same states, which
    /// are drawn for the first one.
    #[arg(required = true, value_name = "COLLECTION")]
    collections: Vec<String>,

    /// ROWSxCOLS, where the first name does not show it.
    #[arg(long)]
    size: Option<Size>,

    /// States to draw; the error halves with four times as many.
    #[arg(long, value_name = "N", default_value = "500000", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    samples: u64,

    /// Draw others.
    #[arg(long, default_value = "1")]
    seed: u64,

    /// Threads, by default one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Text for people, or a line of JSON or of CSV for each collection.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Write the states that were drawn to this file, as CSV: for how many each one stands, and its
    /// values.
    #[arg(long, value_name = "FILE")]
    draws: Option<PathBuf>,

    #[command(flatten)]
    tables: SearchTableArgs,

    /// When to show what is being built.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    progress: When,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
}

/// What is measured of a collection, with all that it takes to measure it again.
#[derive(Serialize)]
struct Figures {
    heuristic: String,
    rows: usize,
    cols: usize,
    eta: f64,
    error: f64,
    branching: f64,
    near: u32,
    near_states: u64,
    samples: usize,
    seed: u64,
    table_bytes: u64,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let (first, size) = named(&args.collections[0], args.size)?;
    let refused = size.refuse_wide();
    refused.map_err(|error| UsageError(error.to_string()))?;
    let mut names = vec![first];
    for text in &args.collections[1..] {
        let (name, own) = named(text, Some(size))?;
        if own != size {
            let message = format!("'{text}' is for {own}, and the first collection for {size}");
            return Err(UsageError(message).into());
        }
        names.push(name);
    }
    let mut prepared = Vec::new();
    for name in names {
        let search = search(name);
        let tables = args.tables.prepare(
            &search,
            None,
            (size, Goal::First.into()),
            None,
            args.progress,
        )?;
        let Some(tables) = tables else {
            return Ok(Exit::Interrupted);
        };
        prepared.push(tables);
    }
    let estimates: Vec<Estimate<'_>> = prepared.iter().map(|it| it.estimate.estimate()).collect();
    let cancel = catch_interrupt()?;
    let is_cancelled = || cancel.load(Relaxed);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0).into());
    let measured = pool
        .build()?
        .install(|| etas(&estimates, size, args.samples, args.seed, &is_cancelled));
    let Some(measured) = measured else {
        return Ok(Exit::Interrupted);
    };
    let figures: Vec<Figures> = estimates
        .iter()
        .zip(&measured.etas)
        .map(|(estimate, eta)| Figures {
            heuristic: estimate.to_string(),
            rows: size.rows(),
            cols: size.cols(),
            eta: eta.mean,
            error: eta.error,
            branching: measured.branching,
            near: measured.near,
            near_states: measured.near_states,
            samples: measured.draws.len(),
            seed: args.seed,
            table_bytes: estimate.table_bytes(),
        })
        .collect();
    if let Some(path) = &args.draws {
        let text = draws(&figures, &measured);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print(&match args.format {
        Format::Text => table(&lines(size, &figures, &measured)),
        Format::Json => {
            let lines = figures
                .iter()
                .map(|it| Ok(serde_json::to_string(it)? + "\n"));
            lines.collect::<anyhow::Result<String>>()?
        }
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(Vec::new());
            for figures in &figures {
                csv.serialize(figures)?;
            }
            String::from_utf8(csv.into_inner()?)?
        }
    })?;
    Ok(Exit::Done)
}

/// A heuristic, and the boards that it is for.
fn named(text: &str, size: Option<Size>) -> Result<(HeuristicName, Size), UsageError> {
    let (shown, name) = match text.split_once(':') {
        Some(("pdb", _)) | None => (None, text),
        Some((size, name)) => {
            let size: Size = size
                .parse()
                .map_err(|error| UsageError(format!("{error}")))?;
            (Some(size), name)
        }
    };
    let collection = name.strip_prefix("pdb:").unwrap_or(name);
    let known = name.parse::<HeuristicName>();
    let heuristic = known.or_else(|_| format!("pdb:{collection}").parse());
    let heuristic = heuristic.map_err(|error| UsageError(error.to_string()))?;
    let without_mirror = collection.trim_end_matches(",nomirror");
    let size = shown
        .or(size)
        .or_else(|| Collection::size_of(without_mirror));
    let size = size.ok_or_else(|| {
        UsageError(format!(
            "'{name}' does not show its size; write SIZE:{name}, for example 5x5:{name}"
        ))
    })?;
    Ok((heuristic, size))
}

/// A search that reads the tables of a heuristic, and nothing else.
fn search(heuristic: HeuristicName) -> Configuration {
    Configuration {
        algorithm: Algorithm::IdaStar,
        heuristic,
        threads: 1,
        engine: EngineChoice::Auto,
        prune: Pruning::Off,
        open: None,
    }
}

fn lines(size: Size, figures: &[Figures], measured: &Etas) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let first = figures[0].eta;
    for figures in figures {
        let percent = 100.0 * figures.error / figures.eta;
        let mut line = format!("{:.3e} ± {percent:.1} %", figures.eta);
        if measured.etas.len() > 1 {
            line += &format!(", {:.3} of the first", figures.eta / first);
        }
        line += &format!(" ({}", figures.heuristic);
        if figures.table_bytes > 0 {
            line += &format!(", {}", ByteSize(figures.table_bytes));
        }
        lines.push(("eta", line + ")"));
    }
    let branching = measured.branching;
    let states = format!(
        "{:.3e} of {size}, branching factor {branching:.4}",
        measured.states
    );
    let near = format!(
        "{} states up to {} moves from the goal, counted one by one",
        count(measured.near_states),
        measured.near
    );
    let samples = format!("{} of the other states", count(measured.draws.len() as u64));
    lines.extend([("states", states), ("near", near), ("samples", samples)]);
    lines
}

/// A row for each state that was drawn.
fn draws(figures: &[Figures], measured: &Etas) -> String {
    let names = figures.iter().map(|it| format!(",{}", it.heuristic));
    let mut text = format!("stands_for{}\n", names.collect::<String>());
    for draw in &measured.draws {
        text += &format!("{:e}", draw.stands_for);
        for value in &draw.values {
            text += &format!(",{value}");
        }
        text.push('\n');
    }
    text
}
