//! The searches, behind one call: [`solve`].
//!
//! Each search is one file that reads like its textbook page. They walk on packed boards
//! with the goal in one place ([`Problem`] turns the others), count in a meter that stops
//! them at their limits, and return moves; [`solve`] replays those on a plain board before
//! it hands them on.

mod astar;
mod beam;
mod bibfs;
mod control;
mod graph;
mod idastar;
mod iddfs;
mod layers;
mod meter;
mod node_counts;
mod path;
mod store;
mod unit;
mod with_estimate;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Duration;

pub use beam::upper_bound;
pub use control::{Control, Event, Iteration, Limits, Progress, ResumePoint, Stop};
pub use idastar::{EngineChoice, Prune};
pub use layers::layer_sizes;
pub(crate) use meter::{Meter, Watch};
pub use node_counts::NodeCounts;
pub(crate) use path::trace_back;
pub(crate) use store::{Arena, Heap, Seen};
pub use unit::{SplitError, Unit, search_unit, split};

use crate::heuristic::{Estimate, Heuristic};
use crate::lookup::Endgame;
use crate::puzzle::{Grid, Move, MoveOrder, Packed, Problem, Word};
use astar::Entry;
use graph::Discipline;
use idastar::{BoxedEngine, Fsm, Tree, TunedEngines, plain};
use with_estimate::{WithEstimate, with_estimate};

/// A search by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    Bfs,
    BiBfs,
    Dfs,
    Iddfs,
    AStar,
    IdaStar,
}

impl Algorithm {
    pub const ALL: [Algorithm; 6] = [
        Algorithm::Bfs,
        Algorithm::BiBfs,
        Algorithm::Dfs,
        Algorithm::Iddfs,
        Algorithm::AStar,
        Algorithm::IdaStar,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Bfs => "bfs",
            Algorithm::BiBfs => "bibfs",
            Algorithm::Dfs => "dfs",
            Algorithm::Iddfs => "iddfs",
            Algorithm::AStar => "astar",
            Algorithm::IdaStar => "idastar",
        }
    }

    /// Whether its solutions are shortest ones.
    pub const fn is_optimal(self) -> bool {
        !matches!(self, Algorithm::Dfs)
    }

    /// Whether it reads a heuristic.
    pub const fn is_informed(self) -> bool {
        matches!(self, Algorithm::AStar | Algorithm::IdaStar)
    }

    /// The order in which it tries moves unless told otherwise.
    pub const fn default_order(self) -> MoveOrder {
        match self {
            Algorithm::IdaStar => MoveOrder::ULRD,
            _ => MoveOrder::UDLR,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Algorithm, String> {
        let known = Algorithm::ALL.map(Algorithm::name);
        Algorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == text)
            .ok_or_else(|| {
                format!(
                    "'{text}' is not an algorithm; choose one of {}",
                    known.join(", ")
                )
            })
    }
}

/// Which search, and how.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    pub algorithm: Algorithm,
    /// Read by the informed searches.
    pub heuristic: Estimate<'a>,
    /// The order of moves on the given board; `None` is the algorithm's own.
    pub order: Option<MoveOrder>,
    /// Threads of IDA*; the other searches run on one.
    pub threads: usize,
    /// How IDA* walks.
    pub engine: EngineChoice,
    /// A finite-state machine for IDA* that prunes more than immediate returns.
    pub prune: Option<Prune>,
    /// Where the informed searches end their branches: a table for boards of this size.
    pub endgame: Option<&'a Endgame>,
}

impl Settings<'_> {
    /// A search with taxicab, one thread, and everything else as it is by default.
    pub fn new(algorithm: Algorithm) -> Settings<'static> {
        Settings {
            algorithm,
            heuristic: Estimate::default(),
            order: None,
            threads: 1,
            engine: EngineChoice::Auto,
            prune: None,
            endgame: None,
        }
    }
}

/// What a search counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// The estimate at the start.
    pub h0: u32,
    /// Nodes whose children were made.
    pub expanded: u64,
    /// The start and every child made (Korf's count).
    pub generated: u64,
    /// States in memory at the end.
    pub stored: u64,
    /// The deepest node that was kept.
    pub max_depth: u32,
    /// The most nodes that waited to be expanded at one time.
    pub max_frontier: u64,
    /// Thresholds or depth limits tried.
    pub iterations: u32,
    pub time: Duration,
    /// CPU time of the threads that searched; `None` where the system does not say.
    pub cpu_time: Option<Duration>,
    /// The most bytes held at one time, tables aside.
    pub peak_memory: u64,
    /// How IDA* walked.
    pub engine: Option<EngineChoice>,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub result: Result<Solution, Stop>,
    pub stats: Stats,
}

