//! In which order A* expands states of the same f, and when it looks whether it has ended.
//!
//! Among equal f the smallest h comes first. Among states of the same f and h any order will do, and how
//! much is expanded until the goal shows up is a matter of luck: if the order depended on how threads
//! share the work, counts would differ by up to a tenth. So a search takes a [`Part`] at a time: of
//! the states with the smallest h of a layer those whose hashes are in one range, and every state of the
//! layer that is reached from them. All threads finish a part before any of them begins the next one, and
//! the search ends at the end of a part only.
//!
//! **Why counts are the same on any number of threads.** When a layer of f begins, the layers before it are
//! exhausted. So each of its states is reached with its least g, and is expanded once. What is expanded by the
//! end of a part is every state that can be reached within the layer from those it began with, in whatever order,
//! and what is stored are their children too. Which part is the next one, and how large it is, depends on
//! such sets alone: on the states that wait, their hashes, and how many are stored. (An entry whose state was
//! reached again in a lower layer does not count.) What an endgame table cuts off depends on the best ending that was
//! known when the part began. The solution is the same too: it is walked back in a fixed order of moves, by the least layer of
//! each state, and of equal endings one state is taken.
//!
//! In a long search a part begins with about a hundredth of what is stored, or less. So little is expanded after the
//! goal was found: on the 79 smallest of korf100 0.6 % more in sum than by a search that ends at the goal. And threads
//! wait for each other some 30 times in a layer (250 times in all on instance 60).

use std::cmp::Ordering;

use super::open::Bucket;

/// Parts that all states stored would make. With 32, the 79 boards take 0.9 % more states than by a search that ends
/// at the goal, with 512 0.4 %.
const PARTS_OF_ALL: usize = 128;
/// States that a part begins with on the average at least, where there are so many.
const LEAST: usize = 64;

/// States of one bucket: those whose hashes are in one of several ranges of the same length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub bucket: Bucket,
    /// Which range it is, from 0.
    pub number: usize,
    /// How many ranges there are.
    pub of: usize,
}

/// What is known when a part is done: to one worker, or to all of them together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Findings {
    /// The first bucket that has states, and how many; only asked for where the last part of a bucket is done.
    pub first: Option<(Bucket, usize)>,
    /// States in the closed list.
    pub stored: usize,
    /// Whether the goal was reached.
    pub is_at_goal: bool,
    /// Whether a state has an f that the word has no room for.
    pub lacks_room: bool,
    /// The least cost of a path that ends in the endgame table.
    pub ending: Option<u32>,
}

impl Findings {
    /// Of no worker.
    pub const NONE: Findings = Findings {
        first: None,
        stored: 0,
        is_at_goal: false,
        lacks_room: false,
        ending: None,
    };

    /// What two know together.
    pub fn join(self, other: Findings) -> Findings {
        let firsts = self.first.into_iter().chain(other.first);
        let first = firsts.reduce(|(one, states), (other, more)| match one.cmp(&other) {
            Ordering::Less => (one, states),
            Ordering::Equal => (one, states + more),
            Ordering::Greater => (other, more),
        });
        Findings {
            first,
            stored: self.stored + other.stored,
            is_at_goal: self.is_at_goal || other.is_at_goal,
            lacks_room: self.lacks_room || other.lacks_room,
            ending: self.ending.into_iter().chain(other.ending).min(),
        }
    }
}

impl Part {
    /// All states of a layer.
    pub fn layer(layer: u32) -> Part {
        let h = u32::MAX;
        Part {
            bucket: Bucket { layer, h },
            number: 0,
            of: 1,
        }
    }

    /// The first part of the first bucket, if there is one.
    pub fn first(findings: &Findings) -> Option<Part> {
        let (bucket, waiting) = findings.first?;
        let of_stored = (waiting * PARTS_OF_ALL).div_ceil(findings.stored.max(1));
        Some(Part {
            bucket,
            number: 0,
            of: of_stored.min(waiting.div_ceil(LEAST)),
        })
    }

    /// Whether it is all states of a layer.
    pub fn is_layer(self) -> bool {
        self.bucket.h == u32::MAX
    }

    /// The last bucket before that of the part. What was there when the first part of a bucket began was dropped, so all
    /// that waits there was pushed since, from states of this layer. The layers before it are exhausted, so none of it can
    /// have been reached there: it needs no look into the closed list.
    #[inline(always)]
    pub fn of_this_layer(self) -> Option<Bucket> {
        let h = self.bucket.h.checked_sub(1)?;
        let bucket = Bucket { h, ..self.bucket };
        (!self.is_layer()).then_some(bucket)
    }

    /// The part of the same bucket after this one, if there is one.
    pub fn next(self) -> Option<Part> {
        let number = self.number + 1;
        (number < self.of).then_some(Part { number, ..self })
    }

    /// The part of its bucket that a state with this hash belongs to. By the upper half of the hash: so the states of
    /// a part are near to each other in the closed list, and each worker has as many of them.
    #[inline(always)]
    pub fn number_of(self, hash: u64) -> usize {
        (((hash >> 32) * self.of as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn findings(
        (layer, h, waiting): (u32, u32, usize),
        stored: usize,
        ending: Option<u32>,
    ) -> Findings {
        Findings {
            first: (waiting > 0).then_some((Bucket { layer, h }, waiting)),
            stored,
            is_at_goal: false,
            lacks_room: false,
            ending,
        }
    }

    proptest! {
        /// In whatever order workers say what they know, and however they share it.
        #[test]
        fn all_know_the_same(
            workers in prop::collection::vec(
                ((0..2u32, 0..2u32, 0..3usize), 0..9usize, prop::option::of(0..9u32)), 1..6
            )
        ) {
            let join = |known: Findings, (waiting, stored, ending)| {
                known.join(findings(waiting, stored, ending))
            };
            let forward = workers.iter().copied().fold(Findings::NONE, join);
            let backward = workers.iter().rev().copied().fold(Findings::NONE, join);
            prop_assert_eq!(forward, backward);
            let with_states = workers.iter().filter(|(waiting, ..)| waiting.2 > 0);
            let least = with_states.map(|&((layer, h, _), ..)| Bucket { layer, h }).min();
            let in_least = workers.iter().filter(|((layer, h, _), ..)| {
                Some(Bucket { layer: *layer, h: *h }) == least
            });
            let waiting: usize = in_least.map(|(waiting, ..)| waiting.2).sum();
            prop_assert_eq!(forward.first, least.map(|bucket| (bucket, waiting)));
            prop_assert_eq!(forward.stored, workers.iter().map(|worker| worker.1).sum::<usize>());
        }

        /// Every state of a bucket is in one of its parts, none of which has much more than the others.
        #[test]
        fn parts_make_a_bucket(waiting in 1..100_000usize, more in 0..10_000_000usize) {
            let part = Part::first(&findings((3, 7, waiting), waiting + more, None)).unwrap();
            prop_assert_eq!(part.bucket, Bucket { layer: 3, h: 7 });
            let parts: Vec<Part> = std::iter::successors(Some(part), |part| part.next()).collect();
            prop_assert_eq!(parts.len(), part.of);
            prop_assert!(part.of <= PARTS_OF_ALL && (part.of - 1) * LEAST < waiting);
            prop_assert_eq!(part.number_of(0), 0);
            prop_assert_eq!(part.number_of(u64::MAX), part.of - 1);
        }
    }
}
