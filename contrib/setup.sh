# SPDX-License-Identifier: GPL-2.0-or-later
# What contrib/demo and contrib/check share: packages, Slurm's source, a build. Source it in
# bash with $top set to the top of this source tree.
# shellcheck shell=bash
#
# Everything is built in $MESH_BUILD (default: build/ in this tree), from a copy of the tree, so
# that neither a build of your own nor git sees any of it.
# SLURM_SRC=DIR names a source tree of the installed Slurm. Without it Debian's is fetched into
# $XDG_CACHE_HOME/slurm-mesh (default: ~/.cache/slurm-mesh), once.

build=${MESH_BUILD:-$top/build}
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/slurm-mesh

PATH=$PATH:/usr/sbin:/sbin

say() {
	printf '%s\n' "== $*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# quietly LOG COMMAND...: output goes to LOG, of which the end is shown if it fails
quietly() {
	local log=$1
	shift
	mkdir -p "${log%/*}"
	"$@" >"$log" 2>&1 </dev/null && return
	tail -n 30 "$log" >&2
	printf '%s: failed: %s (all of its output: %s)\n' "${0##*/}" "$*" "$log" >&2
	return 1
}

# ---- Packages ----

# listed_packages [tools] [slurm] [compilers]: names in contrib/packages; those marked * only with
# `tools`, those marked % only with `slurm`, = only with `compilers`, those marked + where Slurm is to be compiled
listed_packages() {
	local without='*%='
	[[ " $* " != *" tools "* ]] || without=${without/\*/}
	[[ " $* " != *" slurm "* ]] || without=${without/\%/}
	[[ " $* " != *" compilers "* ]] || without=${without/=/}
	[ -n "$SLURM_PREFIX" ] || without+=+
	awk -v without="$without" '$1 ~ /^#/ || (without && index(without, substr($1, 1, 1))) { next }
		{ sub("^[*%=+]", ""); print $1 }' "$top/contrib/packages"
}

missing_packages() {
	listed_packages "$@" | grep -vxFf <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' |
		sed -n 's/^installed //p')
}

# need_packages [tools] [slurm] [compilers]: install what is missing; apt is not touched when nothing is
need_packages() {
	local missing
	command -v dpkg-query >/dev/null ||
		die "this is for Debian (12 or newer); elsewhere install the packages that doc/getting-started.md names, then ./configure, make, make check"
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" -eq 0 ] || die "these packages are missing, and only root can install them:
  apt-get install ${missing[*]}"
	say "installing ${missing[*]}"
	export DEBIAN_FRONTEND=noninteractive
	quietly "$build/log/apt-update" apt-get update -q
	quietly "$build/log/apt-install" apt-get install -q -y --no-install-recommends \
		"${missing[@]}" || die "the packages could not be installed"
}

# ---- Slurm's source ----

# The installed version: 22.05.8
installed_slurm() {
	slurmctld -V | awk '{ print $2 }'
}

# source_version DIR: of a source tree, as its slurmctld -V will say it: 26.05.3, 26.05.4-0pre1
source_version() {
	awk '$1 == "Version:" { version = $2 } $1 == "Release:" { release = $2 }
		END { sub(/^0\./, "", release); print version (release == "" || release == "1" ? "" : "-" release) }' \
		"$1/META" 2>/dev/null
}

# With SLURM_PREFIX=DIR the Slurm in that directory is used in place of the system's. It is made
# there from SLURM_SRC when there is none: for versions of which a distribution has no binaries,
# or binaries without their source.
use_prefix() {
	local prefix=$SLURM_PREFIX
	[ -n "$prefix" ] || return 0
	[ -x "$prefix/sbin/slurmctld" ] || install_slurm "$prefix" || return
	export PATH=$prefix/bin:$prefix/sbin:$PATH
	export CPPFLAGS="-isystem $prefix/include $CPPFLAGS"
	export LDFLAGS="-L$prefix/lib -Wl,-rpath,$prefix/lib $LDFLAGS"
}

# install_slurm PREFIX: from SLURM_SRC, as far as configure matters the way Debian does it
install_slurm() {
	local dir=$build/slurm
	[ -f "$SLURM_SRC/META" ] || die "SLURM_PREFIX=$1: there is no Slurm, and no SLURM_SRC to make one from"
	say "compiling Slurm for $1"
	mkdir -p "$dir" "$build/log"
	quietly "$build/log/slurm-configure" env -C "$dir" "$SLURM_SRC/configure" --prefix="$1" \
		--sysconfdir=/etc/slurm --with-munge --disable-static --disable-debug \
		--enable-multiple-slurmd --disable-dependency-tracking ${SLURM_OPTIONS:---disable-slurmrestd} \
		CFLAGS=-O2 &&
		quietly "$build/log/slurm-make" make -C "$dir" -j"$(nproc)" &&
		quietly "$build/log/slurm-install" make -C "$dir" install &&
		rm -rf "$dir"
}

