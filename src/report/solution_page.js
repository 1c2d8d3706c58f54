
// One board on a page of its own.
player(document.getElementById("player"), JSON.parse(document.getElementById("data").textContent));
