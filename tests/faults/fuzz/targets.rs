//! The parsers, and what must hold of what they accept.

use std::fmt::{Debug, Display};
use std::str::{FromStr, from_utf8};

use bytesize::ByteSize;
use slidebench::course::{driver, lines};
use slidebench::harness::analysis::{Evidence, Summary};
use slidebench::harness::cluster::{slurm_shard, thresholds};
use slidebench::harness::record::{
    Record, RowFormat, Shard, Sidecar, ThresholdRow, latest, parse_own_rows, parse_rows,
};
use slidebench::harness::solver::{Answer, AnswerForm, Solver};
use slidebench::harness::suite::generate::suite_text;
use slidebench::harness::suite::{Asked, Filter, parse_suite, units_text};
use slidebench::heuristic::HeuristicName;
use slidebench::lookup::endgame::EndgameName;
use slidebench::lookup::{Collection, Directory, Endgame, Header, Partition, Pattern, TableFile};
use slidebench::puzzle::{
    Board, Goal, MoveOrder, Notation, Problem, Size, parse_board, parse_bytes,
};
use slidebench::report::{Records, Source};
use slidebench::search::{Algorithm, EngineChoice, Prune};
use xxhash_rust::xxh3::xxh3_64;

use super::{Target, corpus};

type Checked = Result<(), String>;

/// Two values that should be one. They are compared as they print: not a number is itself there.
fn same<T: Debug>(what: &str, one: &T, other: &T) -> Checked {
    let (one, other) = (format!("{one:?}"), format!("{other:?}"));
    match one == other {
        true => Ok(()),
        false => Err(format!(
            "{what} is {one} at first and {other} when read again"
        )),
    }
}

/// Bytes that are text, or the nearest text.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// What is printed parses to the same.
fn printed<T: FromStr<Err: Debug> + Display + Debug>(text: &str) -> Checked {
    let Ok(value) = text.parse::<T>() else {
        return Ok(());
    };
    let again = value.to_string().parse::<T>();
    let again = again.map_err(|error| format!("'{value}' is not read again: {error:?}"))?;
    same("it", &value, &again)
}

#[test]
fn fuzz_boards() {
    let check = |bytes: &[u8]| {
        let _ = parse_bytes(bytes, Size::new(2, 3).ok());
        let Ok(board) = parse_bytes(bytes, None) else {
            return Ok(());
        };
        same(
            "the board",
            &Ok(board),
            &parse_board(&board.to_string(), None),
        )?;
        if let Some(letters) = board.letters() {
            same(
                "the board",
                &Ok(board),
                &parse_board(&letters, Some(board.size())),
            )?;
        }
        for goal in Goal::NAMED {
            let _ = (Problem::new(&board, goal), driver::problem(&board, goal));
        }
        Ok(())
    };
    let target = Target {
        name: "boards",
        corpus: corpus::boards(),
        check,
        share: 380,
    };
    target.fuzz();
}

#[test]
fn fuzz_names() {
    let check = |bytes: &[u8]| {
        let text = &*text(bytes);
        printed::<Size>(text)?;
        printed::<Goal>(text)?;
        printed::<Algorithm>(text)?;
        printed::<EngineChoice>(text)?;
        printed::<Prune>(text)?;
        printed::<MoveOrder>(text)?;
        printed::<Notation>(text)?;
        printed::<RowFormat>(text)?;
        printed::<Shard>(text)?;
        printed::<driver::Method>(text)?;
        let _ = (Filter::from_str(text), EndgameName::from_str(text));
        // Limits, as the command line reads them.
        let _ = (
            u64::from_str(text),
            ByteSize::from_str(text),
            humantime::parse_duration(text),
        );
        let _ = slurm_shard(|_| Some(text.to_owned()));
        let _ = (Collection::size_of(text), Partition::size_of(text));
        match HeuristicName::list(text) {
            Err(_) => Ok(()),
            Ok(names) => {
                // A grid in lines is printed with its lines in a row.
                let text = |names: &[HeuristicName]| {
                    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
                    names.join(",")
                };
                let again = HeuristicName::list(&text(&names));
                same(
                    "the list",
                    &Ok(text(&names)),
                    &again.map(|names| text(&names)),
                )
            }
        }
    };
    let names = corpus::texts(&[
        "4x4",
        "first",
        "last",
        "idastar",
        "auto",
        "batched",
        "fsm:12",
        "ULRD",
        "gap",
        "jsonl",
        "1/4",
        "bfs,dfs",
        "ast",
        "pdb:7-8",
        "pdb:7-8,nomirror",
        "md,lc,pdb:.AA/AAB/BBB,nomirror,wd,auto",
        "1-5,12",
        "optimal:40-50,7",
        "tables/endgame-4x4-22.pdb",
        "22",
        "90s",
        "1h 30m",
        "4GiB",
        "1e9",
        "512 MB",
    ]);
    let target = Target {
        name: "names",
        corpus: names,
        check,
        share: 480,
    };
    target.fuzz();
}

