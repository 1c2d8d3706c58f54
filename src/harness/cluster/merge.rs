//! Shards put together: one file of rows, in the order of the plan.
//!
//! What a shard is a part of, its sidecar says. Rows are only put together if they could have
//! been made by one process on one machine: one plan, one version, the same limits, the same
//! tables; and if every run is there once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::time::Duration;

use crate::harness::record::{
    PlanRecord, Row, SearchRecord, Session, ShardRecord, Sidecar, is_final, latest,
};
use crate::harness::run::{Planned, runs};
use crate::puzzle::excerpt;
use crate::search::Limits;

/// The rows of one process, and its sidecar.
#[derive(Clone, Debug)]
pub struct ShardFile {
    /// What it is called in messages.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What is written beside them.
    pub sidecar: Sidecar,
}

/// All shards that are there, as one.
#[derive(Clone, Debug)]
pub struct Merged {
    /// One for each run, in the order of the plan.
    pub rows: Vec<Row>,
    /// What is written beside them.
    pub sidecar: Sidecar,
    /// What no file has.
    pub missing: Missing,
}

/// What is not there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Missing {
    /// Shards without a file, and how many there should be.
    pub shards: Vec<usize>,
    /// How many runs there should be.
    pub of: usize,
    /// Shards whose file ends before their part of the plan does.
    pub unfinished: Vec<usize>,
    /// All runs without a row that says what came of them.
    pub runs: Vec<String>,
}

/// What all shards of a plan have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The program, by version and revision.
    Version,
    /// How many shards there are.
    Shards,
    /// The time that each run has.
    TimeLimit,
    /// The nodes that each run has.
    NodeLimit,
    /// The memory that each run has.
    MemoryLimit,
    /// The time for all runs of a process.
    TotalTime,
    /// The engines of IDA* that are asked for.
    Engines,
    /// The pruning of IDA* that is asked for.
    Prunings,
    /// Runs side by side.
    Jobs,
    /// Runs before the first one that is recorded.
    Warmup,
    /// The names of the suites.
    Suites,
    /// The instances of the suite with that name.
    Instances(String),
    /// The algorithms, as they were asked for.
    Algorithms,
    /// The heuristics, as they were asked for.
    Heuristics,
    /// The configurations, with all that tells them apart.
    Searches,
    /// How often each instance is run.
    Repeat,
    /// What shuffled the runs.
    Seed,
    /// The fingerprint of the plan: all that has no fact of its own.
    Plan,
    /// The checksum of the table with that name.
    Table(String),
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fact::Version => "version",
            Fact::Shards => "number of shards",
            Fact::TimeLimit => "time limit",
            Fact::NodeLimit => "node limit",
            Fact::MemoryLimit => "memory limit",
            Fact::TotalTime => "time for all runs",
            Fact::Engines => "engines",
            Fact::Prunings => "pruning",
            Fact::Jobs => "runs side by side",
            Fact::Warmup => "runs to warm up",
            Fact::Suites => "suites",
            Fact::Instances(suite) => return write!(f, "instances of {suite}"),
            Fact::Algorithms => "algorithms",
            Fact::Heuristics => "heuristics",
            Fact::Searches => "searches",
            Fact::Repeat => "repeats",
            Fact::Seed => "seed",
            Fact::Plan => "the boards of their plans, or what is known of them",
            Fact::Table(name) => return write!(f, "table {name}"),
        })
    }
}

/// Two files that differ in what all shards have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What they differ in.
    pub fact: Fact,
    /// The first file.
    pub first: String,
    /// The second file.
    pub second: String,
    /// What the first one says.
    pub one: String,
    /// What the second one says.
    pub other: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            fact,
            first,
            second,
            one,
            other,
        } = self;
        write!(
            f,
            "{first} and {second} differ in {fact}: {one}, {other}; shards of one plan have the same"
        )
    }
}

/// Why shards are not parts of one whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// No file.
    #[error("there is nothing to merge; expected the files of shards")]
    Nothing,
    /// A file that says of no shard.
    #[error("{0} is no shard: its sidecar names none")]
    NoShard(String),
    /// A plan that nobody can have run.
    #[error("{0} names more runs than a plan can have; its sidecar was changed")]
    TooManyRuns(String),
    /// Two files of different plans.
    #[error("{0}")]
    Differ(Box<Difference>),
    /// A run that two files have.
    #[error("{run} is in {first} and in {second}{more}; each run belongs to one shard")]
    Doubled {
        /// The run.
        run: String,
        /// The first file.
        first: String,
        /// The second file.
        second: String,
        /// How many other runs are there twice.
        more: String,
    },
    #[error("{file} has a row of {run}, which is not in its plan")]
    /// A run that is not in the plan.
    Foreign {
        /// The file that has it.
        file: String,
        /// The run.
        run: String,
    },
}

