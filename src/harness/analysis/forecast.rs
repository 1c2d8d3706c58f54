//! How many nodes IDA* or A*+IDA* will take for a board, told before it is searched.
//!
//! Nodes grow from one threshold to the next by a factor that hardly changes, so the first
//! thresholds, searched within a budget, tell the nodes of the others. Which one is the last is the
//! harder question: a wrong guess by one is a factor of ten on 5x5. A beam search answers most of
//! it, as no threshold past its solution is ever searched.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::growth::Growth;
use crate::heuristic::Estimate;
use crate::puzzle::{Move, Problem};
use crate::search::{
    Algorithm, Control, Event, Iteration, Limits, Outcome, Settings, Stop, Width, solve,
};
use crate::sys::machine;

/// What a forecast may cost. It is counted, not timed, so that a board has the same forecast on
/// every machine; only the time in it is the machine's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Nodes of the first thresholds.
    pub nodes: u64,
    /// States of each layer of the beam.
    pub width: usize,
}

impl Default for Budget {
    /// About five seconds for 5x5 with pattern databases, under one for 4x4.
    fn default() -> Budget {
        Budget {
            nodes: 32_000_000,
            width: 100_000,
        }
    }
}

/// A threshold of that many nodes for each state of the beam's width, or of fewer, hides no solution
/// that is shorter than the beam's. Where that has more, the cost lies [`SHORTER`] of the way from
/// it down to the threshold that has as many.
///
/// Both, and [`LAST`], were fitted to korf100 with `md` and to a part of korf24 with `pdb:6-6-6-6`,
/// its ten easiest among them: how well they hold for those is no test of them.
const SURE: f64 = 1000.0;
const SHORTER: f64 = 0.35;
/// The part of its last threshold that IDA* takes, those before it included.
const LAST: f64 = 0.5;
/// How far most searches are from their forecasts: with `md` and a beam of 30,000, 45 of 50 of
/// korf100 are nearer, and 47 of 50 random boards that nothing was fitted to. For hard boards of
/// 5x5 it is not known.
const LIKELY: f64 = 5.0;

/// What a search will take.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Forecast {
    /// Whether the budget was enough to solve the board: then nothing is predicted.
    pub solved: bool,
    /// The estimate of the board.
    pub h0: u32,
    /// The likely cost.
    pub cost: u32,
    /// The cost of a solution that the beam found.
    pub cost_at_most: Option<u32>,
    /// Its moves.
    #[serde(skip)]
    pub moves: Option<Vec<Move>>,
    /// Likely nodes of all thresholds.
    pub generated: u64,
    /// Most boards are within these.
    pub generated_from: u64,
    /// The upper end of their likely range.
    pub generated_to: u64,
    /// Likely time on this machine.
    pub time_ns: u64,
    /// How fast the first thresholds were searched.
    pub nodes_per_s: f64,
    /// Up to the likely cost.
    pub thresholds: Vec<Level>,
}

/// A threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Level {
    /// Its largest f.
    pub threshold: u32,
    /// Nodes of the whole threshold; of one that was solved, those until then.
    pub generated: u64,
    /// Whether it was searched, and not predicted.
    pub measured: bool,
}

impl Forecast {
    /// The time of that many nodes at the speed of this machine.
    pub fn time_of(&self, generated: u64) -> Duration {
        time_of(generated, self.nodes_per_s)
    }
}

/// No forecast can be told: the user did not wait, or a table is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search ended before a forecast could be made")]
pub struct NoForecast(pub Stop);

/// Predicts IDA* or A*+IDA* with these settings. The limits of `control` are the budget's to say.
pub fn forecast(
    problem: &Problem,
    settings: &Settings<'_>,
    budget: Budget,
    control: &Control<'_>,
) -> Result<Forecast, NoForecast> {
    let (outcome, iterations) = search_first(problem, settings, budget, control);
    match outcome.result {
        Ok(ref solution) => {
            return Ok(solved(&solution.moves, &outcome, &iterations));
        }
        Err(Stop::Nodes) => {}
        Err(stop) => return Err(NoForecast(stop)),
    }
    let beam = search_beam(problem, settings, budget.width, control);
    match beam.result {
        Err(stop @ (Stop::Cancelled | Stop::LostTable)) => Err(NoForecast(stop)),
        beam => {
            let moves = beam.ok().map(|solution| solution.moves);
            let at_most = moves.as_ref().map(|moves| moves.len() as u32);
            Ok(Forecast {
                moves,
                ..predicted(settings, &outcome, &iterations, budget.width, at_most)
            })
        }
    }
}

/// Looks for a solution that is not much longer than a shortest one, on all threads.
fn search_beam(
    problem: &Problem,
    settings: &Settings<'_>,
    width: usize,
    control: &Control<'_>,
) -> Outcome {
    let width = Width::nearest(width);
    let for_beam = Settings {
        // Without an estimate a beam has nothing to choose by.
        heuristic: match settings.heuristic {
            Estimate::Zero => Estimate::LinearConflict,
            estimate => estimate,
        },
        threads: machine::cores(),
        ..Settings::new(Algorithm::Beam(width))
    };
    solve(problem, &for_beam, control)
}

