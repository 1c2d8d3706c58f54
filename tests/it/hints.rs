//! What a user is told who asked for something else than he meant.

use std::fs;

use crate::command::run;

/// Boards for the other goal: that is said, and which flag helps.
#[test]
fn unsolvable_boards_name_the_other_goal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let boards = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6\n";
    fs::write(folder.join("korf.txt"), boards).unwrap();
    let output = run(folder, "run korf.txt -H md --repeat 2 -o rows.csv");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    let hint = "2 unsolvable boards could become the other goal: run with --goal first\n";
    assert!(told.contains(hint), "{told}");
    // Where neither goal can be reached there is nothing to say.
    fs::write(folder.join("none.txt"), "2 1 3 / 4 5 6 / 7 8 0\n").unwrap();
    let output = run(folder, "run none.txt -H md -o none.csv");
    assert!(
        !String::from_utf8_lossy(&output.stdout).contains("--goal"),
        "{output:?}"
    );
}

#[test]
fn an_engine_that_there_is_not_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = run(
        folder,
        "run smoke --filter 5 -H wd --engine batched -o rows.csv",
    );
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        told.contains("--engine batched: there is none for idastar with wd, 1 thread"),
        "{told}"
    );
    let output = run(
        folder,
        "solve 1.2345678 --goal first -H wd --engine batched",
    );
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        told.contains("(there is no batched engine for this search)"),
        "{told}"
    );
}

#[test]
fn a_board_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = run(folder, "solve 1.2345678 --goal first -H md --svg board.svg");
    assert!(output.status.success(), "{output:?}");
    let svg = fs::read_to_string(folder.join("board.svg")).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.contains("data-tile=\"8\""),
        "{svg}"
    );
    // It is not written over.
    let output = run(folder, "solve 1.2345678 --goal first -H md --svg board.svg");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_file_among_words_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("one.txt"), "1 0 2 3").unwrap();
    for (words, told) in [
        ("one.txt two.txt", "'one.txt' is a file among other words"),
        ("gone.txt 1 2", "there is no file 'gone.txt'"),
    ] {
        let output = run(folder, &format!("solve {words}"));
        assert_eq!(output.status.code(), Some(2));
        let expected = format!("slidebench: {told}; expected one board\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    }
}
