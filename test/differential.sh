#!/bin/bash
# make differential: random queries, as stock and with each strategy, must give
# the same answers to the bit, errors included.
#
# QUERIES (2000) of them are made from SEED (1) on; "SEED=n QUERIES=1" repeats
# the one that a failure names.

. "$(dirname "$0")/workplace.sh"

install_packages python3
prepare_workplace
build
install_extension
with_server python3 test/differential/main.py "${SEED:-1}" "${QUERIES:-2000}"
