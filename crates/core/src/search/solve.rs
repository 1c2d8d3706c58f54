//! The one door: checks what was asked for, picks the word that holds the board, runs the search,
//! replays what it found.

use super::graph::{self, Discipline};
use super::guide::{Code, Dispatch, SearchWord, WithHeuristic};
use super::idastar::{self, Fsm, Node, Tree, no_return};
use super::suboptimal::{Suboptimal, search_wide};
use super::{
    Algorithm, Control, EngineChoice, Guide, Meter, Outcome, Prune, Settings, Stats, Stop, Watch,
    astar, bibfs, bidirectional, iddfs, rbfs, rows, variant,
};
use crate::heuristic::{Estimate, Heuristic};
use crate::lookup::Endgame;
use crate::puzzle::{Entry, Grid, Move, MoveOrder, Packed, Problem, Size, Word};

/// Searches for a solution and replays it.
///
/// A heuristic or an endgame for boards of another size ends it as [`Stop::OtherSize`].
///
/// ```
/// use slidebench::puzzle::{Board, Goal, Problem};
/// use slidebench::search::{Algorithm, Control, Settings, solve};
///
/// let board: Board = "1 2 3 / 4 . 6 / 7 5 8".parse()?;
/// let problem = Problem::new(&board, Goal::Last)?;
/// let outcome = solve(&problem, &Settings::new(Algorithm::AStar), &Control::default());
/// assert_eq!(outcome.result?.moves.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve<H: Guide>(
    problem: &Problem,
    settings: &Settings<'_, H>,
    control: &Control<'_>,
) -> Outcome {
    H::solve(problem, settings, control)
}

/// The same, where the code for the guide is compiled.
pub(super) fn solve_guided<H: Dispatch>(
    problem: &Problem,
    settings: &Settings<'_, H>,
    control: &Control<'_>,
) -> Outcome {
    if let Err(stop) = settings.check(problem) {
        return Outcome::new(problem, Err(stop), Stats::default());
    }
    if !problem.rules().are_plain() {
        return variant::solve(problem, settings, control);
    }
    // From here on a reverse search is the forward one of the reversed problem.
    let reversed = problem.reversed();
    let problem = match settings.algorithm.is_reverse() {
        true => &reversed,
        false => problem,
    };
    let has_thresholds = settings.algorithm.has_thresholds();
    let resume = control.resume.filter(|_| has_thresholds);
    let control = Control {
        resume,
        limits: resume.map_or(control.limits, |done| control.limits.after(&done)),
        ..*control
    };
    let threads = match settings.algorithm.has_threads() {
        true => settings.threads,
        false => 1,
    };
    let mut outcome = on_threads(threads, |threads| {
        solve_here(problem, settings, threads, &control)
    });
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

/// Searches on so many threads, or on this one where the system gives no more: that is as right.
pub(super) fn on_threads(threads: usize, search: impl Fn(usize) -> Outcome + Sync) -> Outcome {
    if threads > 1
        && let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build()
    {
        return pool.install(|| search(threads));
    }
    search(1)
}

/// The fsm that prunes IDA*. Building it may be cancelled, or take more memory than there is.
pub(super) fn fsm(
    prune: Option<Prune>,
    algorithm: Algorithm,
    size: Size,
    control: &Control<'_>,
) -> Result<&'static Fsm, Stop> {
    match prune {
        Some(prune) => {
            let is_cancelled = || control.is_cancelled();
            prune.fsm(algorithm, size, control.limits.memory, &is_cancelled)
        }
        None => Ok(no_return()),
    }
}

fn solve_here<H: Dispatch>(
    problem: &Problem,
    settings: &Settings<'_, H>,
    threads: usize,
    control: &Control<'_>,
) -> Outcome {
    let algorithm = settings.algorithm.forward();
    let prune = settings.prune.filter(|_| algorithm.has_thresholds());
    let fsm = match fsm(prune, algorithm, problem.size(), control) {
        Ok(fsm) => fsm,
        Err(stop) => return Outcome::new(problem, Err(stop), Stats::default()),
    };
    let is_lost = || settings.is_lost();
    let watch = Watch::over_tables(control, &is_lost);
    if algorithm == Algorithm::Rows {
        return solve_by_rows(problem, &watch);
    }
    let search = PackedSearch {
        problem,
        settings,
        threads,
        fsm,
        watch: &watch,
    };
    let (result, mut stats) = match problem.size().is_wide() {
        true => search.run_wide(),
        false => search.run_narrowest(),
    };
    if let Ok(moves) = &result {
        stats.lower_bound = proven(algorithm, moves.len() as u32, &stats);
    }
    stats.f_reached = watch.threshold();
    stats.cpu_time = watch.cpu_time();
    stats.time = watch.elapsed();
    Outcome::new(problem, watch.believe(result), stats)
}

