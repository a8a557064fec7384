#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The first minute of a newcomer: README shows a picture and a number, its links lead somewhere,
# and what it says to type works as it stands.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
readme=$srcdir/README.md
fold=$(head -24 "$readme")

[ "$(wc -l <"$readme")" -le 110 ]
ok $? "README has at most 110 lines"
like "$fold" '!\[[^]]+\]\(doc/images/[a-z-]+\.svg\)' "a picture above the fold"
is "$(grep -o '[0-9]*%' <<<"$fold" | wc -l)" 2 "and one number, with what it assumes"
like "$fold" $'\n    contrib/demo\n' "and the command"
for link in $(grep -o ']([^):#]*)' "$readme" | tr -d '](' | tr -d ')'); do
	[ -e "$srcdir/$link" ]
	ok $? "README's link to $link"
done

# The section without Slurm, word by word, in a tree that has smesh/smesh.
mkdir "$dir/smesh"
ln -s "$SMESH" "$dir/smesh/smesh"
ln -s "$srcdir/etc" "$dir/etc"
cd "$dir" || exit
begin=$SECONDS
while read -r line; do
	out=$(bash -c "$line" 2>err </dev/null)
	is "$? $(cat err)" "0 " "${line%%  *}"
	[ -n "$out" ]
	ok $? "and it has something to say"
done < <(sed -n 's/^    \(smesh\/smesh .*\)/\1/p' "$readme" | grep -v -e '--html')
[ $((SECONDS - begin)) -lt 60 ]
ok $? "all in less than a minute"
like "$(bash -c "$(sed -n 's/^    \(smesh\/smesh sim .*lublin.swf\)$/\1/p' "$readme")")" \
	'^snug: jobs are done as soon as with linear, waits the same, [0-9]+% fewer hops' "the simulation says what it found first"

# Its own log: what sacct prints with these columns is what smesh sim reads.
{
	sed -n 's/.* -o \(JobID[^ ]*\).*/\1/p' "$readme" | tr , '|'
	echo '1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T01:00:00|3600|4|02:00:00'
	echo '2|bob|2026-01-01T00:10:00|2026-01-01T00:10:00|2026-01-01T00:20:00|600|8|UNLIMITED'
} >jan
cp etc/workloads/torus.conf topology.conf
mkdir -p build/demo/smesh # where contrib/demo has built it
ln -s "$SMESH" build/demo/smesh/smesh
like "$(bash -c "$(sed -n 's/^    \(build\/demo\/smesh\/smesh verdict .*\)/\1/p' "$readme")")" \
	'^jan: 2 jobs .*Under snug instead of linear ' "a verdict on one's own log"
like "$(head -c 15 verdict.html)" '^<!DOCTYPE html>' "and a page"

done_testing
