# Parallel queries: workers below the node, and whole rewritten queries inside
# workers, with the library loaded by LOAD and by session_preload_libraries.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server('max_parallel_workers_per_gather = 2', 'parallel_setup_cost = 0',
	'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0');

my $window = 'WINDOW w AS (PARTITION BY k ORDER BY d ROWS 6 PRECEDING), v AS (PARTITION BY k ORDER BY d ROWS 29 PRECEDING)';
my $query = "SELECT k, d, sum(x) OVER w, sum(y) OVER v FROM m $window";

my $owner = $server->session;
$owner->ask(<<"END");
CREATE TABLE m AS
	SELECT i % 20 AS k, i AS d, i * 7 % 1000 AS x, CASE WHEN i % 3 > 0 THEN i::bigint << 40 END AS y
	FROM generate_series(1, 20000) i;
CREATE TABLE ks WITH (parallel_workers = 2) AS SELECT k FROM generate_series(0, 19) k;
ANALYZE m, ks;
-- Several runs of the same query, each in the worker that calls it
CREATE FUNCTION hashed(which int) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE COST 100000 AS \$\$
BEGIN
	RETURN (SELECT md5(string_agg(q::text, ',')) FROM (
		SELECT d, sum(x) OVER w, sum(y) OVER v FROM m WHERE k = which $window) q);
END \$\$;
END

foreach my $preloaded (0, 1)
{
	my $name = $preloaded ? 'session preload' : 'LOAD';
	$owner->ask("ALTER DATABASE postgres SET session_preload_libraries = 'sliding_prefix'") if $preloaded;
	foreach my $leader ('on', 'off')
	{
		my $session = $server->session(load => !$preloaded);
		$session->ask("SET parallel_leader_participation = $leader");

		like_plan($session, $query, qr/Custom Scan \(SlidingPrefix\)\n.*Gather Merge\n.*Parallel Seq Scan/s,
			"workers below, fused, $name");
		same_as_stock($session, $query, "workers below, leader $leader, $name", 'fused');
		# windowagg wants all rows read before the first one is computed
		$session->ask('SET enable_gathermerge = off');
		like_plan($session, $query, qr/WindowAgg\n.*WindowAgg\n.*Sort\n.*Gather\n.*Parallel Seq Scan/s,
			"workers below, windowagg, $name", 'windowagg');
		same_as_stock($session, $query, "workers below a sort, leader $leader, $name");

		my $inside = 'SELECT k, hashed(k) FROM ks ORDER BY k';
		like_plan($session, $inside, qr/Gather.*Parallel Seq Scan/s, "functions run in workers, $name");
		like(same_as_stock($session, "DISCARD PLANS; $inside", "inside workers, leader $leader, $name"),
			qr/^19\|[0-9a-f]{32}$/m, 'there is an answer');

		# The node itself is sent to workers: a subquery that they evaluate
		my $sent = "SELECT k, (SELECT md5(string_agg(q::text, ',')) FROM (
			SELECT d, sum(x) OVER w, sum(y) OVER v FROM m WHERE m.k = ks.k $window) q) FROM ks ORDER BY k";
		like_plan($session, $sent, qr/Gather.*Parallel Seq Scan on ks.*SubPlan.*Custom Scan \(SlidingPrefix\)/s, "the node in workers, $name");
		same_as_stock($session, $sent, "the node in workers, leader $leader, $name");
	}
}

# A worker's failure is the query's
my $session = $server->session(load => 0);
$session->ask('SET parallel_leader_participation = off');
my $failing = "SELECT d, sum(1000 / (x - 994)) OVER (ORDER BY d ROWS 6 PRECEDING) FROM m";
like(same_as_stock($session, $failing, 'a measure that fails', 'fused'),
	qr/^ERROR:  22012: division by zero$/m, 'it fails');
$session->ask("$MODE{fused} SET sliding_prefix.debug_require_rewrite = forbid");
like($session->query('DISCARD PLANS; SELECT hashed(k) FROM ks'),
	qr/^ERROR:  .*window function "sum" is rewritten$/m, 'the settings arrive in workers');
done();
