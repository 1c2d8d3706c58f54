//! Notes the revision and the compiler that the program is built from.

use std::env;
use std::process::Command;

fn main() {
    let revision = said("git", &["describe", "--always", "--dirty"]);
    let rustc = said(&env::var("RUSTC").unwrap_or_default(), &["--version"]);
    println!("cargo::rustc-env=SLIDEBENCH_REVISION={}", known(revision));
    println!("cargo::rustc-env=SLIDEBENCH_RUSTC={}", known(rustc));
    // The log of HEAD grows with every commit and checkout; sources are what makes a tree dirty.
    if let Some(log) = said("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    for path in ["src", "crates", "benchmarks", "Cargo.toml", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// What a command prints, `None` where it fails: sources from an archive have no repository.
fn said(command: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(command).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn known(text: Option<String>) -> String {
    text.unwrap_or_else(|| "unknown".to_owned())
}
