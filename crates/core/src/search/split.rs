//! Units: one threshold of IDA* split into subtrees that different machines can search.
//!
//! What the units of a threshold count adds up to what one search counts in it, node for node:
//! a unit also counts what the recursion does above it, between the unit before and itself. So
//! up to the first unit with a solution the sum is what one search counts until it finds that.
//!
//! Units of A*+IDA* are the states of an open list of as many states as units are wanted. Those of an
//! exhausted threshold count what one search with such a list counts in it. What A* counts on the way
//! to the list counts in the first threshold, with the first unit.

use std::sync::{Mutex, PoisonError};

use super::guide::{Code, Dispatch, SearchWord, WithHeuristic};
use super::idastar::{self, Frontier, Fsm, GROWTH, Node, Tree};
use super::solve::{fsm, on_threads};
use super::{
    Algorithm, Control, EngineChoice, Meter, NodeCounts, Outcome, Settings, Stats, Stop, Watch,
    astar,
};
use crate::heuristic::Heuristic;
use crate::puzzle::{Entry, Grid, Move, Packed, Problem, WideBoard, Word};

/// A subtree below a threshold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The largest f.
    pub threshold: u32,
    /// The moves of the gap that lead to it from the board, as that was given.
    pub moves: Vec<Move>,
    /// The estimate where it begins.
    pub h: u32,
    /// Nodes above all units that the recursion comes to before this one, since the last one.
    pub before: NodeCounts,
    /// Those behind it; only the last unit has some, and counts them if it has no solution.
    pub after: NodeCounts,
}

impl Unit {
    /// The longest threshold: no board of these sizes needs as many moves.
    pub const LONGEST: u32 = 255;

    /// The moves that are left of the threshold.
    pub fn budget(&self) -> u32 {
        self.threshold - self.moves.len() as u32
    }

    /// The same with moves on the board as it is searched in place of those on the board as it
    /// was given, or the other way round: what turns moves turns them back.
    fn turned(self, problem: &Problem) -> Unit {
        Unit {
            moves: problem.moves_as_given(self.moves),
            ..self
        }
    }
}

/// Why a threshold has no units.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SplitError {
    /// There is nothing to search.
    #[error("the board is solved; there is nothing to search")]
    Solved,
    #[error(
        "no solution of this board has {threshold} moves; expected a threshold of {h}, or {step} \
         more, and so on"
    )]
    /// No path has such an f.
    NoThreshold {
        /// The largest f.
        threshold: u32,
        /// The estimate of the start.
        h: u32,
        /// The steps in which f grows.
        step: u32,
    },
    /// A* has no list of so many states: it solves the board before that.
    #[error("A* solves the board, in {cost} moves, before its open list has so many states")]
    SolvedByAStar {
        /// The moves of its solution.
        cost: usize,
    },
    /// A* could not make its list.
    #[error("A* makes no open list: {0}")]
    NoList(Stop),
    /// The heuristic does not know the board's size.
    #[error("the heuristic is for boards of another size")]
    OtherSize,
    /// The tables of the heuristic do not know the goal.
    #[error("{}", Stop::OtherTarget)]
    OtherTarget,
    /// There is no IDA* for such boards.
    #[error(transparent)]
    WideBoard(#[from] WideBoard),
    /// The caller did not wait.
    #[error("interrupted")]
    Cancelled,
    /// The pruning takes more memory than there may be.
    #[error("there is no memory for the pruning")]
    Memory,
}

