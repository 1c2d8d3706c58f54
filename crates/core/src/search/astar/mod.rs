//! A*: best first by f, within equal f the deepest first, nothing expanded twice.
//!
//! The closed list ([`closed`]) is a hash table whose slots keep a state and the layer of f it was
//! reached in, both in one word; the open list ([`open`]) is a stack for each (f, h), of states
//! with what has to travel of their estimates ([`estimates`]). There are no parent pointers: g
//! follows from f and h, so the path is walked back from the goal through the closed list.
//!
//! A [`worker`] expands layers of f, one after the other, a [`part`] at a time. Where there are several, each has the
//! states of its own share of all hashes; each [`thread`] works for several of them, and a [`crew`] keeps them in one part.
//! A search begins with one worker on one thread, since small ones take less time and memory so; when it turns out to be
//! large, several begin it anew.
//!
//! IDA* can go on from the open list ([`then_idastar`]).
//!
//! With an endgame table branches end where they enter it ([`endings`]), at an exact cost; the
//! search ends when no path that is left can be shorter than the best of these.

mod byte_rows;
mod child;
mod closed;
mod crew;
mod endings;
mod estimates;
mod line;
mod lists;
mod onward;
mod open;
mod other_end;
mod part;
mod pattern_values;
mod roots;
mod segment;
mod then_idastar;
mod thread;
mod worker;

use std::sync::Mutex;

use bytemuck::Pod;

use super::Stop;
use super::meter::Meter;
use super::probe::{Table, holders};
use super::threads::on_every_thread;
use crate::heuristic::{Heuristic, Patterns, SteppedWalks};
use crate::lookup::endgame::Lookup;
use crate::puzzle::{Entry, Grid, Move, Packed};
pub(crate) use child::Child;
pub(crate) use closed::Closed;
use crew::{Crew, owner_of, workers_for};
use estimates::{Computed, Resume, TravellingWalks};
#[cfg(target_arch = "x86_64")]
pub(crate) use line::Avx2;
pub(crate) use line::{Lanes, Single};
pub(crate) use lists::{Lists, empty_lists};
pub(crate) use onward::{NO_MOVE, Onward};
pub(crate) use open::{Bucket, Open};
pub(crate) use other_end::{
    Ends, Exhausted, OTHER_END_AFTER, OtherEndFor, with_patterns_from_goal,
};
use pattern_values::{PatternMoves, PatternValues};
pub(crate) use roots::{RootList, remembers, root_state};
pub(crate) use then_idastar::ThenIdaStar;
pub(crate) use worker::BATCH;
use worker::{End, Worker};

/// What is searched, but for the estimate.
pub(crate) struct Query<'a, W> {
    pub start: Packed<W>,
    pub goal: Packed<W>,
    pub grid: &'a Grid,
    pub endgame: Option<Lookup<'a, W>>,
    /// As many as the pool has in which the search runs, or one.
    pub threads: usize,
    /// How many states are stored on one thread before all threads begin the search anew.
    pub alone_until: usize,
}

/// States that are stored on one thread, where nothing else is asked for: from there on two threads take at most a twentieth
/// more memory, below it up to a third more. With `7-8`, which stores fewer, all of korf100 takes 0.15 s in place of 0.24 s on two
/// threads. What is begun anew takes 50 ms more.
pub(crate) const ALONE_UNTIL: usize = 7 << 18;

/// The moves, or `None` where f grows past the layers that the word has room for.
type Found = Result<Option<Vec<Move>>, Stop>;

