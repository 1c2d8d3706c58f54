//! `slidebench solve`: one board.

mod first_paths;
mod stdin;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use bytesize::ByteSize;
use clap::ValueEnum;
use slidebench::harness::humanize::counted;
use slidebench::harness::record::{Entrant, Row, RunFacts, Status};
use slidebench::harness::run::{Configuration, PreparedFsm, SearchTables};
use slidebench::heuristic::{HeuristicName, PreparedEndgame};
use slidebench::lookup::endgame::EndgameName;
use slidebench::puzzle::{
    Board, Costs, Goal, Metric, Move, MoveOrder, Notation, Problem, Rules, UnknownName, Unsolvable,
};
use slidebench::report::{board_svg, solution_page};
use slidebench::search::{
    Algorithm, Control, EngineChoice, Limits, Outcome, Pruning, Settings, Solution, Stats, Stop,
    solve,
};
use slidebench::sys::same_file::is_same_file;

use super::{Exit, UsageError, advice, catch_interrupt};
use crate::cmd::args::board::BoardArgs;
use crate::cmd::args::limits::LimitArgs;
use crate::cmd::args::tables::SearchTableArgs;
use crate::cmd::args::walk::{WalkArgs, goes_with, refuse_wide};
use crate::cmd::examples;
use crate::cmd::terminal::animate;
use crate::cmd::terminal::output::{
    OutputArg, create_new, exit, refuse_other_than_page, replace_page, table,
};
use crate::cmd::terminal::progress::{SearchProgress, When};

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
    /// greedy, beam:WIDTH, rows (row by row, as by hand: long, at once, up to 8x8). By default idastar; boards of more than 16 cells have first paths from
    /// beams before that, where the terminal shows them.
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

impl FromStr for MovesAs {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<MovesAs, UnknownName> {
        match text {
            "numbers" => Ok(MovesAs::Numbers),
            _ => text
                .parse()
                .map(MovesAs::Letters)
                .map_err(|error| UnknownName {
                    names: &["gap", "tile", "numbers"],
                    ..error
                }),
        }
    }
}

/// The tiles that a solution moves, in their order.
fn numbers(board: &Board, moves: &[Move]) -> String {
    let mut board = *board;
    let mut tiles = Vec::with_capacity(moves.len());
    for &mv in moves {
        let gap = board.gap();
        let Some(next) = board.after(mv) else {
            break;
        };
        tiles.push(next.tiles()[usize::from(gap)].to_string());
        board = next;
    }
    tiles.join(" ")
}

impl Args {
    /// The algorithm that is asked for, or the usual one.
    fn algorithm(&self) -> Algorithm {
        self.algorithm.unwrap_or(Algorithm::IdaStar)
    }