# Do the plugins know the installed version? The list is the one that they are compiled by.
known_slurm() {
	local major minor
	IFS=. read -r major minor _ < <(installed_slurm)
	grep -qE "MESH_SLURM_IS\\(${major:-none}, ${minor#0}\\)" "$top/plugin/compat/slurm_compat.h"
}

# slurm_source: prints the directory of a source tree of the installed version
slurm_source() {
	local version dir
	version=$(installed_slurm)
	dir=$cache/slurm-$version
	if [ -n "$SLURM_SRC" ]; then
		dir=$SLURM_SRC
	elif [ ! -f "$dir/META" ]; then
		fetch_slurm "$version" "$dir" >&2 || return
	fi
	[ "$(source_version "$dir")" = "$version" ] ||
		die "${SLURM_SRC_NAME:-$dir} is the source of Slurm $(source_version "$dir"), and Slurm $version is $(
			[ -n "$SLURM_PREFIX" ] && echo "in SLURM_PREFIX=$SLURM_PREFIX" || echo "installed here")"
	echo "$dir"
}

# fetch_slurm VERSION DIR: Debian's source package, unpacked and patched
fetch_slurm() {
	local version=$1 dir=$2 work
	mkdir -p "$build/log"
	work=$(mktemp -d) || return
	chmod 755 "$work"
	say "fetching the source of Slurm $version (apt-get source slurm-wlm)"
	if ! (cd "$work" && get_source "$version" >"$build/log/apt-source" 2>&1 </dev/null); then
		rm -rf "$work"
		grep '^E:' "$build/log/apt-source"
		die "the source of Slurm $version could not be fetched (all of apt's output:
  $build/log/apt-source). Where you have it, say SLURM_SRC=DIRECTORY $0"
	fi
	mkdir -p "${dir%/*}"
	rm -rf "$dir"
	# The folder is called slurm-wlm-24.11.5 or slurm-slurm-24-11-5-1.
	mv "$(dirname "$(ls "$work"/slurm-*/META)")" "$dir"
	rm -rf "$work"
}

# apt's own deb-src entries are tried first. Then one is made from the deb entries that it has,
# in a directory that only this call of apt reads: the machine's own configuration of apt stays
# as it is. The main archive comes before the security one, which forgets what was replaced.
get_source() {
	local suite
	try_source "$1" && return
	for suite in main all; do
		private_sources $suite
		apt-get "${private[@]}" update -q && try_source "$1" "${private[@]}" && return
	done
	return 1
}

# try_source VERSION [APT OPTION]...: the installed revision, or another of the same version;
# --tar-only because some mirrors keep only the tar ball of what was replaced.
try_source() {
	local version=$1 exact package option
	shift
	exact=$(dpkg-query -W -f '${source:Version}' slurmctld)
	for package in "slurm-wlm=$exact" slurm-wlm; do
		for option in --quiet '--download-only --tar-only'; do
			# shellcheck disable=SC2086
			apt-get "$@" source -q $option "$package" || continue
			[ -f "$(echo slurm-*/META)" ] || tar xf slurm-wlm_"$version".orig.tar.* && return
		done
	done
	return 1
}

# private_sources main|all
private_sources() {
	local keyring signed= skip=-security
	[ "$1" = main ] || skip='^$'
	mkdir -p apt/lists/partial apt/archives/partial
	for keyring in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
		[ ! -f "$keyring" ] || signed="[signed-by=$keyring] "
	done
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' | sort -u | grep -v -e "$skip" |
		sed "s,^,deb-src $signed," >apt/sources.list
	private=(-o "Dir::Etc::SourceList=$PWD/apt/sources.list" -o Dir::Etc::SourceParts=-
		-o "Dir::State::Lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt")
}

# ---- Building ----

