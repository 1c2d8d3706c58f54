//! The columns of files: which there are, and what is read where some are missing.

use std::fs;
use std::path::Path;
use std::process::Command;

use slidebench::harness::analysis::{Comparison, Evidence, Summary};
use slidebench::harness::record::{
    Configurations, IncumbentRow, Record, Row, RowFormat, Status, ThresholdRow, parse_own_rows,
    parse_rows,
};
use slidebench::report::{Report, Source};

use crate::command;
use crate::rows::{row, rows};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_columns_are_those_of_schema_2() {
    let columns = "suite,instance,rows,cols,board,goal,metric,costs,solver,version,algorithm,\
        heuristic,endgame,engine,prune,threads,jobs,repeat,status,cost,moves,known_optimal,bound,\
        verified,h0,expanded,generated,reopened,stored,iterations,time_ns,cpu_time_ns,nodes_per_s,\
        peak_mem_bytes,table_bytes,solution,time_limit_ns,mem_limit_bytes,node_limit,cpu,started_at";
    assert_eq!(RowFormat::Csv.header::<Row>(), format!("{columns}\n"));
}

/// The names in the first column of the tables of a page.
fn described(page: &str) -> Vec<Vec<&str>> {
    let mut tables = Vec::new();
    for line in page.lines() {
        if line == "| column | what it holds |" {
            tables.push(Vec::new());
        }
        if let (Some(table), Some(rest)) = (tables.last_mut(), line.strip_prefix("| `")) {
            table.push(rest.split_once('`').unwrap().0);
        }
    }
    tables
}

#[test]
fn the_docs_describe_every_column_in_its_order() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/csv.md")).unwrap();
    let tables = described(&page);
    assert_eq!(tables[0], RowFormat::columns::<Row>());
    assert_eq!(tables[1], RowFormat::columns::<ThresholdRow>());
    assert_eq!(tables[2], RowFormat::columns::<IncumbentRow>());
    assert_eq!(tables.len(), 3);
    let names: Vec<String> = Row::REQUIRED
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let (last, others) = names.split_last().unwrap();
    let required = format!("need {} and {last}", others.join(", "));
    assert!(page.contains(&required), "{required}");
}

#[test]
fn the_help_and_the_manual_name_the_page() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in ["run --help", "man"] {
        let told = command::run(folder.path(), arguments).stdout;
        let told = String::from_utf8(told).unwrap();
        assert!(told.contains("docs/csv.md"), "{arguments}");
    }
}

#[test]
fn a_run_fills_the_columns() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "run smoke --filter 5 -a idastar,dfs -H md --prune fsm:6 --time-limit 90s \
                --total-time 80s -o rows.csv";
    assert!(command::run(folder.path(), plan).status.success());
    let rows = command::rows(&folder.path().join("rows.csv"));
    let [idastar, dfs] = &rows[..] else {
        panic!("{rows:?}")
    };
    assert_eq!(idastar.board, "0 1 5 3 2 6 7 4 8");
    assert_eq!((idastar.rows, idastar.cols), (Some(3), Some(3)));
    let texts = [&idastar.metric, &idastar.costs, &idastar.solver];
    assert_eq!(texts, ["single", "unit", "slidebench"]);
    assert_eq!(idastar.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (&idastar.engine[..], &idastar.prune[..]),
        ("scalar", "fsm:6")
    );
    assert_eq!(
        (idastar.cost, idastar.moves),
        (Some(12u32.into()), Some(12))
    );
    assert_eq!((idastar.bound, idastar.reopened), (Some(1.0), Some(0)));
    assert!(RowFormat::Csv.line(idastar).contains(",12,12,12,1,true,"));
    assert!(idastar.cpu_time_ns.is_some() || !cfg!(unix));
    assert_eq!(idastar.time_limit_ns, Some(90_000_000_000), "as asked for");
    assert_eq!((&dfs.engine[..], &dfs.prune[..], dfs.bound), ("", "", None));
}

#[test]
fn columns_are_found_by_their_names() {
    let rows = rows("s", 3, &["md"]);
    let columns = RowFormat::columns::<Row>();
    let mut text = "# others may follow\nremark, ".to_owned();
    text += &columns.iter().rev().cloned().collect::<Vec<_>>().join(", ");
    text += "\n";
    for row in &rows {
        let line = RowFormat::Csv.line(row);
        let fields: Vec<&str> = line.trim_end().split(',').rev().collect();
        text += &format!("none,{}\n", fields.join(","));
    }
    assert_eq!(parse_rows(&text).unwrap(), rows);
    // Rows are added in the order of the schema, so the file has to have it.
    let error = parse_own_rows(&text).unwrap_err().to_string();
    assert!(
        error.starts_with("2: rows are only added to a file with all columns"),
        "{error}"
    );
}

