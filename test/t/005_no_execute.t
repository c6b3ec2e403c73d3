# A role that may not execute sum(): the same error as stock's.  With the right
# given, its query is rewritten.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server();
my $owner = $server->session;
$owner->ask(<<'END');
CREATE ROLE reader LOGIN;
CREATE TABLE m AS SELECT d, d * 3 AS x FROM generate_series(1, 50) d;
GRANT SELECT ON m TO reader;
REVOKE EXECUTE ON FUNCTION pg_catalog.sum(int) FROM PUBLIC;
END
my $query = 'SELECT d, sum(x) OVER (ORDER BY d ROWS 6 PRECEDING) FROM m';
my $session = $owner;
my $allow = 'SET sliding_prefix.debug_require_rewrite = allow;';

$session->ask('SET ROLE reader');
foreach my $mode (qw(stock fused windowagg))
{
	$session->ask("$MODE{$mode} $allow");
	like($session->query($query), qr/^ERROR:  42501: permission denied for function sum$/m, "forbidden: $mode");
}
$session->ask('RESET ROLE; GRANT EXECUTE ON FUNCTION pg_catalog.sum(int) TO reader; SET ROLE reader');
like(same_as_stock($session, $query, 'allowed'), qr/^50\|/m, 'there is an answer');

$session->ask("$MODE{fused} PREPARE p AS $query; EXECUTE p");
$session->ask('RESET ROLE; REVOKE EXECUTE ON FUNCTION pg_catalog.sum(int) FROM reader; SET ROLE reader');
$session->ask($allow);
like($session->query('EXECUTE p'), qr/^ERROR:  42501: permission denied for function sum$/m, 'forbidden to a prepared statement');
done();
