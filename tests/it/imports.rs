//! The imports between modules, read from the sources: folders know only those before them, and no
//! modules of `harness` know each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of both packages with those that they may import, as ARCHITECTURE.md draws them.
const FOLDERS: [(&str, &[&str]); 10] = [
    ("sys", &[]),
    ("puzzle", &["sys"]),
    ("space", &["sys", "puzzle"]),
    ("lookup", &["sys", "puzzle"]),
    ("heuristic", &["sys", "puzzle", "lookup"]),
    ("search", &["sys", "puzzle", "lookup", "heuristic"]),
    (
        "harness",
        &["sys", "puzzle", "space", "lookup", "heuristic", "search"],
    ),
    (
        "course",
        &[
            "sys",
            "puzzle",
            "space",
            "lookup",
            "heuristic",
            "search",
            "harness",
        ],
    ),
    (
        "report",
        &[
            "sys",
            "puzzle",
            "space",
            "lookup",
            "heuristic",
            "search",
            "harness",
        ],
    ),
    (
        "cmd",
        &[
            "sys",
            "puzzle",
            "space",
            "lookup",
            "heuristic",
            "search",
            "course",
            "harness",
            "report",
        ],
    ),
];

/// A path in the code: `["crate", "puzzle", "Board"]`.
type Names = Vec<String>;

/// A module: where its file stands in its `src`, and what it says.
struct Module {
    /// From the crate's root.
    path: Names,
    /// What it imports for others: the last name of each, and what that is.
    doors: Vec<(String, Names)>,
    /// Every other path that it mentions.
    paths: Vec<Names>,
}

fn names(path: &str) -> Names {
    let names = path.split("::").map(str::trim);
    names.map(ToOwned::to_owned).collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and without its unit tests, which may import anything.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// What a tree of imports names: `a::{b, c::{self, d as e}}` is `a::b`, `a::c`, `a::c::d`.
fn leaves(tree: &str, before: &[String], found: &mut Vec<(String, Names)>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree.split_once('{') {
        let mut path = before.to_vec();
        path.extend(
            names(head.trim().trim_end_matches("::"))
                .into_iter()
                .filter(|it| !it.is_empty()),
        );
        let group = group.rsplit_once('}').expect("a group is closed").0;
        let (mut depth, mut start) = (0, 0);
        for (place, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    leaves(&group[start..place], &path, found);
                    start = place + 1;
                }
                _ => {}
            }
        }
        leaves(&group[start..], &path, found);
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut whole = before.to_vec();
        whole.extend(
            names(path)
                .into_iter()
                .filter(|it| it != "self" || before.is_empty()),
        );
        let last = whole.last().cloned().unwrap_or_default();
        let name = if name.is_empty() {
            last
        } else {
            name.trim().to_owned()
        };
        found.push((name, whole));
    }
}

/// Paths of two names and more, wherever they stand.
fn mentioned(code: &str) -> Vec<Names> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let words = code.split(|letter| !is_part(letter));
    let paths = words.filter(|word| word.contains("::"));
    paths.map(|path| names(path.trim_matches(':'))).collect()
}

/// What stands behind `use` in a line that begins an import, and whether it is one for others.
fn import(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start();
    let (line, is_door) = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => (rest.split_once(')')?.1, true),
        Some(rest) => (rest, true),
        None => (line, false),
    };
    Some((line.trim_start().strip_prefix("use ")?, is_door))
}

impl Module {
    fn read(src: &Path, file: &Path) -> Module {
        let path = file.strip_prefix(src).unwrap().with_extension("");
        let path = path.iter().map(|name| name.to_str().unwrap().to_owned());
        let path = path.filter(|name| !["mod", "lib", "main"].contains(&name.as_str()));
        let (mut doors, mut imports, mut rest) = (Vec::new(), Vec::new(), String::new());
        let code = code(file);
        let mut lines = code.lines();
        while let Some(line) = lines.next() {
            let Some((begin, is_door)) = import(line) else {
                rest.push_str(line);
                rest.push('\n');
                continue;
            };
            let mut tree = begin.to_owned();
            while !tree.ends_with(';') {
                tree.push_str(lines.next().expect("an import ends"));
            }
            let found = if is_door { &mut doors } else { &mut imports };
            leaves(tree.trim_end_matches(';'), &[], found);
        }
        let mut paths = mentioned(&rest);
        paths.extend(imports.into_iter().map(|(_, path)| path));
        Module {
            path: path.collect(),
            doors,
            paths,
        }
    }
}

/// All modules of the two packages. The names of their folders differ.
struct Modules(Vec<Module>);

impl Modules {
    fn read() -> Modules {
        let mut modules = Vec::new();
        for src in ["src", "crates/core/src"] {
            let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(src);
            let mut found = Vec::new();
            files(&src, &mut found);
            modules.extend(found.iter().map(|file| Module::read(&src, file)));
        }
        Modules(modules)
    }

    fn find(&self, path: &[String]) -> Option<&Module> {
        self.0.iter().find(|module| module.path == path)
    }

