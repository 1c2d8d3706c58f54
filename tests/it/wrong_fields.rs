//! Fields of rows that say what they cannot: told with their line and column, and with what is expected.

use std::error::Error;
use std::fs;
use std::num::IntErrorKind;

use slidebench::harness::record::{
    IncumbentRow, Row, RowFormat, RowsError, ThresholdRow, Unreadable, parse_own_rows, parse_rows,
};

use crate::command::run;
use crate::rows::row;
use crate::trust::told;

#[test]
fn a_wrong_field_is_told_with_its_line_and_column() {
    let head = "suite,instance,status,cost,time_ns,generated,verified\n";
    for (line, told) in [
        (
            "s,1,solved,x,1,1,true",
            "3: column 'cost': 'x' is not a number",
        ),
        (
            "s,1,solved,1,1.5,1,true",
            "3: column 'time_ns': '1.5' is not a whole number",
        ),
        (
            "s,1,solved,1,,1,true",
            "3: column 'time_ns': '' is not a whole number",
        ),
        (
            "s,1,solved,1,1,-1,true",
            "3: column 'generated': '-1' is not a whole number",
        ),
        (
            "s,1,solved,1,1,1,yes",
            "3: column 'verified': 'yes' is neither true nor false",
        ),
        (
            "s,1,done,1,1,1,true",
            "3: column 'status': 'done' is not a status; expected one of solved, unsolvable, time-limit",
        ),
    ] {
        let error = parse_rows(&format!("# here\n{head}{line}\n")).unwrap_err();
        assert!(error.to_string().starts_with(told), "{error}");
    }
    let json = r#"{"suite":"s","instance":"1","status":"solved","cost":"many","time_ns":5}"#;
    let error = parse_rows(json).unwrap_err();
    let told = "1: column 'cost': the value cannot be read";
    assert_eq!(error.to_string(), told);
    let source = error.source().unwrap().to_string();
    assert!(source.starts_with("invalid type"), "{source}");
}

/// What the reader of a number or a line says is the source, and its words are told once.
#[test]
fn a_wrong_row_has_its_source() {
    let head = "suite,instance,status,cost,time_ns,verified,nodes_per_s";
    let source = |line: &str| match parse_rows(&format!("{head}\n{line}\n")).unwrap_err() {
        RowsError::Field { source, .. } | RowsError::Broken { source, .. } => source,
        other => panic!("{other}"),
    };
    let large = "s,1,solved,1,99999999999999999999,true,1";
    let Some(Unreadable::Int(error)) = source(large) else {
        panic!("no source");
    };
    assert_eq!(*error.kind(), IntErrorKind::PosOverflow);
    let is = |line: &str, right: fn(&Unreadable) -> bool| {
        assert!(source(line).is_some_and(|it| right(&it)), "{line}");
    };
    is("s,1,solved,1,1,maybe,1", |it| {
        matches!(it, Unreadable::Bool(_))
    });
    is("s,1,solved,1,1,true,x", |it| {
        matches!(it, Unreadable::Float(_))
    });
    is("s,1,solved", |it| matches!(it, Unreadable::Csv(_)));
    // A text of ours has no other source than what is wrong with it.
    assert!(source("s,1,done,1,1,true,1").is_none());
    let folder = tempfile::tempdir().unwrap();
    let rows = RowFormat::Jsonl.line(&Row::default());
    fs::write(
        folder.path().join("rows.jsonl"),
        rows.replace("\"cost\":null", "\"cost\":[]"),
    )
    .unwrap();
    fs::write(folder.path().join("half.jsonl"), "{\"suite\":\"s\",\n").unwrap();
    for (file, wanted) in [
        (
            "rows.jsonl",
            "rows.jsonl:1: column 'cost': the value cannot be read: invalid type: sequence, ",
        ),
        (
            "half.jsonl",
            "half.jsonl:1: '{\"suite\":\"s\",' is no row of a run, an object of JSON: EOF while parsing",
        ),
    ] {
        for command in [
            format!("compare {file} {file}"),
            format!("run smoke -H md --format jsonl --resume -o {file}"),
        ] {
            let told = told(&run(folder.path(), &command));
            assert!(
                told.starts_with(&format!("slidebench: {wanted}")),
                "{command}: {told}"
            );
            assert_eq!(
                told.matches("the value").count() + told.matches("EOF").count(),
                1
            );
        }
    }
}

/// Spreadsheets end lines with `\r\n`.
#[test]
fn a_wrong_field_is_told_with_its_line_however_lines_end() {
    let text = "# here\nsuite,instance,status,cost,time_ns,metric\ns,1,solved,1,1,\n\n# there\n";
    for (wrong, told) in [
        ("s,2,solved,x,1,\n", "6: column 'cost'"),
        ("s,2,solved,1,1,double\n", "6: column 'metric'"),
        ("s,2,solved\n", "6: the row has 3 fields"),
    ] {
        let text = format!("{text}{wrong}");
        for text in [text.replace('\n', "\r\n"), text] {
            let error = parse_rows(&text).unwrap_err().to_string();
            assert!(error.starts_with(told), "{told}: {error}");
        }
    }
}

