//! From boards to tasks: how a program is called, and what it has to write.

use super::boards::{self, BoardLine};
use super::path::{PathRule, Words};
use super::rule::{Rule, StepRule, Wanted};
use super::{Assignment, Interface};
use crate::course::driver::{self, Method, Report, UnfitSize};
use crate::course::lines::{self, Codes, LineError, LineProblem};
use crate::course::successors::successors;
use crate::course::trace::trace;
use crate::course::{Listed, puz, reason};
use crate::puzzle::{Board, GoalError, ParseError, Problem, TextPosition, Tile, Unsolvable};
use crate::search::{Control, Outcome, Solution, Stop};

/// One call of a program, and the lines that it has to write.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is about: `bfs 1,2,5,3,4,0,6,7,8`.
    pub name: String,
    /// What the program is called with, unless its command has placeholders for these.
    pub(super) arguments: Vec<Argument>,
    /// The file that the program reads, if it reads one: its name and what it has.
    pub(super) file: Option<(&'static str, Vec<u8>)>,
    /// The file that the program writes; without one it prints.
    pub(super) output: Option<&'static str>,
    /// How many boards there are, which share the limit of the call.
    pub(super) boards: u32,
    pub(super) wanted: Vec<Wanted>,
    /// What tells the lines of this interface apart.
    pub(super) key: fn(&str) -> &str,
}

/// A part of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    Flag(&'static str),
    /// `{method}`.
    Method(Method),
    /// `{board}`.
    Board(String),
    /// `{file}`: the name that the file has.
    File,
}

/// Why there is no task, and where in the boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem}")]
pub struct TaskError {
    /// Where.
    pub place: TextPosition,
    /// What is wrong there.
    pub problem: TaskProblem,
}

