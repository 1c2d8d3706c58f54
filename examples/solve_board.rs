//! Solves a board, the first of Korf's hundred 15-puzzles unless another one is named.
//!
//! ```console
//! $ cargo run --release --example solve_board -- "8 6 7 / 2 5 4 / 3 . 1"
//! ```

use std::error::Error;

use slidebench::puzzle::{Board, Goal, Notation, Problem};
use slidebench::search::{Algorithm, Control, Settings, solve};

const FIRST_OF_KORF: &str = "14 13 15 7 / 11 12 9 5 / 6 . 2 1 / 4 8 10 3";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1);
    let board: Board = text.as_deref().unwrap_or(FIRST_OF_KORF).parse()?;
    let problem = Problem::new(&board, Goal::First)?;
    let settings = Settings::new(Algorithm::IdaStar);
    let outcome = solve(&problem, &settings, &Control::default());
    let solution = outcome.result?;
    println!("moves      {}", Notation::Gap.letters(&solution.moves));
    println!("cost       {}", solution.moves.len());
    println!("verified   {}", solution.verified);
    println!("generated  {}", outcome.stats.generated);
    println!("time       {:?}", outcome.stats.time);
    Ok(())
}
