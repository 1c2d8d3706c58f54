//! Every search against every other on 5x5, with walking distances.

use proptest::prelude::*;
use slidebench::puzzle::Problem;

use crate::optimal::assert_one_cost;
use crate::walks::walks;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
    fn every_optimal_search_finds_the_same_cost((board, goal) in walks(&["5x5"], 24)) {
        assert_one_cost(&Problem::new(&board, goal).unwrap());
    }
}
