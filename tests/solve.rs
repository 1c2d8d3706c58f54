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
        assert!(String::from_utf8_lossy(&output.stdout).contains("course"));
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