/// Splits a threshold, by default the first one, into at least `wanted` units, in the order in
/// which IDA* with these settings comes to them. There are fewer where a short solution or a
/// small tree allows no more. Units of A*+IDA* are the states of an open list, smallest estimate
/// first, those that the threshold cuts off left out.
///
/// # Panics
///
/// If the algorithm has no [units](Algorithm::has_units), or an endgame table is set.
pub fn split(
    problem: &Problem,
    threshold: Option<u32>,
    wanted: usize,
    settings: &Settings<'_>,
    control: &Control<'_>,
) -> Result<Vec<Unit>, SplitError> {
    problem.size().refuse_wide()?;
    settings.check(problem).map_err(|stop| match stop {
        Stop::OtherTarget => SplitError::OtherTarget,
        _ => SplitError::OtherSize,
    })?;
    let fsm =
        fsm(settings.prune, settings.algorithm, problem.size(), control).map_err(
            |stop| match stop {
                Stop::Memory => SplitError::Memory,
                _ => SplitError::Cancelled,
            },
        )?;
    let search = Search::new(problem, settings, fsm);
    let narrow = match fits_u64(problem, settings) {
        true => search.split::<u64>(threshold, wanted, control)?,
        false => None,
    };
    // Too large for 64 bits, or more layers of f than those have room for.
    let units = match narrow {
        Some(units) => Some(units),
        None => search.split::<u128>(threshold, wanted, control)?,
    };
    let units = units.unwrap_or_default().into_iter();
    Ok(units.map(|unit| unit.turned(problem)).collect())
}

/// Searches one unit with the settings that it was split with. A solution is one of the board;
/// without one the search ends as [`Stop::Exhausted`].
///
/// # Panics
///
/// If the algorithm has no [units](Algorithm::has_units), or an endgame table is set.
pub fn search_unit(
    problem: &Problem,
    unit: &Unit,
    settings: &Settings<'_>,
    control: &Control<'_>,
) -> Outcome {
    if let Err(stop) = settings.check(problem) {
        return Outcome::new(problem, Err(stop), Stats::default());
    }
    on_threads(settings.threads, |threads| {
        let fsm = match fsm(settings.prune, settings.algorithm, problem.size(), control) {
            Ok(fsm) => fsm,
            Err(stop) => return Outcome::new(problem, Err(stop), Stats::default()),
        };
        let settings = Settings {
            threads,
            ..*settings
        };
        let search = Search::new(problem, &settings, fsm);
        let is_lost = || settings.is_lost();
        let watch = Watch::over_tables(control, &is_lost);
        let (found, mut stats) = match fits_u64(problem, &settings) {
            true => search.search_unit::<u64>(unit, &watch),
            false => search.search_unit::<u128>(unit, &watch),
        };
        stats.cpu_time = watch.cpu_time();
        stats.time = watch.elapsed();
        Outcome::new(problem, watch.believe(found), stats)
    })
}

fn fits_u64(problem: &Problem, settings: &Settings<'_>) -> bool {
    // In steps of one f has a layer for every move, more than a u64 of A* has room for.
    let needs_layers = settings.algorithm.has_layers() && settings.heuristic.step() == 1;
    settings.heuristic.fits_u64(problem.size()) && !needs_layers
}

/// IDA* on a board, but for what is to be done in its tree.
struct Search<'a> {
    problem: &'a Problem,
    grid: Grid,
    settings: &'a Settings<'a>,
    fsm: &'a Fsm,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, settings: &'a Settings<'a>, fsm: &'a Fsm) -> Search<'a> {
        assert!(
            settings.algorithm.has_units() && settings.endgame.is_none(),
            "units are subtrees of IDA* without an endgame table"
        );
        let order = settings.order.unwrap_or(settings.algorithm.default_order());
        Search {
            problem,
            grid: Grid::new(problem.size(), problem.order_as_searched(order)),
            settings,
            fsm,
        }
    }

    fn tree<'t, W: Word, H>(&'t self, heuristic: &'t H, threshold: u32) -> Tree<'t, W, H> {
        Tree {
            grid: &self.grid,
            heuristic,
            fsm: self.fsm,
            goal: Packed::new(self.problem.target()),
            threshold,
            perimeter: None,
        }
    }

    fn split<W: SearchWord>(
        &self,
        threshold: Option<u32>,
        wanted: usize,
        control: &Control<'_>,
    ) -> Result<Option<Vec<Unit>>, SplitError> {
        let task = Split {
            search: self,
            threshold,
            wanted,
            control,
        };
        W::dispatch(&self.settings.heuristic, self.problem.target(), task)
    }

    fn search_unit<W: SearchWord>(
        &self,
        unit: &Unit,
        watch: &Watch<'_>,
    ) -> (Result<Vec<Move>, Stop>, Stats) {
        let mut meter = Meter::new(watch);
        let task = SearchUnit {
            search: self,
            unit: unit.clone().turned(self.problem),
            meter: &mut meter,
        };
        let found = W::dispatch(&self.settings.heuristic, self.problem.target(), task);
        (found, meter.stats)
    }
}

