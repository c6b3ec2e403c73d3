# Row-level security and security barriers: each role has the sums of its own
# rows, also from a plan that was made for another role, and a leaking function
# sees no others.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server();
my $session = $server->session;
$session->ask(<<'END');
CREATE ROLE ann;
CREATE ROLE bob;
CREATE TABLE m AS
	SELECT d, d * 3 AS x, CASE WHEN d % 3 = 0 THEN 'ann' ELSE 'bob' END AS owner
	FROM generate_series(1, 90) d;
ALTER TABLE m ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON m USING (owner = current_user);
CREATE VIEW even WITH (security_barrier) AS SELECT * FROM m WHERE d % 2 = 0;
CREATE FUNCTION leak(int) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS
	$$ BEGIN RAISE NOTICE 'leaked %', $1; RETURN true; END $$;
GRANT SELECT ON m, even TO ann, bob;
END
my $window = 'OVER (ORDER BY d ROWS 6 PRECEDING)';
my $sums = "SELECT d, sum(x) $window FROM m";

my %rows = (postgres => 90, ann => 30, bob => 60);
my %answer;
foreach my $role (sort keys %rows)
{
	$session->ask("SET ROLE $role");
	like_plan($session, $sums, qr/Custom Scan \(SlidingPrefix\)/, "rewritten for $role");
	$answer{$role} = same_as_stock($session, $sums, $role);
	is(scalar(split /\n/, $answer{$role}), $rows{$role}, "the rows of $role");
}
isnt($answer{ann}, $answer{bob}, 'roles see different rows');

# One prepared statement, several roles
foreach my $mode (qw(fused windowagg))
{
	$session->ask("RESET ROLE; $MODE{$mode} SET plan_cache_mode = force_generic_plan; PREPARE p AS $sums");
	foreach my $role (sort keys %rows)
	{
		$session->ask("SET ROLE $role");
		is($session->ask('EXECUTE p'), $answer{$role}, "prepared: $role, $mode");
	}
	$session->ask('DEALLOCATE p; RESET plan_cache_mode');
}

# What the policy hides is hidden from functions too, whoever stands between
$session->ask('SET ROLE ann');
my $leaking = "SELECT d, sum(x) $window FROM m WHERE leak(d)";
unlike(same_as_stock($session, $leaking, 'a leaking filter'), qr/leaked 1$/m, 'no row of another');
$session->ask('RESET ROLE; GRANT SELECT ON even TO ann; SET ROLE ann');
same_as_stock($session, "SELECT d, sum(x) $window FROM even WHERE leak(d)", 'a security barrier');

# row_security = off is refused
$session->ask('SET row_security = off');
like(same_as_stock($session, $sums, 'row_security off'), qr/^ERROR:  42501: /m, 'refused');
done();
