//! The automaton that recognises sequences, and the smallest one that does the same.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::allowance::Allowance;
use super::sequence::Sequence;
use crate::puzzle::Move;
use crate::search::Stop;

/// The number of a state.
pub(super) type Number = u32;

pub(super) const START: Number = 0;
pub(super) const FORBIDDEN: Number = Number::MAX;

/// The transitions that recognise any of the sequences (Aho and Corasick): they lead nowhere.
pub(super) fn automaton(
    sequences: &[Sequence],
    allowance: &mut Allowance,
) -> Result<Vec<[Number; 4]>, Stop> {
    const UNKNOWN: Number = Number::MAX - 1;
    let mut after = Vec::new();
    allowance.push(&mut after, [UNKNOWN; 4])?;
    let mut extend = |after: &mut Vec<[Number; 4]>, state: Number, mv: Move| {
        let known = after[state as usize][mv as usize];
        if known != UNKNOWN {
            return Ok(known);
        }
        let new = after.len() as Number;
        allowance.push(after, [UNKNOWN; 4])?;
        after[state as usize][mv as usize] = new;
        Ok::<Number, Stop>(new)
    };
    // One move is remembered whatever is forbidden: state 1 + its number.
    for mv in Move::ALL {
        extend(&mut after, START, mv)?;
    }
    for sequence in sequences {
        let mut state = START;
        for (index, mv) in sequence.iter().enumerate() {
            if index + 1 == sequence.len() {
                after[state as usize][mv as usize] = FORBIDDEN;
            } else {
                state = extend(&mut after, state, mv)?;
            }
        }
    }
    // Breadth first: the state of the longest shorter suffix is complete before it is asked.
    let mut suffix: Vec<Number> = allowance.list(after.len())?;
    suffix.resize(after.len(), START);
    // Every state once, in the order in which it is reached.
    let mut queue: Vec<Number> = allowance.list(after.len())?;
    queue.push(START);
    let mut done = 0;
    while let Some(&state) = queue.get(done) {
        done += 1;
        let by_suffix = match state {
            START => [START; 4],
            _ => after[suffix[state as usize] as usize],
        };
        for (next, by_suffix) in after[state as usize].iter_mut().zip(by_suffix) {
            match *next {
                FORBIDDEN => {}
                UNKNOWN => *next = by_suffix,
                next => {
                    suffix[next as usize] = by_suffix;
                    queue.push(next);
                }
            }
        }
    }
    allowance.free(suffix);
    allowance.free(queue);
    Ok(after)
}

/// The same transitions with as few states as can be: states that forbid the same sequences of
/// moves are one. They are numbered in the order in which they came.
///
/// Moore's way: states differ if they forbid different moves, or if a move leads to states that
/// differ, until that tells no more of them apart.
pub(super) fn minimal(
    after: &[[Number; 4]],
    allowance: &mut Allowance,
) -> Result<Vec<[Number; 4]>, Stop> {
    let mut classes: Vec<Number> = allowance.list(after.len())?;
    classes.resize(after.len(), 0);
    let mut finer: Vec<Number> = allowance.list(after.len())?;
    let mut count = 1;
    loop {
        let mut known: HashMap<(Number, [Number; 4]), Number, FixedState> = HashMap::default();
        let class_of = |state: Number| match state {
            FORBIDDEN => FORBIDDEN,
            state => classes[state as usize],
        };
        finer.clear();
        for (&class, after) in classes.iter().zip(after) {
            let new = known.len() as Number;
            let now = (known.len(), known.capacity(), known.allocation_size());
            allowance.before_insert(now, |more| known.try_reserve(more))?;
            finer.push(*known.entry((class, after.map(class_of))).or_insert(new));
        }
        let is_stable = known.len() == count;
        count = known.len();
        allowance.free_bytes(known.allocation_size());
        std::mem::swap(&mut classes, &mut finer);
        if is_stable {
            break;
        }
    }
    let mut minimal = allowance.list(count)?;
    minimal.resize(count, [FORBIDDEN; 4]);
    for (&class, after) in classes.iter().zip(after) {
        minimal[class as usize] = after.map(|state| match state {
            FORBIDDEN => FORBIDDEN,
            state => classes[state as usize],
        });
    }
    allowance.free(classes);
    allowance.free(finer);
    Ok(minimal)
}

#[cfg(test)]
mod tests {
    use hashbrown::HashSet;

    use super::super::forbidden_sequences;
    use super::*;

    /// Whatever the moves, the smaller fsm forbids what the automaton forbids.
    #[test]
    fn a_minimal_machine_forbids_the_same() {
        let allowance = &mut Allowance::new(None);
        let (_, all) =
            forbidden_sequences(8, "5x5".parse().unwrap(), allowance, &|| false).unwrap();
        let few = minimal(&all, allowance).unwrap();
        assert!(few.len() < all.len());
        let mut pairs = vec![(START, START)];
        let mut seen: HashSet<(Number, Number), FixedState> = pairs.iter().copied().collect();
        while let Some((a, b)) = pairs.pop() {
            for (next_a, next_b) in all[a as usize].into_iter().zip(few[b as usize]) {
                assert_eq!(next_a == FORBIDDEN, next_b == FORBIDDEN);
                if next_a != FORBIDDEN && seen.insert((next_a, next_b)) {
                    pairs.push((next_a, next_b));
                }
            }
        }
    }
}
