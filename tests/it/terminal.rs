//! What people see on a terminal that is not wide.

use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::path::Path;
use std::process::Stdio;
use std::ptr::{null, null_mut};

use crate::command::slidebench;

/// What of a command goes to the terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Stdout,
    Stderr,
}

/// What a command writes to a terminal of so many columns.
pub fn on_a_terminal(folder: &Path, arguments: &str, what: Shown, columns: u16) -> String {
    let (mut outer, mut inner) = (-1, -1);
    let size = libc::winsize {
        ws_row: 10,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the system reads the size and writes two descriptors, and nothing else has them.
    let (mut outer, inner) = unsafe {
        let opened = libc::openpty(&mut outer, &mut inner, null_mut(), null(), &size);
        assert_eq!(opened, 0, "a terminal");
        (File::from_raw_fd(outer), File::from_raw_fd(inner))
    };
    let mut command = slidebench(folder, arguments);
    command
        .env("TERM", "xterm")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match what {
        Shown::Stdout => command.stdout(inner),
        Shown::Stderr => command.stderr(inner),
    };
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut shown = Vec::new();
    // It ends with an error: nobody has the other side any more.
    let _ = outer.read_to_end(&mut shown);
    child.wait().unwrap();
    String::from_utf8_lossy(&shown).into_owned()
}

/// The lines that were drawn one over the other, without what moves the cursor.
fn drawn(shown: &str) -> Vec<String> {
    let shown = console::strip_ansi_codes(shown);
    let lines = shown.split(['\r', '\n']).map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// A board that no search with taxicab ends in a lifetime: the limit is what comes.
const ENDLESS: &str = "korf24 --filter 50 -H md --time-limit 2s -o o.csv";

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn a_narrow_line_says_which_instance_runs_and_how_long() {
    let widths = [
        (40, "0/1 50, "),
        (60, "0/1 instance 50, threshold "),
        (80, "0/1 instance 50, threshold "),
    ];
    let is_fine = |(columns, before): (u16, &str)| {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!("run {ENDLESS}");
        let shown = on_a_terminal(folder.path(), &arguments, Shown::Stderr, columns);
        let lines = drawn(&shown);
        let has_news =
            |line: &String| line.contains(before) && line.contains("ends at the limit in ");
        assert!(lines.iter().any(has_news), "{columns}: {lines:?}");
        let width = lines
            .iter()
            .map(|line| console::measure_text_width(line))
            .max();
        assert!(width < Some(columns.into()), "{columns}: {lines:?}");
    };
    // At once, because each takes as long as its limit.
    std::thread::scope(|scope| {
        for width in widths {
            scope.spawn(move || is_fine(width));
        }
    });
}
