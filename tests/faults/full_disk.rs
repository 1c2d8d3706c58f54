//! A disk that is full: by the limit of a file's size, and by a small file system in memory.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::steps::{Reference, assert_orderly, repeat, succeed};

/// A script of the shell, where `$slidebench` is the program.
fn shell(folder: &Path, script: &str) -> Output {
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).current_dir(folder);
    command.env("slidebench", env!("CARGO_BIN_EXE_slidebench"));
    command.output().unwrap()
}

/// Where files may not grow the run ends with a line, and goes on where they may.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn full_disks() {
    let references = Reference::all();
    // A file system of one's own in memory: for root, and for others where the system lets them.
    let own = ["unshare -m", "unshare -rm"].into_iter().find(|unshare| {
        let mounted = shell(
            Path::new("."),
            &format!("{unshare} mount -t tmpfs none /mnt"),
        );
        mounted.status.success()
    });
    if own.is_none() {
        eprintln!("full_disks: no file system can be mounted here; only files are limited");
    }
    repeat("full_disks", |random| {
        let reference = random.choose(&references);
        let folder = tempfile::tempdir().unwrap();
        let format = *random.choose(&["csv", "jsonl"]);
        let files = format!("-o o --iterations t --histogram h --format {format} --resume");
        let run = format!("{} {files}", reference.arguments);
        match own.filter(|_| random.below(2) == 0) {
            None => {
                let kibibytes = random.below(40);
                let limited = shell(
                    folder.path(),
                    &format!("ulimit -f {kibibytes}; exec $slidebench {run}"),
                );
                assert_failed_or_done(&run, &limited);
                let build = format!(
                    "ulimit -f {kibibytes}; exec $slidebench pdb build 4x4:5-5-5 --pdb-dir ."
                );
                let built = shell(folder.path(), &build);
                assert_failed_or_done(&build, &built);
                succeed(folder.path(), "pdb verify --pdb-dir .");
            }
            Some(unshare) => {
                let kibibytes = 4 + 4 * random.below(12);
                fs::create_dir(folder.path().join("disk")).unwrap();
                let script = format!(
                    "mount -t tmpfs -o size={kibibytes}k none disk && cd disk && {{ $slidebench {run}; \
                     code=$?; cp -a . ..; exit $code; }}"
                );
                let limited = shell(folder.path(), &format!("{unshare} bash -c '{script}'"));
                assert_failed_or_done(&run, &limited);
            }
        }
        succeed(folder.path(), &run);
        reference.assert_rows(&folder.path().join("o"));
    });
}

/// A full disk is a failure of the machine, and never one that nobody is told of.
fn assert_failed_or_done(arguments: &str, output: &Output) {
    assert_eq!(output.status.signal(), None, "{arguments}");
    assert_orderly(arguments, output);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{arguments}: {said}"
    );
}
