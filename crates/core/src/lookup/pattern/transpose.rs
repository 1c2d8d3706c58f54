//! Squares of bits, their rows made columns.

/// Bit j of word i becomes bit i of word j: halves change places, then quarters, and so on.
pub(super) fn transpose(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut low = u64::from(u32::MAX);
    while width > 0 {
        for i in (0..64).filter(|i| i & width == 0) {
            let changed = (square[i] >> width ^ square[i + width]) & low;
            square[i] ^= changed << width;
            square[i + width] ^= changed;
        }
        width /= 2;
        low ^= low << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_goes_where_its_row_and_column_change_places() {
        for (i, j) in (0..64).flat_map(|i| (0..64).map(move |j| (i, j))) {
            let mut square = [0; 64];
            square[i] = 1 << j;
            transpose(&mut square);
            let mut expected = [0; 64];
            expected[j] = 1 << i;
            assert_eq!(square, expected);
        }
    }
}