    fn search(&self) -> Configuration {
        // Tables know no rows of tiles and no costs, and lead from the goal to few boards.
        let has_tables = self.metric == Metric::Single && self.costs == Costs::Unit;
        let usual = match self.algorithm() {
            Algorithm::AStar | Algorithm::IdaStar | Algorithm::AStarIdaStar if has_tables => {
                HeuristicName::Auto
            }
            _ => HeuristicName::default(),
        };
        let heuristic = self.heuristic.as_ref().unwrap_or(&usual);
        self.walk.search(self.algorithm(), heuristic)
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
    refuse_wide(args.algorithm(), board.size())?;
    let rules = args.rules(goal);
    let search = args.search();
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
    let outcome = solve_shown(
        args,
        &board,
        rules,
        &settings,
        limits.beside(tables.built_bytes),
    )?;
    let outcome = outcome.as_ref();
    let text = lines((&board, rules), args, &settings, &tables, outcome);
    if let Some(page) = page {
        let solution = outcome.and_then(|outcome| outcome.result.as_ref().ok());
        let moves = solution.map(|solution| &solution.moves[..]);
        replace_page(page, &solution_page(&board, rules, moves, &text))?;
    }
    let run = lone_run(&board, rules, &settings, &limits, started_at);
    output.write(&answer(args.format, &text, &Row::new(&run, outcome))?)?;
    finish(args, &board, rules, outcome)
}

/// Solves the board, with a line on stderr; `None` where parity says that it cannot be solved.
fn solve_shown(
    args: &Args,
    board: &Board,
    rules: Rules,
    settings: &Settings<'_>,
    limits: Limits,
) -> anyhow::Result<Option<Outcome>> {
    let progress = SearchProgress::new(args.progress).until(limits.time);
    let listener = |event| progress.on_event(event);
    let control = Control {
        limits,
        cancel: Some(catch_interrupt()?),
        listener: Some(&listener),
        ..Control::default()
    };
    let problem = Problem::new(board, rules).ok();
    let outcome = problem.map(|problem| {
        let (best, limits) = match first_paths::are_wanted(args, board) {
            true => first_paths::show(&problem, settings, &control, &progress),
            false => (None, limits),
        };
        let control = Control { limits, ..control };
        first_paths::or_best(solve(&problem, settings, &control), best)
    });
    progress.clear();
    Ok(outcome)
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
            anyhow::bail!("a table is damaged; slidebench pdb verify tells which one")
        }
        Some(Err(stop @ Stop::LostTable)) => {
            anyhow::bail!(
                "{stop}: it was cut off or its disk failed; build it again with slidebench pdb build"
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

fn refuse_what_does_not_go_together(args: &Args) -> Result<(), UsageError> {
    refuse_flags_of_text(args)?;
    refuse_flags_of_idastar(args)?;
    refuse_endgame_without_estimate(args)?;
    refuse_flags_of_plain_moves(args)?;
    refuse_two_texts_in_one_place(args)
}

/// Refuses what only the text heeds where another format is asked for.
fn refuse_flags_of_text(args: &Args) -> Result<(), UsageError> {
    let flag = match args.format {
        Format::Text => return Ok(()),
        _ if args.animate => "--animate",
        _ if args.moves == MovesAs::Letters(Notation::Tile) => "--moves tile",
        _ if args.moves == MovesAs::Numbers => "--moves numbers",
        _ => return Ok(()),
    };
    Err(UsageError(format!("{flag} goes with --format text only")))
}

/// A flag that would have no effect must not look as if it had one.
fn refuse_flags_of_idastar(args: &Args) -> Result<(), UsageError> {
    let algorithm = args.algorithm();
    if args.heuristic.is_some() && !algorithm.is_informed() {
        let only = goes_with("--heuristic", Algorithm::is_informed);
        return Err(UsageError(format!("{only}, not with {algorithm}")));
    }
    if args.walk.threads > 1 && !algorithm.has_threads() {
        let only = goes_with("--threads", Algorithm::has_threads);
        return Err(UsageError(format!("{only}, not with {algorithm}")));
    }
    if args.walk.reopen && !algorithm.can_reopen() {
        let only = goes_with("--reopen", Algorithm::can_reopen);
        return Err(UsageError(format!("{only}, not with {algorithm}")));
    }
    if args.walk.open.is_some() && algorithm != Algorithm::AStarIdaStar {
        return Err(UsageError(format!(
            "--open goes with astar+idastar only, not with {algorithm}"
        )));
    }
    let flag = match algorithm {
        _ if algorithm.has_thresholds() => return Ok(()),
        _ if args.walk.engine != EngineChoice::Auto => "--engine",
        _ if matches!(args.walk.prune, Pruning::By(_)) => "--prune",
        _ => return Ok(()),
    };
    let only = goes_with(flag, Algorithm::has_thresholds);
    Err(UsageError(format!("{only}, not with {algorithm}")))
}

fn refuse_endgame_without_estimate(args: &Args) -> Result<(), UsageError> {
    let algorithm = args.algorithm();
    match args.endgame.is_some() && !algorithm.has_endgame() {
        true => {
            let only = goes_with("--endgame", Algorithm::has_endgame);
            Err(UsageError(format!("{only}, not with {algorithm}")))
        }
        false => Ok(()),
    }
}

/// The searches of other moves than those of one tile that costs one are plain ones.
fn refuse_flags_of_plain_moves(args: &Args) -> Result<(), UsageError> {
    let rules = args.rules(Goal::Last);
    let flag = match rules.metric {
        _ if rules.are_plain() => return Ok(()),
        Metric::Multi if rules.costs != Costs::Unit => "--costs",
        _ if args.walk.threads > 1 => "--threads",
        _ if args.walk.engine != EngineChoice::Auto => "--engine",
        _ if matches!(args.walk.prune, Pruning::By(_)) => "--prune",
        _ => return Ok(()),
    };
    Err(UsageError(format!(
        "{flag} does not go with {}",
        advice::rules_flag(&rules)
    )))
}

/// A search from the goal has tables for few boards.
fn refuse_other_target(
    args: &Args,
    board: &Board,
    rules: Rules,
    settings: &Settings<'_>,
) -> Result<(), UsageError> {
    let problem = Problem::new(board, rules).ok();
    match problem.map(|problem| settings.check(&problem)) {
        Some(Err(why @ Stop::OtherTarget)) => Err(UsageError(format!(
            "{} with {} cannot go to this board: {why}; {}",
            args.algorithm(),
            settings.heuristic,
            advice::OTHER_HEURISTIC
        ))),
        _ => Ok(()),
    }
}

/// The page and the text would be mixed up.
fn refuse_two_texts_in_one_place(args: &Args) -> Result<(), UsageError> {
    let text = args.output.path();
    match args
        .html
        .as_deref()
        .is_some_and(|page| is_same_file(page, text))
    {
        true => Err(UsageError(
            "--html and -o write to the same place; send one of them elsewhere".to_owned(),
        )),
        false => Ok(()),
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

/// What a person wants to read about one search.
fn lines(
    (board, rules): (&Board, Rules),
    args: &Args,
    settings: &Settings<'_>,
    tables: &SearchTables,
    outcome: Option<&Outcome>,
) -> Vec<(&'static str, String)> {
    let mut lines = vec![("board", board.to_string())];
    let Some(outcome) = outcome else {
        let reason = Unsolvable::Parity(rules.goal).to_string();
        lines.push(("status", format!("unsolvable ({reason})")));
        if let Some(other) = advice::other_goal(board, rules.goal) {
            lines.push(("help", format!("--goal {other} has a solution")));
        }
        return lines;
    };
    let stats = &outcome.stats;
    lines.extend(result_lines(args, board, outcome));
    if outcome.result == Err(Stop::Memory) {
        lines.push(("reached", reached(args.algorithm(), stats)));
        lines.push(("help", advice::of_memory(args.algorithm().name())));
    }
    lines.push(("search", search_line(args, settings, stats)));
    let bytes = settings.heuristic.table_bytes();
    if bytes > 0 {
        let time = tables.estimate.time();
        let line = format!("{}, ready after {time:.1?}", ByteSize(bytes));
        lines.push(("tables", line));
    }
    if let Some(PreparedEndgame { table, time }) = &tables.endgame {
        let (depth, bytes) = (table.depth(), ByteSize(table.bytes()));
        let line = format!("to depth {depth}, {bytes}, ready after {time:.1?}");
        lines.push(("endgame", line));
    }
    if let Some(PreparedFsm { prune, bytes, time }) = tables.fsm {
        let line = format!("{prune}, {}, ready after {time:.1?}", ByteSize(bytes));
        lines.push(("fsm", line));
    }
    let per_second = stats.generated as f64 / stats.time.as_secs_f64();
    lines.push(("expanded", stats.expanded.to_string()));
    lines.push(("generated", stats.generated.to_string()));
    if stats.stored > 0 {
        lines.push(("stored", stats.stored.to_string()));
        lines.push(("frontier", format!("{} at most", stats.max_frontier)));
        lines.push(("memory", format!("{} at most", ByteSize(stats.peak_memory))));
    }
    if stats.iterations > 0 && args.algorithm().has_iterations() {
        lines.push(("iterations", stats.iterations.to_string()));
    }
    lines.push(("depth", format!("{} at most", stats.max_depth)));
    lines.push((
        "time",
        format!("{:?} ({:.1} million nodes/s)", stats.time, per_second / 1e6),
    ));
    lines
}

/// What a search knew when its memory was full.
fn reached(algorithm: Algorithm, stats: &Stats) -> String {
    let states = counted(stats.stored as usize, "state");
    match algorithm.is_informed() {
        true => format!("f = {}, {states} stored", stats.f_reached),
        false => format!("{states} stored"),
    }
}

/// The lines of what a search found, or of why it ended.
fn result_lines(args: &Args, board: &Board, outcome: &Outcome) -> Vec<(&'static str, String)> {
    let (stats, solution) = match &outcome.result {
        Ok(solution) => (&outcome.stats, solution),
        Err(stop) => return vec![("status", Status::from(*stop).to_string())],
    };
    let verified = match solution.verified {
        true => "replayed to the goal",
        false => "DOES NOT REPLAY",
    };
    let moves = match (args.moves, args.metric) {
        _ if solution.moves.is_empty() => "none needed".to_owned(),
        (MovesAs::Letters(notation), Metric::Single) => {
            format!("{} ({notation} moves)", notation.letters(&solution.moves))
        }
        (MovesAs::Letters(notation), Metric::Multi) => {
            format!("{} ({notation} moves)", notation.runs(&solution.moves))
        }
        (MovesAs::Numbers, _) => format!("{} (tiles that move)", numbers(board, &solution.moves)),
    };
    let cost = solution.moves.len();
    let status = match stats.stopped_by {
        None => format!("solved ({verified})"),
        Some(stop) => format!("{}, the best so far ({verified})", Status::from(stop)),
    };
    let mut lines = vec![("status", status), ("cost", cost_line(args, solution))];
    if args.algorithm().is_suboptimal() || stats.stopped_by.is_some() {
        lines.push(("bound", bound_line(cost, stats.lower_bound)));
    }
    lines.push(("solution", moves));
    lines
}

/// What is proven of a cost.
fn bound_line(cost: usize, least: Option<u32>) -> String {
    match least {
        Some(least) if least as usize == cost => "1: it is a shortest solution".to_owned(),
        Some(least) if least > 0 => {
            let factor = cost as f64 / f64::from(least);
            format!("{factor:.3} at most: no solution has fewer than {least} moves")
        }
        _ => "none proven".to_owned(),
    }
}

/// The cost, and where that is not the same, over how many cells the gap goes.
fn cost_line(args: &Args, solution: &Solution) -> String {
    let (cost, moves) = (solution.cost, solution.moves.len());
    match args.rules(Goal::Last).are_plain() {
        true => cost.to_string(),
        false => format!("{cost} (of {})", counted(moves, "single move")),
    }
}

/// Which search ran, and how: `idastar with md, 41 at the start, batched, 1 thread`.
fn search_line(args: &Args, settings: &Settings<'_>, stats: &Stats) -> String {
    let mut line = args.algorithm().to_string();
    if args.algorithm().is_informed() {
        let h0 = stats.h0_cost.unwrap_or(stats.h0.into());
        line += &format!(" with {}, {h0} at the start", settings.heuristic);
    }
    if let Some(engine) = stats.engine {
        line += &format!(", {engine}");
        if args.walk.engine == EngineChoice::Batched
            && engine.to_string() != args.walk.engine.name()
        {
            line += " (there is no batched engine for this search)";
        }
    }
    if stats.engine.is_some() || args.walk.threads > 1 {
        line += &format!(", {}", counted(args.walk.threads.into(), "thread"));
    }
    if let Some(prune) = settings.prune {
        line += &format!(", pruned by {prune}");
    }
    line
}
