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

order=$(tr '\n' ' ' <<<"$rooms")

# Includes: FILE:LINE:TEXT of a room that comes later, or of no room. shared/ is the plugins' list of
# hosts, which smesh has too.
wrong=$(find common smesh -name '*.[ch]' -exec grep -nE '^[[:space:]]*#[[:space:]]*include "' /dev/null {} + |
	awk -v order="$order" '
		BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) at[name[i]] = i }
		/"config.h"/ || /common\/papers\/papers.c/ { next }
		{
			split($0, part, ":"); m = split(part[1], folder, "/"); room = folder[m - 1]
			split($0, quoted, "\""); split(quoted[2], used, "/")
			if (used[1] == "shared" && folder[1] == "smesh") next
			if (!(used[1] in at) || at[used[1]] > at[room]) print
		}')
for folder in $(sed 's|^|common/|' <<<"$folders") $(sed 's|^|smesh/|' <<<"$command"); do
	is "$(grep "^$folder/" <<<"$wrong")" "" "$folder includes only what stands before it"
done

# In plugin/ all may use compat, and all but compat may use shared.
is "$(find plugin -name '*.[ch]' -exec grep -oHE '^#include "(compat|shared|select|topology|spank)/' {} + |
	sed -E 's|^plugin/([a-z]+)/.*"(.*)/|\1 \2|' | sort -u | grep -vE ' compat$|^([a-z]+) \1$|^(select|topology|spank) shared$')" "" \
	"select, topology and spank do not include each other"

# A file and its header stand for each other. What includes another is not included by it, by no way.
is "$(find common plugin smesh -name '*.[ch]' -exec grep -oHE '^#include "[a-z]+/[a-z0-9_]+\.h"' {} + |
	sed -E 's|.*/([a-z]+/[a-z0-9_]+)\.[ch]:#include "(.*)\.h"|\1 \2|' | tsort 2>&1 >/dev/null)" "" \
	"no circle of includes"

# Symbols: what an object defines and uses, by room. A table of names can tie rooms together
# without a single #include. strategies_more and extras() are what a program has beside the core, by its own choice.
mapfile -t objects < <(cd "$builddir" && find common smesh -name '*.o' 2>/dev/null | while read -r object; do
	source=${object##*-}
	[ ! -e "$srcdir/${object%/*}/${source%.o}.c" ] || echo "$object" # else left over from an older build
done)
if [ ${#objects[@]} -eq 0 ]; then
	skip "no object uses a room that comes later" "nothing is built here"
else
	is "$(cd "$builddir" && nm -A -g "${objects[@]}" | awk -v order="$order" '
		BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) at[name[i]] = i }
		{
			split($1, part, ":"); m = split(part[1], folder, "/"); room = folder[m - 1]
			if (!(room in at)) next # the table of papers/
			if ($(NF - 1) == "U") use[++uses] = room " " part[1] " " $NF
			else home[$NF] = room
		}
		END {
			for (i = 1; i <= uses; i++) {
				split(use[i], u, " ")
				if (u[3] in home && at[home[u[3]]] > at[u[1]] && u[3] !~ /^(strategies_more|extras)$/)
					print u[2] " uses " u[3] " of " home[u[3]]
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
