//! What the texts of a row may say. What is empty is not known, and nothing is wrong with that.

use super::format::no_name;
use super::key::SOLVER;
use crate::puzzle::{
    Costs, Goal, GoalError, Metric, ParseError, ParseProblem, Size, excerpt, parse_board,
};
use crate::search::{EngineChoice, Prune};

/// The columns with texts that are more than names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Texts<'a> {
    pub rows: Option<usize>,
    pub cols: Option<usize>,
    pub board: &'a str,
    pub goal: &'a str,
    pub metric: &'a str,
    pub costs: &'a str,
    pub solver: &'a str,
    pub engine: &'a str,
    pub prune: &'a str,
}

impl Texts<'_> {
    /// The first column that says what it cannot, and what is wrong with it.
    pub fn wrong(&self) -> Option<(&'static str, String)> {
        let sides = self.rows.zip(self.cols);
        let size = sides.and_then(|(rows, cols)| Size::new(rows, cols).ok());
        let of_puzzle = [
            ("board", self.board, board_problem(self.board, size)),
            ("goal", self.goal, goal_problem(self.goal, size)),
            ("metric", self.metric, metric_problem(self.metric)),
            ("costs", self.costs, costs_problem(self.costs)),
        ];
        // Programs of others have engines and prunings of their own.
        let is_ours = self.solver == SOLVER;
        let of_search = [
            ("engine", self.engine, engine_problem(self.engine)),
            ("prune", self.prune, prune_problem(self.prune)),
        ];
        let of_search = of_search.into_iter().filter(|_| is_ours);
        let mut all = of_puzzle.into_iter().chain(of_search);
        all.find_map(|(column, text, problem)| match text.is_empty() {
            true => None,
            false => Some((column, problem?)),
        })
    }
}

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
