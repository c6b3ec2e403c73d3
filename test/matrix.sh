#!/bin/bash
# make matrix: every test on every supported PostgreSQL that Debian packages.
#
# VERSIONS (15 17 18 19) are tested one after the other by run.sh: the
# machine's own one natively, as "make test" does, the others each in a folder
# with the Debian suite that has it.  MATRIX_DIR keeps these folders for the
# next time; remove one to have it made anew.  The closing line counts all.

. "$(dirname "$0")/workplace.sh"
. "$(dirname "$0")/debian_folder.sh"

# The Debian suites for a major version
suites() {
	case $1 in
		15) say bookworm ;;
		17) say trixie ;;
		18) say forky ;;
		19) say sid experimental ;;
		*) say "No Debian suite has PostgreSQL $1." >&2; return 1 ;;
	esac
}

# The packages of the server, of what the tests need, and of what they test us
# with.  Those of experimental are selected one by one: they must not draw in
# others.
packages() {
	printf '%s ' gcc make libc6-dev
	case $1 in
		17|18) printf '%s ' "postgresql-$1-timescaledb" ;;&
		19) printf '%s/experimental ' postgresql-19 postgresql-client-19 \
			postgresql-server-dev-19 libpq5 libpq-dev ;;
		*) say "postgresql-$1" "postgresql-server-dev-$1" ;;
	esac
}

# Put the packages into the folder, and no cluster
install_server() {
	local folder=$1 major=$2 packages
	packages=$(packages "$major")
	[ "$(cat "$folder/installed" 2>/dev/null)" = "$packages" ] && return
	as_root mkdir -p "$folder/etc/postgresql-common/createcluster.d"
	say 'create_main_cluster = false' |
		as_root tee "$folder/etc/postgresql-common/createcluster.d/no_cluster.conf" >/dev/null
	say "Installing $packages"
	# shellcheck disable=SC2086
	in_folder "$folder" sh -ec 'apt-get update -qq
		apt-get install -y -qq --no-install-recommends "$@"' sh $packages >"$folder.log" 2>&1 || {
		tail -n 20 "$folder.log"
		return 1
	}
	say "$packages" | as_root tee "$folder/installed" >/dev/null
}

test_in_folder() {
	local major=$1 folder=$MATRIX_DIR/$1 suites
	suites=$(suites "$major")
	# shellcheck disable=SC2086
	debian_folder "$folder" $suites
	install_server "$folder" "$major"
	as_root rm -rf "$folder/tree"
	as_root mkdir "$folder/tree"
	copy_tree | as_root tar xf - -C "$folder/tree"
	in_folder "$folder" STRICT="${STRICT:-0}" \
		PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" bash /tree/test/run.sh
}

# test_version MAJOR
test_version() {
	if [ "$1" = "$(native_major)" ]; then
		bash test/run.sh
	else
		test_in_folder "$1"
	fi
}

# Test one version and add to the counts.  Its own closing line becomes one
# about this version; without one, or against it, the version failed.
count_version() {
	local major=$1 log=$MATRIX_DIR/$1.out status=0 counts
	bash test/matrix.sh version "$major" 2>&1 |
		sed -u -E -e "s/^(ok|FAILED) +/&PostgreSQL $major: /" \
			-e "s/^[0-9]+ passed, [0-9]+ failed$/PostgreSQL $major: &/" |
		tee "$log" || status=$?
	counts=$(sed -n "s/^PostgreSQL $major: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p" "$log")
	if [ -z "$counts" ] || { [ "$status" != 0 ] && [ "${counts#* }" = 0 ]; }; then
		say "FAILED  PostgreSQL $major: the tests did not run to their end"
		failed=$((failed + 1))
	else
		passed=$((passed + ${counts% *}))
		failed=$((failed + ${counts#* }))
	fi
}

cd "$tree"
if [ "${1:-}" = version ]; then
	test_version "$2"
	exit
fi

need_root "The tests of other versions need root: run this as root, or as a user who may use sudo."
if [ -z "${MATRIX_DIR:-}" ]; then
	MATRIX_DIR=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
	trap 'cd / && remove_folder "$MATRIX_DIR"' EXIT
fi
mkdir -p "$MATRIX_DIR"
MATRIX_DIR=$(cd "$MATRIX_DIR" && pwd)
chmod 755 "$MATRIX_DIR"
export MATRIX_DIR

passed=0 failed=0
for major in ${VERSIONS:-15 17 18 19}; do count_version "$major"; done
say "$passed passed, $failed failed"
[ "$failed" = 0 ]
