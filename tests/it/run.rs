//! `slidebench run` as a user sees it: rows that survive everything, and are never repeated.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use slidebench::harness::record::{RowFormat, Status, ThresholdRow, parse_rows};
use slidebench::harness::suite::Random;

use crate::command::{rows, run, slidebench, timeless};

#[test]
fn what_it_prints() {
    trycmd::TestCases::new().case("tests/cmd/run/*.trycmd");
}

fn timeless_iterations(file: &Path) -> Vec<ThresholdRow> {
    let text = fs::read_to_string(file).unwrap();
    let mut rows: Vec<ThresholdRow> = RowFormat::Csv.records(&text).unwrap();
    for row in &mut rows {
        row.time_ns = 0;
        row.cpu_time_ns = None;
        row.started_at.clear();
    }
    rows
}

/// Kills the process at any moment, again and again: no row is lost or repeated.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn kill_and_resume_give_the_rows_of_an_undisturbed_run() {
    let plan = "run smoke -a idastar,astar -H md,lc --repeat 6 --seed 5 --max-memory 1GiB";
    let folder = tempfile::tempdir().unwrap();
    let whole = format!("{plan} -o whole.csv --iterations all.csv");
    assert!(run(folder.path(), &whole).status.success());
    let resumed = format!("{plan} --resume -o cut.csv --iterations some.csv");
    let cut = folder.path().join("cut.csv");
    let bytes = || fs::metadata(&cut).map_or(0, |file| file.len());
    let mut random = Random::new(11);
    for _ in 0..25 {
        // After some bytes more, whether they end a row or not, and a moment.
        let enough = bytes() + random.below(4000) as u64;
        let moment = Duration::from_micros(random.below(2000) as u64);
        let mut child = slidebench(folder.path(), &resumed)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while bytes() < enough && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(rows(&cut).len() < 360, "the kills came too late");
    let last = run(folder.path(), &resumed);
    assert!(last.status.success(), "{last:?}");
    let file = |name| folder.path().join(name);
    assert_eq!(timeless(rows(&cut)), timeless(rows(&file("whole.csv"))));
    assert_eq!(
        timeless_iterations(&file("some.csv")),
        timeless_iterations(&file("all.csv"))
    );
    // Nothing is left to do, and nothing is done.
    let before = fs::read(&cut).unwrap();
    assert!(run(folder.path(), &resumed).status.success());
    assert_eq!(fs::read(&cut).unwrap(), before);
}

/// A run that stopped goes on behind its last threshold, and counts what a whole run counts.
#[test]
fn a_stopped_run_goes_on_from_its_threshold() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "run korf100 --filter 12,79 -H md --engine scalar";
    let whole = format!("{plan} -o whole.csv --iterations all.csv");
    assert!(run(folder.path(), &whole).status.success());
    let resumed = |limit: u64| {
        format!("{plan} --node-limit {limit} --resume -o cut.csv --iterations some.csv")
    };
    for limit in [10_000, 100_000, 1_000_000_000] {
        let part = run(folder.path(), &resumed(limit));
        assert!(part.status.success(), "{part:?}");
    }
    let file = |name| folder.path().join(name);
    let last: Vec<_> = rows(&file("cut.csv")).split_off(4);
    for (cut, whole) in last.iter().zip(rows(&file("whole.csv"))) {
        assert_eq!(cut.status, Status::Solved);
        assert_eq!(
            (cut.cost, cut.expanded, cut.generated, cut.iterations),
            (
                whole.cost,
                whole.expanded,
                whole.generated,
                whole.iterations
            )
        );
    }
    // Each exhausted threshold was searched once.
    let exhausted = |name| {
        let mut thresholds = timeless_iterations(&file(name));
        thresholds.retain(|threshold| threshold.complete);
        thresholds.sort_by_key(|threshold| (threshold.instance.clone(), threshold.threshold));
        thresholds
    };
    assert_eq!(exhausted("some.csv"), exhausted("all.csv"));
}

