//! Which problem a row is about: a run of another board has another answer, whatever its name.

use crate::puzzle::{Board, Costs, Goal, Metric, Rules, Size};

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
        let columns = [
            ("size", &self.size, &other.size),
            ("board", &self.board, &other.board),
            ("goal", &self.goal, &other.goal),
            ("metric", &self.metric, &other.metric),
            ("costs", &self.costs, &other.costs),
        ];
        let (column, one, another) = columns.into_iter().find(|(_, one, two)| one != two)?;
        Some((column, one, another))
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
