//! Nothing lost, nothing believed unseen: rows of other boards, files in each other's place,
//! outputs that go away, signals, closed pipes, text of strangers.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use slidebench::harness::analysis::{Evidence, Why};
use slidebench::harness::record::{Row, RowFormat, Status, parse_rows};

use crate::command::{rows, run, slidebench};
use crate::rows::row;

/// Two moves from the goal, and fourteen.
pub const NEAR: &str = "# goal: first\ninstance,board,optimal\none,1 2 0 3 4 5 6 7 8,2\n";
const FAR: &str = "# goal: first\ninstance,board,optimal\none,1 4 2 3 5 8 0 6 7,\n";

pub fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The run is refused with one line, and exit code 2.
pub fn assert_refused(output: &Output, words: &[&str]) {
    let said = told(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    for word in words {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn rows_of_other_boards_are_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let (suite, out) = (folder.path().join("s.csv"), folder.path().join("o.csv"));
    fs::write(&suite, NEAR).unwrap();
    assert!(
        run(folder.path(), "run s.csv -H md -o o.csv")
            .status
            .success()
    );
    let before = fs::read(&out).unwrap();
    let sidecar = fs::read(folder.path().join("o.meta.json")).unwrap();
    let goal = run(
        folder.path(),
        "run s.csv -H md -o o.csv --resume --goal last",
    );
    assert_refused(&goal, &["goal 'first'", "s one", "'last'", "-o"]);
    fs::write(&suite, FAR).unwrap();
    let board = run(folder.path(), "run s.csv -H md -o o.csv --resume");
    assert_refused(
        &board,
        &["board '1 2 0 3 4 5 6 7 8'", "'1 4 2 3 5 8 0 6 7'"],
    );
    assert_eq!(fs::read(&out).unwrap(), before);
    assert_eq!(
        fs::read(folder.path().join("o.meta.json")).unwrap(),
        sidecar
    );
    fs::write(&suite, NEAR).unwrap();
    assert!(
        run(folder.path(), "run s.csv -H md -o o.csv --resume")
            .status
            .success()
    );
    assert_eq!(fs::read(&out).unwrap(), before);
}

#[test]
fn thresholds_of_another_board_are_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("s.csv");
    fs::write(&suite, FAR).unwrap();
    let stopped = "run s.csv -H zero -o o.csv --iterations t.csv --node-limit 1500";
    assert!(run(folder.path(), stopped).status.success());
    let thresholds = fs::read_to_string(folder.path().join("t.csv")).unwrap();
    assert!(thresholds.lines().count() > 3);
    // The rows are gone, the thresholds of the first board are not.
    fs::remove_file(folder.path().join("o.csv")).unwrap();
    fs::write(&suite, NEAR).unwrap();
    let again = run(
        folder.path(),
        "run s.csv -H zero -o o.csv --iterations t.csv --resume",
    );
    assert!(again.status.success(), "{}", told(&again));
    let row = &rows(&folder.path().join("o.csv"))[0];
    assert_eq!((row.cost, row.iterations), (Some(2u32.into()), Some(3)));
}

#[test]
fn a_threshold_file_with_comments_keeps_its_thresholds() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.csv"), FAR).unwrap();
    let first = "run s.csv -H zero -o o.csv --iterations t.csv --node-limit 1500";
    assert!(run(folder.path(), first).status.success());
    let path = folder.path().join("t.csv");
    let text = fs::read_to_string(&path).unwrap();
    let complete = |text: &str| text.lines().filter(|line| line.contains(",true,")).count();
    let exhausted = complete(&text);
    fs::write(&path, format!("# mine\n# and more\n{text}")).unwrap();
    let again = "run s.csv -H zero -o o.csv --iterations t.csv --resume --node-limit 1600";
    let again = run(folder.path(), again);
    assert!(again.status.success(), "{}", told(&again));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("# mine\n# and more\nsuite,"));
    assert!(complete(&text) >= exhausted, "{text}");
}

