//! What makes a line right: every byte, a path that replays, or any number of the machine.

use super::path::PathRule;
use crate::course::Listed;
use crate::course::successors::Estimated;
use crate::puzzle::{Board, Goal, Move, parse_board};

/// What is said about a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is as it should be.
    Right,
    /// Its form is right, and all it says is the machine's: a time, or memory.
    Shown,
    /// It is not.
    Wrong(Mistake),
}

/// What is wrong with a line. Columns are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Mistake {
    /// No line where there should be one.
    #[error("this line is missing")]
    Missing,
    /// A line where there should be none.
    #[error("the assignment has no such line")]
    Surplus,
    /// The same words and numbers, written in another way.
    #[error("right but for its form, from column {column} on")]
    Form {
        /// The first character that differs.
        column: usize,
    },
    /// White space that nobody sees.
    #[error("right but for the white space at its end, in column {column}")]
    SpaceAtEnd {
        /// Where it begins.
        column: usize,
    },
    /// The last line of the output, and no newline.
    #[error("right but for the newline that is missing at its end")]
    NoNewline,
    /// Another word or number.
    #[error("wrong from column {column} on")]
    Value {
        /// The first character that differs.
        column: usize,
    },
    /// A measured number should be there.
    #[error("there is no number in it")]
    NoNumber,
    /// A word in a path.
    #[error("'{0}' is no move")]
    NoMove(String),
    /// A move that the board does not have.
    #[error("move {number}, '{word}', leads off the board")]
    OffBoard {
        /// Which one, from 1.
        number: usize,
        /// As it is printed.
        word: String,
        /// Where it begins.
        column: usize,
    },
    /// A path to another state.
    #[error("the path does not end at the goal")]
    NotAtGoal,
    /// A path in the other convention.
    #[error("these are the moves of the {}", if *.of_gap { "gap; the tiles go the other way" } else { "tiles; the gap goes the other way" })]
    OtherNotation {
        /// Whether moves of the gap are printed.
        of_gap: bool,
    },
    /// A path of another length.
    #[error(
        "the path leads to the goal in {found} moves; the search of the assignment takes {right}"
    )]
    Length {
        /// What is printed.
        found: usize,
        /// What is right.
        right: usize,
    },
    /// No list of all tiles.
    #[error("there is no state in it: {0}")]
    NoState(String),
    /// A state that the one before does not lead to.
    #[error("this state is not one move from the one before")]
    NotNext,
}

impl Mistake {
    /// Where the line differs from the right one, if one place says it.
    pub fn column(&self) -> Option<usize> {
        match *self {
            Mistake::OffBoard { column, .. }
            | Mistake::Form { column }
            | Mistake::SpaceAtEnd { column }
            | Mistake::Value { column } => Some(column),
            _ => None,
        }
    }
}

/// A line that the assignment asks for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub text: String,
    rule: Rule,
}

/// What is judged in a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// Every byte.
    Exact,
    /// Every byte but the last number, a time, which stands as [`NUMBER`] in the wanted text.
    Timed,
    /// The same, and there is nothing else to be judged.
    Measured,
    /// The moves, by replay and length, and their form.
    Path(PathRule),
    /// A state of a path, by the one before it, with its estimate and its number.
    Step(StepRule),
}

/// A state of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepRule {
    /// From 0.
    pub number: usize,
    pub start: Board,
    pub goal: Goal,
    pub is_last: bool,
}

/// A line that was judged: the right one, which follows the student's path, and the verdict.
pub(super) struct Judged {
    pub right: String,
    pub verdict: Verdict,
}

impl Wanted {
    pub fn new(text: &str, rule: Rule) -> Wanted {
        Wanted {
            text: text.to_owned(),
            rule,
        }
    }

    /// A line whose last number is the machine's; the rule says what else it has.
    pub fn with_number(text: &str, rule: Rule) -> Wanted {
        let text = without_number(text).map_or_else(|| text.to_owned(), |(text, _)| text);
        Wanted { text, rule }
    }

