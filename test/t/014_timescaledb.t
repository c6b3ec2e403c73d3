# TimescaleDB: windows over the chunks of a hypertable are rewritten and right,
# with the library preloaded before TimescaleDB, after it, and loaded later.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

chomp(my $sharedir = `${\($ENV{PG_CONFIG} || 'pg_config')} --sharedir`);
plan(skip_all => 'TimescaleDB is not installed') if !-e "$sharedir/extension/timescaledb.control";

my $windows = 'WINDOW w AS (PARTITION BY device ORDER BY at ROWS 6 PRECEDING), v AS (PARTITION BY device ORDER BY at ROWS 29 PRECEDING)';
my $sums = 'device, at, sum(reading) OVER w AS a, sum(total) OVER v AS b';

# What is asked of the hypertable, and the node of TimescaleDB's that must be
# below ours, where there is one
my @queries = (
	[ 'all chunks', "SELECT $sums FROM readings $windows", qr/_hyper_/ ],
	[ 'in order of time', "SELECT at, sum(reading) OVER (ORDER BY at ROWS 9 PRECEDING) FROM readings", qr/_hyper_/ ],
	[ 'some chunks', "SELECT $sums FROM readings WHERE at >= timestamptz '2024-01-10 00:00+00' $windows", qr/_hyper_/ ],
	[ 'chunks excluded at start', "SELECT $sums FROM readings WHERE at >= now() - interval '100 years' $windows", qr/ChunkAppend/ ],
	[ 'grouped by time_bucket', "SELECT bucket, sum(n) OVER (ORDER BY bucket ROWS 3 PRECEDING)
		FROM (SELECT time_bucket('1 day', at) AS bucket, count(*) AS n FROM readings GROUP BY 1) g", qr/_hyper_/ ],
	[ 'joined', "SELECT name, at, sum(reading) OVER (PARTITION BY name ORDER BY at ROWS 6 PRECEDING)
		FROM readings JOIN devices USING (device)", qr/_hyper_/ ],
	[ 'with a LIMIT', "SELECT at, sum(reading) OVER (ORDER BY at ROWS 6 PRECEDING) FROM readings LIMIT 5", qr/_hyper_/ ]);

foreach my $order ('timescaledb, sliding_prefix', 'sliding_prefix, timescaledb', 'timescaledb')
{
	my $server = new_server("shared_preload_libraries = '$order'", 'timescaledb.telemetry_level = off', 'timezone = UTC',
		'max_parallel_workers_per_gather = 0', 'timescaledb.max_background_workers = 0');
	my $session = $server->session(load => $order !~ /sliding_prefix/);
	$session->ask(<<'END');
SET client_min_messages = error;
CREATE EXTENSION timescaledb;
RESET client_min_messages;
CREATE TABLE devices AS SELECT device, 'device ' || device AS name FROM generate_series(0, 4) device;
CREATE TABLE readings (at timestamptz NOT NULL, device int NOT NULL, reading int, total bigint NOT NULL);
SELECT FROM create_hypertable('readings', 'at', chunk_time_interval => interval '2 days');
INSERT INTO readings
	SELECT timestamptz '2024-01-01 00:00+00' + i * interval '17 minutes', i % 5, CASE WHEN i % 7 > 0 THEN i END, i::bigint << 40
	FROM generate_series(1, 2000) i;
CREATE INDEX ON readings (device, at);
ANALYZE readings;
END
	cmp_ok($session->ask("SELECT count(*) FROM show_chunks('readings')"), '>=', 10, "there are chunks: $order");
	foreach my $case (@queries)
	{
		my ($name, $query, $below) = @$case;
		like_plan($session, $query, qr/Custom Scan \(SlidingPrefix\).*$below/s, "$name: a node over chunks: $order");
		# windowagg may deny what would meet errors in another order
		like(same_as_stock($session, $query, "$name: $order", 'fused'), qr/\|\d/, "$name: there is an answer: $order");
	}
	$session->ask("$MODE{fused} PREPARE p(timestamptz) AS SELECT $sums FROM readings WHERE at >= \$1 $windows; SET plan_cache_mode = force_generic_plan");
	foreach my $from ('2024-01-05', '2024-01-20', '2030-01-01')
	{
		my $stock = $session->ask("$MODE{stock} SELECT $sums FROM readings WHERE at >= timestamptz '$from' $windows");
		is($session->ask("$MODE{fused} EXECUTE p('$from')"), $stock, "prepared, from $from: $order");
	}
	like(same_as_stock($session, "SELECT $sums FROM (SELECT * FROM readings ORDER BY device, at OFFSET 0) readings $windows", "both strategies: $order"),
		qr/\|\d/, "both strategies: there is an answer: $order");
}
done();
