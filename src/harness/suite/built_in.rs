//! The suites that are compiled in, so that a fresh machine needs no file.

use super::definition::Suite;
use super::parse::{Asked, parse_suite};

/// A suite by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltIn {
    /// As a user names it.
    pub name: &'static str,
    /// In a line.
    pub about: &'static str,
    /// The file, as it is under `benchmarks/`.
    pub text: &'static str,
}

/// All of them.
pub const BUILT_IN: [BuiltIn; 10] = [
    BuiltIn {
        name: "korf100",
        about: "Korf's hundred 15-puzzles (1985), with his node counts",
        text: include_str!("../../../benchmarks/korf100.csv"),
    },
    BuiltIn {
        name: "korf24",
        about: "Korf and Felner's fifty 24-puzzles (2002)",
        text: include_str!("../../../benchmarks/korf24.csv"),
    },
    BuiltIn {
        name: "ladder4x4",
        about: "15-puzzles, one of each solution length",
        text: include_str!("../../../benchmarks/ladder4x4.csv"),
    },
    BuiltIn {
        name: "ladder5x5",
        about: "24-puzzles of growing solution length",
        text: include_str!("../../../benchmarks/ladder5x5.csv"),
    },
    BuiltIn {
        name: "hardest3x3",
        about: "the two 8-puzzles of 31 moves",
        text: include_str!("../../../benchmarks/hardest3x3.csv"),
    },
    BuiltIn {
        name: "hardest4x4",
        about: "the seventeen 15-puzzles of 80 moves",
        text: include_str!("../../../benchmarks/hardest4x4.csv"),
    },
    BuiltIn {
        name: "random35",
        about: "fifty random 35-puzzles, with the best costs known",
        text: include_str!("../../../benchmarks/random35.csv"),
    },
    BuiltIn {
        name: "random48",
        about: "fifty random 48-puzzles, with the best costs known",
        text: include_str!("../../../benchmarks/random48.csv"),
    },
    BuiltIn {
        name: "random63",
        about: "fifty random 63-puzzles, with the best costs known",
        text: include_str!("../../../benchmarks/random63.csv"),
    },
    BuiltIn {
        name: "smoke",
        about: "small boards of many sizes, seconds in all",
        text: include_str!("../../../benchmarks/smoke.csv"),
    },
];

impl BuiltIn {
    /// Its boards.
    pub fn suite(&self) -> Suite {
        let suite = parse_suite(self.name, self.text.as_bytes(), Asked::default());
        suite.expect("a test reads every suite that is compiled in")
    }
}

/// The suite of that name.
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|suite| suite.name == name)
}

/// The names nearest to one that there is not, the nearest first.
pub fn nearest_names(name: &str) -> Vec<&'static str> {
    /// Below this a name has little in common with what was typed.
    const ALIKE: f64 = 0.7;
    let name = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = BUILT_IN
        .iter()
        .map(|suite| (strsim::jaro_winkler(&name, suite.name), suite.name))
        .filter(|(alike, _)| *alike >= ALIKE)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().map(|(_, name)| name).collect()
}
