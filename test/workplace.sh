# Sourced by demo.sh, run.sh and others: what they need before and after.
#
# prepare_workplace	installs missing Debian packages, copies the tree to a
#					temporary folder
# build [ARGUMENT...]	runs make there
# install_extension	installs what was built
# with_server [-o NAME=VALUE]... COMMAND...	runs a command with a throwaway server
# On exit the folder is removed, and the extension uninstalled unless it was
# there before.
#
# PG_CONFIG picks the server; by default it is the one Debian's "postgresql"
# package brings.

set -euo pipefail

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*"; }

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# As the user that a server may run as
as_server_user() {
	if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# Stop unless what follows can be done as root
need_root() {
	[ "$(id -u)" = 0 ] && return
	if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
		return
	fi
	say "$1"
	exit 1
}

# Print those of the packages that are not installed
missing_packages() {
	for package in "$@"; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
			printf '%s ' "$package"
	done
}

# Install the packages that are missing, after saying which.  No cluster is
# made beside the throwaway ones.
install_packages() {
	local missing no_cluster=/etc/postgresql-common/createcluster.d/sliding_prefix.conf
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0

	say "Missing Debian packages: $missing"
	need_root "Run this as root, then try again:
    apt-get update && apt-get install -y $missing"
	as_root apt-get update -qq
	[ -e "${no_cluster%/*}" ] || as_root mkdir -p "${no_cluster%/*}"
	echo 'create_main_cluster = false' | as_root tee "$no_cluster" >/dev/null
	# shellcheck disable=SC2086
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
		as_root rm -f "$no_cluster"
		exit 1
	}
	as_root rm -f "$no_cluster"
}

# The major version of the server that the package "postgresql" brings
packaged_major() {
	{
		dpkg-query -W -f 'Depends: ${Depends}\n' postgresql 2>/dev/null || true
		apt-cache show postgresql 2>/dev/null | grep '^Depends:' || true
	} | sed -n 's/.*postgresql-\([0-9][0-9]*\).*/\1/p' | head -n 1
}

# Have apt know the machine's suites
know_packages() {
	[ -z "$(packaged_major)" ] || return 0
	need_root "Run this as root, then try again:
    apt-get update"
	as_root apt-get update -qq
}

# The major version of the server that find_server would find
native_major() {
	if [ -n "${PG_CONFIG:-}" ]; then
		"$PG_CONFIG" --version | sed 's/^PostgreSQL \([0-9]*\).*/\1/'
	else
		know_packages >&2
		packaged_major
	fi
}

# Set PG_CONFIG and PG_MAJOR, installing a server if there is none
find_server() {
	if [ -z "${PG_CONFIG:-}" ]; then
		PG_MAJOR=$(native_major)
		install_packages postgresql gcc make libc6-dev \
			"postgresql-server-dev-$PG_MAJOR"
		PG_CONFIG=/usr/lib/postgresql/$PG_MAJOR/bin/pg_config
	fi
	if ! command -v "$PG_CONFIG" >/dev/null; then
		say "There is no $PG_CONFIG: set PG_CONFIG to the pg_config of a server."
		exit 1
	fi
	PG_MAJOR=$(native_major)
	export PG_CONFIG PG_MAJOR
}

was_installed=no				# before we came
installed=no					# by us

clean_up() {
	cd /
	stop_server immediate
	if [ -n "${workplace:-}" ] && [ -d "$workplace" ]; then
		if [ "$installed" = yes ] && [ "$was_installed" = no ]; then
			as_root make -s -C "$workplace" uninstall >/dev/null 2>&1 || true
		fi
		rm -rf "$workplace" 2>/dev/null || as_root rm -rf "$workplace"
	fi
}

temporary=()				# more folders that exist until we exit

at_exit() {
	clean_up
	rm -rf "${temporary[@]}"
}

trap at_exit EXIT

# Print the tree, without what was built in it, as a tar archive
copy_tree() {
	tar cf - -C "$tree" --exclude=.git --exclude='*.o' --exclude='*.so' --exclude='*.bc' .
}

build() { make -s -C "$workplace" "$@"; }

prepare_workplace() {
	find_server
	need_root "Installing the extension into $("$PG_CONFIG" --pkglibdir) needs root: run this as root, or as a user who may use sudo."
	say "Server: $("$PG_CONFIG" --version)"
	if [ -e "$("$PG_CONFIG" --sharedir)/extension/sliding_prefix.control" ]; then
		was_installed=yes
	fi
	workplace=$(mktemp -d)
	chmod 755 "$workplace"
	copy_tree | tar xf - -C "$workplace"
	cd "$workplace"
}

install_extension() {
	installed=yes
	as_root make -s -C "$workplace" install >/dev/null
}

# pg_server PROGRAM ARGUMENT...: a program of the server's, as its user
pg_server() {
	local program=$1
	shift
	(cd / && as_server_user "$("$PG_CONFIG" --bindir)/$program" "$@")
}

cluster=				# folder of the throwaway server

# make_cluster [NAME=VALUE]...: a cluster with these settings
make_cluster() {
	cluster=$(mktemp -d -p "$workplace")
	if [ "$(id -u)" = 0 ]; then chown postgres "$cluster"; fi
	pg_server initdb -D "$cluster/data" -N -A trust -U postgres -E UTF8 \
		--locale=C.UTF-8 >/dev/null || return
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$cluster'" \
		"fsync = off" "max_wal_size = 4GB" "${@/=/ = }" |
		as_server_user tee -a "$cluster/data/postgresql.conf" >/dev/null
}

# start_server [pg_ctl's option]...
start_server() {
	pg_server pg_ctl -D "$cluster/data" -w -t 600 -l "$cluster/log" "$@" start >/dev/null || {
		tail -n 20 "$cluster/log"
		return 1
	}
}

# stop_server MODE: if one runs
stop_server() {
	if [ -n "$cluster" ] && [ -e "$cluster/data/postmaster.pid" ]; then
		pg_server pg_ctl -D "$cluster/data" -w -t 600 -m "$1" stop >/dev/null
	fi
}

# Run a command with a throwaway server, as its superuser
with_server() {
	local settings=() status=0
	while [ "$1" = -o ]; do
		settings+=("$2")
		shift 2
	done
	make_cluster "${settings[@]}" && start_server || return
	env PATH="$("$PG_CONFIG" --bindir):$PATH" PGHOST="$cluster" PGPORT=5432 PGUSER=postgres \
		PGDATABASE=postgres "$@" || status=$?
	stop_server fast || status=$?
	as_root rm -rf "$cluster"
	return "$status"
}
