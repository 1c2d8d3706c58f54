//! `solve --stdin`: a board a line in, an answer a line out, until there are no more.

use std::collections::HashMap;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::time::SystemTime;

use anyhow::Context;

use super::{Args, Format, lone_run, solve_shown};
use crate::cmd::args::board::MOST_BYTES;
use crate::cmd::args::walk::refuse_wide;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::exit;
use crate::cmd::{Exit, UsageError, advice};
use crate::harness::record::{Row, RowFormat};
use crate::harness::run::SearchTables;
use crate::puzzle::{Board, Rules, Size, parse_board};
use crate::search::{Settings, Stop};

/// Answers each line as it comes. Tables are opened at the first board of a size. A line that is
/// no board has an answer of its own, and the next one is read.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut tables: HashMap<Size, SearchTables> = HashMap::new();
    let mut worst = Exit::Done;
    let mut stdin = io::stdin().lock();
    for number in 1.. {
        let Some(line) = next_line(&mut stdin, number)? else {
            break;
        };
        if line.trim().is_empty() {
            continue;
        }
        let board = match parse_board(&line, args.board.size) {
            Ok(board) => board,
            Err(error) => {
                message::tell(&format!("stdin:{number}: {}", advice::of_board(&error)));
                if !say("error")? {
                    return Ok(worst);
                }
                continue;
            }
        };
        let rules = match args.board.goal.of(board.size()) {
            Ok(goal) => args.rules(goal),
            Err(error) => {
                message::tell(&format!("stdin:{number}: {error}"));
                if !say("error")? {
                    return Ok(worst);
                }
                continue;
            }
        };
        if let Err(error) = refuse_wide(args.algorithm_on(board.size()), board.size()) {
            message::tell(&format!("stdin:{number}: {}", error.0));
            if !say("error")? {
                return Ok(worst);
            }
            continue;
        }
        if !tables.contains_key(&board.size()) {
            let search = args.search_on(board.size());
            let (endgame, size) = (args.endgame.as_ref(), board.size());
            let memory = args.limits.asked().memory;
            let opened =
                args.tables
                    .prepare(&search, endgame, (size, rules), memory, args.progress)?;
            let Some(opened) = opened else {
                return Ok(Exit::Interrupted);
            };
            tables.insert(size, opened);
        }
        let (answer, ended) = answer(args, &board, rules, &tables[&board.size()])?;
        match ended {
            Exit::Interrupted => {
                say(&answer)?;
                return Ok(ended);
            }
            Exit::WrongAnswer => worst = ended,
            _ => {}
        }
        if !say(&answer)? {
            return Ok(worst);
        }
    }
    Ok(worst)
}

/// A line of boards; one that has no end is not waited for.
fn next_line(stdin: &mut impl BufRead, number: u64) -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    let mut limited = stdin.take(MOST_BYTES + 1);
    let read = limited.read_until(b'\n', &mut line);
    match read.context("cannot read stdin")? as u64 {
        0 => Ok(None),
        bytes if bytes > MOST_BYTES => {
            let most = bytesize::ByteSize(MOST_BYTES);
            let long = format!("stdin:{number}: the line has more than {most}");
            Err(UsageError(format!("{long}; no board is that long")).into())
        }
        _ => Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned())),
    }
}

/// The answer for one board: its row as JSON, or the moves of the gap.
fn answer(
    args: &Args,
    board: &Board,
    rules: Rules,
    tables: &SearchTables,
) -> anyhow::Result<(String, Exit)> {
    let search = args.search_on(board.size());
    let settings = Settings {
        order: args.order,
        ..tables.settings(&search)
    };
    let limits = args.limits.limits();
    let started_at = SystemTime::now();
    let (outcome, _) = solve_shown(args, board, rules, &settings, limits)?;
    let outcome = outcome.as_ref();
    if outcome.is_some_and(|it| matches!(it.result, Err(Stop::DamagedTable))) {
        let flags = args.tables.flags();
        anyhow::bail!("a table is damaged; slidebench pdb verify{flags} tells which one");
    }
    if let Some(Err(why @ Stop::OtherTarget)) = outcome.map(|it| &it.result) {
        message::tell(&format!("{board}: {why}; {}", advice::OTHER_HEURISTIC));
    }
    let asked = args.limits.asked();
    let run = lone_run(board, rules, &settings, &asked, started_at);
    let row = Row::new(&run, outcome);
    let text = match (args.format, &row.solution) {
        (Format::Json, _) => RowFormat::Jsonl.line(&row),
        (_, Some(solution)) => solution.clone(),
        (_, None) => row.status.to_string(),
    };
    Ok((text.trim_end().to_owned(), exit(outcome)))
}

/// Writes a line at once; false where nobody reads any more.
fn say(line: &str) -> anyhow::Result<bool> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("cannot write stdout"),
    }
}