    /// A path from the crate's root, if it does not lead into another crate.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let mut begin = match first.as_str() {
            "crate" | "slidebench" | "slidebench_core" => Vec::new(),
            "self" => from.path.clone(),
            "super" => from.path.split_last()?.1.to_vec(),
            child => {
                let inner = [&from.path[..], &[child.to_owned()]].concat();
                self.find(&inner)?;
                inner
            }
        };
        let mut rest = rest.iter().peekable();
        while rest.next_if(|name| *name == "super").is_some() {
            begin.pop()?;
        }
        begin.extend(rest.cloned());
        Some(begin)
    }

    /// The module where something is defined: doors on the way are gone through.
    fn definition(&self, path: &[String]) -> Option<&Module> {
        let longest = (1..=path.len()).rev();
        let (length, module) =
            { longest }.find_map(|length| Some((length, self.find(&path[..length])?)))?;
        let behind = path.get(length).and_then(|name| {
            let door = module.doors.iter().find(|(door, _)| door == name);
            self.definition(&self.absolute(module, &door?.1)?)
        });
        Some(behind.unwrap_or(module))
    }

    /// The modules that one imports or mentions; what it only hands on is not among them.
    fn known_to(&self, module: &Module) -> BTreeSet<String> {
        let paths = module.paths.iter();
        let absolute = paths.filter_map(|path| self.absolute(module, path));
        let known = absolute.filter_map(|path| Some(self.definition(&path)?.path.join("::")));
        known
            .filter(|name| *name != module.path.join("::"))
            .collect()
    }
}

/// The first circle that is found, its first module once more at the end.
fn circle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk<'a>(
        graph: &'a BTreeMap<String, BTreeSet<String>>,
        at: &'a str,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<String>> {
        if let Some(begin) = way.iter().position(|module| *module == at) {
            let circle = way[begin..].iter().chain([&at]);
            return Some(circle.map(ToString::to_string).collect());
        }
        if !done.contains(at) {
            way.push(at);
            let known = graph.get(at).into_iter().flatten();
            let found = known.filter_map(|to| walk(graph, to, way, done)).next();
            if found.is_some() {
                return found;
            }
            way.pop();
            done.insert(at);
        }
        None
    }
    let mut done = BTreeSet::new();
    graph
        .keys()
        .find_map(|module| walk(graph, module, &mut Vec::new(), &mut done))
}

#[test]
fn folders_import_only_those_before_them() {
    let modules = Modules::read();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for module in modules.0.iter().filter(|module| !module.path.is_empty()) {
        let folder = module.path[0].as_str();
        let rule = FOLDERS.iter().find(|(name, _)| *name == folder);
        let (_, before) = rule.unwrap_or_else(|| panic!("{folder} is not in ARCHITECTURE.md"));
        seen.insert(folder);
        let doors = module.doors.iter().map(|(_, path)| path);
        for path in module.paths.iter().chain(doors) {
            let Some(to) = modules.absolute(module, path).filter(|to| !to.is_empty()) else {
                continue;
            };
            let is_folder = FOLDERS.iter().any(|(name, _)| *name == to[0]);
            if is_folder && to[0] != folder && !before.contains(&to[0].as_str()) {
                wrong.push(format!(
                    "{} imports {}",
                    module.path.join("::"),
                    to.join("::")
                ));
            }
        }
    }
    assert_eq!(seen.len(), FOLDERS.len(), "{seen:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn modules_of_the_harness_know_each_other_in_no_circle() {
    let modules = Modules::read();
    let harness = modules
        .0
        .iter()
        .filter(|it| it.path.first().is_some_and(|it| it == "harness"));
    let known = harness.map(|module| {
        let mut known = modules.known_to(module);
        known.retain(|name| name.starts_with("harness"));
        (module.path.join("::"), known)
    });
    let graph: BTreeMap<_, _> = known.collect();
    for (module, known) in &graph {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        println!("{module} → {}", known.join(", "));
    }
    let imports: usize = graph.values().map(BTreeSet::len).sum();
    assert!(
        graph.len() >= 20 && imports >= graph.len(),
        "imports are not read any more"
    );
    if let Some(circle) = circle(&graph) {
        panic!("{}", circle.join(" → "));
    }
    let mut folders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, known) in &graph {
        let folder = |module: &str| module.split("::").nth(1).map(ToOwned::to_owned);
        let Some(from) = folder(module) else { continue };
        let to = known.iter().filter_map(|to| folder(to));
        let to = to.filter(|to| *to != from).collect::<Vec<_>>();
        folders.entry(from).or_default().extend(to);
    }
    println!("{folders:#?}");
    if let Some(circle) = circle(&folders) {
        panic!("{}", circle.join(" → "));
    }
}

/// Cargo.toml builds no tests of the binary, and those of the library are built without the commands, so
/// there must be none that nobody runs.
#[test]
fn the_binary_has_no_unit_tests() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = vec![src.join("main.rs")];
    files(&src.join("cmd"), &mut found);
    for file in found {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("#[test]"), "{}", file.display());
    }
}

/// What the reading rests on, on a text of its own.
#[test]
fn imports_are_read_as_rust_reads_them() {
    let mut found = Vec::new();
    leaves("a::{b, c::{self, d as e}, f::*}", &[], &mut found);
    let found: Vec<_> = found
        .iter()
        .map(|(name, path)| (name.as_str(), path.join("::")))
        .collect();
    let expected = [
        ("b", "a::b"),
        ("c", "a::c"),
        ("e", "a::c::d"),
        ("*", "a::f::*"),
    ];
    assert_eq!(found, expected.map(|(name, path)| (name, path.to_owned())));
    assert_eq!(import("pub(crate) use a::b;"), Some(("a::b;", true)));
    assert_eq!(import("    use a::b;"), Some(("a::b;", false)));
    assert_eq!(import("user::b();"), None);
    let graph = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")];
    let graph = graph.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    let found = circle(&BTreeMap::from(graph)).unwrap();
    assert_eq!(found, ["b", "c", "b"]);
}
