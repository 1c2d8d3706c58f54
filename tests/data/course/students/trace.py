# A student's A*, by hand: 'STATE' prints the path and the longest queue; 'succ STATE' the successors.
import heapq
import json
import sys

GOAL = [1, 2, 3, 4, 5, 6, 7, 8, 0]


def taxicab(state):
    total = 0
    for cell, tile in enumerate(state):
        if tile:
            total += abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
    return total


def successors(state):
    found, gap = [], state.index(0)
    for cell in range(9):
        if abs(cell // 3 - gap // 3) + abs(cell % 3 - gap % 3) == 1:
            child = list(state)
            child[gap], child[cell] = child[cell], 0
            found.append(child)
    return sorted(found)


def solve(start):
    queue, closed, popped = [(taxicab(start), start, 0, -1)], set(), []
    longest = 1
    while queue:
        _, state, moves, parent = heapq.heappop(queue)
        popped.append((state, parent))
        if state == GOAL:
            break
        closed.add(tuple(state))
        for child in successors(state):
            if tuple(child) not in closed:
                heapq.heappush(queue, (moves + 1 + taxicab(child), child, moves + 1, len(popped) - 1))
        longest = max(longest, len(queue))
    path, place = [], len(popped) - 1
    while place >= 0:
        path.append(popped[place][0])
        place = popped[place][1]
    for moves, state in enumerate(reversed(path)):
        print("%s h=%d moves: %d" % (state, taxicab(state), moves))
    print("Max queue length: %d" % longest)


if sys.argv[1] == "succ":
    for child in successors(json.loads(sys.argv[2])):
        print("%s h=%d" % (child, taxicab(child)))
else:
    solve(json.loads(sys.argv[1]))