#[test]
fn answers_that_other_rows_rule_out_are_wrong() {
    let known = |cost: u32| Row {
        known_optimal: None,
        cost: Some(cost.into()),
        ..row("s", 1, "md")
    };
    let against = |rows: &[Row], place: usize| {
        let evidence = Evidence::of(rows);
        evidence.against(&rows[place]).map(|wrong| wrong.why)
    };
    let disagree = [
        known(4),
        Row {
            heuristic: "lc".into(),
            ..known(6)
        },
    ];
    assert_eq!(against(&disagree, 0), None);
    assert_eq!(against(&disagree, 1), Some(Why::Shorter(4u32.into())));
    let stopped = Row {
        status: Status::TimeLimit,
        cost: None,
        verified: None,
        iterations: Some(3),
        h0: Some(4u32.into()),
        heuristic: "lc".into(),
        ..known(0)
    };
    assert_eq!(stopped.last_threshold_finished(), Some(6));
    let below = [known(4), stopped];
    assert_eq!(against(&below, 0), Some(Why::Exhausted(6)));
    let mere_cost = |cost: u32| Row {
        verified: None,
        algorithm: "astar".into(),
        ..known(cost)
    };
    assert_eq!(
        against(&[known(6), mere_cost(4)], 1),
        Some(Why::Claimed(6u32.into()))
    );
    assert_eq!(against(&[known(6), mere_cost(4)], 0), None);
    assert_eq!(
        against(&[known(4), mere_cost(6)], 1),
        Some(Why::Shorter(4u32.into()))
    );
    let other_board = [
        known(4),
        Row {
            board: "4 1 0 3 5 2".into(),
            ..known(6)
        },
    ];
    assert_eq!(against(&other_board, 1), None);
    let unsolvable = [
        known(4),
        Row {
            status: Status::Unsolvable,
            cost: None,
            ..known(0)
        },
    ];
    assert_eq!(against(&unsolvable, 1), Some(Why::Solvable));
}

#[test]
fn run_and_report_tell_of_rows_that_disagree() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("o.csv");
    fs::write(folder.path().join("s.csv"), FAR).unwrap();
    assert!(
        run(folder.path(), "run s.csv -H md -o o.csv")
            .status
            .success()
    );
    let mut rows = rows(&out);
    let better = Row {
        heuristic: "lc".into(),
        ..rows[0].clone()
    };
    rows[0].cost = rows[0].cost.map(|cost| cost + 2u32.into());
    let lines: String = [&rows[0], &better]
        .map(|row| RowFormat::Csv.line(row))
        .concat();
    fs::write(&out, format!("{}{lines}", RowFormat::Csv.header::<Row>())).unwrap();
    let again = run(folder.path(), "run s.csv -H md,lc -o o.csv --resume");
    let said = String::from_utf8(again.stdout).unwrap();
    assert_eq!(again.status.code(), Some(3), "{said}");
    assert!(said.contains("another run has"), "{said}");
    let report = run(folder.path(), "report o.csv");
    assert_eq!(report.status.code(), Some(3));
}

#[test]
fn no_file_takes_the_place_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("there.txt", "precious");
    write("foreign.meta.json", "{\"precious\":true}");
    write("foreign.jsonl", "{\"precious\":true}");
    write("foreign.txt", "precious words\n");
    assert!(
        run(folder.path(), "run smoke -H md --filter 1 -o done.csv")
            .status
            .success()
    );
    fs::hard_link(
        folder.path().join("done.csv"),
        folder.path().join("link.csv"),
    )
    .unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.csv", folder.path().join("early")).unwrap();
    for (flags, words) in [
        #[cfg(unix)]
        (
            "-o a.csv --histogram early",
            &["--histogram and -o are both"][..],
        ),
        #[cfg(unix)]
        (
            "-o a.csv --iterations early",
            &["--iterations and -o are both"],
        ),
        (
            "-o a.csv --histogram ./a.csv",
            &["--histogram and -o are both"][..],
        ),
        (
            "-o a.csv --iterations x --histogram ./x",
            &["--histogram and --iterations"],
        ),
        (
            "-o a.csv --histogram a.meta.json",
            &["--histogram and the sidecar of -o"],
        ),
        (
            "-o a.csv --histogram a.thresholds.csv",
            &["--histogram and --iterations"],
        ),
        (
            "-o done.csv --resume --histogram there.txt",
            &["there.txt is no histogram"],
        ),
        (
            "-o done.csv --resume --histogram link.csv",
            &["--histogram and -o are both"],
        ),
        ("-o foreign.csv", &["foreign.meta.json is no sidecar"]),
        (
            "-o foreign.csv --resume",
            &["foreign.meta.json is no sidecar"],
        ),
        (
            "-o foreign.jsonl --format jsonl --resume",
            &["is no row of a run"],
        ),
        (
            "-o foreign.txt --format jsonl --resume",
            &["foreign.txt:1: 'precious words' is no row of a run"],
        ),
    ] {
        let output = run(
            folder.path(),
            &format!("run smoke -H md --filter 1 {flags}"),
        );
        assert_refused(&output, words);
    }
    write("page.html", "<!DOCTYPE html>precious");
    assert_refused(
        &run(folder.path(), "report done.csv -o page.html"),
        &["page.html exists"],
    );
    let board = "solve 102345678 --html";
    assert_refused(
        &run(folder.path(), &format!("{board} page.html")),
        &["page.html exists"],
    );
    let estimate = "estimate 102345678 -o there.txt";
    assert_refused(&run(folder.path(), estimate), &["there.txt is there"]);
    assert_eq!(
        fs::read_to_string(folder.path().join("there.txt")).unwrap(),
        "precious"
    );
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(page, "<!DOCTYPE html>precious");
    // What the program made itself may be made again.
    for _ in 0..2 {
        assert!(
            run(folder.path(), "report done.csv -o own.html")
                .status
                .success()
        );
    }
}

