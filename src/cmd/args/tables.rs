//! Where tables are, as flags.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cmd::args::board::{MOST_BYTES, read};
use crate::cmd::terminal::build_progress::BuildProgress;
use crate::cmd::terminal::message;
use crate::cmd::terminal::progress::When;
use crate::cmd::{UsageError, advice, catch_interrupt};
use crate::harness::humanize::shell_word;
use crate::harness::run::{Configuration, Plan, PlanTables, SearchTables};
use crate::heuristic::{Estimate, HeuristicName, Prepared, Tables, TablesError, Usable};
use crate::lookup::endgame::EndgameName;
use crate::lookup::{BuildControl, Directory};
use crate::puzzle::{Metric, Rules, Size};
use crate::search::{Algorithm, Stop};

const DEFAULT_FOLDER: &str = "pdb";

/// The folder of tables, and partitions of the user's own.
#[derive(clap::Args)]
pub struct TableArgs {
    /// The folder of lookup tables.
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = DEFAULT_FOLDER,
        env = "SLIDEBENCH_PDB_DIR"
    )]
    pdb_dir: PathBuf,

    /// A partition drawn in this file, for -H pdb:NAME with the file's name without its ending.
    #[arg(long, value_name = "FILE")]
    partition_file: Option<PathBuf>,
}

impl TableArgs {
    pub fn directory(&self) -> Directory {
        Directory::new(&self.pdb_dir)
    }

    pub fn tables(&self) -> anyhow::Result<Tables> {
        let mut tables = Tables::new(self.directory());
        if let Some(file) = &self.partition_file {
            let shown = file.display();
            let bytes = read(file, MOST_BYTES, "no partition is that long")?;
            let text = String::from_utf8(bytes)
                .map_err(|_| UsageError(format!("the partition file {shown} is not text")))?;
            if text.trim().is_empty() {
                let example = ".ABB/AABB/AABB/AABB";
                return Err(UsageError(format!(
                    "the partition file {shown} is empty; draw a grid of letters, for example {example}"
                ))
                .into());
            }
            let name = file.file_stem().unwrap_or_default();
            tables.define(name.to_string_lossy().into_owned(), text);
        }
        Ok(tables)
    }

    /// Whether the partition, if it is not a name or a drawing, is in a file that is still there; a
    /// pipe is read once.
    pub fn can_be_read_again(&self) -> bool {
        self.partition_file
            .as_ref()
            .is_none_or(|file| file.is_file())
    }

    /// These flags, for a command that is to find the same tables.
    pub fn flags(&self) -> String {
        let mut flags = folder_flag(&self.pdb_dir);
        if let Some(file) = &self.partition_file {
            flags += &format!(" --partition-file {}", shell_word(&file.to_string_lossy()));
        }
        flags
    }
}

/// Tables that a search reads.
#[derive(clap::Args)]
pub struct SearchTableArgs {
    #[command(flatten)]
    tables: TableArgs,

    /// Do not compare the files of lookup tables with their checksums. A damaged one makes wrong
    /// answers.
    #[arg(long)]
    trust_tables: bool,
}

impl SearchTableArgs {
    /// Finds or builds the tables of a search, those in at most so much memory; `None` where the
    /// user did not wait for them.
    pub fn prepare(
        &self,
        search: &Configuration,
        endgame: Option<&EndgameName>,
        (size, rules): (Size, Rules),
        memory: Option<u64>,
        when: When,
    ) -> anyhow::Result<Option<SearchTables>> {
        let usable = Usable::under(&rules, size);
        refuse_what_does_not_hold(search, endgame, (&rules, usable))?;
        let prepared = self.watched(memory, when, |tables, control| {
            SearchTables::prepare(search, endgame, (size, usable), tables, control)
        })?;
        if let Some(prepared) = &prepared {
            let name = search.needed(usable);
            self.tell_how_to_keep(&name, size, &prepared.estimate);
        }
        Ok(prepared)
    }

    /// Finds or builds all tables of a plan, likewise.
    pub fn prepare_plan(
        &self,
        plan: &Plan,
        endgame: Option<&EndgameName>,
        memory: Option<u64>,
        when: When,
    ) -> anyhow::Result<Option<PlanTables>> {
        let prepared = self.watched(memory, when, |tables, control| {
            PlanTables::prepare(plan, endgame, tables, control)
        })?;
        for (name, size, estimate) in prepared.iter().flat_map(PlanTables::estimates) {
            self.tell_how_to_keep(name, size, estimate);
        }
        Ok(prepared)
    }

