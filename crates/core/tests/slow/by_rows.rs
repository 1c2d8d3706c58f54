//! Row by row, on every board of 3x3.

use crate::solved_by_rows::solves_all;

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn all_boards_of_3x3() {
    solves_all("3x3", 181_440);
}
