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
valgrind_tests="setup basic exact offsets spill windowagg range_rolling"

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
	if nm -D "$workplace/sliding_prefix.so" | grep -q __ubsan_handle &&
		[ "$(pg_setting debug_assertions)" = on ]; then
		pass "PostgreSQL $major: assertions and the undefined-behaviour sanitizer are on"
	else
		fail "PostgreSQL $major: assertions and the undefined-behaviour sanitizer are on"
	fi
	build clean
}

pg_setting() { as_server_user "$SERVERS/$major/bin/postgres" -C "$1" -D "$instance/data"; }

make_instance() {
	instance=$workplace/instance
	mkdir "$instance"
	if [ "$(id -u)" = 0 ]; then chown postgres "$instance"; fi
	as_server_user "$SERVERS/$1/bin/initdb" -D "$instance/data" -N -A trust -U postgres \
		-E UTF8 --locale=C.UTF-8 >/dev/null
	# The memory debugger is slow: nothing may time out
	as_server_user tee -a "$instance/data/postgresql.conf" >/dev/null <<-END
		listen_addresses = ''
		unix_socket_directories = '$instance'
		fsync = off
		autovacuum = off
		END
}

# A program that pg_ctl starts in place of postgres
write_valgrind_postgres() {
	printf '%s\n' '#!/bin/sh' \
		"exec valgrind --leak-check=no --error-limit=no --num-callers=40 --log-file=$instance/valgrind.%p \\" \
		"	--suppressions=$SERVERS/source-$1/src/tools/valgrind.supp $SERVERS/$1/bin/postgres \"\$@\"" |
		as_server_user tee "$instance/postgres" >/dev/null
	as_server_user chmod +x "$instance/postgres"
}

# Print each of valgrind's paragraphs that names our library
errors_in_our_code() {
	sed 's/^==[0-9]*== *//' "$instance"/valgrind.* | awk -v RS= '/ (at|by) 0x/ && /sliding_prefix\.so|\/src\/[a-z_]*\.c:/'
}

under_valgrind() {
	local major=$1 name="PostgreSQL $1: under valgrind"
	write_valgrind_postgres "$major"
	build with_llvm=no PG_CFLAGS='-fvisibility=hidden -Og -g'
	install_extension
	as_server_user "$SERVERS/$major/bin/pg_ctl" -D "$instance/data" -w -t 600 -l "$instance/log" \
		-p "$instance/postgres" start >/dev/null
	PGHOST=$instance PGUSER=postgres make -s -C "$workplace" installcheck \
		REGRESS="$valgrind_tests" >"$instance/results" 2>&1 || true
	as_server_user "$SERVERS/$major/bin/pg_ctl" -D "$instance/data" -w -t 600 stop >/dev/null
	if grep -qE 'All [0-9]+ tests passed' "$instance/results"; then
		pass "$name: the results"
	else
		fail "$name: the results"
		tail -n 40 "$instance/results"
	fi
	if ! grep -q 'ERROR SUMMARY' "$instance"/valgrind.*; then
		fail "$name: valgrind reported nothing at all"
	elif [ -n "$(errors_in_our_code)" ]; then
		fail "$name: errors in our code"
		errors_in_our_code | head -n 60
	else
		pass "$name: no error in our code"
	fi
}

for major in ${VERSIONS:-15 18}; do
	build_server "$major"
	export PG_CONFIG=$SERVERS/$major/bin/pg_config
	prepare_workplace
	make_instance "$major"
	sanitized "$major"
	all_tests "$major"
	under_valgrind "$major"
	clean_up
done
say "$passed passed, $failed failed"
[ "$failed" = 0 ]
