//! `slidebench solve`: one board.

mod first_paths;
mod lines;
mod refusals;
mod stdin;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use clap::ValueEnum;
use lines::lines;
use refusals::{refuse_other_target, refuse_what_does_not_go_together};

use super::{Exit, catch_interrupt};
use crate::cmd::args::board::BoardArgs;
use crate::cmd::args::limits::LimitArgs;
use crate::cmd::args::tables::SearchTableArgs;
use crate::cmd::args::walk::{WalkArgs, refuse_wide};
use crate::cmd::examples;
use crate::cmd::terminal::animate;
use crate::cmd::terminal::output::{
    OutputArg, create_new, exit, refuse_other_than_page, replace_page, table,
};
use crate::cmd::terminal::progress::{SearchProgress, When};
use crate::harness::record::{Entrant, Row, RunFacts};
use crate::harness::run::Configuration;
use crate::heuristic::HeuristicName;
use crate::lookup::endgame::EndgameName;
use crate::puzzle::{
    Board, Costs, Goal, Metric, MoveOrder, Notation, Problem, Rules, Size, UnknownName,
};
use crate::report::{board_svg, solution_page};
use crate::search::{Algorithm, Control, Limits, Outcome, Settings, Stop, solve};

/// Solve one board: solution, cost, counts, time.
#[derive(clap::Args)]
#[command(after_help = examples::SOLVE)]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,

    /// Solve the boards on stdin, one a line, and answer each with a line: its moves of the gap, or
    /// its row with --format json.
    #[arg(long, conflicts_with_all = ["board", "animate", "html", "svg", "output"])]
    stdin: bool,

    /// bfs, bibfs, dfs, iddfs, astar, idastar, astar+idastar, rbfs; from the goal to the board:
    /// reverse-astar, reverse-idastar; from both ends: bae, nbs, mm; good solutions soon, within W of
    /// the shortest: wastar:W, widastar:W, ees:W, arastar:W (better and better); without a promise:
    /// greedy, beam:WIDTH, rows (row by row, as by hand: long, at once, up to 8x8). By default idastar; astar+idastar on boards of more than 16 cells, which have
    /// first paths from beams before that, where the terminal shows them.
    #[arg(short, long)]
    algorithm: Option<Algorithm>,

    /// zero, md (taxicab), lc (linear conflict), wd (walking distance), pdb:NAME (pattern
    /// databases, for example pdb:7-8; pdb:NAME,nomirror without the mirror image) or auto.
    /// [default: auto, the strongest that is at hand or built in two seconds; md from the goal and
    /// from both ends]
    #[arg(short = 'H', long)]
    heuristic: Option<HeuristicName>,

    /// End branches of astar and idastar in an endgame table: its DEPTH, or its file. One that
    /// is not in the folder of tables is built into memory, if that takes seconds.
    #[arg(long, value_name = "DEPTH|FILE")]
    endgame: Option<EndgameName>,

    /// What counts as a move: single (one tile) or multi (a row of tiles, for bfs, bibfs, astar and
    /// idastar with zero or md).
    #[arg(long, default_value = "single")]
    metric: Metric,

    /// What it costs to move a tile: unit, heavy (the tile's number), sqrt (its square root), inverse
    /// (1 divided by it) or reverse (counted from the last tile); for bfs, astar and idastar with zero
    /// or md.
    #[arg(long, default_value = "unit")]
    costs: Costs,

    /// The order in which moves of the gap are tried, for example UDLR.
    #[arg(long)]
    order: Option<MoveOrder>,

    #[command(flatten)]
    walk: WalkArgs,

    /// How moves are written: gap (the gap moves), tile (a tile moves) or numbers (which tiles move).
    #[arg(long, default_value = "gap", value_name = "NOTATION")]
    moves: MovesAs,

    /// Text for people, or the row of a CSV of runs, whose moves are always the gap's.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Play the solution on the terminal, after the text.
    #[arg(long)]
    animate: bool,

    /// Write a page to this file that plays the solution in a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Draw the board into this new file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// How long each board of the animation is shown, for example 300ms.
    #[arg(long, value_name = "TIME", default_value = "300ms", value_parser = humantime::parse_duration)]
    delay: Duration,

    #[command(flatten)]
    tables: SearchTableArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// When to show what the search is doing.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    progress: When,

    #[command(flatten)]
    output: OutputArg,
}

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MovesAs {
    Letters(Notation),
    Numbers,
}

