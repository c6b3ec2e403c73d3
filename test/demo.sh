#!/bin/bash
# make demo: the main job on real data, with the rewrite off and on.

. "$(dirname "$0")/workplace.sh"

run_sql() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }

# Median execution time of the query, in ms, over five runs: median_time off|on
median_time() {
	local setting="-c session_preload_libraries=sliding_prefix -c sliding_prefix.enabled=$1"
	setting+=" -c jit=off -c max_parallel_workers_per_gather=0 -c work_mem=64MB"
	for _ in 1 2 3 4 5; do
		PGOPTIONS=$setting run_sql -At -c "EXPLAIN (ANALYZE, TIMING OFF) $query" |
			sed -n 's/^Execution Time: \([0-9.]*\) ms$/\1/p'
	done | sort -n | sed -n 3p
}

demo() {
	query=$(cat test/demo_query.sql)
	run_sql -v csv="$PWD/test/flights.csv" -f test/demo_load.sql
	say "" "The query, over 20,000 real flights:"
	say "$query"
	run_sql -f test/demo_compare.sql

	say "The same data blown up to a million rows, median of five runs each:"
	run_sql -f test/demo_blow_up.sql
	off=$(median_time off)
	on=$(median_time on)
	say "    sliding_prefix.enabled = off   $off ms"
	say "    sliding_prefix.enabled = on    $on ms"
	awk -v off="$off" -v on="$on" 'BEGIN { printf "    %.1f times as fast\n", off / on }'
}

if [ "${1:-}" = inside ]; then
	demo
else
	prepare_workplace
	build
	install_extension
	with_server bash test/demo.sh inside
fi
