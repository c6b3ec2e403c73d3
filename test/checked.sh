#!/bin/bash
# make checked: the tests on servers, and with a library, that check themselves.
#
# For each of VERSIONS (15 18) the server is built from source with assertions.
# All of run.sh runs on it, with the library compiled to stop at undefined
# behaviour.  Then some regression tests run in a server under valgrind, which
# may report no error with our code on the stack.  The closing line counts all.

. "$(dirname "$0")/workplace.sh"
. "$(dirname "$0")/server_source.sh"

# One or more of each kind: results, memory, disk, the window functions
valgrind_tests="setup basic exact offsets spill_small windowagg range_rolling_random"

passed=0 failed=0

pass() {
	say "ok      $1"
	passed=$((passed + 1))
}

fail() {
	say "FAILED  $1"
	failed=$((failed + 1))
}

# PGXS adds COPT to what it compiles and links
all_tests() {
	local major=$1 log=$SERVERS/tests-$1.log counts
	COPT='-fsanitize=undefined -fno-sanitize-recover=all' bash test/run.sh 2>&1 |
		sed -u -E -e "s/^(ok|FAILED) +/&PostgreSQL $major: /" \
			-e "s/^[0-9]+ passed, [0-9]+ failed$/PostgreSQL $major: &/" | tee "$log" || true
	counts=$(sed -n "s/^PostgreSQL $major: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p" "$log")
	if [ -z "$counts" ]; then
		fail "PostgreSQL $major: the tests did not run to their end"
	else
		passed=$((passed + ${counts% *}))
		failed=$((failed + ${counts#* }))
	fi
}

# What run.sh tested was what it is meant to be
sanitized() {
	local major=$1
	build clean
	build with_llvm=no COPT='-fsanitize=undefined -fno-sanitize-recover=all'
	if nm -D "$workplace/sliding_prefix.so" | grep __ubsan_handle >/dev/null &&
		[ "$(pg_server postgres -C debug_assertions -D "$cluster/data")" = on ]; then
		pass "PostgreSQL $major: assertions and the undefined-behaviour sanitizer are on"
	else
		fail "PostgreSQL $major: assertions and the undefined-behaviour sanitizer are on"
	fi
	build clean
}

# A program that pg_ctl starts in place of postgres
write_valgrind_postgres() {
	printf '%s\n' '#!/bin/sh' \
		"exec valgrind --leak-check=no --error-limit=no --num-callers=40 --fullpath-after= --log-file=$cluster/valgrind.%p \\" \
		"	--suppressions=$SERVERS/source-$1/src/tools/valgrind.supp $SERVERS/$1/bin/postgres \"\$@\"" |
		as_server_user tee "$cluster/postgres" >/dev/null
	as_server_user chmod +x "$cluster/postgres"
}

# Print each of valgrind's paragraphs that names our library
errors_in_our_code() {
	sed 's/^==[0-9]*== *//' "$cluster"/valgrind.* | awk -v RS= -v ours="$workplace/src/" '/ (at|by) 0x/ && (index($0, ours) || /sliding_prefix\.so/)'
}

under_valgrind() {
	local major=$1 name="PostgreSQL $1: under valgrind"
	write_valgrind_postgres "$major"
	build with_llvm=no PG_CFLAGS='-fvisibility=hidden -Og -g'
	install_extension
	start_server -p "$cluster/postgres"
	PGHOST=$cluster PGUSER=postgres make -s -C "$workplace" installcheck \
		REGRESS="$valgrind_tests" >"$cluster/results" 2>&1 || true
	stop_server fast
	if grep -qE 'All [0-9]+ tests passed' "$cluster/results"; then
		pass "$name: the results"
	else
		fail "$name: the results"
		tail -n 40 "$cluster/results"
	fi
	if ! grep -q 'ERROR SUMMARY' "$cluster"/valgrind.*; then
		fail "$name: valgrind reported nothing at all"
	elif [ -n "$(errors_in_our_code)" ]; then
		fail "$name: errors in our code"
		errors_in_our_code | sed -n 1,60p
	else
		pass "$name: no error in our code"
	fi
}

for major in ${VERSIONS:-15 18}; do
	build_server "$major"
	export PG_CONFIG=$SERVERS/$major/bin/pg_config
	prepare_workplace
	make_cluster autovacuum=off
	sanitized "$major"
	all_tests "$major"
	under_valgrind "$major"
	clean_up
done
say "$passed passed, $failed failed"
[ "$failed" = 0 ]
