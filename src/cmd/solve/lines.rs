//! What a person reads about one search.

use bytesize::ByteSize;

use super::{Args, MovesAs};
use crate::cmd::advice;
use crate::harness::humanize::counted;
use crate::harness::record::Status;
use crate::harness::run::{PreparedFsm, SearchTables};
use crate::heuristic::PreparedEndgame;
use crate::puzzle::{Board, Cost, Goal, Metric, Move, Rules, Unsolvable};
use crate::search::{Algorithm, EngineChoice, Outcome, Settings, Solution, Stats, Stop};

/// What a person wants to read about one search.
pub fn lines(
    (board, rules): (&Board, Rules),
    args: &Args,
    settings: &Settings<'_>,
    tables: &SearchTables,
    outcome: Option<&Outcome>,
) -> Vec<(&'static str, String)> {
    let mut lines = vec![("board", board.to_string())];
    let Some(outcome) = outcome else {
        let reason = Unsolvable::Parity(rules.goal).to_string();
        lines.push(("status", format!("unsolvable ({reason})")));
        if let Some(other) = advice::other_goal(board, rules.goal) {
            lines.push(("help", format!("--goal {other} has a solution")));
        }
        return lines;
    };
    let stats = &outcome.stats;
    lines.extend(result_lines(args, settings.algorithm, board, outcome));
    if outcome.result == Err(Stop::Memory) {
        lines.push(("reached", reached(settings.algorithm, stats)));
        lines.push(("help", advice::of_memory(settings.algorithm.name())));
    }
    lines.push(("search", search_line(args, settings, stats)));
    let bytes = settings.heuristic.table_bytes();
    if bytes > 0 {
        let time = tables.estimate.time();
        let line = format!("{}, ready after {time:.1?}", ByteSize(bytes));
        lines.push(("tables", line));
    }
    if let Some(PreparedEndgame { table, time }) = &tables.endgame {
        let (depth, bytes) = (table.depth(), ByteSize(table.bytes()));
        let line = format!("to depth {depth}, {bytes}, ready after {time:.1?}");
        lines.push(("endgame", line));
    }
    if let Some(PreparedFsm { prune, bytes, time }) = tables.fsm {
        let line = format!("{prune}, {}, ready after {time:.1?}", ByteSize(bytes));
        lines.push(("fsm", line));
    }
    lines.push(("expanded", stats.expanded.to_string()));
    lines.push(("generated", stats.generated.to_string()));
    if stats.stored > 0 {
        lines.push(("stored", stats.stored.to_string()));
        lines.push(("frontier", format!("{} at most", stats.max_frontier)));
        lines.push(("memory", format!("{} at most", ByteSize(stats.peak_memory))));
    }
    if stats.iterations > 0 && settings.algorithm.has_iterations() {
        lines.push(("iterations", stats.iterations.to_string()));
    }
    lines.push(("depth", format!("{} at most", stats.max_depth)));
    let mut time = format!("{:?}", stats.time);
    // A search that did not begin has no rate.
    if !stats.time.is_zero() {
        let per_second = stats.generated as f64 / stats.time.as_secs_f64();
        time += &format!(" ({:.1} million nodes/s)", per_second / 1e6);
    }
    lines.push(("time", time));
    lines
}

/// What a search knew when its memory was full.
fn reached(algorithm: Algorithm, stats: &Stats) -> String {
    let states = counted(stats.stored as usize, "state");
    match algorithm.is_informed() {
        true => format!("f = {}, {states} stored", stats.f_reached),
        false => format!("{states} stored"),
    }
}

/// The lines of what a search found, or of why it ended.
fn result_lines(
    args: &Args,
    algorithm: Algorithm,
    board: &Board,
    outcome: &Outcome,
) -> Vec<(&'static str, String)> {
    let (stats, solution) = match &outcome.result {
        Ok(solution) => (&outcome.stats, solution),
        Err(stop) => return vec![("status", Status::from(*stop).to_string())],
    };
    let verified = match solution.verified {
        true => "replayed to the goal",
        false => "DOES NOT REPLAY",
    };
    let moves = match (args.moves, args.metric) {
        _ if solution.moves.is_empty() => "none needed".to_owned(),
        (MovesAs::Letters(notation), Metric::Single) => {
            format!("{} ({notation} moves)", notation.letters(&solution.moves))
        }
        (MovesAs::Letters(notation), Metric::Multi) => {
            format!("{} ({notation} moves)", notation.runs(&solution.moves))
        }
        (MovesAs::Numbers, _) => format!("{} (tiles that move)", numbers(board, &solution.moves)),
    };
    let status = match stats.stopped_by {
        None => format!("solved ({verified})"),
        Some(stop) => format!("{}, the best so far ({verified})", Status::from(stop)),
    };
    let mut lines = vec![("status", status), ("cost", cost_line(args, solution))];
    if algorithm.is_suboptimal() || stats.stopped_by.is_some() {
        lines.push(("bound", bound_line(solution.cost, stats.least_cost())));
    }
    lines.push(("solution", moves));
    lines
}

/// What is proven of a cost.
fn bound_line(cost: Cost, least: Option<Cost>) -> String {
    match least {
        Some(least) if least == cost => "1: it is a shortest solution".to_owned(),
        Some(least) if least > Cost::default() => {
            let factor = cost.as_f64() / least.as_f64();
            format!("{factor:.3} at most: no solution costs less than {least}")
        }
        _ => "none proven".to_owned(),
    }
}

/// The cost, and where that is not the same, over how many cells the gap goes.
fn cost_line(args: &Args, solution: &Solution) -> String {
    let (cost, moves) = (solution.cost, solution.moves.len());
    match args.rules(Goal::Last).are_plain() {
        true => cost.to_string(),
        false => format!("{cost} (of {})", counted(moves, "single move")),
    }
}

/// Which search ran, and how: `idastar with md, 41 at the start, batched, 1 thread`.
fn search_line(args: &Args, settings: &Settings<'_>, stats: &Stats) -> String {
    let mut line = settings.algorithm.to_string();
    if settings.algorithm.is_informed() {
        let h0 = stats.h0_cost.unwrap_or(stats.h0.into());
        line += &format!(" with {}, {h0} at the start", settings.heuristic);
    }
    if let Some(engine) = stats.engine {
        line += &format!(", {engine}");
        if args.walk.engine == EngineChoice::Batched
            && engine.to_string() != args.walk.engine.name()
        {
            line += " (there is no batched engine for this search)";
        }
    }
    if stats.engine.is_some() || args.walk.threads > 1 {
        line += &format!(", {}", counted(args.walk.threads.into(), "thread"));
    }
    if let Some(prune) = settings.prune {
        line += &format!(", pruned by {prune}");
    }
    line
}

/// The tiles that a solution moves, in their order.
fn numbers(board: &Board, moves: &[Move]) -> String {
    let mut board = *board;
    let mut tiles = Vec::with_capacity(moves.len());
    for &mv in moves {
        let gap = board.gap();
        let Some(next) = board.after(mv) else {
            break;
        };
        tiles.push(next.tiles()[usize::from(gap)].to_string());
        board = next;
    }
    tiles.join(" ")
}
