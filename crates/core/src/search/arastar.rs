//! Anytime repairing A* (Likhachev, Gordon and Thrun 2003): weighted A* with smaller and smaller
//! weights, from one solution to better ones, down to a shortest.
//!
//! A weight is done with when no state of the open list has g + W·h below the cost of the best
//! solution. The next one begins where it ended: states that were reached by shorter paths after they
//! had been expanded are put on the open list with the others, and no other work is done again.

use super::bestfirst::{Bucket, Open, Priority, Query, Reached, States, WhenClosed};
use super::meter::Meter;
use super::wastar::priority;
use super::{Stop, Weight};
use crate::puzzle::{Move, Word};

/// Searches until a solution is proven to be shortest, or a limit ends it: then the best one counts.
pub(crate) fn search<W: Word>(
    query: &Query<'_, W>,
    weight: Weight,
    meter: &mut Meter<'_>,
) -> Result<Vec<Move>, Stop> {
    let (states, first) = query.begin(meter)?;
    let mut anytime = AraStar {
        query,
        states,
        weight,
        open: Open::new(boxed(weight)),
        inconsistent: Vec::new(),
        best: None,
        least: first.h,
    };
    let (open, states) = (&mut anytime.open, &mut anytime.states);
    open.push(first, 0, states, meter)?;
    let ended = anytime.run(meter);
    match (anytime.best, ended) {
        (Some(moves), ended) => {
            meter.stats.stopped_by = ended.err();
            meter.stats.lower_bound = Some(anytime.least);
            Ok(moves)
        }
        (None, Err(stop)) => Err(stop),
        (None, Ok(())) => unreachable!("a problem is solvable"),
    }
}

type Weighted = Box<dyn Fn(Bucket) -> Priority>;

fn boxed(weight: Weight) -> Weighted {
    Box::new(priority(weight))
}

struct AraStar<'a, W> {
    query: &'a Query<'a, W>,
    states: States<W>,
    weight: Weight,
    open: Open<Weighted>,
    /// States that were reached by shorter paths after they had been expanded with this weight.
    inconsistent: Vec<(Bucket, u32)>,
    /// The best solution.
    best: Option<Vec<Move>>,
    /// No solution costs less.
    least: u32,
}

impl<W: Word> AraStar<'_, W> {
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        loop {
            meter.stats.iterations += 1;
            self.improve(meter)?;
            let cost = self.cost();
            self.raise_bound(cost);
            meter.threshold(self.least);
            meter.incumbent(cost.into(), Some(self.least.into()));
            if self.least == cost {
                return Ok(());
            }
            self.lower_weight(cost, meter)?;
        }
    }

    /// The cost of the best solution.
    fn cost(&self) -> u32 {
        let moves = self.best.as_ref();
        moves.map_or(u32::MAX, |moves| moves.len() as u32)
    }

    /// Weighted A* until the best solution is within the weight.
    fn improve(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let priority = priority(self.weight);
        while let Some(best) = self.open.pop(&self.states) {
            let cost = self.cost();
            let bucket = Bucket {
                g: best.g,
                h: best.h,
            };
            let solution = Bucket { g: cost, h: 0 };
            if cost < u32::MAX && priority(bucket) >= priority(solution) {
                let states = &mut self.states;
                return self.open.push(bucket, best.number, states, meter);
            }
            if best.g + best.h >= cost {
                continue;
            }
            if best.state == self.query.goal {
                self.best = Some(self.query.path(&self.states));
                meter.incumbent(self.cost().into(), Some(self.least.into()));
                continue;
            }
            let (open, inconsistent) = (&mut self.open, &mut self.inconsistent);
            let push =
                |state, bucket: Bucket, reached, states: &mut States<W>, meter: &mut Meter<'_>| {
                    match reached {
                        // No better solution goes this way.
                        _ if bucket.g + bucket.h >= cost => Ok(()),
                        Reached::NearerClosed => note(inconsistent, (bucket, state), meter),
                        _ => open.push(bucket, state, states, meter),
                    }
                };
            let improve = WhenClosed::Improve;
            (self.query).expand(&best, &mut self.states, improve, meter, push)?;
            meter.frontier(self.open.len());
        }
        Ok(())
    }

    /// A better solution goes through a state that waits, by the shortest path to that.
    fn raise_bound(&mut self, cost: u32) {
        let waiting = self.inconsistent.iter().map(|(it, _)| it.g + it.h);
        let least = waiting.chain(self.open.least_f()).min();
        let least = least.map_or(cost, |least| least.min(cost));
        let least = least.max(self.weight.least_within(cost)).max(self.least);
        // All solutions have one parity.
        self.least = least + (cost - least) % 2;
    }

    /// Goes on with a weight below the factor that is proven.
    fn lower_weight(&mut self, cost: u32, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let proven = Weight::of(cost, self.least);
        self.weight = self.weight.min(proven).lowered();
        self.states.open_all();
        for (bucket, state) in std::mem::take(&mut self.inconsistent) {
            // One that was reached by a still shorter path comes again with that.
            if self.states.node(state).waits_in(bucket) {
                self.open.push(bucket, state, &mut self.states, meter)?;
            }
        }
        self.open.reorder(boxed(self.weight));
        Ok(())
    }
}

/// Adds a state to the inconsistent ones.
fn note(
    inconsistent: &mut Vec<(Bucket, u32)>,
    state: (Bucket, u32),
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    if inconsistent.len() == inconsistent.capacity() {
        let (old, more) = (inconsistent.capacity(), inconsistent.capacity().max(64));
        let bytes = |states| states * size_of::<(Bucket, u32)>();
        meter.grow(bytes(old), bytes(old + more))?;
        let reserved = inconsistent.try_reserve_exact(more);
        reserved.map_err(|_| Stop::Memory)?;
    }
    inconsistent.push(state);
    Ok(())
}
