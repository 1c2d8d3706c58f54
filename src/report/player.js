
// A board that plays its solution: step, back, play, pause, speed, a slider, and a list of moves.
// `puzzle` has rows, cols, goal ("first", "last", or its tiles with spaces between them), tiles (0 is
// the gap), metric ("multi" where a row of tiles is one move) and moves of the gap as a string of UDLR, or null where there is no solution. With `byHand` readers can move tiles
// themselves. Returns what stops it, and what tells the tiles that are shown.

const WAYS = {
  U: { row: -1, col: 0, tile: "down" },
  D: { row: 1, col: 0, tile: "up" },
  L: { row: 0, col: -1, tile: "right" },
  R: { row: 0, col: 1, tile: "left" },
};
// How long a board stands at speed 1.
const STAND_MS = 400;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// The board after a move of the gap, or null at the border.
function moved(tiles, puzzle, letter) {
  const gap = tiles.indexOf(0);
  const way = WAYS[letter];
  const row = Math.floor(gap / puzzle.cols) + (way ? way.row : NaN);
  const col = (gap % puzzle.cols) + (way ? way.col : NaN);
  if (!(row >= 0 && row < puzzle.rows && col >= 0 && col < puzzle.cols)) return null;
  const after = tiles.slice();
  const to = row * puzzle.cols + col;
  after[gap] = tiles[to];
  after[to] = 0;
  return after;
}

// The puzzle with moves of the gap, or without where they leave the grid or miss the goal.
function withMoves(puzzle, moves) {
  let tiles = puzzle.tiles;
  for (const letter of moves ?? "") tiles = tiles && moved(tiles, puzzle, letter);
  const isSolved = tiles && tiles.every((tile, cell) => tile === 0 || homeOf(tile, puzzle) === cell);
  return { ...puzzle, moves: isSolved ? moves : null };
}

// The tiles of the solved board.
function goalOf(puzzle) {
  const cells = Array.from({ length: puzzle.rows * puzzle.cols }, (_, cell) => cell);
  if (puzzle.goal === "first") return cells;
  if (puzzle.goal === "last") return cells.map((cell) => (cell + 1) % cells.length);
  return String(puzzle.goal).split(" ").map(Number);
}

function homeOf(tile, puzzle) {
  puzzle.solved ??= goalOf(puzzle);
  return puzzle.solved.indexOf(tile);
}

function taxicab(tiles, puzzle) {
  let sum = 0;
  tiles.forEach((tile, cell) => {
    if (tile === 0) return;
    const home = homeOf(tile, puzzle);
    sum += Math.abs(Math.floor(cell / puzzle.cols) - Math.floor(home / puzzle.cols));
    sum += Math.abs((cell % puzzle.cols) - (home % puzzle.cols));
  });
  return sum;
}

// The tiles as elements that slide, and what puts them in their places.
function boardOf(puzzle) {
  const board = element("div", { class: "board", role: "img" });
  board.style.setProperty("--rows", puzzle.rows);
  board.style.setProperty("--cols", puzzle.cols);
  const cells = puzzle.rows * puzzle.cols;
  const tiles = [];
  for (let tile = 1; tile < cells; tile++) {
    tiles[tile] = element("div", { class: "tile" }, element("span", {}, String(tile)));
    board.append(tiles[tile]);
  }
  const show = (places) => {
    places.forEach((tile, cell) => {
      if (tile === 0) return;
      const style = tiles[tile].style;
      style.setProperty("--row", Math.floor(cell / puzzle.cols));
      style.setProperty("--col", cell % puzzle.cols);
      tiles[tile].classList.toggle("home", homeOf(tile, puzzle) === cell);
    });
    board.setAttribute("aria-label", "board " + places.map((tile) => tile || "gap").join(" "));
    board.dataset.tiles = places.join(" ");
  };
  return { board, show };
}

// A small curve of the taxicab distance at each step, and what moves the mark on it.
function curveOf(taxicabs) {
  const [width, height, edge] = [300, 60, 5];
  const most = Math.max(1, ...taxicabs);
  const x = (step) => edge + ((width - 2 * edge) * step) / Math.max(1, taxicabs.length - 1);
  const y = (value) => height - edge - ((height - 2 * edge) * value) / most;
  const points = taxicabs.map((value, step) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`);
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const line = document.createElementNS(space, "polyline");
  const dot = document.createElementNS(space, "circle");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("class", "curve");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Taxicab distance from ${taxicabs[0]} at the start to 0`);
  line.setAttribute("points", points.join(" "));
  dot.setAttribute("r", "4");
  svg.append(line, dot);
  const show = (step) => {
    dot.setAttribute("cx", x(step));
    dot.setAttribute("cy", y(taxicabs[step]));
  };
  return { svg, show };
}