#[test]
fn every_file_of_rows_has_its_own_sidecar() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["c.csv", "c.jsonl", "night.1", "night.2"] {
        let format = if name == "c.jsonl" { "jsonl" } else { "csv" };
        let output = format!("run smoke -H md --filter 1 -o {name} --format {format}");
        assert!(run(folder.path(), &output).status.success());
    }
    for name in [
        "c.meta.json",
        "c.jsonl.meta.json",
        "night.1.meta.json",
        "night.2.meta.json",
    ] {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text.matches("\"started_at\"").count(), 1, "{name}");
    }
}

#[test]
fn rows_are_not_added_in_another_order() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("o.csv");
    assert!(
        run(folder.path(), "run smoke -H md --filter 1 -o o.csv")
            .status
            .success()
    );
    let text = fs::read_to_string(&out).unwrap();
    let swapped = text.replacen("expanded,generated", "generated,expanded", 1);
    fs::write(&out, &swapped).unwrap();
    let again = run(
        folder.path(),
        "run smoke -H md --filter 1,2 -o o.csv --resume",
    );
    assert_refused(&again, &["all columns in their order"]);
    assert_eq!(fs::read_to_string(&out).unwrap(), swapped);
}

/// Starts a run that lasts until it is stopped.
fn endless(folder: &Path, more: &str) -> std::process::Child {
    let arguments = format!("run korf100 -a idastar -H zero --progress never {more}");
    let mut command = slidebench(folder, &arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn wait_for(path: &Path) {
    let since = Instant::now();
    while !path.exists() && since.elapsed() < Duration::from_secs(20) {
        sleep(Duration::from_millis(10));
    }
    assert!(path.exists());
    sleep(Duration::from_millis(100));
}

fn signal(child: &std::process::Child, name: &str) {
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([name, &pid])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn every_signal_ends_a_run_with_its_row() {
    for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let child = endless(folder.path(), "-o o.csv");
        wait_for(&folder.path().join("o.meta.json"));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", told(&output));
        let rows = rows(&folder.path().join("o.csv"));
        assert_eq!(rows[0].status, Status::Interrupted);
        let sidecar = fs::read_to_string(folder.path().join("o.meta.json")).unwrap();
        assert!(sidecar.contains("\"ended_at\": \""), "{sidecar}");
    }
}

/// `nohup` has SIGHUP ignored, and a run that it starts goes on when its terminal is closed.
#[cfg(unix)]
#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let binary = env!("CARGO_BIN_EXE_slidebench");
    let mut command = Command::new("nohup");
    let arguments = "run korf100 -a idastar -H zero --progress never -o o.csv";
    command.arg(binary).args(arguments.split(' '));
    command.current_dir(folder.path()).stdout(Stdio::null());
    let child = command.stderr(Stdio::null()).spawn().unwrap();
    wait_for(&folder.path().join("o.meta.json"));
    signal(&child, "-HUP");
    sleep(Duration::from_millis(100));
    signal(&child, "-TERM");
    let code = child.wait_with_output().unwrap().status.code();
    assert_eq!(code, Some(143), "it ends by the second signal");
}

#[test]
fn output_that_goes_away_is_told() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 3] = [
        ("removed", |path| fs::remove_file(path).unwrap()),
        ("cut", |path| fs::write(path, "").unwrap()),
        ("replaced", |path| {
            fs::remove_file(path).unwrap();
            fs::write(path, "other").unwrap();
        }),
    ];
    for (name, damage) in damages {
        let folder = tempfile::tempdir().unwrap();
        let child = endless(folder.path(), "-o o.csv");
        wait_for(&folder.path().join("o.meta.json"));
        damage(&folder.path().join("o.csv"));
        signal(&child, "-INT");
        let output = child.wait_with_output().unwrap();
        let said = told(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(
            said.contains("o.csv was removed, replaced or cut"),
            "{name}: {said}"
        );
    }
}

