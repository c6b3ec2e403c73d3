"""Compare stock, fused and windowagg on random queries.

main.py SEED QUERIES

Query i is made from the seed SEED + i alone: "main.py SEED+i 1" repeats it.
Connects as psql does by default.  Exits with 1 when an answer differs, or when
fewer than LEAST_REWRITTEN of the queries are rewritten by fused.
"""

import collections
import difflib
import sys

from compare import MODES, judge, preamble, set_up, with_states
from delivery import run
from queries import generate_case
from session import Lost, Session
from shrink import shrink

LEAST_REWRITTEN = 0.6
MOST_SHRUNK = 5              # differences that are shrunk and shown


class Oracle:
    def __init__(self):
        self.session = Session()
        self.tally = collections.Counter()

    def verdict(self, case):
        """judge() the case; a lost connection counts as a difference."""
        try:
            return judge(self.session, case)
        except Lost as lost:
            self.session = reconnected()
            return lost

    def differs(self, case):
        verdict = self.verdict(case)
        return isinstance(verdict, Lost) or bool(verdict.wrong)

    def check(self, seed):
        case = generate_case(seed)
        verdict = self.verdict(case)
        if isinstance(verdict, Lost) or verdict.wrong:
            self.tally["failed"] += 1
            if self.tally["failed"] <= MOST_SHRUNK:
                self.show(case)
            else:
                print(f"FAILED  seed {seed}")
            return
        self.tally["passed"] += 1
        self.tally.update(verdict.errors)
        self.tally["documented"] += verdict.documented
        self.tally.update(verdict.rewritten)

    def show(self, case):
        """Print a case that differs, made small."""
        print(f"FAILED  seed {case.seed}, made small:")
        case = shrink(case, self.differs)
        verdict = self.verdict(case)
        for statement in script(case):
            print("    " + statement)
        if isinstance(verdict, Lost):
            print(f"  the connection was lost: {verdict}")
        elif not verdict.wrong:
            print("  the difference did not come again")
        else:
            stock, ours = verdict.answers["stock"], verdict.answers[verdict.wrong]
            for line in list(difflib.unified_diff(stock, ours, "stock", verdict.wrong,
                                                  lineterm=""))[:40]:
                print("  " + (line if len(line) < 200 else line[:100] + " ... " + line[-90:]))
        sys.stdout.flush()


def reconnected():
    """A new session, once the server has recovered."""
    import time
    for _ in range(60):
        try:
            return Session()
        except Lost:
            time.sleep(1)
    raise SystemExit("the server does not come back")


def script(case):
    """The case as a psql script."""
    yield from terminated(set_up(case))
    for mode, switches in MODES.items():
        yield f"-- {mode}"
        statements = ["SAVEPOINT run"] + switches + preamble(case) + case.preparation()
        yield from terminated(statements + list(run(case)) + ["ROLLBACK TO run"])


def terminated(statements):
    return [s if "\\gdesc" in s else s + ";" for s in statements]


def main():
    seed, queries = int(sys.argv[1]), int(sys.argv[2])
    oracle = Oracle()
    for number in range(queries):
        oracle.check(seed + number)
    tally = oracle.tally
    errors = ", ".join(f"{tally[key]} with {key}" for key in sorted(tally)
                       if key.startswith("SQLSTATE"))
    print(f"rewritten: {tally['fused']} by fused, {tally['windowagg']} by windowagg, of {queries}"
          f" queries; {tally['documented']} met the documented limit of reading ahead;"
          f" errors: {errors or 'none'}")
    if queries > 1 and tally["fused"] / queries < LEAST_REWRITTEN:
        print(f"FAILED  fewer than {LEAST_REWRITTEN:.0%} were rewritten")
        tally["failed"] += 1
    print(f"{tally['passed']} passed, {tally['failed']} failed")
    return 1 if tally["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
