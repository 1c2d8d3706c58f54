//! Flags of `solve` that have no effect together, or none on such a search.

use super::{Args, Format, MovesAs};
use crate::cmd::args::walk::goes_with;
use crate::cmd::{UsageError, advice};
use crate::puzzle::{Board, Costs, Goal, Metric, Notation, Problem, Rules};
use crate::search::{Algorithm, EngineChoice, Pruning, Settings, Stop};
use crate::sys::same_file::is_same_file;

pub fn refuse_what_does_not_go_together(args: &Args) -> Result<(), UsageError> {
    refuse_flags_of_text(args)?;
    refuse_flags_of_idastar(args)?;
    refuse_endgame_without_estimate(args)?;
    refuse_flags_of_plain_moves(args)?;
    refuse_two_texts_in_one_place(args)
}

/// Refuses what only the text heeds where another format is asked for.
fn refuse_flags_of_text(args: &Args) -> Result<(), UsageError> {
    let flag = match args.format {
        Format::Text => return Ok(()),
        _ if args.animate => "--animate",
        _ if args.moves == MovesAs::Letters(Notation::Tile) => "--moves tile",
        _ if args.moves == MovesAs::Numbers => "--moves numbers",
        _ => return Ok(()),
    };
    Err(UsageError(format!("{flag} goes with --format text only")))
}

/// A flag that would have no effect must not look as if it had one.
fn refuse_flags_of_idastar(args: &Args) -> Result<(), UsageError> {
    let algorithm = args.algorithm();
    if args.heuristic.is_some() && !algorithm.is_informed() {
        let only = goes_with("--heuristic", Algorithm::is_informed);
        return Err(UsageError(format!("{only}, not with {algorithm}")));
    }
    if args.walk.threads > 1 && !algorithm.has_threads() {
        let only = goes_with("--threads", Algorithm::has_threads);
        return Err(UsageError(format!("{only}, not with {algorithm}")));
    }
    if args.walk.reopen && !algorithm.can_reopen() {
        let only = goes_with("--reopen", Algorithm::can_reopen);
        return Err(UsageError(format!("{only}, not with {algorithm}")));
    }
    if args.walk.open.is_some() && algorithm != Algorithm::AStarIdaStar {
        return Err(UsageError(format!(
            "--open goes with astar+idastar only, not with {algorithm}"
        )));
    }
    let flag = match algorithm {
        _ if algorithm.has_thresholds() => return Ok(()),
        _ if args.walk.engine != EngineChoice::Auto => "--engine",
        _ if matches!(args.walk.prune, Pruning::By(_)) => "--prune",
        _ => return Ok(()),
    };
    let only = goes_with(flag, Algorithm::has_thresholds);
    Err(UsageError(format!("{only}, not with {algorithm}")))
}

fn refuse_endgame_without_estimate(args: &Args) -> Result<(), UsageError> {
    let algorithm = args.algorithm();
    match args.endgame.is_some() && !algorithm.has_endgame() {
        true => {
            let only = goes_with("--endgame", Algorithm::has_endgame);
            Err(UsageError(format!("{only}, not with {algorithm}")))
        }
        false => Ok(()),
    }
}

/// The searches of other moves than those of one tile that costs one are plain ones.
fn refuse_flags_of_plain_moves(args: &Args) -> Result<(), UsageError> {
    let rules = args.rules(Goal::Last);
    let flag = match rules.metric {
        _ if rules.are_plain() => return Ok(()),
        Metric::Multi if rules.costs != Costs::Unit => "--costs",
        _ if args.walk.threads > 1 => "--threads",
        _ if args.walk.engine != EngineChoice::Auto => "--engine",
        _ if matches!(args.walk.prune, Pruning::By(_)) => "--prune",
        _ => return Ok(()),
    };
    Err(UsageError(format!(
        "{flag} does not go with {}",
        advice::rules_flag(&rules)
    )))
}

/// A search from the goal has tables for few boards.
pub fn refuse_other_target(
    args: &Args,
    board: &Board,
    rules: Rules,
    settings: &Settings<'_>,
) -> Result<(), UsageError> {
    let problem = Problem::new(board, rules).ok();
    match problem.map(|problem| settings.check(&problem)) {
        Some(Err(why @ Stop::OtherTarget)) => Err(UsageError(format!(
            "{} with {} cannot go to this board: {why}; {}",
            args.algorithm_on(board.size()),
            settings.heuristic,
            advice::OTHER_HEURISTIC
        ))),
        _ => Ok(()),
    }
}

/// The page and the text would be mixed up.
fn refuse_two_texts_in_one_place(args: &Args) -> Result<(), UsageError> {
    let text = args.output.path();
    match args
        .html
        .as_deref()
        .is_some_and(|page| is_same_file(page, text))
    {
        true => Err(UsageError(
            "--html and -o write to the same place; send one of them elsewhere".to_owned(),
        )),
        false => Ok(()),
    }
}