/// Thresholds of another board, or of a search that prunes otherwise, are none of this one's.
#[test]
fn thresholds_of_another_search_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards.txt");
    let hard = "13 5 8 3 15 7 1 4 10 11 2 9 6 14 0 12\n";
    let easy = "5 11 6 9 4 13 12 0 8 2 15 10 1 7 3 14\n";
    let stopped = "run boards.txt --goal first -H md --node-limit 5000000 --iterations it.csv";
    let resumed =
        "run boards.txt --goal first -H md --max-memory 1GiB --resume --iterations it.csv";
    let cases = [
        ("board", hard, easy, ""),
        ("prune", easy, easy, " --prune fsm:6"),
    ];
    for (name, before, after, flags) in cases {
        let succeed = |command: String| assert!(run(folder.path(), &command).status.success());
        let _ = fs::remove_file(folder.path().join("it.csv"));
        fs::write(&boards, before).unwrap();
        succeed(format!("{stopped} -o {name}.csv"));
        fs::write(&boards, after).unwrap();
        succeed(format!("{resumed} -o {name}-resumed.csv{flags}"));
        let fresh = "run boards.txt --goal first -H md --max-memory 1GiB";
        succeed(format!("{fresh} -o {name}-fresh.csv{flags}"));
        let of = |way: &str| rows(&folder.path().join(format!("{name}-{way}.csv")));
        assert_eq!(timeless(of("resumed")), timeless(of("fresh")));
    }
}

#[test]
fn half_a_line_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let resumed = format!(
        "run smoke -H md --filter 1-4 --resume -o {}",
        file.display()
    );
    assert!(run(folder.path(), &resumed).status.success());
    let whole = fs::read(&file).unwrap();
    for length in [1, 10, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..length]).unwrap();
        assert!(run(folder.path(), &resumed).status.success());
        assert_eq!(timeless(rows(&file)).len(), 4);
        assert!(fs::read_to_string(&file).unwrap().lines().count() == 5);
    }
}

/// Waits until a run is under way.
fn wait_for(file: &Path) {
    let since = Instant::now();
    while !file.exists() {
        assert!(since.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(2));
    }
}

/// The fourth of korf24 takes IDA* with taxicab longer than any test.
const ENDLESS: &str = "run smoke korf24 -H md --filter 4";

#[test]
fn ctrl_c_ends_the_run_with_its_row_and_a_resume_does_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let output = format!("-o {} --resume", file.display());
    let mut child = slidebench(
        folder.path(),
        &format!("{ENDLESS} {output} --progress always"),
    )
    .stdout(Stdio::null())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    // The line of a search that is under way.
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let mut lines = stderr.lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("threshold")));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let interrupted = rows(&file);
    assert_eq!(interrupted.last().unwrap().status, Status::Interrupted);
    let limited = run(
        folder.path(),
        &format!("{ENDLESS} {output} --node-limit 1000000"),
    );
    assert!(limited.status.success());
    let all = rows(&file);
    assert_eq!(all[..interrupted.len()], interrupted);
    assert_eq!(all.last().unwrap().status, Status::NodeLimit);
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let command = format!("{ENDLESS} --resume -o {}", file.display());
    let mut first = slidebench(folder.path(), &command).spawn().unwrap();
    wait_for(&file.with_extension("meta.json"));
    let second = run(folder.path(), &command);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    let told = String::from_utf8(second.stderr).unwrap();
    assert!(
        told.contains("is being written by another process"),
        "{told}"
    );
}

/// A limit on the size of files stands for a full disk: rows end with a whole one.
#[test]
fn a_full_disk_keeps_whole_rows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let binary = env!("CARGO_BIN_EXE_slidebench");
    let arguments = format!("run smoke -H md --resume -o {}", file.display());
    let command = format!("trap '' XFSZ; ulimit -f 2; {binary} {arguments}");
    let output = Command::new("bash")
        .args(["-c", &command])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.starts_with(&format!("slidebench: cannot write {}: ", file.display())),
        "{told}"
    );
    let kept = rows(&file);
    assert!((1..15).contains(&kept.len()));
    assert!(fs::read_to_string(&file).unwrap().ends_with('\n'));
    assert!(run(folder.path(), &arguments).status.success());
    let all = rows(&file);
    assert_eq!(all[..kept.len()], kept);
    assert_eq!(all.len(), 15);
}

/// The second board takes the scalar engine many seconds, those around it a moment.
#[test]
fn a_total_time_ends_all_and_a_resume_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "run korf100 -H md --engine scalar --filter 79,88,94 --resume";
    // A busy machine may need more than the shortest time to come to the second board.
    let mut stopped = ["100ms", "1s", "6s"].into_iter().map(|total| {
        let file = folder.path().join(format!("{total}.csv"));
        let output = run(
            folder.path(),
            &format!("{plan} -o {total}.csv --total-time {total}"),
        );
        assert!(output.status.success());
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("out of time: "), "{told}");
        (total, rows(&file))
    });
    let (total, cut) = stopped
        .find(|(_, cut)| cut.len() == 2)
        .expect("no time was enough for the first board");
    assert_eq!(cut[0].status, Status::Solved);
    assert_eq!(cut[1].status, Status::TimeLimit);
    assert_eq!(cut[1].time_limit_ns, None, "no run was to be as short");
    let resumed = run(
        folder.path(),
        &format!("{plan} -o {total}.csv --node-limit 2000000"),
    );
    assert!(resumed.status.success(), "{resumed:?}");
    let all = rows(&folder.path().join(format!("{total}.csv")));
    assert_eq!(all[..2], cut);
    let rest = all[2..].iter();
    let rest: Vec<_> = rest
        .map(|row| (row.instance.as_str(), row.status))
        .collect();
    assert_eq!(rest, [("88", Status::NodeLimit), ("94", Status::Solved)]);
}

