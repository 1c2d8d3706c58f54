//! One board as a drawing that needs nothing else.

use std::fmt::Write;

use crate::puzzle::{Board, Cell, Goal, Size, Tile};

/// The side of a cell, and what a tile leaves free of it.
const SIDE: usize = 60;
const MARGIN: usize = 3;
/// Around all cells.
const FRAME: usize = 6;

/// On a page the rules hold for all that is in it, so they name the drawing.
const STYLE: &str = ".tiles rect{fill:#fff;stroke:#b9c0ca}\
    .tiles .frame{fill:#f6f7f9;stroke:#d9dde3}\
    .tiles .home rect{fill:#eef8f0;stroke:#1a7f37}\
    .tiles text{font:600 24px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1a1d21;text-anchor:middle}\
    .tiles .home text{fill:#1a7f37}";

/// The board as SVG; tiles that are where the goal has them are marked. Each tile is a group with
/// its number, so that a script can move it.
pub fn board_svg(board: &Board, goal: Goal) -> String {
    let size = board.size();
    let [width, height] = [size.cols(), size.rows()].map(|cells| cells * SIDE + 2 * FRAME);
    let mut svg = format!(
        "<svg class=\"tiles\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" data-side=\"{SIDE}\" data-frame=\"{FRAME}\" \
         role=\"img\" aria-label=\"board {board}\">\
         <style>{STYLE}</style>\
         <rect class=\"frame\" x=\"1\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
        width - 2,
        height - 2,
    );
    let solved = Board::solved(size, goal);
    for (cell, &tile) in board.tiles().iter().enumerate() {
        if tile != 0 {
            let is_home = solved.tiles()[cell] == tile;
            draw(&mut svg, size, cell as Cell, tile, is_home);
        }
    }
    svg + "</svg>\n"
}

fn draw(svg: &mut String, size: Size, cell: Cell, tile: Tile, is_home: bool) {
    let [x, y] =
        [size.col_of(cell), size.row_of(cell)].map(|place| usize::from(place) * SIDE + FRAME);
    let class = if is_home { " class=\"home\"" } else { "" };
    let side = SIDE - 2 * MARGIN;
    let _ = write!(
        svg,
        "<g data-tile=\"{tile}\"{class} transform=\"translate({x} {y})\">\
         <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{side}\" height=\"{side}\" rx=\"6\"/>\
         <text x=\"{}\" y=\"{}\">{tile}</text></g>",
        SIDE / 2,
        SIDE / 2 + 9,
    );
}
