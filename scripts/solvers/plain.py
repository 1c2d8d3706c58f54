#!/usr/bin/env python3
"""IDA* with the taxicab distance, on one page.

    plain.py first 3 "1 2 0 3 4 5 6 7 8"        prints the moves of the gap: LL

The goal has the gap first (0 1 2 ...) or last (1 2 ... 0); 3 is the number of columns.
"""
import sys

MOVES = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}


def main():
    where, columns, board = sys.argv[1:]
    tiles = [int(word) for word in board.split()]
    columns = int(columns)
    rows = len(tiles) // columns
    goal = list(range(len(tiles)))
    if where == "last":
        goal = goal[1:] + [0]
    home = {tile: divmod(cell, columns) for cell, tile in enumerate(goal)}

    def distance(tile, cell):
        row, column = divmod(cell, columns)
        return abs(row - home[tile][0]) + abs(column - home[tile][1])

    def search(gap, h, g, threshold, path):
        """The least f above the threshold, or 0 where the goal was found."""
        if g + h > threshold:
            return g + h
        if h == 0:
            return 0
        least = float("inf")
        row, column = divmod(gap, columns)
        for move, (down, right) in MOVES.items():
            if path and move == BACK[path[-1]]:
                continue
            if not (0 <= row + down < rows and 0 <= column + right < columns):
                continue
            cell = (row + down) * columns + column + right
            tile = tiles[cell]
            after = h - distance(tile, cell) + distance(tile, gap)
            tiles[gap], tiles[cell] = tile, 0
            path.append(move)
            f = search(cell, after, g + 1, threshold, path)
            if f == 0:
                return 0
            path.pop()
            tiles[gap], tiles[cell] = 0, tile
            least = min(least, f)
        return least

    gap = tiles.index(0)
    h = sum(distance(tile, cell) for cell, tile in enumerate(tiles) if tile)
    threshold, path = h, []
    while threshold := search(gap, h, 0, threshold, path):
        pass
    print("".join(path))


main()
