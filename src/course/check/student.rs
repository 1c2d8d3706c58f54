//! A student's program, as the teacher names it.

use std::path::Path;
use std::process::Command;

use super::tasks::{Argument, Task};

/// The command of a program, without what the assignment adds to it.
///
/// A word may have `{method}`, `{board}` or `{file}` where the program wants these; without any of
/// them they follow the command as the assignment says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Student {
    words: Vec<String>,
}

impl Student {
    /// Takes the words of a command. Each call runs in a folder of its own, so those that name a file
    /// here become whole paths. The first word names one only with a slash in it, as in a shell.
    pub fn new(command: &[String]) -> Student {
        let whole = |(place, word): (usize, &String)| {
            let is_path = place > 0 || word.contains('/');
            match std::path::absolute(word) {
                Ok(path) if is_path && Path::new(word).exists() => path.display().to_string(),
                _ => word.clone(),
            }
        };
        Student {
            words: command.iter().enumerate().map(whole).collect(),
        }
    }

    /// The first word.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", |word| word)
    }

    /// The call for a task; `file` is where the file of it was written.
    pub(super) fn command(&self, task: &Task, folder: &Path, file: &Path) -> Command {
        let values = task.arguments.iter().map(|argument| match argument {
            Argument::Flag(flag) => ("", flag.to_string()),
            Argument::Method(method) => ("{method}", method.to_string()),
            Argument::Board(board) => ("{board}", board.clone()),
            Argument::File => ("{file}", file.display().to_string()),
        });
        let values: Vec<(&str, String)> = values.collect();
        let named = || values.iter().filter(|(name, _)| !name.is_empty());
        let mut words = self.words.clone();
        for (name, value) in named() {
            for word in &mut words {
                *word = word.replace(name, value);
            }
        }
        if words == self.words {
            words.extend(values.iter().map(|(_, value)| value.clone()));
        }
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .current_dir(folder)
            // What Python printed before it was ended is seen, and nothing is left beside its files.
            .env("PYTHONUNBUFFERED", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}
