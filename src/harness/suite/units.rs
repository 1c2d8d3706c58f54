//! Suites of units: one threshold of one board, cut for several machines.
//!
//! The file is a suite like any other (`instance,board,optimal`), with columns of its own:
//!
//! | column | |
//! | --- | --- |
//! | `board` | the whole board, the same in every row: a solution is one of it |
//! | `moves` | moves of the gap (`UDLR`) from the board to the unit |
//! | `g`, `h`, `budget` | how many those are, the estimate there, and the moves that are left of the threshold |
//! | `expanded_before`, `generated_before` | nodes above the units that count with this one: those that the recursion comes to after the unit before |
//! | `expanded_after`, `generated_after` | in the last row: those behind it |
//!
//! The head says `# algorithm: NAME` (`idastar` where it does not), `# heuristic: NAME` and, where there
//! is one, `# prune: fsm:DEPTH`: units are in the tree of this search and of no other. Units are in
//! the order of the recursion, those of `astar+idastar` in the order of their estimates. The nodes of
//! all rows of an exhausted threshold, `before` and `after` included, add up to those of one
//! search.

use std::str::FromStr;

use super::definition::{SplitFor, Suite};
use super::problem::SuiteProblem;
use crate::puzzle::{Board, Move, Notation};
use crate::search::{NodeCounts, Unit};

pub(crate) const COLUMNS: [&str; 8] = [
    "moves",
    "g",
    "h",
    "budget",
    "expanded_before",
    "generated_before",
    "expanded_after",
    "generated_after",
];

/// Reads the columns of a unit, in their order.
pub(crate) fn parse_unit(board: &Board, fields: [&str; 8]) -> Result<Unit, SuiteProblem> {
    let number = |column: usize| number(COLUMNS[column], fields[column]);
    let moves: Option<Vec<Move>> = fields[0].chars().map(Move::from_letter).collect();
    let moves = moves.filter(|moves| board.replay(moves).is_some());
    let moves = moves.ok_or_else(|| SuiteProblem::Moves(fields[0].to_owned()))?;
    let (g, h, budget): (u32, u32, u32) = (number(1)? as u32, number(2)? as u32, number(3)? as u32);
    if g as usize != moves.len() || h > budget {
        return Err(SuiteProblem::Unit {
            g,
            h,
            budget,
            moves: moves.len(),
        });
    }
    Ok(Unit {
        threshold: g + budget,
        moves,
        h,
        before: NodeCounts {
            expanded: number(4)?,
            generated: number(5)?,
        },
        after: NodeCounts {
            expanded: number(6)?,
            generated: number(7)?,
        },
    })
}

fn number(column: &str, text: &str) -> Result<u64, SuiteProblem> {
    let number = u64::from_str(text).map_err(|_| not_a_number(column, text))?;
    let is_count = column.contains('_');
    match is_count || number <= u64::from(Unit::LONGEST) {
        true => Ok(number),
        false => Err(not_a_number(column, text)),
    }
}

pub(super) fn not_a_number(column: &str, text: &str) -> SuiteProblem {
    SuiteProblem::NotANumber {
        column: column.to_owned(),
        text: text.to_owned(),
    }
}

/// The file of some units of a board; `source` says where it comes from.
pub fn units_text(suite: &Suite, split_for: &SplitFor, source: &str) -> String {
    let mut text = String::new();
    if let Some(first) = suite.instances.first() {
        text += &format!("# size: {}\n", first.board.size());
    }
    text += &format!("# goal: {}\n# source: {source}\n", suite.goal);
    text += &format!("# algorithm: {}\n", split_for.algorithm);
    text += &format!("# heuristic: {}\n", split_for.heuristic);
    if let Some(prune) = split_for.prune {
        text += &format!("# prune: {prune}\n");
    }
    if let Some(threshold) = suite.threshold() {
        text += &format!("# threshold: {threshold}\n");
    }
    text += "# units: moves lead from the board to each; g, h and budget are the moves made, the estimate \
             and the moves left there; before and after are nodes above the units that count with one\n";
    text += &format!("instance,board,optimal,{}\n", COLUMNS.join(","));
    for instance in &suite.instances {
        let Some(unit) = &instance.unit else {
            continue;
        };
        let moves = Notation::Gap.letters(&unit.moves);
        let (g, h, budget) = (unit.moves.len(), unit.h, unit.budget());
        let NodeCounts {
            expanded,
            generated,
        } = unit.before;
        let (name, board, after) = (&instance.name, &instance.board, unit.after);
        text += &format!("{name},{board},,{moves},{g},{h},{budget},{expanded},{generated}");
        text += &format!(",{},{}\n", after.expanded, after.generated);
    }
    text
}
