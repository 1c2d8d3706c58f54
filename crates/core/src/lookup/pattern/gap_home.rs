//! Partitions for boards whose gap belongs elsewhere than into the first cell.

use super::{Partition, Pattern, mirrored};
use crate::puzzle::{Cell, MAX_OPTIMAL_CELLS};

impl Partition {
    /// The same partition, for boards whose gap belongs into this cell, as it is or mirrored first.
    ///
    /// It is laid so that the corner of its gap is the one next to that cell. From where its gap is then the
    /// gap walks to that cell, and the tiles that it passes stay in their patterns: so these keep about
    /// their shapes.
    pub(super) fn with_gap_in(&self, gap: Cell, mirror: bool) -> Partition {
        let size = self.size();
        let (rows, cols) = (size.rows() as u8, size.cols() as u8);
        let is_low = 2 * size.row_of(gap) >= rows;
        let is_right = 2 * size.col_of(gap) >= cols;
        let laid = |cell: Cell| {
            let cell = if mirror { mirrored(size, cell) } else { cell };
            let (row, col) = (size.row_of(cell), size.col_of(cell));
            let row = if is_low { rows - 1 - row } else { row };
            let col = if is_right { cols - 1 - col } else { col };
            row * cols + col
        };
        let mut owners = [None; MAX_OPTIMAL_CELLS];
        for (number, pattern) in self.patterns().iter().enumerate() {
            for tile in pattern.tiles() {
                owners[usize::from(laid(pattern.home_of(tile)))] = Some(number);
            }
        }
        let own_gap = self.patterns().first().map_or(0, Pattern::gap);
        let mut at = laid(own_gap);
        while at != gap {
            let next = toward(at, gap, cols, mirror);
            owners.swap(at.into(), next.into());
            at = next;
        }
        let of_pattern = |number: usize| {
            let cells = (0..size.cells()).filter(|&cell| owners[cell] == Some(number));
            let tiles = cells.map(|cell| if cell == 0 { gap } else { cell as Cell });
            let mask = tiles.fold(0, |mask, tile| mask | 1 << tile);
            Pattern::with_gap_in(size, mask, gap)
        };
        Partition::of(size, (0..self.patterns().len()).map(of_pattern).collect())
    }
}

/// The cell next to `at` on a way to `gap`: along the column first, or along the row where the
/// partition is mirrored.
fn toward(at: Cell, gap: Cell, cols: u8, mirror: bool) -> Cell {
    let (is_in_row, is_in_col) = (at / cols == gap / cols, at % cols == gap % cols);
    let along_row = if mirror { !is_in_col } else { is_in_row };
    let step = if along_row { 1 } else { cols };
    let is_before = match along_row {
        true => at % cols < gap % cols,
        false => at < gap,
    };
    if is_before { at + step } else { at - step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_has_one_pattern_wherever_the_gap_belongs() {
        for (size, name) in [("4x4", "7-8"), ("5x5", "6-6-6-6"), ("3x4", "6-5")] {
            let size = size.parse().unwrap();
            let partition = Partition::parse(name, size).unwrap();
            let sizes = |partition: &Partition| -> Vec<usize> {
                let patterns = partition.patterns().iter();
                patterns.map(|pattern| pattern.tiles().count()).collect()
            };
            for gap in 0..size.cells() as Cell {
                for mirror in [false, size.is_square()] {
                    let moved = partition.with_gap_in(gap, mirror);
                    let all = moved.patterns().iter().map(Pattern::mask);
                    assert_eq!(all.fold(0, |all, mask| all ^ mask), (1 << size.cells()) - 2);
                    assert_eq!(sizes(&moved), sizes(&partition), "gap {gap}");
                    let homes = moved.patterns().iter().flat_map(|pattern| {
                        let pattern = *pattern;
                        pattern.tiles().map(move |tile| pattern.home_of(tile))
                    });
                    assert!(homes.into_iter().all(|cell| cell != gap));
                    // From there on to another cell.
                    for other in 0..size.cells() as Cell {
                        let again = moved.with_gap_in(other, mirror);
                        let all = again.patterns().iter().map(Pattern::mask);
                        assert_eq!(all.fold(0, |all, mask| all ^ mask), (1 << size.cells()) - 2);
                        assert_eq!(sizes(&again), sizes(&partition), "gap {gap}, then {other}");
                    }
                }
            }
            assert_eq!(partition.with_gap_in(0, false), partition);
        }
    }
}
