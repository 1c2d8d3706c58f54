//! Suites: how they are read, filtered and made.

use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

use slidebench::harness::analysis::Summary;
use slidebench::harness::record::{Entrant, Row, RunFacts};
use slidebench::harness::suite::generate::{Kind, Ladder, radius, suite_text, uniform, walks};
use slidebench::harness::suite::{
    Asked, BUILT_IN, Filter, Instance, Random, Suite, built_in, nearest_names, parse_suite,
};
use slidebench::heuristic::{Estimate, Heuristic, LinearConflict};
use slidebench::puzzle::{Board, Costs, Goal, Metric, Packed, Problem, Wide};
use slidebench::search::{Algorithm, Control, Limits, Settings, WholeSpace, solve};

use crate::estimates::estimates;

fn parse(text: &str) -> Suite {
    parse_suite("test", text.as_bytes(), Asked::default()).unwrap()
}

#[test]
fn what_it_prints() {
    trycmd::TestCases::new().case("tests/cmd/suite/*.trycmd");
}

#[test]
fn the_built_in_suites_have_their_boards() {
    let counts = BUILT_IN.map(|suite| {
        let text = parse_suite(suite.name, suite.text.as_bytes(), Asked::default()).unwrap();
        let solvable = |instance: &Instance| instance.board.is_solvable(text.goal);
        assert!(text.instances.iter().all(solvable), "{}", suite.name);
        assert!(
            text.instances
                .iter()
                .all(|it| it.optimal.is_some() || it.best_known.is_some())
        );
        (suite.name, text.instances.len())
    });
    assert_eq!(counts[0], ("korf100", 100));
    assert_eq!(counts[1], ("korf24", 50));
    assert_eq!(counts[4], ("hardest3x3", 2));
    assert_eq!(counts[5], ("hardest4x4", 17));
    assert_eq!(counts[8], ("random63", 50));
}

/// Their boards are those of their seed, and what is known of them can be.
#[test]
fn the_suites_of_wide_boards_are_what_they_say() {
    for (name, size) in [
        ("random35", "6x6"),
        ("random48", "7x7"),
        ("random63", "8x8"),
    ] {
        let suite = built_in(name).unwrap().suite();
        let boards = |instances: &[Instance]| -> Vec<Board> {
            instances.iter().map(|instance| instance.board).collect()
        };
        let drawn = uniform(kind(size), 50, &mut Random::new(1));
        assert_eq!(boards(&suite.instances), boards(&drawn), "{name}");
        for instance in &suite.instances {
            let (best, board) = (instance.best_known.unwrap(), &instance.board);
            let state = Packed::<Wide>::new(board);
            let least = LinearConflict::new(board.size()).start(state);
            assert!(
                best >= least && (best - least).is_multiple_of(2),
                "{name} {}",
                instance.name
            );
        }
    }
}

/// A cost below the best known one is no mistake but news; with another goal nothing is known.
#[test]
fn a_better_cost_than_the_best_known_is_told() {
    let text =
        "# goal: last\ninstance,board,optimal,best_known\na,1 2 3 4 . 5 7 8 6,,4\nb,1 2 0 3,,1\n";
    let suite = parse(text);
    assert_eq!(suite.instances[0].best_known, Some(4));
    let (limits, settings) = (Limits::default(), Settings::new(Algorithm::IdaStar));
    let row = |instance: &Instance| {
        let problem = Problem::new(&instance.board, suite.goal).ok();
        let outcome = problem.map(|it| solve(&it, &settings, &Control::default()));
        let run = RunFacts {
            suite: "test",
            instance: &instance.name,
            board: &instance.board,
            rules: suite.goal.into(),
            entrant: Entrant::Search(&settings),
            limits: &limits,
            known_optimal: None,
            jobs: 1,
            repeat: 1,
            started_at: SystemTime::UNIX_EPOCH,
            tables: "",
        };
        Row::new(&run, outcome.as_ref())
    };
    let rows: Vec<Row> = suite.instances.iter().map(row).collect();
    let summary = Summary::new(&rows, std::slice::from_ref(&suite));
    let best_known = summary.groups[0].best_known.clone().unwrap();
    assert_eq!((best_known.runs, best_known.ratio), (2, 0.6));
    assert_eq!(
        best_known.better[0].to_string(),
        "a (2 moves, best known 4)"
    );
    assert_eq!(summary.wrong(), 0);
    let asked = Asked {
        goal: Some(Goal::First),
        ..Asked::default()
    };
    let other = parse_suite("test", text.as_bytes(), asked).unwrap();
    assert_eq!(other.instances[0].best_known, None);
}