struct Split<'a> {
    search: &'a Search<'a>,
    threshold: Option<u32>,
    wanted: usize,
    control: &'a Control<'a>,
}

impl<W> WithHeuristic<W> for Split<'_> {
    /// `None` where the word is too narrow for A*.
    type Output = Result<Option<Vec<Unit>>, SplitError>;

    fn with<H: Heuristic<W>>(self, heuristic: &H, code: Code<W, H>) -> Self::Output
    where
        W: Entry,
    {
        if self.search.settings.algorithm == Algorithm::AStarIdaStar {
            return self.roots(heuristic, code);
        }
        let start = Packed::<W>::new(self.search.problem.start());
        let h = heuristic.value(heuristic.start(start));
        let threshold = self.threshold.unwrap_or(h);
        let tree = self.search.tree(heuristic, threshold);
        if start == tree.goal {
            return Err(SplitError::Solved);
        }
        let step = H::STEP;
        match threshold.checked_sub(h) {
            Some(more) if more.is_multiple_of(step) => Ok(Some(units(start, &tree, self.wanted))),
            _ => Err(SplitError::NoThreshold { threshold, h, step }),
        }
    }
}

impl Split<'_> {
    /// The units of A*+IDA*: A* runs until its open list is as long as units are wanted.
    fn roots<W: Entry, H: Heuristic<W>>(
        self,
        heuristic: &H,
        code: Code<W, H>,
    ) -> Result<Option<Vec<Unit>>, SplitError> {
        let Search {
            problem, grid, fsm, ..
        } = self.search;
        let (start, goal) = (
            Packed::<W>::new(problem.start()),
            Packed::new(problem.target()),
        );
        if start == goal {
            return Err(SplitError::Solved);
        }
        let list = Mutex::new(astar::RootList {
            threshold: self.threshold,
            before: NodeCounts::default(),
            first: 0,
            roots: Vec::new(),
        });
        let engines = (code.engines)(heuristic, grid, fsm).chosen(EngineChoice::Scalar);
        let then = astar::ThenIdaStar {
            engines: &engines,
            fsm,
            open: self.wanted,
            remembers: astar::remembers::<W, H>(fsm),
            threads: 1,
            list: Some(&list),
            first: 0,
            exhausted: None,
            other_end: None,
        };
        let query = astar::Query {
            start,
            goal,
            grid,
            endgame: None,
            threads: 1,
            alone_until: 0,
        };
        let watch = Watch::new(self.control);
        watch.start();
        let found = (code.astar)(&query, heuristic, Some(&then), &mut Meter::new(&watch));
        let moves = match found {
            Ok(Some(moves)) => moves,
            Ok(None) => return Ok(None),
            Err(Stop::Cancelled) => return Err(SplitError::Cancelled),
            Err(stop) => return Err(SplitError::NoList(stop)),
        };
        if !moves.is_empty() {
            let cost = moves.len();
            return Err(SplitError::SolvedByAStar { cost });
        }
        let list = list.into_inner().unwrap_or_else(PoisonError::into_inner);
        of_roots(list, H::STEP).map(Some)
    }
}

/// A unit for each root; the first one counts what A* did.
fn of_roots(list: astar::RootList, step: u32) -> Result<Vec<Unit>, SplitError> {
    let (first, threshold) = (list.first, list.threshold.unwrap_or(list.first));
    let more = threshold.checked_sub(first);
    if more.is_none_or(|more| !more.is_multiple_of(step)) {
        return Err(SplitError::NoThreshold {
            threshold,
            h: first,
            step,
        });
    }
    let units = list.roots.into_iter().map(|(moves, h)| Unit {
        threshold,
        moves,
        h,
        before: NodeCounts::default(),
        after: NodeCounts::default(),
    });
    let mut units: Vec<Unit> = units.collect();
    if let Some(unit) = units.first_mut() {
        unit.before = list.before;
    }
    Ok(units)
}

