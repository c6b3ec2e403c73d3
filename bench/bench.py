#!/usr/bin/python3
"""Time PostgreSQL four ways, interleaved; all answers must have one digest.

The time is that of EXPLAIN (ANALYZE, TIMING OFF): every row computed, none sent.
"""
import argparse
import re
import statistics
import subprocess
import sys

import shapes

BASE = ("LOAD 'sliding_prefix'; SET jit = off; SET max_parallel_workers_per_gather = 0;"
        " SET work_mem = '256MB'; SET enable_sort = off; SET enable_seqscan = off;")
ON = ("SET sliding_prefix.enabled = on; SET sliding_prefix.min_total_frame_width = 0;"
      " SET sliding_prefix.debug_require_rewrite = require; SET sliding_prefix.strategy = ")
CONTENDERS = {"floor": "", "stock": "", "windowagg": ON + "windowagg;", "fused": ON + "fused;"}
FLOOR = "SELECT * FROM t ORDER BY p, id"


def psql(sql):
    return subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1"], input=sql,
                          check=True, capture_output=True, text=True).stdout


def seconds(settings, sql):
    plan = psql(BASE + settings + "EXPLAIN (ANALYZE, TIMING OFF) " + sql)
    return float(re.search(r"Execution Time: ([\d.]+)", plan)[1]) / 1000


def digest(settings, sql):
    return psql(BASE + settings + "SELECT md5(string_agg(md5(q::text), '' ORDER BY id))"
                f" FROM ({sql}) q").strip()


def measure(name, shape, options):
    measures, widths, partitions, running = shape
    psql(shapes.load_sql(options.rows, partitions, options.seed))
    sql, results = shapes.query(measures, widths, running)
    answers = {c: digest(s, sql) for c, s in CONTENDERS.items() if c != "floor"}
    if len(set(answers.values())) != 1 or not answers["stock"]:
        sys.exit(f"{name}: the answers differ: {answers}")
    times = {c: [] for c in CONTENDERS}
    for _ in range(options.runs):
        for c, settings in CONTENDERS.items():
            times[c].append(seconds(settings, FLOOR if c == "floor" else sql))
    middle = {c: statistics.median(t) for c, t in times.items()}
    for c, t in times.items():
        beyond = (middle[c] - middle["floor"]) / (options.rows * results) * 1e9
        print(f"| {name} | {c} | {middle[c]:.4f} | {min(t):.4f} | {max(t):.4f} |"
              f" {middle['stock'] / middle[c]:.2f} | {beyond:.1f} |", flush=True)


parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=1000000)
parser.add_argument("--seed", type=float, default=0.5)
parser.add_argument("--runs", type=int, default=5)
options = parser.parse_args()
print(f"# Benchmark\n\n{psql('SELECT version()')}\n{options.rows} rows, {options.runs} runs; `{BASE}`\n")
print("| shape | contender | median s | min | max | stock / it | ns per result beyond floor |\n|---|---|---|---|---|---|---|")
for name, shape in shapes.shapes().items():
    measure(name, shape, options)
