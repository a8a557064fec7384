#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh alloc with shapes and contiguous strategies.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
conf=$dir/topology.conf
echo 'MeshName=m Dims=8x4x4 Wrap=yes,no,no Nodes=n[0-127]' >"$conf"
alloc() {
	"$SMESH" alloc -t "$conf" "$@"
}

out=$(alloc -s ff --shape 4x4x2 --json)
is $? 0 "ff places 4x4x2"
like "$out" '"count":32,.*"box":\[4,4,2\],"components":1' "as that box"
like "$(alloc -s ff --shape 2x4x4 --free 'n[0-3,8-11,16-19,24-27,32-35,40-43,48-51,56-59]' --json)" \
	'"box":\[4,4,2\]' "turned where it has to be"
alloc -s ff --shape 2x4x4:norotate --free 'n[0-3,8-11,16-19,24-27,32-35,40-43,48-51,56-59]' >/dev/null 2>&1
is $? 3 "norotate: no fit now"
fails 4 "a box of 5x5x1 does not fit into the machine, which is 8x4x4" "can never fit, with the reason" \
	alloc -s ff --shape 5x5x1
fails 4 "a torus itself" "4 of 8 do not close the ring" alloc -s ff --shape 4x4x4:torus:norotate
like "$(alloc -s ff --shape 8x4x1:torus --json)" '"box":\[8,4,1\]' "8 do"
is "$(alloc -s ff --shape 2x1x1 --free 'n[7,0]' | head -1)" "n[0,7]" "round the ring"
alloc -s qtree --shape 2x1x1 --free 'n[7,0]' >/dev/null 2>&1
is $? 3 "not for a strategy that does not know rings"

like "$(alloc -s bf -n 7 --json)" '"count":7,.*"box":\[2,2,2\]' "7 nodes: a minimal box, one stays free"
like "$(alloc -s tbl -n 16 --require n100 --json)" '"nodes":"[^"]*n\[[^]]*100' "required nodes are inside"
for s in ff bf tbl qtree; do
	like "$(alloc -s $s --shape 2x2x4 --json)" '"count":16,.*"components":1' "$s gives one box"
done
# Folded shapes: boxes that they fit into with one hop a step, and the order of the ranks.
echo 'MeshName=m Dims=16x16x16 Wrap=all Nodes=n[0-4095]' >"$dir/cube.conf"
fold() { "$SMESH" alloc -t "$dir/cube.conf" -s ff --shape "$1" --json; }
for shape in 18x1x1 32x4x1 64x16 4096 30x2:fold:torus; do
	like "$(fold "${shape%%:*}:fold")" '"result":"ok".*"hops_a_step":1\.0[,}]' "$shape folded, one hop a step"
done
like "$(fold 32x4x1)" '"result":"never"' "not without being folded"
like "$(fold 34x3:fold)" '"result":"never".*can be folded into no box' "17 does not fit in any way"
fails 1 ":fold and :norotate" "folded and not turned" "$SMESH" alloc -t "$dir/cube.conf" -s ff --shape 18x1:fold:norotate

done_testing
