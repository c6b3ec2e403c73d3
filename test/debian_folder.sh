# Sourced by matrix.sh: Debian suites in folders, to run commands in.
#
# debian_folder FOLDER SUITE [SUITE...]	makes FOLDER a minimal system of the
#						first suite, with apt sources for all of them, unless it
#						is one already
# in_folder FOLDER COMMAND...	runs a command in it
# remove_folder FOLDER
#
# The mirror and apt's way to it (proxies, certificates) are the machine's own.
# /proc and /dev are mounted in a mount namespace of each command only: the
# machine never sees a mount in the folder, not even after a crash.
#
# Comes after workplace.sh.

# Where the machine's own suite comes from.  Without downloaded lists apt cannot
# say.
own_mirror() {
	local own
	# shellcheck disable=SC1091
	own=$(. /etc/os-release && say "$VERSION_CODENAME")
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(CODENAME) $(REPO_URI)' \
		'Created-By: Packages' 'Component: main' | sed -n "s/^$own //p" | grep -m 1 .
}

# Suites newer than the machine's debootstrap have no script there
debootstrap_script() {
	if [ -e "/usr/share/debootstrap/scripts/$1" ]; then say "$1"; else say sid; fi
}

debian_folder() {
	local folder=$1 suite mirror
	shift
	[ -e "$folder/complete" ] && return
	remove_folder "$folder"
	install_packages debootstrap mount
	mirror=$(own_mirror || { as_root apt-get update -qq >&2 && own_mirror; }) || {
		say "apt does not know where this machine's Debian comes from."
		return 1
	}
	say "Making a folder of $1"
	as_root unshare --mount debootstrap --variant=minbase "$1" "$folder" "$mirror" \
		"$(debootstrap_script "$1")" >"$folder.log" 2>&1 || {
		tail -n 20 "$folder.log"
		return 1
	}
	for suite in "$@"; do say "deb $mirror $suite main"; done |
		as_root tee "$folder/etc/apt/sources.list" >/dev/null
	apt_settings | as_root tee "$folder/etc/apt/apt.conf.d/machine" >/dev/null
	as_root touch "$folder/complete"
}

# How the machine's apt reaches the mirror, without what its index targets are
apt_settings() {
	apt-config dump --no-empty --format '%F "%v";%n' Acquire | grep -v '^Acquire::IndexTargets'
	# Suites that are not released expire soon
	say 'Acquire::Check-Valid-Until "false";'
}

# Names and certificates that the machine knows
copy_network_settings() {
	local file
	for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
		[ ! -e "$file" ] || as_root install -D -m 644 "$file" "$1$file"
	done
}

in_folder() {
	local folder=$1 proxies
	shift
	copy_network_settings "$folder"
	mapfile -t proxies < <(env | grep -iE '^(https?|no)_proxy=')
	# shellcheck disable=SC2016
	as_root unshare --mount bash -ec '
		cd /
		mount -t proc proc "$0/proc"
		mount --rbind /dev "$0/dev"
		exec chroot "$0" "$@"
		' "$folder" env -i "${proxies[@]}" HOME=/root LANG=C.UTF-8 \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}

# Nothing of the machine may be mounted in what is removed
remove_folder() {
	if findmnt --raw --noheadings --output TARGET | grep -F "$1/" >/dev/null; then
		say "Something is mounted in $1: it is not removed."
		return 1
	fi
	as_root rm -rf --one-file-system "$1"
}