#[test]
fn jobs_side_by_side_give_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let sorted = |jobs: usize| {
        let plan = format!("run smoke -H md --format jsonl -o - --max-memory 1GiB --jobs {jobs}");
        let output = run(folder.path(), &plan);
        let mut rows = timeless(parse_rows(&String::from_utf8(output.stdout).unwrap()).unwrap());
        rows.sort_by_key(|row| row.instance.parse::<usize>().unwrap());
        assert!(rows.iter().all(|row| row.jobs == Some(jobs)));
        rows.iter_mut().for_each(|row| row.jobs = None);
        rows
    };
    assert_eq!(sorted(1), sorted(3));
}

#[test]
fn a_limit_is_a_row_with_what_was_known() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(
        folder.path(),
        "run korf100 -H md --filter 1 --node-limit 1000000 -o -",
    );
    assert!(output.status.success());
    let rows = parse_rows(&String::from_utf8(output.stdout).unwrap()).unwrap();
    assert_eq!(rows[0].status, Status::NodeLimit);
    assert_eq!(rows[0].node_limit, Some(1_000_000));
    // Korf's first starts at 41 and exhausts 47 with fewer nodes than that.
    assert_eq!(rows[0].h0, Some(41u32.into()));
    assert!(rows[0].last_threshold_finished() >= Some(47));
}

#[test]
fn a_false_optimum_is_a_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("false.csv");
    fs::write(&suite, "# goal: last\ninstance,board,optimal\nx,A.CB,0\n").unwrap();
    let output = run(folder.path(), "run false.csv -o rows.csv");
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("x (1 moves, known optimum 0)"), "{told}");
    // Depth-first search promises no shortest solution.
    let output = run(folder.path(), "run false.csv -a dfs -o dfs.csv");
    assert!(output.status.success());
}

/// The sidecar says what made the rows.
#[test]
fn the_sidecar_has_the_command_and_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        run(folder.path(), "run smoke --filter 1 -o rows.csv")
            .status
            .success()
    );
    let text = fs::read_to_string(folder.path().join("rows.meta.json")).unwrap();
    let meta: serde_json::Value = serde_json::from_str(&text).unwrap();
    let session = &meta["sessions"][0];
    assert_eq!(session["command"][1], "run");
    for field in ["revision", "rustc", "cpu", "os", "started_at", "ended_at"] {
        assert!(!session[field].as_str().unwrap().is_empty(), "{field}");
    }
}

/// An endgame table is part of the configuration, and in the sidecar.
#[test]
fn an_endgame_is_named_in_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let plan =
        "run korf100 --filter 42 -a idastar,bfs -H md --endgame 10 --node-limit 900000 -o e.csv";
    assert!(run(folder.path(), plan).status.success());
    let rows = rows(&folder.path().join("e.csv"));
    assert_eq!(rows[0].endgame, "10");
    assert_eq!(rows[0].cost, Some(42u32.into()));
    assert!(rows[0].table_bytes > Some(0));
    assert_eq!(rows[1].endgame, "");
    let text = fs::read_to_string(folder.path().join("e.meta.json")).unwrap();
    assert!(text.contains("\"endgame-4x4-10\""), "{text}");
}

/// Rows, thresholds and times each have a file of their own, and none is written over.
#[test]
fn files_that_would_be_lost_are_refused_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("there.txt"), "precious").unwrap();
    fs::write(folder.path().join("left.thresholds.csv"), "precious").unwrap();
    for (flags, told) in [
        ("-o a.csv --histogram a.csv", "both a.csv"),
        ("-o a.csv --iterations a.csv", "both a.csv"),
        ("-o a.csv --histogram there.txt", "there.txt exists"),
        ("-o a.csv --iterations there.txt", "there.txt exists"),
        (
            "-o left.csv",
            "left.thresholds.csv is left from another run",
        ),
    ] {
        let output = run(folder.path(), &format!("run smoke -H md {flags}"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(told) && said.lines().count() == 1, "{said}");
    }
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["left.thresholds.csv", "there.txt"]);
}
