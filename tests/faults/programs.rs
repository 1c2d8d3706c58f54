//! `kill -9` of the harness while programs of others run: no process is left, and no broken row.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use slidebench::harness::suite::Random;

use crate::command::{rows, slidebench};
use crate::steps::{number, seed};

/// A program that starts others, one of which leaves its parent and its session; both ways to call it.
/// The first board of `lines` is not recorded.
const FORKS: &str = r#"
(setsid sh -c 'sleep "$0" & sleep "$0"' "$1" &)
sleep "$1" &
if [ "$2" = lines ]; then while read -r board; do echo 99; done; else echo 99; fi
"#;

fn living(word: &str) -> usize {
    let lines = fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let has_word = |line: &Vec<u8>| {
        String::from_utf8_lossy(line)
            .split('\0')
            .any(|it| it == word)
    };
    lines.filter(has_word).count()
}

fn assert_gone(word: &str) {
    let since = Instant::now();
    while living(word) > 0 && since.elapsed() < Duration::from_secs(20) {
        sleep(Duration::from_millis(2));
    }
    assert_eq!(living(word), 0, "processes are left");
}

fn write_definition(folder: &Path, mode: &str, word: &str) {
    fs::write(folder.join("forks.sh"), FORKS).unwrap();
    let command = format!("command = [\"sh\", \"forks.sh\", \"{word}\", \"{mode}\"]");
    let text = format!("{command}\nmode = \"{mode}\"\nboard = \"stdin\"\nanswer = \"cost\"\n");
    fs::write(folder.join("forks.toml"), text).unwrap();
}

/// `SLIDEBENCH_KILLS` says how often; the seed is that of all faults.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn kills_of_harnesses() {
    let kills = number("SLIDEBENCH_KILLS").unwrap_or(10);
    let (mut killed, mut kept) = (0, 0);
    // Some runs end before they are killed.
    for kill in 0.. {
        if killed == kills {
            break;
        }
        let mut random = Random::new(seed() ^ kill << 32);
        let folder = tempfile::tempdir().unwrap();
        let word = format!("61.{:06}{kill}", std::process::id());
        let mode = *random.choose(&["process", "lines"]);
        write_definition(folder.path(), mode, &word);
        let jobs = 1 + random.below(2);
        let groups = *random.choose(&["auto", "never"]);
        let run =
            format!("run smoke --filter 1-9 -o o.csv --resume --jobs {jobs} --solver forks.toml");
        let mut command = slidebench(folder.path(), &run);
        command.env("SLIDEBENCH_CONTROL_GROUPS", groups);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_micros(random.below(120_000) as u64));
        child.kill().unwrap();
        killed += u64::from(child.wait().unwrap().code().is_none());
        assert_gone(&word);
        let file = folder.path().join("o.csv");
        let text = fs::read_to_string(&file).unwrap_or_default();
        kept += text.lines().count().saturating_sub(1);
        // The rest is run without a fault, and no row is there twice. A process that had not become the
        // program yet may hold the lock of the file until it is gone as well.
        let since = Instant::now();
        let output = loop {
            let output = slidebench(folder.path(), &run).output().unwrap();
            let is_locked = String::from_utf8_lossy(&output.stderr).contains("is being written");
            if !is_locked || since.elapsed() > Duration::from_secs(20) {
                break output;
            }
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(0),
            "seed {}, kill {kill}: {said}",
            seed()
        );
        assert_eq!(rows(&file).len(), 9, "seed {}, kill {kill}", seed());
        assert_gone(&word);
    }
    eprintln!("kills_of_harnesses: {killed} processes killed");
    eprintln!("kills_of_harnesses: {kept} rows were there, none broken; no process was left");
}
