# DROP EXTENSION and the library loaded anew while both are in use: open
# cursors go on, prepared statements say what is missing, and the rewrite,
# which needs no object of the extension, stays.

use strict;
use warnings;
use SlidingPrefix;
use Test::More;

my $server = new_server();
my $session = $server->session;
my $other = $server->session(load => 0);
$session->ask(<<'END');
CREATE EXTENSION sliding_prefix;
CREATE TABLE m AS SELECT d, d * 3 AS x FROM generate_series(1, 500) d;
END
my $sums = 'SELECT d, sum(x) OVER (ORDER BY d ROWS 6 PRECEDING) FROM m';
my $range = 'SELECT d, range_rolling(x, d, 6, 0) OVER (ORDER BY d) FROM m';
my $right = $session->ask($sums);
is($session->ask($range), $right, 'both give the same');

# Cursors that are open meanwhile
$session->ask("$MODE{fused} BEGIN; DECLARE a CURSOR FOR $sums");
$session->ask("$MODE{stock} DECLARE b CURSOR FOR $range");
my @first = map { $session->ask("FETCH 100 FROM $_") } qw(a b);
$session->ask("PREPARE r AS $range; EXECUTE r");
$session->ask("$MODE{fused} PREPARE s AS $sums; EXECUTE s; $MODE{stock}");
$other->ask('DROP EXTENSION sliding_prefix');
$session->ask("LOAD 'sliding_prefix'");
# A lock is when a session hears of the other's DROP
$session->ask('LOCK TABLE m IN SHARE MODE');
foreach my $cursor (qw(a b))
{
	is(shift(@first) . "\n" . $session->ask("FETCH ALL FROM $cursor"), $right, "cursor $cursor goes on");
}
$session->ask('COMMIT');

# Afterwards
like($session->query('EXECUTE r'), qr/^ERROR:  42883: function range_rolling\(.*\) does not exist$/m, 'the function is gone');
is($session->ask('EXECUTE s'), $right, 'a rewritten statement stays');
like_plan($session, $sums, qr/Custom Scan \(SlidingPrefix\)/, 'the rewrite stays');
same_as_stock($session, $sums, 'after DROP EXTENSION');
my $fresh = $server->session(load => 0);
unlike($fresh->ask("EXPLAIN $sums"), qr/SlidingPrefix/, 'a session without the library is stock');

# And back
$other->ask('CREATE EXTENSION sliding_prefix');
is($session->ask('EXECUTE r'), $right, 'the function is back');
$session->ask("LOAD 'sliding_prefix'");
same_as_stock($session, $sums, 'after CREATE EXTENSION');

# DROP EXTENSION in a transaction that is rolled back, and what depends on it
$session->ask("BEGIN; DROP EXTENSION sliding_prefix; ROLLBACK; $MODE{stock}");
is($session->ask($range), $right, 'a DROP that was rolled back');
$session->ask("CREATE VIEW v AS $range");
like($session->query('DROP EXTENSION sliding_prefix'), qr/^ERROR:  2BP01: .*\n.*view v depends on/m, 'a view keeps it');
$session->ask('DROP EXTENSION sliding_prefix CASCADE');
like($session->query('SELECT * FROM v'), qr/^ERROR:  42P01: /m, 'CASCADE drops the view');
done();
