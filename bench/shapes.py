"""The shapes measured: each is a table of integer measures and a list of frames."""
WIDTHS = [2, 6, 29, 89, 179]


def shapes():
    """Name -> (measures, widths, partitions, with running totals)"""
    found = {"A": (6, WIDTHS, 1024, True), "B": (1, WIDTHS, 1024, False),
             "C": (6, WIDTHS, 64, True)}
    found.update({f"D{w}": (1, [w], 1024, False) for w in (2, 4, 8, 16, 32, 64)})
    return found


def load_sql(rows, partitions, seed):
    cols = ", ".join(f"floor(random() * 1000)::int AS m{i}" for i in range(6))
    return (f"SET max_parallel_workers_per_gather = 0; SELECT setseed({seed}); DROP TABLE IF EXISTS t;"
            f" CREATE TABLE t AS SELECT i AS id, i / (({rows} + {partitions} - 1) / {partitions}) AS p, {cols}"
            f" FROM generate_series(0, {rows} - 1) i;"
            " CREATE INDEX ON t (p, id); VACUUM ANALYZE t;"
            " ALTER TABLE t " + ", ".join(f"ALTER m{i} SET NOT NULL" for i in range(6)))


def query(measures, widths, running):
    frames = [f"{w} PRECEDING" for w in widths] + ["UNBOUNDED PRECEDING"] * running
    sums = [f"sum(m{m}) OVER (PARTITION BY p ORDER BY id ROWS {f})"
            for f in frames for m in range(measures)]
    return f"SELECT id, p, {', '.join(sums)} FROM t", len(sums)