/// The rows of a text with a field of its only row changed.
fn with_field(column: &str, field: &str, solver: &str) -> Result<Vec<Row>, String> {
    let mut only = row("s", 1, "md");
    only.solver = solver.to_owned();
    let mut object = serde_json::to_value(&only).unwrap();
    object[column] = field.into();
    let of_json = parse_rows(&object.to_string()).map_err(|error| error.to_string());
    let changed: Row = serde_json::from_value(object).unwrap();
    let (header, line) = (
        RowFormat::Csv.header::<Row>(),
        RowFormat::Csv.line(&changed),
    );
    let of_csv = parse_rows(&format!("{header}{line}")).map_err(|error| error.to_string());
    let told = of_json
        .clone()
        .map_err(|error| error.replacen("1:", "2:", 1));
    assert_eq!(of_csv, told, "both formats say the same");
    of_json
}

#[test]
fn a_wrong_text_is_told_with_what_is_expected() {
    for (column, field, told) in [
        (
            "goal",
            "third",
            "is not a goal; expected first, last, or the numbers of its tiles",
        ),
        ("goal", "1 0 2 2 3 4", "is not a goal: tile 2 appears twice"),
        (
            "board",
            "1 0 2 2 3 4",
            "is not a board: tile 2 appears twice",
        ),
        (
            "board",
            "1 0 2 3",
            "is not a board: 4 cells cannot fill a board of 2x3",
        ),
        (
            "metric",
            "double",
            "is not a metric; expected one of single, multi",
        ),
        (
            "costs",
            "dear",
            "is not a way to cost moves; expected one of unit, heavy, sqrt",
        ),
        (
            "engine",
            "fast",
            "is not an engine; expected one of scalar, batched",
        ),
        (
            "prune",
            "fsm6",
            "is not a pruning; expected fsm:DEPTH with a depth from 2 to 18",
        ),
    ] {
        let error = with_field(column, field, "slidebench").unwrap_err();
        let told = format!("1: column '{column}': '{field}' {told}");
        assert!(error.starts_with(&told), "{told}: {error}");
        // What is empty is not known.
        assert!(with_field(column, "", "slidebench").is_ok());
        // Programs of others have engines and prunings of their own.
        let is_free = ["engine", "prune"].contains(&column);
        assert_eq!(with_field(column, field, "mine").is_ok(), is_free);
    }
    assert!(with_field("algorithm", "my own search", "slidebench").is_ok());
    // Rows with a version and no solver are of this program.
    for (column, field) in [("engine", "fast"), ("metric", "double")] {
        let text = format!(
            "suite,instance,status,cost,time_ns,version,{column}\ns,1,solved,4,1,0.1.0,{field}\n"
        );
        let error = parse_rows(&text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("2: column '{column}': '{field}' ")));
    }
    // Nothing says how the cells make rows.
    let text = "suite,instance,status,cost,time_ns,board,goal\n\
        s,1,solved,4,1,1 4 0 3 5 2,0 1 2 3 4 5\n";
    assert!(parse_rows(text).is_ok());
}

#[test]
fn files_of_thresholds_and_incumbents_have_right_texts_too() {
    let thresholds = "suite,instance,metric,threshold,complete,expanded,generated,time_ns\n\
        s,1,double,9,true,1,1,1\n";
    let incumbents = "suite,instance,metric,time_ns,cost,bound\ns,1,double,1,9,1\n";
    let told = "2: column 'metric': 'double' is not a metric; expected one of single, multi";
    let error = RowFormat::Csv
        .records::<ThresholdRow>(thresholds)
        .unwrap_err();
    assert_eq!(error.to_string(), told);
    let error = RowFormat::Csv
        .records::<IncumbentRow>(incumbents)
        .unwrap_err();
    assert_eq!(error.to_string(), told);
}

#[test]
fn a_column_that_is_there_twice_is_told_at_the_header() {
    let head = "suite,instance,status,cost,time_ns";
    let text = format!("# here\n{head},time_ns\ns,1,solved,1,2,3\n");
    let told = "2: column 'time_ns' is there more than once; expected each column once";
    assert_eq!(parse_rows(&text).unwrap_err().to_string(), told);
    assert_eq!(parse_own_rows(&text).unwrap_err().to_string(), told);
    // Columns of other names are passed over, however many there are.
    let text = format!("{head},remark,remark,,\ns,1,solved,1,2,a,b,,\n");
    assert_eq!(parse_rows(&text).unwrap()[0].time_ns, 2);
}

/// The last of them would win silently.
#[test]
fn a_name_that_is_there_twice_in_a_row_of_json_is_told_with_its_line() {
    let row = r#"{"suite":"s","instance":"1","status":"solved","cost":1,"time_ns":2}"#;
    let twice = row.replace("\"time_ns\":2", "\"time_ns\":2,\"time_ns\":3");
    let told = "3: column 'time_ns' is there more than once; expected each column once";
    let error = parse_rows(&format!("{row}\n\n{twice}\n")).unwrap_err();
    assert_eq!(error.to_string(), told);
    let whole = RowFormat::Jsonl.line(&Row::default());
    let twice = whole.replacen("\"cost\":", "\"cost\":1,\"cost\":", 1);
    let error = parse_own_rows(&twice).unwrap_err().to_string();
    assert!(
        error.starts_with("1: column 'cost' is there more than once"),
        "{error}"
    );
    // Other names are passed over, however many there are.
    let remarks = row.replace("}", ",\"remark\":1,\"remark\":2}");
    assert_eq!(parse_rows(&remarks).unwrap()[0].time_ns, 2);
}
