"""Make a case that differs small: take away whatever it differs without."""

import copy

from delivery import Delivery
from tables import COLUMNS


def smaller_rows(case):
    """Cases without some rows of a table: halves first, single rows last."""
    for number, table in enumerate(case.tables):
        size = len(table.rows)
        while size > 0:
            for start in range(0, len(table.rows), size):
                smaller = copy.deepcopy(case)
                del smaller.tables[number].rows[start:start + size]
                if len(smaller.tables[number].rows) < len(table.rows):
                    yield smaller
            size //= 2


def without_items(case, name):
    """Cases without one item of a list or dictionary."""
    for key in reversed(range(len(getattr(case, name)))):
        smaller = copy.deepcopy(case)
        items = getattr(smaller, name)
        if isinstance(items, dict):
            del items[list(items)[key]]
        else:
            del items[key]
        yield smaller


def with_value(case, path, value):
    """The case with an attribute set, if that changes it.  The path leads to
    it from the case."""
    smaller = copy.deepcopy(case)
    target = smaller
    for step in path[:-1]:
        target = target[step] if isinstance(step, int) else getattr(target, step)
    if getattr(target, path[-1]) != value:
        setattr(target, path[-1], value)
        yield smaller


def simpler_parts(case):
    """Cases with a part in its simplest form."""
    yield from with_value(case, ["delivery"], Delivery("plain"))
    for number in range(len(case.delivery.moves)):
        smaller = copy.deepcopy(case)
        del smaller.delivery.moves[number]
        yield smaller
    if len(case.delivery.executions) > 1:
        yield from with_value(case, ["delivery", "executions"], case.delivery.executions[:1])
    for name, value in [("source", "table"), ("view", False), ("lateral", False),
                        ("named_windows", False), ("columns", "id")]:
        yield from with_value(case, [name], value)
    for number, function in enumerate(case.functions):
        here = ["functions", number]
        for name, value in [("partition", []), ("order", ["id"]), ("call", "sum(b)"),
                            ("offset_kind", "literal"), ("frame", "ROWS {n} PRECEDING")]:
            yield from with_value(case, here + [name], value)
        for offset in (0, 1):
            if offset < function.offset:
                yield from with_value(case, here + ["offset"], offset)
    for number in range(len(case.tables)):
        for name, value in [("indexes", []), ("not_null", []), ("analyzed", False)]:
            yield from with_value(case, ["tables", number, name], value)


def simpler_values(case):
    """Cases with a whole column of a table NULL, or small numbers in it."""
    for number, table in enumerate(case.tables):
        for column, (name, _) in enumerate(COLUMNS):
            if name == "id":
                continue
            for value in ["NULL"] + (["1"] if name in "abcop" else []):
                if value == "NULL" and name in table.not_null:
                    continue
                smaller = copy.deepcopy(case)
                for row in smaller.tables[number].rows:
                    row[column] = value
                if smaller.tables[number].rows != table.rows:
                    yield smaller


def candidates(case):
    yield from without_items(case, "layers")
    yield from (c for c in without_items(case, "functions") if c.functions)
    yield from smaller_rows(case)
    yield from simpler_parts(case)
    yield from without_items(case, "settings")
    yield from simpler_values(case)


def shrink(case, still_differs, most=600):
    """The smallest case found, after at most so many trials."""
    progress = True
    while progress and most > 0:
        progress = False
        for smaller in candidates(case):
            most -= 1
            if still_differs(smaller):
                case, progress = smaller, True
                break
            if most <= 0:
                break
    return case
