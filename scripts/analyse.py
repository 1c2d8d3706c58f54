#!/usr/bin/env python3
"""A start for people who go on in Python: times and nodes of files of runs.

    pip install -r scripts/requirements.txt
    python3 scripts/analyse.py results/*.csv

Prints a table for each configuration and draws solved instances over time into solved.png.
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

CONFIGURATION = ["suite", "solver", "algorithm", "heuristic", "endgame", "engine", "prune", "threads"]
NAMES = ["instance", "heuristic", "endgame", "engine", "prune"]
RUN = CONFIGURATION + ["instance", "repeat"]


def read(paths):
    """The rows of all files; of a run that was done again the last one counts."""
    rows = pd.concat([pd.read_csv(path, comment="#", dtype=dict.fromkeys(NAMES, str)) for path in paths])
    rows[NAMES] = rows[NAMES].fillna("")
    return rows.drop_duplicates(RUN, keep="last")


def main(paths):
    rows = read(paths)
    solved = rows[rows.status == "solved"].assign(seconds=lambda row: row.time_ns / 1e9)

    table = solved.groupby(CONFIGURATION).agg(
        solved=("instance", "nunique"),
        seconds=("seconds", "sum"),
        mean_seconds=("seconds", lambda times: np.exp(np.log(times.clip(lower=1e-9)).mean())),
        nodes=("generated", "sum"),
    )
    table["million_nodes_per_s"] = table.nodes / table.seconds / 1e6
    print(table.to_string(float_format=lambda number: f"{number:.4g}"))

    for configuration, runs in solved.groupby(CONFIGURATION):
        times = np.sort(runs.groupby("instance").seconds.median())
        label = " ".join(str(part) for part in configuration if part != "")
        plt.step(times, np.arange(1, len(times) + 1), where="post", label=label)
    plt.xscale("log")
    plt.xlabel("seconds for one instance")
    plt.ylabel("instances solved")
    plt.legend(fontsize="small")
    plt.savefig("solved.png", dpi=150)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
