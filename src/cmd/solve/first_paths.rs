//! First paths of large boards, for people who wait: beams that get wider, before the search for a
//! shortest solution begins, which may take years.

use std::time::Instant;

use console::Term;
use slidebench::harness::analysis::{Budget, Forecast, forecast};
use slidebench::harness::humanize::{counted, duration, rough};
use slidebench::puzzle::{Board, Costs, Metric, Problem, Word};
use slidebench::search::{
    Algorithm, Control, Limits, Outcome, Settings, Solution, Stats, Stop, Width, solve,
};
use slidebench::sys::machine;

use super::{Args, Format};
use crate::cmd::terminal::message;
use crate::cmd::terminal::progress::SearchProgress;

/// States in a layer of each beam: on 5x5 the first one takes a tenth of a second, and each of the
/// others four times as long as the one before.
const WIDTHS: [u32; 6] = [1_000, 4_000, 16_000, 64_000, 256_000, 1_024_000];

/// What the forecast of a proof may cost: about a second.
const BUDGET: Budget = Budget {
    nodes: 8_000_000,
    width: 1_000,
};

/// Whether somebody looks at a terminal and waits for a board that may take long.
pub fn are_wanted(args: &Args, board: &Board) -> bool {
    args.algorithm.is_none()
        && args.format == Format::Text
        && (args.metric, args.costs) == (Metric::Single, Costs::Unit)
        && !args.stdin
        && board.size().cells() > <u64 as Word>::CELLS
        && args.progress.is_shown(&Term::stderr())
}

/// Shows one path after the other, and what a proof would take; returns the best one, and what is left
/// of the limits.
pub fn show(
    problem: &Problem,
    settings: &Settings<'_>,
    control: &Control<'_>,
    progress: &SearchProgress,
) -> (Option<Solution>, Limits) {
    let started = Instant::now();
    let left = || Limits {
        time: (control.limits.time).map(|time| time.saturating_sub(started.elapsed())),
        ..control.limits
    };
    let tell = |text: String| {
        progress.clear();
        message::tell(&text);
    };
    let mut best: Option<Solution> = None;
    let mut h0 = 0;
    for width in WIDTHS.into_iter().filter_map(Width::new) {
        let beam = Settings {
            heuristic: settings.heuristic,
            threads: machine::cores(),
            ..Settings::new(Algorithm::Beam(width))
        };
        let control = Control {
            limits: left(),
            ..*control
        };
        let outcome = solve(problem, &beam, &control);
        h0 = outcome.stats.h0;
        let Ok(solution) = outcome.result else { break };
        let cost = |solution: &Solution| solution.moves.len();
        if solution.verified
            && best
                .as_ref()
                .is_none_or(|best| cost(&solution) < cost(best))
        {
            let (moves, time) = (counted(cost(&solution), "move"), started.elapsed());
            tell(format!("a path of {moves} after {}", duration(time)));
            best = Some(solution);
        }
        if best.as_ref().is_some_and(|best| cost(best) == h0 as usize) {
            return (best, left());
        }
    }
    let told = forecast(problem, settings, BUDGET, control).ok();
    if let Some(told) = told.filter(|told| !told.solved) {
        tell(proof_line(settings, &told, h0));
    }
    (best, left())
}

/// What it would take to prove that a path is shortest.
fn proof_line(settings: &Settings<'_>, told: &Forecast, h0: u32) -> String {
    let Settings {
        algorithm,
        heuristic,
        ..
    } = settings;
    let time = |nodes| rough(told.time_of(nodes));
    format!(
        "no path has fewer than {h0} moves; to find a shortest one, {algorithm} with {heuristic} would take \
         about {} (likely {} to {}); Ctrl-C ends with the best path so far",
        time(told.generated),
        time(told.generated_from),
        time(told.generated_to),
    )
}

/// The outcome of the search, or where that ended without a solution the best path that was found
/// before it.
pub fn or_best(outcome: Outcome, best: Option<Solution>) -> Outcome {
    let is_stopped = |stop| {
        matches!(
            stop,
            Stop::Cancelled | Stop::Time | Stop::Nodes | Stop::Memory
        )
    };
    match (outcome.result, best) {
        (Err(stop), Some(best)) if is_stopped(stop) => Outcome {
            stats: Stats {
                stopped_by: Some(stop),
                lower_bound: Some(outcome.stats.h0.max(outcome.stats.f_reached)),
                ..outcome.stats
            },
            result: Ok(best),
        },
        (result, _) => Outcome { result, ..outcome },
    }
}
