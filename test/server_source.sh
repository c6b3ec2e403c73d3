# Sourced by core_check.sh and checked.sh: a server built from Debian's source.
#
# build_server MAJOR	fetches the source package of that major version by apt
#						and builds it, with assertions and made for valgrind, in
#						$SERVERS/MAJOR (the tree is in $SERVERS/source-MAJOR)
# SERVERS is the folder for it: kept and used again when given, otherwise
# temporary.
#
# Comes after workplace.sh.

if [ -z "${SERVERS:-}" ]; then
	SERVERS=$(mktemp -d)
	temporary+=("$SERVERS")
fi
mkdir -p "$SERVERS"
SERVERS=$(cd "$SERVERS" && pwd)
chmod 755 "$SERVERS"
# PostgreSQL's makefiles generate headers at the top level only: a make that
# called us must not count
unset MAKELEVEL MAKEFLAGS MFLAGS

# Print the apt sources for source packages: the machine's own Debian suites,
# and from the same mirror the suites that hold later servers
source_lists() {
	local own mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	# shellcheck disable=SC1091
	own=$(. /etc/os-release && say "$VERSION_CODENAME")
	apt-get indextargets --format '$(REPO_URI) $(CODENAME)' \
		'Created-By: Packages' 'Component: main' | sort -u |
		awk -v own="$own" -v keyring="$keyring" '
			index($2, own) == 1 { print "deb-src [signed-by=" keyring "]", $1, $2, "main" }
			$2 == own { mirror = $1 }
			END {
				print "deb-src [signed-by=" keyring "]", mirror, "trixie main"
				print "deb-src [signed-by=" keyring "]", mirror, "forky main"
			}'
}

# apt-get or apt-cache with lists of its own: the machine's stay as they are
source_apt() {
	local command=$1
	shift
	"$command" -o Dir::Etc::sourcelist="$SERVERS/apt/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::Lists="$SERVERS/apt/lists" \
		-o Dir::Cache="$SERVERS/apt/cache" \
		-o APT::Sandbox::User=root "$@"
}

# Download the newest tarball of that major version that the mirror has: a
# security update may be announced before the mirror holds it
fetch_source() {
	local package=postgresql-$1 version
	mkdir -p "$SERVERS/apt/lists/partial" "$SERVERS/apt/cache/archives/partial"
	source_lists >"$SERVERS/apt/sources.list"
	source_apt apt-get update -qq
	for version in $(source_apt apt-cache showsrc "$package" |
		sed -n 's/^Version: //p' | sort -Vru); do
		if (cd "$SERVERS" && source_apt apt-get source -qq --tar-only --download-only \
			"$package=$version"); then
			say "Source: $package $version"
			mkdir -p "$SERVERS/source-$1"
			tar xf "$SERVERS"/postgresql-"$1"_*.orig.tar.* -C "$SERVERS/source-$1" \
				--strip-components=1
			return
		fi
	done
	say "The mirror has no source of $package."
	return 1
}

# USE_VALGRIND makes memory contexts tell valgrind what is allocated; without
# valgrind it changes nothing.
build_server() {
	local major=$1
	[ -x "$SERVERS/$major/bin/postgres" ] && return
	install_packages dpkg-dev gcc make libc6-dev bison flex perl pkg-config \
		libicu-dev zlib1g-dev valgrind
	[ -x "$SERVERS/source-$major/configure" ] || fetch_source "$major"
	(
		cd "$SERVERS/source-$major"
		./configure --quiet --prefix="$SERVERS/$major" --enable-cassert \
			--enable-debug --with-icu --without-readline \
			CPPFLAGS=-DUSE_VALGRIND CFLAGS='-Og -g'
		make -s -j"$(nproc)"
		make -s -C contrib -j"$(nproc)" all
		make -s install
		make -s -C contrib install
	) >"$SERVERS/build-$major.log" 2>&1 || {
		tail -n 40 "$SERVERS/build-$major.log"
		return 1
	}
}
