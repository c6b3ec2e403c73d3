# What the TAP tests share: a throwaway server, sessions with it, and the
# comparison of each strategy with stock.
#
# new_server(LINE...)	starts a server with these lines of configuration; it and
#						its folder are gone when the test ends
# $server->session(..)	a psql that stays open.  Its query() returns output and
#						errors as they came, its ask() dies of an error, and its
#						send() and wait() let others act in between.
# %MODE					settings that make a session stock, fused or windowagg;
#						"require" fails a query that was not rewritten
# same_as_stock(..)		the test that most others are made of
#
# PG_CONFIG says which server.  As root, it runs as the user postgres.
package SlidingPrefix;

use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);
use IPC::Run ();
use Test::More;

our @EXPORT = qw(new_server same_as_stock like_plan done %MODE);

my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
chomp(our $bindir = `$pg_config --bindir`);
our ($major) = `$pg_config --version` =~ /^PostgreSQL (\d+)/
  or die "no PostgreSQL at $pg_config";

# Settings of the caller's machine are not those of the test
delete @ENV{ grep { /^PG/ && $_ ne 'PG_CONFIG' } keys %ENV };

my $mode_settings = <<'END';
SET sliding_prefix.enabled = %s;
SET sliding_prefix.strategy = %s;
SET sliding_prefix.min_total_frame_width = 0;
SET sliding_prefix.debug_require_rewrite = %s;
END

our %MODE = (
	stock => sprintf($mode_settings, 'off', 'fused', 'forbid'),
	fused => sprintf($mode_settings, 'on', 'fused', 'require'),
	windowagg => sprintf($mode_settings, 'on', 'windowagg', 'require'));

my @servers;

# As the user that a server may run as
sub run_as_server_user
{
	my ($log, @command) = @_;

	unshift @command, qw(runuser -u postgres --) if $> == 0;
	IPC::Run::run(\@command, '<', '/dev/null', '>>', $log, '2>&1')
	  or die "@command failed:\n" . read_file($log);
}

sub read_file
{
	my ($name) = @_;

	open(my $file, '<', $name) or die "$name: $!";
	local $/;
	return <$file> // '';
}

sub new_server
{
	my @conf = @_;
	my $folder = tempdir('sliding_prefix_XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $server = bless {
		data => "$folder/data",
		socket => $folder,
		log => "$folder/log",
		setup => "$folder/setup"
	}, 'SlidingPrefix::Server';

	if ($> == 0)
	{
		my ($uid, $gid) = (getpwnam('postgres'))[ 2, 3 ];
		defined $uid or die 'there is no user postgres to run the server as';
		chown $uid, $gid, $folder;
	}
	run_as_server_user($server->{setup}, "$bindir/initdb", '-D', $server->{data}, qw(-N -A trust -U postgres -E UTF8 --locale=C.UTF-8));
	open(my $file, '>>', "$server->{data}/postgresql.conf") or die $!;
	print $file "$_\n"
	  for 'fsync = off', "listen_addresses = ''",
	  "unix_socket_directories = '$folder'", @conf;
	close $file;
	push @servers, $server;
	$server->start;
	return $server;
}

# same_as_stock(SESSION, SQL, NAME [, MODE...]): output and errors of SQL are
# the same in each mode, by default with both strategies.  Returns stock's.
sub same_as_stock
{
	my ($session, $sql, $name, @modes) = @_;

	$session->ask($MODE{stock});
	my $stock = $session->query($sql);
	foreach my $mode (@modes ? @modes : qw(fused windowagg))
	{
		$session->ask($MODE{$mode});
		is($session->query($sql), $stock, "$name: $mode as stock");
	}
	$session->ask($MODE{stock});
	return $stock;
}

