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

fails 1 "--curve=peano: one of mesh\|hilbert" "unknown curve" "$SMESH" curve -t "$conf" --curve peano
fails 1 "No such file" "output that cannot be written" "$SMESH" curve -t "$conf" -o "$dir/none/x"

done_testing
