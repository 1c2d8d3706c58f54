//! What a program of others was called with, so that its rows are not taken for those of another one
//! under the same name.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::harness::solver::Solver;

/// The definition of a program, as a sidecar keeps it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SolverRecord {
    /// What rows call it.
    pub name: String,
    /// What it says about its version, or nothing.
    pub version: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Added to its environment.
    pub environment: BTreeMap<String, String>,
    /// Where it runs, if not where the run was started.
    pub directory: Option<PathBuf>,
    /// How it gets a board.
    pub board: String,
    /// In which notation.
    pub notation: String,
    /// How often it is started.
    pub mode: String,
    /// How it answers.
    pub answer: String,
    /// Finds the answer in what it prints.
    pub regex: Option<String>,
}

/// Rows of a program that was defined otherwise under the same name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{path} has rows of '{name}' with the {field} {found}, which is {expected} in this run",
    path = .path.display()
)]
pub struct OtherSolver {
    /// The file of rows.
    pub path: PathBuf,
    /// What both are called.
    pub name: String,
    /// The first field of their definitions that differs.
    pub field: &'static str,
    /// What the file was written with.
    pub found: String,
    /// What the run has.
    pub expected: String,
}

impl From<&Solver> for SolverRecord {
    fn from(solver: &Solver) -> SolverRecord {
        // One folder has many spellings.
        let whole = |path: &PathBuf| fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        SolverRecord {
            name: solver.name.clone(),
            version: solver.version.clone(),
            command: solver.command.clone(),
            environment: solver.environment.clone(),
            directory: solver.directory.as_ref().map(whole),
            board: solver.given.to_string(),
            notation: solver.form.to_string(),
            mode: solver.mode.to_string(),
            answer: solver.answer.to_string(),
            regex: solver.expression.as_ref().map(ToString::to_string),
        }
    }
}

impl SolverRecord {
    /// The first field in which two definitions differ, with the text of both.
    pub fn difference(&self, other: &SolverRecord) -> Option<(&'static str, String, String)> {
        let fields = self.fields().into_iter().zip(other.fields());
        fields
            .filter(|((_, own), (_, others))| own != others)
            .map(|((field, own), (_, others))| (field, own, others))
            .next()
    }

    /// All but the name, for people.
    fn fields(&self) -> [(&'static str, String); 9] {
        let directory = self.directory.as_ref();
        let directory = directory.map(|path| path.display().to_string());
        [
            ("command", format!("{:?}", self.command)),
            ("environment", format!("{:?}", self.environment)),
            ("directory", quoted(directory.as_deref())),
            ("board", quoted(Some(&self.board))),
            ("notation", quoted(Some(&self.notation))),
            ("mode", quoted(Some(&self.mode))),
            ("answer", quoted(Some(&self.answer))),
            ("regex", quoted(self.regex.as_deref())),
            ("version", quoted(Some(&self.version))),
        ]
    }
}

fn quoted(text: Option<&str>) -> String {
    text.map_or_else(|| "none".to_owned(), |text| format!("{text:?}"))
}
