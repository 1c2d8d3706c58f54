//! Heuristics of the user's own: every search takes them, and says what is wrong with one.

use proptest::prelude::*;
use slidebench::heuristic::{Estimate, Heuristic, OfTiles, Patterns, Taxicab, WalkingDistance};
use slidebench::lookup::{AbstractBoards, BuildControl, Collection};
use slidebench::puzzle::{Board, Cell, Goal, Packed, Problem, Size, Tile, Word};
use slidebench::search::{Algorithm, Control, Guide, Settings, Stop, solve};

use crate::walks::walks;

/// Tiles that are not at home, carried along.
struct Misplaced(Size);

impl<W: Word> Heuristic<W> for Misplaced {
    type Carried = u32;

    fn start(&self, state: Packed<W>) -> u32 {
        let is_away = |&cell: &Cell| cell != state.gap && state.cells.tile(cell) != cell;
        (0..self.0.cells() as Cell).filter(is_away).count() as u32
    }

    fn moved(&self, away: u32, before: Packed<W>, after: Packed<W>, tile: Tile) -> u32 {
        away + u32::from(tile == after.gap) - u32::from(tile == before.gap)
    }

    fn value(&self, away: u32) -> u32 {
        away
    }

    fn supports(&self, size: Size) -> bool {
        self.0 == size
    }
}

/// A heuristic in a closure, whichever it is. All searches are compiled for each type of heuristic,
/// and once more for a reference to it: so tests have few types, and each in one way.
type Own = OfTiles<Box<dyn Fn(&[Tile]) -> u32 + Sync>>;

pub fn own(estimate: impl Fn(&[Tile]) -> u32 + Sync + 'static) -> Own {
    OfTiles(Box::new(estimate))
}

fn problem(board: &str) -> Problem {
    Problem::new(&board.parse::<Board>().unwrap(), Goal::First).unwrap()
}

fn cost<H: Guide>(problem: &Problem, settings: &Settings<'_, H>) -> Result<usize, Stop> {
    let solution = solve(problem, settings, &Control::default()).result?;
    assert!(solution.verified);
    Ok(solution.moves.len())
}

fn bfs(problem: &Problem) -> Result<usize, Stop> {
    cost(problem, &Settings::new(Algorithm::Bfs))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Consistent, in steps of one, and the neighbours of the goal need not be alike.
    #[test]
    fn own_heuristics_find_shortest_paths((board, goal) in walks(&["3x3", "2x4"], 60), halves in 0u8..8) {
        let problem = Problem::new(&board, goal).unwrap();
        let size = problem.size();
        prop_assert_eq!(cost(&problem, &Settings::astar(Misplaced(size))), bfs(&problem));
        prop_assert_eq!(cost(&problem, &Settings::idastar(Misplaced(size))), bfs(&problem));
        // Of the taxicab distance, only some tiles count.
        let some_tiles = own(move |tiles| {
            let counted = |&(_, &tile): &(usize, &Tile)| tile != 0 && halves >> (tile % 3) & 1 == 1;
            let cells = tiles.iter().enumerate().filter(counted);
            cells.map(|(cell, &tile)| size.distance(cell as Cell, tile)).sum()
        });
        prop_assert_eq!(cost(&problem, &Settings::astar(&some_tiles)), bfs(&problem));
        prop_assert_eq!(cost(&problem, &Settings::idastar(&some_tiles)), bfs(&problem));
    }

    /// Every search takes one, and keeps its promise with it.
    #[test]
    fn every_search_takes_an_own_heuristic((board, goal) in walks(&["3x3"], 40)) {
        let problem = Problem::new(&board, goal).unwrap();
        let best = bfs(&problem).unwrap();
        for algorithm in Algorithm::ALL.into_iter().filter(|it| it.is_informed()) {
            let found = cost(&problem, &Settings::with(algorithm, Misplaced(problem.size())));
            // From the goal a heuristic has to know the way to the start.
            if algorithm.is_reverse() && found == Err(Stop::OtherTarget) {
                continue;
            }
            let found = found.unwrap();
            prop_assert!(found >= best && (found == best || !algorithm.is_optimal()), "{algorithm}: {found}");
        }
    }

    /// Never too high, but it jumps: IDA* does not mind, A* says so or was not misled.
    #[test]
    fn an_inconsistent_heuristic_is_found_out((board, goal) in walks(&["3x3"], 40)) {
        let problem = Problem::new(&board, goal).unwrap();
        let size = problem.size();
        let jumps = own(move |tiles| {
            let away = tiles.iter().enumerate().filter(|&(_, &tile)| tile != 0);
            let taxicab: u32 = away.map(|(cell, &tile)| size.distance(cell as Cell, tile)).sum();
            if tiles[4].is_multiple_of(2) { taxicab } else { 0 }
        });
        prop_assert_eq!(cost(&problem, &Settings::idastar(&jumps)), bfs(&problem));
        let found = cost(&problem, &Settings::astar(&jumps));
        prop_assert!(found == Err(Stop::Inconsistent) || found == bfs(&problem), "{:?}", found);
    }
}

/// The heuristics of the crate count the same without the code that is tuned for their names.
#[test]
fn taxicab_by_its_type_counts_what_it_counts_by_its_name() {
    let problem = problem("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3");
    let limits = Control {
        limits: slidebench::search::Limits {
            nodes: Some(3_000_000),
            ..Default::default()
        },
        ..Control::default()
    };
    let own = solve(
        &problem,
        &Settings::idastar(Taxicab::new(problem.size())),
        &limits,
    );
    let named = solve(&problem, &Settings::idastar(Estimate::Taxicab), &limits);
    assert_eq!(own.stats.h0, named.stats.h0);
    assert_eq!(own.stats.iterations, named.stats.iterations);
}

#[test]
fn other_sizes_are_refused_without_a_panic() {
    let small = problem("1 0 2 3");
    let refused = Err(Stop::OtherSize);
    let size: Size = "3x3".parse().unwrap();
    assert_eq!(cost(&small, &Settings::astar(Misplaced(size))), refused);
    assert_eq!(
        cost(&small, &Settings::idastar(Taxicab::new(size))),
        refused
    );
    let collection = Collection::parse("4-4", size).unwrap();
    let patterns = Patterns::build(collection, true, &BuildControl::default()).unwrap();
    let walking =
        WalkingDistance::build(AbstractBoards::new(size).unwrap(), &BuildControl::default())
            .unwrap();
    for estimate in [
        Estimate::Patterns(&patterns),
        Estimate::WalkingDistance(&walking),
    ] {
        assert_eq!(cost(&small, &Settings::idastar(estimate)), refused);
        assert_eq!(cost(&small, &Settings::astar(estimate)), refused);
        // A search that reads no estimate has no use for its size.
        let bfs = Settings {
            algorithm: Algorithm::Bfs,
            ..Settings::idastar(estimate)
        };
        assert_eq!(cost(&small, &bfs), Ok(1));
    }
}

/// The gap of the goal is in no corner, and the heuristic knows the way there.
#[test]
fn own_heuristics_say_where_they_lead() {
    let (board, goal) = ("1 2 3 / 8 . 4 / 7 6 5", "2 8 3 / 1 . 4 / 7 6 5");
    let goal = Goal::Board(goal.parse().unwrap());
    let problem = Problem::new(&board.parse::<Board>().unwrap(), goal).unwrap();
    let toward = |target| cost(&problem, &Settings::astar(Taxicab::toward(target)));
    assert_eq!(toward(problem.target()), bfs(&problem));
    let solved = Board::solved(problem.size(), Goal::First);
    assert_eq!(toward(&solved), Err(Stop::OtherTarget));
}
