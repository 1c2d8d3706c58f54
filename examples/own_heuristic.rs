//! A heuristic of one's own against the taxicab distance, on ten boards of korf100.
//!
//! ```console
//! $ cargo run --release --example own_heuristic
//! ```

use std::error::Error;

use slidebench::harness::suite::built_in;
use slidebench::heuristic::{Heuristic, Taxicab};
use slidebench::puzzle::{Cell, Packed, Problem, Size, Tile, Word};
use slidebench::search::{Control, Guide, Settings, Stats, Stop, solve};

/// The taxicab distance, and two more for each corner whose tile is missing though both of its
/// neighbours are at home: one of these has to make way.
struct Corners {
    taxicab: Taxicab,
    /// The cell of a corner, and the two beside it.
    corners: Vec<[Cell; 3]>,
}

impl Corners {
    fn new(size: Size) -> Corners {
        let (rows, cols) = (size.rows() as Cell, size.cols() as Cell);
        let last_row = (rows - 1) * cols;
        // The corner of the gap is left out, and small boards have corners that share a neighbour.
        let corners = match rows >= 4 && cols >= 4 {
            true => vec![
                [cols - 1, cols - 2, 2 * cols - 1],
                [last_row, last_row - cols, last_row + 1],
                [last_row + cols - 1, last_row - 1, last_row + cols - 2],
            ],
            false => Vec::new(),
        };
        Corners {
            taxicab: Taxicab::new(size),
            corners,
        }
    }
}

/// What travels with a state: its taxicab distance and its blocked corners.
#[derive(Clone, Copy)]
struct Carried {
    taxicab: u32,
    blocked: u32,
}

impl<W: Word> Heuristic<W> for Corners {
    type Carried = Carried;

    /// A neighbour that makes way goes one step from home, and two less are counted: every move
    /// changes the sum by exactly one.
    const STEP: u32 = 2;

    fn start(&self, state: Packed<W>) -> Carried {
        let is_home = |cell: Cell| state.cells.tile(cell) == cell;
        let is_blocked = |&&[corner, a, b]: &&[Cell; 3]| {
            !is_home(corner) && corner != state.gap && is_home(a) && is_home(b)
        };
        Carried {
            taxicab: self.taxicab.start(state),
            blocked: self.corners.iter().filter(is_blocked).count() as u32,
        }
    }

    fn moved(&self, from: Carried, before: Packed<W>, after: Packed<W>, tile: Tile) -> Carried {
        let taxicab = self.taxicab.moved(from.taxicab, before, after, tile);
        let blocked = Heuristic::<W>::start(self, after).blocked;
        Carried { taxicab, blocked }
    }

    fn value(&self, carried: Carried) -> u32 {
        carried.taxicab + 2 * carried.blocked
    }
}

/// The ten boards of korf100 with the smallest trees.
const EASIEST: [&str; 10] = ["79", "12", "42", "55", "97", "19", "94", "47", "93", "9"];

fn main() -> Result<(), Box<dyn Error>> {
    let korf100 = built_in("korf100").ok_or("there is no such suite")?;
    let suite = korf100.suite();
    println!("instance  cost  taxicab nodes  with corners  ratio");
    for instance in suite
        .instances
        .iter()
        .filter(|it| EASIEST.contains(&it.name.as_str()))
    {
        let problem = Problem::new(&instance.board, suite.goal)?;
        let (cost, taxicab) = search(&problem, Taxicab::new(problem.size()))?;
        let (_, corners) = search(&problem, Corners::new(problem.size()))?;
        let ratio = corners.generated as f64 / taxicab.generated as f64;
        println!(
            "{:>8}  {cost:>4}  {:>13}  {:>12}  {ratio:.3}",
            instance.name, taxicab.generated, corners.generated
        );
    }
    Ok(())
}

/// The cost of a shortest solution, and what the search counted.
fn search(problem: &Problem, heuristic: impl Guide) -> Result<(usize, Stats), Stop> {
    let outcome = solve(problem, &Settings::idastar(heuristic), &Control::default());
    Ok((outcome.result?.moves.len(), outcome.stats))
}
