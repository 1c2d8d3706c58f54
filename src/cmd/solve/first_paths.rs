//! First paths of large boards, for people who wait: beams that get wider, before the search for a
//! shortest solution begins, which may take years.

use std::time::Instant;

use console::Term;

use super::{Args, Format};
use crate::cmd::terminal::message;
use crate::cmd::terminal::progress::SearchProgress;
use crate::harness::analysis::{Budget, forecast};
use crate::harness::humanize::{counted, duration, rough};
use crate::puzzle::{Board, Costs, Metric, Problem, Word};
use crate::search::{
    Algorithm, Control, Limits, Outcome, Settings, Solution, Stats, Stop, Width, solve,
};
use crate::sys::machine;

/// States in a layer of each beam: on 5x5 the first one takes a tenth of a second, and each of the
/// others four times as long as the one before.
const WIDTHS: [u32; 6] = [1_000, 4_000, 16_000, 64_000, 256_000, 1_024_000];

/// After this one it is said what a proof would take: later ones take seconds.
const PROOF_AFTER: u32 = WIDTHS[2];

/// As many of them go for boards of more than 25 cells, whose layers are many and have large states.
const OF_WIDE: usize = 4;

/// The first of them.
pub const FIRST: Algorithm = match Width::new(WIDTHS[0]) {
    Some(width) => Algorithm::Beam(width),
    None => unreachable!(),
};

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

/// What has been shown.
pub struct Shown {
    pub best: Option<Solution>,
    /// What is left of the limits.
    pub left: Limits,
    /// How the last search ended, or the one that found the best path, and which one that was.
    ended: Stats,
    algorithm: Algorithm,
    stopped_by: Option<Stop>,
}

impl Shown {
    fn nothing(left: Limits) -> Shown {
        Shown {
            best: None,
            left,
            ended: Stats::default(),
            algorithm: FIRST,
            stopped_by: None,
        }
    }

    /// Whether a solution is verified, and has fewer moves than the best one.
    fn is_bettered_by(&self, solution: &Solution) -> bool {
        let fewer = |best: &Solution| solution.moves.len() < best.moves.len();
        solution.verified && self.best.as_ref().is_none_or(fewer)
    }

    /// What comes of it where no other search follows.
    pub fn outcome(self) -> (Outcome, Algorithm) {
        let stopped = self.stopped_by.unwrap_or(Stop::Memory);
        let stats = Stats {
            stopped_by: self.stopped_by.filter(|_| self.best.is_some()),
            lower_bound: Some(self.ended.h0),
            ..self.ended
        };
        let result = self.best.ok_or(stopped);
        (Outcome { result, stats }, self.algorithm)
    }
}

/// Shows one path after the other, and what a proof would take.
pub fn show(
    problem: &Problem,
    settings: &Settings<'_>,
    control: &Control<'_>,
    progress: &SearchProgress,
) -> Shown {
    let started = Instant::now();
    let left = || Limits {
        time: (control.limits.time).map(|time| time.saturating_sub(started.elapsed())),
        ..control.limits
    };
    let tell = |text: String| {
        progress.clear();
        message::tell(&text);
    };
    let is_wide = problem.size().is_wide();
    let widths = if is_wide { &WIDTHS[..OF_WIDE] } else { &WIDTHS };
    let mut shown = Shown::nothing(left());
    for width in widths.iter().copied().filter_map(Width::new) {
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
        shown.left = left();
        let h0 = outcome.stats.h0;
        let solution = match outcome.result {
            Ok(solution) => solution,
            Err(stop) => {
                shown.stopped_by = Some(stop);
                shown.ended.h0 = h0;
                break;
            }
        };
        if shown.is_bettered_by(&solution) {
            let cost = solution.moves.len();
            let (moves, time) = (counted(cost, "move"), started.elapsed());
            tell(format!("a path of {moves} after {}", duration(time)));
            if is_wide && shown.best.is_none() {
                tell(no_proof_line(problem, h0));
            }
            (shown.best, shown.ended) = (Some(solution), outcome.stats);
            shown.algorithm = beam.algorithm;
            if cost == h0 as usize {
                return shown;
            }
        }
        if width.states() == PROOF_AFTER as usize && !is_wide {
            let line = proof_line(problem, settings, &control, h0);
            line.into_iter().for_each(&tell);
        }
    }
    shown.left = left();
    shown
}

/// That nothing proves a path of a large board to be shortest.
fn no_proof_line(problem: &Problem, h0: u32) -> String {
    format!(
        "no path has fewer than {h0} moves; no search proves a path of {} to be shortest; Ctrl-C ends with \
         the best path so far",
        problem.size()
    )
}

/// What it would take to prove that a path is shortest, unless that takes next to nothing.
fn proof_line(
    problem: &Problem,
    settings: &Settings<'_>,
    control: &Control<'_>,
    h0: u32,
) -> Option<String> {
    let told = forecast(problem, settings, BUDGET, control).ok();
    let told = told.filter(|told| !told.solved)?;
    let (algorithm, heuristic) = (settings.algorithm, settings.heuristic);
    let time = |nodes| rough(told.time_of(nodes));
    Some(format!(
        "no path has fewer than {h0} moves; to find a shortest one, {algorithm} with {heuristic} would take \
         about {} (likely {} to {}); Ctrl-C ends with the best path so far",
        time(told.generated),
        time(told.generated_from),
        time(told.generated_to),
    ))
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
