"""One psql that stays connected, and the lines it answers.

Errors come on the same stream as results, each followed by its SQLSTATE where
the script asks for it.
"""

import subprocess

END = "-- end of the answer --"
SETTINGS = ["LOAD 'sliding_prefix'", "SET sliding_prefix.min_total_frame_width = 0",
            "SET jit = off", "SET max_parallel_workers_per_gather = 0",
            "SET extra_float_digits = 3"]


class Lost(Exception):
    """The connection, or the server, is gone."""


class Session:
    def __init__(self):
        self.psql = subprocess.Popen(
            ["psql", "-X", "-A", "-q", "-P", "null=NULL", "-P", "footer=off"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8", errors="surrogateescape")
        answer = self.ask(SETTINGS)
        if answer:
            raise SystemExit("cannot start: " + "\n".join(answer))

    def ask(self, statements):
        """Run statements; the lines that psql printed for them."""
        script = "".join(f"{s}\n" if s.startswith("\\") or "\\gdesc" in s else f"{s};\n"
                         for s in statements)
        # A statement's result is flushed, a backslash command's is not
        script += f"SELECT '{END}' AS x;\n"
        try:
            self.psql.stdin.write(script)
            self.psql.stdin.flush()
        except BrokenPipeError:
            pass                 # what psql said about it is still to be read
        lines = []
        while True:
            line = self.psql.stdout.readline()
            if not line:
                raise Lost("\n".join(lines))
            line = line.rstrip("\n")
            if line == END:
                lines.pop()      # the column's name
                return lines
            lines.append(line)

    def close(self):
        self.psql.stdin.close()
        self.psql.wait()
