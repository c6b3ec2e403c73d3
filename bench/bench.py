"""Measure the shapes, all contenders in turn, and write results and pictures.

bench.py [--rows N] [--seed X] [--runs N] [--only NAMES] OUTPUT_FOLDER

Connects as psql does by default.  Fails when two contenders' answers differ.
"""

import argparse
import os
import sys
import tempfile

import machine
import plots
import report
from contenders import contenders, psql
from shapes import shapes

HERE = os.path.dirname(os.path.abspath(__file__))


class Measured:
    """The times of a shape: seconds by contender, in the order of the runs."""

    def __init__(self, shape, chosen):
        self.shape = shape
        self.times = {c.name: [] for c in chosen}
        self.memory = {}


def load(shape, seed):
    """Each step is a statement or a command of psql's."""
    steps = ["SET max_parallel_workers_per_gather = 0", "DROP TABLE IF EXISTS t", *shape.data.load(seed),
             "VACUUM (FREEZE, ANALYZE) t"]
    psql("".join(step + ("\n" if step.startswith("\\") else ";\n") for step in steps))


def measure(shape, available, options, csv):
    chosen = [available[name] for name in shape.contenders if name in available]
    load(shape, options.seed)
    names = ", ".join(name for name, _ in shape.data.columns())
    if any(c.name not in report.INSIDE for c in chosen):
        psql(f"\\copy (SELECT {names} FROM t ORDER BY {shape.data.key()}) TO '{csv}' WITH (FORMAT csv)")
    measured = Measured(shape, chosen)
    for contender in chosen:
        contender.load(shape, csv)
    for run in range(options.runs + 1):
        for contender in chosen:
            seconds = contender.run(shape)
            if run > 0:         # the first warms up
                measured.times[contender.name].append(seconds)
    for contender in chosen:
        measured.memory[contender.name] = contender.peak()
    compare(shape, {c.name: c.digest(shape) for c in chosen if c.name != "floor"})
    for contender in chosen:
        contender.unload()
    return measured


def compare(shape, digests):
    """All answers must be the same, and there must be one."""
    if len(set(digests.values())) != 1 or not digests["stock"]:
        for name, digest in digests.items():
            print(f"{name}: {digest}", file=sys.stderr)
        sys.exit(f"shape {shape.name}: the answers differ")


def parsed_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1000000)
    parser.add_argument("--seed", type=float, default=0.5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="letters of the shapes, all by default")
    parser.add_argument("folder")
    return parser.parse_args()


def main():
    options = parsed_options()
    available, missing = {}, []
    for name, contender in contenders().items():
        reason = contender.reason()
        if reason:
            missing.append(reason)
            print(f"skipped: {reason}", flush=True)
        else:
            available[name] = contender
    measured = []
    psql("CREATE EXTENSION IF NOT EXISTS sliding_prefix")
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes(options.rows, os.path.join(HERE, "..", "test", "flights.csv")):
            if options.only and shape.name[0] not in options.only:
                continue
            measured.append(measure(shape, available, options, os.path.join(folder, "t.csv")))
            print(report.line(measured[-1]), flush=True)
    os.makedirs(options.folder, exist_ok=True)
    with open(os.path.join(options.folder, "results.md"), "w", encoding="utf-8") as file:
        file.write(report.whole(measured, options, missing, machine.description(available)))
    plots.draw(measured, options.folder)


if __name__ == "__main__":
    main()