/// The code with which a command ends whose reader is gone before it writes.
fn code_without_reader(folder: &Path, arguments: &str) -> Option<i32> {
    let mut command = slidebench(folder, arguments);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait().unwrap().code()
}

#[test]
fn a_closed_stdout_changes_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        run(folder.path(), "run smoke -H md -o o.csv")
            .status
            .success()
    );
    let code = |arguments: &str| code_without_reader(folder.path(), arguments);
    assert_eq!(code("run smoke -H md -o -"), Some(0));
    assert_eq!(code("suite list"), Some(0));
    assert_eq!(code("signature"), Some(0));
    assert_eq!(code("pdb build 3x3:4-4 --pdb-dir tables"), Some(0));
    let tables = fs::read_dir(folder.path().join("tables")).unwrap();
    let tables: Vec<_> = tables.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(tables.len(), 2, "{tables:?}");
    let mut bytes = fs::read(&tables[0]).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&tables[0], bytes).unwrap();
    assert_eq!(code("pdb verify --pdb-dir tables"), Some(1));
    let text = fs::read_to_string(folder.path().join("o.csv")).unwrap();
    let mut slow = parse_rows(&text).unwrap();
    for row in &mut slow {
        row.time_ns = row.time_ns * 9 + 9;
        row.cpu_time_ns = row.cpu_time_ns.map(|time| time * 9 + 9);
    }
    let lines: String = slow.iter().map(|row| RowFormat::Csv.line(row)).collect();
    let slow = format!("{}{lines}", RowFormat::Csv.header::<Row>());
    fs::write(folder.path().join("slow.csv"), slow).unwrap();
    assert_eq!(code("compare o.csv slow.csv --fail-if-slower 5%"), Some(1));
}

/// A reader that takes the header and goes: what was found by then is judged all the same.
#[test]
fn a_wrong_answer_that_nobody_reads_is_one() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    // Each board takes a tenth of a second, so the reader has gone before the first row.
    let script = "sleep 0.1; echo LL";
    fs::write(folder.path().join("slow.sh"), script).unwrap();
    fs::write(folder.path().join("s.csv"), NEAR.replace("8,2", "8,4")).unwrap();
    let mut command = slidebench(folder.path(), "run s.csv -o - --solver");
    command.arg("sh slow.sh").stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut header = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut header).unwrap();
    assert!(header.starts_with("suite,"), "{header}");
    drop(reader);
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn a_second_signal_ends_a_process_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // Building this table goes on for a while after the first one.
    let mut command = slidebench(folder.path(), "pdb build 5x5:6-6-6-6 --pdb-dir tables");
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    sleep(Duration::from_millis(1));
    let _ = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Whenever a merge is killed, the next one is not in its way.
#[test]
fn a_killed_merge_blocks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let shard = run(folder.path(), "run smoke -H md --shard 1/1 -o s.csv");
    assert!(shard.status.success(), "{}", told(&shard));
    for milliseconds in [0, 2, 4, 6, 8, 12, 20] {
        let name = format!("m{milliseconds}.csv");
        let arguments = format!("merge s.shard-1-of-1.csv -o {name}");
        let mut command = slidebench(folder.path(), &arguments);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        let _ = child.wait();
        let merged = folder.path().join(&name);
        if merged.exists() {
            assert_eq!(
                rows(&merged).len(),
                rows(&folder.path().join("s.shard-1-of-1.csv")).len()
            );
        } else {
            let again = run(folder.path(), &arguments);
            assert!(again.status.success(), "{}", told(&again));
        }
    }
}
