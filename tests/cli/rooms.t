#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rooms of common/ stand in the order of common/local.mk; a file includes from its own room
# and from those before it, and never from the plugins or the commands.
. "${srcdir:-.}/tests/tap.sh"
rooms=$(sed -n 's|^include common/\(.*\)/local.mk|\1|p' "$srcdir/common/local.mk")

# above FILE: what it includes that it may not
above() {
	local room=${1#common/} below
	room=${room%%/*}
	below=$(sed "/^$room\$/q" <<<"$rooms")
	sed -n 's/^[[:space:]]*#[[:space:]]*include "\([^"]*\)".*/\1/p' "$1" | grep -vx 'config.h' |
		while read -r name; do
			grep -qx "${name%%/*}" <<<"$below" || echo "$1 includes $name"
		done
}

cd "$srcdir" || exit
for room in $rooms; do
	wrong=$(for file in common/"$room"/*.[ch]; do above "$file"; done)
	is "$wrong" "" "$room uses only what stands before it"
done
# Each says what it does in one screen, and the files it names are there.
for room in $rooms; do
	readme=common/$room/README.md
	is "$([ -s "$readme" ] || echo "missing"
		[ "$(wc -l <"$readme")" -le 40 ] || echo "too long"
		grep -o '`[a-z_]*\.[ch]`' "$readme" | tr -d '`' | while read -r file; do
			[ -e "common/$room/$file" ] || echo "$file"
		done)" "" "$readme is a screen, and right"
done
is "$(sed -n 's/^| \[\([a-z]*\)\].*/\1/p' common/README.md)" "$rooms" "common/README.md has the rooms in their order"
is "$(cd common && ls -d */ | sort)" "$(sed 's|$|/|' <<<"$rooms" | sort)" "every folder is a room"
done_testing
