//! Suites: boards with their known answers, from a file.
//!
//! A CSV with the columns `instance,board,optimal` (may be empty) and `ida_md_generated`, or others
//! whose names begin with `generated_`; the rest is passed over. `#` begins a comment, and those
//! of the head can say `# size: 4x4` and `# goal: first` (another goal, or
//! a board), and `# metric: multi` or `# costs: heavy`. A file without such a header has a board
//! on each line, or is one board. [`units`] has the columns of a board that is searched in parts.

use std::str::FromStr;

use super::definition::{Instance, SplitFor, Suite};
use super::problem::{SuiteError, SuiteProblem};
use super::units::{self, not_a_number};
use crate::harness::csv_cell::LONGEST_CELL;
use crate::harness::csv_line::data_line;
use crate::puzzle::{Costs, Goal, Metric, ParseError, Size, parse_board, parse_text};
use crate::search::{Algorithm, Prune};

/// What the caller says about a suite's boards, against what its file says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Instead of the file's.
    pub goal: Option<Goal>,
    /// Where boards do not show it.
    pub size: Option<Size>,
    /// Instead of the file's.
    pub metric: Option<Metric>,
    /// Instead of those of the file.
    pub costs: Option<Costs>,
}

/// The goal of a file that says nothing about it.
const DEFAULT_GOAL: Goal = Goal::Last;

/// Reads a suite from bytes that should be text.
pub fn parse_suite(name: &str, bytes: &[u8], asked: Asked) -> Result<Suite, SuiteError> {
    let text = parse_text(bytes).map_err(|error| SuiteError::at(error.place, error.problem))?;
    let head = Head::parse(text)?;
    let size = asked.size.or(head.size);
    let mut instances = match header_line(text) {
        true => csv_instances(text, size)?,
        false => bare_instances(text, size)?,
    };
    if instances.is_empty() {
        return Err(SuiteError::at(1, SuiteProblem::Empty));
    }
    // A file that names no goal leaves it to the one who runs it.
    let own = head.goal(size, &instances)?;
    let own = own.or(asked.goal).unwrap_or(DEFAULT_GOAL);
    let goal = asked.goal.unwrap_or(own);
    if let Some(other) = instances
        .iter()
        .find_map(|it| goal.check(it.board.size()).err())
    {
        return Err(SuiteError::at(1, other));
    }
    let own_moves = (head.metric, head.costs);
    let metric = asked.metric.unwrap_or(head.metric);
    let costs = asked.costs.unwrap_or(head.costs);
    let is_own =
        |size: Size| (metric, costs) == own_moves && goal.of_size(size) == own.of_size(size);
    let split_for = split_for(head, &instances)?;
    if split_for.is_some() && !instances.iter().all(|it| is_own(it.board.size())) {
        return Err(SuiteError::at(1, SuiteProblem::GoalOfUnits(own)));
    }
    // What is known about a board holds for its own goal and its own moves.
    for instance in instances.iter_mut().filter(|it| !is_own(it.board.size())) {
        instance.optimal = None;
        instance.best_known = None;
        instance.ida_md_generated = None;
        instance.known_nodes = None;
    }
    Ok(Suite {
        name: one_line(name),
        goal,
        metric,
        costs,
        instances,
        split_for,
    })
}

/// A name as rows can hold it: a row is a line.
fn one_line(name: &str) -> String {
    name.replace(char::is_control, "_")
}

fn is_comment(line: &str) -> bool {
    line.trim_start_matches('\u{feff}').starts_with('#')
}

/// What the comments say about all boards.
#[derive(Default)]
struct Head {
    size: Option<Size>,
    /// The text, with its line: in one row it has the size of the boards.
    goal: Option<(usize, String)>,
    metric: Metric,
    costs: Costs,
    /// Of units: what they were cut for.
    algorithm: Option<String>,
    heuristic: Option<String>,
    prune: Option<Prune>,
}

impl Head {
    fn parse(text: &str) -> Result<Head, SuiteError> {
        fn value<T>(line: usize, text: &str) -> Result<T, SuiteError>
        where
            T: FromStr<Err: Into<SuiteProblem>>,
        {
            let value = text.trim().parse();
            value.map_err(|error: T::Err| SuiteError::at(line, error))
        }
        let mut head = Head::default();
        for (index, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| is_comment(line))
        {
            let comment = line.trim_start_matches(['\u{feff}', '#', ' ']);
            match comment.split_once(':') {
                Some(("size", size)) => head.size = Some(value(index + 1, size)?),
                Some(("goal", goal)) => head.goal = Some((index + 1, goal.to_owned())),
                Some(("algorithm", name)) => head.algorithm = Some(name.trim().to_owned()),
                Some(("metric", metric)) => head.metric = value(index + 1, metric)?,
                Some(("costs", costs)) => head.costs = value(index + 1, costs)?,
                Some(("heuristic", name)) => head.heuristic = Some(name.trim().to_owned()),
                Some(("prune", prune)) => head.prune = Some(value(index + 1, prune)?),
                _ => {}
            }
        }
        Ok(head)
    }

    /// The goal that it names, for boards of one size where they are.
    fn goal(&self, size: Option<Size>, instances: &[Instance]) -> Result<Option<Goal>, SuiteError> {
        let of_first = || instances.first().map(|first| first.board.size());
        let goal = self.goal.as_ref().map(|(line, text)| {
            let goal = Goal::parse(text, size.or_else(of_first));
            goal.map_err(|error| SuiteError::at(line, error))
        });
        goal.transpose()
    }
}

