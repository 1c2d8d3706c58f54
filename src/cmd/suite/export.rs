//! `slidebench suite export`: the boards of a suite for other programs.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cmd::args::goal::GoalArg;
use crate::cmd::args::suites::read_suites;
use crate::cmd::terminal::message;
use crate::cmd::terminal::output::{refuse_other_than, replace_page};
use crate::cmd::{Exit, UsageError};
use crate::harness::humanize::counted;
use crate::harness::suite::{
    Asked, Filter, Instance, PDDL_MARK, Suite, pddl_domain, pddl_problem, pddl_word,
};
use crate::puzzle::{Costs, Metric, Size};

/// Write the boards of a suite as planning problems: a domain, and a problem for each board.
///
/// Plans have as many actions as solutions have moves.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// A built-in suite or a file; - is stdin.
    #[arg(value_name = "SUITE")]
    suite: PathBuf,

    /// Write domain.pddl and the problems into this folder; an earlier export is replaced.
    #[arg(long, required = true, value_name = "DIRECTORY")]
    pddl: PathBuf,

    /// Only these instances: 1-5,12, or by known length, optimal:40-50.
    #[arg(long)]
    filter: Option<Filter>,

    /// What boards are to become, against what the suite says: first, last, spiral, snake, columns,
    /// or a board.
    #[arg(long)]
    goal: Option<GoalArg>,

    /// ROWSxCOLS, where boards do not show it.
    #[arg(long)]
    size: Option<Size>,
}

pub fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let asked = Asked {
        goal: (args.goal.as_ref())
            .map(|goal| goal.read(args.size))
            .transpose()?,
        size: args.size,
        ..Asked::default()
    };
    let suite = read_suites(std::slice::from_ref(&args.suite), asked)?.remove(0);
    if suite.metric != Metric::Single || suite.costs != Costs::Unit {
        let message =
            "the domain moves one tile at a time, at the same cost; export suites of such moves";
        return Err(UsageError(message.to_owned()).into());
    }
    let files = files(args, &suite)?;
    let folder = &args.pddl;
    for (name, _) in &files {
        refuse_other_than(
            &folder.join(name),
            PDDL_MARK,
            "problem of slidebench",
            "--pddl",
        )?;
    }
    let cannot_make = || format!("cannot make {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_make)?;
    for (name, text) in &files {
        replace_page(&folder.join(name), text)?;
    }
    tell(folder, files.len() - 1);
    Ok(Exit::Done)
}

/// The domain and the problems, with the names of their files.
fn files(args: &ExportArgs, suite: &Suite) -> anyhow::Result<Vec<(String, String)>> {
    let mut files = vec![("domain.pddl".to_owned(), pddl_domain())];
    let mut taken = HashSet::from(["domain.pddl".to_owned()]);
    let is_chosen = |instance: &&Instance| {
        let filter = args.filter.as_ref();
        filter.is_none_or(|filter| filter.passes(instance))
    };
    for instance in suite.instances.iter().filter(is_chosen) {
        let plain = pddl_word(&instance.name);
        let mut name = format!("{plain}.pddl");
        // Two names may differ in nothing but what a file's name leaves out.
        for number in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            name = format!("{plain}-{number}.pddl");
        }
        files.push((name, pddl_problem(suite, instance)));
    }
    match files.len() {
        1 => Err(UsageError("no instance is left after --filter".to_owned()).into()),
        _ => Ok(files),
    }
}

fn tell(folder: &Path, problems: usize) {
    let problems = counted(problems, "problem");
    message::tell(&format!("{}: domain.pddl and {problems}", folder.display()));
}
