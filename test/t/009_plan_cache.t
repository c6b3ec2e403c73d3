# DDL behind prepared statements and cached plans of functions: what the
# rewrite relied on changes, and the next execution gives stock's answer.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server('plan_cache_mode = force_generic_plan');
my $session = $server->session;
my $other = $server->session;

my $window = 'OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING)';
my $query = "SELECT d, sum(x) $window AS a, sum(f(y)) $window AS b, sum(x) OVER (ORDER BY d ROWS 2 PRECEDING) AS c,
	sum(x) OVER (ORDER BY d ROWS 9 PRECEDING) AS e FROM m ORDER BY k, d";

# The table and the function before each case
my $reset = <<'END';
DROP TABLE IF EXISTS m;
CREATE TABLE m (k int, d int PRIMARY KEY, x int NOT NULL, y int);
INSERT INTO m SELECT d % 3, d, d * 3, CASE WHEN d % 4 > 0 THEN d END FROM generate_series(1, 40) d;
CREATE OR REPLACE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 + 1; END $$;
ANALYZE m;
END

# What is changed, and whether all is rewritten afterwards too
my @cases = (
	[ 'a column that may be NULL now', 'ALTER TABLE m ALTER x DROP NOT NULL; UPDATE m SET x = NULL WHERE d BETWEEN 10 AND 24', 1 ],
	[ 'another type of result', 'ALTER TABLE m ALTER x TYPE bigint', 1 ],
	[ 'a narrower column, the same type of result', 'ALTER TABLE m ALTER y TYPE smallint', 1 ],
	[ 'a type that is not exact', 'ALTER TABLE m ALTER y TYPE real; CREATE FUNCTION f(real) RETURNS real LANGUAGE sql IMMUTABLE AS $$ SELECT $1 $$', 0, 'DROP FUNCTION f(real)' ],
	[ 'a column more', 'ALTER TABLE m ADD COLUMN z int DEFAULT 5', 1 ],
	[ 'a column less', 'ALTER TABLE m DROP COLUMN y', 0 ],
	[ 'another table of that name', 'DROP TABLE m; CREATE TABLE m AS SELECT 1 AS k, d, d AS x, d AS y FROM generate_series(1, 9) d', 1 ],
	[ 'an index less', 'ALTER TABLE m DROP CONSTRAINT m_pkey', 1 ],
	[ 'another body of the function', 'CREATE OR REPLACE FUNCTION f(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1 * 100; END $$', 1 ],
	[ 'a function that is volatile now', 'ALTER FUNCTION f(int) VOLATILE', 0 ],
	[ 'other statistics', 'INSERT INTO m SELECT d % 7, d, d, d FROM generate_series(100, 5000) d; ANALYZE m', 1 ]);

$session->ask($reset);
# A function's plan, made by whoever calls it first
$session->ask("CREATE FUNCTION run() RETURNS SETOF text LANGUAGE plpgsql AS \$\$
	DECLARE answer record;
	BEGIN FOR answer IN $query LOOP RETURN NEXT answer::text; END LOOP; END \$\$");

foreach my $case (@cases)
{
	my ($name, $change, $all_rewritten, $undo) = @$case;
	my %answer;

	foreach my $mode (qw(stock fused windowagg))
	{
		$other->ask($reset);
		$session->ask("DISCARD PLANS; $MODE{$mode} PREPARE p AS $query; EXECUTE p; EXECUTE p; SELECT run()");
		$session->ask('SET sliding_prefix.debug_require_rewrite = allow') if !$all_rewritten;
		$other->ask($change);
		$answer{$mode} = $session->query('EXECUTE p') . "\n" . $session->query('SELECT run()');
		$session->ask('DEALLOCATE p');
		$other->ask($undo) if $undo;
	}
	is($answer{$_}, $answer{stock}, "$name: $_ as stock") for qw(fused windowagg);
}

# A plan that was made before a setting changed is used on, until it is made anew
$session->ask("$reset $MODE{stock} PREPARE p AS $query; EXECUTE p");
$session->ask("$MODE{fused} SET plan_cache_mode = force_generic_plan");
unlike($session->ask('EXPLAIN EXECUTE p'), qr/SlidingPrefix/, 'the old plan is used on');
$session->ask('DISCARD PLANS');
like($session->ask('EXPLAIN EXECUTE p'), qr/SlidingPrefix/, 'DISCARD PLANS makes a new one');

# DDL while a cursor is open waits or is refused, as without the rewrite
$session->ask("BEGIN; DECLARE c CURSOR FOR $query; FETCH 3 FROM c");
like($session->query('ALTER TABLE m ADD COLUMN z int'), qr/^ERROR:  55006: cannot ALTER TABLE "m" because it is being used/m, 'refused in the same session');
$session->ask('ROLLBACK');
$session->ask("BEGIN; DECLARE c CURSOR FOR $query; FETCH 3 FROM c");
like($other->query("SET lock_timeout = '50ms'; ALTER TABLE m ADD COLUMN z int"), qr/^ERROR:  55P03: /m, 'waits in another');
is(scalar(split /\n/, $session->ask('FETCH ALL FROM c')), 37, 'the cursor goes on');
$session->ask('COMMIT');
done();
