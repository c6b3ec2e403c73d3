"""Generate queries, as parts that can be taken away one by one.

A case is tables, a source (the FROM clause), functions, layers around the
query that holds them, settings, and the way its rows are asked for.
"""

import random
from dataclasses import dataclass, field

from delivery import generate_delivery
from functions import generate_functions
from tables import generate_table

SOURCES = {
    "table": "t0",
    "filter": "(SELECT * FROM t0 WHERE id % 5 <> 0)",
    "join": "(SELECT x.id, x.p, y.q, x.o, y.r, y.t, x.z, x.h, y.a, x.b, y.c, x.n, x.d, y.f, x.w"
            " FROM t0 x JOIN t1 y ON x.o = y.o)",
    "left join": "(SELECT x.id, x.p, x.q, y.o, x.r, x.t, y.z, x.h, y.a, y.b, y.c, y.n, y.d, x.f, y.w"
                 " FROM t0 x LEFT JOIN t1 y ON x.id = y.id)",
    "full join": "(SELECT coalesce(x.id, -y.id) AS id, x.p, y.q, x.o, y.r, y.t, x.z, x.h, x.a, y.b, y.c, y.n, y.d, x.f, y.w"
                 " FROM t0 x FULL JOIN t1 y ON x.id = y.id)",
    "group by": "(SELECT min(id) AS id, p, min(q) AS q, o, max(r) AS r, max(t) AS t, min(z) AS z, max(h) AS h, max(a) AS a,"
                " count(*)::integer AS b, sum(b) AS c, sum(n) AS n, max(d) AS d, min(f) AS f, max(w) AS w"
                " FROM t0 GROUP BY p, o)",
    "union all": "(SELECT * FROM t0 UNION ALL SELECT * FROM t1)",
    "distinct": "(SELECT DISTINCT * FROM t0)",
    "limit": "(SELECT * FROM t0 ORDER BY o, id LIMIT 50)",
    "cte": "(WITH c AS MATERIALIZED (SELECT * FROM t0) SELECT * FROM c)",
    "risky": "(SELECT id, p, q, o, r, t, z, h, a, 1000 / (id - 40) AS b, c, n, d, f, w FROM t0)",
    "risky fence": "(SELECT id, p, q, o, r, t, z, h, a, 1000 / (id - 40) AS b, c, n, d, f, w FROM t0 OFFSET 0)",
    "lateral": "(SELECT x.id, x.p, x.q, x.o, x.r, x.t, x.z, x.h, y.a, y.b, y.c, x.n, x.d, x.f, x.w FROM t0 x,"
               " LATERAL (SELECT a, b, c FROM t1 WHERE t1.id <= x.a LIMIT 2) y)",
    "srf": "(SELECT id, p, q, o, r, t, z, h, a, generate_series(1, 3) AS b, c, n, d, f, w FROM t0)",
}
SETTINGS = [("work_mem", "64kB"), ("work_mem", "64kB"), ("enable_hashagg", "off"),
            ("enable_hashjoin", "off"), ("enable_mergejoin", "off"), ("enable_nestloop", "off"),
            ("enable_seqscan", "off"), ("enable_sort", "off"), ("enable_incremental_sort", "off"),
            ("cursor_tuple_fraction", "1"), ("plan_cache_mode", "force_generic_plan"),
            ("plan_cache_mode", "force_custom_plan"), ("from_collapse_limit", "1"),
            ("hash_mem_multiplier", "1"), ("enable_material", "off")]


@dataclass
class Case:
    seed: int
    tables: list
    source: str
    functions: list
    layers: list                 # templates, the innermost first
    columns: str                 # passed through
    risky: bool
    named_windows: bool
    delivery: object = None
    settings: dict = field(default_factory=dict)
    view: bool = False
    lateral: bool = False        # the whole query is run per row of a VALUES list

    def may_have_parameters(self):
        return self.delivery.kind == "prepared" and not self.view

    def stops_early(self):
        return (self.delivery.kind == "cursor" or "LIMIT" in self.text()
                or "EXISTS" in self.text())

    def text(self):
        """The query, without its parameters' values."""
        return Rendering(self).query()

    def parameters(self):
        rendering = Rendering(self)
        rendering.query()
        return rendering.parameters

    def used_tables(self):
        text = "\n".join(self.preparation() + [self.text()])
        return [t for t in self.tables if t.name in text]

    def preparation(self):
        """Statements to run after the tables are there."""
        if not self.view:
            return []
        return ["CREATE VIEW v AS " + Rendering(self).core()]


