//! Makes suites: random boards, random walks, and ladders of exact solution lengths.
//!
//! All are drawn from [`Random`], so that a seed gives the same boards everywhere.

use super::definition::{Instance, Suite};
use crate::puzzle::{Board, Costs, Goal, Layout, Metric, Move, Problem, Rules, Size};
use crate::search::{Control, Settings, Stop, WholeSpace, solve};
use crate::space;
use crate::sys::Random;

/// What all boards of a suite to be made have in common.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Their size.
    pub size: Size,
    /// Their goal.
    pub goal: Goal,
    /// What counts as a move.
    pub metric: Metric,
}

impl Kind {
    fn solved(self) -> Board {
        Board::solved(self.size, self.goal)
    }

    /// What all of them are to become, and by which moves.
    pub fn rules(self) -> Rules {
        Rules {
            goal: self.goal,
            metric: self.metric,
            costs: Costs::Unit,
        }
    }

    /// The part of a path that so many moves are.
    fn first_moves(self, path: &[Move], moves: usize) -> &[Move] {
        let steps = match self.metric {
            Metric::Single => moves,
            Metric::Multi => {
                let runs = path.chunk_by(|a, b| a == b).take(moves);
                runs.map(<[Move]>::len).sum()
            }
        };
        &path[..steps]
    }

    /// How searches have such boards.
    fn layout(self) -> Layout {
        Layout::of_target(&self.solved())
    }
}

/// Solvable boards, each as likely as the others.
pub fn uniform(kind: Kind, count: usize, random: &mut Random) -> Vec<Instance> {
    let board = |number| Instance::new(number, uniform_board(kind, random));
    (1..=count).map(board).collect()
}

/// Boards that a random walk of so many moves, none taken back at once, reaches from the goal.
pub fn walks(kind: Kind, length: usize, count: usize, random: &mut Random) -> Vec<Instance> {
    let board = |number| Instance::new(number, walk(kind, length, random));
    (1..=count).map(board).collect()
}

/// A ladder in the making: rungs are asked for from the shortest to the longest.
#[derive(Debug)]
pub struct Ladder {
    kind: Kind,
    random: Random,
    /// Boards that are solved for a rung before it is given up.
    tries: usize,
    /// The length of the next walk. A walk goes astray, so what it reaches is nearer than it is
    /// long; it grows until that is far enough, and the next rung goes on from there.
    walk: usize,
    /// All boards, where they are few.
    space: Option<WholeSpace>,
}

/// How many moves the farthest boards of a kind need, where that is known: for goals with the gap
/// in a corner.
pub fn radius(kind: Kind) -> Option<usize> {
    if !kind.goal.has_gap_in_corner(kind.size) {
        return None;
    }
    space::radius(kind.size, kind.metric)
}

/// Somebody set the control's cancel flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

impl Ladder {
    /// A ladder from a seed; so many boards are tried for each rung.
    pub fn new(kind: Kind, seed: u64, tries: usize) -> Ladder {
        Ladder {
            kind,
            random: Random::new(seed),
            tries,
            walk: 0,
            space: match kind.metric {
                Metric::Single => WholeSpace::around(&kind.layout().as_searched(&kind.solved())),
                Metric::Multi => None,
            },
        }
    }

