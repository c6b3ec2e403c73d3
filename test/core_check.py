"""Judge a run of PostgreSQL's regression tests.

core_check.py TESTS OUT STRATEGY

TESTS is the server's src/test/regress, OUT the folder that pg_regress wrote
its results to, STRATEGY what ran: stock, fused or windowagg.  Every test of
the schedule must have a result that equals one of its expected files, apart
from the plans that EXPLAIN prints.  Exits with 1 otherwise, and when a
strategy rewrote nothing.
"""

import difflib
import pathlib
import re
import sys

# How the server's log shows a plan with our work in it
REWRITTEN = {
    "fused": re.compile(r"Custom Scan \(SlidingPrefix\)"),
    "windowagg": re.compile(r"COALESCE\(lag\("),
}
PLAN_HEADER = re.compile(r"^ *(QUERY PLAN|explain_\w+|\w*explain\w*) *$")
TABLE_END = re.compile(r"^\(\d+ rows?\)$")


def scheduled_tests(schedule):
    """The names of the tests in a schedule file."""
    for line in schedule.read_text().splitlines():
        if line.startswith("test:"):
            yield from line.split()[1:]


def without_plans(text):
    """The lines of an output, each table of a plan made one line; and how
    many tables there were."""
    lines, inside = [], False
    plans = 0
    source = text.splitlines()
    for number, line in enumerate(source):
        ruled = number + 1 < len(source) and re.match(r"^-+$", source[number + 1])
        if not inside and ruled and PLAN_HEADER.match(line):
            inside = True
            plans += 1
            lines.append("<plan>")
        elif inside:
            inside = not TABLE_END.match(line)
        else:
            lines.append(line)
    return lines, plans


def judge(test, tests, out):
    """'same', 'plans' when only plans differ, or the difference as text."""
    result_file = out / "results" / f"{test}.out"
    if not result_file.exists():
        return f"{test}: no result\n"
    result = result_file.read_text(errors="surrogateescape")
    expected_files = [tests / "expected" / f"{test}.out"]
    expected_files += sorted((tests / "expected").glob(f"{test}_[0-9].out"))
    differences = []
    for file in expected_files:
        expected = file.read_text(errors="surrogateescape")
        if expected == result:
            return "same"
        ours, theirs = without_plans(result)[0], without_plans(expected)[0]
        if ours == theirs:
            return "plans"
        differences.append("\n".join(difflib.unified_diff(
            theirs, ours, file.name, "result", lineterm="")))
    return min(differences, key=len) + "\n"


def count_rewritten(out, strategy):
    """How many plan lines of the server's log show our work."""
    pattern = REWRITTEN[strategy]
    with open(out / "log" / "postmaster.log", errors="surrogateescape") as log:
        return sum(1 for line in log if pattern.search(line))


def main():
    tests, out, strategy = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    names = list(scheduled_tests(tests / "parallel_schedule")) + ["sliding_frames"]
    verdicts = {name: judge(name, tests, out) for name in names}
    plans = [name for name, verdict in verdicts.items() if verdict == "plans"]
    others = [name for name, verdict in verdicts.items() if verdict not in ("same", "plans")]
    for name in others:
        sys.stdout.write(verdicts[name])
    print(f"{len(names)} tests: {len(names) - len(plans) - len(others)} as expected, "
          f"{len(plans)} but for plans ({', '.join(plans)}), {len(others)} not ({', '.join(others)})")
    if strategy == "stock":
        return 1 if others or plans else 0
    rewritten = count_rewritten(out, strategy)
    print(f"{rewritten} plan lines show the rewrite")
    return 1 if others or not rewritten else 0


sys.exit(main())
