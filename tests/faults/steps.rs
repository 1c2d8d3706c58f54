//! Faults one after the other, each from a seed of its own: a step that failed can be repeated alone.

use std::env;
use std::path::Path;
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use slidebench::harness::record::Row;
use slidebench::harness::suite::Random;

use crate::command::{rows, run, timeless};

/// Kinds of faults; they share the time.
const KINDS: f64 = 7.0;

const SEED: &str = "SLIDEBENCH_FAULTS_SEED";
const STEP: &str = "SLIDEBENCH_FAULTS_STEP";

/// A number of the environment.
pub fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name}={text}: expected a number")),
    )
}

/// The seed of everything.
pub fn seed() -> u64 {
    number(SEED).unwrap_or(1)
}

/// Tells how to repeat a step that panics.
struct Step<'a> {
    kind: &'a str,
    number: u64,
}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let Step { kind, number } = self;
            let seed = seed();
            eprintln!(
                "repeat it: {SEED}={seed} {STEP}={number} cargo test --release --test faults {kind}"
            );
        }
    }
}

/// Does a step again and again, for this kind's share of the time, and tells how often.
pub fn repeat(kind: &str, mut step: impl FnMut(&mut Random)) {
    let mut take = |number: u64| {
        let _told = Step { kind, number };
        // FNV-1a over the name, so that no two kinds have the same numbers.
        let of_kind = kind.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        step(&mut Random::new(seed() ^ of_kind ^ number << 32));
    };
    if let Some(number) = number(STEP) {
        return take(number);
    }
    let seconds = number("SLIDEBENCH_FAULTS_SECONDS").unwrap_or(20) as f64;
    let (started, share) = (Instant::now(), Duration::from_secs_f64(seconds / KINDS));
    let mut steps = 0;
    while steps == 0 || started.elapsed() < share {
        take(steps);
        steps += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    eprintln!("{kind}: {steps} steps in {seconds:.1} s");
}

/// No panic, no death by a signal, no exit code but those that are promised.
pub fn assert_orderly(arguments: &str, output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(
        matches!(code, Some(0..=3)),
        "{arguments}: {:?}: {said}",
        output.status
    );
    assert!(!said.contains("panicked"), "{arguments}: {said}");
    // A wrong answer is told on stdout too, in the summary.
    assert!(
        code == Some(0) || !said.is_empty() || code == Some(3),
        "{arguments}: {code:?} without a word"
    );
}

/// Runs a command that has to end in an orderly way.
pub fn orderly(folder: &Path, arguments: &str) -> Output {
    let output = run(folder, arguments);
    assert_orderly(arguments, &output);
    output
}

/// Runs a command that has to succeed.
pub fn succeed(folder: &Path, arguments: &str) {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{arguments}: {:?}: {said}",
        output.status
    );
}

/// A run of some milliseconds, and the rows of it that no fault may change.
pub struct Reference {
    /// What is run, but for its files.
    pub arguments: &'static str,
    pub rows: Vec<Row>,
}

/// Runs of tens to hundreds of milliseconds: many short ones, and some with many thresholds. The
/// limit of memory is in the rows, and would be another one each time.
const PLANS: [&str; 3] = [
    "run ladder4x4 --filter optimal:1-40 -H md --max-memory 1GiB",
    "run korf100 --filter optimal:41-45 -H md,lc --max-memory 1GiB",
    "run smoke -a idastar,astar -H md --filter 1-9 --repeat 3 --max-memory 1GiB",
];

impl Reference {
    /// Of each plan, undisturbed.
    pub fn all() -> Vec<Reference> {
        let folder = tempfile::tempdir().unwrap();
        let plans = PLANS.iter().enumerate().map(|(number, arguments)| {
            let name = format!("{number}.csv");
            succeed(folder.path(), &format!("{arguments} -o {name}"));
            Reference {
                arguments,
                rows: timeless(rows(&folder.path().join(name))),
            }
        });
        plans.collect()
    }

    /// Whether a file has these rows and no others.
    pub fn assert_rows(&self, file: &Path) {
        let found = timeless(rows(file));
        for (found, expected) in found.iter().zip(&self.rows) {
            assert_eq!(found, expected);
        }
        assert_eq!(found.len(), self.rows.len(), "{}", file.display());
    }
}

/// Changes some bytes of a file: single bits, bytes, or a range of noise. `from` is the first byte
/// that may change.
pub fn damage(file: &Path, from: usize, random: &mut Random) {
    let mut bytes = std::fs::read(file).unwrap();
    if bytes.len() <= from {
        return;
    }
    let places = bytes.len() - from;
    match random.below(3) {
        0 => bytes[from + random.below(places)] ^= 1 << random.below(8),
        1 => {
            for _ in 0..1 + random.below(8) {
                bytes[from + random.below(places)] = random.below(256) as u8;
            }
        }
        _ => {
            let start = from + random.below(places);
            let end = bytes.len().min(start + 1 + random.below(64));
            bytes[start..end].fill_with(|| random.below(256) as u8);
        }
    }
    std::fs::write(file, bytes).unwrap();
}
