
// The plots: what marks are, which series are shown, the scatter of two chosen ones, saving.

const plots = document.getElementById("plots");
const svgSpace = "http://www.w3.org/2000/svg";

function runOfMark(mark) {
  return mark && mark.dataset.r !== undefined ? Number(mark.dataset.r) : null;
}

// Marks of large pages have no title until they are pointed at.
plots.addEventListener("pointerover", (event) => {
  const mark = event.target.closest("path[data-r]");
  if (!mark || mark.firstChild) return;
  const title = document.createElementNS(svgSpace, "title");
  title.textContent = titleOf(runOfMark(mark));
  mark.append(title);
});
plots.addEventListener("click", (event) => {
  const mark = event.target.closest("path[data-r]");
  if (mark) openRun(runOfMark(mark));
});
plots.addEventListener("change", (event) => {
  const series = event.target.dataset.show;
  if (series === undefined) return;
  for (const group of plots.querySelectorAll(`g[data-s="${series}"]`)) {
    group.classList.toggle("hidden", !event.target.checked);
  }
});

// The runs of a series, by what both of a pair have in common; `nth` of several with these names.
function runsBySubject(series) {
  const runs = new Map();
  for (const run of allRuns) {
    if (columns.series(run) !== series) continue;
    const names = [columns.suite(run), columns.instance(run), columns.repeat(run)];
    let nth = 1;
    while (runs.has(JSON.stringify([...names, nth]))) nth++;
    runs.set(JSON.stringify([...names, nth]), run);
  }
  return runs;
}

// The axes show all times of the page, so only the marks and the names change.
function drawScatter(svg) {
  const [across, up] = ["scatter-across", "scatter-up"].map((id) => Number(chosen(id)));
  const [x, y] = [svg.dataset.x, svg.dataset.y].map((text) => text.split(" ").map(Number));
  const place = ([start, slope, border], run) =>
    columns.status(run) === "solved"
      ? start + slope * Math.log10(Math.max(1, columns.time_ns(run)))
      : border;
  const others = runsBySubject(across);
  const marks = [];
  for (const [subject, run] of runsBySubject(up)) {
    if (!others.has(subject)) continue;
    const other = others.get(subject);
    const mark = document.createElementNS(svgSpace, "path");
    const title = document.createElementNS(svgSpace, "title");
    const told = (run) => (columns.status(run) === "solved" ? writeTime(columns.time_ns(run)) : "unsolved");
    mark.setAttribute("d", `M${place(x, other).toFixed(1)} ${place(y, run).toFixed(1)}${data.shapes[0]}`);
    mark.dataset.r = run;
    title.textContent = `${columns.suite(run)} ${columns.instance(run)}: ${told(other)} across, ${told(run)} up`;
    mark.append(title);
    marks.push(mark);
  }
  svg.querySelector(".pairs").replaceChildren(...marks);
  svg.querySelector(".name.x").textContent = data.short[across];
  svg.querySelector(".name.y").textContent = data.short[up];
}

const scatterPlot = document.querySelector("#scatter svg");
if (scatterPlot) {
  for (const id of ["scatter-across", "scatter-up"]) {
    document.getElementById(id).addEventListener("change", () => drawScatter(scatterPlot));
  }
}

// A drawing that needs nothing of this page: its style goes with it, in the light colours.
function svgText(svg) {
  const copy = svg.cloneNode(true);
  for (const hidden of copy.querySelectorAll(".hidden")) hidden.remove();
  const style = document.createElementNS(svgSpace, "style");
  style.textContent = ["light", "plot-style"].map((id) => document.getElementById(id).textContent).join("");
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

plots.addEventListener("click", (event) => {
  const name = event.target.dataset.save;
  if (name) save(`${name}.svg`, "image/svg+xml", svgText(document.querySelector(`#${name} svg`)));
});