/// A board on a line, whatever its notation; a file of rows is one board.
#[test]
fn a_bare_file_is_a_suite() {
    let suite = parse("# goal: first\nA.CB\n\n1,2,0,3\n[3, 1, 2, 0]\n1 2 3 / 4 5 .\n");
    let boards: Vec<String> = suite
        .instances
        .iter()
        .map(|i| i.board.to_string())
        .collect();
    assert_eq!(boards, ["1 0 3 2", "1 2 0 3", "3 1 2 0", "1 2 3 / 4 5 0"]);
    assert_eq!(suite.instances[3].name, "4");
    assert_eq!(suite.goal, Goal::First);
    let one = parse("1 2 3\n4 5 6\n7 0 8\n");
    assert_eq!((one.instances.len(), one.goal), (1, Goal::Last));
}

/// Another goal is another puzzle: what is known is not known of it.
#[test]
fn a_goal_of_the_callers_takes_the_known_answers_away() {
    let text = "# goal: first\ninstance,board,optimal,note\na,\"1,2,0,3\",5,x\nb,A.CB,,\n";
    let with = |goal| {
        let asked = Asked {
            goal,
            ..Asked::default()
        };
        parse_suite("test", text.as_bytes(), asked)
            .unwrap()
            .instances[0]
            .optimal
    };
    assert_eq!(with(None), Some(5));
    assert_eq!(with(Some(Goal::First)), Some(5));
    assert_eq!(with(Some(Goal::Last)), None);
}

/// A file that names no goal is for the one that its reader names.
#[test]
fn known_answers_without_a_goal_are_for_any() {
    let text = b"instance,board,optimal\na,A.CB,3\n";
    for goal in [Goal::First, Goal::Last] {
        let asked = Asked {
            goal: Some(goal),
            ..Asked::default()
        };
        let suite = parse_suite("test", text, asked).unwrap();
        assert_eq!((suite.goal, suite.instances[0].optimal), (goal, Some(3)));
    }
}

/// Broken files, each with the place and the first words of what is said about it.
const BROKEN: [(&str, &str); 11] = [
    ("", "1: there is no board"),
    ("# goal: first\n", "1: there is no board"),
    ("# goal: middle\nA.CB\n", "1: 'middle' is not a goal"),
    ("# size: 9\nA.CB\n", "1: '9' is not a size"),
    ("A.CB\nA.CC\n", "2:4: tile 3 appears twice"),
    (
        "A.CB\n\n1 2 3\n",
        "3:1: there are 3 cells and none is the gap",
    ),
    ("instance,board,optimal\n", "1: there is no board"),
    ("instance,board,optimal\n1,A.CB,x\n", "2: optimal is 'x'"),
    (
        "instance,board,optimal\n1,1,2,3,0,5\n",
        "2: the line has 6 fields where the header has 3",
    ),
    (
        "instance,board,optimal\n1,A.CB,\n# note\n2,A.CC,\n",
        "4: tile 3 appears twice",
    ),
    (
        "instance,board\n1,A.CB\n1,ABC.\n",
        "1: instance '1' is there twice",
    ),
];

#[test]
fn a_broken_line_is_told_with_its_place() {
    for (text, told) in BROKEN {
        let error = parse_suite("test", text.as_bytes(), Asked::default()).unwrap_err();
        assert!(error.to_string().starts_with(told), "{text:?}: {error}");
    }
    let error = parse_suite("test", b"A.CB\nA\xff\n", Asked::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("2:2: byte 0xff is not text"),
        "{error}"
    );
}

