//! Runs a suite with two heuristics into rows, and sums them up.
//!
//! ```console
//! $ cargo run --release --example run_suite
//! ```

use std::collections::HashMap;
use std::error::Error;
use std::sync::atomic::AtomicBool;

use slidebench::harness::analysis::Summary;
use slidebench::harness::record::{JournalError, Recorded, Row};
use slidebench::harness::run::{Choices, Plan, PlanTables, Ready, RunOptions, run_plan};
use slidebench::harness::suite::built_in;
use slidebench::heuristic::{HeuristicName, Tables};
use slidebench::lookup::{BuildControl, Directory};
use slidebench::search::Limits;

fn main() -> Result<(), Box<dyn Error>> {
    let smoke = built_in("smoke").ok_or("there is no such suite")?.suite();
    let choices = Choices {
        heuristics: HeuristicName::list("md,lc")?,
        ..Choices::default()
    };
    let plan = Plan::new(vec![smoke], choices.contenders(), 1, None);

    // Tables are opened or built before the first clock starts.
    let tables = Tables::new(Directory::new("pdb"));
    let tables = PlanTables::prepare(&plan, None, &tables, &BuildControl::default())?;
    let ready = Ready::new(&plan, &tables)?;

    let cancel = AtomicBool::new(false);
    let options = RunOptions::new(Limits::default(), &cancel);
    let mut rows: Vec<Row> = Vec::new();
    let mut record = |recorded: Recorded<'_>| -> Result<(), JournalError> {
        if let Recorded::Run(row) = recorded {
            let (cost, nodes) = (row.cost.unwrap_or_default(), row.generated.unwrap_or(0));
            println!(
                "{:>8} {}: {cost:>3} moves, {nodes} nodes",
                row.instance, row.heuristic
            );
            rows.push(row.clone());
        }
        Ok(())
    };
    run_plan(
        &ready,
        &plan.runs,
        &HashMap::new(),
        &options,
        &|_| {},
        &mut record,
    )?;

    let summary = Summary::new(&rows, &plan.suites);
    println!("{} rows, {} wrong", rows.len(), summary.wrong());
    Ok(())
}
