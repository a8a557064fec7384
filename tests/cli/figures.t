#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the guides quote is what was measured: doc/lab/figures.txt.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit
list=doc/lab/figures.txt
mapfile -t pages < <(ls README.md NEWS doc/*.md doc/lab/*.md)

is "$(grep -v '^#' $list | awk 'NF < 4 { print "no command: " $0 } seen[$1]++ { print "twice: " $1 }')" "" \
	"every figure has a value, a page and a command, once"

# A figure is on its page as it is in the list, by itself or between other signs.
is "$(grep -v '^#' $list | while read -r name value page _; do
	grep -qE "(^|[^0-9.])${value//./\\.}([^0-9]|\$)" "doc/$page" || echo "$name: no $value in doc/$page"
done)" "" "every figure is on its page"

# check FILE...: what is marked, against the list
check() {
	awk -v list=$list '
	BEGIN {
		while ((getline line <list) > 0)
			if (line !~ /^#/) { split(line, field, " "); value[field[1]] = field[2] }
	}
	{
		rest = $0
		while (match(rest, /[0-9][0-9.,]*<!--[a-z0-9_-]+-->/)) {
			mark = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			number = mark; sub(/<.*/, "", number); gsub(/,/, "", number)
			name = mark; sub(/^[^<]*<!--/, "", name); sub(/-->$/, "", name)
			digits = index(number, ".") ? length(number) - index(number, ".") : 0
			if (!(name in value))
				print FILENAME ":" FNR ": " name " is not in " list
			else if (sprintf("%.*f", digits, value[name]) != number)
				print FILENAME ":" FNR ": " name " is " value[name] ", not " number
			quoted[name] = 1
		}
	}
	END { for (name in value) if (!(name in quoted)) print name " is quoted nowhere" }' "$@"
}
is "$(check "${pages[@]}")" "" "what is quoted is the figure"

# It can fail: a wrong digit and a name that is not there.
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
hops=$(awk '$1 == "hpc2n-snug-hops" { print $2 }' $list)
printf 'hops 9.927<!--hpc2n-snug-hops--> and 1<!--nothing-->\n' >"$tmp/page.md"
like "$(check "$tmp/page.md")" "hpc2n-snug-hops is $hops, not 9.927" "a figure that differs is found"
like "$(check "$tmp/page.md")" 'nothing is not in' "and one that nobody has measured"

# Three digits behind the point are a measurement: in a guide they have a name.
is "$(sed -s '/^    /d; s/[0-9][0-9.]*<!--[a-z0-9_-]*-->//g' doc/*.md | grep -nE '(^|[^0-9.])[0-9]+\.[0-9]{3}([^0-9.]|$)')" "" \
	"no measurement in a guide is without a name"
done_testing
