//! What an exploration takes, before it begins.

use super::index::{Index, WORD_STATES};
use super::multi::MultiMaps;
use crate::puzzle::{Metric, Size};

/// What an exploration takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpacePlan {
    /// The size of the boards.
    pub size: Size,
    /// What counts as a move.
    pub metric: Metric,
    /// States that can be reached: half of all arrangements.
    pub states: u128,
    /// Bytes of the bitmaps, which are in memory or in files.
    pub bitmaps: u128,
    /// Bytes of memory for the lists of the first and the last states.
    pub lists: u128,
}

/// The most states of a list. More would save few passes over all states: in the first million and
/// the last, each layer of 2x7 has 1.5 times the states of its neighbour.
const LISTED: u128 = 1 << 20;
/// Bytes for each: in a set, which grows, and in lists.
const LISTED_BYTES: u128 = 96;
/// A pass over a space of 3x4 takes as long as a list of so small a part of it.
const LISTED_PART: u128 = 4096;
/// No less than so many, or an eighth of the space: the last layer has to be listed.
const LISTED_LEAST: (u128, u128) = (64, 8);

impl SpacePlan {
    /// What the space of a size will take.
    pub fn new(size: Size, metric: Metric) -> SpacePlan {
        let index = Index::new(size);
        let states = (3..=size.cells() as u128).product::<u128>();
        let of_cell = states / size.cells() as u128;
        let words = of_cell.div_ceil(WORD_STATES as u128);
        let maps = match metric {
            Metric::Single => size.cells(),
            Metric::Multi => MultiMaps::new(&index).sum(),
        };
        let plan = SpacePlan {
            size,
            metric,
            states,
            bitmaps: maps as u128 * words * 8,
            lists: 0,
        };
        SpacePlan {
            lists: plan.listed() as u128 * LISTED_BYTES,
            ..plan
        }
    }

    /// Bytes of memory, if the bitmaps are in memory too, beside the program itself.
    pub fn memory(&self) -> u128 {
        self.bitmaps + self.lists
    }

    /// The most states that are listed at the begin, and at the end.
    pub(super) fn listed(&self) -> usize {
        let (least, part) = LISTED_LEAST;
        let least = least.min(self.states / part);
        (self.states / LISTED_PART).clamp(least, LISTED) as usize
    }
}