/// All ways to write moves, by their names.
pub(super) const MOVES_AS: [&str; 3] = ["gap", "tile", "numbers"];

impl FromStr for MovesAs {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<MovesAs, UnknownName> {
        match text {
            "numbers" => Ok(MovesAs::Numbers),
            _ => text
                .parse()
                .map(MovesAs::Letters)
                .map_err(|error| UnknownName {
                    names: &MOVES_AS,
                    ..error
                }),
        }
    }
}

impl Args {
    /// The algorithm that is asked for, or the usual one of small boards.
    fn algorithm(&self) -> Algorithm {
        let has_open = self.walk.open.is_some();
        let usual = match has_open {
            true => Algorithm::AStarIdaStar,
            false => Algorithm::IdaStar,
        };
        self.algorithm.unwrap_or(usual)
    }

    /// The algorithm that is asked for, or what is fastest on boards of a size. One that ends in a table, or
    /// counts other moves, is IDA*.
    fn algorithm_on(&self, size: Size) -> Algorithm {
        let is_open = self.algorithm.is_none()
            && self.endgame.is_none()
            && self.rules(Goal::Last).are_plain();
        match is_open && !size.is_wide() && self.walk.open.is_none() {
            true => Algorithm::fastest_on(size),
            false => self.algorithm(),
        }
    }

    /// What searches a board: large ones have beams, for people who wait.
    fn search_of(&self, board: &Board) -> Configuration {
        match board.size().is_wide() && first_paths::are_wanted(self, board) {
            true => {
                let heuristic = self.heuristic.as_ref().unwrap_or(&HeuristicName::Auto);
                self.walk.search(first_paths::FIRST, heuristic)
            }
            false => self.search_on(board.size()),
        }
    }

