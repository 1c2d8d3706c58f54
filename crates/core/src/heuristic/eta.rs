//! Eta: how much of a search's tree an estimate leaves.
//!
//! The mean of b^−h over all states (Clausecker and Schintke 2021), where b is the branching factor
//! without returns: a threshold d of IDA* has about b^d × eta nodes, so the ratio of two etas is the
//! ratio of nodes on hard boards.
//!
//! Rare states with a small h carry that mean, and states drawn evenly hardly ever are among them.
//! So there are two strata. The states near the goal are counted one by one, by breadth-first search.
//! The rest is drawn with probabilities that are known and divided out ([`Placing`]): the more
//! likely a state is drawn, the less it counts. These probabilities are first fitted to where the
//! mean lies, with samples that do not count. What does count is drawn independently, so its
//! variance gives the error.

mod placing;

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use rayon::prelude::*;

use crate::heuristic::{Estimate, Heuristic, LinearConflict, Taxicab, WalkingDistance, Zero};
use crate::puzzle::{Grid, MoveOrder, Packed, Size};
use crate::sys::Random;
use placing::{Placed, Placing};

/// The mean of b^−h over all states.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Eta {
    /// The mean.
    pub mean: f64,
    /// Its standard error; 0 where every state was counted.
    pub error: f64,
}

/// What estimates are worth, and how that was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Etas {
    /// One for each estimate.
    pub etas: Vec<Eta>,
    /// The branching factor b.
    pub branching: f64,
    /// How many states there are.
    pub states: f64,
    /// States up to so many moves from the goal were counted one by one.
    pub near: u32,
    /// How many these are.
    pub near_states: u64,
    /// States that were drawn from the others.
    pub draws: Vec<Draw>,
}

/// A state that was drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Draw {
    /// For how many states it stands: one divided by the probability with which it was drawn, and
    /// nothing if it was counted already.
    pub stands_for: f64,
    /// What each estimate says of it.
    pub values: Vec<u8>,
}

impl Draw {
    fn share(&self, estimate: usize, branching: f64) -> f64 {
        self.stands_for * power(branching, self.values[estimate].into())
    }
}

/// The most states that are counted one by one.
const NEAR: usize = 200_000;
/// States that are drawn from one seed, by one thread.
const CHUNK: u64 = 1 << 10;
/// How often the probabilities are fitted, and how much of the samples that takes in all.
const FITS: u64 = 8;
const SHARE_OF_FITS: u64 = 4;
/// Fewer miss where the mean lies.
const LEAST_FOR_A_FIT: u64 = 8 * CHUNK;

