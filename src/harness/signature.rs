//! A fixed small bench whose node total is the program's signature.
//!
//! Every search with every estimate on a few boards. The counts are the same on every machine;
//! a change that is not meant to change a search must not change them.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use crate::heuristic::{Estimate, Patterns, WalkingDistance};
use crate::lookup::{AbstractBoards, BuildControl, Collection};
use crate::puzzle::{Goal, Problem, Size, parse_board};
use crate::search::{Algorithm, Control, EngineChoice, Prune, Settings, solve};

/// One search of the bench.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    board: &'static str,
    settings: String,
    /// Of the solution.
    pub cost: usize,
    /// Nodes.
    pub generated: u64,
}

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signed {
            board,
            settings,
            cost,
            generated,
        } = self;
        write!(
            f,
            "{settings:<30} {board:<46} cost {cost:>2} generated {generated:>9}"
        )
    }
}

/// Which searches reach a board's goal in a moment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// All of them.
    All,
    /// All but depth-first, whose solution would be endless.
    Near,
    /// Those with an estimate.
    Informed,
}

const BOARDS: [(&str, Goal, Reach); 7] = [
    ("A.CB", Goal::Last, Reach::All),
    ("87643.152", Goal::Last, Reach::All),
    ("1 2 3 7 / 5 0 6 4 / 9 10 8 11", Goal::Last, Reach::Near),
    ("BECDAFOGI.JHMNLK", Goal::Last, Reach::Near),
    (
        "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
        Goal::First,
        Reach::Informed,
    ),
    (
        "5 11 6 9 4 13 12 0 8 2 15 10 1 7 3 14",
        Goal::First,
        Reach::Informed,
    ),
    ("ACGEJFBHD.LQMIWKUNRSPVXTO", Goal::Last, Reach::Informed),
];

/// The tables of the bench: the named partitions that are built in a moment.
fn patterns(size: Size) -> Option<&'static Patterns> {
    static PATTERNS: LazyLock<Vec<Patterns>> = LazyLock::new(|| {
        let partitions = [
            ("3x3", "4-4"),
            ("3x4", "6-5"),
            ("4x4", "6-6-3"),
            ("5x5", "5-5-5-5-4"),
        ];
        let built = partitions.map(|(size, name)| {
            let size = size.parse().expect("a size");
            let collection = Collection::parse(name, size).expect("a named partition");
            Patterns::build(collection, true, &BuildControl::default())
        });
        built
            .into_iter()
            .map(|built| built.expect("nothing cancels it"))
            .collect()
    });
    PATTERNS.iter().find(|patterns| patterns.size() == size)
}

/// The walking distances of the bench, each built when it is first asked for.
fn walking(size: Size) -> &'static WalkingDistance {
    const SIZES: [&str; 5] = ["2x2", "3x3", "3x4", "4x4", "5x5"];
    static WALKING: [OnceLock<WalkingDistance>; SIZES.len()] = [const { OnceLock::new() }; 5];
    let of_size = SIZES.iter().position(|name| *name == size.to_string());
    WALKING[of_size.expect("a size of the bench")].get_or_init(|| {
        let boards = AbstractBoards::new(size).expect("a small board");
        let built = WalkingDistance::build(boards, &BuildControl::default());
        built.expect("nothing cancels it")
    })
}

/// Runs the bench, one search with each step.
pub fn signature() -> impl Iterator<Item = Signed> {
    BOARDS.into_iter().flat_map(|(text, goal, reach)| {
        let board = parse_board(text, None).expect("the board is right");
        let problem = Problem::new(&board, goal).expect("the board is solvable");
        let can_run = move |settings: &Settings<'_>| settings.check(&problem).is_ok();
        let searches = searches(reach, board.size()).filter(can_run);
        searches.map(move |settings| {
            let outcome = solve(&problem, &settings, &Control::default());
            let solution = outcome.result.expect("no limit is set");
            assert!(solution.verified, "the solution of {text} does not replay");
            Signed {
                board: text,
                settings: name(&settings),
                cost: solution.moves.len(),
                generated: outcome.stats.generated,
            }
        })
    })
}

fn searches(reach: Reach, size: Size) -> impl Iterator<Item = Settings<'static>> {
    let algorithms = Algorithm::ALL
        .into_iter()
        .filter(move |algorithm| match reach {
            Reach::All => true,
            Reach::Near => *algorithm != Algorithm::Dfs,
            Reach::Informed => algorithm.is_informed(),
        });
    algorithms.flat_map(move |algorithm| {
        let heuristics = match algorithm.is_informed() {
            true => &Estimate::COMPUTED[usize::from(reach == Reach::Informed)..],
            false => &[Estimate::Zero],
        };
        let with = move |heuristic| Settings {
            heuristic,
            ..Settings::new(algorithm)
        };
        let is_informed = algorithm.is_informed();
        let walking = is_informed.then(|| walking(size));
        let patterns = patterns(size).filter(|_| is_informed);
        let heuristics = heuristics.iter().copied();
        heuristics
            .chain(walking.map(Estimate::WalkingDistance))
            .chain(patterns.map(Estimate::Patterns))
            .flat_map(move |heuristic| ways(with(heuristic)))
    })
}

/// IDA* in each of its ways, other searches in their one.
fn ways(settings: Settings<'_>) -> Vec<Settings<'_>> {
    let mut ways = vec![settings];
    if settings.algorithm.has_thresholds() {
        ways.push(Settings {
            prune: Prune::new(8),
            ..settings
        });
    }
    if ways.len() > 1
        && matches!(
            settings.heuristic,
            Estimate::Taxicab | Estimate::Patterns(_)
        )
    {
        let engines = [EngineChoice::Scalar, EngineChoice::Batched];
        ways.extend(engines.map(|engine| Settings { engine, ..settings }));
    }
    ways
}

fn name(settings: &Settings<'_>) -> String {
    let Settings {
        algorithm,
        heuristic,
        engine,
        ..
    } = settings;
    match settings.prune {
        Some(prune) => format!("{algorithm} {heuristic} {prune}"),
        None if *engine != EngineChoice::Auto => format!("{algorithm} {heuristic} {engine}"),
        None if algorithm.is_informed() => format!("{algorithm} {heuristic}"),
        None => algorithm.to_string(),
    }
}
