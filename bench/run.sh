#!/bin/bash
# make bench: measure, and write bench/results.md and the pictures.
#
# ROWS (1000000), SEED (0.5), RUNS (5) and ONLY (letters of shapes, all by
# default) are parameters.  Other contenders are used where they are installed:
# pandas as Debian's python3-pandas; DuckDB as node's package @duckdb/node-api in
# DUCKDB_DIR/node_modules.

. "$(dirname "$0")/../test/workplace.sh"

prepare_workplace
install_packages python3 gnuplot-nox
build
install_extension
# A quarter of the memory, as is usual
buffers=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 4096))MB
with_server -o "shared_buffers=$buffers" python3 bench/bench.py \
	--rows "${ROWS:-1000000}" --seed "${SEED:-0.5}" --runs "${RUNS:-5}" --only "${ONLY:-}" \
	"$workplace/bench/output"
cp "$workplace"/bench/output/* "$tree/bench/"