/// The cost that no solution is below, once there is one. An estimate that is not above it makes one
/// as long as that a shortest one, whatever search has found it.
fn proven(algorithm: Algorithm, cost: u32, stats: &Stats) -> Option<u32> {
    let is_shortest = algorithm.is_optimal() || algorithm.is_informed() && cost == stats.h0;
    match is_shortest {
        true => Some(cost),
        false => stats.lower_bound,
    }
}

/// Solves the plain board, whatever its size.
fn solve_by_rows(problem: &Problem, watch: &Watch<'_>) -> Outcome {
    let mut meter = Meter::new(watch);
    meter.stats.generated = 1;
    watch.start();
    let found = rows::search(problem.start(), problem.target(), &mut meter);
    let stats = Stats {
        cpu_time: watch.cpu_time(),
        time: watch.elapsed(),
        ..meter.stats
    };
    Outcome::new(problem, found, stats)
}

/// The moves found, `None` where the word is too narrow for the search.
type Found = Result<Option<Vec<Move>>, Stop>;

/// A search, but for the word that its boards are packed in.
struct PackedSearch<'a, H> {
    problem: &'a Problem,
    settings: &'a Settings<'a, H>,
    threads: usize,
    fsm: &'a Fsm,
    watch: &'a Watch<'a>,
}

impl<G: Dispatch> PackedSearch<'_, G> {
    /// In the narrowest word that is wide enough.
    fn run_narrowest(&self) -> (Result<Vec<Move>, Stop>, Stats) {
        let (size, algorithm) = (self.problem.size(), self.settings.algorithm.forward());
        // In steps of one f has a layer for every move, more than a u64 of A* has room for.
        let has_layers = algorithm.has_layers() || algorithm.is_bidirectional();
        let needs_layers = has_layers && self.settings.heuristic.step() == 1;
        let has_code = match algorithm.is_informed() {
            true => self.settings.heuristic.fits_u64(size),
            false => size.cells() <= <u64 as Word>::CELLS,
        };
        let fits_u64 = has_code && !needs_layers;
        match fits_u64.then(|| self.run::<u64>()) {
            Some((Ok(Some(moves)), stats)) => (Ok(moves), stats),
            Some((Err(stop), stats)) => (Err(stop), stats),
            // Too large for 64 bits, or more layers of f than those have room for.
            narrow => {
                let (result, mut stats) = self.run::<u128>();
                if let Some((_, before)) = narrow {
                    stats.expanded += before.expanded;
                    stats.generated += before.generated;
                    stats.peak_memory = stats.peak_memory.max(before.peak_memory);
                }
                // A u128 has room for every layer of an f that no damaged table makes larger.
                let moves = result.and_then(|moves| moves.ok_or(Stop::Inconsistent));
                (moves, stats)
            }
        }
    }

    fn run_wide(&self) -> (Result<Vec<Move>, Stop>, Stats) {
        let search = (self.settings.algorithm, self.settings.heuristic.estimate());
        search_wide(self.problem, search, &self.grid(), self.threads, self.watch)
    }

    fn grid(&self) -> Grid {
        let order = self.problem.order_as_searched(self.order());
        Grid::new(self.problem.size(), order)
    }

    /// The order of moves on the given board.
    fn order(&self) -> MoveOrder {
        let algorithm = self.settings.algorithm.forward();
        self.settings.order.unwrap_or(algorithm.default_order())
    }

    fn run<W: SearchWord>(&self) -> (Found, Stats) {
        let (problem, algorithm) = (self.problem, self.settings.algorithm.forward());
        let grid = self.grid();
        let [start, goal] = [problem.start(), problem.target()].map(Packed::<W>::new);
        let mut meter = Meter::new(self.watch);
        meter.stats.generated = 1;
        if !algorithm.is_informed() {
            self.watch.start();
        }
        let found = match algorithm {
            Algorithm::Bfs => {
                graph::search(start, goal, &grid, Discipline::Fifo, &mut meter).map(Some)
            }
            Algorithm::BiBfs => bibfs::search(start, goal, &grid, &mut meter).map(Some),
            Algorithm::Dfs => {
                graph::search(start, goal, &grid, Discipline::Lifo, &mut meter).map(Some)
            }
            Algorithm::Iddfs => iddfs::search(start, goal, &grid, &mut meter).map(Some),
            _ => {
                let informed = Informed {
                    start,
                    goal,
                    problem,
                    backward: self.settings.heuristic.backward(),
                    grid: &grid,
                    algorithm,
                    engine: self.settings.engine,
                    threads: self.threads,
                    endgame: (self.settings.endgame).filter(|_| algorithm.has_endgame()),
                    open: self.settings.open,
                    order: self.order(),
                    other_end_after: self
                        .settings
                        .other_end_after
                        .unwrap_or(astar::OTHER_END_AFTER),
                    alone_until: self.settings.alone_until.unwrap_or(astar::ALONE_UNTIL),
                    fsm: self.fsm,
                    meter: &mut meter,
                };
                W::dispatch(&self.settings.heuristic, problem.target(), informed)
            }
        };
        (found, meter.stats)
    }
}

