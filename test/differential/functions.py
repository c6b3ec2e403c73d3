"""Generate window functions, most of them of the kind that is rewritten.

A function is text with places to fill in: {n} for a frame's offset and {m} for
a number in the argument.  What is put there depends on the query: a literal, a
parameter, a subquery, a column of an outer query.
"""

from dataclasses import dataclass

MEASURES = ["a", "b", "c", "a", "b", "c", "a + b", "b::bigint - a", "c % 1000",
            "CASE WHEN p = 1 THEN b END", "coalesce(b, 0)", "a * {m}::bigint",
            "CASE WHEN b > {m} THEN c END", "length(w)", "1", "NULL::integer"]
# These can raise an error in some row
RISKY_MEASURES = ["100 / a", "b + 1", "b * a", "c + c", "w::integer", "c / (id - {m}::bigint)",
                  "(a + 1)::smallint", "(n * {m})::numeric(9,1)", "1000 / (id - 30)"]
OTHERS = ["row_number()", "row_number()", "rank()", "dense_rank()", "percent_rank()",
          "cume_dist()", "ntile(3)", "lag(b)", "lag(c, 2, 0)", "lag(b, a)", "lead(c)",
          "lead(n, 3)", "first_value(b)", "last_value(c)", "nth_value(b, 2)"]
# Aggregates of running sums and counts; {x} is a measure
EXACT = ["sum({x})"] * 6 + ["avg({x})", "avg({x})", "count({x})", "count({x})", "count(*)", "count(w)",
         "sum(d)", "sum(d)", "avg(d)", "count(d)", "sum(d::numeric(12,4))", "sum(CASE WHEN p > 0 THEN d END)",
         "bool_and({x} > {m})", "bool_or({x} = {m})", "every({x} <> {m})"]
FILTERS = [""] * 8 + [" FILTER (WHERE b > {m})", " FILTER (WHERE id % 3 > 0)", " FILTER (WHERE q = 'k1')"]
RISKY_FILTER = " FILTER (WHERE 100 / (id - {m}) > 0)"
AGGREGATES = ["avg(n)", "min(c)", "max(a)", "sum(n)", "sum(f)", "avg(f)", "array_agg(id)", "string_agg(q, ',')",
              "stddev(b)", "sum(c)", "sum(b)", "max(w)", "sum((SELECT count(*) FROM t1 WHERE t1.p = s.p))"]
BOUNDS = ["UNBOUNDED PRECEDING", "{n} PRECEDING", "2 PRECEDING", "CURRENT ROW", "1 FOLLOWING", "{n} FOLLOWING",
          "UNBOUNDED FOLLOWING"]
EXCLUSIONS = [""] * 6 + [" EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES", " EXCLUDE NO OTHERS"]
PARTITIONS = [[], ["p"], ["p"], ["q"], ["p", "q"], ["p % 2"], ["a"], ["r"], ["n"]]
ORDERS = [[], ["id"], ["o"], ["o", "id"], ["r"], ["r DESC NULLS LAST", "id"], ["o DESC"],
          ["o NULLS FIRST", "r"], ["q"], ["c"], ["f", "id"],
          ["f"], ["f DESC"], ["c DESC NULLS LAST"], ["n"], ["t"], ["t DESC"], ["z NULLS FIRST"], ["h"], ["h DESC NULLS LAST"]]
# Offsets of RANGE frames from keys that are the only one
KEY_OFFSETS = {"o": ["{n}", "0", "1", "{n}::smallint"], "c": ["{n}", "1", "{n}::bigint"], "f": ["{n}", "0.5", "'Infinity'"],
               "id": ["{n}", "3"], "n": ["{n}", "2.5"],
               "r": ["interval '1 day'", "interval '1 month'", "interval '36 hours'", "interval '0'"],
               "t": ["interval '1 day'", "interval '90 minutes'", "interval '1 month -3 days'"],
               "z": ["interval '1 day'", "interval '90 minutes'"], "h": ["interval '1 hour'", "interval '20 hours'"]}


