#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh curve: orderings, their quality, order files that topology.conf reads.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
conf=$dir/topology.conf
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >"$conf"

is "$("$SMESH" curve -t "$conf" --curve row --json | sed 's/,"closing.*//')" \
	'{"curve":"row","mesh":"m","order":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15],"longest_step":4,"long_steps":3' \
	"row order"
is "$("$SMESH" curve -t "$conf" --curve snake | grep -v '#' | tr '\n' ' ')" \
	"0 1 2 3 7 6 5 4 8 9 10 11 15 14 13 12 " "snake order as text"
like "$("$SMESH" curve -t "$conf" --curve hilbert --json)" \
	'"longest_step":1,"long_steps":0,"closing_step":3,"mean_hops":\{"2":2.0' "hilbert: one hop a step"
like "$("$SMESH" curve -t "$conf" --curve ring --json)" '"longest_step":1,"long_steps":0,"closing_step":1' \
	"ring: the last next to the first"

for box in 10x10x10 13x7 16x16x4 7x7 9x5x3 5x4x3x2; do
	n=$((${box//x/*}))
	echo "MeshName=m Dims=$box Nodes=n[0-$((n - 1))]" >"$dir/box"
	like "$("$SMESH" curve -t "$dir/box" --curve hilbert --json)" '"longest_step":1,"long_steps":0' \
		"hilbert on $box: one hop a step"
done

# An order file is read back, and hilbert-ff packs along it.
"$SMESH" curve -t "$conf" --curve row -o "$dir/row.order"
echo 'MeshName=m Dims=4x4 Nodes=n[0-15] Order=row.order' >"$dir/ordered"
is "$("$SMESH" curve -t "$dir/ordered" --json | sed 's/.*"order":\(.*\),"longest.*/\1/')" \
	"[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]" "the mesh's own order is the one in Order="
is "$("$SMESH" alloc -t "$dir/ordered" -s hilbert-ff -n 5 | head -1)" "n[0-4]" "hilbert-ff packs along Order="
like "$("$SMESH" alloc -t "$dir/ordered" -s mm -n 4 --json)" '"ring_span":6,' "spans are along Order="

# Optimised: never worse, with holes and failed nodes; no order costs less than the bound.
echo 'MeshName=m Dims=6x5 Holes=2,2;3,1;0,4 Nodes=n[0-26]' >"$dir/holes"
out=$("$SMESH" curve -t "$dir/holes" --optimise --time 0.3 --failed n[3,9] --json -o "$dir/best.order")
like "$out" '"cost":' "optimise tells the cost"
ok "$(awk -v s="$out" 'BEGIN { match(s, /"cost_before":[0-9.]+/); b = substr(s, RSTART + 14, RLENGTH - 14)
	match(s, /"cost":[0-9.]+/); c = substr(s, RSTART + 7, RLENGTH - 7)
	match(s, /"bound":[0-9.]+/); l = substr(s, RSTART + 8, RLENGTH - 8)
	print !(c + 0 < b + 0 && l + 0 > 0 && l + 0 <= c + 1e-9) }')" "less than before, at least the bound"
echo 'MeshName=m Dims=6x5 Holes=2,2;3,1;0,4 Nodes=n[0-26] Order=best.order' >"$dir/again"
"$SMESH" alloc -t "$dir/again" -s hilbert-bf -n 7 >/dev/null
is $? 0 "topology.conf takes the optimised order"
is "$("$SMESH" curve -t "$dir/again" --json | sed 's/.*"order":\(.*\),"longest.*/\1/')" \
	"$(sed 's/.*"order":\(.*\),"longest.*/\1/' <<<"$out")" "as it was written"

# 3x2 has a least cost of 5.46875.
echo 'MeshName=m Dims=3x2 Nodes=n[0-5]' >"$dir/small"
out=$("$SMESH" curve -t "$dir/small" --optimise --time 10 --json)
like "$out" '"cost":5.46875' "3x2 is optimised"

fails 1 "unknown curve 'peano'" "unknown curve" "$SMESH" curve -t "$conf" --curve peano
fails 1 "falloff=2: not a number from 0.01" "bad falloff" "$SMESH" curve -t "$conf" --falloff 2
fails 1 "mesh m has no node n99" "unknown failed node" "$SMESH" curve -t "$conf" --failed n99
fails 1 "No such file" "output that cannot be written" "$SMESH" curve -t "$conf" -o "$dir/none/x"

done_testing
