# A student's solver of a .puz file: '-n FILE' prints the moves of the tiles, by breadth-first search.
import sys

rows = [line.split() for line in open(sys.argv[2])]
width = len(rows[0])
start = tuple(0 if cell == "." else int(cell) for row in rows for cell in row)
goal = tuple(range(1, len(start))) + (0,)


def children(state):
    gap = state.index(0)
    row, col = divmod(gap, width)
    # A tile that moves up comes from below.
    steps = (("U", row < len(rows) - 1, width), ("D", row > 0, -width))
    steps += (("L", col < width - 1, 1), ("R", col > 0, -1))
    for name, is_legal, step in steps:
        if is_legal:
            child = list(state)
            child[gap], child[gap + step] = child[gap + step], child[gap]
            yield name, tuple(child)


parents = {start: None}
layer = [start]
while layer and goal not in parents:
    following = []
    for state in layer:
        for name, child in children(state):
            if child not in parents:
                parents[child] = (name, state)
                following.append(child)
    layer = following
if goal not in parents:
    print(None)
else:
    moves, state = [], goal
    while parents[state]:
        name, state = parents[state]
        moves.append(name)
    print(moves[::-1])