impl Outcome {
    /// Replays the moves that were found on the searched board.
    pub(crate) fn new(problem: &Problem, found: Result<Vec<Move>, Stop>, stats: Stats) -> Outcome {
        let result = found.map(|moves| {
            let moves = problem.moves_as_given(moves);
            let verified = problem.is_solved_by(&moves);
            Solution { moves, verified }
        });
        Outcome { result, stats }
    }
}

/// A path to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Moves of the gap on the board as it was given.
    pub moves: Vec<Move>,
    /// Whether a replay, move by move on a plain board, ended on the goal.
    pub verified: bool,
}

/// Searches for a solution and replays it.
pub fn solve(problem: &Problem, settings: &Settings<'_>, control: &Control<'_>) -> Outcome {
    let resume = control
        .resume
        .filter(|_| settings.algorithm == Algorithm::IdaStar);
    let control = Control {
        resume,
        limits: resume.map_or(control.limits, |done| control.limits.after(&done)),
        ..*control
    };
    let mut outcome = on_threads(settings, |settings| solve_here(problem, settings, &control));
    if let Some(done) = resume {
        let stats = &mut outcome.stats;
        stats.iterations += done.iterations;
        stats.expanded += done.expanded;
        stats.generated += done.generated;
        stats.time += done.time;
        stats.cpu_time = (stats.cpu_time.zip(done.cpu_time)).map(|(now, before)| now + before);
    }
    outcome
}

/// Searches on as many threads as are asked for.
fn on_threads(
    settings: &Settings<'_>,
    search: impl Fn(&Settings<'_>) -> Outcome + Sync,
) -> Outcome {
    if settings.threads > 1 && settings.algorithm == Algorithm::IdaStar {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads);
        return match pool.build() {
            Ok(pool) => pool.install(|| search(settings)),
            // The system gives no threads: the search is as right on this one.
            Err(_) => search(&Settings {
                threads: 1,
                ..*settings
            }),
        };
    }
    search(settings)
}

/// The fsm that forbids moves of a search: built when it is first needed. `None` if that is
/// cancelled.
fn fsm(settings: &Settings<'_>, control: &Control<'_>) -> Option<&'static Fsm> {
    const DEPTHS: usize = Prune::DEEPEST as usize + 1;
    static NO_RETURN: LazyLock<Fsm> = LazyLock::new(Fsm::no_return);
    static BUILT: [OnceLock<Fsm>; DEPTHS] = [const { OnceLock::new() }; DEPTHS];
    let Some(prune) = settings
        .prune
        .filter(|_| settings.algorithm == Algorithm::IdaStar)
    else {
        return Some(&NO_RETURN);
    };
    let built = &BUILT[prune.depth() as usize];
    // Those that need it meanwhile wait, rather than build it as well.
    static BUILDING: Mutex<()> = Mutex::new(());
    let _turn = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    if built.get().is_none() {
        let is_cancelled = || control.cancel.is_some_and(|flag| flag.load(Relaxed));
        let fsm = Fsm::new(prune.depth(), &is_cancelled)?;
        built.get_or_init(|| fsm);
    }
    built.get()
}

