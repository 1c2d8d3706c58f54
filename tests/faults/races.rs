//! Two processes at one file.

use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use slidebench::harness::suite::Random;

use crate::command::slidebench;
use crate::steps::{Reference, assert_orderly, repeat, succeed};

fn start(folder: &Path, arguments: &str) -> Child {
    let mut command = slidebench(folder, arguments);
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Several processes that begin at about the same moment.
fn race(folder: &Path, arguments: &[String], random: &mut Random) -> Vec<Output> {
    let mut children = Vec::new();
    for arguments in arguments {
        children.push(start(folder, arguments));
        sleep(Duration::from_micros(random.below(5_000) as u64));
    }
    let outputs: Vec<Output> = children
        .into_iter()
        .map(|child| child.wait_with_output().unwrap())
        .collect();
    for (arguments, output) in arguments.iter().zip(&outputs) {
        assert_orderly(arguments, output);
    }
    outputs
}

/// One of them writes, the others are refused, and the file is as if there were no others.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn races_for_files() {
    let references = Reference::all();
    repeat("races_for_files", |random| {
        let reference = random.choose(&references);
        let folder = tempfile::tempdir().unwrap();
        let runs: Vec<String> = (0..2 + random.below(2))
            .map(|_| {
                let resume = *random.choose(&["", " --resume"]);
                let arguments = reference.arguments;
                format!("{arguments} -o o.csv --iterations t.csv{resume}")
            })
            .collect();
        let outputs = race(folder.path(), &runs, random);
        let codes: Vec<_> = outputs.iter().map(|output| output.status.code()).collect();
        assert!(codes.contains(&Some(0)), "{codes:?}");
        assert!(
            codes.iter().all(|code| matches!(code, Some(0 | 2))),
            "{codes:?}"
        );
        reference.assert_rows(&folder.path().join("o.csv"));
        succeed(folder.path(), "report o.csv --iterations t.csv");
        let builds = vec!["pdb build 4x4:5-5-5 --pdb-dir tables".to_owned(); 2];
        let built = race(folder.path(), &builds, random);
        assert!(built.iter().all(|output| output.status.success()));
        succeed(folder.path(), "pdb verify --pdb-dir tables");
    });
}
