# A student's driver, as the assignment words it: METHOD BOARD, seven lines to output.txt.
import heapq
import resource
import sys
import time
from collections import deque

GOAL = tuple(range(9))
NAMES = ("Up", "Down", "Left", "Right")


def children(state):
    gap = state.index(0)
    row, col = divmod(gap, 3)
    steps = ((row > 0, -3), (row < 2, 3), (col > 0, -1), (col < 2, 1))
    for name, (is_legal, step) in zip(NAMES, steps):
        if is_legal:
            child = list(state)
            child[gap], child[gap + step] = child[gap + step], child[gap]
            yield name, tuple(child)


def taxicab(state):
    places = ((cell, tile) for cell, tile in enumerate(state) if tile)
    return sum(abs(c // 3 - t // 3) + abs(c % 3 - t % 3) for c, t in places)


def blind(start, is_stack):
    frontier, seen = deque([start]), {start: (None, None, 0)}
    expanded = deepest = 0
    while frontier:
        state = frontier.pop() if is_stack else frontier.popleft()
        if state == GOAL:
            return seen, expanded, deepest
        expanded += 1
        depth = seen[state][2] + 1
        moves = list(children(state))
        for name, child in reversed(moves) if is_stack else moves:
            if child not in seen:
                seen[child] = (state, name, depth)
                deepest = max(deepest, depth)
                frontier.append(child)


def astar(start):
    frontier, seen = [(taxicab(start), -1, 0, start, 0)], {start: (None, None, 0)}
    expanded = deepest = made = 0
    while frontier:
        _, _, _, state, depth = heapq.heappop(frontier)
        if seen[state][2] < depth:
            continue
        if state == GOAL:
            return seen, expanded, deepest
        expanded += 1
        for name, child in children(state):
            made += 1
            known = seen.get(child)
            if known is None:
                deepest = max(deepest, depth + 1)
            elif known[2] <= depth + 1:
                continue
            seen[child] = (state, name, depth + 1)
            f = depth + 1 + taxicab(child)
            heapq.heappush(frontier, (f, NAMES.index(name), made, child, depth + 1))


def main():
    start = tuple(int(tile) for tile in sys.argv[2].split(","))
    began = time.time()
    if sys.argv[1] == "ast":
        seen, expanded, deepest = astar(start)
    else:
        seen, expanded, deepest = blind(start, sys.argv[1] == "dfs")
    path, state = [], GOAL
    while seen[state][0] is not None:
        state, name, _ = seen[state]
        path.append(name)
    path.reverse()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with open("output.txt", "w") as output:
        output.write("path_to_goal: %s\n" % path)
        output.write("cost_of_path: %d\n" % len(path))
        output.write("nodes_expanded: %d\n" % expanded)
        output.write("search_depth: %d\n" % len(path))
        output.write("max_search_depth: %d\n" % deepest)
        output.write("running_time: %.8f\n" % (time.time() - began))
        output.write("max_ram_usage: %.8f\n" % memory)


main()
