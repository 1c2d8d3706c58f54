//! `slidebench board`: one board in another notation, or what there is to know of it.

use std::str::FromStr;

use super::Exit;
use crate::cmd::args::board::BoardArgs;
use crate::cmd::examples;
use crate::cmd::terminal::output::{OutputArg, table};
use crate::harness::solver::BoardForm;
use crate::heuristic::{LinearConflict, Taxicab};
use crate::puzzle::{Board, Goal, UnknownName};
use crate::report::board_svg;

/// Print a board in another notation, or what is known of it without a search.
///
/// That is its size, where its gap is, whether it can become the goal, and how far from it it is by
/// the estimates that need no table.
#[derive(clap::Args)]
#[command(after_help = examples::BOARD)]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,

    /// The notation: numbers, commas, letters, rows, puz (rows with a point for the gap) or svg (a
    /// drawing).
    #[arg(long = "as", value_name = "NOTATION")]
    form: Option<Form>,

    #[command(flatten)]
    output: OutputArg,
}

/// What a board can be printed as.
#[derive(Clone, Copy)]
enum Form {
    Text(BoardForm),
    Svg,
}

/// All notations by their names.
pub(super) const FORMS: [&str; 6] = ["numbers", "commas", "letters", "rows", "puz", "svg"];

impl FromStr for Form {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Form, UnknownName> {
        if text == "svg" {
            return Ok(Form::Svg);
        }
        text.parse().map(Form::Text).map_err(|error| UnknownName {
            names: &FORMS,
            ..error
        })
    }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let (board, goal) = args.board.read()?;
    let text = match args.form {
        Some(Form::Text(form)) => form.text(&board) + "\n",
        Some(Form::Svg) => board_svg(&board, goal),
        None => table(&facts(&board, goal)),
    };
    args.output.create()?.write(&text)?;
    Ok(Exit::Done)
}

/// What there is to know without a search.
fn facts(board: &Board, goal: Goal) -> Vec<(&'static str, String)> {
    let (size, gap) = (board.size(), board.gap());
    let solved = Board::solved(size, goal);
    let goal_line = match goal.name() {
        Some(name) => format!("{name} ({solved})"),
        None => solved.to_string(),
    };
    let tiles = board.tiles().iter().zip(solved.tiles());
    let away = tiles.filter(|(tile, home)| **tile != 0 && tile != home);
    let inversions = board.inversions();
    let parity = match inversions % 2 {
        0 => "even",
        _ => "odd",
    };
    vec![
        ("board", board.to_string()),
        ("size", size.to_string()),
        (
            "gap",
            format!(
                "row {}, column {}",
                size.row_of(gap) + 1,
                size.col_of(gap) + 1
            ),
        ),
        ("goal", goal_line),
        ("solvable", solvable(board, goal)),
        ("inversions", format!("{inversions} ({parity})")),
        (
            "misplaced",
            format!("{} of {} tiles", away.count(), size.cells() - 1),
        ),
        ("taxicab", Taxicab::of(board, goal).to_string()),
        ("conflicts", LinearConflict::of(board, goal).to_string()),
    ]
}

/// Whether the board can become the goal; where not, by which of the two usual ones it can.
fn solvable(board: &Board, goal: Goal) -> String {
    if board.is_solvable(goal) {
        return "yes".to_owned();
    }
    let mut others = [Goal::First, Goal::Last].into_iter();
    match others.find(|&other| board.is_solvable(other)) {
        Some(other) => format!("no, its parity is another; with --goal {other} it is"),
        None => "no, its parity is another".to_owned(),
    }
}