/// A search with a heuristic, but for the heuristic.
struct Informed<'a, 'm, W> {
    start: Packed<W>,
    goal: Packed<W>,
    problem: &'a Problem,
    /// The estimate of the way back.
    backward: Estimate<'static>,
    grid: &'a Grid,
    algorithm: Algorithm,
    engine: EngineChoice,
    threads: usize,
    endgame: Option<&'a Endgame>,
    open: Option<usize>,
    order: MoveOrder,
    other_end_after: u64,
    alone_until: usize,
    fsm: &'a Fsm,
    meter: &'a mut Meter<'m>,
}

impl<W: Entry> WithHeuristic<W> for Informed<'_, '_, W> {
    type Output = Found;

    fn with<H: Heuristic<W>>(self, heuristic: &H, code: Code<W, H>) -> Found {
        let (start, goal, grid) = (self.start, self.goal, self.grid);
        let meter = &mut *self.meter;
        let carried = heuristic.start(start);
        meter.stats.h0 = heuristic.value(carried);
        if let Some(lookup) = self.endgame.map(Endgame::lookup)
            && lookup.distance(start).is_some()
        {
            meter.watch().start();
            return lookup.path(start).map(Some).ok_or(Stop::DamagedTable);
        }
        if self.algorithm == Algorithm::Rbfs {
            meter.watch().start();
            return rbfs::search([start, goal], grid, heuristic, meter).map(Some);
        }
        if self.algorithm.is_suboptimal() {
            let search = Suboptimal {
                algorithm: self.algorithm,
                start,
                goal,
                grid,
                threads: self.threads,
            };
            return search.search(heuristic, meter).map(Some);
        }
        if self.algorithm.is_bidirectional() {
            meter.watch().start();
            let query = bidirectional::Query {
                algorithm: self.algorithm,
                start,
                board: self.problem.start(),
                target: self.problem.target(),
                grid,
                backward: self.backward,
            };
            return bidirectional::with_heuristic(&query, heuristic, meter);
        }
        self.by_f(heuristic, carried, code)
    }
}

impl<W: Entry> Informed<'_, '_, W> {
    /// A*, IDA*, or one after the other.
    fn by_f<H: Heuristic<W>>(self, heuristic: &H, carried: H::Carried, code: Code<W, H>) -> Found {
        let Informed {
            start,
            goal,
            grid,
            fsm,
            meter,
            ..
        } = self;
        let mut query = astar::Query {
            start,
            goal,
            grid,
            endgame: self.endgame.map(Endgame::lookup),
            threads: self.threads,
            alone_until: self.alone_until,
        };
        if self.algorithm == Algorithm::AStar {
            meter.watch().start();
            return (code.astar)(&query, heuristic, None, meter);
        }
        let perimeter = self.endgame.map(Endgame::perimeter);
        let choice = match perimeter {
            None => self.engine,
            // Batches have no depth, and cannot tell where the perimeter is.
            Some(_) => EngineChoice::Scalar,
        };
        let engines = (code.engines)(heuristic, grid, fsm).chosen(choice);
        meter.watch().start();
        if self.algorithm == Algorithm::AStarIdaStar {
            query.threads = 1;
            let ends = astar::Ends {
                problem: self.problem,
                order: self.order,
                query: &query,
                engine: choice,
                engines: &engines,
                fsm,
                open: self.open.unwrap_or(code.open),
                threads: self.threads,
                other_end_after: self.other_end_after,
                first: meter.stats.h0,
            };
            return ends.search(heuristic, code.astar, code.other_end, meter);
        }
        let tree = Tree {
            grid,
            heuristic,
            fsm,
            goal,
            threshold: meter.stats.h0,
            perimeter,
        };
        let root = Node::root(start, carried);
        idastar::search(root, tree, &engines, self.threads, meter).map(Some)
    }
}
