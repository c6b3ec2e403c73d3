#!/bin/bash
# make test: every test, against throwaway servers.
#
# The regression tests run three times: with nothing preloaded, with the
# library in session_preload_libraries and the rewrite on, and with it in
# shared_preload_libraries.  Then come the TAP tests (test/t), each with servers
# of its own, random queries (test/differential) and the benchmark, small.
# STRICT=1 also compiles with gcc and clang, with warnings as errors, and runs
# cppcheck.  The closing line counts all.

. "$(dirname "$0")/workplace.sh"

# The headers of the server leave parameters unused
strict_flags='-fvisibility=hidden -Wall -Wextra -Werror -Wno-unused-parameter'

# check NAME COMMAND...: run it and record whether it passed
check() {
	local name=$1
	shift
	if "$@" >"$results/log" 2>&1; then
		say "ok      $name"
		say passed >>"$results/tally"
	else
		say "FAILED  $name"
		sed 's/^/        /' "$results/log" | tail -n 60
		say failed >>"$results/tally"
	fi
}

strict_builds() {
	install_packages clang cppcheck
	check "compiles without a warning: gcc" \
		build CC=gcc with_llvm=no PG_CFLAGS="$strict_flags"
	build clean
	check "compiles without a warning: clang" \
		build CC=clang with_llvm=no \
		PG_CFLAGS="$strict_flags -Wno-ignored-optimization-argument -Wno-unknown-warning-option -Wno-ignored-attributes"
	build clean
	check "cppcheck" cppcheck --quiet --error-exitcode=1 \
		--enable=warning,performance,portability \
		--library=test/cppcheck.cfg -I src src
}

# regression NAME: one run of the regression tests, a check for each of them
regression() {
	local name=$1
	make -s installcheck >"$results/regression" 2>&1 || true
	if ! grep -qE '^(test|ok|not ok) ' "$results/regression"; then
		say "FAILED  $name: the tests did not run"
		tail -n 30 "$results/regression"
		say failed >>"$results/tally"
		return
	fi
	while read -r line; do
		case $line in
			*FAILED*|not\ ok*) say "FAILED  $name: $line"; say failed >>"$results/tally" ;;
			*) say "ok      $name: $line"; say passed >>"$results/tally" ;;
		esac
	done < <(grep -E '^(test|ok|not ok) ' "$results/regression" | tr -s ' ')
	if [ -s regression.diffs ]; then
		head -n 200 regression.diffs
	fi
	rm -f regression.diffs
}

# tap: the TAP tests, a check for each file.  A file that skips all its tests
# passed nothing, and says why.
tap() {
	local file name reason
	install_packages libipc-run-perl
	for file in test/t/*.t; do
		name=$(basename "$file" .t)
		if ! prove -v -I test "$file" >"$results/log" 2>&1; then
			say "FAILED  TAP: $name"
			grep -vE '^ok ' "$results/log" | tail -n 60
			say failed >>"$results/tally"
		elif reason=$(grep -m 1 -o ' skipped: .*' "$results/log"); then
			say "skipped TAP: $name: ${reason# skipped: }"
		else
			say "ok      TAP: $name"
			say passed >>"$results/tally"
		fi
	done
}

if [ "${1:-}" = inside ]; then
	results=$2
	export PGOPTIONS=${4:-}
	regression "$3"
	exit
fi

prepare_workplace
results=$workplace/test-results
mkdir "$results"
: >"$results/tally"
if [ "${STRICT:-0}" = 1 ]; then strict_builds; fi
check "builds" build
install_extension
with_server bash test/run.sh inside "$results" "nothing preloaded"
with_server bash test/run.sh inside "$results" "session preload" \
	"-c session_preload_libraries=sliding_prefix -c sliding_prefix.enabled=on"
with_server -o shared_preload_libraries=sliding_prefix -o sliding_prefix.enabled=on \
	bash test/run.sh inside "$results" "shared preload"
tap
install_packages python3
check "random queries" with_server python3 test/differential/main.py 1 2000
grep '^rewritten: ' "$results/log" || true
install_packages gnuplot-nox
check "benchmark of 10,000 rows: all answers the same" \
	with_server python3 bench/bench.py --rows 10000 --runs 1 "$results/bench"
grep '^skipped' "$results/log" || true

failed=$(grep -c failed "$results/tally" || true)
say "$(grep -c passed "$results/tally" || true) passed, $failed failed"
[ "$failed" = 0 ]