/// A* with the estimates that there are for a heuristic, and IDA* behind it, where wanted.
pub(crate) type AStarFor<W, H> =
    fn(&Query<'_, W>, &H, Option<&ThenIdaStar<'_, W, H>>, &mut Meter<'_>) -> Found;

/// A* with any heuristic.
pub(crate) fn with_heuristic<W: Entry, H: Heuristic<W>>(
    query: &Query<'_, W>,
    heuristic: &H,
    then: Option<&ThenIdaStar<'_, W, H>>,
    meter: &mut Meter<'_>,
) -> Found {
    search(query, heuristic, || Computed(heuristic), then, meter)
}

/// A* with walking distances.
pub(crate) fn with_walks<W: Entry>(
    query: &Query<'_, W>,
    walks: &SteppedWalks,
    then: Option<&ThenIdaStar<'_, W, SteppedWalks>>,
    meter: &mut Meter<'_>,
) -> Found {
    search(query, walks, || TravellingWalks(walks), then, meter)
}

/// A* with pattern databases.
pub(crate) fn with_patterns<W: Entry>(
    query: &Query<'_, W>,
    patterns: &Patterns,
    then: Option<&ThenIdaStar<'_, W, Patterns>>,
    meter: &mut Meter<'_>,
) -> Found {
    let tables: Vec<Table<'_>> = patterns.tables().iter().map(Table::new).collect();
    let holders = holders(patterns, &tables);
    let moves = PatternMoves::new(query.grid, patterns, &holders);
    search(query, patterns, || PatternValues::new(&moves), then, meter)
}

fn search<W: Entry, H: Heuristic<W>, N: Pod + Send + Sync, E>(
    query: &Query<'_, W>,
    heuristic: &H,
    estimates: impl Fn() -> E + Sync,
    then: Option<&ThenIdaStar<'_, W, H>>,
    meter: &mut Meter<'_>,
) -> Found
where
    E: Resume<W, N, Carried = H::Carried>,
{
    let task = Task::new(query, heuristic);
    if query.start == task.goal {
        return Ok(Some(Vec::new()));
    }
    let mut on = |threads, most_stored| {
        let how_far = (threads, most_stored);
        attempt(&task, heuristic, &estimates, then, how_far, meter)
    };
    if query.threads > 1
        && query.alone_until > 0
        && let Attempt::Ended(found) = on(1, query.alone_until)?
    {
        return Ok(found);
    }
    match on(query.threads, usize::MAX)? {
        Attempt::Ended(found) => Ok(found),
        Attempt::TooLarge => unreachable!("as large as may be"),
    }
}

/// What comes of a search that may become too large for one thread.
enum Attempt {
    Ended(Option<Vec<Move>>),
    /// Nothing of it counts.
    TooLarge,
}

/// Searches on so many threads. On one it gives up when a part begins and more than so many states are stored.
fn attempt<W: Entry, H: Heuristic<W>, N: Pod + Send + Sync, E>(
    task: &Task<'_, W>,
    heuristic: &H,
    estimates: &(impl Fn() -> E + Sync),
    then: Option<&ThenIdaStar<'_, W, H>>,
    (threads, most_stored): (usize, usize),
    meter: &mut Meter<'_>,
) -> Result<Attempt, Stop>
where
    E: Resume<W, N, Carried = H::Carried>,
{
    let (counts, held, depth) = (meter.counts(), meter.held(), meter.stats.max_depth);
    match then {
        // Thresholds count themselves, and may go on behind others.
        Some(then) => meter.threshold(then.exhausted.map_or(task.first, |it| it.threshold)),
        None => {
            meter.stats.iterations = 1;
            meter.threshold(task.first);
        }
    }
    let sharers = workers_for(threads);
    let lists = empty_lists(sharers, estimates().note_bytes(), meter)?;
    let worker = |lists| Worker::new(task, Box::new(estimates()), lists, sharers);
    let mut workers: Vec<_> = lists.into_iter().map(worker).collect();
    if then.is_some_and(|then| then.remembers) {
        workers.iter_mut().for_each(Worker::keep_moves_back);
    }
    let first = owner_of(W::pack(task.start.cells, 0).hash(), sharers);
    workers[first].begin(task.start);
    let found = match (&mut workers[..], then) {
        ([worker], Some(then)) => {
            then_idastar::search(task, heuristic, worker, estimates, then, meter)
        }
        (workers, _) => {
            workers[0].most_stored = most_stored;
            match run(workers, threads, meter) {
                Ok(End::TooLarge) => {
                    meter.roll_back(counts);
                    meter.stats.max_depth = depth;
                    meter.grow((meter.held() - held) as usize, 0)?;
                    return Ok(Attempt::TooLarge);
                }
                end => end.and_then(|end| finish(task, heuristic, workers, end, meter)),
            }
        }
    };
    // Each at its own time, which is about the same.
    let most_waiting = workers.iter().map(|worker| worker.most_waiting).sum();
    meter.frontier(most_waiting);
    let stored: usize = workers.iter().map(Worker::stored).sum();
    meter.stats.stored += stored as u64;
    found.map(Attempt::Ended)
}

/// The moves to where a search ended.
fn finish<W: Entry, H: Heuristic<W>, N: Pod>(
    task: &Task<'_, W>,
    heuristic: &H,
    workers: &[Worker<'_, W, N>],
    end: End<W>,
    meter: &mut Meter<'_>,
) -> Found {
    match end {
        End::Goal { cost } => {
            meter.stats.stored += 1;
            walk_back(task, heuristic, workers, task.goal, cost).map(Some)
        }
        End::Table(ending) => {
            let rest = task.endgame.and_then(|it| it.path(ending.state));
            let moves = walk_back(task, heuristic, workers, ending.state, ending.g)?;
            Ok(Some([moves, rest.ok_or(Stop::DamagedTable)?].concat()))
        }
        End::NoRoom => Ok(None),
        End::Full | End::TooLarge => unreachable!("lists without a limit"),
    }
}

/// Runs the workers on all threads; the best of their ends.
fn run<W: Entry, N: Pod + Send + Sync>(
    workers: &mut [Worker<'_, W, N>],
    threads: usize,
    meter: &mut Meter<'_>,
) -> Result<End<W>, Stop> {
    let crew = Crew::new(workers.len());
    let workers: Vec<_> = workers.iter_mut().map(Mutex::new).collect();
    let work =
        |thread: usize, own: &mut Meter<'_>| thread::work(&workers, &crew, (thread, threads), own);
    let end = match threads {
        1 => work(0, meter)?,
        _ => on_every_thread(meter, work, End::better)?,
    };
    // A problem is solvable, so only a table can have cut off all paths.
    end.ok_or(Stop::DamagedTable)
}

/// What all workers know of the search.
struct Task<'a, W> {
    grid: &'a Grid,
    start: Packed<W>,
    onward: Onward,
    goal: Packed<W>,
    /// The f of layer 0: that of the start.
    first: u32,
    /// The steps in which f can grow: 1 or 2.
    step: u32,
    /// Whether the goal need not wait until it is popped, whichever neighbour makes it. If both of
    /// them have the same estimate, they have the same g in the layer that is expanded, and all
    /// layers before it are exhausted: the first one to make the goal is as near to the start as
    /// the other. If they differ, a neighbour whose g + 1 is above f may be popped before a better
    /// one.
    goal_by_g: bool,
    endgame: Option<Lookup<'a, W>>,
}

impl<'a, W: Entry> Task<'a, W> {
    fn new<H: Heuristic<W>>(query: &Query<'a, W>, heuristic: &H) -> Task<'a, W> {
        let (grid, goal) = (query.grid, query.goal);
        let estimate = |state| heuristic.value(heuristic.start(state));
        let beside = grid.steps(goal.gap).iter().map(|&(_, to)| goal.slide(to).0);
        let mut estimates = beside.map(estimate);
        let nearest = estimates.next();
        Task {
            grid,
            start: query.start,
            onward: Onward::new(grid),
            goal,
            first: estimate(query.start),
            step: H::STEP,
            goal_by_g: estimates.all(|h| Some(h) == nearest),
            endgame: query.endgame,
        }
    }

    /// By how many layers f grows.
    #[inline(always)]
    fn layers_in(&self, growth: u32) -> u32 {
        growth >> (self.step - 1)
    }

    /// The f of a layer.
    #[inline(always)]
    fn f_of(&self, layer: u32) -> u32 {
        self.first + layer * self.step
    }
}

/// The moves to a state, found from there: the state before one with g moves behind it is a
/// neighbour in a closed list with g − 1.
fn walk_back<W: Entry, H: Heuristic<W>, N: Pod>(
    task: &Task<'_, W>,
    heuristic: &H,
    workers: &[Worker<'_, W, N>],
    mut state: Packed<W>,
    moves_behind_it: u32,
) -> Result<Vec<Move>, Stop> {
    let moves_behind = |state: Packed<W>, h: u32| {
        let entry = W::pack(state.cells, 0);
        let owner = &workers[owner_of(entry.hash(), workers.len())];
        task.f_of(owner.layer(entry)?).checked_sub(h)
    };
    let mut carried = heuristic.start(state);
    let mut moves = Vec::new();
    for g in (0..moves_behind_it).rev() {
        let before = task.grid.steps(state.gap).iter().find_map(|&(mv, to)| {
            let (before, tile) = state.slide(to);
            let carried = heuristic.moved(carried, state, before, tile);
            let is_before = moves_behind(before, heuristic.value(carried)) == Some(g);
            is_before.then_some((before, carried, mv.opposite()))
        });
        // A closed state was reached from a closed one, if no table says otherwise.
        let mv;
        (state, carried, mv) = before.ok_or(Stop::DamagedTable)?;
        moves.push(mv);
    }
    moves.reverse();
    // Values of a damaged table may lead elsewhere.
    match state == task.start {
        true => Ok(moves),
        false => Err(Stop::Inconsistent),
    }
}
