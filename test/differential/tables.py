"""Generate tables, as data that can be shrunk.

A table holds its rows as SQL literals, one list per row, in the order of
COLUMNS.  What varies: the number of rows and partitions, the density of NULL
in each column, ties in the order keys, extreme measures, wide text.
"""

from dataclasses import dataclass, field

COLUMNS = [
    ("id", "integer"),           # unique
    ("p", "integer"), ("q", "text"),        # partition keys
    ("o", "integer"), ("r", "date"),        # order keys, with ties
    ("t", "timestamp"), ("z", "timestamptz"), ("h", "time"),
    ("a", "smallint"), ("b", "integer"), ("c", "bigint"),   # measures
    ("d", "numeric(9,3)"),
    ("n", "numeric"), ("f", "double precision"),    # measures that do not qualify
    ("w", "text"),               # passed through, at times wide
]
LIMITS = {"a": 2**15, "b": 2**31, "c": 2**63}
# Minutes between values, the value so many minutes on, extreme values
TIMES = {
    "t": (500, "timestamp '2024-01-30' + interval '{} minutes'", ["timestamp 'infinity'", "timestamp '-infinity'", "timestamp '294276-12-30'", "timestamp '2024-03-31'"]),
    "z": (500, "timestamptz '2024-03-30 00:00+00' + interval '{} minutes'", ["timestamptz 'infinity'", "timestamptz '-infinity'"]),
    "h": (50, "time '00:00' + interval '{} minutes'", ["time '24:00'", "time '00:00'", "time '23:59:59.999999'"]),
}
DENSITIES = [0, 0, 0, 0.05, 0.3, 0.8, 1]


@dataclass
class Table:
    name: str
    rows: list
    not_null: list = field(default_factory=list)    # columns declared so
    indexes: list = field(default_factory=list)
    analyzed: bool = False

    def ddl(self):
        """The statements that make the table."""
        columns = ", ".join(
            f"{name} {type_}" + (" NOT NULL" if name in self.not_null else "")
            for name, type_ in COLUMNS)
        yield f"CREATE TABLE {self.name} ({columns})"
        if self.rows:
            rows = ",\n".join("(" + ", ".join(row) + ")" for row in self.rows)
            yield f"INSERT INTO {self.name} VALUES\n{rows}"
        for columns in self.indexes:
            yield f"CREATE INDEX ON {self.name} ({columns})"
        if self.analyzed:
            yield f"ANALYZE {self.name}"


def row_count(rng, large):
    if large:
        return rng.randint(1000, 4000)
    return rng.choice([0, 1, 2, rng.randint(3, 20), rng.randint(20, 80),
                       rng.randint(20, 80), rng.randint(80, 300)])


def integer_values(rng, column):
    """A function that draws a measure's value."""
    limit = LIMITS[column]
    kind = rng.choice(["small", "small", "signed", "full", "extreme", "constant"])
    if kind == "small":
        return lambda: rng.randint(0, 9)
    if kind == "signed":
        return lambda: rng.randint(-1000, 1000)
    if kind == "full":
        return lambda: rng.randint(-limit, limit - 1)
    if kind == "extreme":
        return lambda: rng.choice([-limit, limit - 1, limit - 1, -1, 0, 1])
    constant = rng.choice([1, -1, limit - 1, -limit])
    return lambda: constant


def column_values(rng, column, count):
    """A function from the row's number to the column's literal, not NULL."""
    if column == "id":
        ids = list(range(1, count + 1))
        if rng.random() < 0.5:
            rng.shuffle(ids)
        return lambda i: str(ids[i])
    if column in ("p", "q"):
        partitions = rng.choice([1, 2, 3, 8, max(1, count // 3), max(1, count)])
        if column == "p":
            return lambda i: str(rng.randint(0, partitions - 1))
        return lambda i: f"'k{rng.randint(0, partitions - 1)}'"
    if column in ("o", "r"):
        distinct = rng.choice([1, 3, max(1, count // 4), max(1, count * 4)])
        if column == "o":
            return lambda i: str(rng.randint(-2, distinct))
        share = rng.choice([0, 0, 0, 0.1])
        return lambda i: (rng.choice(["date 'infinity'", "date '-infinity'", "date '294276-12-30'"]) if rng.random() < share else
                          f"date '2024-01-01' + {rng.randint(0, distinct)}")
    if column in TIMES:
        step, base, limits = TIMES[column]
        distinct = rng.choice([1, 3, max(1, count // 4), max(1, count * 4)])
        share = rng.choice([0, 0, 0.1])
        return lambda i: (rng.choice(limits) if rng.random() < share else
                          base.format(rng.randint(0, distinct) * step))
    if column in LIMITS:
        draw = integer_values(rng, column)
        return lambda i: str(draw())
    if column == "n":
        if rng.random() < 0.2:
            return lambda i: rng.choice(["'NaN'", "'Infinity'", "1.50", "-3", "1e-20", "1e30"])
        return lambda i: f"{rng.randint(-99999, 99999) / 100:.{rng.randint(0, 4)}f}"
    if column == "d":
        share = rng.choice([0, 0, 0.02, 0.3])
        limit = rng.choice([9, 99999, 999999999])
        return lambda i: "'NaN'" if rng.random() < share else f"{rng.randint(-limit, limit) / 1000:.3f}"
    if column == "f":
        if rng.random() < 0.2:
            return lambda i: rng.choice(["'NaN'", "'-Infinity'", "1e300", "-1e300", "0.1", "'-0'"])
        return lambda i: repr(rng.uniform(-1000, 1000))
    wide = rng.choice([0, 0, 40, 3000])
    numbers = rng.random() < 0.5     # castable to integer, but perhaps for one
    return lambda i: (f"repeat('{rng.choice('abc')}', {rng.randint(0, wide)})" if wide else
                      f"'{rng.randint(0, 50)}'" if numbers and rng.random() < 0.99 else
                      f"'{rng.choice(['', 'x', 'yes', '7'])}'")


def generate_table(rng, name, large=False):
    count = row_count(rng, large)
    table = Table(name, [])
    literals = []
    for column, _ in COLUMNS:
        value = column_values(rng, column, count)
        density = 0 if column == "id" else rng.choice(DENSITIES)
        if density == 0 and rng.random() < 0.5:
            table.not_null.append(column)
        literals.append(["NULL" if rng.random() < density else value(i)
                         for i in range(count)])
    table.rows = [list(row) for row in zip(*literals)]
    table.analyzed = rng.random() < 0.5
    if rng.random() < 0.3:
        table.indexes.append(rng.choice(["p, o", "p, id", "o", "id", "q, r", "o, r"]))
    return table
