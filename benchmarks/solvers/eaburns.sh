#!/bin/sh
# Gives a board to 15md_solver of eaburns/search, which wants the cell of each tile:
# eaburns.sh ALGORITHM ROWS COLS BOARD; the goal has the gap first.
[ -x "${PEERS:-}/15md_solver" ] || { echo "PEERS has to name the folder with 15md_solver" >&2; exit 1; }
echo "$4" | awk -v rows="$2" -v cols="$3" '{
    print cols, rows "\nstarting positions for each tile:"
    for (cell = 1; cell <= NF; cell++) at[$cell] = cell - 1
    for (tile = 0; tile < NF; tile++) print at[tile]
    print "goal positions:"
    for (tile = 0; tile < NF; tile++) print tile
}' | "$PEERS/15md_solver" "$1"
