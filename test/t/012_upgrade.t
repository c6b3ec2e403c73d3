# From every version that has an update path: the objects are those of a fresh
# installation, and what was there before goes on.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server();
my $session = $server->session(load => 0);

# All that makes the extension's objects what they are
my $objects = <<'END';
SELECT pg_describe_object(classid, objid, objsubid), obj_description(objid, classid::regclass::name), proowner::regrole, proacl,
	pg_get_functiondef(objid)
FROM pg_depend JOIN pg_proc p ON p.oid = objid AND classid = 'pg_proc'::regclass
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sliding_prefix')
ORDER BY 1
END
my $others = <<'END';
SELECT count(*) FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND classid <> 'pg_proc'::regclass
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sliding_prefix')
END

my $newest = $session->ask("SELECT default_version FROM pg_available_extensions WHERE name = 'sliding_prefix'");
my @older = split /\n/, $session->ask("SELECT source FROM pg_extension_update_paths('sliding_prefix')
	WHERE target = '$newest' AND path IS NOT NULL");
is_deeply([ grep { $_ eq '0.1.0' } @older ], ['0.1.0'], 'the first version can be updated');

$session->ask("CREATE EXTENSION sliding_prefix; CREATE TABLE m AS SELECT d, d * 3 AS x FROM generate_series(1, 50) d");
my $fresh = $session->ask($objects);
like($fresh, qr/range_rolling_max/, 'a fresh installation is whole');
is($session->ask($others), 0, 'and has functions only');
my $range = 'SELECT d, range_rolling(x, d, 6, 0) OVER (ORDER BY d) FROM m';
my $right = $session->ask($range);

foreach my $version (@older)
{
	$session->ask("DROP EXTENSION sliding_prefix; CREATE EXTENSION sliding_prefix VERSION '$version';
		CREATE VIEW reasons AS SELECT reason FROM sliding_prefix_explain('SELECT rank() OVER (ORDER BY 1)')");
	isnt($session->ask($objects), $fresh, "$version is another version");
	$session->ask('ALTER EXTENSION sliding_prefix UPDATE');
	is($session->ask("SELECT extversion FROM pg_extension WHERE extname = 'sliding_prefix'"), $newest, "updated from $version");
	is($session->ask($objects), $fresh, "the objects are those of a fresh installation, from $version");
	is($session->ask('SELECT * FROM reasons'), 'not_an_aggregate', "a view goes on, from $version");
	is($session->ask($range), $right, "new functions work, from $version");
	$session->ask('DROP VIEW reasons');
}
like($session->query('ALTER EXTENSION sliding_prefix UPDATE'), qr/^NOTICE:  00000: version "\Q$newest\E" of extension "sliding_prefix" is already installed$/m, 'nothing left to update');
done();
