//! What helps against an error of the library: the flag or the command, and whose mistake it was.
//!
//! The library speaks of things. Here is the one place that knows which flag or command of this
//! program changes them.

use std::error::Error;

use super::args::tables::folder_flag;
use super::args::walk::{for_wide, goes_with};
use super::{UsageError, pdb};
use crate::harness::cluster::{Difference, Fact, MergeError, SlurmError};
use crate::harness::record::{Companion, JournalError, RowsError, RunFilesError, Unreadable};
use crate::harness::run::NotReady;
use crate::harness::suite::{SuiteError, SuiteProblem};
use crate::heuristic::TablesError;
use crate::lookup::endgame::EndgameError;
use crate::lookup::{TableError, TableProblem};
use crate::puzzle::{Board, Goal, GoalError, Metric, ParseError, ParseProblem, Rules};
use crate::search::{Algorithm, Pruning, Stop};

/// An error with all its causes, in one line.
pub fn line(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        let text = match text.contains('\n') {
            // Errors of TOML draw the place over several lines.
            true => text.split_whitespace().collect::<Vec<_>>().join(" "),
            false => text,
        };
        line += &format!(": {text}");
        cause = error.source();
    }
    line
}

/// The user's mistake or the machine's failure, which have their own exit codes, with what helps.
fn advised<E>(error: E, is_usage: bool, advice: Option<String>) -> anyhow::Error
where
    E: Error + Send + Sync + 'static,
{
    let text = match advice {
        // A failure keeps its causes: one of them may be a reader who went away.
        None if !is_usage => return error.into(),
        None => line(&error),
        Some(advice) => format!("{}; {advice}", line(&error)),
    };
    match is_usage {
        true => UsageError(text).into(),
        false => anyhow::Error::msg(text),
    }
}

/// Why a text is no board.
pub fn of_board(error: &ParseError) -> String {
    with_size(error.to_string(), &error.problem)
}

/// Why a line of a file is no board: flags do not part its rows.
pub fn of_board_line(error: &ParseError) -> String {
    match &error.problem {
        ParseProblem::NoSquare(_) => format!("{error}; part the rows with /"),
        _ => error.to_string(),
    }
}

/// Why a text is no goal.
pub fn of_goal(error: &GoalError) -> String {
    match error {
        GoalError::Board(board) => with_size(error.to_string(), &board.problem),
        _ => error.to_string(),
    }
}

/// Why a text is no suite.
pub fn of_suite(error: &SuiteError) -> String {
    match &error.problem {
        SuiteProblem::Board(problem) => with_size(error.to_string(), problem),
        _ => error.to_string(),
    }
}

fn with_size(text: String, problem: &ParseProblem) -> String {
    match problem {
        ParseProblem::NoSquare(_) => {
            format!("{text}; give the size (--size ROWSxCOLS) or part the rows with /")
        }
        _ => text,
    }
}

/// A table that cannot be used or made; one line, without its exit code.
pub fn of_table(error: &TableError) -> String {
    match table_advice(error) {
        Some(advice) => format!("{}; {advice}", line(error)),
        None => line(error),
    }
}

/// The same where it ends the command.
pub fn of_failed_table(error: TableError) -> anyhow::Error {
    let advice = table_advice(&error);
    advised(error, false, advice)
}

fn table_advice(error: &TableError) -> Option<String> {
    match error.problem {
        TableProblem::Format(_) => Some(pdb::again::advice(&error.path)),
        TableProblem::NoRoom { .. } => Some("choose another folder with --pdb-dir".to_owned()),
        TableProblem::Foreign => {
            let instead = "replace it with --force, or choose another folder with --pdb-dir";
            Some(instead.to_owned())
        }
        TableProblem::Read(_) | TableProblem::Write(_) | TableProblem::Cancelled => None,
    }
}

/// Tables that are not at hand. `flags` are those that lead a command to the same folder.
pub fn of_tables(error: TablesError, flags: &str) -> anyhow::Error {
    let advice = match &error {
        TablesError::Table(error) => table_advice(error),
        TablesError::Endgame(error) => endgame_advice(error),
        TablesError::NotBuilt {
            partition, size, ..
        } => Some(format!(
            "build it with: slidebench pdb build {size}:{partition}{flags}"
        )),
        TablesError::Memory { .. } => Some(
            "allow more (--max-memory), or build it into a file with slidebench pdb build"
                .to_owned(),
        ),
        _ => None,
    };
    let is_usage = error.is_usage();
    advised(error, is_usage, advice)
}

