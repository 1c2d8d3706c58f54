
// The table of all runs: sorted, filtered, a page at a time; a run opens with its board.

const runTable = document.getElementById("run-table");
const runDialog = document.getElementById("run");
const perPage = Number(runTable.dataset.page);
// What is not known is empty.
const known = (column, write) => (run) => (columns[column](run) === "" ? "" : write(columns[column](run)));
const shown = {
  suite: columns.suite,
  instance: columns.instance,
  series: labelOf,
  repeat: columns.repeat,
  status: columns.status,
  cost: columns.cost,
  h0: columns.h0,
  generated: known("generated", writeCount),
  time_ns: (run) => writeTime(columns.time_ns(run)),
  nodes_per_s: known("nodes_per_s", writeCount),
  peak_mem_bytes: known("peak_mem_bytes", writeBytes),
};
const texts = new Set(["suite", "instance", "status", "series"]);
const allRuns = Array.from({ length: runCount }, (_, run) => run);
const order = { column: null, down: false };
let listed = allRuns;
let page = 0;
let stopPlayer = () => {};

// A number as text too has its place; what is empty comes last, either way.
function compareRuns(column) {
  const value = column === "series" ? labelOf : columns[column];
  const collator = new Intl.Collator("en", { numeric: true });
  const sign = order.down ? -1 : 1;
  return (a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === "" || right === "") return (left === "") - (right === "");
    const by = texts.has(column) ? collator.compare(left, right) : Number(left) - Number(right);
    return sign * by;
  };
}

function chosen(id) {
  const select = document.getElementById(id);
  return select ? select.value : "";
}

function listRuns() {
  const words = document.getElementById("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [suite, series, status] = ["filter-suite", "filter-series", "filter-status"].map(chosen);
  const text = (run) =>
    `${columns.suite(run)} ${columns.instance(run)} ${labelOf(run)} ${columns.status(run)}`.toLowerCase();
  listed = allRuns.filter(
    (run) =>
      (suite === "" || String(columns.suite(run)) === suite) &&
      (series === "" || columns.series(run) === Number(series)) &&
      (status === "" || columns.status(run) === status) &&
      (words.length === 0 || words.every((word) => text(run).includes(word)))
  );
  if (order.column) listed.sort(compareRuns(order.column));
  page = 0;
  showPage();
}

function rowOf(run) {
  const row = element("tr", { "data-r": run });
  for (const header of runTable.tHead.rows[0].cells) {
    const name = header.dataset.column;
    const text = String(shown[name](run));
    const cell = element("td", { class: header.className });
    // The one thing in a row that keys reach.
    if (name === "instance") cell.append(element("button", { type: "button", class: "open" }, text));
    else cell.append(text);
    row.append(cell);
  }
  row.classList.toggle("wrong", wrongRuns.has(run));
  row.classList.toggle("unsolved", columns.status(run) !== "solved");
  return row;
}

function showPage() {
  const first = page * perPage;
  const part = listed.slice(first, first + perPage);
  runTable.tBodies[0].replaceChildren(...part.map(rowOf));
  const range = part.length ? `${first + 1}–${first + part.length}` : "none";
  document.getElementById("place").textContent = `${range} of ${writeCount(listed.length)} runs`;
  document.getElementById("previous").disabled = page === 0;
  document.getElementById("next").disabled = first + perPage >= listed.length;
}

function sortBy(header) {
  const column = header.dataset.column;
  order.down = order.column === column && !order.down;
  order.column = column;
  for (const other of runTable.tHead.rows[0].cells) {
    if (other === header) other.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    else other.removeAttribute("aria-sort");
  }
  listRuns();
}

// The run's puzzle with its start, or null where that is not known.
function puzzleOf(run) {
  const own = { rows: columns.rows(run), cols: columns.cols(run), goal: columns.goal(run) };
  own.tiles = String(columns.board(run)).split(" ").map(Number);
  const puzzle = { ...(data.starts[run] ?? own), metric: columns.metric(run) };
  const cells = puzzle.rows * puzzle.cols;
  const isBoard = (tiles) =>
    tiles.length === cells && new Set(tiles).size === cells && tiles.every((tile) => tile >= 0 && tile < cells);
  if (!(cells >= 4 && cells <= 25) || !isBoard(puzzle.tiles) || !isBoard(goalOf(puzzle))) return null;
  const isSolved = columns.status(run) === "solved" && columns.verified(run) !== "false";
  const hasMoves = isSolved && (columns.solution(run) !== "" || columns.cost(run) === 0);
  return withMoves(puzzle, hasMoves ? String(columns.solution(run)) : null);
}

function openRun(run) {
  stopPlayer();
  const stage = element("div", {});
  const puzzle = puzzleOf(run);
  const facts = element("dl", { class: "facts" });
  for (const name of data.names) {
    const value = columns[name](run);
    if (value !== "") facts.append(element("dt", {}, name), element("dd", {}, String(value)));
  }
  runDialog.replaceChildren(
    element("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => runDialog.close() }, "×"),
    element("h2", {}, `${columns.suite(run)} ${columns.instance(run)}`),
    element("p", {}, titleOf(run)),
    stage,
    element("details", {}, element("summary", {}, "All columns"), facts)
  );
  if (wrongRuns.has(run)) stage.before(element("p", { class: "bad" }, "Wrong: " + wrongRuns.get(run)));
  if (puzzle) stopPlayer = player(stage, puzzle).stop;
  else stage.append(element("p", {}, "The board is not known: the row does not have it."));
  if (puzzle && puzzle.moves === null) stage.append(element("p", {}, "There is no solution to play."));
  runDialog.showModal();
  const play = runDialog.querySelector(".play");
  if (play) play.focus();
}

runDialog.addEventListener("close", () => stopPlayer());
runDialog.addEventListener("click", (event) => {
  if (event.target === runDialog) runDialog.close();
});
runTable.tBodies[0].addEventListener("click", (event) => {
  const row = event.target.closest("tr");
  if (row) openRun(Number(row.dataset.r));
});
for (const header of runTable.tHead.rows[0].cells) {
  const sorter = element("button", { type: "button", onclick: () => sortBy(header) });
  sorter.append(...header.childNodes);
  header.append(sorter);
}
for (const id of ["filter", "filter-suite", "filter-series", "filter-status"]) {
  const control = document.getElementById(id);
  if (control) control.addEventListener("input", listRuns);
}
document.getElementById("previous").addEventListener("click", () => { page--; showPage(); });
document.getElementById("next").addEventListener("click", () => { page++; showPage(); });
document.getElementById("save-csv").addEventListener("click", () => save("runs.csv", "text/csv", csvText()));
document.documentElement.classList.add("has-script");
listRuns();