    /// Judges what was printed; `before` is the state of the line before, and becomes that of this
    /// one.
    pub fn judge(&self, printed: &str, before: &mut Option<Board>) -> Judged {
        let judged = match &self.rule {
            Rule::Exact => Ok(self.text.clone()),
            Rule::Timed => return self.judge_with_number(printed, Verdict::Right),
            Rule::Measured => return self.judge_with_number(printed, Verdict::Shown),
            Rule::Path(path) => path.right_text(printed),
            Rule::Step(step) => step.right_text(printed, before),
        };
        match judged {
            Ok(right) => Judged {
                verdict: compare(printed, &right),
                right,
            },
            Err(mistake) => Judged {
                right: self.text.clone(),
                verdict: Verdict::Wrong(mistake),
            },
        }
    }

    fn judge_with_number(&self, printed: &str, if_right: Verdict) -> Judged {
        let before = self.text.split(NUMBER).next().unwrap_or("").trim_end();
        let verdict = match without_number(printed) {
            None if printed.starts_with(before) => Verdict::Wrong(Mistake::NoNumber),
            None => compare(printed, &self.text),
            Some((text, hidden)) => match compare(&text, &self.text) {
                Verdict::Wrong(mistake) => Verdict::Wrong(hidden.moved(mistake)),
                _ => if_right,
            },
        };
        Judged {
            right: self.text.clone(),
            verdict,
        }
    }
}

impl StepRule {
    /// The line as it should be for the state that it has.
    fn right_text(&self, printed: &str, before: &mut Option<Board>) -> Result<String, Mistake> {
        let list = printed.split(']').next().unwrap_or(printed);
        let list = list.trim_start_matches(|letter| letter != '[');
        let parsed = parse_board(list, Some(self.start.size()));
        let previous = std::mem::replace(before, parsed.as_ref().ok().copied());
        let state = parsed.map_err(|error| Mistake::NoState(error.to_string()))?;
        let is_next = |previous: Board| {
            let mut moves = Move::ALL.into_iter();
            moves.any(|mv| previous.after(mv) == Some(state))
        };
        // The first state is the start, or everything behind it is another path.
        let state = match (self.number, previous) {
            (0, _) => self.start,
            (_, Some(previous)) if !is_next(previous) => return Err(Mistake::NotNext),
            _ => state,
        };
        if self.is_last && state != Board::solved(state.size(), self.goal) {
            return Err(Mistake::NotAtGoal);
        }
        let state = Estimated::new(Listed(state), self.goal);
        Ok(format!("{state} moves: {}", self.number))
    }
}

/// Compares a line with the right one.
pub(super) fn compare(printed: &str, right: &str) -> Verdict {
    if printed == right {
        return Verdict::Right;
    }
    let column = first_difference(printed, right);
    Verdict::Wrong(match content(printed) == content(right) {
        _ if printed.trim_end() == right => Mistake::SpaceAtEnd { column },
        true => Mistake::Form { column },
        false => Mistake::Value { column },
    })
}

/// The column of the first character that differs.
fn first_difference(printed: &str, right: &str) -> usize {
    let mut pairs = printed.chars().zip(right.chars());
    let shorter = printed.chars().count().min(right.chars().count());
    pairs.position(|(a, b)| a != b).unwrap_or(shorter) + 1
}

/// The letters and numbers of a line, whatever stands between them.
fn content(text: &str) -> String {
    let mut content = String::new();
    let mut is_apart = false;
    for letter in text.chars() {
        if !letter.is_alphanumeric() {
            is_apart = true;
            continue;
        }
        let ends_with_digit = content.ends_with(|it: char| it.is_ascii_digit());
        if is_apart && ends_with_digit && letter.is_ascii_digit() {
            content.push(' ');
        }
        content.extend(letter.to_lowercase());
        is_apart = false;
    }
    content
}

/// What stands for a measured number in the right line.
const NUMBER: &str = "NUMBER";

/// A number that was taken out of a line.
struct Hidden {
    /// The characters before it.
    before: usize,
    /// Its own.
    length: usize,
}

