//! What a program of others was called with, so that its rows are not taken for those of another one
//! under the same name.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::table_record::checksum;
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
    /// The checksums of those words that name a file: a script that is edited is another program.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
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
            files: files(solver),
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
            .or_else(|| self.other_file(other))
    }

    /// The first file that is another one by now. What one of both does not know tells nothing.
    fn other_file(&self, other: &SolverRecord) -> Option<(&'static str, String, String)> {
        let mut files = self.files.iter();
        files.find_map(|(file, own)| {
            let others = other.files.get(file).filter(|others| *others != own)?;
            Some(("file", format!("'{file}', {own}"), others.clone()))
        })
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

/// The checksums of the files that a command names.
fn files(solver: &Solver) -> BTreeMap<String, String> {
    // A program without a folder is looked for elsewhere.
    let is_named = |(place, word): &(usize, &String)| *place > 0 || word.contains('/');
    let words = solver.command.iter().enumerate().filter(is_named);
    let folder = solver.directory.as_deref().unwrap_or(Path::new(""));
    let checksums = words.filter_map(|(_, word)| {
        let checksum = checksum_of(&folder.join(word)).ok()?;
        Some((word.clone(), checksum))
    });
    checksums.collect()
}

/// What tells a file from another one under its name.
fn checksum_of(path: &Path) -> io::Result<String> {
    // To open a pipe is to wait for who writes into it.
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut file = File::open(path)?;
    let (mut sum, mut bytes) = (Xxh3::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(checksum(sum.digest())),
            read => sum.update(&bytes[..read]),
        }
    }
}

fn quoted(text: Option<&str>) -> String {
    text.map_or_else(|| "none".to_owned(), |text| format!("{text:?}"))
}
