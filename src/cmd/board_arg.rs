//! A board on the command line: its text, a file that holds it, or `-` for stdin.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use slidebench::puzzle::{Board, Size, parse_bytes};

use super::UsageError;

/// Reads the board that `words` name or are; mistakes are told with their place.
pub fn read_board(words: &[String], size: Option<Size>) -> anyhow::Result<Board> {
    match words {
        [word] if word == "-" => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .context("cannot read the board from stdin")?;
            parse_named("stdin", &bytes, size)
        }
        [word] if Path::new(word).is_file() => read_board_file(Path::new(word), size),
        _ => parse_named("board", words.join(" ").as_bytes(), size),
    }
}

/// Reads a file that holds one board.
pub fn read_board_file(path: &Path, size: Option<Size>) -> anyhow::Result<Board> {
    parse_named(&path.display().to_string(), &read_file(path)?, size)
}

/// Reads an input file; one that cannot be read is the user's to mend.
pub fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path)
        .map_err(|error| UsageError(format!("cannot read {}: {error}", path.display())).into())
}

fn parse_named(name: &str, bytes: &[u8], size: Option<Size>) -> anyhow::Result<Board> {
    parse_bytes(bytes, size)
        .map_err(|error| UsageError(format!("{name}:{}: {error}", error.place)).into())
}
