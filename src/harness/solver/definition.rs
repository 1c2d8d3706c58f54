//! What a program is called and how it is spoken to, from a command or a TOML file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use regex_lite::Regex;
use serde::Deserialize;

use super::answer::AnswerForm;
use super::board_text::{BoardForm, Given};
use super::definition_error::{SolverError, SolverProblem};
use super::guard::Guard;
use super::process::{Bounds, Process, Watched};
use super::spawn::Program;
use crate::puzzle::{UnknownName, named};

/// How often a program is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Once for each board.
    #[default]
    Process,
    /// Once for each job: a board a line in, an answer a line out.
    Lines,
}

named!(Mode, "a way to call a program": Process "process", Lines "lines");

/// A program that solves boards.
#[derive(Clone, Debug)]
pub struct Solver {
    /// What rows call it.
    pub name: String,
    /// What it says about its version, or nothing.
    pub version: String,
    /// Why it says nothing, although it was asked.
    pub version_problem: Option<String>,
    /// The program and its arguments; nothing reads them but the program.
    pub command: Vec<String>,
    /// How it gets a board.
    pub given: Given,
    /// In which notation.
    pub form: BoardForm,
    /// How often it is started.
    pub mode: Mode,
    /// How it answers.
    pub answer: AnswerForm,
    /// Finds the answer in what it prints.
    pub expression: Option<Regex>,
    /// Added to its environment.
    pub environment: BTreeMap<String, String>,
    /// Where it runs.
    pub directory: Option<PathBuf>,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    command: Vec<String>,
    board: Option<String>,
    notation: Option<String>,
    mode: Option<String>,
    answer: Option<String>,
    regex: Option<String>,
    version: Option<Vec<String>>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    directory: Option<PathBuf>,
}

impl Solver {
    /// A command as a shell would part it into words; nothing else of a shell happens. The board
    /// stands where `{board}` is, or behind all words.
    pub fn of_command(text: &str) -> Result<Solver, SolverError> {
        let error = |problem| SolverError {
            place: format!("'{text}'"),
            problem,
        };
        let words = shlex::split(text).ok_or_else(|| error(SolverProblem::OpenQuote))?;
        if words.is_empty() {
            return Err(error(SolverProblem::NoCommand));
        }
        let is_board = |word: &String| word.contains("{board}");
        let named = words.iter().filter(|word| !word.contains('{'));
        let name = named.cloned().collect::<Vec<_>>().join(" ");
        let mut command = words.clone();
        if !words.iter().any(is_board) {
            command.push("{board}".to_owned());
        }
        Ok(Solver {
            name,
            version: String::new(),
            version_problem: None,
            command,
            given: Given::Argument,
            form: BoardForm::Numbers,
            mode: Mode::Process,
            answer: AnswerForm::Auto,
            expression: None,
            environment: BTreeMap::new(),
            directory: None,
        })
    }

    /// A TOML file. Paths in it are relative to its folder.
    pub fn of_file(path: &Path) -> Result<Solver, SolverError> {
        let error = |problem| SolverError {
            place: path.display().to_string(),
            problem,
        };
        let text = read_short(path).map_err(|cause| error(cause.into()))?;
        let file: File = toml::from_str(&text).map_err(|cause| error(cause.into()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new("."));
        file.solver(&stem, folder).map_err(error)
    }
}

/// The text of a file that a person wrote: one that is longer is something else.
fn read_short(path: &Path) -> io::Result<String> {
    const MOST_BYTES: u64 = 1 << 20;
    let mut text = String::new();
    let file = fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    match text.len() as u64 > MOST_BYTES {
        true => Err(io::Error::other("it has more than 1 MiB")),
        false => Ok(text),
    }
}

impl File {
    fn solver(self, stem: &str, folder: &Path) -> Result<Solver, SolverProblem> {
        if self.command.is_empty() {
            return Err(SolverProblem::EmptyCommand);
        }
        let mode: Mode = chosen(self.mode, "mode")?;
        let has = |what: &str| self.command.iter().any(|word| word.contains(what));
        let given = match self.board {
            Some(given) => chosen(Some(given), "board")?,
            None if mode == Mode::Lines => Given::Stdin,
            None if has("{file}") => Given::File,
            None if has("{board}") => Given::Argument,
            None => Given::Stdin,
        };
        if self.version.as_ref().is_some_and(Vec::is_empty) {
            return Err(SolverProblem::EmptyVersion);
        }
        let missing = match given {
            Given::Argument if !has("{board}") => Some("{board}"),
            Given::File if !has("{file}") => Some("{file}"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(SolverProblem::NoPlace { given, missing });
        }
        if mode == Mode::Lines && given != Given::Stdin {
            return Err(SolverProblem::LinesGiven(given));
        }
        let form: BoardForm = chosen(self.notation, "notation")?;
        if mode == Mode::Lines && form == BoardForm::Puz {
            return Err(SolverProblem::LinesForm(form));
        }
        let expression = self.regex.as_deref().map(expression).transpose()?;
        let directory = match (self.directory, folder) {
            (Some(directory), folder) => Some(folder.join(directory)),
            (None, folder) if folder.as_os_str().is_empty() => None,
            (None, folder) => Some(folder.to_owned()),
        };
        let version = self.version.as_ref().map(|command| {
            let words: Vec<OsString> = command.iter().map(OsString::from).collect();
            version(&Program {
                words: &words,
                environment: &self.environment,
                directory: directory.as_deref(),
                longest_file: None,
            })
        });
        let (version, version_problem) = match version {
            Some(Ok(version)) => (version, None),
            Some(Err(problem)) => (String::new(), Some(problem)),
            None => (String::new(), None),
        };
        Ok(Solver {
            name: self.name.unwrap_or_else(|| stem.to_owned()),
            version,
            version_problem,
            command: self.command,
            given,
            form,
            mode,
            answer: chosen(self.answer, "answer")?,
            expression,
            environment: self.environment,
            directory,
        })
    }
}

/// What a name in the file stands for, or what stands there by default.
fn chosen<T: std::str::FromStr<Err = UnknownName> + Default>(
    name: Option<String>,
    key: &'static str,
) -> Result<T, SolverProblem> {
    let parsed = name.map(|name| name.parse()).transpose();
    let parsed = parsed.map_err(|source| SolverProblem::Name { key, source })?;
    Ok(parsed.unwrap_or_default())
}

/// An expression that finds a path or a cost.
fn expression(text: &str) -> Result<Regex, SolverProblem> {
    let expression = Regex::new(text)?;
    let mut names = expression.capture_names().flatten();
    match names.any(|name| name == "moves" || name == "cost") {
        true => Ok(expression),
        false => Err(SolverProblem::NoGroup),
    }
}

/// How long a program may think about its version.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// The first line that the command for the version prints.
fn version(program: &Program<'_>) -> Result<String, String> {
    let name = program.words[0].display();
    let guard = Guard::start();
    let mut process = Process::start(program, None, &guard)
        .map_err(|cause| format!("version: {name} does not start: {cause}"))?;
    process.give_end();
    let bounds = Bounds {
        deadline: Instant::now().checked_add(VERSION_TIME),
        memory: None,
        cancel: &AtomicBool::new(false),
    };
    let watched = process.watch(bounds, false);
    let output = std::mem::take(&mut process.output);
    let (_, complaints) = process.end(watched != Watched::Ended);
    if watched != Watched::Ended {
        return Err(format!("version: {name} does not end"));
    }
    let text = String::from_utf8_lossy(&output).into_owned() + "\n" + &complaints;
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty());
    line.map(str::to_owned)
        .ok_or_else(|| format!("version: {name} prints nothing"))
}