#[test]
fn fuzz_partitions() {
    /// The sets of tiles, in any order.
    fn tiles(partition: &Partition) -> Vec<u32> {
        let mut masks: Vec<u32> = partition.patterns().iter().map(Pattern::mask).collect();
        masks.sort_unstable();
        masks
    }
    let check = |bytes: &[u8]| {
        let text = &*text(bytes);
        for size in ["3x3", "4x4", "5x5", "2x3"] {
            let size: Size = size.parse().unwrap();
            if let Ok(partition) = Partition::parse(text, size) {
                let again = Partition::parse(&partition.to_string(), size);
                same(
                    "the partition",
                    &Ok(tiles(&partition)),
                    &again.map(|it| tiles(&it)),
                )?;
            }
            if let Ok(collection) = Collection::parse(text, size) {
                let all = |it: &Collection| it.partitions().iter().map(tiles).collect::<Vec<_>>();
                let again = Collection::parse(&collection.to_string(), size);
                same(
                    "the collection",
                    &Ok(all(&collection)),
                    &again.map(|it| all(&it)),
                )?;
            }
        }
        Ok(())
    };
    let partitions = corpus::texts(&[
        "7-8",
        "4-4",
        "small5x5",
        "6-6-6-6",
        ".AA/AAB/BBB",
        ".ABB/AABB/AABB/AABB",
        "1.2.3/4.5.6.7.8",
        ".ABBB/AABBB/AAACC/DDDCC/DDDCC",
        "6-6-6-6+.AABB/AACCB/AACCB/DDDCB/DDDCB",
        "1,2,3\n4 5 6 7 8.",
        ".AB\nBCC",
        "5-5-5+7-8",
    ]);
    let target = Target {
        name: "partitions",
        corpus: partitions,
        check,
        share: 60,
    };
    target.fuzz();
}

#[test]
fn fuzz_course_lines() {
    let check = |bytes: &[u8]| {
        for line in lines::parse(bytes, &lines::Codes::default())
            .into_iter()
            .flatten()
        {
            let _ = line.taxicab(lines::GOAL);
            let board: Result<Board, _> = parse_board(&line.text, Some(line.board.size()));
            same("the line", &Ok(line.board), &board)?;
        }
        Ok(())
    };
    let corpus = vec![
        include_bytes!("../../data/course/lines.txt").to_vec(),
        include_bytes!("../../data/course/lines_4x4.txt").to_vec(),
        include_bytes!("../../data/course/broken_lines.txt").to_vec(),
        b"2 A.CB A\n3 87643.152 !\n".to_vec(),
    ];
    let target = Target {
        name: "course lines",
        corpus,
        check,
        share: 25,
    };
    target.fuzz();
}

#[test]
fn fuzz_suites() {
    let check = |bytes: &[u8]| {
        for goal in [None, Some(Goal::First)] {
            let _ = parse_suite(
                "s",
                bytes,
                Asked {
                    goal,
                    size: Size::new(2, 2).ok(),
                    ..Asked::default()
                },
            );
        }
        let Ok(mut suite) = parse_suite("s", bytes, Asked::default()) else {
            return Ok(());
        };
        // What is printed is made by this program, which numbers instances.
        for (instance, number) in suite.instances.iter_mut().zip(1..) {
            instance.name = number.to_string();
        }
        let text = match &suite.split_for {
            Some(split_for) => units_text(&suite, split_for, "test"),
            None => suite_text(&suite, "test"),
        };
        let mut again = parse_suite("s", text.as_bytes(), Asked::default())
            .map_err(|error| format!("the suite is not read again: {error}"))?;
        // What is published of nodes is not printed.
        for (again, instance) in again.instances.iter_mut().zip(&suite.instances) {
            again.ida_md_generated = instance.ida_md_generated;
            again.known_nodes = instance.known_nodes;
            if instance.unit.is_some() {
                again.optimal = instance.optimal;
            }
        }
        same("the suite", &suite, &again)
    };
    let target = Target {
        name: "suites",
        corpus: corpus::suites(),
        check,
        share: 4,
    };
    target.fuzz();
}

/// Records in both formats are what they were.
fn written<R: Record + Debug>(records: &[R]) -> Checked {
    for format in RowFormat::ALL {
        let lines: String = records.iter().map(|record| format.line(record)).collect();
        let count = lines.matches('\n').count();
        if count != records.len() {
            return Err(format!(
                "{} records are {count} lines of {format}",
                records.len()
            ));
        }
        let text = format!("{}{lines}", format.header::<R>());
        let again = format.own_records::<R>(&text);
        let again = again.map_err(|error| format!("rows are not read again: {error}"))?;
        same(format.name(), &records, &&again[..])?;
    }
    Ok(())
}

#[test]
fn fuzz_rows() {
    let check = |bytes: &[u8]| {
        let text = &*text(bytes);
        let _ = (parse_own_rows(text), Source::head(text));
        let _ = Records::parse(text);
        let Ok(rows) = parse_rows(text) else {
            return Ok(());
        };
        let evidence = Evidence::of(&rows);
        for row in latest(&rows) {
            let _ = (evidence.against(row), row.start(), row.had_to_wait());
        }
        let _ = Summary::new(&rows, &[]);
        written(&rows)
    };
    let target = Target {
        name: "rows",
        corpus: corpus::runs(),
        check,
        share: 4,
    };
    target.fuzz();
}