impl Hidden {
    /// A mistake with its column in the line that still has the number.
    fn moved(&self, mistake: Mistake) -> Mistake {
        let moved = |column: usize| match column > self.before + NUMBER.len() {
            true => column - NUMBER.len() + self.length,
            false => column,
        };
        match mistake {
            Mistake::Form { column } => Mistake::Form {
                column: moved(column),
            },
            Mistake::SpaceAtEnd { column } => Mistake::SpaceAtEnd {
                column: moved(column),
            },
            Mistake::Value { column } => Mistake::Value {
                column: moved(column),
            },
            other => other,
        }
    }
}

/// A line with its last number replaced.
fn without_number(text: &str) -> Option<(String, Hidden)> {
    let end = text.rfind(|it: char| it.is_ascii_digit())? + 1;
    let is_part = |it: char| it.is_ascii_digit() || matches!(it, '.' | 'e' | 'E' | '+' | '-');
    let before = text[..end].trim_end_matches(is_part);
    let number = text[before.len()..end].trim_start_matches(|it: char| !it.is_ascii_digit());
    number.parse::<f64>().ok()?;
    let before = &text[..end - number.len()];
    let hidden = Hidden {
        before: before.chars().count(),
        length: number.len(),
    };
    Some((format!("{before}{NUMBER}{}", &text[end..]), hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(printed: &str, wanted: &Wanted) -> Verdict {
        wanted.judge(printed, &mut None).verdict
    }

    #[test]
    fn form_and_value_are_told_apart() {
        let wanted = Wanted::new("nodes_expanded: 10", Rule::Exact);
        assert_eq!(verdict("nodes_expanded: 10", &wanted), Verdict::Right);
        for (printed, mistake) in [
            ("nodes_expanded: 11", Mistake::Value { column: 18 }),
            ("nodes_expanded: 1", Mistake::Value { column: 18 }),
            ("nodes_expanded: 1 0", Mistake::Value { column: 18 }),
            ("nodes_expanded:10", Mistake::Form { column: 16 }),
            ("Nodes Expanded: 10", Mistake::Form { column: 1 }),
            ("nodes_expanded: 10 \r", Mistake::SpaceAtEnd { column: 19 }),
            ("", Mistake::Value { column: 1 }),
        ] {
            assert_eq!(
                verdict(printed, &wanted),
                Verdict::Wrong(mistake),
                "{printed:?}"
            );
        }
    }

    #[test]
    fn what_is_only_measured_is_shown() {
        let wanted = Wanted::with_number("running_time: 0.00188088", Rule::Measured);
        assert_eq!(verdict("running_time: 3", &wanted), Verdict::Shown);
        for (printed, mistake) in [
            ("running_time: soon", Mistake::NoNumber),
            ("running_time:", Mistake::NoNumber),
            ("running_time:0.5", Mistake::Form { column: 14 }),
            ("run_time: 0.5", Mistake::Value { column: 4 }),
        ] {
            assert_eq!(
                verdict(printed, &wanted),
                Verdict::Wrong(mistake),
                "{printed}"
            );
        }
    }

    #[test]
    fn times_may_be_any() {
        let wanted = Wanted::with_number(
            "Line 0: A.CB, BFS - 1 moves in 2.35e-05 seconds",
            Rule::Timed,
        );
        assert_eq!(wanted.text, "Line 0: A.CB, BFS - 1 moves in NUMBER seconds");
        for time in ["0", "12", "0.001", "1e-05", "3.5E+2", "0.00000001"] {
            let printed = format!("Line 0: A.CB, BFS - 1 moves in {time} seconds");
            assert_eq!(verdict(&printed, &wanted), Verdict::Right, "{printed}");
        }
        for (printed, mistake) in [
            (
                "Line 0: A.CB, BFS - 2 moves in 0.25 seconds",
                Mistake::Value { column: 21 },
            ),
            (
                "Line 0: A.CB, BFS - 1 moves in 0.25 s",
                Mistake::Value { column: 38 },
            ),
            (
                "Line 0: A.CB, BFS - 1 moves in 0.25 seconds.",
                Mistake::Form { column: 44 },
            ),
            ("rubbish", Mistake::Value { column: 1 }),
        ] {
            assert_eq!(
                verdict(printed, &wanted),
                Verdict::Wrong(mistake),
                "{printed}"
            );
        }
    }
}
