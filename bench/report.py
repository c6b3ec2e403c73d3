"""The results as Markdown."""

import statistics

from contenders import BASE, ON

INSIDE = ["floor", "stock", "windowagg", "fused", "range_rolling"]      # PostgreSQL
LEGEND = """\
- **floor**: PostgreSQL reads all rows in the order of the window and passes them on, with no window function.
- **stock**: PostgreSQL's own WindowAgg nodes; in L its native RANGE frames.
- **windowagg**, **fused**, **range_rolling**: this extension. {on} before the first two, after `LOAD`.
- **duckdb**, **sqlite**, **pandas**: each in a process of its own that holds the data in memory, loaded in the
  order of the windows' keys before the time begins.

PostgreSQL had every row in shared buffers or the page cache, an index in the order of the windows (but in J),
a vacuumed and analyzed table, and `{base}`. Its time, and DuckDB's, is that of
EXPLAIN ANALYZE: every row is computed and none handed to a client. SQLite has no such thing: its time
contains a filter that adds up all results of a row. The time of pandas is that of
`groupby().rolling().sum()`, all measures of a width at once, and `groupby().cumsum()`.

All contenders of a shape ran in turn, {runs} times after a first one that does not count. After that each one's answer was made a digest of: the number of
rows, and for each column the number of values and two sums weighted by the row. The digests were the same
for all.

"stock / it" says how many times as fast as stock; "it / floor" what it took of the time of the bare scan; "ns" the time beyond
the floor per frame and row, in nanoseconds. Memory is the peak resident memory of the process: for PostgreSQL that of the
backend without shared buffers, for the others with the data they hold.
"""


def seconds(value):
    return f"{value:.3f}" if value >= 0.1 else f"{value:.4f}"


def line(measured):
    """One line for the impatient."""
    middle = {name: statistics.median(t) for name, t in measured.times.items()}
    ratios = ", ".join(f"{name} {seconds(t)} s ({middle['stock'] / t:.1f})" for name, t in middle.items())
    return f"{measured.shape.name}: {ratios}"


def rows_of(measured):
    shape = measured.shape
    middle = {name: statistics.median(t) for name, t in measured.times.items()}
    for name, times in measured.times.items():
        beyond = (middle[name] - middle["floor"]) * 1e9 / (shape.data.rows * len(shape.functions))
        yield [shape.name, name, seconds(middle[name]), seconds(min(times)), seconds(max(times)),
               f"{middle['stock'] / middle[name]:.2f}", f"{middle[name] / middle['floor']:.2f}",
               "" if name == "floor" or name not in INSIDE else f"{beyond:.1f}",
               f"{measured.memory[name] / 2**20:.0f}"]


def whole(measured, options, missing, machine):
    text = ["# Benchmark", "", f"`make bench`, {options.rows:,} rows, seed {options.seed}, medians of {options.runs} runs.", ""]
    text += [f"- {fact}" for fact in machine] + [f"- skipped: {reason}" for reason in missing] + [""]
    text += [LEGEND.format(on=f"`{ON.split(';', 1)[1].strip()} ...`", base=BASE, runs=options.runs), "## Shapes", ""]
    text += [f"- **{m.shape.name}**: {m.shape.title}; {m.shape.data.rows:,} rows"
             + (f", `{m.shape.settings}`" if m.shape.settings else "") for m in measured]
    text += ["", "## Results", "",
             "| shape | contender | median s | min | max | stock / it | it / floor | ns | MB |",
             "|---|---|---:|---:|---:|---:|---:|---:|---:|"]
    for m in measured:
        text += ["| " + " | ".join(row) + " |" for row in rows_of(m)]
    return "\n".join(text) + "\n"