# like_plan(SESSION, QUERY, PATTERN, NAME [, MODE]): EXPLAIN shows PATTERN, by
# default with the strategy fused
sub like_plan
{
	my ($session, $query, $pattern, $name, $mode) = @_;

	$session->ask($MODE{ $mode // 'fused' });
	like($session->ask("EXPLAIN (COSTS OFF) $query"), $pattern, $name);
}

# Stop the servers.  Whatever a test was about, no process died and nothing leaked.
sub done
{
	foreach my $server (@servers)
	{
		$server->stop('fast');
		unlike(
			read_file($server->{log}),
			qr/PANIC|terminated by signal|TRAP:|leak/,
			'no crash and no leak in the log');
	}
	done_testing();
}

$SIG{INT} = $SIG{TERM} = sub { exit 1 };

END
{
	my $status = $?;
	$_->stop('immediate') for @servers;
	$? = $status;
}

package SlidingPrefix::Server;

sub start
{
	my ($self) = @_;

	SlidingPrefix::run_as_server_user($self->{setup}, "$SlidingPrefix::bindir/pg_ctl", qw(-w -s -D), $self->{data}, '-l', $self->{log}, 'start');
	$self->{running} = 1;
}

sub stop
{
	my ($self, $mode) = @_;

	return unless $self->{running};
	$self->{running} = 0;
	SlidingPrefix::run_as_server_user($self->{setup}, "$SlidingPrefix::bindir/pg_ctl", qw(-w -s -D), $self->{data}, '-m', $mode, 'stop');
}

sub log_text { return SlidingPrefix::read_file($_[0]{log}) }

# The files that queries left behind in the folder of temporary files
sub temporary_files { return glob("$_[0]{data}/base/pgsql_tmp/*") }

# A client program's command line; it must succeed.  Returns its output.
sub client
{
	my ($self, $program, @arguments) = @_;
	my $output;

	IPC::Run::run([ "$SlidingPrefix::bindir/$program", '-h', $self->{socket}, '-U', 'postgres', @arguments ],
		'<', \undef, '>&', \$output)
	  or die "$program failed:\n$output";
	return $output;
}

# session(user => .., dbname => .., load => 0): psql with the library loaded,
# unless told not to
sub session
{
	my ($self, %how) = @_;
	my $session = bless { in => '', out => '', asked => 0 }, 'SlidingPrefix::Session';

	$session->{psql} = IPC::Run::start(
		[ "$SlidingPrefix::bindir/psql", qw(-X -A -t -q -v VERBOSITY=verbose -h), $self->{socket}, '-U', $how{user} // 'postgres', $how{dbname} // 'postgres' ],
		'<', \$session->{in}, '>&', \$session->{out}, IPC::Run::timeout(300));
	$session->ask("LOAD 'sliding_prefix'") if $how{load} // 1;
	$session->{pid} = $session->ask('SELECT pg_backend_pid()');
	return $session;
}

package SlidingPrefix::Session;

# Begin SQL, which may be several statements
sub send
{
	my ($self, $sql) = @_;

	$self->{end} = 'answer ' . ++$self->{asked} . " ends\n";
	$self->{in} .= "$sql\n;\n\\echo $self->{end}";
	$self->{psql}->pump_nb;
}

# Wait until the SQL has ended; its output and errors as they came, without
# the places in the server's source that raised them
sub wait
{
	my ($self) = @_;

	$self->{psql}->pump until $self->{out} =~ /^\Q$self->{end}\E\z/m;
	my $answer = substr($self->{out}, 0, -length $self->{end});
	$self->{out} = '';
	$answer =~ s/^LOCATION:.*\n//mg;
	chomp $answer;
	return $answer;
}

sub query
{
	my ($self, $sql) = @_;

	$self->send($sql);
	return $self->wait;
}

sub ask
{
	my ($self, $sql) = @_;
	my $answer = $self->query($sql);

	die "$sql\n$answer" if $answer =~ /^(ERROR|FATAL|psql):/m;
	return $answer;
}

sub quit
{
	my ($self) = @_;

	$self->{in} .= "\\q\n";
	$self->{psql}->finish;
}

1;
