//! Which problem a row is about: a run of another board has another answer, whatever its name.

use crate::puzzle::{Board, Costs, Goal, Metric, Rules, Size, parse_board};

/// One tile a move, in rows that do not say so.
pub(crate) const METRIC: &str = Metric::Single.name();
/// Each move of cost 1, likewise.
pub(crate) const COSTS: &str = Costs::Unit.name();

/// The problem of a run, as the columns of its row name it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PuzzleKey {
    /// `4x4`, or nothing where it is not known.
    pub size: String,
    /// The start, row by row.
    pub board: String,
    /// `first`, `last`, or the goal row by row.
    pub goal: String,
    /// What counts as a move.
    pub metric: String,
    /// What a move costs.
    pub costs: String,
}

impl PuzzleKey {
    /// The problem of a board.
    pub fn new(board: &Board, rules: impl Into<Rules>) -> PuzzleKey {
        let (size, rules) = (board.size(), rules.into());
        PuzzleKey {
            size: size_of(Some(size.rows()), Some(size.cols())),
            board: numbers(board),
            goal: goal_text(rules.goal, size),
            metric: rules.metric.to_string(),
            costs: rules.costs.to_string(),
        }
    }

    /// The first column in which two problems differ, with what it says here and there.
    pub fn difference<'a>(
        &'a self,
        other: &'a PuzzleKey,
    ) -> Option<(&'static str, &'a str, &'a str)> {
        let mut columns = self.beside(other).into_iter();
        columns.find(|(_, one, two)| one != two)
    }

    /// The same for two keys of which one may say less: what is empty is not known.
    pub fn contradiction<'a>(
        &'a self,
        other: &'a PuzzleKey,
    ) -> Option<(&'static str, &'a str, &'a str)> {
        let mut columns = self.beside(other).into_iter();
        columns.find(|(_, one, two)| one != two && !one.is_empty() && !two.is_empty())
    }

    fn beside<'a>(&'a self, other: &'a PuzzleKey) -> [(&'static str, &'a str, &'a str); 5] {
        [
            ("size", &self.size, &other.size),
            ("board", &self.board, &other.board),
            ("goal", &self.goal, &other.goal),
            ("metric", &self.metric, &other.metric),
            ("costs", &self.costs, &other.costs),
        ]
    }

    /// The same with the one text that each board and each goal has, however a file writes it. What
    /// cannot be read says nothing.
    #[must_use]
    pub fn plain(&self) -> PuzzleKey {
        let size: Option<Size> = self.size.parse().ok();
        let board = parse_board(&self.board, size).ok();
        let size = size.or(board.map(|board| board.size()));
        let goal = Goal::parse(&self.goal, size).ok();
        PuzzleKey {
            board: board.as_ref().map(numbers).unwrap_or_default(),
            goal: goal.and_then(|it| plain_goal(it, size)).unwrap_or_default(),
            ..self.clone()
        }
    }
}

/// The one text of a goal; nothing where it depends on a size that is not known.
fn plain_goal(goal: Goal, size: Option<Size>) -> Option<String> {
    match (goal, size) {
        (Goal::Board(board), _) => Some(goal_text(goal, board.size())),
        (_, Some(size)) => Some(goal_text(goal, size)),
        (Goal::First | Goal::Last, None) => Some(goal.to_string()),
        (_, None) => None,
    }
}

/// A size as a key has it.
pub(super) fn size_of(rows: Option<usize>, cols: Option<usize>) -> String {
    match (rows, cols) {
        (Some(rows), Some(cols)) => format!("{rows}x{cols}"),
        _ => String::new(),
    }
}

/// A goal as files write it: `first`, `last`, or the numbers of its tiles, row by row. A goal has one
/// text, however it was named.
pub(crate) fn goal_text(goal: Goal, size: Size) -> String {
    match goal.of_size(size) {
        Goal::Board(board) => numbers(&board),
        named => named.to_string(),
    }
}

/// A board as files write it: the numbers of its tiles, row by row.
pub(crate) fn numbers(board: &Board) -> String {
    let numbers: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
    numbers.join(" ")
}
