"""The shapes that are measured: tables and the window functions over them.

The table t has a unique id, a partition p, an order key (id, or the time ts)
and measures m0, m1, ...  A shape's results are the columns r0, r1, ...
"""

from dataclasses import dataclass, field

WIDTHS = [2, 6, 29, 89, 179]
POSTGRES = ["floor", "stock", "windowagg", "fused"]
DUCKDB = ["duckdb, 1 thread", "duckdb, all threads"]
OTHERS = DUCKDB + ["sqlite", "pandas"]


@dataclass
class Data:
    """A table of integer measures, random but for the seed."""
    rows: int
    partitions: int
    measures: int = 1
    type: str = "integer"
    null_share: float = 0       # of the measures' values
    shuffled: bool = False      # stored in no order and without an index

    def columns(self):
        """(name, type) of each column."""
        return [("id", "integer"), ("p", "integer")] + [
            (f"m{i}", self.type) for i in range(self.measures)]

    def key(self):
        return "p, id"

    def value(self):
        value = {"integer": "floor(random() * 1000)::integer", "bigint": "floor(random() * 1e12)::bigint",
                 "numeric(12,2)": "(floor(random() * 1e8) / 100)::numeric(12,2)"}[self.type]
        return f"CASE WHEN random() >= {self.null_share} THEN {value} END" if self.null_share else value

    def load(self, seed):
        per_partition = -(-self.rows // self.partitions)
        measures = ", ".join(f"{self.value()} AS m{i}" for i in range(self.measures))
        yield f"SELECT setseed({seed})"
        yield (f"CREATE TABLE t AS SELECT i AS id, i / {per_partition} AS p, {measures}"
               f" FROM generate_series(0, {self.rows} - 1) i" + (" ORDER BY random()" if self.shuffled else ""))
        if not self.null_share:
            for i in range(self.measures):
                yield f"ALTER TABLE t ALTER m{i} SET NOT NULL"
        if not self.shuffled:
            yield "CREATE INDEX ON t (p, id)"


@dataclass
class Times(Data):
    """Rows that are 37 minutes apart."""

    def columns(self):
        return super().columns() + [("ts", "timestamp")]

    def key(self):
        return "p, ts"

    def load(self, seed):
        yield from super().load(seed)
        yield "ALTER TABLE t ADD ts timestamp"
        yield "UPDATE t SET ts = timestamp '2024-01-01' + id * interval '37 minutes'"
        # Stored in order again, after the update
        yield "CREATE INDEX by_time ON t (p, ts)"
        yield "CLUSTER t USING by_time"


@dataclass
class Flights(Data):
    """Real flights, blown up: copies that follow each other by a quarter."""
    csv: str = ""

    def columns(self):
        return [("id", "integer"), ("origin", "text"), ("departure", "timestamp"),
                ("destination", "text"), ("m0", "integer"), ("m1", "integer")]

    def key(self):
        return "origin, departure, id"

    def load(self, seed):
        yield "CREATE TEMPORARY TABLE f (departure timestamp, origin text, destination text, m0 integer, m1 integer)"
        yield f"\\copy f FROM '{self.csv}' WITH (FORMAT csv, HEADER)"
        yield "CREATE TEMPORARY TABLE n AS SELECT count(*) AS flights FROM f"
        yield (f"CREATE TABLE t AS SELECT (row_number() OVER w)::integer AS id, * FROM ("
               " SELECT origin, departure + c * interval '91 days' AS departure, destination, m0, m1"
               f" FROM f, n, generate_series(0, greatest({self.rows} / flights, 1) - 1) c) g"
               " WINDOW w AS (ORDER BY origin, departure) ORDER BY id")
        yield "CREATE INDEX ON t (origin, departure, id)"


@dataclass
class Shape:
    name: str
    title: str
    data: Data
    functions: list              # of SQL, with {w} for the window up to the frame
    contenders: list
    frames: list = field(default_factory=list)      # (measure, preceding or None) of each, where all are such
    instead: dict = field(default_factory=dict)     # contender: functions that give the same
    settings: str = ""           # of PostgreSQL
    scale: float = None          # where a plot shows it
    carries: bool = True         # are the measures passed through?

    def window(self):
        keys = self.data.key().split(", ")
        return f"PARTITION BY {keys[0]} ORDER BY {', '.join(keys[1:])}"

    def passed(self):
        return [name for name, _ in self.data.columns()
                if self.carries or not name.startswith("m")]

    def query(self, contender):
        functions = self.instead.get(contender, self.functions)
        results = [f"{f.format(w=self.window())} AS r{i}" for i, f in enumerate(functions)]
        return f"SELECT {', '.join(self.passed() + results)} FROM t"

    def floor(self):
        """Every row in order, with what is passed through."""
        return f"SELECT {', '.join(self.passed())} FROM t ORDER BY {self.data.key()}"

    def results(self):
        return [f"r{i}" for i in range(len(self.functions))]

    def digest(self, contender):
        """A query whose one row is the same for the same answer: of each
        column the number of values, and two sums weighted by the row."""
        numbers = [c for c in self.passed() + self.results() if c[0] in "mr"]
        parts = ["count(*)", "sum(id)"]
        for column in numbers:
            parts += [f"count({column})", f"sum(({column} % 1000003) * (id % 1009 + 1))",
                      f"sum(({column} % 999983) * (id % 9973 + 1))"]
        return f"SELECT {', '.join(parts)} FROM ({self.query(contender)}) q"


def sums(frames):
    return [f"sum(m{m}) OVER ({{w}} ROWS {'UNBOUNDED' if n is None else n} PRECEDING)" for m, n in frames]


def sliding(name, title, data, frames, contenders, **more):
    return Shape(name, title, data, sums(frames), contenders, frames, **more)


def grid(measures, widths):
    return [(m, n) for n in widths for m in range(measures)]


def ranges(aggregate, intervals):
    """Native functions and those of range_rolling() that give the same."""
    ours = "range_rolling" if aggregate == "sum" else f"range_rolling_{aggregate}"
    return ([f"{aggregate}(m0) OVER ({{w}} RANGE INTERVAL '{i}' PRECEDING)" for i in intervals],
            {"range_rolling": [f"{ours}(m0, ts, '{i}', '0') OVER ({{w}})" for i in intervals]})


def shapes(rows, csv):
    # Few rows are in fewer partitions, so that wide frames are full
    usual = max(1, min(1024, rows // 500))
    long = max(1, min(64, rows // 16384))
    full = grid(6, WIDTHS + [None])
    b = grid(1, WIDTHS)

    yield sliding("A", "6 measures, 5 widths and running totals", Data(rows, usual, 6), full, POSTGRES + OTHERS)
    yield sliding("B", "1 measure, 5 widths", Data(rows, usual), b, POSTGRES + OTHERS)
    yield sliding("C", "A in long partitions", Data(rows, long, 6), full, POSTGRES + OTHERS)
    for n in (2, 4, 8, 16, 32, 64):
        yield sliding(f"D {n}", f"1 frame of {n} PRECEDING", Data(rows, usual), [(0, n)], POSTGRES)
    yield sliding("E", "A with bigint measures", Data(rows, usual, 6, "bigint"), full, POSTGRES + OTHERS)
    width = 10
    while width <= rows:
        yield sliding(f"F {width}", f"1 frame of {width} PRECEDING, 1 partition", Data(rows, 1), [(0, width)],
                      ["floor", "stock", "fused", DUCKDB[0]], scale=width)
        width *= 10
    for frames in (1, 2, 5, 10, 20, 50):
        yield sliding(f"G {frames}", f"{frames} frames of 1 measure", Data(rows, usual),
                      [(0, 3 + 4 * i) for i in range(frames)], POSTGRES + DUCKDB[:1], scale=frames)
    for count in (rows // 100, rows // 10, rows, rows * 10):
        yield sliding(f"H {count}", f"B with {count} rows", Data(count, max(1, min(1024 * count // rows, count // 500))), b,
                      ["floor", "stock", "fused", DUCKDB[0]], scale=count)
    yield sliding("I", "A with half of the values NULL", Data(rows, usual, 6, null_share=0.5), full, POSTGRES + DUCKDB + ["sqlite"])
    yield sliding("J serial", "B with the rows in no order: the sort is in it", Data(rows, usual, shuffled=True), b, POSTGRES + DUCKDB)
    yield sliding("J parallel", "the same with two workers below", Data(rows, usual, shuffled=True), b, ["floor", "stock", "fused"],
                  settings="SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;"
                  " SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;")
    yield sliding("K", "1 frame that outgrows work_mem", Data(rows // 10, 1), [(0, rows // 20)], ["floor", "stock", "fused"],
                  settings="SET work_mem = '64kB';")
    times = Times(rows, max(1, min(1000, rows // 500)))
    for number, (aggregate, intervals) in enumerate(
            [("sum", ["1 day"]), ("sum", ["1 day", "7 days", "30 days"]), ("max", ["7 days"]), ("count", ["7 days"])], 1):
        functions, ours = ranges(aggregate, intervals)
        yield Shape(f"L {number}", f"{aggregate} over {', '.join(intervals)} of time", times, functions,
                    ["floor", "stock"] + ["fused"] * (aggregate != "max") + ["range_rolling"] + DUCKDB, instead=ours)
    # Other aggregates and frames, which other engines do not compute alike
    inside = ["floor", "stock", "fused"]
    by_time = [f"sum(m{i}) OVER ({{w}} RANGE INTERVAL '{n}' PRECEDING)" for i, n in enumerate(("1 day", "7 days", "30 days"))]
    yield Shape("N range", "3 sums over 1, 7 and 30 days of time", Times(rows, times.partitions, 3), by_time, inside)
    for name, title, type_, calls, frames in (
            ("N centred", "sum over 29 PRECEDING to 29 FOLLOWING", "integer", ["sum(m0)"], ["ROWS BETWEEN 29 PRECEDING AND 29 FOLLOWING"]),
            ("N avg", "avg, sum and count over 5 widths", "integer", ["avg(m0)", "sum(m0)", "count(m0)"], [f"ROWS {n} PRECEDING" for n in WIDTHS]),
            ("N count", "count(*) over 5 widths", "integer", ["count(*)"], [f"ROWS {n} PRECEDING" for n in WIDTHS]),
            ("N numeric", "sum of numeric(12,2) over 5 widths", "numeric(12,2)", ["sum(m0)"], [f"ROWS {n} PRECEDING" for n in WIDTHS]),
            ("N default", "running sum by the default frame", "integer", ["sum(m0)"], [""]),
            ("N exclude", "sum over 179 PRECEDING without the current row", "integer", ["sum(m0)"],
             ["ROWS BETWEEN 179 PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW"])):
        yield Shape(name, title, Data(rows, times.partitions, type=type_), [f"{c} OVER ({{w}} {f})" for f in frames for c in calls], inside)
    late = "CASE WHEN m0 > 15 THEN 1 ELSE 0 END"
    yield Shape("M", "flights: 3 measures, 3 widths", Flights(rows, 0, csv=csv),
                [f"sum({m}) OVER ({{w}} ROWS {n} PRECEDING)" for m in ("m0", "m1", late) for n in (6, 29, 99)],
                POSTGRES + DUCKDB + ["sqlite"])
