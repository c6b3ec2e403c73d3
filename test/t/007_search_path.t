# Somebody's own sum, lag, count, "-" and their kind in front of pg_catalog: the
# rewrite calls none of them, and a query that names them gets them.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server();
my $session = $server->session;
$session->ask('CREATE EXTENSION sliding_prefix SCHEMA public');
$session->ask(<<'END');
CREATE SCHEMA attack;
CREATE FUNCTION attack.trap(anyelement) RETURNS anyelement LANGUAGE plpgsql AS
	$$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
CREATE TABLE public.m AS
	SELECT d, d % 4 AS k, d * 3 AS x, CASE WHEN d % 3 > 0 THEN (d * 5)::smallint END AS s,
		CASE WHEN d % 5 > 0 THEN d::bigint << 50 END AS b
	FROM generate_series(1, 60) d;
END
foreach my $type (qw(int2 int4 int8 numeric))
{
	$session->ask("CREATE FUNCTION attack.lag($type, int) RETURNS $type LANGUAGE sql AS 'SELECT attack.trap(\$1)'");
	$session->ask("CREATE AGGREGATE attack.sum($type) (SFUNC = attack.trapped_$type, STYPE = $type)")
	  if $session->ask("CREATE FUNCTION attack.trapped_$type($type, $type) RETURNS $type LANGUAGE sql AS 'SELECT attack.trap(\$1)'") || 1;
	$session->ask("CREATE AGGREGATE attack.count($type) (SFUNC = attack.trapped_$type, STYPE = $type)");
	foreach my $operator (qw(+ - * /))
	{
		$session->ask("CREATE OPERATOR attack.$operator (LEFTARG = $type, RIGHTARG = $type, FUNCTION = attack.trapped_$type)");
	}
	$session->ask("CREATE FUNCTION attack.equal_$type($type, $type) RETURNS boolean LANGUAGE sql AS 'SELECT attack.trap(true)'");
	foreach my $operator (qw(= < > <= >=))
	{
		$session->ask("CREATE OPERATOR attack.$operator (LEFTARG = $type, RIGHTARG = $type, FUNCTION = attack.equal_$type)");
	}
}
$session->ask(<<'END');
CREATE AGGREGATE attack.count(*) (SFUNC = int8inc, STYPE = int8, INITCOND = '100');
CREATE FUNCTION attack.numeric(int8) RETURNS numeric LANGUAGE sql AS 'SELECT attack.trap(1.0)';
END

my $window = 'PARTITION BY k ORDER BY d ROWS';
my $query = "SELECT d, pg_catalog.sum(x) OVER ($window 6 PRECEDING), pg_catalog.sum(s) OVER ($window 9 PRECEDING),
	pg_catalog.sum(b) OVER ($window 6 PRECEDING), pg_catalog.sum(b) OVER ($window UNBOUNDED PRECEDING) FROM public.m";
my $plain = $session->ask("SET search_path = public; $query");

$session->ask('SET search_path = attack, pg_catalog');
is(same_as_stock($session, $query, 'with the attack in front'), $plain, 'the same answer as without');
like($session->query('SELECT 1 - 1'), qr/trapped/, 'the attack works');

# Windows that are computed together by their keys' equality
is(same_as_stock($session, "PREPARE p AS $query; EXECUTE p; EXECUTE p; DEALLOCATE p", 'prepared'),
	"$plain\n$plain", 'prepared: the same answer as without');

# A user's own sum is called where it is named, and not rewritten
my $own = "SELECT sum(x) OVER ($window 6 PRECEDING) FROM public.m";
my $allow = 'SET sliding_prefix.debug_require_rewrite = forbid;';
foreach my $mode (qw(stock fused windowagg))
{
	$session->ask("$MODE{$mode} $allow");
	like($session->query($own), qr/^ERROR:  P0001: trapped$/m, "a user's own sum is called: $mode");
}
is($session->ask("$MODE{fused} SET sliding_prefix.debug_require_rewrite = allow;
	SELECT DISTINCT reason FROM public.sliding_prefix_explain(\$\$$own\$\$)"), 'aggregate', 'and is not rewritten');

# range_rolling() looks for its operators in pg_catalog alone
my $range = "SELECT public.range_rolling(x, d, 6, 0) OVER (PARTITION BY k ORDER BY d),
	public.range_rolling_avg(b, d, 6, 0) OVER (PARTITION BY k ORDER BY d),
	public.range_rolling(x, timestamp '2020-01-01', interval '1 day', interval '0') OVER (PARTITION BY k ORDER BY timestamp '2020-01-01') FROM public.m";
my $trapped = $session->ask($MODE{stock} . $range);
is($trapped, $session->ask("SET search_path = public; $range"), 'range_rolling() calls none of them');
done();
