//! The program as a user calls it, and the rows that it writes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use slidebench::harness::record::{Row, parse_rows};

pub fn slidebench(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slidebench"));
    command.args(arguments.split(' ')).current_dir(folder);
    command
}

pub fn run(folder: &Path, arguments: &str) -> Output {
    slidebench(folder, arguments).output().unwrap()
}

pub fn rows(file: &Path) -> Vec<Row> {
    parse_rows(&fs::read_to_string(file).unwrap()).unwrap()
}

/// What two undisturbed runs of the same plan agree in.
pub fn timeless(mut rows: Vec<Row>) -> Vec<Row> {
    for row in &mut rows {
        row.time_ns = 0;
        row.cpu_time_ns = None;
        row.nodes_per_s = None;
        row.started_at.clear();
    }
    rows
}
