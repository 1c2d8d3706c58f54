//! `slidebench solve` as a user sees it.

use std::process::Command;

#[test]
fn what_it_prints() {
    trycmd::TestCases::new().case("tests/cmd/solve/*.trycmd");
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let slidebench = env!("CARGO_BIN_EXE_slidebench");
    let command = format!("{slidebench} man | head -1; exit ${{PIPESTATUS[0]}}");
    let output = Command::new("bash")
        .args(["-c", &command])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn completions_are_made_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let slidebench = env!("CARGO_BIN_EXE_slidebench");
        let output = Command::new(slidebench)
            .args(["completions", shell])
            .output()
            .unwrap();
        assert!(output.status.success());
        let script = String::from_utf8_lossy(&output.stdout);
        assert!(script.contains("course"));
        if shell != "elvish" && shell != "powershell" {
            for value in [
                "bibfs", "pdb:7-8", "korf24", "batched", "fsm:12", "first", "jsonl", "puz", "cpu",
            ] {
                let value = if shell == "zsh" {
                    value.replace(':', "\\:")
                } else {
                    value.to_owned()
                };
                assert!(script.contains(&value), "{shell}: {value}");
            }
        }
    }
}

/// As a shell asks for them; suites are names or files.
#[cfg(unix)]
#[test]
fn bash_completes_values() {
    let slidebench = env!("CARGO_BIN_EXE_slidebench");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kor.csv"), "").unwrap();
    for (words, expected) in [
        ("run ko", "korf100 korf24 kor.csv"),
        ("run smoke --list ko", "korf100 korf24 kor.csv"),
        ("suite show ko", "korf100 korf24 kor.csv"),
        ("solve --moves n", "numbers"),
        ("board 123456789ABCDEF. --as p", "puz"),
        ("compare a.csv b.csv --by c", "cpu"),
    ] {
        let ask = format!(
            "source <('{slidebench}' completions bash)
             COMP_WORDS=(slidebench {words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
             read -ra registered <<< \"$(complete -p slidebench)\"
             while [ \"${{registered[0]}}\" != -F ]; do registered=(\"${{registered[@]:1}}\"); done
             \"${{registered[1]}}\" slidebench \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"
             echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash");
        let output = bash.args(["-c", &ask]).current_dir(&folder).output();
        assert_eq!(
            String::from_utf8_lossy(&output.unwrap().stdout).trim(),
            expected,
            "{words}"
        );
    }
}

/// What a shell that is installed prints; `None` of another.
#[cfg(unix)]
fn asked(folder: &std::path::Path, shell: &str, script: &str) -> Option<String> {
    let is_there = Command::new(shell).arg("--version").output().is_ok();
    let mut command = Command::new("timeout");
    let command = command.args(["60", shell, "-c", script]);
    is_there.then(|| {
        let output = command.current_dir(folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    })
}

/// Likewise fish, and zsh on a terminal of its own.
#[cfg(unix)]
#[test]
fn fish_and_zsh_complete_suites_by_name_and_file() {
    let slidebench = env!("CARGO_BIN_EXE_slidebench");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kor.csv"), "").unwrap();
    // Behind such a list zsh offers no flags.
    let script = Command::new(slidebench)
        .args(["completions", "zsh"])
        .output();
    let script = script.unwrap().stdout;
    assert!(!String::from_utf8(script).unwrap().contains("\n'*::"));
    for words in [
        "run ko",
        "run smoke --list ko",
        "suite show ko",
        "suite export ko",
    ] {
        let fish =
            format!("{slidebench} completions fish | source; complete -C 'slidebench {words}'");
        let zsh = format!(
            "zmodload zsh/zpty
             zpty shell zsh -f -i
             zpty -w shell \"PROMPT=; stty -echo cols 200; autoload -Uz compinit; compinit -u -D
             source <({slidebench} completions zsh); bindkey '^I' list-choices; print BEGUN\"
             zpty -r -m shell begun '*BEGUN*'
             zpty -w -n shell 'slidebench {words}'$'\\t'
             zpty -r -m shell answer '*korf24*'
             print -r -- $answer"
        );
        for (shell, script) in [("fish", fish), ("zsh", zsh)] {
            let Some(offered) = asked(folder.path(), shell, &script) else {
                eprintln!("there is no {shell} to ask");
                continue;
            };
            for name in ["kor.csv", "korf100", "korf24"] {
                assert!(offered.contains(name), "{shell} {words}: {offered}");
            }
        }
    }
}

#[test]
fn the_manual_has_the_flags_of_every_command() {
    let slidebench = env!("CARGO_BIN_EXE_slidebench");
    let output = Command::new(slidebench).arg("man").output().unwrap();
    let manual = String::from_utf8(output.stdout).unwrap();
    for flag in ["--heuristic", "--node-limit", "--nographics", "--revisit"] {
        assert!(manual.contains(&flag.replace('-', "\\-")), "{flag}");
    }
    for section in [
        "EXAMPLES",
        "\"EXIT STATUS\"",
        "\"slidebench course driver\"",
    ] {
        assert!(manual.contains(&format!("\n.SH {section}\n")), "{section}");
    }
    assert!(!manual.contains("(1)"), "it names a page that there is not");
}

#[test]
fn a_board_is_a_board_even_where_a_file_has_its_name() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("A.CB"), "ABC.").unwrap();
    std::fs::write(dir.path().join("board"), "ABC.").unwrap();
    for (argument, board) in [("A.CB", "1 0 3 2"), ("board", "1 2 3 0")] {
        let output = Command::new(env!("CARGO_BIN_EXE_slidebench"))
            .args(["solve", argument])
            .current_dir(&dir)
            .output()
            .unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(told.lines().next().unwrap(), format!("board      {board}"));
    }
}

/// Pipes and devices are read like files.
#[test]
fn a_board_comes_from_everything_that_can_be_read() {
    for argument in ["-", "/dev/stdin", "<(cat)"] {
        let slidebench = env!("CARGO_BIN_EXE_slidebench");
        let command = format!("echo A.CB | {slidebench} solve {argument}");
        let output = Command::new("bash")
            .args(["-c", &command])
            .output()
            .unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(
            told.starts_with("board      1 0 3 2\n"),
            "{argument}: {told}"
        );
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn progress_is_plain_lines_where_stderr_is_no_terminal() {
    let board = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1";
    let lines = |when| {
        let output = Command::new(env!("CARGO_BIN_EXE_slidebench"))
            .args(["solve", board, "-H", "md", "--time-limit", "1500ms"])
            .args(["--progress", when])
            .output()
            .unwrap();
        assert!(output.status.success());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.lines().all(|line| line.starts_with("threshold ")));
        told.lines().count()
    };
    // At once, because each takes as long as its limit.
    let [always, auto, never] = std::thread::scope(|scope| {
        let started = ["always", "auto", "never"].map(|when| scope.spawn(move || lines(when)));
        started.map(|it| it.join().unwrap())
    });
    assert!((1..=2).contains(&always));
    assert_eq!((auto, never), (0, 0));
}

#[test]
fn what_was_read_cannot_steer_the_terminal() {
    let output = Command::new(env!("CARGO_BIN_EXE_slidebench"))
        .args(["solve", "1", "2", "\u{1b}[31m", "0"])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("'\\u{1b}' is not a tile"), "{told}");
}

#[test]
fn a_full_stdout_is_a_failure() {
    let commands = [
        "solve A.CB",
        "course succ A.CB",
        "man",
        "--help",
        "--version",
    ];
    for arguments in commands {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_slidebench"))
            .args(arguments.split(' '))
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            told.starts_with("slidebench: cannot write stdout: "),
            "{arguments}: {told}"
        );
    }
}

#[test]
fn a_full_disk_is_told_with_the_file() {
    let slidebench = env!("CARGO_BIN_EXE_slidebench");
    let arguments = ["solve", "A.CB", "--output", "/dev/full"];
    let output = Command::new(slidebench).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.starts_with("slidebench: cannot write /dev/full: "),
        "{told}"
    );
}
