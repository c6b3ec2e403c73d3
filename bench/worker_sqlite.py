"""SQLite, in memory, the table stored in the order of the windows' keys.

It can compute rows only by handing them over.  So that none is, the query is
filtered by a condition that needs all results and holds for no row.
"""

import json
import sqlite3
import sys
import time

print(json.dumps({"version": f"SQLite {sqlite3.sqlite_version}"}), flush=True)
database = sqlite3.connect(":memory:")


def load(request):
    columns = request["columns"]
    declared = ", ".join(f"{name} {'text' if type_ in ('text', 'timestamp') else 'integer'}" for name, type_ in columns)
    database.execute(f"CREATE TABLE t ({declared}, PRIMARY KEY ({request['key']})) WITHOUT ROWID")
    with open(request["csv"], encoding="utf-8") as file:
        rows = ([value if value != "" else None for value in line.rstrip("\n").split(",")] for line in file)
        database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)
    database.commit()
    return {}


def run(request):
    condition = " + ".join(f"coalesce({r}, 0)" for r in request["results"])
    start = time.perf_counter()
    rows = database.execute(f"SELECT * FROM ({request['sql']}) WHERE {condition} = 0.5").fetchall()
    seconds = time.perf_counter() - start
    assert not rows
    return {"seconds": seconds}


def digest(request):
    return {"row": database.execute(request["sql"]).fetchone()}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"load": load, "run": run, "digest": digest}[request["do"]](request)), flush=True)
