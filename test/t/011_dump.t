# pg_dump and restore: the extension, views and stored settings come back, and
# answers are the same.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server();
$server->session(load => 0)->ask('CREATE DATABASE original');
my $session = $server->session(dbname => 'original');
$session->ask(<<'END');
CREATE SCHEMA s;
CREATE EXTENSION sliding_prefix SCHEMA s;
ALTER DATABASE original SET session_preload_libraries = 'sliding_prefix';
ALTER DATABASE original SET sliding_prefix.enabled = on;
CREATE TABLE m AS SELECT d % 3 AS k, d, d * 3 AS x, date '2020-01-01' + d AS day FROM generate_series(1, 60) d;
CREATE VIEW sums AS
	SELECT d, sum(x) OVER w6 AS a, sum(x) OVER w29 AS b FROM m
	WINDOW w6 AS (PARTITION BY k ORDER BY d ROWS 6 PRECEDING), w29 AS (PARTITION BY k ORDER BY d ROWS 29 PRECEDING);
CREATE VIEW ranges AS
	SELECT d, s.range_rolling(x, day, '7', '0') OVER w AS a, s.range_rolling_avg(x, day, '1 month', '-1 day', min_periods => 3) OVER w AS b FROM m
	WINDOW w AS (PARTITION BY k ORDER BY day);
CREATE MATERIALIZED VIEW kept AS SELECT * FROM sums;
END
my %answer = map { $_ => $session->ask("SELECT * FROM $_") } qw(sums ranges kept);
my $objects = "SELECT pg_describe_object(classid, objid, objsubid) FROM pg_depend
	WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sliding_prefix') ORDER BY 1";
my $members = $session->ask($objects);

# As a script that makes the database, and as an archive
my $script = $server->client('pg_dump', '--create', 'original');
like($script, qr/^CREATE EXTENSION IF NOT EXISTS sliding_prefix WITH SCHEMA s;$/m, 'the extension is named');
unlike($script, qr/^CREATE FUNCTION/m, 'and what belongs to it is not dumped');
$server->client('pg_dump', '--create', '--format=custom', "--file=$server->{socket}/archive", 'original');
my $file = "$server->{socket}/script";
open(my $out, '>', $file) or die $!;
print $out $script;
close $out;

$session->quit;
foreach my $way ([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'postgres', '-f', $file ],
	[ 'pg_restore', '--exit-on-error', '--create', '-d', 'postgres', "$server->{socket}/archive" ])
{
	my ($program) = @$way;
	$server->client('psql', '-X', '-d', 'postgres', '-c', 'DROP DATABASE original');
	$server->client(@$way);
	my $restored = $server->session(dbname => 'original', load => 0);
	is($restored->ask("SELECT * FROM $_"), $answer{$_}, "$_: restored by $program") for sort keys %answer;
	is($restored->ask($objects), $members, "the extension's objects: restored by $program");
	like($restored->ask('EXPLAIN SELECT * FROM sums'), qr/Custom Scan \(SlidingPrefix\)/, "the settings: restored by $program");
	same_as_stock($restored, 'SELECT * FROM sums', "restored by $program");
	$restored->quit;
}
done();
