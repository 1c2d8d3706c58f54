//! A board on the command line: its text, a file that holds it, or `-` for stdin.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::cmd::args::goal::GoalArg;
use crate::cmd::{UsageError, advice};
use crate::puzzle::{Board, Goal, Size, excerpt, parse_board, parse_bytes};

/// A board on the command line.
#[derive(clap::Args)]
pub struct BoardArgs {
    /// The board: numbers, letters, a file that holds it, or - for stdin.
    #[arg(value_name = "BOARD")]
    board: Vec<String>,

    /// What the board is to become: first (gap top left), last (gap bottom right), spiral, snake,
    /// columns, or any board of its size.
    #[arg(long, default_value = "last")]
    pub goal: GoalArg,

    /// ROWSxCOLS, where the board does not show it.
    #[arg(long)]
    pub size: Option<Size>,
}

impl BoardArgs {
    /// The board, and what it is to become.
    pub fn read(&self) -> anyhow::Result<(Board, Goal)> {
        if self.board.is_empty() {
            let message = "the board is missing; expected numbers, letters, a file that holds it, or \
                           - for stdin (see --help)";
            return Err(UsageError(message.to_owned()).into());
        }
        let board = read_board(&self.board, self.size)?;
        Ok((board, self.goal.of(board.size())?))
    }
}

/// The most that is read for one board. The longest notation of 25 cells has under 100
/// characters; the rest is room for blanks.
pub const MOST_BYTES: u64 = 64 << 10;

/// Reads the board that `words` are or name; mistakes are told with their place.
///
/// A word that is a board is never looked up, so that no file can take its place.
pub fn read_board(words: &[String], size: Option<Size>) -> anyhow::Result<Board> {
    match words {
        [word] if word == "-" => read_board_file(Path::new(word), size),
        [word] => read_word(word, size),
        _ => {
            let board = parse_named("board", words.join(" ").as_bytes(), size);
            board.map_err(|error| file_among(words).unwrap_or(error))
        }
    }
}

/// Of words that are no board: that one of them names a file, and should stand alone.
fn file_among(words: &[String]) -> Option<anyhow::Error> {
    let word = words.iter().find(|word| looks_like_file(word))?;
    let shown = excerpt(word);
    Some(
        UsageError(match Path::new(word).exists() {
            true => format!("'{shown}' is a file among other words; expected one board"),
            false => format!("there is no file '{shown}'; expected one board"),
        })
        .into(),
    )
}

fn read_word(word: &str, size: Option<Size>) -> anyhow::Result<Board> {
    let error = match parse_board(word, size) {
        Ok(board) => return Ok(board),
        Err(error) => error,
    };
    match fs::metadata(word) {
        Ok(_) => read_board_file(Path::new(word), size),
        Err(hidden) if hidden.kind() == ErrorKind::PermissionDenied => {
            Err(cannot_read(word, &hidden))
        }
        Err(_) if looks_like_file(word) => {
            let word = excerpt(word);
            Err(UsageError(format!(
                "there is no file '{word}', and it is no board either"
            ))
            .into())
        }
        Err(_) => {
            let message = format!("board:{}: {}", error.place, advice::of_board(&error));
            Err(UsageError(format!("{message}; nor is there a file of that name")).into())
        }
    }
}

/// Whether a word is a name with a folder or an ending, such as `boards/1.txt`.
fn looks_like_file(word: &str) -> bool {
    let path = Path::new(word);
    let is_ending = |ending: &OsStr| {
        let ending = ending.to_string_lossy();
        (1..=4).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_lowercase())
    };
    let has_letters = |part: &str| part.chars().any(|c| c.is_ascii_alphabetic());
    let has_folder = word.contains('/')
        && word
            .split('/')
            .all(|part| part.is_empty() || has_letters(part));
    !word.contains(char::is_whitespace) && (has_folder || path.extension().is_some_and(is_ending))
}

/// Reads a file that holds one board, or stdin for `-`.
pub fn read_board_file(path: &Path, size: Option<Size>) -> anyhow::Result<Board> {
    let bytes = read(path, MOST_BYTES, "no board is that long")?;
    parse_named(&input_name(path), &bytes, size)
}

/// What a suite or a file of rows may have: half a million rows. It is held in memory whole, and
/// what it says once more.
const MOST_FILE_BYTES: u64 = 256 << 20;

/// Reads a suite, a file of rows or the like, or stdin for `-`.
pub fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    read(path, MOST_FILE_BYTES, "split it into several")
}

/// What an input is called in messages.
pub fn input_name(path: &Path) -> String {
    match path == Path::new("-") {
        true => "stdin".to_owned(),
        false => path.display().to_string(),
    }
}

/// Reads an input; one that cannot be read is the user's to mend.
pub fn read(path: &Path, most: u64, advice: &str) -> anyhow::Result<Vec<u8>> {
    let name = input_name(path);
    let cannot_read = |error| cannot_read(&name, &error);
    let reader: Box<dyn Read> = match path {
        _ if path == Path::new("-") => Box::new(io::stdin()),
        _ if path.is_dir() => {
            let message = format!("{name} is a directory; expected a file");
            return Err(UsageError(message).into());
        }
        _ => Box::new(File::open(path).map_err(cannot_read)?),
    };
    let too_long = || {
        let most = bytesize::ByteSize(most);
        anyhow::Error::from(UsageError(format!("{name} has more than {most}; {advice}")))
    };
    // A file tells before it is read.
    if fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > most) {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    let mut reader = reader.take(most + 1);
    reader.read_to_end(&mut bytes).map_err(cannot_read)?;
    match bytes.len() as u64 > most {
        true => Err(too_long()),
        false => Ok(bytes),
    }
}

fn cannot_read(name: &str, error: &io::Error) -> anyhow::Error {
    UsageError(format!("cannot read {name}: {error}")).into()
}

fn parse_named(name: &str, bytes: &[u8], size: Option<Size>) -> anyhow::Result<Board> {
    parse_bytes(bytes, size).map_err(|error| {
        let message = advice::of_board(&error);
        UsageError(format!("{name}:{}: {message}", error.place)).into()
    })
}
