"""What computes the shapes: PostgreSQL in four ways, and what users would leave it for.

Each contender has a reason() for not being here or None, load(), run(), which
returns seconds, peak(), digest() and about().
"""

import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = "SET jit = off; SET max_parallel_workers_per_gather = 0; SET work_mem = '256MB';"
ON = ("LOAD 'sliding_prefix'; SET sliding_prefix.enabled = on; SET sliding_prefix.min_total_frame_width = 0;"
      " SET sliding_prefix.debug_require_rewrite = require; SET sliding_prefix.strategy = ")


def psql(script):
    """Run psql; its output.  Its errors go where ours do."""
    return subprocess.run(["psql", "-XqAt", "-F", "|", "-v", "ON_ERROR_STOP=1"], input="SET client_min_messages = warning;\n" + script,
                          check=True, stdout=subprocess.PIPE, text=True).stdout


class Postgres:
    """The time is that of EXPLAIN (ANALYZE, TIMING OFF): every row is computed, none sent."""

    def __init__(self, name, settings=""):
        self.name, self.settings = name, settings

    def reason(self):
        return None

    def load(self, shape, csv):
        self.peak_bytes = 0

    def session(self, shape):
        return BASE + shape.settings + self.settings

    def sql(self, shape):
        return shape.floor() if self.name == "floor" else shape.query(self.name)

    def run(self, shape):
        answer = psql(f"{self.session(shape)}\nSELECT pg_backend_pid() AS pid \\gset\n\\setenv BACKEND :pid\n"
                      f"EXPLAIN (ANALYZE, TIMING OFF) {self.sql(shape)};\n"
                      "\\! cat /proc/$BACKEND/status\n")
        memory = {name: int(kB) * 1024 for name, kB in re.findall(r"^(VmHWM|RssShmem):\s+(\d+) kB", answer, re.M)}
        self.peak_bytes = max(self.peak_bytes, memory["VmHWM"] - memory["RssShmem"])
        return float(re.search(r"Execution Time: ([\d.]+)", answer)[1]) / 1000

    def peak(self):
        return self.peak_bytes

    def digest(self, shape):
        if self.name == "floor":
            return None
        return psql(f"{self.session(shape)}\n{shape.digest(self.name)};").strip()

    def unload(self):
        pass

    def about(self):
        return None


class Worker:
    """A process that holds the data and answers requests: JSON in, JSON out, a line each."""

    def __init__(self, name, command, folder=None, options=None):
        self.name, self.command, self.folder, self.options = name, command, folder, options or {}
        self.process, self.version = None, None

    def start(self):
        """Its first line says its version."""
        self.process = subprocess.Popen(self.command, cwd=self.folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} died")
        return json.loads(line)

    def reason(self):
        """It is here if it can say its version; else what it says instead."""
        try:
            said = subprocess.run(self.command, cwd=self.folder, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True)
        except OSError as error:
            return f"{self.name}: {error.strerror}: {error.filename}"
        if said.returncode != 0:
            errors = re.findall(r"^\w*Error: .*$", said.stderr, re.M) or [said.stderr]
            return f"{self.name}: {errors[0]}"
        self.version = json.loads(said.stdout.splitlines()[0])["version"]
        return None

    def load(self, shape, csv):
        self.start()
        self.ask(do="load", csv=csv, columns=shape.data.columns(), key=shape.data.key(), **self.options)

    def run(self, shape):
        return self.ask(do="run", sql=shape.query(self.name), results=shape.results(), frames=shape.frames)["seconds"]

    def peak(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"^VmHWM:\s+(\d+) kB", status.read(), re.M)[1]) * 1024

    def digest(self, shape):
        row = self.ask(do="digest", sql=shape.digest(self.name))["row"]
        return "|".join("" if value is None else str(value) for value in row)

    def unload(self):
        self.process.stdin.close()
        self.process.wait()

    def about(self):
        return self.version


def contenders():
    duckdb = ["node", os.path.join(HERE, "worker_duckdb.mjs")]
    folder = os.environ.get("DUCKDB_DIR") or None
    found = [Postgres("floor"), Postgres("stock"), Postgres("windowagg", ON + "windowagg;"),
             Postgres("fused", ON + "fused;"), Postgres("range_rolling"),
             Worker("duckdb, 1 thread", duckdb, folder, {"threads": 1}),
             Worker("duckdb, all threads", duckdb, folder, {"threads": os.cpu_count()}),
             Worker("sqlite", ["/usr/bin/python3", os.path.join(HERE, "worker_sqlite.py")]),
             Worker("pandas", ["/usr/bin/python3", os.path.join(HERE, "worker_pandas.py")])]
    return {c.name: c for c in found}
