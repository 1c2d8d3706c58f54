//! A page with one board that plays its solution.

use std::fmt::Write;

use serde_json::json;

use super::board_svg::board_svg;
use super::html::{escape, script_json};
use super::page::{PLAYER_SCRIPT, page};
use crate::harness::humanize::counted;
use crate::harness::record::goal_text;
use crate::puzzle::{Board, Costs, Move, Notation, Rules};

/// What starts the player on this page.
const SCRIPT: &str = include_str!("solution_page.js");

/// The page; `lines` are names and values to tell about the search. Without moves, or with moves
/// that do not lead to the goal, it shows the board alone.
pub fn solution_page(
    board: &Board,
    rules: Rules,
    moves: Option<&[Move]>,
    lines: &[(&str, String)],
) -> String {
    let (goal, solved) = (rules.goal, rules.solved(board.size()));
    let is_goal = |end: Board| end == solved;
    let moves = moves.filter(|moves| board.replay(moves).is_some_and(is_goal));
    let letters = moves.map(|moves| Notation::Gap.letters(moves));
    let title = match moves {
        Some(moves) => format!("{} board, {}", board.size(), cost_of(&rules, board, moves)),
        None => format!("{} board", board.size()),
    };
    let mut body = format!(
        "<main class=\"solution\"><h1>{title}</h1>\n<div class=\"boards\">\
         <div id=\"player\" class=\"drawing\">{}</div>\
         <figure class=\"goal drawing\"><figcaption>goal</figcaption>{}</figure></div>\n\
         <p class=\"buttons scripted\"><button type=\"button\" id=\"save-svg\">Save as SVG</button></p>\n\
         <dl class=\"facts\">",
        board_svg(board, goal),
        board_svg(&solved, goal),
    );
    for (name, value) in lines {
        let (name, value) = (escape(name), escape(value));
        let _ = write!(body, "<dt>{name}</dt><dd>{value}</dd>");
    }
    body.push_str("</dl></main>\n");
    let puzzle = json!({
        "rows": board.size().rows(),
        "cols": board.size().cols(),
        "goal": goal_text(goal, board.size()),
        "metric": rules.metric.name(),
        "tiles": board.tiles(),
        "moves": letters,
    });
    let _ = write!(
        body,
        "<script type=\"application/json\" id=\"data\">{}</script>",
        script_json(&puzzle)
    );
    page(
        &format!("{title} – slidebench"),
        &body,
        &[PLAYER_SCRIPT, SCRIPT],
    )
}

/// `17 moves`, or the cost where tiles have costs of their own.
fn cost_of(rules: &Rules, board: &Board, moves: &[Move]) -> String {
    let cost = rules.cost(board, moves);
    match (rules.costs, cost.whole()) {
        (Costs::Unit, Some(moves)) => counted(moves, "move"),
        _ => format!("cost {cost}, {}", counted(moves.len(), "move")),
    }
}
