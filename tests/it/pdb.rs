//! `slidebench pdb` as a user sees it, and what is left of builds that did not end well.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

#[test]
fn what_it_prints() {
    trycmd::TestCases::new().case("tests/cmd/pdb/*.trycmd");
}

fn slidebench(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slidebench"));
    command
        .args(arguments.split(' '))
        .env("SLIDEBENCH_PDB_DIR", folder);
    command
}

fn bash(folder: &Path, script: &str) -> Output {
    let script = script.replace("slidebench", env!("CARGO_BIN_EXE_slidebench"));
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).env("SLIDEBENCH_PDB_DIR", folder);
    bash.output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A limit on the size of files is a disk that fills up before its time.
#[test]
fn a_disk_that_fills_up_is_told_with_the_file_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 64; slidebench pdb build endgame:4x4:14";
    let output = bash(folder.path(), script);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    let path = folder.path().join("endgame-4x4-14.pdb");
    let expected = format!("slidebench: cannot write {}: ", path.display());
    assert!(told.starts_with(&expected), "{told}");
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_table_that_fits_no_disk_is_refused_before_it_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let output = slidebench(folder.path(), "pdb build endgame:5x5:60")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("slidebench: no room for "), "{told}");
    assert!(told.contains("endgame-5x5-60.pdb"), "{told}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: run cargo test --release")]
fn an_interrupted_build_leaves_nothing_and_a_killed_one_nothing_for_long() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["INT", "KILL"] {
        let script = format!(
            "slidebench pdb build endgame:4x4:26 --progress always 2>&1 |
             while read -r line; do
                 case $line in 'depth 1,'*) ;; 'depth '*) kill -{signal} \"$(cat $SLIDEBENCH_PDB_DIR/pid)\";; esac
             done"
        );
        let started = script.replacen(
            "slidebench",
            "{ echo $BASHPID >$SLIDEBENCH_PDB_DIR/pid; exec slidebench",
            1,
        );
        let started = started.replacen(" 2>&1 |", " 2>&1; } |", 1);
        bash(folder.path(), &started);
        fs::remove_file(folder.path().join("pid")).unwrap();
        assert!(names(folder.path()).is_empty(), "{signal}");
    }
    // What a builder that was killed while it wrote would leave.
    fs::write(folder.path().join(".x.pdb.1-0.slidetab-part"), "half").unwrap();
    let output = slidebench(folder.path(), "pdb build endgame:4x4:3").output();
    assert!(output.unwrap().status.success());
    assert_eq!(names(folder.path()), ["endgame-4x4-3.pdb"]);
}

#[test]
fn two_processes_build_the_same_table_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let build = || {
        slidebench(folder.path(), "pdb build endgame:4x4:16 --force")
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let builders = [build(), build(), build()];
    for mut builder in builders {
        assert!(builder.wait().unwrap().success());
    }
    assert_eq!(names(folder.path()), ["endgame-4x4-16.pdb"]);
    let output = slidebench(folder.path(), "pdb verify").output().unwrap();
    assert!(output.status.success());
}

/// It is not found when it is looked for.
#[test]
fn a_table_under_another_name_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let output = slidebench(folder.path(), "pdb verify").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("there is no table in"), "{told}");
    let built = slidebench(folder.path(), "pdb build endgame:4x4:3").output();
    assert!(built.unwrap().status.success());
    let path = |name| folder.path().join(name);
    fs::rename(path("endgame-4x4-3.pdb"), path("endgame-4x4-4.pdb")).unwrap();
    for command in ["pdb list", "pdb verify"] {
        let output = slidebench(folder.path(), command).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let expected = "endgame-4x4-4.pdb holds the 4x4 endgame to depth 3, which is looked for as \
                        endgame-4x4-3; rename it\n";
        assert!(
            output.status.success() && told.ends_with(expected),
            "{told}"
        );
    }
}

/// To open it would be to wait for a writer.
#[test]
fn a_pipe_is_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.pdb");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let output = slidebench(folder.path(), "pdb list").output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("there is no table in"), "{told}");
}