#[test]
fn fuzz_thresholds() {
    let check = |bytes: &[u8]| {
        let text = &*text(bytes);
        let _ = Records::parse(text);
        match RowFormat::of(text).records::<ThresholdRow>(text) {
            Ok(rows) => written(&rows),
            Err(_) => Ok(()),
        }
    };
    let target = Target {
        name: "thresholds",
        corpus: corpus::thresholds(),
        check,
        share: 3,
    };
    target.fuzz();
}

#[test]
fn fuzz_sidecars() {
    let check = |bytes: &[u8]| {
        let Ok(sidecar) = serde_json::from_slice::<Sidecar>(bytes) else {
            return Ok(());
        };
        for record in sidecar
            .sessions
            .iter()
            .filter_map(|session| session.shard.as_ref())
        {
            let _ = record.plan.runs();
        }
        let _ = thresholds(&[], &sidecar);
        let text = serde_json::to_string(&sidecar).map_err(|error| error.to_string())?;
        let again: Result<Sidecar, _> = serde_json::from_str(&text);
        same(
            "the sidecar",
            &sidecar,
            &again.map_err(|error| error.to_string())?,
        )
    };
    let target = Target {
        name: "sidecars",
        corpus: corpus::sidecars(),
        check,
        share: 14,
    };
    target.fuzz();
}

#[test]
fn fuzz_tables() {
    let check = |bytes: &[u8]| {
        // As it is, and with a header that somebody wrote so.
        let mut written = bytes.to_vec();
        if let Some((head, sum)) = written.split_at_mut_checked(Header::LEN - 8)
            && let Some(sum) = sum.first_chunk_mut::<8>()
        {
            *sum = xxh3_64(head).to_le_bytes();
        }
        let _ = Header::from_bytes(bytes);
        let Ok(header) = Header::from_bytes(&written) else {
            return Ok(());
        };
        same(
            "the header",
            &Ok(header.clone()),
            &Header::from_bytes(&header.to_bytes()),
        )?;
        let _ = Directory::name_of(header.table.kind, header.table.size);
        let length = Header::LEN as u64 + header.payload_len;
        written.resize(length.min(1 << 14) as usize, 0);
        let Ok(file) = TableFile::new(written) else {
            return Ok(());
        };
        let _ = file.verify();
        if let Ok(endgame) = Endgame::new(file) {
            let board = Board::solved(endgame.size(), Goal::First);
            let _ = (
                endgame.distance(&board),
                endgame.checksum(),
                endgame.bytes(),
            );
        }
        Ok(())
    };
    let target = Target {
        name: "tables",
        corpus: corpus::tables(),
        check,
        share: 10,
    };
    target.fuzz();
}

/// What programs of others print, and how they are named.
#[test]
fn fuzz_solvers() {
    let check = |bytes: &[u8]| {
        let text = &*text(bytes);
        let _ = Solver::of_command(text);
        let board: Board = "1 4 2 / 3 0 5 / 6 7 8".parse().unwrap();
        for form in AnswerForm::ALL {
            let answer = Answer::read(text, &board, form, None);
            if let Some(moves) = answer.ok().and_then(|answer| answer.moves)
                && !moves.is_empty()
            {
                let letters = Notation::Gap.letters(&moves);
                let again = Answer::read(&letters, &board, AnswerForm::Gap, None);
                same(
                    "the answer",
                    &Ok(Some(moves)),
                    &again.map(|answer| answer.moves),
                )?;
            }
        }
        Ok(())
    };
    let corpus = corpus::texts(&[
        "UDLR",
        "noise\n['Up', 'Left']\n",
        "[4, 1]",
        "31",
        r#"{"moves":"UL","cost":2,"expanded":12,"generated":31}"#,
        r#"{"moves":["up","left"],"solution":[4,1]}"#,
        "python3 'my solver.py' {goal} {cols} \"{board}\"",
    ]);
    let target = Target {
        name: "solvers",
        corpus,
        check,
        share: 20,
    };
    target.fuzz();
}

/// No text of a test is all noise.
#[test]
fn valid_texts_are_valid() {
    let is_suite = |bytes: &Vec<u8>| parse_suite("s", bytes, Asked::default()).is_ok();
    assert!(corpus::suites().iter().all(is_suite));
    let is_text = |bytes: &Vec<u8>| parse_rows(from_utf8(bytes).unwrap()).is_ok();
    assert!(corpus::runs().iter().all(is_text));
    let is_sidecar = |bytes: &Vec<u8>| serde_json::from_slice::<Sidecar>(bytes).is_ok();
    assert!(corpus::sidecars().iter().all(is_sidecar));
    let is_table =
        |bytes: &Vec<u8>| TableFile::new(&bytes[..]).is_ok_and(|file| file.verify().is_ok());
    assert!(corpus::tables().iter().all(is_table));
    let boards = corpus::boards();
    assert!(
        boards
            .iter()
            .filter(|board| parse_bytes(board, None).is_ok())
            .count()
            > 15
    );
}