// The moves as the metric counts them: a letter each, or a letter for each cell of the gap's way.
function movesOf(puzzle) {
  return (puzzle.moves ?? "").match(puzzle.metric === "multi" ? /(.)\1*/g : /./g) ?? [];
}

// The board after one of them.
function movedBy(tiles, puzzle, move) {
  return [...move].reduce((board, letter) => moved(board, puzzle, letter), tiles);
}

// Over how many cells a move goes, where these are several.
const far = (move) => (move.length > 1 ? String(move.length) : "");

// The tiles that a move of the gap moves, the nearest first.
function movedTiles(tiles, puzzle, move) {
  const numbers = [];
  for (const letter of move) {
    numbers.push(movedTile(tiles, puzzle, letter));
    tiles = moved(tiles, puzzle, letter);
  }
  return numbers;
}

// How a move from a board is written: by the gap, by the tile that moves, or by that tile's number.
const NOTATIONS = {
  "moves of the gap": (move) => move[0] + far(move),
  "moves of the tiles": (move) => WAYS[move[0]].tile[0].toUpperCase() + far(move),
  "numbers of the tiles": (move, tiles, puzzle) => movedTiles(tiles, puzzle, move).join("+"),
};

// Which tile a move of the gap moves.
function movedTile(tiles, puzzle, letter) {
  const after = moved(tiles, puzzle, letter);
  return after && after[tiles.indexOf(0)];
}

