//! Estimates against exact distances, on more boards than an everyday run has time for.

use crate::consistency::is_admissible_and_consistent;

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn estimates_are_admissible_and_consistent_on_all_of_2x5() {
    is_admissible_and_consistent("2x5", 55, 1_814_400);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
fn estimates_are_admissible_and_consistent_near_the_goal_of_3x4() {
    is_admissible_and_consistent("3x4", 20, 487_218);
}
