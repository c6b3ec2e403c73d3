# pg_stat_statements and auto_explain, preloaded before ours and after: all
# three do their work.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $query = 'SELECT d, sum(x) OVER (ORDER BY d ROWS 6 PRECEDING) FROM m';

foreach my $order ('pg_stat_statements, auto_explain, sliding_prefix', 'sliding_prefix, auto_explain, pg_stat_statements',
	'pg_stat_statements, sliding_prefix, auto_explain')
{
	my $server = new_server("shared_preload_libraries = '$order'", 'compute_query_id = on',
		'auto_explain.log_min_duration = 0', 'auto_explain.log_analyze = on', 'auto_explain.log_verbose = on',
		'pg_stat_statements.track_planning = on');
	my $session = $server->session(load => 0);
	$session->ask('CREATE EXTENSION pg_stat_statements; CREATE EXTENSION sliding_prefix;
		CREATE TABLE m AS SELECT d, d * 3 AS x FROM generate_series(1, 50) d; SELECT pg_stat_statements_reset()');
	same_as_stock($session, $query, $order);

	is($session->ask("SELECT calls, plans, rows FROM pg_stat_statements WHERE query LIKE 'SELECT d, sum(%'"),
		'3|3|150', "pg_stat_statements counts all as one query: $order");
	my $log = $server->log_text;
	like($log, qr/Custom Scan \(SlidingPrefix\) .*actual time=\S+ rows=50(?:\.00)? loops=1\)\n(?:.*\n)*?.*Running Sums: /,
		"auto_explain shows the node: $order");
	like($log, qr/lag\(.*OVER/, "auto_explain shows the windowagg strategy: $order");
	is($session->ask("SELECT rewritten FROM sliding_prefix_explain('$query')"), 'f', "off: $order");
	is($session->ask("$MODE{fused} SET sliding_prefix.debug_require_rewrite = allow;
		SELECT rewritten FROM sliding_prefix_explain('$query')"), 't', "on: $order");
}
done();
