# An error inside a measure, in the k-th row: with an open cursor and a
# subtransaction, in a PL/pgSQL block that catches it, and 300 times over, with
# frames that are in memory and frames that spill.  Rows before the error, the
# error itself and what the session can do afterwards are stock's.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server("work_mem = '64kB'", 'max_parallel_workers_per_gather = 0');
my $session = $server->session;
$session->ask(<<'END');
CREATE TABLE m AS SELECT d, d * 3 AS x FROM generate_series(1, 12000) d;
CREATE INDEX ON m (d);
ANALYZE m;
SET enable_seqscan = off;
SET enable_sort = off;
END

# The row with d = $k fails
sub failing
{
	my ($k, $width) = @_;

	return "SELECT d, sum(x / (d - $k)) OVER w AS s FROM m WINDOW w AS (ORDER BY d ROWS $width PRECEDING)";
}

like_plan($session, failing(3, 6), qr/Custom Scan \(SlidingPrefix\)/, 'rewritten');

foreach my $k (1, 2, 3, 8, 40)
{
	my $query = failing($k, 6);
	my $before = same_as_stock($session, <<"END", "row $k, cursor from before the savepoint", 'fused');
BEGIN;
DECLARE c CURSOR FOR $query;
FETCH 2 FROM c;
SAVEPOINT s;
FETCH 50 FROM c;
ROLLBACK TO s;
FETCH 1 FROM c;
ROLLBACK TO s;
CLOSE c;
SELECT count(*) FROM m;
COMMIT
END
	like($before, qr/^ERROR:  22012: division by zero$/m, "row $k: there is an error");
	same_as_stock($session, <<"END", "row $k, cursor from after the savepoint", 'fused');
BEGIN;
SAVEPOINT s;
DECLARE c CURSOR FOR $query;
FETCH 1 FROM c;
FETCH 50 FROM c;
ROLLBACK TO s;
FETCH 1 FROM c;
ROLLBACK TO s;
DECLARE c CURSOR FOR ${\failing(0, 6)};
FETCH 3 FROM c;
COMMIT
END
	same_as_stock($session, "$query LIMIT 5", "row $k, LIMIT", 'fused');
	# Of two windows, the lower one computes a row ahead of the upper one
	my $two = "SELECT d, sum(x / (d - $k)) OVER v AS s, sum(x) OVER w AS t, sum(x / (d - $k)) OVER w AS u FROM m
		WINDOW v AS (ORDER BY d ROWS 6 PRECEDING), w AS (ORDER BY d ROWS 9 PRECEDING)";
	same_as_stock($session, "BEGIN; DECLARE c CURSOR FOR $two; " . 'FETCH 1 FROM c; ' x $k . 'COMMIT', "row $k, two windows", 'fused');
}

# How far a block comes before it catches the error
$session->ask(<<'END');
CREATE FUNCTION caught(k int, width int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer record;
	got int := 0;
BEGIN
	FOR answer IN SELECT sum(x / (d - k)) OVER (ORDER BY d ROWS width PRECEDING) FROM m LOOP
		got := got + 1;
	END LOOP;
	RETURN got || ' rows';
EXCEPTION WHEN division_by_zero THEN
	RETURN 'failed after ' || got;
END $$
END
foreach my $arguments ('8, 6', '11900, 11000', '0, 6', '1, 0')
{
	same_as_stock($session, "DISCARD PLANS; SELECT caught($arguments)", "caught($arguments)", 'fused');
}

# Again and again leaves nothing
sub used { return $session->ask('SELECT sum(used_bytes) FROM pg_backend_memory_contexts') }

foreach my $kind ([ 'in memory', '11900, 20' ], [ 'on disk', '11900, 11000' ])
{
	my ($name, $arguments) = @$kind;
	my $repeat = "SELECT count(*) FROM generate_series(1, 300) i WHERE caught($arguments) LIKE 'failed%' AND i > 0";
	$session->ask("DISCARD PLANS; $MODE{fused} SELECT caught($arguments)");
	my $before = used();
	is($session->ask($repeat =~ s/300/60/r), 60, "failed 60 times: $name");
	cmp_ok(used() - $before, '<', 16384, "no growth of memory contexts: $name");
	is_deeply([ $server->temporary_files ], [], "no temporary file: $name");
}
like($session->ask("$MODE{fused} EXPLAIN (ANALYZE, COSTS OFF) " . failing(0, 11000)),
	qr/Custom Scan \(SlidingPrefix\).*Disk: /s, 'those on disk are on disk');
done();
