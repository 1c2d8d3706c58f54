//! A goal on the command line: its name, or a board.

use std::fmt;
use std::str::FromStr;

use crate::cmd::{UsageError, advice};
use crate::puzzle::{Goal, GoalError, ParseError, ParseProblem, Size};

/// A goal as it was typed. A board in one row may have the size of the boards to solve, so it is
/// read once that is known.
#[derive(Clone, Debug)]
pub struct GoalArg(String);

impl GoalArg {
    /// The goal of boards of a size; one for other boards is refused.
    pub fn of(&self, size: Size) -> Result<Goal, UsageError> {
        let goal = self.read(Some(size))?;
        let checked = goal.check(size);
        checked.map_err(|error| UsageError(format!("--goal: {error}")))?;
        Ok(goal)
    }

    /// The goal of boards whose size may be known.
    pub fn read(&self, size: Option<Size>) -> Result<Goal, UsageError> {
        let goal = Goal::parse(&self.0, size);
        goal.map_err(|error| UsageError(format!("--goal: {}", advice::of_goal(&error))))
    }
}

/// Refuses at once what is a goal of no size.
impl FromStr for GoalArg {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<GoalArg, GoalError> {
        match text.parse::<Goal>() {
            Ok(_)
            | Err(GoalError::Board(ParseError {
                problem: ParseProblem::NoSquare(_),
                ..
            })) => Ok(GoalArg(text.to_owned())),
            Err(error) => Err(error),
        }
    }
}

impl From<Goal> for GoalArg {
    fn from(goal: Goal) -> GoalArg {
        GoalArg(goal.to_string())
    }
}

impl fmt::Display for GoalArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
