"""The ways a query's rows are asked for."""

from dataclasses import dataclass, field


@dataclass
class Delivery:
    kind: str                    # plain, cursor, prepared, loop, table
    scroll: str = ""             # of a cursor
    moves: list = field(default_factory=list)
    executions: list = field(default_factory=list)   # what is added to the parameters


def generate_delivery(rng):
    kind = rng.choice(["plain"] * 5 + ["cursor"] * 3 + ["prepared"] * 3 + ["loop", "table"])
    delivery = Delivery(kind)
    if kind == "cursor":
        delivery.scroll = rng.choice(["", "NO SCROLL", "SCROLL", "SCROLL"])
        moves = ["FETCH {}", "FETCH {}", "FETCH {}", "MOVE {}", "FETCH NEXT"]
        if delivery.scroll == "SCROLL":
            moves += ["FETCH BACKWARD {}", "FETCH ABSOLUTE {}", "FETCH PRIOR", "FETCH FIRST",
                      "FETCH RELATIVE -{}", "FETCH LAST", "FETCH BACKWARD ALL"]
        delivery.moves = [rng.choice(moves).format(rng.choice([1, 2, 7, 30]))
                          for _ in range(rng.randint(1, 6))]
        if rng.random() < 0.6:
            delivery.moves.append("FETCH ALL")
    if kind == "prepared":
        delivery.executions = [rng.choice([0, 0, 1, 5, 100]) for _ in range(rng.choice([1, 2, 7]))]
        if rng.random() < 0.05:
            delivery.executions.append(None)        # NULL parameters
    return delivery


def explain(case):
    """Statements that show the plan."""
    text = case.text()
    return ["EXPLAIN (COSTS OFF, VERBOSE) " + prefix(case) + text]


def prefix(case):
    """What stands before the query where the plan may depend on it."""
    if case.delivery.kind == "cursor":
        return f"DECLARE cur {case.delivery.scroll} CURSOR FOR "
    return ""


def run_prepared(case):
    text, parameters = case.text(), case.parameters()
    types = f"({', '.join(['bigint'] * len(parameters))})" if parameters else ""
    yield "DEALLOCATE ALL"
    yield f"PREPARE st{types} AS {text}"
    for added in case.delivery.executions:
        values = ["NULL" if added is None else str(min(value + added, 2**63 - 1))
                  for value in parameters]
        arguments = f"({', '.join(values)})" if values else ""
        yield f"EXECUTE st{arguments}"


def run(case):
    """Statements that give the answer."""
    delivery, text = case.delivery, case.text()
    if delivery.kind == "plain":
        yield text
    elif delivery.kind == "cursor":
        yield prefix(case) + text
        # The columns' types, of the plan and not of the query
        yield "FETCH 0 FROM cur \\gdesc"
        for move in delivery.moves:
            direction = move.split(" ", 1)
            yield f"{direction[0]} {direction[1]} FROM cur"
    elif delivery.kind == "prepared":
        yield from run_prepared(case)
    elif delivery.kind == "loop":
        yield (f"DO $do$ DECLARE answer record; BEGIN FOR answer IN {text} LOOP"
               " RAISE NOTICE '%', answer; END LOOP; END $do$")
    elif delivery.kind == "table":
        yield f"CREATE TABLE made AS {text}"
        yield "SELECT * FROM made"
        yield ("SELECT attname, atttypid::regtype, atttypmod FROM pg_attribute"
               " WHERE attrelid = 'made'::regclass AND attnum > 0 ORDER BY attnum")
