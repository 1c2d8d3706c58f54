//! docs/reliability.md names tests that are there.

use std::fs;
use std::path::Path;

/// The texts of all Rust files below a folder.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => text += &sources(&path),
            false if path.extension().is_some_and(|ending| ending == "rs") => {
                text += &fs::read_to_string(&path).unwrap();
            }
            false => {}
        }
    }
    text
}

#[test]
fn every_promise_has_its_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let faults = sources(&root.join("tests/faults"));
    let page = include_str!("../../docs/reliability.md");
    let mut named = 0;
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let names = line.rsplit_once(" | ").map_or("", |(_, names)| names);
        for name in names.split('`').skip(1).step_by(2) {
            let (text, function) = match name.split_once("::") {
                Some((file, function)) => {
                    let folders = ["tests/it", "crates/core/tests/it"].iter();
                    let mut files =
                        folders.map(|folder| root.join(folder).join(format!("{file}.rs")));
                    let text = files.find_map(|file| fs::read_to_string(file).ok());
                    (text.expect(name), function)
                }
                None => (faults.clone(), name),
            };
            // A whole file is named by its name alone.
            let is_there = function.is_empty() || text.contains(&format!("fn {function}()"));
            assert!(is_there, "{name} is no test");
            named += 1;
        }
    }
    assert!(named > 30, "{named}");
}