function button(label, text, act) {
  return element("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
}

// A button for each direction; `slide` takes the move of the gap.
function directions(slide) {
  const arrows = { U: "▼", D: "▲", L: "▶", R: "◀" };
  const pad = ["D", "R", "U", "L"].map((letter) =>
    button(`Move a tile ${WAYS[letter].tile}`, arrows[letter], () => slide(letter))
  );
  return element("p", { class: "buttons pad", role: "group", "aria-label": "Move a tile" }, ...pad);
}

// Arrow keys move a tile wherever they are pressed, and so does a click on a tile beside the gap.
function moveByHand(board, puzzle, shown, slide) {
  const letters = { ArrowUp: "D", ArrowDown: "U", ArrowLeft: "R", ArrowRight: "L" };
  document.addEventListener("keydown", (event) => {
    const letter = letters[event.key];
    if (!letter || event.target.matches("input, select")) return;
    event.preventDefault();
    slide(letter);
  });
  board.addEventListener("click", (event) => {
    const tile = Number(event.target.closest(".tile")?.textContent);
    const letter = Object.keys(WAYS).find((way) => movedTile(shown(), puzzle, way) === tile);
    if (tile && letter) slide(letter);
  });
}

function player(root, puzzle, byHand = false) {
  root.replaceChildren();
  root.classList.add("player");
  const { board, show } = boardOf(puzzle);
  const caption = element("p", { class: "caption", "aria-live": "polite" });
  root.append(board, caption);
  const moves = movesOf(puzzle);
  const boards = [puzzle.tiles];
  for (const move of moves) boards.push(movedBy(boards[boards.length - 1], puzzle, move));
  const taxicabs = boards.map((tiles) => taxicab(tiles, puzzle));
  const last = moves.length;
  const curve = curveOf(taxicabs);
  let step = 0;
  let timer = null;
  // Where the reader's own moves have come to, and how many they are; null on the solution.
  let own = null;
  const shown = () => own?.tiles ?? boards[step];

  const toStart = button("To the start", "|◀", () => goByHand(0));
  const back = button("Step back", "◀", () => goByHand(step - 1));
  const playing = button("Play", "▶ Play", () => (timer === null ? play() : pause()));
  const forth = button("Step", "▶", () => goByHand(step + 1));
  const toEnd = button("To the end", "▶|", () => goByHand(last));
  playing.classList.add("play");
  const speed = element(
    "select",
    { "aria-label": "Speed" },
    ...[0.5, 1, 2, 4, 8, 16].map((factor) =>
      element("option", { value: factor, selected: factor === 1 }, `${factor}×`)
    )
  );
  const slider = element("input", {
    type: "range", min: 0, max: last, value: 0, "aria-label": "Step",
    oninput: () => goByHand(Number(slider.value)),
  });
  const letters = moves.map((move, index) =>
    element("button", { type: "button", tabindex: -1, onclick: () => goByHand(index + 1) }, move[0] + far(move))
  );
  const notation = element(
    "select",
    {
      "aria-label": "How moves are written",
      onchange: () => {
        const write = NOTATIONS[notation.value];
        letters.forEach((letter, index) => {
          letter.textContent = write(moves[index], boards[index], puzzle);
        });
      },
    },
    ...Object.keys(NOTATIONS).map((name) => element("option", {}, name))
  );

  function go(to) {
    own = null;
    step = Math.min(Math.max(to, 0), last);
    show(boards[step]);
    curve.show(step);
    slider.value = step;
    const place = puzzle.moves === null ? "" : `step ${step} of ${last}${told()}, `;
    caption.textContent = `${place}taxicab ${taxicabs[step]}`;
    letters.forEach((letter, index) => {
      letter.classList.toggle("done", index < step);
      if (index === step - 1) letter.setAttribute("aria-current", "step");
      else letter.removeAttribute("aria-current");
    });
    for (const control of [toStart, back]) control.disabled = step === 0;
    for (const control of [forth, toEnd]) control.disabled = step === last;
  }
  function told() {
    if (step === 0) return "";
    const move = moves[step - 1];
    const tiles = movedTiles(boards[step - 1], puzzle, move);
    const who = tiles.length > 1 ? `tiles ${tiles.join(", ")} move` : `tile ${tiles[0]} moves`;
    return `: ${who} ${WAYS[move[0]].tile}`;
  }
  function goByHand(to) {
    pause();
    go(to);
  }
  // A move of the reader's own, from wherever the board is.
  function slide(letter) {
    const tiles = moved(shown(), puzzle, letter);
    if (!tiles) return;
    pause();
    own = { tiles, moves: (own?.moves ?? 0) + 1 };
    show(tiles);
    for (const control of [toStart, back]) control.disabled = false;
    const left = taxicab(tiles, puzzle);
    const isSolved = left === 0;
    const count = `${own.moves} ${own.moves === 1 ? "move" : "moves"} of your own`;
    caption.textContent = isSolved ? `solved after ${count}` : `${count}, taxicab ${left}`;
  }
  function play() {
    if (step === last) go(0);
    caption.setAttribute("aria-live", "off");
    playing.textContent = "❚❚ Pause";
    playing.setAttribute("aria-label", "Pause");
    const next = () => {
      go(step + 1);
      if (step === last) pause();
      else timer = setTimeout(next, STAND_MS / Number(speed.value));
    };
    timer = setTimeout(next, STAND_MS / Number(speed.value));
  }
  function pause() {
    clearTimeout(timer);
    timer = null;
    caption.setAttribute("aria-live", "polite");
    playing.textContent = "▶ Play";
    playing.setAttribute("aria-label", "Play");
  }

  if (byHand) {
    root.append(directions(slide));
    moveByHand(board, puzzle, shown, slide);
    root.append(element("p", { class: "caption soft" }, "arrow keys move a tile into the gap"));
  }
  if (puzzle.moves !== null) {
    root.append(
      curve.svg,
      slider,
      element("p", { class: "buttons" }, toStart, back, playing, forth, toEnd, speed),
      last ? notation : element("p", { class: "caption" }, "no moves needed"),
      element("p", { class: "moves" }, ...letters)
    );
    root.onkeydown = (event) => {
      const steps = { ArrowRight: step + 1, ArrowLeft: step - 1 };
      const key = { Home: 0, End: last, ...(byHand ? {} : steps) }[event.key];
      if (key === undefined || event.target.matches("input, select")) return;
      event.preventDefault();
      goByHand(key);
    };
  }
  go(0);
  for (const control of [playing, forth, toEnd, slider]) control.disabled = last === 0;
  if (byHand && puzzle.moves === null) {
    root.append(element("p", { class: "buttons" }, button("To the start", "|◀", () => go(0))));
  }
  pause();
  return { stop: pause, shown };
}