/// Searches until the budget is spent: how that ended, and the thresholds on the way.
fn search_first(
    problem: &Problem,
    settings: &Settings<'_>,
    budget: Budget,
    control: &Control<'_>,
) -> (Outcome, Vec<Iteration>) {
    let iterations = Mutex::new(Vec::new());
    let listener = |event: Event| {
        if let Event::Iteration(iteration) = event {
            let mut heard = iterations.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push(iteration);
        }
    };
    let control = Control {
        limits: Limits {
            nodes: Some(budget.nodes),
            ..Limits::default()
        },
        listener: Some(&listener),
        ..*control
    };
    let outcome = solve(problem, settings, &control);
    let iterations = iterations.into_inner();
    (outcome, iterations.unwrap_or_else(PoisonError::into_inner))
}

fn solved(moves: &[Move], outcome: &Outcome, iterations: &[Iteration]) -> Forecast {
    let (stats, cost) = (&outcome.stats, moves.len() as u32);
    Forecast {
        solved: true,
        h0: stats.h0,
        cost,
        cost_at_most: Some(cost),
        moves: Some(moves.to_vec()),
        generated: stats.generated,
        generated_from: stats.generated,
        generated_to: stats.generated,
        time_ns: stats.time.as_nanos() as u64,
        nodes_per_s: stats.generated as f64 / stats.time.as_secs_f64().max(1e-9),
        thresholds: iterations.iter().map(Level::from).collect(),
    }
}

impl From<&Iteration> for Level {
    fn from(iteration: &Iteration) -> Level {
        Level {
            threshold: iteration.threshold,
            generated: iteration.generated,
            measured: true,
        }
    }
}

fn predicted(
    settings: &Settings<'_>,
    outcome: &Outcome,
    iterations: &[Iteration],
    width: usize,
    at_most: Option<u32>,
) -> Forecast {
    let stats = &outcome.stats;
    let mut growth = Growth::default();
    iterations.iter().for_each(|it| growth.add(it));
    if iterations.is_empty() {
        // A first threshold that outlasts the budget has at least as many nodes.
        growth.add(&Iteration {
            threshold: stats.h0,
            expanded: stats.expanded,
            generated: stats.generated,
            time: stats.time,
            cpu_time: stats.cpu_time,
            complete: true,
            best: None,
        });
    }
    // The threshold that the budget ended in is not known as a whole.
    let searched = iterations.last().map(|it| it.threshold);
    let current = searched.map_or(stats.h0, |threshold| threshold + growth.step());
    let sure = growth.threshold_of(SURE * width as f64);
    let cost = likely_cost(sure, f64::from(current), at_most.map(f64::from));
    let at_least = stats.generated as f64;
    let generated = match settings.algorithm {
        Algorithm::AStarIdaStar => {
            growth.nodes_with_last(cost, settings.algorithm.share_of_last_threshold())
        }
        _ => LAST * growth.nodes(cost),
    };
    let generated = generated.max(at_least);
    let most = at_most.map_or(f64::INFINITY, |most| growth.nodes_up_to(f64::from(most)));
    let whole = growth.whole(cost, current);
    let predicted = (current..=whole).step_by(growth.step() as usize);
    let levels = iterations.iter().map(Level::from);
    let levels = levels.chain(predicted.map(|threshold| Level {
        threshold,
        generated: growth.nodes(f64::from(threshold)) as u64,
        measured: false,
    }));
    let nodes_per_s = stats.generated as f64 / stats.time.as_secs_f64().max(1e-9);
    Forecast {
        solved: false,
        h0: stats.h0,
        cost: whole,
        cost_at_most: at_most,
        moves: None,
        generated: generated as u64,
        generated_from: (generated / LIKELY).max(at_least) as u64,
        generated_to: (generated * LIKELY).min(most.max(generated)) as u64,
        time_ns: time_of(generated as u64, nodes_per_s).as_nanos() as u64,
        nodes_per_s,
        thresholds: levels.collect(),
    }
}

/// The likely cost, from the threshold that is searched next up to what the beam found; between two
/// thresholds where it is about as likely to be either.
fn likely_cost(sure: f64, current: f64, at_most: Option<f64>) -> f64 {
    let cost = match at_most {
        Some(most) => most - SHORTER * (most - sure).max(0.0),
        // Nothing is known but that the beam was too narrow.
        None => sure,
    };
    cost.max(current)
}

fn time_of(generated: u64, nodes_per_s: f64) -> Duration {
    Duration::try_from_secs_f64(generated as f64 / nodes_per_s).unwrap_or(Duration::MAX)
}