    /// The folder and the names, with no table opened.
    pub fn named(&self) -> anyhow::Result<Tables> {
        self.tables.tables()
    }

    /// Prepares tables with a line on stderr about those that take long. An interrupt is no
    /// failure.
    fn watched<T>(
        &self,
        memory: Option<u64>,
        when: When,
        prepare: impl FnOnce(&Tables, &BuildControl<'_>) -> Result<T, TablesError>,
    ) -> anyhow::Result<Option<T>> {
        let tables = self.tables.tables()?;
        let tables = tables.trusting(self.trust_tables).within(memory);
        let progress = BuildProgress::patient(when);
        let listener = |layer| progress.on_layer(layer);
        let control = BuildControl {
            cancel: Some(catch_interrupt()?),
            listener: Some(&listener),
        };
        let prepared = prepare(&tables, &control);
        progress.clear();
        match prepared {
            Ok(prepared) => Ok(Some(prepared)),
            Err(error) if error.is_cancelled() => Ok(None),
            Err(error) => Err(advice::of_tables(error, &self.flags())),
        }
    }

    /// Names the command that saves the next search from waiting, where the user has chosen what
    /// was built.
    fn tell_how_to_keep(&self, name: &HeuristicName, size: Size, prepared: &Prepared) {
        const LONG: Duration = Duration::from_secs(1);
        if *name == HeuristicName::Auto || prepared.time() < LONG {
            return;
        }
        let built = match prepared.estimate() {
            Estimate::WalkingDistance(walking) => {
                let built = walking.table().filter(|table| table.bits().is_built());
                built.map(|_| format!("wd:{size}"))
            }
            Estimate::Patterns(patterns) => {
                let mut tables = patterns.tables().iter();
                let is_built = tables.any(|table| table.bits().is_built());
                is_built.then(|| format!("{size}:{}", patterns.collection()))
            }
            Estimate::Zero | Estimate::Taxicab | Estimate::LinearConflict => None,
        };
        if let Some(built) = built {
            message::tell(&format!(
                "the tables took {:.1?} to build; slidebench pdb build {built}{} keeps them",
                prepared.time(),
                self.flags()
            ));
        }
    }

    /// The flags for a command that is to find the same tables.
    pub fn flags(&self) -> String {
        self.tables.flags()
    }
}

/// Refuses a table before it is built where it does not know the goal, or counts other moves. A
/// search from the goal goes to the board, whatever the goal is.
fn refuse_what_does_not_hold(
    search: &Configuration,
    endgame: Option<&EndgameName>,
    (rules, usable): (&Rules, Usable),
) -> Result<(), UsageError> {
    let algorithm = search.algorithm;
    let name = search.needed(usable);
    let what = match endgame {
        Some(_) if usable != Usable::All => "an endgame table".to_owned(),
        _ if usable.has(&name) => String::new(),
        _ => name.to_string(),
    };
    let message = match usable {
        Usable::Taxicab if !has_search(algorithm, rules) => {
            format!("{}, not with {algorithm}", advice::of_rules(rules))
        }
        Usable::Taxicab if !what.is_empty() => format!(
            "{what} counts moves of one tile, each of cost 1, and does not hold with {}; {}",
            advice::rules_flag(rules),
            advice::OF_VARIANTS
        ),
        Usable::Computed if !what.is_empty() && !algorithm.is_reverse() => format!(
            "{what} does not know this goal: {}; {}",
            Stop::OtherTarget,
            advice::OTHER_HEURISTIC
        ),
        _ => return Ok(()),
    };
    Err(UsageError(message))
}

fn has_search(algorithm: Algorithm, rules: &Rules) -> bool {
    match rules.metric {
        Metric::Multi => algorithm.has_metric_multi(),
        Metric::Single => algorithm.has_tile_costs(),
    }
}

/// The flag that names a folder of tables, if it has to be named.
pub fn folder_flag(folder: &Path) -> String {
    match folder == Path::new(DEFAULT_FOLDER) {
        true => String::new(),
        false => format!(" --pdb-dir {}", shell_word(&folder.to_string_lossy())),
    }
}
