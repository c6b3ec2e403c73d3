# Sourced by demo.sh and run.sh: what both need before and after.
#
# prepare_workplace	installs missing Debian packages, copies the tree to a
#					temporary folder, builds and installs the extension
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

# Install the packages that are missing, after saying which
install_packages() {
	local missing=()
	for package in "$@"; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
			missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0

	say "Missing Debian packages: ${missing[*]}"
	if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
		say "Run this as root, then try again:"
		say "    apt-get update && apt-get install -y ${missing[*]}"
		exit 1
	fi
	as_root apt-get update -qq
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
}

# Set PG_CONFIG and PG_MAJOR, installing a server if there is none
find_server() {
	if [ -z "${PG_CONFIG:-}" ]; then
		install_packages postgresql postgresql-common gcc make libc6-dev
		PG_MAJOR=$(dpkg-query -W -f '${Depends}' postgresql | grep -o 'postgresql-[0-9]*' | head -n 1 | tr -dc 0-9)
		install_packages "postgresql-server-dev-$PG_MAJOR"
		PG_CONFIG=/usr/lib/postgresql/$PG_MAJOR/bin/pg_config
	fi
	PG_MAJOR=$("$PG_CONFIG" --version | sed 's/^PostgreSQL \([0-9]*\).*/\1/')
	export PG_CONFIG PG_MAJOR
}

was_installed=no

clean_up() {
	cd /
	if [ -n "${workplace:-}" ] && [ -d "$workplace" ]; then
		[ "$was_installed" = yes ] || as_root make -s -C "$workplace" uninstall >/dev/null 2>&1 || true
		as_root rm -rf "$workplace"
	fi
}

build() { make -s -C "$workplace" "$@"; }

prepare_workplace() {
	install_packages perl
	find_server
	say "Server: $("$PG_CONFIG" --version)"
	if [ -e "$("$PG_CONFIG" --sharedir)/extension/sliding_prefix.control" ]; then
		was_installed=yes
	fi
	workplace=$(mktemp -d)
	chmod 755 "$workplace"
	trap clean_up EXIT
	(cd "$tree" && tar cf - --exclude=.git --exclude='*.o' --exclude='*.so' --exclude='*.bc' .) |
		tar xf - -C "$workplace"
	cd "$workplace"
}

install_extension() { as_root make -s -C "$workplace" install >/dev/null; }

# Run a command against a throwaway server that is gone afterwards
with_server() { pg_virtualenv -v "$PG_MAJOR" -o fsync=off -o max_wal_size=4GB "$@"; }
