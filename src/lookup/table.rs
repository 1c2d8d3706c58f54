//! A pattern database that can be read: values by place.

use crate::puzzle::{Cell, Tile};

use super::{Index, Pattern, Place};

/// The values of a pattern's places, wherever the bytes lie.
#[derive(Clone, Debug)]
pub struct PatternTable<D> {
    pattern: Pattern,
    index: Index,
    values: D,
}

impl<D: AsRef<[u8]>> PatternTable<D> {
    /// `None` if there is not one value for each place.
    pub fn new(pattern: Pattern, values: D) -> Option<PatternTable<D>> {
        let index = Index::new(&pattern);
        (values.as_ref().len() == index.places()).then_some(PatternTable {
            pattern,
            index,
            values,
        })
    }

    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub fn index(&self) -> &Index {
        &self.index
    }

    pub fn values(&self) -> &[u8] {
        self.values.as_ref()
    }

    /// The place of the tiles, where `cell_of` says in which cell each one is.
    pub fn place(&self, cell_of: impl Fn(Tile) -> Cell) -> Place {
        self.index.place(cell_of)
    }

    /// The fewest moves of the pattern's tiles that bring them home.
    #[inline(always)]
    pub fn value(&self, place: Place) -> u8 {
        self.values.as_ref()[self.index.rank(place)]
    }
}
