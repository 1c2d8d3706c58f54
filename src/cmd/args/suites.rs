//! A suite on the command line: a built-in name, a file, or `-` for stdin.

use std::path::{Path, PathBuf};

use crate::cmd::args::board::{input_name, read_file};
use crate::cmd::{UsageError, advice};
use crate::harness::suite::{Asked, BUILT_IN, Suite, built_in, nearest_names, parse_suite};
use crate::puzzle::excerpt;

/// Reads the suites that `words` name.
pub fn read_suites(words: &[PathBuf], asked: Asked) -> anyhow::Result<Vec<Suite>> {
    let mut suites: Vec<Suite> = Vec::new();
    for word in words {
        let (_, suite) = read_suite(word, asked)?;
        if suites.iter().any(|other| other.name == suite.name) {
            let message = format!(
                "two suites are named '{}'; their rows could not be told apart",
                suite.name
            );
            return Err(UsageError(message).into());
        }
        suites.push(suite);
    }
    Ok(suites)
}

/// Reads a suite, with its text.
pub fn read_suite(path: &Path, asked: Asked) -> anyhow::Result<(String, Suite)> {
    let word = &path.to_string_lossy();
    if let Some(suite) = built_in(word) {
        let text = suite.text.to_owned();
        return Ok((text, parse(word, word, suite.text.as_bytes(), asked)?));
    }
    let is_missing = word != "-" && matches!(path.try_exists(), Ok(false));
    if is_missing {
        return Err(UsageError(unknown(word)).into());
    }
    let name = input_name(path);
    let stem = path
        .file_stem()
        .map_or(name.clone(), |stem| stem.to_string_lossy().into_owned());
    let stem = if word == "-" { name.clone() } else { stem };
    let bytes = read_file(path)?;
    let suite = parse(&stem, &name, &bytes, asked)?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), suite))
}

fn parse(name: &str, file: &str, bytes: &[u8], asked: Asked) -> anyhow::Result<Suite> {
    let suite = parse_suite(name, bytes, asked);
    suite.map_err(|error| UsageError(format!("{file}:{}", advice::of_suite(&error))).into())
}

/// What to say about a name that is no suite.
fn unknown(word: &str) -> String {
    let near = nearest_names(word);
    let tip = match near.is_empty() {
        true => format!("there are {}", BUILT_IN.map(|suite| suite.name).join(", ")),
        false => format!("did you mean {}?", near.join(" or ")),
    };
    format!(
        "'{}' is neither a built-in suite nor a file; {tip}",
        excerpt(word)
    )
}
