# The settings by ALTER DATABASE, ALTER ROLE, ALTER SYSTEM and CREATE FUNCTION
# ... SET, set before the library is loaded and after, right and wrong.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server();
my $owner = $server->session(load => 0);
$owner->ask(<<'END');
CREATE ROLE plain LOGIN;
CREATE ROLE strict LOGIN;
CREATE TABLE m AS SELECT d, d * 3 AS x FROM generate_series(1, 50) d;
GRANT SELECT ON m TO PUBLIC;
END
my $query = 'SELECT d, sum(x) OVER (ORDER BY d ROWS 6 PRECEDING) FROM m';
my $rewritten = qr/Custom Scan \(SlidingPrefix\)/;

sub plan_for
{
	my ($user, %how) = @_;

	return $server->session(user => $user, load => 0, %how)->ask("EXPLAIN $query");
}

unlike(plan_for('postgres', load => 1), $rewritten, 'off by default');

# A database: the settings come before the library
$owner->ask('ALTER DATABASE postgres SET sliding_prefix.enabled = on');
unlike(plan_for('plain'), $rewritten, 'nothing without the library');
like(plan_for('postgres', load => 1), $rewritten, 'a database with the rewrite on');
$owner->ask("ALTER DATABASE postgres SET session_preload_libraries = 'sliding_prefix'");
like(plan_for('plain'), $rewritten, 'and with the library');

# A role overrides it, and a role in a database that
$owner->ask('ALTER ROLE strict SET sliding_prefix.enabled = off');
unlike(plan_for('strict'), $rewritten, 'a role with the rewrite off');
$owner->ask('ALTER ROLE strict IN DATABASE postgres SET sliding_prefix.enabled = on');
like(plan_for('strict'), $rewritten, 'a role that has it on in this database');
$owner->ask("ALTER ROLE strict IN DATABASE postgres SET sliding_prefix.strategy = windowagg;
	ALTER ROLE strict IN DATABASE postgres SET sliding_prefix.min_total_frame_width = 0;
	ALTER ROLE strict IN DATABASE postgres SET sliding_prefix.debug_require_rewrite = 'require'");
my $strict = $server->session(user => 'strict', load => 0);
like($strict->ask("EXPLAIN (VERBOSE) $query"), qr/lag\(/, 'its strategy');
like($strict->query('SELECT rank() OVER (ORDER BY d) FROM m'), qr/is not rewritten$/m, 'its demands');
same_as_stock($strict, $query, 'such a role');

# A role may set its own
my $plain = $server->session(user => 'plain', load => 0);
$plain->ask('ALTER ROLE plain SET sliding_prefix.enabled = off');
unlike(plan_for('plain'), $rewritten, 'a role sets its own');
$plain->ask('ALTER ROLE plain RESET ALL');

# Wrong values: refused where the library is loaded, a warning and the default
# where they were set before
like($plain->query('ALTER ROLE plain SET sliding_prefix.strategy = magic'),
	qr/^ERROR:  22023: invalid value for parameter "sliding_prefix.strategy": "magic"$/m, 'a wrong value is refused');
my $unloaded = $server->session(dbname => 'template1', load => 0);
$unloaded->ask('CREATE ROLE chief LOGIN SUPERUSER; ALTER ROLE chief SET sliding_prefix.strategy = magic');
my $warned = $server->session(user => 'chief', dbname => 'template1', load => 0);
like($warned->query("LOAD 'sliding_prefix'"),
	qr/^WARNING:  22023: invalid value for parameter "sliding_prefix.strategy": "magic"$/m, 'a value that was wrong before');
is($warned->ask('SHOW sliding_prefix.strategy'), 'fused', 'the default takes its place');

# A name that does not exist
my $mistyped = $server->session(dbname => 'template1', load => 0);
$mistyped->ask('SET sliding_prefix.enabeld = on');
like($mistyped->query("LOAD 'sliding_prefix'"),
	qr/^WARNING:  42602: invalid configuration parameter name "sliding_prefix.enabeld", removing it$/m, 'a mistyped name');

# A function with settings of its own
$plain->ask($MODE{stock});
$owner->ask("CREATE FUNCTION sums() RETURNS SETOF bigint LANGUAGE sql STABLE
	SET sliding_prefix.enabled = on SET sliding_prefix.debug_require_rewrite = 'require'
	AS 'SELECT sum(x) OVER (ORDER BY d ROWS 6 PRECEDING) FROM m';
	CREATE FUNCTION ranks() RETURNS SETOF bigint LANGUAGE sql STABLE
	SET sliding_prefix.enabled = on SET sliding_prefix.debug_require_rewrite = 'require'
	AS 'SELECT rank() OVER (ORDER BY d) FROM m'");
is($plain->ask('SELECT * FROM sums()'), $plain->ask($query =~ s/d, //r), 'a function with the rewrite on');
like($plain->query('SELECT * FROM ranks()'), qr/is not rewritten$/m, 'its demands hold inside');
unlike($plain->ask("EXPLAIN $query"), $rewritten, 'and not outside');

# SET LOCAL
$plain->ask('BEGIN; SET LOCAL sliding_prefix.enabled = on; SET LOCAL sliding_prefix.debug_require_rewrite = allow');
like($plain->ask("EXPLAIN $query"), $rewritten, 'SET LOCAL');
$plain->ask('ROLLBACK');
unlike($plain->ask("EXPLAIN $query"), $rewritten, 'gone with the transaction');

# The server's configuration, read again
$owner->ask('ALTER DATABASE postgres RESET sliding_prefix.enabled');
$owner->ask("ALTER SYSTEM SET sliding_prefix.enabled = on");
$owner->ask('SELECT pg_reload_conf()');
my $tries = 0;
sleep 1 while $owner->ask('SHOW sliding_prefix.enabled') ne 'on' && $tries++ < 60;
like(plan_for('plain'), $rewritten, 'ALTER SYSTEM');
done();