@dataclass
class Function:
    name: str
    call: str
    partition: list
    order: list
    frame: str
    offset: int
    offset_kind: str = "literal"        # literal, parameter, subquery, outer
    number: int = 0

    def is_number(self):
        """Can its result be added up?"""
        return self.call.startswith(("sum", "count", "row_number", "rank", "ntile", "avg"))


def random_offset(rng):
    roll = rng.random()
    if roll < 0.01:
        return -1
    if roll < 0.06:
        return rng.choice([2**31 - 1, 2**31 - 2, 2**31, 2**63 - 1, 10**6])
    if roll < 0.2:
        return rng.randint(30, 400)
    return rng.choice([0, 1, 1, 2, 3, 6, 6, 13, 29])


def bounds_of(mode, order):
    """The bounds that a frame may have, from first to last."""
    key = order[0].split()[0] if len(order) == 1 else None
    if mode == "RANGE" and key not in KEY_OFFSETS:
        return ["UNBOUNDED PRECEDING", "CURRENT ROW", "UNBOUNDED FOLLOWING"]
    if mode != "RANGE":
        return BOUNDS
    offsets = KEY_OFFSETS[key]
    return (["UNBOUNDED PRECEDING"] + [f"{o} PRECEDING" for o in offsets] + ["CURRENT ROW"]
            + [f"{o} FOLLOWING" for o in offsets] + ["UNBOUNDED FOLLOWING"])


def random_frame(rng, order):
    """Any frame; half of them end with their row."""
    if rng.random() < 0.5:
        return rng.choice(["ROWS {n} PRECEDING", "ROWS BETWEEN {n} PRECEDING AND CURRENT ROW",
                           "ROWS UNBOUNDED PRECEDING"])
    mode = rng.choice(["ROWS", "ROWS", "GROUPS", "RANGE", "RANGE"])
    bounds = bounds_of(mode, order)
    first, last = sorted(rng.choices(range(len(bounds)), k=2))
    # a frame may not start at the end or end at the start
    first, last = min(first, len(bounds) - 2), max(last, 1)
    if rng.random() < 0.3 and "CURRENT" not in bounds[first] and 0 < first < last < len(bounds) - 1:
        same = bounds[first].split()[-1] == bounds[last].split()[-1]
        first, last = (last, first) if same else (first, last)    # mostly empty frames
    return f"{mode} BETWEEN {bounds[first]} AND {bounds[last]}" + rng.choice(EXCLUSIONS)


def sliding(rng, risky, order):
    measures = RISKY_MEASURES if risky and rng.random() < 0.5 else MEASURES
    call = rng.choice(EXACT).replace("{x}", rng.choice(measures)) + rng.choice(FILTERS)
    if risky and rng.random() < 0.05:
        call += RISKY_FILTER if "FILTER" not in call else ""
    return call, "" if rng.random() < 0.05 else random_frame(rng, order)


def other(rng, order):
    if rng.random() < 0.4:
        return rng.choice(OTHERS), ""
    return rng.choice(AGGREGATES + EXACT).replace("{x}", "b"), random_frame(rng, order)


def generate_functions(rng, risky):
    """1 to 12 functions over 1 to 3 windows."""
    windows = [(rng.choice(PARTITIONS), rng.choice(ORDERS))
               for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
    if rng.random() < 0.3:      # a sort that two windows share
        windows.append((windows[0][0], windows[0][1] + ["id"]))
    share = rng.choice([1, 1, 0.8, 0.5])
    functions = []
    for i in range(rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 12])):
        partition, order = rng.choice(windows)
        if rng.random() < share:
            call, frame = sliding(rng, risky, order)
        else:
            call, frame = other(rng, order)
        functions.append(Function(
            f"x{i}", call, partition, order, frame, random_offset(rng),
            rng.choice(["literal"] * 4 + ["parameter"] * 3 + ["subquery", "outer"]),
            rng.randint(0, 40)))
    return functions
