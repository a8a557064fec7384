#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# doc/add-a-strategy.md, followed to the letter in a copy of the built tree: a file, its line in
# local.mk and a line in the table are all that a strategy needs.
. "${srcdir:-.}/tests/tap.sh"
[ -e "$builddir/common/core/pack/local.mk" ] || {
	echo "1..0 # SKIP not built in its source tree: a copy cannot be made"
	exit 0
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -a "$builddir/." "$dir/tree" && cd "$dir/tree" || exit
unset MAKEFLAGS MAKELEVEL MFLAGS

# Step 1: a copy of the smallest one, and its line in local.mk. This one takes the highest nodes.
sed -e 's/strategy_linear_family/strategy_last_family/; s/"linear"/"last"/' \
	-e 's/nodeset_each(i, state->free) {/for (int i = state->free->n - 1; i >= 0; i--) {\
		if (!nodeset_has(state->free, i))\
			continue;/' common/core/pack/strategy_linear.c >common/core/pack/strategy_last.c
sed -i 's|^\(.*\)strategy_linear\.c \\$|&\n\1strategy_last.c \\|' common/core/pack/local.mk
# Step 3: one row in the table.
sed -i 's/^\(.*\)FAMILY(linear) \\$/&\n\1FAMILY(last) \\/' common/core/conf/strategies.h

# A build without the tracking of dependencies, as packages have it, does not look at headers.
grep -rl 'conf/strategies\.h' --include='*.c' common smesh tests | xargs touch

built() { make -s smesh/smesh tests/unit/strategy/test_strategy >"$dir/log" 2>&1 || ! tail -n 20 "$dir/log"; }
built
ok $? "it is built"
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >"$dir/topology.conf"
is "$(smesh/smesh strategies | grep -c "^last ")" 1 "smesh strategies lists it"
is "$(smesh/smesh alloc -t "$dir/topology.conf" -s last -n 4 --json 2>&1 | tr -d ' \n' |
	sed 's/.*"nodes":"\([^"]*\)".*/\1/')" 'n[12-15]' "smesh alloc places by it"
tests/unit/strategy/test_strategy >"$dir/log" 2>&1 || ! tail -n 20 "$dir/log"
ok $? "and it has the properties that all strategies have"

# The other way, a shared object: the lines of the page behind the same file, and its two commands.
{
	sed -e 's/"last"/"outside"/; s/strategy_last_family/strategy_outside_family/' common/core/pack/strategy_last.c
	sed -n '/^## Without this tree/,$s/^    \(#include\|static\|extern\|__attr\|\tSTRAT\)/\1/p' "$srcdir/doc/add-a-strategy.md" |
		sed 's/strategy_last_family/strategy_outside_family/'
} >last.c
compile=$(sed -n 's/^    \(cc -shared.*\)/\1/p' "$srcdir/doc/add-a-strategy.md")
sh -c "$compile" >"$dir/log" 2>&1 || ! tail -n 20 "$dir/log"
ok $? "a shared object is compiled as the page says"
is "$(smesh/smesh --strategies=./last.so alloc -t "$dir/topology.conf" -s outside -n 4 --json 2>&1 |
	tr -d ' \n' | sed 's/.*"nodes":"\([^"]*\)".*/\1/')" 'n[12-15]' "smesh loads it and places by it"
sed -i 's/STRATEGY_LIBRARY_STAMP/{"0.9", {0}}/' last.c
sh -c "$compile" 2>/dev/null
like "$(smesh/smesh --strategies=./last.so strategies 2>&1)" "another version" "one of another version is refused"
done_testing
