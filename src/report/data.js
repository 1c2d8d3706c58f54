
// The runs of the page, column by column as they stand in it, and how their values are written.

const data = JSON.parse(document.getElementById("data").textContent);

function columnOf(packed) {
  if (Array.isArray(packed)) return (run) => packed[run];
  if ("all" in packed) return () => packed.all;
  return (run) => packed.of[packed.at[run]];
}

const columns = Object.fromEntries(data.names.map((name, i) => [name, columnOf(data.columns[i])]));
columns.series = columnOf(data.series);
const runCount = Number(document.getElementById("run-table").dataset.runs);
const wrongRuns = new Map(data.wrong);

function writeCount(number) {
  return Math.trunc(number).toLocaleString("en-US");
}

// Three digits and a unit, as the program writes them.
function writeTime(nanoseconds) {
  const seconds = nanoseconds / 1e9;
  if (seconds >= 3600) {
    const minutes = Math.floor(seconds / 60);
    return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
  }
  const [value, unit] =
    seconds >= 1 ? [seconds, "s"]
    : seconds >= 1e-3 ? [seconds * 1e3, "ms"]
    : seconds >= 1e-6 ? [seconds * 1e6, "µs"]
    : [nanoseconds, "ns"];
  return `${value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)} ${unit}`;
}

function writeBytes(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 6);
  return `${(bytes / 1024 ** power).toFixed(1)} ${"KMGTPE"[power - 1]}iB`;
}

function labelOf(run) {
  return data.labels[columns.series(run)];
}

function titleOf(run) {
  const solved = columns.status(run) === "solved";
  const moves = columns.cost(run) === 1 ? "1 move" : `${columns.cost(run)} moves`;
  const hasTileCosts = !["", "unit"].includes(columns.costs(run));
  const cost = hasTileCosts ? `cost ${columns.cost(run)}` : moves;
  const came = solved ? cost : columns.status(run);
  const generated = columns.generated(run);
  const nodes = generated === "" ? "" : `${writeCount(generated)} nodes, `;
  const name = `${columns.suite(run)} ${columns.instance(run)}`;
  return `${name}: ${came}, ${nodes}${writeTime(columns.time_ns(run))} (${labelOf(run)})`;
}

function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// All columns of all runs, as the program writes them.
function csvText() {
  const field = (value) => {
    const text = String(value);
    return /[",\r\n]/.test(text) || text.startsWith("#") ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [data.names.join(",")];
  for (let run = 0; run < runCount; run++) {
    lines.push(data.names.map((name) => field(columns[name](run))).join(","));
  }
  return lines.join("\n") + "\n";
}