fn endgame_advice(error: &EndgameError) -> Option<String> {
    let build = "slidebench pdb build";
    match error {
        EndgameError::NoFile(error) | EndgameError::Table(error) => table_advice(error),
        EndgameError::OtherKind { size, .. } => {
            Some(format!("build one with {build} endgame:{size}:DEPTH"))
        }
        EndgameError::OtherSize { size, depth, .. } => {
            Some(format!("build one with {build} endgame:{size}:{depth}"))
        }
        EndgameError::NotBuilt {
            size,
            depth,
            folder,
        } => {
            let flag = folder_flag(folder);
            Some(format!("run {build} endgame:{size}:{depth}{flag}"))
        }
        EndgameError::Build(_) => None,
    }
}

/// What helps where the lists of a search are larger than the memory that it may have, or the fsm of one
/// that has no lists or makes do with short ones.
pub fn of_memory(algorithm: &str) -> String {
    let algorithm: Option<Algorithm> = algorithm.parse().ok();
    if algorithm.is_some_and(Algorithm::has_thresholds) {
        return "the fsm that prunes does not fit: use a smaller one (--prune fsm:8) or none \
                (--prune none), or allow more (--max-memory)"
            .to_owned();
    }
    let fewer = match algorithm {
        Some(it) if it.is_bidirectional() => "",
        _ => "-a bae stores fewer states, ",
    };
    format!(
        "{fewer}-a idastar stores none, and a table (-H pdb:NAME) leaves fewer; or allow more \
         (--max-memory)"
    )
}

/// Which of the two common goals an unsolvable board could become, where it is to become the other.
pub fn other_goal(board: &Board, goal: Goal) -> Option<Goal> {
    let other = match goal {
        Goal::First => Goal::Last,
        Goal::Last => Goal::First,
        _ => return None,
    };
    board.is_solvable(other).then_some(other)
}

/// What helps where tables lead to no such board.
pub const OTHER_HEURISTIC: &str = "use -H md or -H lc without --endgame";

/// The flag that makes rules what they are, where moves are not of one tile that costs one.
pub fn rules_flag(rules: &Rules) -> String {
    match rules.metric {
        Metric::Multi => "--metric multi".to_owned(),
        Metric::Single => format!("--costs {}", rules.costs),
    }
}

/// Which searches go with such rules.
pub fn of_rules(rules: &Rules) -> String {
    let flag = rules_flag(rules);
    match rules.metric {
        Metric::Multi => goes_with(&flag, Algorithm::has_metric_multi),
        Metric::Single => goes_with(&flag, Algorithm::has_tile_costs),
    }
}

/// What helps where moves are not of one tile that costs one.
pub const OF_VARIANTS: &str = "use -H md or -H zero without --endgame";

/// Searches that cannot run.
pub fn of_not_ready(error: &NotReady) -> UsageError {
    let (suite, split_for) = match error {
        NotReady::OtherSearch { suite, split_for } => (suite, split_for),
        NotReady::WideBoard { .. } => {
            return UsageError(format!("{error}; {}", for_wide()));
        }
        NotReady::OtherTarget { why, rules, .. } => {
            return UsageError(match why {
                Stop::OtherMetric => format!("{error}; {}, {OF_VARIANTS}", of_rules(rules)),
                _ => format!("{error}; {OTHER_HEURISTIC}, or leave it out with --filter"),
            });
        }
    };
    let prune = split_for.prune;
    let prune = prune.map_or(Pruning::Off, Pruning::By);
    UsageError(format!(
        "the units of {suite} were cut for -a {} -H {} --prune {prune}; run them with that, and \
         without --endgame",
        split_for.algorithm, split_for.heuristic
    ))
}

/// The variables of a Slurm array.
pub fn of_slurm(error: &SlurmError) -> UsageError {
    UsageError(format!("{error}; name the shard with --shard I/N"))
}

/// Files of shards that are none of one whole.
pub fn of_merge(error: &MergeError) -> UsageError {
    UsageError(match error {
        MergeError::NoShard(_) => {
            format!("{error}; expected a file of run --shard, or of run with a suite of units")
        }
        MergeError::Differ(difference) => {
            let Difference {
                fact,
                first,
                second,
                one,
                other,
            } = &**difference;
            let what = fact_flag(fact).map_or_else(|| fact.to_string(), str::to_owned);
            format!(
                "{first} and {second} differ in {what}: {one}, {other}; shards of one plan have \
                 the same"
            )
        }
        _ => error.to_string(),
    })
}

