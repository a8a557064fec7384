#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Links between the documents lead somewhere, and guides stay short.
. "${srcdir:-.}/tests/tap.sh"
cd "$srcdir" || exit
mapfile -t pages < <(ls ./*.md {doc,plugin,common,smesh,tests,contrib}{,/*,/*/*}/*.md 2>/dev/null)

# anchors PAGE: its headings as the names of links
anchors() {
	sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}

# broken PAGE: its links that lead nowhere
broken() {
	local link file
	sed '/^    /d' "$1" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -vE '^(https?|mailto):' |
		while read -r link; do
			file=${link%%#*}
			file=${file:+${1%/*}/$file}
			file=${file:-$1}
			[ -e "$file" ] || { echo "$1: $link"; continue; }
			[[ $link != *#* ]] || anchors "$file" | grep -qx -- "${link#*#}" || echo "$1: $link"
		done
}
is "$(for page in "${pages[@]}"; do broken "$page"; done)" "" "every link leads somewhere"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
printf '# One page\n[a](nowhere.md) [b](#one-page) [c](#two) [d](https://example.org)\n' >"$tmp/page.md"
is "$(broken "$tmp/page.md")" "$tmp/page.md: nowhere.md
$tmp/page.md: #two" "a broken link is found"

# Files that are named with their folder: doc/x.md, tests/unit/x.c, common/room/x.h.
is "$(grep -noP '(?<![/\w.-])(doc|common|smesh|tests|etc)/[\w./-]*\w\.(md|c|h|t|sh|conf|swf|svg|txt|mk)(?![\w.]*\w)' README.md CONTRIBUTING.md doc/*.md common/*.md |
	while IFS=: read -r page line file; do
		[[ $file == *NAME* || $file == *ROOM* || -e $file ]] || echo "$page:$line: $file"
	done)" "" "files that are named are there"

is "$(wc -l doc/*.md | awk '$2 != "total" && $1 > 160 { print $2 ": " $1 " lines" }')" "" \
	"a guide is no longer than 160 lines"
done_testing