    /// A board whose shortest solution has exactly `length` moves, `None` where none was found.
    ///
    /// Where all boards of the size are known, each that has the length is as likely as the others.
    /// Otherwise a board that is farther away is solved and its solution played until so many moves are
    /// left: every board on a shortest path is exactly as far away as the rest of it is long.
    /// IDA* on one thread finds the first shortest path in the order of moves whatever its
    /// estimate is, so the board does not depend on that. A board that meets a limit is given up
    /// for the next one.
    pub fn rung(
        &mut self,
        length: usize,
        settings: &Settings<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Board>, Interrupted> {
        if let Some(space) = &self.space {
            return Ok(match space.count(length) {
                0 => None,
                count => {
                    let board = space.board(length, self.random.below(count));
                    Some(self.kind.layout().as_given(&board))
                }
            });
        }
        self.walk = self.walk.max(length);
        for _ in 0..self.tries {
            let board = walk(self.kind, self.walk, &mut self.random);
            let problem = Problem::new(&board, self.kind.rules());
            let problem = problem.expect("a walk can be walked back");
            match solve(&problem, settings, control).result {
                Ok(solution) if solution.cost >= length.into() => {
                    let moves = solution.cost.whole().unwrap_or(0);
                    let excess = moves.saturating_sub(length);
                    let played = self.kind.first_moves(&solution.moves, excess);
                    let board = board.replay(played);
                    return Ok(Some(board.expect("a solution stays on the board")));
                }
                Ok(_) => self.walk += 1,
                Err(Stop::Cancelled) => return Err(Interrupted),
                Err(_) => {}
            }
        }
        Ok(None)
    }
}

/// A shuffled board; of one that cannot be solved two tiles change places.
fn uniform_board(kind: Kind, random: &mut Random) -> Board {
    let mut tiles: Vec<u32> = (0..kind.size.cells() as u32).collect();
    random.shuffle(&mut tiles);
    let board = Board::new(kind.size, &tiles).expect("a shuffle is a permutation");
    if board.is_solvable(kind.goal) {
        return board;
    }
    let gap = board.gap();
    let mut tiles = (0..kind.size.cells() as u8).filter(|&cell| cell != gap);
    let (a, b) = (tiles.next().unwrap_or(0), tiles.next().unwrap_or(1));
    board.swapped(a, b)
}

fn walk(kind: Kind, length: usize, random: &mut Random) -> Board {
    if kind.metric == Metric::Multi {
        return walk_in_rows(kind, length, random);
    }
    let mut board = kind.solved();
    let mut last: Option<Move> = None;
    for _ in 0..length {
        let back = last.map(Move::opposite);
        let steps: Vec<(Move, Board)> = Move::ALL
            .into_iter()
            .filter(|&mv| Some(mv) != back)
            .filter_map(|mv| Some((mv, board.after(mv)?)))
            .collect();
        let &(mv, next) = random.choose(&steps);
        (board, last) = (next, Some(mv));
    }
    board
}

/// Moves of rows, in turn along a row and along a column: two in one line would be one or none.
fn walk_in_rows(kind: Kind, length: usize, random: &mut Random) -> Board {
    let mut board = kind.solved();
    let mut last: Option<Move> = None;
    for _ in 0..length {
        let is_in_line = |mv: Move| last.is_some_and(|last| mv == last || mv == last.opposite());
        let ways = Move::ALL.into_iter().filter(|&mv| !is_in_line(mv));
        let ends = ways.flat_map(|mv| {
            let on = move |board: &Board| board.after(mv);
            std::iter::successors(board.after(mv), on).map(move |end| (mv, end))
        });
        let ends: Vec<(Move, Board)> = ends.collect();
        let &(mv, next) = random.choose(&ends);
        (board, last) = (next, Some(mv));
    }
    board
}

/// The file of a suite; `source` says where it comes from.
pub fn suite_text(suite: &Suite, source: &str) -> String {
    let sizes = suite.instances.iter().map(|instance| instance.board.size());
    let mut sizes: Vec<String> = sizes.map(|size| size.to_string()).collect();
    sizes.dedup();
    let mut text = String::new();
    if let [size] = &sizes[..] {
        text += &format!("# size: {size}\n");
    }
    text += &format!("# goal: {}\n# source: {source}\n", suite.goal);
    if suite.metric != Metric::default() {
        text += &format!("# metric: {}\n", suite.metric);
    }
    text += "instance,board,optimal\n";
    for Instance {
        name,
        board,
        optimal,
        ..
    } in &suite.instances
    {
        let optimal = optimal.map_or(String::new(), |optimal| optimal.to_string());
        text += &format!("{name},{board},{optimal}\n");
    }
    text
}
