//! A board and a goal that is known to be reachable.

use super::{Board, Cell, Goal, MAX_CELLS, Metric, Move, MoveOrder, Rules, Size, Tile};

/// A solvable board, laid so that a search finds its target where tables know it.
///
/// A search goes from [`Problem::start`] to [`Problem::target`]. The tiles have the numbers of the
/// cells that they belong to: the gap belongs into the first cell, and tile t into cell t. Only
/// where the gap belongs into a cell k that is no corner, tile k belongs into the first cell.
/// [`Problem::moves_as_given`] and [`Problem::order_as_searched`] translate at the door.
///
/// ```
/// use slidebench::puzzle::{Board, Goal, Problem};
///
/// let board: Board = "1 2 3 / 4 5 6 / 8 7 .".parse()?;
/// assert!(Problem::new(&board, Goal::Last).is_err(), "7 and 8 cannot change places alone");
/// # Ok::<(), slidebench::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    board: Board,
    rules: Rules,
    start: Board,
    target: Board,
    layout: Layout,
    is_reversed: bool,
}

/// No sequence of moves reaches the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolvable {
    /// Every move keeps what the parity of the board is.
    #[error("no solution: the board's parity differs from that of the goal '{0}'")]
    Parity(Goal),
    /// The goal is a board of another size.
    #[error("no solution: the goal is a board of {goal}, and the board one of {board}")]
    OtherSize {
        /// The size of the goal.
        goal: Size,
        /// The size of the board.
        board: Size,
    },
}

impl Unsolvable {
    /// Why a board cannot become a goal, if it cannot.
    fn check(board: &Board, goal: Goal) -> Result<(), Unsolvable> {
        match goal {
            Goal::Board(solved) if solved.size() != board.size() => Err(Unsolvable::OtherSize {
                goal: solved.size(),
                board: board.size(),
            }),
            _ if board.is_solvable(goal) => Ok(()),
            _ => Err(Unsolvable::Parity(goal)),
        }
    }
}

impl Problem {
    /// Takes a board whose parity is that of the goal. A goal alone means that moves are of one tile.
    pub fn new(board: &Board, rules: impl Into<Rules>) -> Result<Problem, Unsolvable> {
        let rules = rules.into();
        Unsolvable::check(board, rules.goal)?;
        Ok(Problem::between(board, rules, false))
    }

    /// The same problem, searched from the goal to the board. Its solutions are those of this one.
    pub fn reversed(&self) -> Problem {
        Problem::between(&self.board, self.rules, !self.is_reversed)
    }

    fn between(board: &Board, rules: Rules, is_reversed: bool) -> Problem {
        let solved = rules.solved(board.size());
        let (start, target) = match is_reversed {
            false => (board, &solved),
            true => (&solved, board),
        };
        let layout = Layout::of_target(target);
        Problem {
            board: *board,
            rules,
            start: layout.as_searched(start),
            target: layout.as_searched(target),
            layout,
            is_reversed,
        }
    }

    /// The board as it was given.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The goal as it was given.
    pub fn goal(&self) -> Goal {
        self.rules.goal
    }

    /// The goal, and what a move is.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        self.rules.metric
    }

    /// The rows and columns of the board.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The board that a search starts from.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The board that a search goes to: the solved one of [`Goal::First`], unless the gap belongs
    /// into no corner.
    pub fn target(&self) -> &Board {
        &self.target
    }

    /// An order of moves on the given board, as it is on the searched one.
    pub fn order_as_searched(&self, order: MoveOrder) -> MoveOrder {
        order.map(|mv| self.layout.flip.of_move(mv))
    }

    /// A move on the searched board, as it is on the given one.
    pub fn move_as_given(&self, mv: Move) -> Move {
        self.layout.flip.of_move(mv)
    }

    /// The number that a tile of the searched board has on the given one.
    pub fn tile_as_given(&self, tile: Tile) -> Tile {
        let names = self.layout.names[..self.size().cells()].iter();
        let given = names.enumerate().skip(1).find(|&(_, &name)| name == tile);
        given.map_or(0, |(given, _)| given as Tile)
    }

    /// Moves from the searched start to its target, as they lead from the given board to its goal.
    pub fn moves_as_given(&self, mut moves: Vec<Move>) -> Vec<Move> {
        for mv in &mut moves {
            *mv = self.move_as_given(*mv);
        }
        if self.is_reversed {
            moves.reverse();
            moves.iter_mut().for_each(|mv| *mv = mv.opposite());
        }
        moves
    }

    /// Whether `moves`, played one by one on the given board, end on the goal.
    pub fn is_solved_by(&self, moves: &[Move]) -> bool {
        self.board.replay(moves) == Some(self.rules.solved(self.size()))
    }
}

