#!/bin/bash
# make bench: times against a throwaway server.  ROWS, SEED and RUNS are parameters.

. "$(dirname "$0")/../test/workplace.sh"

prepare_workplace
build
install_extension
with_server -o shared_buffers=1GB python3 bench/bench.py \
	--rows "${ROWS:-1000000}" --seed "${SEED:-0.5}" --runs "${RUNS:-5}" >"$workplace/results.md"
cp "$workplace/results.md" "$tree/bench/results.md"