/// Measures estimates on boards of a size, the same for the same seed on any number of threads;
/// `None` if it is cancelled.
///
/// The states are drawn where the first estimate has its mean, and all are measured on the same
/// ones. So ratios are more exact than each of them, as long as the others are not weaker.
pub fn etas(
    estimates: &[Estimate<'_>],
    size: Size,
    samples: u64,
    seed: u64,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Etas> {
    let values: Vec<Box<Value<'_>>> = estimates.iter().map(|it| value_of(*it, size)).collect();
    let drawing = Drawing {
        size,
        branching: branching_factor(size),
        seed,
        is_cancelled,
    };
    let near = Near::new(size);
    let states = (2..=size.cells()).map(|it| it as f64).product::<f64>() / 2.0;
    let mut draws = Vec::new();
    if !near.is_all {
        let mut placing = Placing::new(size, drawing.branching);
        let each = (samples / SHARE_OF_FITS / FITS).max(LEAST_FOR_A_FIT);
        for fit in 0..FITS {
            let drawn = drawing.draw(&placing, &near, each, fit + 1)?;
            let weighed = drawing.weigh(&drawn, &values[..1])?;
            let weights = weighed.iter().map(|it| it.share(0, drawing.branching));
            placing.fit(&drawn, &weights.collect::<Vec<_>>());
        }
        let drawn = drawing.draw(&placing, &near, samples, 0)?;
        draws = drawing.weigh(&drawn, &values)?;
    }
    let near_sum = |value: &Value<'_>| {
        let shares = near
            .states
            .iter()
            .map(|it| power(drawing.branching, value(*it)));
        shares.sum::<f64>()
    };
    let etas = values.iter().enumerate().map(|(number, value)| {
        let shares = draws.iter().map(|it| it.share(number, drawing.branching));
        let (mean, error) = mean_and_error(shares);
        Eta {
            mean: (near_sum(value) + mean) / states,
            error: error / states,
        }
    });
    Some(Etas {
        etas: etas.collect(),
        branching: drawing.branching,
        states,
        near: near.depth,
        near_states: near.states.len() as u64,
        draws,
    })
}

/// The mean of some numbers, and its standard error; nothing has none.
fn mean_and_error(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = numbers.clone().count() as f64;
    if count == 0.0 {
        return (0.0, 0.0);
    }
    let mean = numbers.clone().sum::<f64>() / count;
    let squares: f64 = numbers.map(|it| (it - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// b^−h.
fn power(branching: f64, h: u32) -> f64 {
    branching.powi(-(h as i32))
}

/// How many more sequences of moves of the gap there are with one move more, in the long run, if
/// none takes back the last.
pub fn branching_factor(size: Size) -> f64 {
    let grid = Grid::new(size, MoveOrder::UDLR);
    // By the gap's cell and the move that led there: how many sequences end so.
    let mut ends = vec![[1.0; 4]; size.cells()];
    let mut growth = 0.0;
    for _ in 0..2_000 {
        // The gap's cells alternate in colour; the mean of two lengths does not.
        let mut longer: Vec<[f64; 4]> = ends.clone();
        for (cell, ends) in ends.iter().enumerate() {
            let all: f64 = ends.iter().sum();
            for &(mv, to) in grid.steps(cell as u8) {
                longer[usize::from(to)][mv as usize] += all - ends[mv.opposite() as usize];
            }
        }
        let sum = |ends: &[[f64; 4]]| ends.iter().flatten().sum::<f64>();
        let grown = sum(&longer);
        growth = grown / sum(&ends) - 1.0;
        for end in longer.iter_mut().flatten() {
            *end /= grown;
        }
        ends = longer;
    }
    growth
}

/// States in an order that is always the same, so that sums over them are.
type States = HashSet<Packed<u128>, FixedState>;

/// All states up to a distance from the goal.
struct Near {
    states: States,
    depth: u32,
    /// Whether there are no others.
    is_all: bool,
}

impl Near {
    fn new(size: Size) -> Near {
        let grid = Grid::new(size, MoveOrder::UDLR);
        let goal = Packed::<u128>::solved(size);
        let mut near = Near {
            states: States::from_iter([goal]),
            depth: 0,
            is_all: false,
        };
        let mut layer = vec![goal];
        loop {
            let children = layer.iter().flat_map(|state| {
                let steps = grid.steps(state.gap).iter();
                steps.map(|&(_, to)| state.slide(to).0)
            });
            let new: States = children.filter(|it| !near.states.contains(it)).collect();
            near.is_all = new.is_empty();
            if near.is_all || near.states.len() + new.len() > NEAR {
                return near;
            }
            near.depth += 1;
            near.states.extend(&new);
            layer = new.into_iter().collect();
        }
    }
}

/// The estimate of a state.
type Value<'a> = dyn Fn(Packed<u128>) -> u32 + Sync + 'a;

fn value_of<'a>(estimate: Estimate<'a>, size: Size) -> Box<Value<'a>> {
    fn of<'a, H: Heuristic<u128> + 'a>(heuristic: H) -> Box<Value<'a>> {
        Box::new(move |state| heuristic.value(heuristic.start(state)))
    }
    match estimate {
        Estimate::Zero => of(Zero),
        Estimate::Taxicab => of(Taxicab::new(size)),
        Estimate::LinearConflict => of(LinearConflict::new(size)),
        Estimate::WalkingDistance(WalkingDistance::Stepped(walks)) => of(walks),
        Estimate::WalkingDistance(WalkingDistance::Tallied(walks)) => of(walks),
        Estimate::Patterns(patterns) => of(patterns),
    }
}

/// What all samples have in common.
struct Drawing<'a> {
    size: Size,
    branching: f64,
    seed: u64,
    is_cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Drawing<'_> {
    /// Draws states, each with how many it stands for. `round` makes the samples others.
    fn draw(
        &self,
        placing: &Placing,
        near: &Near,
        samples: u64,
        round: u64,
    ) -> Option<Vec<(Placed, f64)>> {
        let chunks = (0..samples.div_ceil(CHUNK)).into_par_iter();
        let drawn = chunks.map(|chunk| {
            let mut random = Random::new(self.seed ^ (round << 48 | chunk) << 1);
            let count = CHUNK.min(samples - chunk * CHUNK);
            let drawn = (0..count).map(|_| {
                let placed = placing.draw(&mut random);
                match near.states.contains(&placed.state(self.size)) {
                    true => (placed, 0.0),
                    false => (placed, (-placed.log_probability).exp()),
                }
            });
            (!(self.is_cancelled)()).then(|| drawn.collect::<Vec<_>>())
        });
        let drawn: Option<Vec<Vec<_>>> = drawn.collect();
        Some(drawn?.concat())
    }

    /// What estimates say of states.
    fn weigh(&self, drawn: &[(Placed, f64)], values: &[Box<Value<'_>>]) -> Option<Vec<Draw>> {
        let chunks = drawn.par_chunks(CHUNK as usize).map(|chunk| {
            let draws = chunk.iter().map(|(placed, stands_for)| {
                let state = placed.state(self.size);
                Draw {
                    stands_for: *stands_for,
                    values: values.iter().map(|value| value(state) as u8).collect(),
                }
            });
            (!(self.is_cancelled)()).then(|| draws.collect::<Vec<_>>())
        });
        let draws: Option<Vec<Vec<_>>> = chunks.collect();
        Some(draws?.concat())
    }
}
