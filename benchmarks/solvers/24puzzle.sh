#!/bin/sh
# Gives a 24-puzzle to pdbsearch of clausecker/24puzzle, which prints the cells that the gap goes to:
# 24puzzle.sh BOARD, with commas. CATALOGUE is a file of its catalogues.
[ -x "${PEERS:-}/pdbsearch" ] || { echo "PEERS has to name the folder with pdbsearch" >&2; exit 1; }
echo "$1" | "$PEERS/pdbsearch" -j 1 "$PEERS/catalogues/${CATALOGUE:-manhatten.cat}" | awk -v board="$1" '
    BEGIN { for (cell = split(board, tiles, ","); cell > 0; cell--) if (tiles[cell] == 0) gap = cell - 1 }
    sub(/^Solution found: */, "") {
        many = split($0, cells, /[^0-9]+/)
        for (place = 1; place <= many; place++) if (cells[place] != "") {
            step = cells[place] - gap
            moves = moves (step == 1 ? "R" : step == -1 ? "L" : step > 0 ? "D" : "U")
            gap = cells[place]
        }
        print moves
    }'