/// What units were cut for. Those of one file are of one board and one threshold: their nodes
/// are added up.
fn split_for(head: Head, instances: &[Instance]) -> Result<Option<SplitFor>, SuiteError> {
    let of = |instance: &Instance| {
        let threshold = instance.unit.as_ref().map(|unit| unit.threshold);
        (instance.board, threshold)
    };
    let Some(first) = instances.first().filter(|first| first.unit.is_some()) else {
        return Ok(None);
    };
    if let Some(other) = instances.iter().find(|other| of(other) != of(first)) {
        return Err(SuiteError::at(
            1,
            SuiteProblem::OtherUnit(other.name.clone()),
        ));
    }
    let heuristic = head.heuristic;
    let heuristic = heuristic.ok_or_else(|| SuiteError::at(1, SuiteProblem::NoHeuristic))?;
    let algorithm = match head.algorithm {
        Some(name) => {
            let algorithm = name.parse().ok().filter(|it: &Algorithm| it.has_units());
            algorithm.ok_or_else(|| SuiteError::at(1, SuiteProblem::NoUnits(name)))?
        }
        None => Algorithm::IdaStar,
    };
    Ok(Some(SplitFor {
        algorithm,
        heuristic,
        prune: head.prune,
    }))
}

/// Whether the first line that is no comment names the columns of a suite.
fn header_line(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !is_comment(line));
    let first = lines.find(|line| !line.trim().is_empty());
    first.is_some_and(|line| line.split(',').any(|column| column.trim() == "board"))
}

fn csv_instances(text: &str, size: Option<Size>) -> Result<Vec<Instance>, SuiteError> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let header = reader
        .headers()
        .map_err(|error| csv_error(text, &error))?
        .clone();
    let column = |name| header.iter().position(|column| column == name);
    let columns = [
        column("board"),
        column("instance"),
        column("optimal"),
        column("best_known"),
        column("ida_md_generated"),
        // The newest of several.
        (0..header.len()).rfind(|&column| header[column].starts_with("generated_")),
    ];
    let unit_columns = units::COLUMNS.map(column);
    let has_units = unit_columns.iter().all(Option::is_some);
    let mut instances: Vec<Instance> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(text, &error))?;
        let line = || data_line(text, record.position());
        record
            .iter()
            .try_for_each(refuse_long)
            .map_err(|problem| SuiteError::at(line(), problem))?;
        let field = |column: Option<usize>| {
            let field = column.and_then(|column| record.get(column));
            field.unwrap_or_default()
        };
        let [board, name, optimal, best_known, generated, other_generated] = columns.map(field);
        let board =
            parse_board(board, size).map_err(|error| SuiteError::at(line(), error.problem))?;
        let ida_md_generated = number("ida_md_generated", generated)
            .map_err(|problem| SuiteError::at(line(), problem))?;
        let unit = has_units
            .then(|| units::parse_unit(&board, unit_columns.map(field)))
            .transpose()
            .map_err(|problem| SuiteError::at(line(), problem))?;
        let instance = Instance {
            name: match name {
                "" => (instances.len() + 1).to_string(),
                _ => one_line(name),
            },
            board,
            optimal: number("optimal", optimal)
                .map_err(|problem| SuiteError::at(line(), problem))?,
            best_known: number("best_known", best_known)
                .map_err(|problem| SuiteError::at(line(), problem))?,
            ida_md_generated,
            known_nodes: ida_md_generated.or_else(|| other_generated.parse().ok()),
            unit,
        };
        instances.push(instance);
    }
    refuse_name_twice(&instances)?;
    Ok(instances)
}

/// What is held of a suite is written into each of its rows.
fn refuse_long(cell: &str) -> Result<(), SuiteProblem> {
    let found = cell.len();
    match found > LONGEST_CELL {
        true => Err(SuiteProblem::LongCell { found }),
        false => Ok(()),
    }
}

fn csv_error(text: &str, error: &csv::Error) -> SuiteError {
    let line = data_line(text, error.position());
    SuiteError::at(
        line,
        match error.kind() {
            csv::ErrorKind::UnequalLengths {
                expected_len, len, ..
            } => SuiteProblem::FieldCount {
                found: *len,
                expected: *expected_len,
            },
            _ => SuiteProblem::NotCsv,
        },
    )
}

fn number<T: FromStr>(column: &str, text: &str) -> Result<Option<T>, SuiteProblem> {
    match text {
        "" => Ok(None),
        _ => text
            .parse()
            .map(Some)
            .map_err(|_| not_a_number(column, text)),
    }
}

/// A row is found again by its instance's name.
fn refuse_name_twice(instances: &[Instance]) -> Result<(), SuiteError> {
    let mut seen = std::collections::HashSet::new();
    match instances
        .iter()
        .find(|instance| !seen.insert(&instance.name))
    {
        None => Ok(()),
        Some(twice) => Err(SuiteError::at(1, SuiteProblem::Twice(twice.name.clone()))),
    }
}

/// Boards without a header: the whole text is one, or each line is.
fn bare_instances(text: &str, size: Option<Size>) -> Result<Vec<Instance>, SuiteError> {
    for (index, line) in text.lines().enumerate() {
        refuse_long(line).map_err(|problem| SuiteError::at(index + 1, problem))?;
    }
    let without_comments: Vec<&str> = text
        .lines()
        .map(|line| if is_comment(line) { "" } else { line })
        .collect();
    if let Ok(board) = parse_board(&without_comments.join("\n"), size) {
        return Ok(vec![Instance::new(1, board)]);
    }
    let lines = without_comments.iter().enumerate();
    let boards = lines.filter(|(_, line)| !line.trim().is_empty());
    boards
        .enumerate()
        .map(|(index, (line, text))| match parse_board(text, size) {
            Ok(board) => Ok(Instance::new(index + 1, board)),
            Err(ParseError { place, problem }) => {
                let place = format!("{}:{}", line + 1, place.column);
                Err(SuiteError::at(place, problem))
            }
        })
        .collect()
}