/// How the boards of a problem are laid for a search, and back.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    flip: Flip,
    /// New numbers for tiles, by the old ones.
    names: [Tile; MAX_CELLS],
}

impl Layout {
    /// The one that brings a board into the place of [`Goal::First`], if its gap is in a corner.
    pub fn of_target(target: &Board) -> Layout {
        let flip = Flip::to_first_cell(target.size(), target.gap());
        let names = flip.names(target);
        Layout { flip, names }
    }

    /// A board as a search has it.
    pub fn as_searched(&self, board: &Board) -> Board {
        self.flip.of_board(board, &self.names)
    }

    /// A board of a search as it is at the door.
    pub fn as_given(&self, board: &Board) -> Board {
        let mut old = [0; MAX_CELLS];
        for (tile, &name) in self.names[..board.size().cells()].iter().enumerate() {
            old[usize::from(name)] = tile as Tile;
        }
        // A flip is its own inverse.
        self.flip.of_board(board, &old)
    }
}

/// How a board is laid: with its rows, its columns, or both in reverse order. Done twice it changes
/// nothing. Distances stay.
#[derive(Clone, Copy, Debug)]
struct Flip {
    rows: bool,
    cols: bool,
}

impl Flip {
    /// The one that brings a corner into the first cell; other cells stay where they are.
    fn to_first_cell(size: Size, cell: Cell) -> Flip {
        let is_corner = size.is_corner(cell);
        Flip {
            rows: is_corner && size.row_of(cell) > 0,
            cols: is_corner && size.col_of(cell) > 0,
        }
    }

    fn of_cell(self, size: Size, cell: usize) -> usize {
        let (row, col) = (cell / size.cols(), cell % size.cols());
        let row = if self.rows {
            size.rows() - 1 - row
        } else {
            row
        };
        let col = if self.cols {
            size.cols() - 1 - col
        } else {
            col
        };
        row * size.cols() + col
    }

    fn of_move(self, mv: Move) -> Move {
        let is_flipped = match mv {
            Move::Up | Move::Down => self.rows,
            Move::Left | Move::Right => self.cols,
        };
        if is_flipped { mv.opposite() } else { mv }
    }

    /// New numbers for tiles, by the old ones: the cell that a tile has in the target. The first
    /// cell's would be the gap's, so the tile there has the number of the cell of the gap.
    fn names(self, target: &Board) -> [Tile; MAX_CELLS] {
        let size = target.size();
        let gap = self.of_cell(size, target.gap().into()) as Tile;
        let mut names = [0; MAX_CELLS];
        for (cell, &tile) in target.tiles().iter().enumerate().filter(|it| *it.1 != 0) {
            names[usize::from(tile)] = match self.of_cell(size, cell) {
                0 => gap,
                cell => cell as Tile,
            };
        }
        names
    }

    fn of_board(self, board: &Board, names: &[Tile]) -> Board {
        let size = board.size();
        let mut tiles = [0; MAX_CELLS];
        for (cell, &tile) in board.tiles().iter().enumerate() {
            tiles[self.of_cell(size, cell)] = names[usize::from(tile)].into();
        }
        Board::new(size, &tiles[..size.cells()]).expect("a flip and new numbers keep a permutation")
    }
}
