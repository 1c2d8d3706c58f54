//! A solution played on the terminal: the board is drawn in place, move by move.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use console::{Style, Term};

use crate::cmd::Exit;
use crate::cmd::terminal::interrupt::is_interrupted;
use crate::puzzle::{Board, Goal, Move, Notation, Tile};

/// The longest sleep between two looks at the interrupt flag.
const NAP: Duration = Duration::from_millis(20);

/// Columns that every picture fits, its caption included.
const WIDTH: u16 = 40;

/// Plays `moves` of the gap on `board`, each picture for `delay`.
///
/// Where stdout is no terminal, or one without room, the pictures follow each other with no
/// delay. Ctrl-C ends the show once the caller has called `catch_interrupt`.
pub fn play(board: &Board, moves: &[Move], goal: Goal, delay: Duration) -> anyhow::Result<Exit> {
    let stage = Stage::new(board)?;
    let mut shown = *board;
    stage.draw(&shown, goal, &format!("0/{}", moves.len()))?;
    for (index, &mv) in moves.iter().enumerate() {
        if !stage.wait(delay) {
            return Ok(Exit::Interrupted);
        }
        shown = shown
            .after(mv)
            .context("a move of the solution leaves the board")?;
        // The tile that moved stands where the gap was, a step against the gap's move.
        let tile = shown.size().neighbour(shown.gap(), mv.opposite());
        let tile = tile.map_or(0, |cell| shown.tiles()[usize::from(cell)]);
        let way = Notation::Tile.of(mv).name().to_lowercase();
        let caption = format!("{}/{}: tile {tile} moves {way}", index + 1, moves.len());
        stage.redraw(&shown, goal, &caption)?;
    }
    Ok(Exit::Done)
}

/// The part of the terminal where pictures appear; the cursor is hidden while it lasts.
struct Stage {
    /// Buffered, so that a picture appears at once and does not flicker.
    term: Term,
    /// Whether pictures replace each other.
    in_place: bool,
    height: usize,
}

impl Stage {
    fn new(board: &Board) -> io::Result<Stage> {
        let term = Term::buffered_stdout();
        // A caption, and a line above, between and below the rows.
        let height = 1 + 2 * board.size().rows() + 1;
        let (rows, cols) = term.size();
        let has_room = usize::from(rows) > height && cols >= WIDTH;
        let in_place = term.is_term() && has_room;
        if in_place {
            term.hide_cursor()?;
        }
        Ok(Stage {
            term,
            in_place,
            height,
        })
    }

    fn draw(&self, board: &Board, goal: Goal, caption: &str) -> io::Result<()> {
        for line in picture(board, goal).lines().chain([caption]) {
            if self.in_place {
                self.term.clear_line()?;
            }
            self.term.write_line(line)?;
        }
        self.term.flush()
    }

    fn redraw(&self, board: &Board, goal: Goal, caption: &str) -> io::Result<()> {
        if self.in_place {
            self.term.move_cursor_up(self.height)?;
        }
        self.draw(board, goal, caption)
    }

    /// Lets a picture stand; false if Ctrl-C came.
    fn wait(&self, delay: Duration) -> bool {
        let started = Instant::now();
        while self.in_place && !is_interrupted() {
            let left = delay.saturating_sub(started.elapsed());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(NAP));
        }
        !is_interrupted()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if self.in_place {
            // A terminal that is gone has no cursor to show.
            let _ = self.term.show_cursor().and_then(|()| self.term.flush());
        }
    }
}

/// The board in a box: tiles in their goal cells green, the others yellow, the gap empty.
fn picture(board: &Board, goal: Goal) -> String {
    let cols = board.size().cols();
    let rule = |left: &str, cross: &str, right: &str| {
        format!("{left}{}{right}\n", vec!["────"; cols].join(cross))
    };
    let solved = Board::solved(board.size(), goal);
    let rows = board.rows().zip(solved.rows()).map(|(row, home)| {
        let cells: Vec<String> = row
            .iter()
            .zip(home)
            .map(|(&t, &home)| cell(t, home))
            .collect();
        format!("│{}│\n", cells.join("│"))
    });
    let rows: Vec<String> = rows.collect();
    let body = rows.join(&rule("├", "┼", "┤"));
    rule("┌", "┬", "┐") + &body + &rule("└", "┴", "┘")
}

/// A tile, four columns wide; `home` is the tile that belongs into its cell.
fn cell(tile: Tile, home: Tile) -> String {
    if tile == 0 {
        return " ".repeat(4);
    }
    let style = match tile == home {
        true => Style::new().green().bold(),
        false => Style::new().yellow(),
    };
    style.apply_to(format!(" {tile:>2} ")).to_string()
}