/// Puts shards together; what is missing is for the caller to judge.
pub fn merge(files: &[ShardFile]) -> Result<Merged, MergeError> {
    let records = files.iter().map(record_of).collect::<Result<Vec<_>, _>>()?;
    let plan = &records.first().ok_or(MergeError::Nothing)?.plan;
    refuse_differences(files)?;
    if plan.runs().is_none() {
        return Err(MergeError::TooManyRuns(files[0].name.clone()));
    }
    let order = runs_of(plan);
    let places = Places::new(plan, &order);
    let mut found: Vec<Option<(&Row, usize)>> = vec![None; order.len()];
    let mut is_answered = vec![false; order.len()];
    let mut doubled = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let asked = limits(&file.sidecar.sessions[0], records[number]);
        for row in latest(&file.rows) {
            let own = places.of(row, &file.sidecar);
            let first = *own.first().ok_or_else(|| MergeError::Foreign {
                file: file.name.clone(),
                run: format!("{} {}", row.suite, row.instance),
            })?;
            let free = own.iter().find(|&&place| found[place].is_none());
            match (free, found[first]) {
                (Some(&place), _) if is_final(row, &asked) => {
                    found[place] = Some((row, number));
                    own.iter().for_each(|&place| is_answered[place] = true);
                }
                (None, Some((_, other))) => doubled.push((first, other, number)),
                _ => {}
            }
        }
    }
    if let Some(&(place, first, second)) = doubled.first() {
        return Err(MergeError::Doubled {
            run: name_of(plan, &order[place]),
            first: files[first].name.clone(),
            second: files[second].name.clone(),
            more: match doubled.len() - 1 {
                0 => String::new(),
                more => format!(", and {more} more are twice there"),
            },
        });
    }
    let absent = order.iter().zip(&is_answered).filter(|(_, is)| !**is);
    let absent = absent.map(|(run, _)| name_of(plan, run)).collect();
    // One process runs a search once, however many configurations come to it.
    let mut seen = HashSet::new();
    let rows = found.iter().flatten().map(|(row, _)| *row);
    let rows = rows.filter(|row| seen.insert(row.key()));
    let sessions = files.iter().flat_map(|file| file.sidecar.sessions.clone());
    Ok(Merged {
        rows: rows.cloned().collect(),
        missing: missing(&records, &found, absent),
        sidecar: Sidecar {
            sessions: sessions.collect(),
        },
    })
}

/// Which part of which plan a file is; all its sessions say the same, or are compared later.
fn record_of(file: &ShardFile) -> Result<&ShardRecord, MergeError> {
    let sessions = &file.sidecar.sessions;
    let record = sessions.first().and_then(|session| session.shard.as_ref());
    record
        .filter(|_| sessions.iter().all(|session| session.shard.is_some()))
        .ok_or_else(|| MergeError::NoShard(file.name.clone()))
}

/// The runs of a plan, in their order.
fn runs_of(plan: &PlanRecord) -> Vec<Planned> {
    let instances: Vec<usize> = plan.suites.iter().map(|it| it.instances.0.len()).collect();
    runs(&instances, plan.searches.len(), plan.repeat, plan.seed)
}

/// `korf100 17`, with what tells it from the other runs of the instance.
fn name_of(plan: &PlanRecord, run: &Planned) -> String {
    let suite = &plan.suites[run.suite];
    let mut name = format!("{} {}", suite.name, suite.instances.0[run.instance]);
    if plan.searches.len() > 1 {
        name += &format!(" ({})", plan.searches[run.configuration].asked);
    }
    if plan.repeat > 1 {
        name += &format!(" #{}", run.repeat);
    }
    name
}

/// Where each run is in the plan.
struct Places<'a> {
    instances: HashMap<(&'a str, &'a str), (usize, usize)>,
    runs: HashMap<Planned, usize>,
}