/// What another program measured.
const OTHERS: &str = "suite,instance,status,cost,time_ns,solution\n\
    smoke,5,solved,12,2000000,\n\
    smoke,5,solved,12,2200000,\n\
    smoke,6,solved,22,9000000,\n\
    smoke,7,time-limit,,9000000,\n";

#[test]
fn a_file_of_others_is_read_and_compared() {
    let others = parse_rows(OTHERS).unwrap();
    let repeats: Vec<u32> = others.iter().map(|row| row.repeat).collect();
    assert_eq!(repeats, [1, 2, 1, 1]);
    let evidence = Evidence::of(&others);
    let is_right = |row: &Row| row.generated.is_none() && evidence.against(row).is_none();
    assert!(others.iter().all(is_right));
    let own = fs::read_to_string(Path::new(ROOT).join("tests/data/runs/smoke-md.csv")).unwrap();
    let own = parse_rows(&own).unwrap();
    let comparison = Comparison::new(&own, &others).unwrap();
    let one = comparison.overall().unwrap();
    assert_eq!(one.pairs, 2);
    assert!(one.nodes.is_none() && one.node_differences.is_empty());
    assert_eq!(one.names, ["idastar with md, 1 thread", "another solver"]);
    let sources = [own, others].map(|rows| Source {
        rows,
        ..Source::default()
    });
    let report = Report::new(&sources, &[]).unwrap();
    assert_eq!(report.wrong(), 0);
    // The suite is built in, so the boards are known.
    assert!(report.html().contains("\"tiles\":[4,7,5,3,6,1,0,8,2]"));
}

/// A cost below the known one is wrong, whoever found it.
#[test]
fn a_wrong_answer_of_others_is_told() {
    let text = "suite,instance,status,cost,time_ns,known_optimal,solver\n\
        s,1,solved,9,1,10,fast15\n\
        s,2,solved,12,1,10,fast15\n";
    let rows = parse_rows(text).unwrap();
    let evidence = Evidence::of(&rows);
    let wrong: Vec<_> = rows.iter().map(|row| evidence.against(row)).collect();
    assert!(wrong[0].is_some() && wrong[1].is_none());
    assert_eq!(rows[0].configuration().to_string(), "fast15");
}

fn with_engine(engine: &str, row: &Row) -> Row {
    Row {
        engine: engine.to_owned(),
        ..row.clone()
    }
}

/// `auto` may take one engine for one board and another for the next: that is one configuration.
#[test]
fn engines_tell_apart_what_a_file_has_twice() {
    let all = rows("s", 4, &["md", "lc"]);
    let taken = |index: usize| if index < 4 { "batched" } else { "scalar" };
    let auto: Vec<Row> = (all.iter().enumerate())
        .map(|(index, row)| with_engine(taken(index), row))
        .collect();
    let names = |rows: &[Row]| -> Vec<String> {
        let groups = Summary::new(rows, &[]).groups.into_iter();
        groups
            .map(|group| group.configuration.to_string())
            .collect()
    };
    assert_eq!(
        names(&auto),
        ["idastar with lc, 1 thread", "idastar with md, 1 thread"]
    );
    let md = all.iter().filter(|row| row.heuristic == "md");
    let mut both = auto.clone();
    both.extend(md.map(|row| with_engine("scalar", row)));
    let told = names(&both);
    let expected = [
        "idastar with lc, 1 thread",
        "idastar with md, batched, 1 thread",
        "idastar with md, scalar, 1 thread",
    ];
    assert_eq!(told, expected);
    // A run that was stopped and done again is one, whatever engines it had.
    let mut first = with_engine("scalar", &all[0]);
    first.status = Status::Interrupted;
    let rows = [first, with_engine("batched", &all[0])];
    let configurations = Configurations::of(&rows);
    assert_eq!(configurations.run(&rows[0]), configurations.run(&rows[1]));
    assert_eq!(Summary::new(&rows, &[]).groups[0].runs, 1);
}