#[test]
fn filters_are_ranges_names_and_lengths() {
    let suite = parse("instance,board,optimal\n1,A.CB,5\n2,A.CB,6\n3,A.CB,\nx,A.CB,6\n");
    let passing = |filter: &str| {
        let filter: Filter = filter.parse().unwrap();
        let suite = filter.of(suite.clone());
        suite
            .instances
            .into_iter()
            .map(|i| i.name)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(passing("1-2"), "1 2");
    assert_eq!(passing("3,1"), "1 3");
    assert_eq!(passing("x,1"), "1 x");
    assert_eq!(passing("optimal:6"), "2 x");
    assert_eq!(passing("optimal:0-5,optimal:6-9"), "1 2 x");
    assert_eq!(passing("1-3,optimal:6"), "2");
    for wrong in ["", "1,,2", "optimal:x", "optimal:"] {
        assert!(wrong.parse::<Filter>().is_err(), "{wrong:?}");
    }
}

#[test]
fn names_are_found_by_their_neighbours() {
    assert_eq!(nearest_names("korf10")[0], "korf100");
    assert_eq!(nearest_names("Ladder4")[0], "ladder4x4");
    assert!(nearest_names("quux").is_empty());
}

fn kind(size: &str) -> Kind {
    Kind {
        size: size.parse().unwrap(),
        goal: Goal::First,
        metric: Metric::Single,
    }
}

/// The stream of random numbers is part of what a seed means: these boards never change.
#[test]
fn a_seed_gives_the_same_boards_in_every_version() {
    let boards = |instances: Vec<Instance>| {
        let boards = instances.iter().filter_map(|it| it.board.letters());
        boards.collect::<Vec<_>>().join(" ")
    };
    let drawn = boards(uniform(kind("4x4"), 2, &mut Random::new(1)));
    assert_eq!(drawn, "CNHJMEG.DOFBIAKL JDME.INCAKOGLFHB");
    let walked = boards(walks(kind("2x3"), 10, 2, &mut Random::new(1)));
    assert_eq!(walked, ".ADCEB .DCAEB");
}

/// All 360 solvable boards of 2x3 come up, about equally often.
#[test]
fn random_boards_are_uniform() {
    let drawn = uniform(kind("2x3"), 36_000, &mut Random::new(7));
    let mut counts = std::collections::HashMap::new();
    for instance in &drawn {
        assert!(instance.board.is_solvable(Goal::First));
        *counts.entry(instance.board).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 360);
    // Five standard deviations.
    assert!(counts.values().all(|&count| count.abs_diff(100) < 50));
}

/// Each rung has its length exactly, whichever estimate found it.
#[test]
fn a_rung_has_its_length_and_depends_on_no_estimate() {
    let with = |heuristic| {
        let settings = Settings {
            heuristic,
            ..Settings::new(Algorithm::IdaStar)
        };
        let mut ladder = Ladder::new(kind("4x4"), 3, 200);
        [0, 1, 8, 17, 26, 33].map(|length| {
            let found = ladder.rung(length, &settings, &Control::default());
            let board = found.unwrap().unwrap();
            let problem = Problem::new(&board, Goal::First).unwrap();
            let best = solve(
                &problem,
                &Settings::new(Algorithm::AStar),
                &Control::default(),
            );
            assert_eq!(best.result.unwrap().moves.len(), length);
            board
        })
    };
    let boards = with(Estimate::Taxicab);
    let stronger = &estimates(kind("4x4").size)[2..];
    assert_eq!(stronger.len(), 2);
    for &estimate in stronger {
        assert_eq!(boards, with(estimate), "{estimate}");
    }
    assert_eq!(HashSet::from(boards).len(), boards.len());
}

/// The radii are those of the published counts; where all boards are known, so is each count.
#[test]
fn radii_are_the_published_ones() {
    let mut farthest: HashMap<&str, (usize, Vec<usize>)> = HashMap::new();
    let published = include_str!("../data/layer_sizes.csv").lines();
    for line in published.filter(|line| !line.starts_with(['#', 's'])) {
        let fields: Vec<&str> = line.split(',').collect();
        let (depth, counts) = farthest.entry(fields[0]).or_default();
        *depth = fields[1].parse().unwrap();
        counts.push(fields[2].parse().unwrap());
    }
    for (size, (depth, counts)) in farthest.into_iter().filter(|(size, _)| *size != "5x5") {
        let kind = kind(size);
        let size = kind.size;
        assert_eq!(radius(kind), Some(depth), "{size}");
        if size.cells() <= 9 {
            let space = WholeSpace::new(size).unwrap();
            assert_eq!(space.radius(), depth);
            let found: Vec<usize> = (0..=depth).map(|depth| space.count(depth)).collect();
            assert_eq!(found, counts, "{size}");
        }
    }
    assert_eq!(radius(kind("3x2")), Some(21));
    assert_eq!(radius(kind("5x5")), None);
}

/// A ladder of a size whose boards are all known has boards of every length, for every goal with
/// its gap in a corner.
#[test]
fn a_small_ladder_reaches_the_farthest_boards() {
    for goal in [Goal::First, Goal::Last, Goal::Snake, Goal::Columns] {
        let kind = Kind {
            goal,
            ..kind("3x3")
        };
        let mut ladder = Ladder::new(kind, 1, 1);
        let settings = Settings::new(Algorithm::AStar);
        for length in [0, 1, 16, 30, 31] {
            let board = ladder.rung(length, &settings, &Control::default());
            let problem = Problem::new(&board.unwrap().unwrap(), goal).unwrap();
            let best = solve(&problem, &settings, &Control::default());
            assert_eq!(best.result.unwrap().moves.len(), length);
        }
        let beyond = ladder.rung(32, &settings, &Control::default());
        assert_eq!(beyond, Ok(None));
    }
}

#[test]
fn a_made_suite_is_read_as_it_was_made() {
    for size in ["3x3", "2x4"] {
        let suite = Suite {
            name: "test".to_owned(),
            goal: Goal::First,
            metric: Metric::Single,
            costs: Costs::Unit,
            instances: uniform(kind(size), 5, &mut Random::new(2)),
            split_for: None,
        };
        let text = suite_text(&suite, "a test");
        assert_eq!(parse(&text), suite);
    }
}
