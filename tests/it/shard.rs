//! Shards: every run of a plan in exactly one of them, everywhere the same, and balanced.

use std::fs;

use proptest::prelude::*;
use slidebench::harness::cluster::{SlurmError, part_of, slurm_shard};
use slidebench::harness::record::{Shard, Status};
use slidebench::harness::run::{Choices, Plan, Planned};
use slidebench::harness::suite::{Asked, Suite, built_in, parse_suite};
use slidebench::heuristic::HeuristicName;
use slidebench::search::{Algorithm, EngineChoice, Pruning};

use crate::command::{rows, run, slidebench, timeless};

/// A plan of some boards with what is known of them, each so often.
fn plan(known: &[(Option<u32>, Option<u64>)], repeat: u32, seed: Option<u64>) -> Plan {
    let mut text = "instance,board,optimal,ida_md_generated\n".to_owned();
    for (number, (optimal, nodes)) in known.iter().enumerate() {
        let optimal = optimal.map_or(String::new(), |it| it.to_string());
        let nodes = nodes.map_or(String::new(), |it| it.to_string());
        text += &format!("{number},1 2 3 0,{optimal},{nodes}\n");
    }
    let suite = parse_suite("drawn", text.as_bytes(), Asked::default()).unwrap();
    plan_of(suite, repeat, seed)
}

fn plan_of(suite: Suite, repeat: u32, seed: Option<u64>) -> Plan {
    let choices = Choices {
        algorithms: vec![Algorithm::IdaStar, Algorithm::Bfs],
        heuristics: vec![HeuristicName::default()],
        threads: vec![1],
        engines: vec![EngineChoice::Auto],
        prunes: vec![Pruning::Off],
        ..Choices::default()
    };
    Plan::new(vec![suite], choices.contenders(), repeat, seed)
}

fn parts(plan: &Plan, count: usize) -> Vec<Vec<Planned>> {
    let shards = (1..=count).map(|index| Shard::new(index, count).unwrap());
    shards.map(|shard| part_of(plan, shard).runs).collect()
}

fn place(plan: &Plan, run: &Planned) -> usize {
    plan.runs.iter().position(|it| it == run).unwrap()
}

proptest! {
    #[test]
    fn shards_are_a_partition(
        known in prop::collection::vec(
            (prop::option::of(0..80u32), prop::option::of(0..10_000_000_000u64)), 1..60),
        count in 1..20usize, repeat in 1..4u32, seed in prop::option::of(any::<u64>())
    ) {
        let plan = plan(&known, repeat, seed);
        let parts = parts(&plan, count);
        let mut places = Vec::new();
        for part in &parts {
            let own: Vec<usize> = part.iter().map(|run| place(&plan, run)).collect();
            prop_assert!(own.is_sorted(), "a part is in the order of the plan");
            places.extend(own);
        }
        places.sort_unstable();
        prop_assert_eq!(places, (0..plan.runs.len()).collect::<Vec<_>>());
    }

    /// No shard has more than the mean and one run.
    #[test]
    fn shards_are_balanced(
        nodes in prop::collection::vec(0..10_000_000_000u64, 1..200), count in 1..20usize
    ) {
        let known: Vec<_> = nodes.iter().map(|&nodes| (None, Some(nodes))).collect();
        let plan = plan(&known, 1, None);
        // What a run takes besides its nodes.
        let cost = |run: &Planned| nodes[run.instance] + 100_000;
        let all: u64 = plan.runs.iter().map(cost).sum();
        let dearest = plan.runs.iter().map(cost).max().unwrap();
        for part in parts(&plan, count) {
            let own: u64 = part.iter().map(cost).sum();
            prop_assert!(own <= all / count as u64 + dearest);
        }
    }

    #[test]
    fn without_knowledge_shards_have_as_many_runs(instances in 1..100usize, count in 1..20usize) {
        let plan = plan(&vec![(None, None); instances], 1, None);
        let lengths: Vec<usize> = parts(&plan, count).iter().map(Vec::len).collect();
        prop_assert!(lengths.iter().max().unwrap() - lengths.iter().min().unwrap() <= 1);
    }
}