class Rendering:
    """Turns a case into text, and collects the parameters' values."""

    def __init__(self, case):
        self.case = case
        self.parameters = []

    def place(self, value, kind):
        if kind == "parameter" and self.case.may_have_parameters():
            self.parameters.append(value)
            return f"${len(self.parameters)}"
        if kind == "subquery":
            return f"(SELECT {value})"
        if kind == "outer" and self.case.lateral:
            return "v.k"
        return str(value)

    def call(self, function):
        number = self.place(function.number, function.offset_kind) if "{m}" in function.call else ""
        return function.call.replace("{m}", number)

    def frame(self, function):
        offset = self.place(function.offset, function.offset_kind) if "{n}" in function.frame else ""
        return function.frame.replace("{n}", offset)

    def window(self, function):
        parts = []
        if function.partition:
            parts.append("PARTITION BY " + ", ".join(function.partition))
        if function.order:
            parts.append("ORDER BY " + ", ".join(function.order))
        return " ".join(parts)

    def core(self):
        """The query that holds the functions."""
        case = self.case
        named = {}
        select = [case.columns]
        for function in case.functions:
            window, call, frame = self.window(function), self.call(function), self.frame(function)
            if case.named_windows:
                window = named.setdefault(window, f"win{len(named)}")
            select.append(f"{call} OVER ({window} {frame}) AS {function.name}")
        text = f"SELECT {', '.join(select)} FROM {SOURCES[case.source]} AS s"
        if case.lateral:
            text += " WHERE s.id > coalesce(v.k, 0)"
        if named:
            text += " WINDOW " + ", ".join(f"{name} AS ({window})" for window, name in named.items())
        return text

    def query(self):
        text = "SELECT * FROM v" if self.case.view else self.core()
        for layer in self.case.layers:
            text = layer.replace("{}", text)
        if self.case.lateral:
            text = f"SELECT v.k, l.* FROM (VALUES (0), (2), (20)) AS v(k), LATERAL ({text}) AS l"
        return text


def generate_layers(rng, functions, risky):
    """Queries around the query.  Where {} stands twice, it is run twice."""
    names = [f.name for f in functions]
    x = rng.choice(names)
    numbers = [f.name for f in functions if f.is_number()] or ["id"]
    number = rng.choice(numbers)
    size = rng.choice([1, 3, 10, 40])
    keep = [
        f"SELECT * FROM ({{}}) AS l WHERE {x} IS NOT NULL",
        f"SELECT * FROM ({{}}) AS l WHERE {number} <= {size}",
        f"SELECT * FROM ({{}}) AS l WHERE {number} > {size} AND id % 3 <> 1",
        "SELECT * FROM ({}) AS l WHERE p = 1",
        f"SELECT * FROM ({{}}) AS l LIMIT {size}",
        f"SELECT * FROM ({{}}) AS l LIMIT {size}",
        f"SELECT * FROM ({{}}) AS l LIMIT {size} OFFSET {rng.randint(1, 9)}",
        f"SELECT * FROM ({{}}) AS l ORDER BY {x} DESC, id LIMIT {size}",
        f"SELECT * FROM ({{}}) AS l ORDER BY p, {number}, id",
        "WITH l AS MATERIALIZED ({}) SELECT * FROM l",
        "WITH l AS ({}) SELECT * FROM l WHERE id > 3 UNION ALL SELECT * FROM l",
        "SELECT DISTINCT * FROM ({}) AS l",
        "SELECT * FROM ({}) AS l OFFSET 0",
        f"SELECT *, sum({number}) OVER (PARTITION BY p ORDER BY o, id ROWS 3 PRECEDING) AS y FROM ({{}}) AS l",
        f"SELECT *, sum({number}::bigint) OVER (ORDER BY id ROWS 6 PRECEDING) AS z, "
        "row_number() OVER (ORDER BY id) AS zn FROM ({}) AS l",
        "SELECT l.* FROM ({}) AS l LEFT JOIN t1 ON t1.id = l.id",
        "SELECT l.* FROM t1 JOIN ({}) AS l USING (id)",
        "({}) UNION ALL ({})",
        "SELECT * FROM ({}) AS l WHERE id IN (SELECT id FROM t1)",
    ]
    # These keep no column that a further layer could use
    final = [
        f"SELECT p, count(*), max({x}::text), min({number}) FROM ({{}}) AS l GROUP BY p",
        f"SELECT id, (SELECT max({x}::text) FROM ({{}}) AS l WHERE l.id <= t1.id) FROM t1",
        "SELECT id FROM t1 WHERE EXISTS (SELECT FROM ({}) AS l WHERE l.o = t1.o)",
        f"SELECT *, pg_typeof({x}) FROM ({{}}) AS l",
        f"SELECT {number} + 1 AS e, {x} AS d, {x} AS dd FROM ({{}}) AS l",
        f"SELECT id, numeric_send({number}::numeric) FROM ({{}}) AS l",
    ]
    if risky:
        keep.append(f"SELECT * FROM ({{}}) AS l WHERE 10 / ({number} - 3) < 100")
        final.append(f"SELECT id, 1000 / (id - {rng.randint(5, 50)}) FROM ({{}}) AS l")
    layers = [rng.choice(keep) for _ in range(rng.choice([0, 0, 1, 1, 2]))]
    if rng.random() < 0.2:
        layers.append(rng.choice(final))
    return layers


def generate_case(seed):
    """Everything follows from the seed."""
    rng = random.Random(seed)
    risky = rng.random() < 0.4
    functions = generate_functions(rng, risky)
    sources = [s for s in SOURCES if risky or "risky" not in s]
    case = Case(
        seed=seed,
        tables=[generate_table(rng, "t0", large=rng.random() < 0.03), generate_table(rng, "t1")],
        source="table" if rng.random() < 0.35 else rng.choice(sources),
        functions=functions,
        layers=generate_layers(rng, functions, risky),
        columns=rng.choice(["id, p, o", "id, p, o, q, r, w", "id, p, o, w || 'x' AS wx, b + 0.5 AS h",
                            "id, o, p, a, b, c, n, f"]),
        risky=risky,
        named_windows=rng.random() < 0.2,
        settings=dict(rng.choice(SETTINGS) for _ in range(rng.choice([0, 1, 1, 2, 3]))),
        view=rng.random() < 0.1)
    case.lateral = not case.view and rng.random() < 0.12
    case.delivery = generate_delivery(rng)
    return case
