#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# doc/add-a-strategy.md and doc/add-a-reader.md, followed to the letter in a copy of the built tree: a
# file, its line in local.mk and a line in the table are all that a strategy or a reader needs.
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
# Step 3: one row in the table, and its name in srun's list.
sed -i 's/^\(.*\)FAMILY(linear) \\$/&\n\1FAMILY(last) \\/' common/core/conf/strategies.h
sed -i 's/"linear",/& "last",/' common/core/conf/strategynames.c

# A reader: the file as the page has it, a line in the header, one in the list, one in local.mk.
page=$srcdir/doc/add-a-reader.md
sed -n '/^1\. /,/^2\. /s/^       //p' "$page" >smesh/sim/trace_three.c
sed -i "s/^extern const struct trace_format.*/$(sed -n 's/^       \(extern .*\)/\1/p' "$page")\n&/" smesh/sim/trace_format.h
sed -i "s/formats\[\] = {/&$(sed -n 's/^       \(&trace.*\)/\\\1/p' "$page") /" smesh/sim/trace_read.c
sed -i 's|^\(.*\)trace_swf\.c.*|\1trace_three.c \\\n&|' smesh/sim/local.mk

# A build without the tracking of dependencies, as packages have it, does not look at headers.
grep -rlE 'conf/strategies\.h|sim/trace_format\.h' --include='*.c' common smesh tests | xargs touch

built() { make -s smesh/smesh tests/unit/strategy/test_strategy >"$dir/log" 2>&1 || ! tail -n 20 "$dir/log"; }
built
ok $? "it is built"
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >"$dir/topology.conf"
is "$(smesh/smesh strategies | grep -c "^last ")" 1 "smesh strategies lists it"
is "$(smesh/smesh alloc -t "$dir/topology.conf" -s last -n 4 --json 2>&1 | tr -d ' \n' |
	sed 's/.*"nodes":"\([^"]*\)".*/\1/')" 'n[12-15]' "smesh alloc places by it"
tests/unit/strategy/test_strategy >"$dir/log" 2>&1 || ! tail -n 20 "$dir/log"
ok $? "and it has the properties that all strategies have"

sed -n 's/^    \([s0-9].*,.*\)/\1/p' "$page" >three.csv
is "$(smesh/smesh sim -t "$dir/topology.conf" -s linear --trace three.csv --json 2>&1 | sed -n 's/^  "\(read\|jobs\)": \([0-9]*\),/\2/p' | paste -sd' ')" \
	"2 2" "smesh sim reads a log by a reader of one file"
echo x >>three.csv
fails 1 "three.csv:4: expected SUBMIT,RUN,NODES: 'x'" "and says what is wrong in which line" \
	smesh/smesh sim -t "$dir/topology.conf" --trace three.csv -s linear

# The other way, a shared object: the file of the page, and its commands.
page=$srcdir/doc/add-a-strategy.md
sed -n '/^## Without this tree/,$s/^    //p; /^## Without this tree/,${/^$/p}' "$page" | sed -n '/^\/\*/,/STAMP, families};$/p' >near.c
compile=$(sed -n '/^    cc -shared/{N;s/^    //;p}' "$page")
is "$(sh -c "$compile" 2>&1)" "" "a shared object is compiled as the page says"
tests/unit/strategy/test_strategy ./near.so >"$dir/log" 2>&1 || ! tail -n 20 "$dir/log"
ok $? "and has the properties that all strategies have"
is "$(smesh/smesh --strategies=./near.so alloc -t "$dir/topology.conf" -s near -n 5 --busy n4 --json 2>&1 |
	tr -d ' \n' | sed 's/.*"nodes":"\([^"]*\)".*/\1/')" 'n[2,5-7,10]' "smesh loads it and places by it: a node and its neighbours"
near() { smesh/smesh --strategies=./near.so sim -t "$dir/topology.conf" --generate lublin --jobs 40 -s near,linear "$@"; }
near --resume kept --save saved >"$dir/log" 2>&1
like "$(<"$dir/log")" 'smesh --strategies=./near.so sim -t' "a report has the whole command"
like "$(smesh/smesh sim --again saved 2>&1)" 'the same: [0-9]+ figures' "--again loads the object"
cp near.so as_it_was.so
echo '/* changed */ int changed;' | cat near.c - >changed.c && sh -c "${compile//near.c/changed.c}"
fails 1 '--resume: of another command than kept: --strategies.1 is another file' "a changed strategy has no old figures" near --resume kept
fails 1 '--again: ./near.so is not the file that it was' "nor is it run again" smesh/smesh sim --again saved
cp as_it_was.so near.so
# A smaller one, with the table of that file.
{
	echo '#include "ask/strategy_library.h"'
	echo '#include "config.h"'
	sed -e 's/"last"/"outside"/; s/strategy_last_family/strategy_outside_family/' common/core/pack/strategy_last.c
	sed -n 's/strategy_near_family/strategy_outside_family/; /^static const.*families\[\]/,$p' near.c
} >last.c
compile=${compile//near/last}
is "$(sh -c "$compile" 2>&1)" "" "another, of the strategy above"
is "$(smesh/smesh --strategies=./last.so alloc -t "$dir/topology.conf" -s outside -n 4 --json 2>&1 |
	tr -d ' \n' | sed 's/.*"nodes":"\([^"]*\)".*/\1/')" 'n[12-15]' "smesh loads it and places by it"
is "$(smesh/smesh --strategies ./near.so strategies)" "$(smesh/smesh --strategies=./near.so strategies)" "a blank for the ="
like "$(smesh/smesh --strategies=last.so strategies)" $'\noutside ' "a path without a slash is in this folder"
fails 1 'alloc: unknown option --strategies.*before the command' "where --strategies stands" \
	smesh/smesh alloc --strategies=./last.so -n 4
# What it answers is checked before anything reads it.
bad() {
	sed "s/answer->node\[answer->count++\] = i;/$2/" last.c >bad.c
	sh -c "${compile//last/bad}" 2>/dev/null
	fails 1 "$3" "$1" smesh/smesh --strategies=./bad.so alloc -t "$dir/topology.conf" -s outside -n 4 --busy 'n[14-15]'
}
bad "numbers beyond the machine" 'answer->node[answer->count++] = 99999999 - i;' 'outside chose a node that is not free'
bad "negative ones" 'answer->node[answer->count++] = -i;' 'outside chose a node that is not free'
tests/unit/strategy/test_strategy ./bad.so >"$dir/log" 2>&1
is "$?" 1 "the property tests find them, too"
bad "a busy node" 'answer->node[answer->count++] = i + 1;' 'outside chose a node that is not free'
bad "the same twice" 'answer->node[answer->count++] = i | 1;' 'outside chose a node twice'
bad "fewer nodes" 'answer->node[answer->count] = i; answer->count = 2;' 'outside chose 2 nodes, not 4'
bad "more" 'answer->node[0] = i; answer->count = 99999999;' 'outside chose 99999999 nodes, not 4'
echo 'int none;' | cc -shared -fPIC -x c -o none.so -
fails 1 'none.so: no library of strategies' "another object is none" smesh/smesh --strategies=none.so strategies
fails 2 'none.so: no library of strategies' "the property tests say so, too" tests/unit/strategy/test_strategy none.so
sed -i 's/STRATEGY_LIBRARY_STAMP/{"0.9", {0}}/' last.c
sh -c "$compile" 2>/dev/null
like "$(smesh/smesh --strategies=./last.so strategies 2>&1)" "another version" "one of another version is refused"
done_testing