# copy_changed DIR: the files named on standard input, NUL behind each, into DIR below their names,
# where their contents or permissions differ. One process: a comparison for each file takes longer.
copy_changed() {
	perl -MFile::Basename -MFile::Compare -MFile::Copy -MFile::Path=make_path -0ne 'BEGIN { $to = shift }
		chomp;
		next unless -f;
		my ($new, $mode, $old) = ("$to/$_", (stat)[2] & 07777, -1);
		$old = (stat _)[2] & 07777 if -f $new;
		next if $old == $mode && compare($_, $new) == 0;
		make_path(dirname($new));
		unlink($new);
		copy($_, $new) && chmod($mode, $new) or die "$new: $!\n"' "$1"
}

# A copy of the tree: what git knows and what is new, without what is built.
copy_tree() {
	local copy=$1
	mkdir -p "$copy"
	# Older builds have the program where its folder is now.
	[ ! -f "$copy/smesh" ] || rm -f "$copy/smesh"
	if git -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
		git -C "$top" ls-files -z --cached --others --exclude-standard
	else
		(cd "$top" && find . -path ./build -prune -o -type f -print0)
	fi | (cd "$top" && copy_changed "$copy")
	# What has gone from the tree goes from an older copy too.
	git -C "$top" log --no-renames --diff-filter=D --pretty=format: --name-only -z 2>/dev/null | sed -z '/^$/d' |
		(cd "$top" && xargs -0 sh -c 'for f; do [ -e "$f" ] || rm -f "$0/$f"; done' "$copy")
}

# build_tree NAME [CONFIGURE OPTION]...: in $build/NAME, configured and made; with other options, anew
build_tree() {
	local name=$1 dir=$build/$1
	shift
	copy_tree "$dir" || return
	if [ ! -f "$dir/configure" ] || [ "$dir/configure.ac" -nt "$dir/configure" ]; then
		quietly "$build/log/$name-autoreconf" autoreconf -fi "$dir" || return
	fi
	if [ ! -f "$dir/Makefile" ] || [ "$dir/configure" -nt "$dir/config.status" ] ||
		[ "$(cat "$dir/.options")" != "$* $CPPFLAGS $LDFLAGS" ]; then
		quietly "$build/log/$name-configure" env -C "$dir" ./configure "$@" || return
		[ "$(cat "$dir/.options" 2>/dev/null)" = "$* $CPPFLAGS $LDFLAGS" ] ||
			quietly "$build/log/$name-clean" make -C "$dir" clean || return
		echo "$* $CPPFLAGS $LDFLAGS" >"$dir/.options"
	fi
	quietly "$build/log/$name-make" make -C "$dir" -j"$(nproc)"
}

# ---- Other versions of Slurm ----

# Debian releases and their Slurm; 26.11 is in none yet, and is compiled from its source.
debian_of() {
	case $1 in
	22.05*) echo bookworm ;;
	24.11*) echo trixie ;;
	26.05* | 26.11*) echo sid ;;
	*) die "no release of Debian for Slurm $1 is known here (22.05, 24.11, 26.05, 26.11); from its source:
  SLURM_SRC=DIR SLURM_PREFIX=DIR ${0##*/} slurm" ;;
	esac
}

# make_chroot RELEASE DIR: a minimal Debian, once
make_chroot() {
	local release=$1 root=$2
	[ ! -f "$root/.made" ] || return 0
	[ "$(id -u)" -eq 0 ] || die "only root can make a chroot"
	command -v debootstrap >/dev/null || quietly "$build/log/debootstrap-install" \
		env DEBIAN_FRONTEND=noninteractive apt-get install -q -y debootstrap || return
	say "making a chroot with Debian $release in $root"
	quietly "$build/log/debootstrap-$release" debootstrap --variant=minbase \
		--include=ca-certificates "$release" "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" ||
		return
	# The package scripts are to start no daemons.
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	# A mirror that has stood still for a week is good enough to test with; it is still signed.
	echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90mirror"
	chmod 755 "$root/usr/sbin/policy-rc.d"
	touch "$root/.made"
}

# in_chroot DIR COMMAND...: with mounts and processes of its own, which all go when it ends. The
# network is the machine's (glibc finds no host names where there is only the loopback), and so are
# the reservations of its ports.
in_chroot() {
	local root=$1 ports=/run/slurm-mesh-ports
	shift
	mkdir -p -m 700 "$ports" "$root$ports"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	printf '127.0.0.1 localhost %s\n' "$(uname -n)" >"$root/etc/hosts"
	# It is mounted on itself for takeover.t, which has mounts of its own: "/" must be a mount.
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child sh -c 'mount --bind "$0" "$0" &&
		mount -t proc proc "$0/proc" && mount --bind "$1" "$0$1" && shift &&
		exec chroot "$0" "$@"' "$root" "$ports" \
		/usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"
}