/// Splits the tree into at least `wanted` subtrees of about one size, in the order of the
/// recursion: fewer where a solution lies higher, or where the tree has no more. A start within
/// the threshold has one.
fn units<W: Word, H: Heuristic<W>>(
    start: Packed<W>,
    tree: &Tree<'_, W, H>,
    wanted: usize,
) -> Vec<Unit> {
    let root = tree.root(start);
    let highest = tree.level(&root);
    let mut best = None;
    for level in highest..=highest.max(0) + 4 * tree.threshold as i32 {
        match Frontier::split_where(root, tree, &|node| tree.level(node) >= level) {
            Ok(frontier) if !frontier.subtrees.is_empty() => {
                let is_enough = frontier.subtrees.len() >= wanted;
                best = Some(frontier);
                if is_enough {
                    break;
                }
            }
            _ => break,
        }
    }
    let Some(frontier) = best else {
        return Vec::new();
    };
    let units = frontier.subtrees.into_iter().map(|subtree| Unit {
        threshold: tree.threshold,
        h: tree.heuristic.value(subtree.node.carried),
        moves: subtree.path,
        before: subtree.before,
        after: NodeCounts::default(),
    });
    let mut units: Vec<Unit> = units.collect();
    if let Some(last) = units.last_mut() {
        last.after = frontier.rest;
    }
    units
}

struct SearchUnit<'a, 'm> {
    search: &'a Search<'a>,
    unit: Unit,
    meter: &'a mut Meter<'m>,
}

impl<W> WithHeuristic<W> for SearchUnit<'_, '_> {
    type Output = Result<Vec<Move>, Stop>;

    /// Searches the unit as the recursion does; counts its own nodes, and those above it.
    fn with<H: Heuristic<W>>(self, heuristic: &H, code: Code<W, H>) -> Self::Output
    where
        W: Entry,
    {
        let SearchUnit {
            search,
            unit,
            meter,
        } = self;
        let Settings {
            engine, threads, ..
        } = *search.settings;
        let engines = (code.engines)(heuristic, &search.grid, search.fsm).chosen(engine);
        meter.watch().start();
        let tree = search.tree(heuristic, unit.threshold);
        let start = Packed::<W>::new(search.problem.start());
        let node = match search.settings.algorithm {
            Algorithm::AStarIdaStar => root_after(&tree, start, &unit.moves),
            _ => tree.node_after(start, &unit.moves),
        };
        let is_same = |node: &Node<W, _>| heuristic.value(node.carried) == unit.h;
        let node = node.filter(is_same).ok_or(Stop::OtherTree)?;
        meter.stats.h0 = unit.h;
        let iteration = meter.begin_iteration(tree.threshold);
        meter.depth(tree.threshold);
        meter.count(unit.before);
        let expected = expected(tree.slack(&node));
        let found = match node.state == tree.goal {
            true => Some(Vec::new()),
            false => idastar::search_threshold(&node, &tree, &engines, threads, expected, meter)?,
        };
        if found.is_none() {
            meter.count(unit.after);
        }
        meter.end_iteration(iteration, found.is_none());
        let found = found.ok_or(Stop::Exhausted)?;
        Ok(unit.moves.into_iter().chain(found).collect())
    }
}

/// The root that these moves lead to, if the threshold does not cut it off.
fn root_after<W: Entry, H: Heuristic<W>>(
    tree: &Tree<'_, W, H>,
    start: Packed<W>,
    moves: &[Move],
) -> Option<Node<W, H::Carried>> {
    let remembers = astar::remembers::<W, H>(tree.fsm);
    let (mut state, mut carried) = (start, tree.heuristic.start(start));
    for &mv in moves {
        let (before, to) = (state, tree.grid.size().neighbour(state.gap, mv)?);
        let tile;
        (state, tile) = before.slide(to);
        carried = tree.heuristic.moved(carried, before, state, tile);
    }
    let root = Node {
        state,
        carried,
        g: moves.len() as u32,
        fsm_state: astar::root_state(tree.fsm, remembers, moves)?,
    };
    (!tree.cuts_off(&root)).then_some(root)
}

/// About how many nodes a subtree has: hundreds without slack, and as many times more with each
/// step of it as from one threshold to the next.
fn expected(slack: u32) -> u64 {
    GROWTH.saturating_pow(slack).saturating_mul(1 << 7)
}
