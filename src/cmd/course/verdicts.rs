//! What is said about the lines of a student's program: for people, and as rows for a class.

use std::fmt::{self, Write};

use crate::cmd::terminal::message::escape_sequences_shown;
use crate::course::check::{Checked, CheckedLine, Interface, Mistake, Task, Verdict};
use crate::harness::humanize::{count, counted, duration};
use crate::harness::text_cell;

/// How much of a line is shown: a path of depth-first search has thousands of moves.
const WIDTH: usize = 100;
/// The characters that are shown before the one that differs.
const BEFORE: usize = 50;
/// How many lines of stderr are shown.
const COMPLAINTS: usize = 3;

/// Runs and lines, and how many of them are wrong.
#[derive(Default)]
pub struct Count {
    runs: usize,
    wrong_runs: usize,
    lines: usize,
    wrong_lines: usize,
}

impl Count {
    pub fn add(&mut self, checked: &Checked) {
        let is_wrong = |line: &&CheckedLine| matches!(line.verdict, Verdict::Wrong(_));
        self.runs += 1;
        self.wrong_runs += usize::from(!checked.is_right());
        self.lines += checked.lines.len() + checked.more;
        self.wrong_lines += checked.lines.iter().filter(is_wrong).count() + checked.more;
    }

    pub fn is_right(&self) -> bool {
        self.wrong_runs == 0
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (runs, lines) = (counted(self.runs, "run"), counted(self.lines, "line"));
        match self.is_right() {
            true => write!(f, "all right: {runs}, {lines}"),
            false => write!(
                f,
                "WRONG: {} of {runs}, {} of {lines}",
                count(self.wrong_runs as u64),
                count(self.wrong_lines as u64)
            ),
        }
    }
}

/// One run: each line, and below a wrong one what it should be and where they differ.
pub fn text(task: &Task, checked: &Checked) -> String {
    let mut text = format!("{} ({})\n", task.name, duration(checked.time));
    let mut line = |label: &str, value: &str| {
        let _ = writeln!(text, "  {label:<11}{value}");
    };
    if let Some(trouble) = &checked.trouble {
        line("WRONG", &trouble.to_string());
        let complaints: Vec<&str> = checked.stderr.lines().collect();
        for complaint in &complaints[complaints.len().saturating_sub(COMPLAINTS)..] {
            line("stderr", &Excerpt::new(complaint, None).text);
        }
    }
    let is_missing = |line: &CheckedLine| line.verdict == Verdict::Wrong(Mistake::Missing);
    if checked.lines.len() > 1 && checked.lines.iter().all(is_missing) {
        line(
            "MISSING",
            &format!("all {}", counted(checked.lines.len(), "line")),
        );
        return text;
    }
    for checked in &checked.lines {
        for (label, value) in lines_of(checked) {
            line(label, &value);
        }
    }
    if checked.more > 0 {
        let more = counted(checked.more, "more line");
        line(
            "WRONG",
            &format!("{more} that the assignment does not have"),
        );
    }
    text
}

/// What is said about one line.
fn lines_of(line: &CheckedLine) -> Vec<(&'static str, String)> {
    let printed = |column| Excerpt::new(line.printed.as_deref().unwrap_or(""), column);
    let right = |column| Excerpt::new(line.right.as_deref().unwrap_or(""), column);
    match &line.verdict {
        Verdict::Right => vec![("right", printed(None).text)],
        Verdict::Shown => vec![("shown", printed(None).text)],
        Verdict::Wrong(Mistake::Missing) => vec![("MISSING", right(None).text)],
        Verdict::Wrong(mistake) => {
            let column = mistake.column();
            let wrong = printed(column);
            let mut lines = vec![("WRONG", wrong.text)];
            if line.right.is_some() {
                lines.push(("should be", right(column).text));
            }
            let place = column.map_or(String::new(), |_| " ".repeat(wrong.before) + "^ ");
            lines.push(("", format!("{place}{mistake}")));
            lines
        }
    }
}

/// What is shown of a line.
struct Excerpt {
    text: String,
    /// The characters before the column that it is about.
    before: usize,
}

impl Excerpt {
    /// The whole line, or what is around a column. Control characters are made visible.
    fn new(line: &str, column: Option<usize>) -> Excerpt {
        let letters: Vec<char> = line.chars().collect();
        let place = column.map_or(0, |column| column - 1).min(letters.len());
        let (start, end) = match letters.len() > WIDTH {
            false => (0, letters.len()),
            true => {
                let start = place.saturating_sub(BEFORE);
                (start, letters.len().min(start + WIDTH))
            }
        };
        let shown = |letters: &[char]| escape_sequences_shown(&letters.iter().collect::<String>());
        let left = if start > 0 { "…" } else { "" };
        let right = if end < letters.len() { "…" } else { "" };
        let before = format!("{left}{}", shown(&letters[start..place.max(start)]));
        Excerpt {
            before: before.chars().count(),
            text: format!("{left}{}{right}", shown(&letters[start..end])),
        }
    }
}

/// A CSV with a row for each line, and one for a run that did not end well.
pub struct CsvRows<'a> {
    program: &'a str,
    interface: Interface,
}

impl<'a> CsvRows<'a> {
    pub fn new(program: &'a str, interface: Interface) -> CsvRows<'a> {
        CsvRows { program, interface }
    }

    /// The names of the columns.
    pub fn header() -> String {
        let columns = "program,interface,task,line,verdict,mistake,column,printed,right,time_ns";
        format!("{columns}\n")
    }

    pub fn of(&self, task: &Task, checked: &Checked) -> String {
        let mut rows = csv::Writer::from_writer(Vec::new());
        let time = checked.time.as_nanos().to_string();
        let mut write = |line: &str, said: [&str; 5]| {
            let interface = self.interface.name();
            let known = [self.program, interface, &task.name, line];
            let record = known.into_iter().chain(said).chain([time.as_str()]);
            // A teacher opens it in a spreadsheet, and a student wrote some of it.
            let written = rows.write_record(record.map(text_cell));
            written.expect("memory takes every byte");
        };
        if let Some(trouble) = &checked.trouble {
            write("", ["wrong", &trouble.to_string(), "", "", ""]);
        }
        for (number, line) in (1..).zip(&checked.lines) {
            let number: usize = number;
            let (verdict, mistake) = match &line.verdict {
                Verdict::Right => ("right", None),
                Verdict::Shown => ("shown", None),
                Verdict::Wrong(mistake) => ("wrong", Some(mistake)),
            };
            let column = mistake.and_then(Mistake::column);
            let excerpt = |text: &Option<String>| {
                let text = text.as_deref();
                text.map_or(String::new(), |text| Excerpt::new(text, column).text)
            };
            write(
                &number.to_string(),
                [
                    verdict,
                    &mistake.map_or(String::new(), ToString::to_string),
                    &column.map_or(String::new(), |column| column.to_string()),
                    &excerpt(&line.printed),
                    &excerpt(&line.right),
                ],
            );
        }
        if checked.more > 0 {
            let more = counted(checked.more, "more line");
            write(
                "",
                [
                    "wrong",
                    &format!("{more} that the assignment does not have"),
                    "",
                    "",
                    "",
                ],
            );
        }
        let bytes = rows.into_inner().expect("memory takes every byte");
        String::from_utf8(bytes).expect("lines are text")
    }
}