impl<'a> Places<'a> {
    fn new(plan: &'a PlanRecord, order: &[Planned]) -> Places<'a> {
        let mut instances = HashMap::new();
        for (number, suite) in plan.suites.iter().enumerate() {
            for (place, instance) in suite.instances.0.iter().enumerate() {
                instances.insert((&suite.name[..], &instance[..]), (number, place));
            }
        }
        let runs = order.iter().enumerate().map(|(place, run)| (*run, place));
        Places {
            instances,
            runs: runs.collect(),
        }
    }

    /// The places of a row; its file knows how rows name the searches of the plan.
    fn of(&self, row: &Row, sidecar: &Sidecar) -> Vec<usize> {
        let instance = self.instances.get(&(&row.suite[..], &row.instance[..]));
        let Some(&(suite, instance)) = instance else {
            return Vec::new();
        };
        let records = sidecar.sessions.iter().filter_map(|it| it.shard.as_ref());
        let configurations: BTreeSet<usize> = records
            .flat_map(|it| it.plan.configurations_of(row))
            .collect();
        let runs = configurations.into_iter().map(|configuration| Planned {
            suite,
            instance,
            configuration,
            repeat: row.repeat,
        });
        runs.filter_map(|run| self.runs.get(&run).copied())
            .collect()
    }
}

fn limits(session: &Session, record: &ShardRecord) -> Limits {
    Limits {
        time: session.time_limit_ns.map(Duration::from_nanos),
        nodes: session.node_limit,
        memory: record.asked_mem_limit_bytes,
    }
}

/// Every session of every file against the first, and every table against the first of its name.
fn refuse_differences(files: &[ShardFile]) -> Result<(), MergeError> {
    let mut first: Vec<(Fact, String, &str)> = Vec::new();
    for file in files {
        for session in &file.sidecar.sessions {
            for (fact, value) in facts(session) {
                match first.iter().find(|(known, ..)| *known == fact) {
                    None => first.push((fact, value, &file.name)),
                    Some((_, known, name)) if *known != value => {
                        return Err(MergeError::Differ(Box::new(Difference {
                            fact,
                            first: (*name).to_owned(),
                            second: file.name.clone(),
                            one: excerpt(known),
                            other: excerpt(&value),
                        })));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    Ok(())
}

/// What a session says about what all shards of a plan have in common.
fn facts(session: &Session) -> Vec<(Fact, String)> {
    fn message(value: Option<impl ToString>) -> String {
        value.map_or("none".to_owned(), |value| value.to_string())
    }
    let time = |limit: Option<u64>| {
        message(limit.map(|limit| humantime::format_duration(Duration::from_nanos(limit))))
    };
    let record = session.shard.as_ref();
    let asked_memory = record.and_then(|record| record.asked_mem_limit_bytes);
    let facts = [
        (
            Fact::Version,
            format!("{} ({})", session.version, session.revision),
        ),
        (Fact::Shards, message(record.map(|it| it.shard.count()))),
        (Fact::TimeLimit, time(session.time_limit_ns)),
        (Fact::NodeLimit, message(session.node_limit)),
        (Fact::MemoryLimit, message(asked_memory)),
        (Fact::TotalTime, time(session.total_time_ns)),
        (Fact::Engines, session.engines.join(",")),
        (Fact::Prunings, session.prunes.join(",")),
        (Fact::Jobs, session.jobs.to_string()),
        (Fact::Warmup, session.warmup.to_string()),
    ];
    let plan = record.map(|record| plan_facts(&record.plan));
    let tables = session.tables.iter();
    let tables = tables.map(|it| (Fact::Table(it.name.clone()), it.checksum.clone()));
    let facts = facts.into_iter().chain(plan.into_iter().flatten());
    facts.chain(tables).collect()
}

/// What a plan is, in words as far as there are any, and its fingerprint.
fn plan_facts(plan: &PlanRecord) -> Vec<(Fact, String)> {
    let each = |of: fn(&SearchRecord) -> &String| {
        let mut names: Vec<&str> = Vec::new();
        for name in plan.searches.iter().map(|search| of(search).as_str()) {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(",")
    };
    let suites: Vec<&str> = plan.suites.iter().map(|suite| &suite.name[..]).collect();
    let mut facts = vec![(Fact::Suites, suites.join(","))];
    facts.extend(plan.suites.iter().map(|suite| {
        let instances = suite.instances.to_string();
        (Fact::Instances(suite.name.clone()), instances)
    }));
    let seed = plan.seed.map_or("none".to_owned(), |seed| seed.to_string());
    facts.extend([
        (Fact::Algorithms, each(|search| &search.algorithm)),
        (Fact::Heuristics, each(|search| &search.heuristic)),
        (Fact::Searches, each(|search| &search.asked)),
        (Fact::Repeat, plan.repeat.to_string()),
        (Fact::Seed, seed),
        (Fact::Plan, plan.fingerprint.clone()),
    ]);
    facts
}

/// What is missing: `runs` are, and the shards they belong to have no file or too few rows.
fn missing(
    records: &[&ShardRecord],
    found: &[Option<(&Row, usize)>],
    runs: Vec<String>,
) -> Missing {
    let of = records[0].shard.count();
    // Each run is a shard's first before any gets a second: those behind have nothing to run.
    let with_runs = of.min(found.len());
    let has_file = |index: &usize| records.iter().any(|it| it.shard.index() == *index);
    let has = |file: usize| found.iter().flatten().filter(|(_, it)| *it == file).count();
    let files = records.iter().enumerate();
    let unfinished = files.filter(|(file, record)| has(*file) < record.runs);
    Missing {
        shards: (1..=with_runs).filter(|index| !has_file(index)).collect(),
        of,
        unfinished: unfinished.map(|(_, record)| record.shard.index()).collect(),
        runs,
    }
}
