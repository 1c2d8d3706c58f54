//! Engines of IDA* on boards that are far from the goal. Few of them take long, and those take nearly all of
//! the time: from one run to the next it differs a hundredfold.

use proptest::prelude::*;
use slidebench::puzzle::Problem;

use crate::thresholds::assert_engines_agree;
use crate::walks::walks;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow: run it with --release")]
    fn engines_agree_on_every_threshold((board, goal) in walks(&["4x4", "5x5"], 110)) {
        assert_engines_agree(&Problem::new(&board, goal).unwrap());
    }
}
