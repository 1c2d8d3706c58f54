//! What the texts of a row may say. What is empty is not known, and nothing is wrong with that.

use super::key::SOLVER;
use super::lines::no_name;
use crate::puzzle::{
    Costs, Goal, GoalError, Metric, ParseError, ParseProblem, Size, excerpt, parse_board,
};
use crate::search::{EngineChoice, Prune};

/// The first column of some that says what it cannot, and what is wrong with it. `sides` are the rows
/// and the columns of the board.
pub(super) fn wrong_text(
    sides: [Option<usize>; 2],
    columns: &[(&'static str, &str)],
) -> Option<(&'static str, String)> {
    let [rows, cols] = sides;
    let size = rows.zip(cols);
    let size = size.and_then(|(rows, cols)| Size::new(rows, cols).ok());
    let text_of = |name: &str| columns.iter().find(|(column, _)| *column == name);
    // Programs of others have engines and prunings of their own.
    let is_ours = text_of("solver").is_some_and(|&(_, solver)| solver == SOLVER);
    let problem = |column: &str, text: &str| match column {
        "board" => board_problem(text, size),
        "goal" => goal_problem(text, size),
        "metric" => metric_problem(text),
        "costs" => costs_problem(text),
        "engine" if is_ours => engine_problem(text),
        "prune" if is_ours => prune_problem(text),
        _ => None,
    };
    let mut written = columns.iter().filter(|(_, text)| !text.is_empty());
    written.find_map(|&(column, text)| Some((column, problem(column, text)?)))
}

/// The columns of a row by their names, as [`wrong_text`] takes them.
macro_rules! named_columns {
    ($row:expr, $($column:ident)*) => {
        &[$((stringify!($column), $row.$column.as_str())),*]
    };
}
pub(super) use named_columns;

fn board_problem(text: &str, size: Option<Size>) -> Option<String> {
    let error = parse_board(text, size).err()?;
    let problem = told(&error)?;
    let text = excerpt(text);
    Some(format!(
        "'{text}' is not a board: {problem}; expected the numbers of its tiles, 0 for the gap"
    ))
}

fn goal_problem(text: &str, size: Option<Size>) -> Option<String> {
    let problem = match Goal::parse(text, size).err()? {
        GoalError::Unknown(_) => String::new(),
        GoalError::Board(error) => format!(": {}", told(&error)?),
        error @ GoalError::OtherSize { .. } => format!(": {error}"),
    };
    let text = excerpt(text);
    Some(format!(
        "'{text}' is not a goal{problem}; expected first, last, or the numbers of its tiles"
    ))
}

/// Why a text is no board; nothing where the row alone does not say what size it has.
fn told(error: &ParseError) -> Option<&ParseProblem> {
    match &error.problem {
        ParseProblem::NoSquare(_) => None,
        problem => Some(problem),
    }
}

fn metric_problem(text: &str) -> Option<String> {
    let names = Metric::ALL.map(Metric::name);
    problem_of_name(text, "a metric", &names)
}

fn costs_problem(text: &str) -> Option<String> {
    let names = Costs::ALL.map(Costs::name);
    problem_of_name(text, "a way to cost moves", &names)
}

/// A row names the engine that ran, so there is no `auto`.
fn engine_problem(text: &str) -> Option<String> {
    let names = [EngineChoice::Scalar, EngineChoice::Batched].map(EngineChoice::name);
    problem_of_name(text, "an engine", &names)
}

fn problem_of_name(text: &str, what: &str, names: &[&str]) -> Option<String> {
    (!names.contains(&text)).then(|| no_name(text, what, names))
}

fn prune_problem(text: &str) -> Option<String> {
    let pruning: Result<Prune, _> = text.parse();
    pruning.is_err().then(|| {
        let (text, deepest) = (excerpt(text), Prune::DEEPEST);
        format!("'{text}' is not a pruning; expected fsm:DEPTH with a depth from 2 to {deepest}")
    })
}
