#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rooms of common/ and of smesh/ stand in the order of their local.mk. A file includes, and an
# object uses, what is in its own room and in those before it: nothing of a room that comes later.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit

# rooms_of TREE: lowest first
rooms_of() {
	sed -n "s|^include $1/\(.*\)/local.mk|\1|p" "$1/local.mk"
}
folders=$(rooms_of common) # core/base, core/graph, ...
core=$(sed 's|.*/||' <<<"$folders")
command=$(rooms_of smesh)
rooms=$core$'\n'$command

# above ROOM FILE...: includes of rooms that come later. shared/ is the plugins' list of hosts.
above() {
	local room=$1 below
	shift
	below=$(sed "/^$room\$/q" <<<"$rooms")$'\nshared'
	grep -nE '^[[:space:]]*#[[:space:]]*include "' "$@" /dev/null | grep -v '"config.h"' |
		while IFS= read -r line; do
			name=${line#*\"}
			grep -qx "${name%%/*}" <<<"$below" || echo "$line"
		done
}
for folder in $folders; do
	is "$(above "${folder##*/}" common/"$folder"/*.[ch] | grep -v '^$'
		grep -l '"shared/' common/"$folder"/*.[ch])" "" "common/$folder includes only what stands before it"
done
for room in $command; do
	is "$(above "$room" smesh/"$room"/*.[ch])" "" "smesh/$room includes only what stands before it"
done

# Symbols: what an object defines and uses, by room. A table of names can tie rooms together
# without a single #include.
objects=$(cd "$builddir" && find common smesh -name '*.o' 2>/dev/null)
if [ -z "$objects" ]; then
	skip "no object uses a room that comes later" "nothing is built here"
else
	is "$(cd "$builddir" && for object in $objects; do
		room=${object%/*}
		source=${object##*-}
		[ -e "$srcdir/$room/${source%.o}.c" ] || continue # left over from an older build
		nm -g "$object" | awk -v room="${room##*/}" -v file="${object##*-}" \
			'{ print (NF == 3 ? "defines" : "uses"), room, file, $NF }'
	done | awk -v rooms="$(tr '\n' ' ' <<<"$rooms")" '
		BEGIN { n = split(rooms, name, " "); for (i = 1; i <= n; i++) at[name[i]] = i }
		$1 == "defines" { home[$4] = $2; next }
		{ use[++m] = $0 }
		END {
			for (i = 1; i <= m; i++) {
				split(use[i], u, " ")
				# strategies_more is what a program adds to the table, by its own choice.
				if (u[4] in home && at[home[u[4]]] > at[u[2]] && u[4] != "strategies_more")
					print u[2] "/" u[3] " uses " u[4] " of " home[u[4]]
			}
		}' | sort -u)" "" "no object uses a room that comes later"
fi

# Each says what it does in one screen, and the files it names are there.
for readme in $(sed 's|.*|common/&/README.md|' <<<"$folders") $(sed 's|.*|smesh/&/README.md|' <<<"$command"); do
	is "$([ -s "$readme" ] || echo "missing"
		[ "$(wc -l <"$readme")" -le 40 ] || echo "too long"
		grep -o '`[a-z_]*\.[ch]`' "$readme" | tr -d '`' | while read -r file; do
			[ -e "${readme%/*}/$file" ] || echo "$file"
		done)" "" "$readme is a screen, and right"
done
for tree in common smesh; do
	list=$(rooms_of $tree)
	is "$(sed -n 's/^| \[[a-z]*\](\([a-z/]*\)\/README.md).*/\1/p' $tree/README.md)" "$list" "$tree/README.md has the rooms in their order"
	is "$(cd $tree && find . -name '*.[ch]' -printf '%h\n' | sed 's|^\./||' | grep -v '^papers$' | sort -u)" "$(sort <<<"$list")" "every folder of $tree is a room"
done
done_testing