#[test]
fn advice_names_the_folder_and_the_file_that_were_given() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.txt");
    fs::write(&file, ".ABB/AABB/AABB/AABB\n").unwrap();
    let (folder, file) = (folder.path().display(), file.display());
    let flags = format!("--pdb-dir {folder} --partition-file {file}");
    let board = "OABCDEFGHIJKLMN.";
    let arguments = format!("solve {board} -H pdb:mine {flags}");
    let output = slidebench(Path::new("."), &arguments).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let command = format!("slidebench pdb build 4x4:mine {flags}\n");
    assert!(told.ends_with(&command), "{told}");
}

#[test]
fn damage_is_found_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments| slidebench(folder.path(), arguments).output().unwrap();
    assert!(run("pdb build endgame:4x4:8").status.success());
    let path = folder.path().join("endgame-4x4-8.pdb");
    let mut bytes = fs::read(&path).unwrap();
    bytes[5000] ^= 4;
    fs::write(&path, &bytes).unwrap();
    let output = run("pdb verify");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    let (shown, folder_shown) = (path.display(), folder.path().display());
    assert_eq!(
        told,
        format!(
            "slidebench: {shown}: its content is damaged: the checksum differs; build it again: slidebench pdb build endgame:4x4:8 --pdb-dir {folder_shown}\nslidebench: 1 of 1 tables cannot be used\n"
        )
    );
    bytes.truncate(4000);
    fs::write(&path, &bytes).unwrap();
    for arguments in [
        "pdb list",
        "pdb info endgame-4x4-8",
        "solve A.CB --endgame 8",
    ] {
        let output = run(arguments);
        let is_other = arguments.starts_with("solve");
        assert_eq!(output.status.success(), is_other, "{arguments}");
    }
    let board = "slidebench solve ABCDEFGHIJKLMNO. --endgame 8";
    let output = bash(folder.path(), board);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("it ends after 4000 bytes"), "{told}");
}

/// Tables whose folder was moved, of a partition with a name, one of the user's own, and a file that
/// is no table: the command that each message names mends it.
#[test]
fn a_damaged_table_names_a_command_that_mends_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let words = arguments.split(' ');
        let mut command = Command::new(env!("CARGO_BIN_EXE_slidebench"));
        command.args(words).current_dir(folder.path());
        command.env_remove("SLIDEBENCH_PDB_DIR").output().unwrap()
    };
    for table in ["3x3:4-4", ".AAB/BBCC/CDDD", "endgame:3x3:6"] {
        let output = run(&format!("pdb build {table} --pdb-dir then"));
        assert!(output.status.success(), "{output:?}");
    }
    fs::rename(folder.path().join("then"), folder.path().join("now")).unwrap();
    let damaged = [
        ("pattern-3x3-1.2.3.4", "3x3:4-4 --pdb-dir now"),
        ("pattern-3x4-3.4.5", "3x4:.AAB/BBCC/CDDD --pdb-dir now"),
        ("endgame-3x3-6", "endgame:3x3:6 --pdb-dir now"),
        ("endgame-3x3-5", "endgame:3x3:5 --pdb-dir now --force"),
    ];
    for (name, command) in damaged {
        let path = folder.path().join(format!("now/{name}.pdb"));
        let mut bytes = fs::read(&path).unwrap_or(b"no table".to_vec());
        *bytes.last_mut().unwrap() ^= 4;
        fs::write(&path, &bytes).unwrap();
        let verify = format!("pdb verify {name} --pdb-dir now");
        let told = String::from_utf8(run(&verify).stderr).unwrap();
        let hint = format!("build it again: slidebench pdb build {command}\n");
        assert!(told.contains(&hint), "{told}");
        assert!(run(&format!("pdb build {command}")).status.success());
        assert!(run(&verify).status.success(), "{command}");
    }
    fs::write(folder.path().join("now/mine.pdb"), "no table").unwrap();
    let told = String::from_utf8(run("pdb list --pdb-dir now").stderr).unwrap();
    assert!(told.contains("no table has this name; move it"), "{told}");
}