#[test]
fn files_of_two_engines_are_compared_across_them() {
    let all = rows("s", 4, &["md"]);
    let file = |engine: &str| -> Vec<Row> {
        let rows = all.iter().map(|row| with_engine(engine, row));
        rows.collect()
    };
    let (scalar, batched) = (file("scalar"), file("batched"));
    let names = |before: &[Row], after: &[Row]| -> [String; 2] {
        let comparison = Comparison::new(before, after).unwrap();
        let one = comparison.overall().unwrap();
        assert_eq!(one.pairs, 4);
        one.names.clone()
    };
    assert_eq!(
        names(&scalar, &batched),
        [
            "idastar with md, scalar, 1 thread",
            "idastar with md, batched, 1 thread"
        ]
    );
    assert_eq!(names(&scalar, &scalar), ["idastar with md, 1 thread"; 2]);
    // Where one file does not say, there is nothing to tell.
    assert_eq!(names(&all, &scalar), ["idastar with md, 1 thread"; 2]);
    // One file has both: the other's engine says which of them it is.
    let both = [&scalar[..], &batched].concat();
    let comparison = Comparison::new(&both, &batched).unwrap();
    assert_eq!(comparison.overall().unwrap().pairs, 4);
    assert_eq!(
        comparison.unmatched[0],
        ["idastar with md, scalar, 1 thread"]
    );
}

#[test]
fn lists_of_engines_and_prunings_multiply_and_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let run = |flags: &str| {
        let plan = format!("run smoke --filter 5,6 -H pdb:4-4,lc -o rows.csv --resume {flags}");
        let output = command::run(folder.path(), plan.trim());
        assert!(output.status.success(), "{output:?}");
        let rows = command::rows(&file).into_iter();
        let ways = rows.map(|row| {
            format!(
                "{} {} {} {}",
                row.instance, row.heuristic, row.engine, row.prune
            )
        });
        (
            ways.collect::<Vec<_>>(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    // Of the two there are batches for pdb alone: lc is not run twice.
    let (ways, told) = run("--engine scalar,batched --prune none,fsm:6");
    let of_first = [
        "5 pdb:4-4 scalar ",
        "5 pdb:4-4 scalar fsm:6",
        "5 pdb:4-4 batched ",
        "5 pdb:4-4 batched fsm:6",
        "5 lc scalar ",
        "5 lc scalar fsm:6",
    ];
    assert_eq!(ways[..6], of_first);
    assert_eq!(ways.len(), 12);
    for name in [
        "idastar with pdb:4-4, scalar, 1 thread\n",
        "idastar with pdb:4-4, batched, fsm:6, 1 thread\n",
        "idastar with lc, 1 thread\n",
    ] {
        assert!(told.contains(name), "{name}: {told}");
    }
    for flags in ["--engine batched", "--engine scalar", "--prune fsm:6", ""] {
        assert_eq!(run(flags).0.len(), 12, "{flags}: all is there");
    }
    assert_eq!(run("--prune fsm:5").0.len(), 16);
    // What `auto` left is done by either; what was asked for by name, by that alone.
    fs::remove_file(&file).unwrap();
    assert_eq!(run("").0.len(), 4);
    assert_eq!(run("").0.len(), 4);
    assert_eq!(run("--engine batched").0.len(), 4);
    assert_eq!(run("--engine scalar").0.len(), 6);
}

/// An unsolvable board has no search, and so no engine that `auto` took: it is done all the same.
#[test]
fn an_unsolvable_board_is_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("boards.txt"), "2 1 3 0\n1 2 0 3\n").unwrap();
    for (flags, rows) in [
        ("", 2),
        ("", 2),
        ("--engine scalar", 3),
        ("--engine scalar", 3),
    ] {
        let plan = format!("run boards.txt -H md --resume -o rows.csv {flags}");
        assert!(command::run(folder.path(), plan.trim()).status.success());
        assert_eq!(
            command::rows(&folder.path().join("rows.csv")).len(),
            rows,
            "{flags}"
        );
    }
}

#[test]
fn a_busy_machine_is_told_once() {
    let mut all = rows("s", 4, &["md"]);
    let times = [(100, 90), (100, 91), (51, 46), (50, 1)];
    for (row, (time, cpu_time)) in all.iter_mut().zip(times) {
        row.time_ns = time * 1_000_000;
        row.cpu_time_ns = Some(cpu_time * 1_000_000);
    }
    assert_eq!(Summary::new(&all, &[]).waited, 2);
    let sources = [Source {
        rows: all,
        ..Source::default()
    }];
    let page = Report::new(&sources, &[]).unwrap().html();
    assert_eq!(page.matches("The machine was busy: 2 runs took").count(), 1);
    assert!(page.contains("s 1, idastar with md, 1 thread: 100 ms, 90.0 ms of CPU time"));
    let one = [Source {
        rows: sources[0].rows[..1].to_vec(),
        ..Source::default()
    }];
    let page = Report::new(&one, &[]).unwrap().html();
    let told = "1 run took over a tenth longer than the CPU time of its threads";
    assert!(page.contains(told));
    // Two threads work twice as long; what is not known tells nothing.
    let mut quiet = row("s", 1, "md");
    quiet.time_ns = 100_000_000;
    for cpu_time in [Some(195_000_000), None] {
        quiet.cpu_time_ns = cpu_time;
        assert!(!quiet.had_to_wait());
    }
    // A program of others may wait for anything.
    quiet.cpu_time_ns = Some(1);
    assert!(quiet.had_to_wait());
    quiet.solver = "mine".to_owned();
    assert!(!quiet.had_to_wait());
}

