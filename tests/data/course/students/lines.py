# A student's answers to a file of boards, 'SIZE BOARD CODE' on each line, by breadth-first search
# for every code: shortest paths are equally long.
import sys
import time

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"


def tiles(text):
    return tuple(0 if c == "." else int(c) if c.isdigit() else LETTERS.index(c) + 1 for c in text)


def is_solvable(state, size):
    odd = False
    for i, a in enumerate(state):
        odd ^= sum(1 for b in state[i + 1:] if 0 < b < a) % 2 == 1
    gap_row = state.index(0) // size
    return odd == (size % 2 == 0 and (size - 1 - gap_row) % 2 == 1)


def children(state, size):
    gap = state.index(0)
    row, col = divmod(gap, size)
    for is_legal, step in ((row > 0, -size), (row < size - 1, size), (col > 0, -1), (col < size - 1, 1)):
        if is_legal:
            child = list(state)
            child[gap], child[gap + step] = child[gap + step], child[gap]
            yield tuple(child)


def distance(start, size):
    goal = tuple(range(1, size * size)) + (0,)
    layer, seen, depth = {start}, {start}, 0
    while goal not in layer:
        layer = {child for state in layer for child in children(state, size)} - seen
        seen |= layer
        depth += 1
    return depth


NAMES = {"B": ["BFS"], "I": ["ID-DFS"], "A": ["A*"], "!": ["BFS", "ID-DFS", "A*"]}
for number, line in enumerate(open(sys.argv[1])):
    size, board, code = line.split()
    state, began = tiles(board), time.time()
    if not is_solvable(state, int(size)):
        print("Line %d: %s, no solution determined in %.3g seconds" % (number, board, time.time() - began))
        continue
    moves = distance(state, int(size))
    for name in NAMES[code]:
        print("Line %d: %s, %s - %d moves in %.3g seconds" % (number, board, name, moves, time.time() - began))
