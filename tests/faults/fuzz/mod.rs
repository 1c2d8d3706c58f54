//! Every parser and every format of a file, with valid texts that were changed, and with noise.
//!
//! No input makes a parser panic, and what it accepts is the same when it is printed and read
//! again. A case of proptest is the seed of a batch of inputs; the seeds of those that failed are
//! kept in `tests/proptest-regressions/fuzz/mod.txt` and tried first.

mod corpus;
mod mutate;
mod targets;

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::time::Instant;

use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed, TestCaseError, TestRunner};
use slidebench::harness::suite::Random;

use crate::steps::{number, seed};
use mutate::Mutator;

/// A parser with texts that it reads.
struct Target {
    name: &'static str,
    corpus: Vec<Vec<u8>>,
    /// What is wrong with what it made of an input.
    check: fn(&[u8]) -> Result<(), String>,
    /// Of a thousand inputs to all parsers, how many this one gets: by what they cost.
    share: u64,
}

/// Inputs from one seed.
const BATCH: u64 = 100;

/// Inputs to all parsers, unless the environment says otherwise: seconds.
const INPUTS: u64 = if cfg!(debug_assertions) {
    50_000
} else {
    2_000_000
};

impl Target {
    /// Tries its share of the inputs, and tells how many those were.
    fn fuzz(&self) {
        let all = number("SLIDEBENCH_FUZZ_INPUTS").unwrap_or(INPUTS);
        let batches = (all * self.share / 1000).div_ceil(BATCH);
        let config = ProptestConfig {
            cases: batches.try_into().unwrap_or(u32::MAX),
            // A batch cannot be made smaller; the input is, below.
            max_shrink_iters: 0,
            source_file: Some(file!()),
            failure_persistence: Some(Box::new(FileFailurePersistence::SourceParallel(
                "proptest-regressions",
            ))),
            rng_seed: RngSeed::Fixed(seed()),
            ..ProptestConfig::default()
        };
        let started = Instant::now();
        let result = TestRunner::new(config).run(&any::<u64>(), |seed| self.batch(seed));
        result.unwrap_or_else(|failure| panic!("{}: {failure}", self.name));
        let (name, seconds) = (self.name, started.elapsed().as_secs_f64());
        eprintln!("{name}: {} inputs in {seconds:.1} s", batches * BATCH);
    }

    fn batch(&self, seed: u64) -> Result<(), TestCaseError> {
        let mut mutator = Mutator::new(&self.corpus, Random::new(seed));
        for _ in 0..BATCH {
            let input = mutator.input();
            if let Err(problem) = self.try_one(input) {
                let input = self.shortened(input.to_vec());
                let text = String::from_utf8_lossy(&input).into_owned();
                return Err(TestCaseError::fail(format!(
                    "{problem}: {text:?} ({input:?})"
                )));
            }
        }
        Ok(())
    }

    /// Checks one input; a panic is a problem like any other.
    fn try_one(&self, input: &[u8]) -> Result<(), String> {
        quietly(|| panic::catch_unwind(AssertUnwindSafe(|| (self.check)(input)))).unwrap_or_else(
            |panic| {
                let text = panic.downcast_ref::<String>().cloned();
                let text =
                    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
                Err(format!("panicked: {}", text.unwrap_or_default()))
            },
        )
    }

    /// The input without what it can fail without.
    fn shortened(&self, mut input: Vec<u8>) -> Vec<u8> {
        let mut length = input.len().div_ceil(2);
        while length > 0 {
            let mut start = 0;
            while start < input.len() {
                let end = input.len().min(start + length);
                let shorter = [&input[..start], &input[end..]].concat();
                match self.try_one(&shorter) {
                    Err(_) => input = shorter,
                    Ok(()) => start = end,
                }
            }
            length /= 2;
        }
        input
    }
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// A panic inside is caught, and nothing is printed of it.
fn quietly<T>(inside: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                tell(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let result = inside();
    IS_QUIET.set(false);
    result
}