fn solve_here(problem: &Problem, settings: &Settings<'_>, control: &Control<'_>) -> Outcome {
    let other_size = |endgame: &Endgame| endgame.size() != problem.size();
    assert!(
        !settings.endgame.is_some_and(other_size),
        "the endgame is for boards of this size"
    );
    if let Estimate::WalkingDistance(walking) = settings.heuristic {
        assert_eq!(walking.size(), problem.size(), "so is the walking distance");
    }
    let Some(fsm) = fsm(settings, control) else {
        return Outcome::new(problem, Err(Stop::Cancelled), Stats::default());
    };
    let watch = Watch::new(control);
    // Without an estimate f has a layer for every move, more than a u64 of A* has room for.
    let needs_layers =
        settings.algorithm == Algorithm::AStar && settings.heuristic == Estimate::Zero;
    let fits_u64 = problem.size().cells() <= <u64 as Word>::CELLS && !needs_layers;
    let narrow = fits_u64.then(|| search_packed::<u64>(problem, settings, fsm, &watch));
    let (result, mut stats) = match narrow {
        Some((Ok(Some(moves)), stats)) => (Ok(moves), stats),
        Some((Err(stop), stats)) => (Err(stop), stats),
        // Too large for 64 bits, or more layers of f than those have room for.
        narrow => {
            let (result, mut stats) = search_packed::<u128>(problem, settings, fsm, &watch);
            if let Some((_, before)) = narrow {
                stats.expanded += before.expanded;
                stats.generated += before.generated;
                stats.peak_memory = stats.peak_memory.max(before.peak_memory);
            }
            // A u128 has room for every layer of an f that no damaged table makes larger.
            let moves = result.and_then(|moves| moves.ok_or(Stop::DamagedTable));
            (moves, stats)
        }
    };
    stats.cpu_time = watch.cpu_time();
    stats.time = watch.elapsed();
    Outcome::new(problem, result, stats)
}

/// The moves found, `None` where the word is too narrow for the search.
type Found = Result<Option<Vec<Move>>, Stop>;

fn search_packed<W: Entry + TunedEngines>(
    problem: &Problem,
    settings: &Settings<'_>,
    fsm: &Fsm,
    watch: &Watch<'_>,
) -> (Found, Stats) {
    let order = settings.order.unwrap_or(settings.algorithm.default_order());
    let grid = Grid::new(problem.size(), problem.order_as_searched(order));
    let start = Packed::<W>::new(problem.start());
    let mut meter = Meter::new(watch);
    meter.stats.generated = 1;
    if !settings.algorithm.is_informed() {
        watch.start();
    }
    let found = match settings.algorithm {
        Algorithm::Bfs => graph::search(start, &grid, Discipline::Fifo, &mut meter).map(Some),
        Algorithm::BiBfs => bibfs::search(start, &grid, &mut meter).map(Some),
        Algorithm::Dfs => graph::search(start, &grid, Discipline::Lifo, &mut meter).map(Some),
        Algorithm::Iddfs => iddfs::search(start, &grid, &mut meter).map(Some),
        Algorithm::AStar | Algorithm::IdaStar => {
            let size = problem.size();
            let informed = Informed {
                start,
                grid: &grid,
                settings,
                fsm,
                meter: &mut meter,
            };
            with_estimate(settings.heuristic, size, informed)
        }
    };
    (found, meter.stats)
}

/// A search with an estimate, but for the estimate.
struct Informed<'a, 'm, W> {
    start: Packed<W>,
    grid: &'a Grid,
    settings: &'a Settings<'a>,
    fsm: &'a Fsm,
    meter: &'a mut Meter<'m>,
}

impl<W: Entry> WithEstimate<W> for Informed<'_, '_, W> {
    type Output = Found;

    fn with<H: Heuristic<W>>(
        self,
        heuristic: &H,
        engine: fn(EngineChoice, &Grid, &Fsm) -> BoxedEngine<W, H>,
    ) -> Found {
        let Informed {
            start,
            grid,
            settings,
            fsm,
            meter,
        } = self;
        meter.stats.h0 = heuristic.value(heuristic.start(start));
        let lookup = settings.endgame.map(Endgame::lookup);
        if let Some(lookup) = lookup
            && lookup.distance(start).is_some()
        {
            meter.watch().start();
            return lookup.path(start).map(Some).ok_or(Stop::DamagedTable);
        }
        if settings.algorithm == Algorithm::AStar {
            meter.watch().start();
            return astar::search(start, grid, heuristic, lookup, meter);
        }
        let perimeter = settings.endgame.map(Endgame::perimeter);
        let wanted = match perimeter {
            None => settings.engine,
            // Batches have no depth, and cannot tell where the perimeter is.
            Some(_) => EngineChoice::Scalar,
        };
        let mut engine = engine(wanted, grid, fsm);
        if perimeter.is_some() && !engine.supports_perimeter() {
            engine = plain(wanted, grid, fsm);
        }
        meter.stats.engine = Some(engine.name());
        meter.watch().start();
        let tree = Tree {
            grid,
            heuristic,
            fsm,
            goal: Packed::solved(grid.size()),
            threshold: meter.stats.h0,
            perimeter,
        };
        idastar::search(start, tree, &*engine, settings.threads, meter).map(Some)
    }
}
