"""Run a case as stock, fused and windowagg, and compare what psql prints."""

import re
from dataclasses import dataclass, field
from itertools import takewhile

from delivery import explain, run

MODES = {
    "stock": ["SET LOCAL sliding_prefix.enabled = off"],
    "fused": ["SET LOCAL sliding_prefix.enabled = on", "SET LOCAL sliding_prefix.strategy = fused"],
    "windowagg": ["SET LOCAL sliding_prefix.enabled = on",
                  "SET LOCAL sliding_prefix.strategy = windowagg"],
}
REWRITTEN = {
    "fused": re.compile(r"Custom Scan \(SlidingPrefix\)"),
    "windowagg": re.compile(r"COALESCE\(lag\("),
}


@dataclass
class Verdict:
    rewritten: set = field(default_factory=set)
    errors: set = field(default_factory=set)    # stock's, by SQLSTATE
    wrong: str = ""              # the strategy that differs
    documented: bool = False     # it differs, as the README says it may
    answers: dict = field(default_factory=dict)


def preamble(case, settings=None):
    return [f"SET LOCAL {name} = '{value}'"
            for name, value in (case.settings if settings is None else settings).items()]


def with_states(statements):
    """Each statement followed by its SQLSTATE."""
    for statement in statements:
        yield statement
        yield "\\echo SQLSTATE :SQLSTATE"


def set_up(case):
    """Statements that make what the case needs, in a transaction."""
    yield "BEGIN"
    for table in case.used_tables():
        yield from table.ddl()


def answers(session, case, settings=None):
    """What each mode prints, and its plan; the database is left as it was."""
    said = session.ask(list(set_up(case)))
    if said:
        raise SystemExit(f"seed {case.seed}: cannot set up:\n" + "\n".join(said))
    results, plans = {}, {}
    for mode, switches in MODES.items():
        prepare = ["SAVEPOINT run"] + switches + preamble(case, settings) + case.preparation()
        plans[mode] = session.ask(
            prepare + list(with_plan(case)) + ["ROLLBACK TO run"])
        results[mode] = plan_errors(plans[mode]) + session.ask(
            prepare + list(with_states(run(case))) + ["ROLLBACK TO run"])
    session.ask(["ROLLBACK", "DEALLOCATE ALL"])
    return results, plans


def with_plan(case):
    """Statements that show the plan; of a prepared statement, the one that
    is executed first."""
    if case.delivery.kind != "prepared":
        return explain(case)
    statements = list(run(case))
    return statements[:2] + ["EXPLAIN (COSTS OFF, VERBOSE) " + statements[2]]


def plan_errors(lines):
    return [line for line in lines if line.startswith("ERROR")]


def judge(session, case):
    """The verdict on a case."""
    results, plans = answers(session, case)
    verdict = Verdict(answers=results)
    for mode, pattern in REWRITTEN.items():
        if any(pattern.search(line) for line in plans[mode]):
            verdict.rewritten.add(mode)
        if results[mode] != results["stock"] and not verdict.wrong:
            verdict.wrong = mode
    verdict.errors = {line for line in results["stock"]
                      if re.fullmatch(r"SQLSTATE (?!00000)\w{5}", line)}
    if verdict.wrong and is_documented(session, case, results):
        verdict.wrong, verdict.documented = "", True
    return verdict


def one_error_differs(results):
    """Is there an error, and before the first one no difference?"""
    before = [list(takewhile(lambda line: not line.startswith("ERROR"), lines))
              for lines in results.values()]
    length = min(len(lines) for lines in before)
    return (any(len(lines) < len(all_lines) for lines, all_lines in zip(before, results.values()))
            and all(lines[:length] == before[0][:length] for lines in before))


def meets_limit_of_time(case, given):
    """Does a query that stops early meet, or just not meet, a sum of a time and
    an interval that is out of range?  How far such sums are made is not imitated."""
    return (case.stops_early() and "interval" in case.text() and one_error_differs(given)
            and any("SQLSTATE 22008" in lines for lines in given.values()))


def outgrows_memory(session, case, given):
    """Does it differ only because stock's frames outgrow work_mem?  Stock then
    reads the partition to its end, which a query that stops early can tell by
    an error.  With memory enough there must be no difference."""
    if not (case.risky and case.stops_early() and case.settings.get("work_mem")
            and one_error_differs(given)):
        return False
    results, _ = answers(session, case, {**case.settings, "work_mem": "1GB"})
    return results["fused"] == results["windowagg"] == results["stock"]


def is_documented(session, case, given):
    return meets_limit_of_time(case, given) or outgrows_memory(session, case, given)
