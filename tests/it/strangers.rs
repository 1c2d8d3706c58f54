//! Text that strangers wrote: no terminal obeys it, and no spreadsheet runs it.

use std::fs;

use slidebench::harness::record::{Row, RowFormat, parse_rows};

use crate::command::run;
use crate::rows::row;
#[cfg(target_os = "linux")]
use crate::terminal::{Shown, on_a_terminal};
use crate::trust::{NEAR, told};

#[test]
fn names_that_a_spreadsheet_would_run_are_text() {
    for name in [
        "=1+1",
        "+a",
        "-a",
        "@a",
        "+5",
        "-1e3",
        "'=x",
        "''-",
        "\u{feff}-",
        "plain",
        "'quoted'",
    ] {
        let row = Row {
            suite: name.into(),
            ..row("s", 1, "md")
        };
        let line = RowFormat::Csv.line(&row);
        assert!(!line.starts_with(['=', '+', '-', '@']), "{line}");
        let text = format!("{}{line}", RowFormat::Csv.header::<Row>());
        assert_eq!(parse_rows(&text).unwrap()[0].suite, name);
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.csv"), NEAR.replace("one", "=1+1")).unwrap();
    let list = run(folder.path(), "run s.csv --list").stdout;
    assert!(String::from_utf8(list).unwrap().contains("s,'=1+1,"));
}

#[test]
fn control_characters_of_names_are_shown_and_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("s.csv"),
        NEAR.replace("one", "o\x1b[31mne"),
    )
    .unwrap();
    let output = run(folder.path(), "run s.csv -H md -o - --time-limit 1ns");
    assert!(!told(&output).contains('\x1b'), "{}", told(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn control_characters_of_rows_are_shown_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.csv"), NEAR).unwrap();
    let solver = "name = \"e\\u001b[31mvil\"\ncommand = [\"echo\", \"{board}\"]\n";
    fs::write(folder.path().join("s.toml"), solver).unwrap();
    let shown = on_a_terminal(
        folder.path(),
        "run s.csv --solver s.toml -o -",
        Shown::Stdout,
        80,
    );
    assert!(shown.contains("suite,instance,"), "{shown:?}");
    assert!(
        shown.contains("31mvil") && !shown.contains('\x1b'),
        "{shown:?}"
    );
}
