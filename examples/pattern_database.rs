//! Builds pattern databases, keeps them in files, opens those, and searches with them.
//!
//! ```console
//! $ cargo run --release --example pattern_database
//! ```

use std::error::Error;

use slidebench::heuristic::{Estimate, Patterns};
use slidebench::lookup::{BuildControl, Collection, Directory, Pattern, PatternTable, build};
use slidebench::puzzle::{Board, Goal, Problem, Size};
use slidebench::search::{Control, Settings, solve};

fn main() -> Result<(), Box<dyn Error>> {
    let size: Size = "4x4".parse()?;
    let folder = std::env::temp_dir().join("slidebench-example");
    let directory = Directory::new(&folder);
    let collection = Collection::parse("6-6-3", size)?;
    let mut tables = Vec::new();
    for pattern in collection.patterns() {
        if PatternTable::open(&directory, &pattern)?.is_none() {
            build_file(&directory, &pattern)?;
        }
        let table = PatternTable::open(&directory, &pattern)?.ok_or("somebody removed the file")?;
        println!("pattern {pattern}: {} bytes", table.bits().as_ref().len());
        tables.push(table);
    }
    let patterns = Patterns::new(collection, tables, true);

    let board: Board = "14 13 15 7 / 11 12 9 5 / 6 . 2 1 / 4 8 10 3".parse()?;
    let problem = Problem::new(&board, Goal::First)?;
    let settings = Settings::idastar(Estimate::Patterns(&patterns));
    let outcome = solve(&problem, &settings, &Control::default());
    let (moves, stats) = (outcome.result?.moves.len(), outcome.stats);
    println!("{moves} moves, {} nodes, {:?}", stats.generated, stats.time);
    Ok(())
}

/// A file has its final name once it is whole.
fn build_file(directory: &Directory, pattern: &Pattern) -> Result<(), Box<dyn Error>> {
    let built = build(pattern, &BuildControl::default())?;
    let description = PatternTable::description(pattern, &built, "an example");
    directory.create(&description, &built.bits, &|| false)?;
    Ok(())
}