/// Runs a script; `false` where there is no interpreter for it.
fn script(folder: &Path, name: &str, arguments: &[&str]) -> Option<String> {
    let path = Path::new(ROOT).join("scripts").join(name);
    let output = Command::new(path)
        .args(arguments)
        .current_dir(folder)
        .output();
    let output = output
        .ok()
        .filter(|output| output.status.code() != Some(127))?;
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn schema_1_is_read_and_converted_but_not_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let old = fs::read_to_string(Path::new(ROOT).join("tests/data/runs/smoke-md.csv")).unwrap();
    let file = folder.path().join("runs.csv");
    fs::write(&file, &old).unwrap();
    let read = parse_rows(&old).unwrap();
    assert_eq!(read.len(), 15);
    assert_eq!(
        read[0].configuration().to_string(),
        "idastar with md, 1 thread"
    );
    assert_eq!(
        (read[0].moves, &read[0].solver[..]),
        (Some(1), "slidebench")
    );
    let resume = "run smoke -H md --max-memory 1GiB --resume -o runs.csv";
    let refused = command::run(folder.path(), resume);
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(
        told.contains("runs.csv:2: the rows are of schema 1"),
        "{told}"
    );
    // The library tells what there is, the program what helps.
    assert!(told.ends_with("(-o), or convert this one with scripts/convert-schema-1\n"));
    let error = parse_own_rows(&old).unwrap_err().to_string();
    assert!(error.ends_with("tells which runs are there"), "{error}");
    let refused = command::run(folder.path(), "merge runs.csv -o all.csv");
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.ends_with("there; convert this one with scripts/convert-schema-1\n"));
    assert_eq!(fs::read_to_string(&file).unwrap(), old);

    if script(folder.path(), "convert-schema-1", &["runs.csv"]).is_none() {
        return;
    }
    let converted = parse_own_rows(&fs::read_to_string(&file).unwrap()).unwrap();
    for (old, new) in read.iter().zip(&converted) {
        let expected = Row {
            board: new.board.clone(),
            version: "0.1.0".to_owned(),
            engine: old.version.split('+').nth(1).unwrap_or_default().to_owned(),
            bound: Some(1.0),
            reopened: Some(0),
            ..old.clone()
        };
        assert_eq!(*new, expected);
        let (board, goal) = new.start().unwrap();
        let solution: Vec<_> = new.solution.as_ref().unwrap().chars().collect();
        let moves = solution
            .iter()
            .map(|&it| slidebench::puzzle::Move::from_letter(it).unwrap());
        let end = board.replay(&moves.collect::<Vec<_>>()).unwrap();
        assert_eq!(end, slidebench::puzzle::Board::solved(board.size(), goal));
    }
    let resumed = command::run(folder.path(), resume);
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(command::rows(&file), converted, "all runs are there");
}

#[test]
fn scripts_find_columns_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut odd = row("a \"suite\", with all", 7, "pdb:7-8,nomirror");
    odd.status = Status::TimeLimit;
    let text = format!(
        "# note\n{}{}",
        RowFormat::Csv.header::<Row>(),
        RowFormat::Csv.line(&odd)
    );
    fs::write(folder.path().join("odd.csv"), text).unwrap();
    let asked = ["status,suite,heuristic,instance", "odd.csv"];
    let Some(told) = script(folder.path(), "columns", &asked) else {
        return;
    };
    assert_eq!(
        told,
        "time-limit\ta \"suite\", with all\tpdb:7-8,nomirror\t7\n"
    );
}

/// The recorded results are of this schema, and right.
#[test]
fn recorded_results_are_read() {
    let folder = fs::read_dir(Path::new(ROOT).join("benchmarks/results")).unwrap();
    let mut files = 0;
    for path in folder.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".csv") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        files += 1;
        if name.ends_with(".thresholds.csv") {
            let thresholds: Vec<ThresholdRow> = RowFormat::Csv.own_records(&text).unwrap();
            assert!(!thresholds.is_empty(), "{name}");
            continue;
        }
        let rows = parse_own_rows(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        let evidence = Evidence::of(&rows);
        let is_right = |row: &Row| evidence.against(row).is_none() && row.start().is_some();
        assert!(rows.iter().all(is_right), "{name}");
    }
    assert!(files >= 13, "{files}");
}