/// Published node counts of korf100, lengths of ladder4x4, counts of korf24 under another name.
#[test]
fn built_in_suites_are_balanced() {
    for (name, count) in [("korf100", 4), ("korf24", 4)] {
        let text = built_in(name).unwrap().text;
        let suite = parse_suite(name, text.as_bytes(), Asked::default()).unwrap();
        let plan = plan_of(suite, 1, None);
        let nodes = |run: &Planned| plan.instance(run).known_nodes.unwrap();
        let loads = parts(&plan, count);
        let loads: Vec<u64> = loads
            .iter()
            .map(|part| part.iter().map(nodes).sum())
            .collect();
        let (most, least) = (loads.iter().max().unwrap(), loads.iter().min().unwrap());
        assert!(most - least < most / 20, "{name}: {loads:?}");
    }
    let text = built_in("ladder4x4").unwrap().text;
    let suite = parse_suite("ladder4x4", text.as_bytes(), Asked::default()).unwrap();
    let longest = suite.instances.len() - 1;
    let plan = plan_of(suite, 1, None);
    let with_longest = parts(&plan, 8);
    let with_longest: Vec<_> = with_longest
        .iter()
        .filter(|part| part.iter().any(|run| run.instance >= longest - 3))
        .collect();
    assert_eq!(
        with_longest.len(),
        8,
        "the four longest, twice each, are apart"
    );
}

fn of_slurm(variables: &[(&str, &str)]) -> Result<Option<Shard>, SlurmError> {
    slurm_shard(|name| {
        let set = variables.iter().find(|(it, _)| *it == name);
        set.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn a_task_of_a_slurm_array_is_a_shard() {
    let array = |id, min, count, max, step| {
        of_slurm(&[
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_COUNT", count),
            ("SLURM_ARRAY_TASK_MAX", max),
            ("SLURM_ARRAY_TASK_STEP", step),
        ])
    };
    assert_eq!(array("1", "1", "4", "4", "1"), Ok(Shard::new(1, 4)));
    assert_eq!(array("3", "0", "4", "3", "1"), Ok(Shard::new(4, 4)));
    assert_eq!(array("14", "10", "3", "14", "2"), Ok(Shard::new(3, 3)));
    assert_eq!(of_slurm(&[]), Ok(None));
    assert_eq!(of_slurm(&[("SLURM_ARRAY_TASK_ID", "")]), Ok(None));
    // --array=1,5,6 has the numbers of no range.
    assert!(array("5", "1", "3", "6", "1").is_err());
    assert!(array("11", "10", "3", "14", "2").is_err());
    assert!(array("x", "1", "4", "4", "1").is_err());
    let told = of_slurm(&[("SLURM_ARRAY_TASK_ID", "1")]).unwrap_err();
    assert_eq!(told, SlurmError::Missing("SLURM_ARRAY_TASK_MIN"));
}

#[test]
fn shards_are_written_as_parts() {
    for wrong in ["", "0/4", "5/4", "1", "1/", "/4", "1/0", "a/b", "-1/4"] {
        assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
    }
    let shard: Shard = "2/4".parse().unwrap();
    assert_eq!(shard.to_string(), "2/4");
    let file = |path: &str| shard.file(path.as_ref()).to_string_lossy().into_owned();
    assert_eq!(file("a/all.csv"), "a/all.shard-2-of-4.csv");
    assert_eq!(file("all"), "all.shard-2-of-4");
}

/// Slurm names the shard, a requeued task goes on with its file, and does nothing twice.
#[test]
fn a_requeued_task_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let task = || {
        let mut command = slidebench(
            folder.path(),
            "run smoke -H md -o all.csv --max-memory 1GiB",
        );
        let variables = [("ID", "8"), ("MIN", "7"), ("COUNT", "3"), ("MAX", "9")];
        for (name, value) in variables {
            command.env(format!("SLURM_ARRAY_TASK_{name}"), value);
        }
        command.output().unwrap()
    };
    let first = task();
    assert!(first.status.success(), "{first:?}");
    let told = String::from_utf8(first.stderr).unwrap();
    assert!(told.contains("shard 2/3, by SLURM_ARRAY_TASK_ID"), "{told}");
    let file = folder.path().join("all.shard-2-of-3.csv");
    let whole = fs::read_to_string(&file).unwrap();
    let all = rows(&file);
    assert!((1..15).contains(&all.len()));
    assert!(all.iter().all(|row| row.status == Status::Solved));
    let half = whole.len() - whole.lines().last().unwrap().len() / 2;
    fs::write(&file, &whole[..half]).unwrap();
    assert!(task().status.success());
    let again = rows(&file);
    assert_eq!(again[..all.len() - 1], all[..all.len() - 1]);
    assert_eq!(timeless(again), timeless(all));
    let done = fs::read(&file).unwrap();
    assert!(task().status.success());
    assert_eq!(fs::read(&file).unwrap(), done);
    // A shard of another plan is another file's.
    let other = run(folder.path(), "run smoke -H lc --shard 2/3 -o all.csv");
    assert_eq!(other.status.code(), Some(2));
    assert_eq!(fs::read(&file).unwrap(), done);
}
