//! Which search, and how.

use super::guide::is_solved;
use super::{Algorithm, EngineChoice, Guide, Prune, Stop, variant};
use crate::heuristic::Estimate;
use crate::lookup::Endgame;
use crate::puzzle::{MoveOrder, Problem};

/// Which search, and how.
///
/// The heuristic is an [`Estimate`] at hand, or one of the caller's own:
///
/// ```
/// use slidebench::heuristic::Zero;
/// use slidebench::search::{Algorithm, Settings};
///
/// let with_taxicab = Settings { threads: 2, ..Settings::new(Algorithm::IdaStar) };
/// let uniform_cost = Settings::astar(Zero);
/// let another = Settings::with(Algorithm::Rbfs, Zero);
/// # assert_eq!((with_taxicab.threads, uniform_cost.threads, another.threads), (2, 1, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a, H = Estimate<'a>> {
    /// Which search.
    pub algorithm: Algorithm,
    /// Read by the informed searches.
    pub heuristic: H,
    /// The order of moves on the given board; `None` is the algorithm's own.
    pub order: Option<MoveOrder>,
    /// Threads of the informed searches; the others run on one.
    pub threads: usize,
    /// How IDA* walks.
    pub engine: EngineChoice,
    /// A finite-state machine for IDA* that prunes more than immediate returns.
    pub prune: Option<Prune>,
    /// How many states the open list of A*+IDA* has; `None` is what is best on most boards.
    pub open: Option<usize>,
    /// The nodes after which A*+IDA* with pattern databases asks whether the tree from the goal to the
    /// board is the smaller one, and goes on there if so; `None` is what is best on most boards.
    pub other_end_after: Option<u64>,
    /// How many states A* stores on one thread before all threads begin the search anew; `None` is what is best on most
    /// boards.
    pub alone_until: Option<usize>,
    /// Where A* and IDA* end their branches: a table for boards of this size.
    pub endgame: Option<&'a Endgame>,
}

impl Settings<'_> {
    /// A search with taxicab, one thread, and everything else as it is by default.
    pub fn new(algorithm: Algorithm) -> Settings<'static> {
        Settings::with(algorithm, Estimate::default())
    }
}

impl<H: Guide> Settings<'_, H> {
    /// Whether a search with these settings can be made of a problem, or why it ends before it
    /// begins: the search is for smaller boards, or its heuristic or its endgame table knows no such
    /// ones, or not this goal.
    pub fn check(&self, problem: &Problem) -> Result<(), Stop> {
        if !self.algorithm.supports(problem.size()) {
            return Err(Stop::WideBoard);
        }
        if !problem.rules().are_plain() {
            return variant::check(self, problem.rules());
        }
        if !self.algorithm.is_informed() {
            return Ok(());
        }
        let (size, endgame) = (problem.size(), self.endgame);
        // Boards of more than 25 cells are in a word of their own.
        let is_known = !size.is_wide() || self.heuristic.estimate().is_some();
        let is_known = is_known && self.heuristic.supports(size);
        if !is_known || endgame.is_some_and(|it| it.size() != size) {
            return Err(Stop::OtherSize);
        }
        let leads_there = |problem: &Problem| {
            let target = problem.target();
            self.heuristic.leads_to(target) && (endgame.is_none() || is_solved(target))
        };
        let is_known = match self.algorithm.is_reverse() {
            true => leads_there(&problem.reversed()),
            false => leads_there(problem),
        };
        match is_known {
            true => Ok(()),
            false => Err(Stop::OtherTarget),
        }
    }

    /// Whether the file of a table that the search reads was cut off.
    pub(super) fn is_lost(&self) -> bool {
        self.algorithm.is_informed()
            && (self.heuristic.is_lost() || self.endgame.is_some_and(Endgame::is_lost))
    }
}

impl<H> Settings<'_, H> {
    /// A*, on one thread.
    pub fn astar(heuristic: H) -> Settings<'static, H> {
        Settings::with(Algorithm::AStar, heuristic)
    }

    /// IDA*, on one thread.
    pub fn idastar(heuristic: H) -> Settings<'static, H> {
        Settings::with(Algorithm::IdaStar, heuristic)
    }

    /// Any search, on one thread, and everything else as it is by default.
    pub fn with(algorithm: Algorithm, heuristic: H) -> Settings<'static, H> {
        Settings {
            algorithm,
            heuristic,
            order: None,
            threads: 1,
            engine: EngineChoice::Auto,
            prune: None,
            open: None,
            other_end_after: None,
            alone_until: None,
            endgame: None,
        }
    }
}
