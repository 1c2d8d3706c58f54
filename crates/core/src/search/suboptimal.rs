//! Searches whose solutions need not be shortest, on boards in any word; those of more than 25 cells have
//! no others.

use super::beam::{Beam, CarryingLayer};
use super::bestfirst::{Guided, Query};
use super::meter::{Meter, Watch};
use super::{Algorithm, Stats, Stop, arastar, ees, greedy, wastar, widastar};
use crate::heuristic::{Estimate, Heuristic, LinearConflict, Taxicab, Zero};
use crate::puzzle::{Grid, Move, Packed, Problem, Wide, Word};

/// What is searched, but for the heuristic.
pub(super) struct Suboptimal<'a, W> {
    pub algorithm: Algorithm,
    pub start: Packed<W>,
    pub goal: Packed<W>,
    pub grid: &'a Grid,
    pub threads: usize,
}

impl<W: Word> Suboptimal<'_, W> {
    /// Searches; the clock starts here. `meter` knows the estimate of the start.
    pub fn search<H: Heuristic<W>>(
        &self,
        heuristic: &H,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Move>, Stop> {
        let (start, goal, grid) = (self.start, self.goal, self.grid);
        meter.watch().start();
        match self.algorithm {
            Algorithm::WIdaStar(weight) => {
                widastar::search([start, goal], grid, heuristic, weight, meter)
            }
            Algorithm::Beam(width) => {
                let mut layer = CarryingLayer::new(heuristic, grid, goal);
                let beam = Beam {
                    start,
                    goal,
                    size: grid.size(),
                    width: width.states(),
                    threads: self.threads,
                };
                beam.search(&mut layer, meter)
            }
            algorithm => {
                let guided = Guided::new(heuristic, grid);
                let query = Query {
                    start,
                    goal,
                    size: grid.size(),
                    successors: &guided,
                };
                best_first(algorithm, &query, meter)
            }
        }
    }
}

/// A search with an open list, compiled for the word alone.
fn best_first<W: Word>(
    algorithm: Algorithm,
    query: &Query<'_, W>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    match algorithm {
        Algorithm::WAStar { weight, reopen } => wastar::search(query, weight, reopen, meter),
        Algorithm::Greedy => greedy::search(query, meter),
        Algorithm::Ees(weight) => ees::search(query, weight, meter),
        Algorithm::AraStar(weight) => arastar::search(query, weight, meter),
        _ => unreachable!("{algorithm} is none of these"),
    }
}

/// Searches a board of any number of cells, with an estimate that needs no table.
pub(super) fn search_wide(
    problem: &Problem,
    (algorithm, estimate): (Algorithm, Option<Estimate<'_>>),
    grid: &Grid,
    threads: usize,
    watch: &Watch<'_>,
) -> (Result<Vec<Move>, Stop>, Stats) {
    let [start, goal] = [problem.start(), problem.target()].map(Packed::<Wide>::new);
    let search = Suboptimal {
        algorithm,
        start,
        goal,
        grid,
        threads,
    };
    let mut meter = Meter::new(watch);
    meter.stats.generated = 1;
    let target = problem.target();
    let found = match estimate {
        Some(Estimate::Zero) => search_with(&search, &Zero, &mut meter),
        Some(Estimate::Taxicab) => search_with(&search, &Taxicab::toward(target), &mut meter),
        Some(Estimate::LinearConflict) => {
            search_with(&search, &LinearConflict::toward(target), &mut meter)
        }
        _ => Err(Stop::OtherSize),
    };
    (found, meter.stats)
}

fn search_with<H: Heuristic<Wide>>(
    search: &Suboptimal<'_, Wide>,
    heuristic: &H,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    meter.stats.h0 = heuristic.value(heuristic.start(search.start));
    search.search(heuristic, meter)
}
