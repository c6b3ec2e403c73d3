#!/bin/bash
# make core-check: PostgreSQL's own regression tests with the rewrite on.
#
# For each of VERSIONS (15 18) the server's source package is built and its
# whole parallel schedule runs three times: as it is, and with each strategy,
# the library in session_preload_libraries.  A test of ours comes last
# (test/core).  core_check.py judges the results: only the shape of a plan may
# differ from what is expected.

. "$(dirname "$0")/workplace.sh"
. "$(dirname "$0")/server_source.sh"

passed=0 failed=0

# run_schedule TREE OUT: the parallel schedule against a temporary server with
# the configuration OUT/config.  Its verdict is not used: it knows no plan but
# the expected one.
run_schedule() {
	local tests=$1/src/test/regress out=$2
	if [ "$(id -u)" = 0 ]; then chown -R postgres "$out"; fi
	(cd "$out" && as_server_user "$tests/pg_regress" --inputdir="$tests" --outputdir="$out" \
		--dlpath="$tests" --bindir="$("$PG_CONFIG" --bindir)" \
		--temp-instance="$out/instance" --temp-config="$out/config" \
		--max-concurrent-tests=20 --schedule="$tests/parallel_schedule" sliding_frames) \
		>"$out/log.txt" 2>&1 || true
}

# Plans are logged, to count those that were rewritten
write_config() {
	printf '%s\n' "fsync = off" "max_prepared_transactions = 2"
	[ "$1" = stock ] && return
	printf '%s\n' "session_preload_libraries = 'auto_explain, sliding_prefix'" \
		"auto_explain.log_min_duration = 0" "auto_explain.log_nested_statements = on" \
		"auto_explain.log_verbose = on" \
		"sliding_prefix.enabled = on" "sliding_prefix.strategy = $1" \
		"sliding_prefix.min_total_frame_width = 0"
}

# core_run MAJOR stock|fused|windowagg
core_run() {
	local tree=$SERVERS/source-$1 out
	out=$(mktemp -d "$workplace/core-$1-$2-XXXX")
	chmod 755 "$out"
	write_config "$2" >"$out/config"
	run_schedule "$tree" "$out"
	if python3 "$workplace/test/core_check.py" "$tree/src/test/regress" "$out" "$2"; then
		say "ok      PostgreSQL $1, $2"
		passed=$((passed + 1))
	else
		say "FAILED  PostgreSQL $1, $2"
		tail -n 20 "$out/log.txt"
		failed=$((failed + 1))
	fi
	rm -rf "$out"
}

install_packages python3
for major in ${VERSIONS:-15 18}; do
	build_server "$major"
	make -s -C "$SERVERS/source-$major/src/test/regress" all >/dev/null
	make -s -C "$SERVERS/source-$major/contrib/spi" all >/dev/null
	cp "$tree"/test/core/*.sql "$SERVERS/source-$major/src/test/regress/sql/"
	cp "$tree"/test/core/*.out "$SERVERS/source-$major/src/test/regress/expected/"
	PG_CONFIG=$SERVERS/$major/bin/pg_config
	prepare_workplace
	build with_llvm=no
	install_extension
	for strategy in ${STRATEGIES:-stock fused windowagg}; do
		core_run "$major" "$strategy"
	done
	clean_up
done
say "$passed passed, $failed failed"
[ "$failed" = 0 ]
