
// One board on a page of its own: it plays its solution, is moved by hand, and is saved as it is.

const solutionPuzzle = JSON.parse(document.getElementById("data").textContent);
const startDrawing = document.querySelector("#player svg").cloneNode(true);
const boardPlayer = player(document.getElementById("player"), solutionPuzzle, true);

// The drawing of the start, each tile moved to where it is now.
function drawingOf(tiles) {
  const svg = startDrawing.cloneNode(true);
  const [side, frame] = [Number(svg.dataset.side), Number(svg.dataset.frame)];
  tiles.forEach((tile, cell) => {
    const group = svg.querySelector(`[data-tile="${tile}"]`);
    if (!group) return;
    const x = (cell % solutionPuzzle.cols) * side + frame;
    const y = Math.floor(cell / solutionPuzzle.cols) * side + frame;
    group.setAttribute("transform", `translate(${x} ${y})`);
    group.classList.toggle("home", homeOf(tile, solutionPuzzle) === cell);
  });
  svg.setAttribute("aria-label", `board ${tiles.join(" ")}`);
  return new XMLSerializer().serializeToString(svg);
}

document.getElementById("save-svg").addEventListener("click", () => {
  const blob = new Blob([drawingOf(boardPlayer.shown())], { type: "image/svg+xml" });
  const link = element("a", { href: URL.createObjectURL(blob), download: "board.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
