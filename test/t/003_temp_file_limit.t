# Frames outgrow work_mem and reach temp_file_limit: stock's kind of error, no
# file is left and the session goes on.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server("work_mem = '64kB'", 'max_parallel_workers_per_gather = 0');
my $session = $server->session;
$session->ask(<<'END');
CREATE TABLE m AS SELECT d, d * 3 AS x FROM generate_series(1, 200000) d;
CREATE INDEX ON m (d);
ANALYZE m;
SET enable_seqscan = off;
SET enable_sort = off;
END
my $query = 'SELECT sum(x) OVER (ORDER BY d ROWS 190000 PRECEDING) FROM m';

foreach my $mode (qw(stock fused windowagg))
{
	$session->ask("$MODE{$mode} SET temp_file_limit = '1MB'");
	like($session->query("SELECT count(*) FROM ($query OFFSET 0) q WHERE sum > 0"),
		qr/^ERROR:  53400: temporary file size exceeds "?temp_file_limit"? \(1024kB\)$/m, "refused: $mode");
	is_deeply([ $server->temporary_files ], [], "no temporary file: $mode");
	$session->ask('SET temp_file_limit = -1');
	is($session->ask('SELECT sum(x) OVER (ORDER BY d ROWS 6 PRECEDING) FROM m ORDER BY d DESC LIMIT 1'), 200000 * 21 - 63, "usable: $mode");
}
$session->ask($MODE{fused});
like($session->ask("EXPLAIN (ANALYZE, COSTS OFF) $query"), qr/Custom Scan \(SlidingPrefix\).*Disk: /s, 'the node itself spills');
done();
