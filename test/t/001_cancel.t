# A query is cancelled at a random moment, 500 times, by another session or by
# statement_timeout.  Nothing may be left of it: no temporary file, no memory,
# no open file; and the session goes on with right answers.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;
use Time::HiRes qw(sleep time);

my $rounds = 500;
my $warm_up = 100;		# caches of the session fill during these

my $server = new_server("work_mem = '64kB'", 'max_parallel_workers_per_gather = 0');
my $session = $server->session;
my $other = $server->session;

$session->ask(<<'END');
CREATE EXTENSION sliding_prefix;
CREATE TABLE m AS
	SELECT k, d, d * 7 + k AS x, CASE WHEN d % 5 > 0 THEN d END AS y
	FROM generate_series(1, 3) k, generate_series(1, 7000) d;
CREATE INDEX ON m (k, d);
ANALYZE m;
SET enable_seqscan = off;
SET enable_sort = off;
END

# A hash of all results, after whatever else the kind does
sub hashed { return "SELECT md5(string_agg(q::text, ',')) FROM ($_[0]) q" }

my $narrow = 'SELECT sum(x) OVER w6 AS a, sum(y) OVER w29 AS b FROM m
	WINDOW w6 AS (PARTITION BY k ORDER BY d ROWS 6 PRECEDING), w29 AS (PARTITION BY k ORDER BY d ROWS 29 PRECEDING)';
my $wide = 'SELECT sum(x) OVER w AS a, sum(y) OVER v AS b FROM m
	WINDOW w AS (PARTITION BY k ORDER BY d ROWS 6000 PRECEDING), v AS (PARTITION BY k ORDER BY d ROWS 5800 PRECEDING)';
my $range = "SELECT range_rolling(x, d, 6000, 0) OVER w, range_rolling_max(y, d, 20, 20) OVER w FROM m
	WINDOW w AS (PARTITION BY k ORDER BY d)";
my @kinds = (
	[ 'fused', hashed($narrow) ],
	[ 'fused', hashed($wide) ],
	[ 'fused', "BEGIN; DECLARE c CURSOR FOR $wide; MOVE 5 IN c; SAVEPOINT s; MOVE ALL IN c; ROLLBACK" ],
	[ 'windowagg', hashed($narrow) ],
	[ 'windowagg', hashed($wide) ],
	[ 'range_rolling', hashed($range) ]);

# "require" would refuse range_rolling(), which is a window function that stays
my %settings = (%MODE, range_rolling => $MODE{stock});

# What a session holds: bytes in memory contexts, anonymous memory, open files
sub held
{
	my $used = $session->ask('SELECT sum(used_bytes) FROM pg_backend_memory_contexts');
	my ($anonymous) = SlidingPrefix::read_file("/proc/$session->{pid}/status") =~ /^RssAnon:\s+(\d+) kB/m
	  or die 'no RssAnon';
	my @files = glob "/proc/$session->{pid}/fd/*";
	return ($used, $anonymous, scalar @files);
}

# The session's limits as before.  A cancellation may come late and hit this.
sub calm
{
	my ($sql) = @_;

	foreach (1 .. 100)
	{
		my $answer = $session->query($sql);
		return if $answer !~ /^ERROR:  57014: /m;
	}
	die 'the session does not calm down';
}

# The kinds do what they are here for
like($session->ask("$settings{fused} EXPLAIN (ANALYZE, COSTS OFF) $wide"),
	qr/Custom Scan \(SlidingPrefix\).*Disk: /s, 'the wide frames spill');
foreach my $kind (@kinds)
{
	$session->ask($settings{ $kind->[0] });
	my $start = time;
	$kind->[2] = $session->ask($kind->[1]);
	$kind->[3] = time - $start;
}
foreach my $query ($narrow, $wide)
{
	my @answers = map { $_->[2] } grep { $_->[1] eq hashed($query) } @kinds;
	# Stock takes long for frames that outgrow work_mem
	$session->ask("$MODE{stock} SET work_mem = '64MB'");
	is($answers[$_], $session->ask(hashed($query)), "right before, strategy $_") for 0 .. $#answers;
	$session->ask('RESET work_mem');
}

my ($cancelled, $wrong) = (0, '');
my @held;
foreach my $round (1 .. $rounds)
{
	my ($mode, $sql, $answer, $duration) = @{ $kinds[ $round % @kinds ] };
	my $delay = rand($duration);
	my $by_timeout = $round % 4 == 0;

	@held = held() if $round == $warm_up;
	$session->ask($settings{$mode} . 'SET statement_timeout = ' . ($by_timeout ? int(1 + 1000 * $delay) : 0));
	$session->send($sql);
	if (!$by_timeout)
	{
		sleep $delay;
		$other->ask("SELECT pg_cancel_backend($session->{pid})");
	}
	my $result = $session->wait;
	$cancelled++ if $result =~ /^ERROR:  57014: canceling statement due to/m;
	$wrong .= "$mode: $result\n" if $result ne $answer && $result !~ /^ERROR:  57014: /m;
	calm(($sql =~ /^BEGIN/ ? 'ROLLBACK; ' : '') . 'SET statement_timeout = 0');
}
note("$cancelled of $rounds were cancelled");
cmp_ok($cancelled, '>', $rounds / 5, 'many were cancelled');
is($wrong, '', 'the others gave the right answer');

my @now = held();
is_deeply([ $server->temporary_files ], [], 'no temporary file');
cmp_ok($now[0] - $held[0], '<', 16384, 'no growth of memory contexts');
cmp_ok($now[1] - $held[1], '<', 2048, 'no growth of the process (kB)');
cmp_ok($now[2] - $held[2], '<', 8, 'no growth of open files');

foreach my $kind (@kinds)
{
	$session->ask($settings{ $kind->[0] });
	is($session->ask($kind->[1]), $kind->[2], "usable and right afterwards: $kind->[0]");
}
done();