/// What is wrong with a board that a program is to be checked on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TaskProblem {
    /// No board at all.
    #[error("there is no board; expected one on each line, such as '1,2,5,3,4,0,6,7,8'")]
    Empty,
    /// No board.
    #[error(transparent)]
    Board(#[from] ParseError),
    /// No line of the interface `lines`.
    #[error(transparent)]
    Line(#[from] LineProblem),
    /// The goal is a board of another size.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// Not for the driver.
    #[error(transparent)]
    Unfit(#[from] UnfitSize),
    /// The assignment does not say what is to be printed.
    #[error("{0}; for that the assignment has no form")]
    Unsolvable(#[from] Unsolvable),
    /// Too hard to know the right answer.
    #[error("no answer to compare with: the search of it stopped {}", reason(*.0))]
    Stopped(Stop),
}

impl From<LineError> for TaskError {
    fn from(error: LineError) -> TaskError {
        TaskError {
            place: error.place,
            problem: error.problem.into(),
        }
    }
}

impl Assignment {
    /// The calls for the boards of a text, with the right answers: each search of the assignment
    /// runs once, under `control`.
    pub fn tasks(&self, text: &[u8], control: &Control<'_>) -> Result<Vec<Task>, TaskError> {
        let each = |task: &dyn Fn(&Board) -> Result<Task, TaskProblem>| {
            let boards = boards::parse(text, |_| false)?;
            let task = |line: &BoardLine<'_>| {
                let checked = self.goal.check(line.board.size());
                let made = checked.map_err(TaskProblem::from);
                let made = made.and_then(|()| task(&line.board));
                made.map_err(|problem| line.error(problem))
            };
            boards.iter().map(task).collect()
        };
        match self.interface {
            Interface::Driver => self.driver_tasks(text, control),
            Interface::Lines => Ok(vec![self.lines_task(text, control)?]),
            Interface::Puz => each(&|board| self.puz_task(board, control)),
            Interface::Succ => each(&|board| Ok(self.succ_task(board))),
            Interface::Trace => each(&|board| self.trace_task(board, control)),
        }
    }

    /// A line without a method is a task for each.
    fn driver_tasks(&self, text: &[u8], control: &Control<'_>) -> Result<Vec<Task>, TaskError> {
        let is_method = |word: &str| word.parse::<Method>().is_ok();
        let mut tasks = Vec::new();
        for line in boards::parse(text, is_method)? {
            let is_asked = |method: &Method| line.word.is_none_or(|word| word == method.name());
            for method in Method::ALL.into_iter().filter(is_asked) {
                let task = self.driver_task(&line.board, method, control);
                tasks.push(task.map_err(|problem| line.error(problem))?);
            }
        }
        Ok(tasks)
    }

    fn driver_task(
        &self,
        board: &Board,
        method: Method,
        control: &Control<'_>,
    ) -> Result<Task, TaskProblem> {
        let problem = driver::problem(board, self.goal)??;
        let outcome = driver::search(&problem, method, control);
        let solution = solution(&outcome)?;
        let report = Report {
            solution,
            stats: &outcome.stats,
            peak_rss: 0,
        };
        let path = PathRule {
            head: "path_to_goal: ",
            words: Words::Names,
            board: *board,
            goal: self.goal,
            length: solution.moves.len(),
        };
        // The first line is the path, the last two are the machine's.
        let report = report.to_string();
        let wanted = report.lines().enumerate().map(|(line, text)| match line {
            0 => Wanted::new(text, Rule::Path(path)),
            1..=4 => Wanted::new(text, Rule::Exact),
            _ => Wanted::with_number(text, Rule::Measured),
        });
        let board = python_list(board);
        let board = board.trim_matches(['[', ']']).to_owned();
        Ok(Task {
            name: format!("{method} {board}"),
            arguments: vec![Argument::Method(method), Argument::Board(board)],
            file: None,
            output: Some("output.txt"),
            boards: 1,
            wanted: wanted.collect(),
            key: |line| line.split(':').next().unwrap_or(line).trim(),
        })
    }

    /// The file is one call: lines are numbered through it.
    fn lines_task(&self, text: &[u8], control: &Control<'_>) -> Result<Task, TaskError> {
        let lines = lines::parse(text, &Codes::default())?;
        let mut wanted = Vec::new();
        for line in &lines {
            let at_line = |problem| TaskError {
                place: TextPosition {
                    line: line.number + 1,
                    column: 1,
                },
                problem,
            };
            let checked = self.goal.check(line.board.size());
            checked.map_err(|error| at_line(error.into()))?;
            for answer in line.answers(self.goal, control) {
                let solved = answer.outcome.as_ref().map(solution).transpose();
                solved.map_err(at_line)?;
                wanted.push(Wanted::with_number(&answer.to_string(), Rule::Timed));
            }
        }
        Ok(Task {
            name: format!("a file of {} boards", lines.len()),
            arguments: vec![Argument::File],
            file: Some(("boards.txt", text.to_owned())),
            output: None,
            boards: lines.len() as u32,
            wanted,
            key: |line| {
                let end = line.find(" - ").or_else(|| line.find(", no "));
                line[..end.unwrap_or(line.len())].trim()
            },
        })
    }

    fn puz_task(&self, board: &Board, control: &Control<'_>) -> Result<Task, TaskProblem> {
        let wanted = match Problem::new(board, self.goal) {
            Err(_) => Wanted::new(&puz::list(None), Rule::Exact),
            Ok(problem) => {
                let outcome = puz::search(&problem, control);
                let moves = &solution(&outcome)?.moves;
                let path = PathRule {
                    head: "",
                    words: Words::TileLetters,
                    board: *board,
                    goal: self.goal,
                    length: moves.len(),
                };
                Wanted::new(&puz::list(Some(moves)), Rule::Path(path))
            }
        };
        let rows = puz_rows(board);
        Ok(Task {
            name: rows.join(" / "),
            arguments: vec![Argument::Flag("-n"), Argument::File],
            file: Some(("board.puz", (rows.join("\n") + "\n").into_bytes())),
            output: None,
            boards: 1,
            wanted: vec![wanted],
            // Whatever else is printed is no list.
            key: |line| match line.trim_start().starts_with('[') || line.trim() == "None" {
                true => "list",
                false => line,
            },
        })
    }

    fn succ_task(&self, board: &Board) -> Task {
        let states = successors(board, self.goal);
        let wanted = states
            .iter()
            .map(|state| Wanted::new(&state.to_string(), Rule::Exact));
        Task {
            key: |line| line.split(']').next().unwrap_or(line).trim(),
            ..state_task(board, wanted.collect())
        }
    }

    fn trace_task(&self, board: &Board, control: &Control<'_>) -> Result<Task, TaskProblem> {
        let problem = Problem::new(board, self.goal)?;
        let trace = trace(&problem, self.popped, control).map_err(TaskProblem::Stopped)?;
        let text = trace.to_string();
        let moves = trace.path.len() - 1;
        let wanted = text.lines().enumerate().map(|(number, line)| {
            let step = StepRule {
                number,
                start: *board,
                goal: self.goal,
                is_last: number == moves,
            };
            match number > moves {
                true => Wanted::new(line, Rule::Exact),
                false => Wanted::new(line, Rule::Step(step)),
            }
        });
        Ok(Task {
            key: |line| match line.rsplit_once("moves:") {
                Some((_, number)) => number.trim(),
                None => line.split(':').next().unwrap_or(line).trim(),
            },
            ..state_task(board, wanted.collect())
        })
    }
}

/// A program that gets a state as a list, and prints.
fn state_task(board: &Board, wanted: Vec<Wanted>) -> Task {
    let board = python_list(board);
    Task {
        name: board.clone(),
        arguments: vec![Argument::Board(board)],
        file: None,
        output: None,
        boards: 1,
        wanted,
        key: |line| line,
    }
}

/// The rows of a `.puz` file, the gap as a point.
fn puz_rows(board: &Board) -> Vec<String> {
    let cell = |&tile: &Tile| match tile {
        0 => ".".to_owned(),
        tile => tile.to_string(),
    };
    let row = |row: &[Tile]| row.iter().map(cell).collect::<Vec<_>>().join(" ");
    board.rows().map(row).collect()
}

/// `[1,2,0]`, in one word.
fn python_list(board: &Board) -> String {
    Listed(*board).to_string().replace(' ', "")
}

fn solution(outcome: &Outcome) -> Result<&Solution, TaskProblem> {
    let result = outcome.result.as_ref();
    result.map_err(|&stop| TaskProblem::Stopped(stop))
}