    fn search_on(&self, size: Size) -> Configuration {
        let algorithm = self.algorithm_on(size);
        // Tables know no rows of tiles and no costs, and lead from the goal to few boards.
        let has_tables = self.metric == Metric::Single && self.costs == Costs::Unit;
        let usual = match algorithm {
            Algorithm::AStar | Algorithm::IdaStar | Algorithm::AStarIdaStar if has_tables => {
                HeuristicName::Auto
            }
            _ => HeuristicName::default(),
        };
        let heuristic = self.heuristic.as_ref().unwrap_or(&usual);
        self.walk.search(algorithm, heuristic)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
}

impl Args {
    fn rules(&self, goal: Goal) -> Rules {
        Rules {
            goal,
            metric: self.metric,
            costs: self.costs,
        }
    }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    refuse_what_does_not_go_together(args)?;
    if args.stdin {
        return stdin::run(args);
    }
    let (board, goal) = args.board.read()?;
    let rules = args.rules(goal);
    let search = args.search_of(&board);
    refuse_wide(search.algorithm, board.size())?;
    let endgame = args.endgame.as_ref();
    let memory = args.limits.asked().memory;
    let tables = args.tables.prepare(
        &search,
        endgame,
        (board.size(), rules),
        memory,
        args.progress,
    )?;
    let Some(tables) = tables else {
        return Ok(Exit::Interrupted);
    };
    let settings = Settings {
        order: args.order,
        ..tables.settings(&search)
    };
    refuse_other_target(args, &board, rules, &settings)?;
    let output = args.output.create()?;
    let page = args.html.as_deref();
    page.map(|page| refuse_other_than_page(page, "--html"))
        .transpose()?;
    if let Some(drawing) = &args.svg {
        create_new(drawing)?.write(&board_svg(&board, goal))?;
    }
    let limits = args.limits.limits();
    let started_at = SystemTime::now();
    let (outcome, algorithm) = solve_shown(
        args,
        &board,
        rules,
        &settings,
        limits.beside(tables.built_bytes),
    )?;
    let settings = Settings {
        algorithm,
        ..settings
    };
    let outcome = outcome.as_ref();
    let text = lines((&board, rules), args, &settings, &tables, outcome);
    if let Some(page) = page {
        let solution = outcome.and_then(|outcome| outcome.result.as_ref().ok());
        let moves = solution.map(|solution| &solution.moves[..]);
        replace_page(page, &solution_page(&board, rules, moves, &text))?;
    }
    let asked = args.limits.asked();
    let run = lone_run(&board, rules, &settings, &asked, started_at);
    output.write(&answer(args.format, &text, &Row::new(&run, outcome))?)?;
    finish(args, &board, rules, outcome)
}

/// Solves the board, with a line on stderr; `None` where parity says that it cannot be solved. Says which search
/// found what there is.
fn solve_shown(
    args: &Args,
    board: &Board,
    rules: Rules,
    settings: &Settings<'_>,
    limits: Limits,
) -> anyhow::Result<(Option<Outcome>, Algorithm)> {
    let progress = SearchProgress::new(args.progress).until(limits.time);
    let listener = |event| progress.on_event(event);
    let control = Control {
        limits,
        cancel: Some(catch_interrupt()?),
        listener: Some(&listener),
        ..Control::default()
    };
    let mut algorithm = settings.algorithm;
    let outcome = Problem::new(board, rules).ok().map(|problem| {
        if !first_paths::are_wanted(args, board) {
            return solve(&problem, settings, &control);
        }
        let shown = first_paths::show(&problem, settings, &control, &progress);
        if board.size().is_wide() {
            let outcome;
            (outcome, algorithm) = shown.outcome();
            return outcome;
        }
        let control = Control {
            limits: shown.left,
            ..control
        };
        first_paths::or_best(solve(&problem, settings, &control), shown.best)
    });
    progress.clear();
    Ok((outcome, algorithm))
}

/// Plays the solution, if that is asked for, and says how the process ends.
fn finish(
    args: &Args,
    board: &Board,
    rules: Rules,
    outcome: Option<&Outcome>,
) -> anyhow::Result<Exit> {
    match outcome.map(|outcome| &outcome.result) {
        Some(Err(Stop::DamagedTable)) => {
            let flags = args.tables.flags();
            anyhow::bail!("a table is damaged; slidebench pdb verify{flags} tells which one")
        }
        Some(Err(stop @ Stop::LostTable)) => {
            let flags = args.tables.flags();
            anyhow::bail!(
                "{stop}: it was cut off or its disk failed; slidebench pdb verify{flags} tells what \
                 builds it again"
            )
        }
        Some(Ok(solution)) if args.animate && solution.verified => {
            animate::play(board, &solution.moves, rules.goal, args.delay)
        }
        _ => Ok(exit(outcome)),
    }
}

/// A run of no suite.
fn lone_run<'a>(
    board: &'a Board,
    rules: Rules,
    settings: &'a Settings<'a>,
    limits: &'a Limits,
    started_at: SystemTime,
) -> RunFacts<'a> {
    RunFacts {
        suite: "",
        instance: "",
        board,
        rules,
        entrant: Entrant::Search(settings),
        limits,
        known_optimal: None,
        jobs: 1,
        repeat: 1,
        started_at,
        tables: "",
    }
}

/// What is written about a run.
fn answer(format: Format, message: &[(&str, String)], row: &Row) -> anyhow::Result<String> {
    Ok(match format {
        Format::Text => table(message),
        Format::Json => serde_json::to_string_pretty(row)? + "\n",
        Format::Csv => csv(row)?,
    })
}

/// A file of one run.
fn csv(row: &Row) -> anyhow::Result<String> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.serialize(row)?;
    Ok(String::from_utf8(csv.into_inner()?)?)
}