/// The flag of run that sets what shards differ in.
fn fact_flag(fact: &Fact) -> Option<&'static str> {
    Some(match fact {
        Fact::TimeLimit => "--time-limit",
        Fact::NodeLimit => "--node-limit",
        Fact::MemoryLimit => "--max-memory",
        Fact::TotalTime => "--total-time",
        Fact::Engines => "--engine",
        Fact::Prunings => "--prune",
        Fact::Jobs => "--jobs",
        Fact::Warmup => "--warmup",
        Fact::Algorithms => "-a",
        Fact::Heuristics => "-H",
        Fact::Repeat => "--repeat",
        Fact::Seed => "--seed",
        Fact::Version
        | Fact::Shards
        | Fact::Suites
        | Fact::Instances(_)
        | Fact::Searches
        | Fact::Plan
        | Fact::Table(_) => return None,
    })
}

/// What makes of rows of schema 1 those that can be added to.
const CONVERT: &str = "convert this one with scripts/convert-schema-1";

/// Why a text is no file of rows.
pub fn of_rows(error: &RowsError) -> String {
    match error {
        RowsError::Schema1 { .. } => format!("{error}; {CONVERT}"),
        _ => with_json(error),
    }
}

/// What is wrong with rows, and of JSON what its reader says: of numbers and fields of a CSV it would
/// be the same in other words.
fn with_json(error: &RowsError) -> String {
    match error {
        RowsError::Field {
            source: Some(Unreadable::Json(_)),
            ..
        }
        | RowsError::Broken {
            source: Some(Unreadable::Json(_)),
            ..
        } => line(error),
        _ => error.to_string(),
    }
}

/// The files of a run.
pub fn of_run_files(error: RunFilesError) -> anyhow::Error {
    let text = match &error {
        RunFilesError::SameFile { files, path } => {
            let [one, other] = files.map(flag_of);
            let path = path.display();
            format!("{other} and {one} are both {path}; they need a file each")
        }
        RunFilesError::Exists { other, .. } => format!(
            "{error}; name another file ({}), or go on with its run (--resume)",
            flag_of(*other)
        ),
        RunFilesError::LeftOver(_) => format!(
            "{error}; remove it, go on with that run (--resume), or write to another file (-o)"
        ),
        RunFilesError::OtherSolver(_) => {
            format!("{error}; write to another file (-o), or give the program another name")
        }
        RunFilesError::OtherPlan | RunFilesError::OtherPuzzle(_) | RunFilesError::Shared { .. } => {
            format!("{error}; write to another file (-o)")
        }
        RunFilesError::NoFolder { .. } => {
            format!("{error}; make it, or name a file elsewhere")
        }
        RunFilesError::Foreign { .. } | RunFilesError::Sidecar(_) => {
            format!("{error}; move it away, or name another file")
        }
        RunFilesError::Journal(_) | RunFilesError::Write { .. } => {
            return advised_files(
                error,
                "go on with it (--resume), or write to another file (-o)",
            );
        }
    };
    UsageError(text).into()
}

/// A file of rows that is written at once.
pub fn of_new_rows(error: RunFilesError) -> anyhow::Error {
    advised_files(error, "write to another file (-o)")
}

fn advised_files(error: RunFilesError, if_it_exists: &str) -> anyhow::Error {
    let advice = match &error {
        RunFilesError::Journal(JournalError::Rows { path, error })
            if !matches!(error, RowsError::Schema1 { .. }) =>
        {
            let text = format!("{}:{}", path.display(), with_json(error));
            return UsageError(text).into();
        }
        RunFilesError::Journal(JournalError::Exists(_)) => Some(if_it_exists.to_owned()),
        RunFilesError::Journal(JournalError::Locked(_)) => {
            Some("wait for it, or write to another file (-o)".to_owned())
        }
        RunFilesError::Journal(JournalError::Rows {
            error: RowsError::Schema1 { .. },
            ..
        }) => Some(format!("write to another file (-o), or {CONVERT}")),
        RunFilesError::Shared { .. } | RunFilesError::Journal(JournalError::TooLong(_)) => {
            Some("write to another file (-o)".to_owned())
        }
        _ => None,
    };
    let is_usage = error.is_usage();
    advised(error, is_usage, advice)
}

fn flag_of(file: Companion) -> &'static str {
    match file {
        Companion::Rows => "-o",
        Companion::Sidecar => "the sidecar of -o",
        Companion::Thresholds => "--iterations",
        Companion::Incumbents => "--incumbents",
        Companion::Failures => "the failures beside -o",
        Companion::Histogram => "--histogram",
    }
}
