#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Broken links from the command line: who is told of them, who heeds them, and the file that has them.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
echo 'MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=0,0:1,0;n5:n9;n14:n15;n15:n11
DownLinksFile=links.down' >topology.conf
alloc() { "$SMESH" alloc -t topology.conf "$@" | head -n 1; }

# ---- Who heeds them ----
is "$(alloc -s ff --shape 2x2)" "n[1-2,5-6]" "a box has no broken link inside"
is "$(alloc -s ff --shape 2x2:anylinks)" "n[0-1,4-5]" "unless the user allows it"
is "$(alloc -s snug-box --shape 4x1:norotate)" "n[4-7]" "nor has a row"
"$SMESH" alloc -t topology.conf -s ff --shape 4x4 >/dev/null 2>&1
is $? 3 "a box that broken links leave none of: not now, rather than never"
fails 3 '^smesh: no fit now: every free box has a broken link inside .:anylinks behind the shape allows that.$' "and says so" \
	"$SMESH" alloc -t topology.conf --shape 4x4
fails 3 '^smesh: no fit now: every free box has a broken link inside$' "of a number of nodes, too" \
	"$SMESH" alloc -t topology.conf -s bf -n 16
fails 3 '^smesh: no fit now: 15 of 16 nodes are free$' "but not where a node is busy as well" \
	"$SMESH" alloc -t topology.conf --shape 4x4 --busy n3
like "$("$SMESH" alloc -t topology.conf -s linear -n 2 --json)" '"pairwise_hops":3,' "hops are those of the links left"
like "$("$SMESH" ranks -t topology.conf -w 'n[0-1]' --grid 2 --json)" '"hop_bytes":[^,]*' "ranks are mapped"

# ---- Jobs that wait ----
printf '%s\n' '17 ann n[2-3] 7200 600' 'waiting 20 bob 16 Resources 0 shape=4x4' \
	'waiting 21 bob 16 Resources 0 shape=4x4:anylinks' 'waiting 22 bob 16 Resources' >state
why() { "$SMESH" why -t topology.conf --state state "$1" | tail -n "$2"; }
is "$(why 20 2)" "room: not before a link is mended: every box that becomes free has a broken link inside
cheapest place: none: every box that could be cleared has a broken link inside" "smesh why blames the links"
is "$(why 21 1) $(why 21 5 | grep -c 'room: a free box of that size when job 17 ends')" "scontrol requeue 17 1" \
	"and not for a job that does without"
is "$(why 22 1)" "scontrol requeue 17" "nor for one that wants no box"
is "$("$SMESH" defrag -t topology.conf --state state --shape 4x4:anylinks | tail -n 1)" "scontrol requeue 17" "smesh defrag likewise"

# ---- Who is told ----
like "$("$SMESH" check -t topology.conf)" 'links: 4 broken, 0 extra' "smesh check counts them"
like "$("$SMESH" check -t topology.conf 2>&1)" 'mesh m: 1 node is cut off from the others by broken links: n15' \
	"and names who is cut off"
like "$("$SMESH" check -t topology.conf --json)" '"links_down": 4' "as JSON, too"
like "$("$SMESH" check -t topology.conf)" 'topology.conf:2: DownLinksFile=links.down is not there' "a file that is not there"
is "$("$SMESH" map -t topology.conf --state /dev/null | sed -n '3,6p;9p')" '.|. . .
. ._. .
. . . ._
. . .|.
| _ + broken links: n0:n1 n5:n9 n11:n15 n14:n15' "smesh map marks them"

# ---- The file ----
broken() { "$SMESH" map -t topology.conf --state /dev/null | sed -n 's/.*broken links: //p'; }
printf 'n2:n3 # by hand\nn7:n6' >links.down
is "$(broken)" "n0:n1 n2:n3 n5:n9 n6:n7 n11:n15 n14:n15" "links of the file are broken, too"
like "$("$SMESH" check -t topology.conf)" 'links: 6 broken' "and counted"
echo 'n0:n7' >links.down
fails 1 'links.down:1: no link joins n0 and n7' "a bad file is named with its line" "$SMESH" check -t topology.conf
rm links.down

# ---- Extra ones ----
echo 'MeshName=a Dims=2x4 Nodes=a[0-7]
MeshName=b Dims=2x4 Nodes=b[0-7]
Link=a[6-7],b[0-1]
Link=a0,a7,2
DownLinksFile=links.down' >topology.conf
is "$("$SMESH" check -t topology.conf | grep links:)" '  links: 0 broken, 3 extra, 2 of them to other meshes
  links: 0 broken, 2 extra, 2 of them to other meshes' "cables between meshes"
like "$("$SMESH" alloc -t topology.conf --mesh a -s snug -n 2 --require a0,a7 --json)" '"pairwise_hops":2,' \
	"and inside of one, by its weight"
echo a6:b0 >links.down
is "$("$SMESH" check -t topology.conf | grep links:)" '  links: 1 broken, 2 extra, 1 of them to other meshes
  links: 1 broken, 1 extra, 1 of them to other meshes' "a cable breaks, which is no link of a mesh"

# Other meshes that cables join are no part of these.
printf 'MeshName=%s Dims=4 Nodes=%s[0-3]\n' a a b b c c d d >topology.conf
printf 'Link=%s\n' a0,b0 c0,d0 >>topology.conf
like "$("$SMESH" check -t topology.conf 2>&1)" 'mesh d: [^
]*
  links: 0 broken, 1 extra, 1 of them to other meshes
no mistake found' "two pairs of meshes: nobody is cut off"
"$SMESH" sim -t topology.conf --mesh c --down-links 0 --generate uniform --jobs 9 >out 2>&1
is "$? $(grep 'cut' out)" "0 " "nor in a simulation"

# ---- Simulated ----
echo 'MeshName=m Dims=8x8 Wrap=all Nodes=n[0-63]' >topology.conf
sim() { "$SMESH" sim -t topology.conf -s linear,snug --generate uniform --jobs 200 --csv "$@" | cut -d, -f1-17; }
is "$(sim --down-links 0)" "$(sim)" "smesh sim: no link is broken"
[ "$(sim --down-links 10%)" != "$(sim)" ]
ok $? "some are, and hops are others"
is "$(sim --down-links 13)" "$(sim --down-links 10%)" "as a number, or percent of 128"
fails 1 '--down-links=60% cuts [0-9]* of 64 nodes off from the others, n[0-9]* first' "nodes that are cut off have no hops" \
	"$SMESH" sim -t topology.conf --generate uniform --jobs 20 --down-links 60%
fails 1 'down-links=2.7: not a number of the 128 links' "no part of a link" \
	"$SMESH" sim -t topology.conf --generate uniform --down-links 2.7
fails 1 'down-links=200: not a number of the 128 links' "more than there are" \
	"$SMESH" sim -t topology.conf --generate uniform --down-links 200

echo 'MeshName=m Dims=4x4 Nodes=n[0-15] DownLinks=0,0:1,0' >down.conf
printf '%d 0 -1 100 16 -1 -1 16 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n' 1 2 >two
echo '1 4x4' >shapes
is "$("$SMESH" sim -t down.conf -s linear,bf,snug-box --trace two --shape-file shapes 2>&1 >/dev/null | grep refuses)" \
	"smesh: bf refuses job 1: each of its boxes has a broken link inside (:anylinks behind the shape allows that) (2 in all)
smesh: snug-box refuses job 1: each of its boxes has a broken link inside (:anylinks behind the shape allows that) (2 in all)" \
	"a job without a whole box is refused: which one, and why"
like "$("$SMESH" sim -t down.conf -s bf --trace two --repeat 2 --shake 9 2>&1 >/dev/null)" \
	'bf refuses job [12]: each of its boxes has a broken link inside \(2 in the first run\)' "a number of nodes, too"
is "$("$SMESH" sim -t down.conf -s bf --trace two --down n7 --too-large cap 2>&1 >/dev/null | grep refuses)" \
	"smesh: bf refuses job 1: no such box, not even on the idle machine (2 in all)" "unless a node lacks as well"

# Cables break likewise.
for i in {0..15}; do echo "n$i n$(((i + 1) % 16))"; echo "n$i n$(((i + 4) % 16))"; done >cables
echo 'MeshName=m Nodes=n[0-15] Cables=cables' >topology.conf
checked() { "$SMESH" check -t "$1" | grep broken; "$SMESH" check -t "$1" --json | grep -o '"links_down": [0-9]*'; }
is "$(checked topology.conf)" '"links_down": 0' "a machine of cables: none is broken"
echo 'MeshName=m Nodes=n[0-15] Cables=cables DownLinks=n0:n1;n0:n1;n2:n6' >down.conf
is "$(checked down.conf)" '  broken cables: 2
"links_down": 2' "smesh check counts broken ones"
is "$("$SMESH" alloc -t topology.conf -n 4 --json | grep -o '"box":[^,]*')" '"box":null' "no box has a place in JSON"
is "$("$SMESH" sim -t topology.conf --generate uniform --jobs 9 --json | grep -E 'box_ratio|components": [^n]' | sed 's/: [1-9].*//')" \
	'   "mean_box_ratio": null,
   "mean_components"' "nor in a simulation"
like "$(sim | tail -n 1)" '^snug,200,' "a machine of cables: the models' jobs want no boxes there"
is "$(sim --down-links 0)" "$(sim)" "none is broken"
[ "$(sim --down-links 10%)" != "$(sim)" ]
ok $? "some are, and hops are others"
is "$(sim --down-links 3)" "$(sim --down-links 10%)" "as a number, or percent of 32"
fails 1 'down-links=33: not a number of the 32 links' "more than there are" \
	"$SMESH" sim -t topology.conf --generate uniform --down-links 33
fails 1 '--down-links=90% cuts [0-9]* of 16 nodes off from the others' "hosts that are cut off" \
	"$SMESH" sim -t topology.conf --generate uniform --jobs 20 --down-links 90%
done_testing
