#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh ranks: host files and rank files.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
unset SLURM_JOB_NODELIST
echo 'MeshName=m Dims=8x8x4 Nodes=n[0-255]' >t.conf
# Two packages, each with two caches of two cores of two threads: a file of lstopo.
node=$srcdir/tests/cli/data/node.xml

field() {
	sed "s/.*\"$1\":\([^,}]*\).*/\1/"
}

json=$("$SMESH" ranks -t t.conf -w 'n[0-63]' --grid 16x16 --hostfile hosts --json)
is $? 0 "256 ranks on 64 nodes"
is "$(wc -l <hosts)" 256 "a line for each rank"
is "$(sort hosts | uniq -c | awk '{ print $1 }' | sort -u)" 4 "4 on each node"
is "$(sed 's/.*"hosts":\[\([^]]*\)\].*/\1/; s/"//g' <<<"$json" | tr , '\n' | cmp - hosts)" "" "JSON has the same"
like "$(field below_block_percent <<<"$json")" '^[2-9][0-9]' "far below block order"
is "$("$SMESH" ranks -t t.conf -w 'n[0-63]' --grid 16x16 --hostfile - 2>report | cmp - hosts)" "" \
	"the same again, on standard output"
like "$(cat report)" 'hop-bytes: .*, block order .* \([2-9].* % below' "the report is on standard error then"
is "$(SLURM_JOB_NODELIST='n[0-63]' "$SMESH" ranks -t t.conf --grid 16x16 --hostfile - 2>/dev/null | cmp - hosts)" "" \
	"on the nodes of the job"

# Other traffic: a ring of distant pairs, one rank to a node.
for i in $(seq 0 15); do echo "$i $(((i + 7) % 16)) 10"; done >pairs
like "$("$SMESH" ranks -t t.conf -w 'n[0-15]' -p 1 --traffic pairs --json)" '"hop_bytes":160.0' \
	"a ring of 16 in 2x8 nodes: one hop each"

# The same ring as Open MPI's pml_monitoring writes it: point to point, one-sided and inside of
# collectives; its lines about collectives as they were called are not counted again.
for i in $(seq 0 15); do
	to=$(((i + 7) % 16))
	printf '# POINT TO POINT\nE\t%d\t%d\t4 bytes\t2 msgs sent\t0,2,0\n' "$i" "$to"
	printf 'I\t%d\t%d\t3 bytes\t1 msgs sent\n# OSC\nS\t%d\t%d\t2 bytes\t1 msgs sent\n' "$i" "$to" "$i" "$to"
	printf 'R\t%d\t%d\t1 bytes\t1 msgs sent\n# COLLECTIVES\n' "$i" "$to"
	printf 'C\t%d\t0\t900 bytes\t1 msgs sent\nD\tMPI_COMM_WORLD\tprocs: 0,1,2\n' "$i"
	printf '%s\t0\t900 bytes\t1 msgs sent\n' O2A A2O A2A
done >measured
like "$("$SMESH" ranks -t t.conf -w 'n[0-15]' -p 1 --traffic measured --json)" '"hop_bytes":160.0' \
	"as Open MPI has measured it: the same"

out=$("$SMESH" ranks -t t.conf -w 'n[0-1]' --grid 4x4 --hwloc "$node" --rankfile ranks)
is $? 0 "ranks onto cores"
is "$(grep -c -E '^rank [0-9]+=n[01] slot=[01]:[0-3]$' ranks)" 16 "a rank file"
is "$(cut -d= -f2- ranks | sort -u | wc -l)" 16 "each core once"
like "$out" 'cpu-bind=map_cpu:' "and a binding for srun"
cpus() {
	"$SMESH" ranks -t t.conf -w 'n[0-1]' --hwloc "$node" --json "$@" | sed 's/.*"cpus":\[\([^]]*\)\].*/\1/' | tr , '\n' | sort -n | uniq -c
}
is "$(cpus --grid 4x4 | awk '{ print $1 $2 }' | tr '\n' ' ')" "20 22 24 26 28 210 212 214 " \
	"CPU numbers, two nodes with each"
is "$(cpus --grid 4x8 | wc -l)" 16 "more ranks than cores: hardware threads"
fails 1 "16 ranks on a node of 8 cores" "no rank file then" \
	"$SMESH" ranks -t t.conf -w 'n[0-1]' --grid 4x8 --hwloc "$node" --rankfile ranks
fails 1 "hardware threads \(this machine's; --hwloc=FILE" "cores of this machine" \
	"$SMESH" ranks -t t.conf -w 'n0' --grid 8192 --rankfile ranks
fails 1 "17 processes on a node of 8 cores and 16 hardware threads" "too many ranks" \
	"$SMESH" ranks -t t.conf -w 'n0' --grid 17 --hwloc "$node"
echo '<nothing' >bad.xml
fails 1 "^smesh: /dev/null: hwloc cannot read this topology" "an empty file" "$SMESH" ranks -t t.conf -w 'n0' --grid 2 --hwloc /dev/null
fails 1 "^smesh: bad.xml: hwloc cannot read this topology" "no hwloc XML" "$SMESH" ranks -t t.conf -w 'n0' --grid 2 --hwloc bad.xml

# The points of a stencil: 7 are those that count anyway, 27 with the diagonal ones.
is "$("$SMESH" ranks -t t.conf -w 'n[0-63]' -p 1 --grid 4x4x4:7 --json | sed 's/,"time_ns.*//')" \
	"$("$SMESH" ranks -t t.conf -w 'n[0-63]' -p 1 --grid 4x4x4 --json | sed 's/,"time_ns.*//')" "4x4x4:7 is 4x4x4"
# 144 along the sides, 216 across squares, 108 across cubes: 1, 2 and 3 hops.
like "$("$SMESH" ranks -t t.conf -w 'n[0-3,8-11,16-19,24-27,64-67,72-75,80-83,88-91,128-131,136-139,144-147,152-155,192-195,200-203,208-211,216-219]' \
	-p 1 --grid 4x4x4:27 --json)" '"hop_bytes":900.0' "4x4x4:27 on a box of 4x4x4"

# Nothing is said of the program: the default order.
far=n0,n2,n4,n6,n32,n34,n36,n38,n192,n194,n196,n198,n224,n226,n228,n230
"$SMESH" ranks -t t.conf -w "$far" --hostfile order --json >report
is $? 0 "neither a grid nor other traffic: the default order"
mix=$("$SMESH" ranks -t t.conf -w 'n[0-15]')
like "$mix" $'each\nof a mixture of rings, .*--grid or --traffic.\nhop-bytes' "of what the figures are"
like "$("$SMESH" ranks -t t.conf -w 'n[0-15]' --json)" '"traffic":"mix"' "in JSON"
is "$(sort order | tr '\n' ,)" "$(tr , '\n' <<<"$far" | sort | tr '\n' ,)" "each node once"
is "$(head -n 1 order)" n0 "the first node keeps the first rank"
is "$("$SMESH" ranks -t t.conf -w "$far" -p 2 --hostfile - 2>/dev/null | uniq -c | awk '{ print $1 }' | sort -u)" 2 \
	"blocks of two ranks stay together"
is "$("$SMESH" ranks -t t.conf -w 'n[0-63]' --hostfile - 2>/dev/null | uniq | wc -l)" 64 "one rank on each node is the default"
scattered=n0,n255,n1,n254,n8,n247,n9,n246
like "$("$SMESH" ranks -t t.conf -w "$scattered" --json | field below_block_percent)" '^[1-9][0-9]' \
	"far below block order where neighbours in the list lie far apart"

# Ranks in pairs along the first side talk eight times as much: they are neighbours.
pairs() { # FILE: hops between ranks r and r + 32 of 64, in all, on 8x8x4
	sed 's/^n//' "$1" | awk '{ v[NR - 1] = $1 } function abs(x) { return x < 0 ? -x : x }
		END { for (r = 0; r < 32; r++) { a = v[r]; b = v[r + 32]
			sum += abs(a % 8 - b % 8) + abs(int(a / 8) % 8 - int(b / 8) % 8) + abs(int(a / 64) - int(b / 64)) }
		print sum }'
}
"$SMESH" ranks -t t.conf -w 'n[0-63]' --grid '2*1000x32' --hostfile axis >/dev/null
is "$(pairs axis)" 32 "--grid 2*1000x32: those along the side that talks most are one hop apart"
like "$("$SMESH" ranks -t t.conf -w 'n[0-63]' --grid '2*3x32*3' --json | field hop_bytes)" \
	"^$(($("$SMESH" ranks -t t.conf -w 'n[0-63]' --grid 2x32 --json | field hop_bytes | cut -d. -f1) * 3))" \
	"equal weights change nothing but the bytes"

bad() {
	local name=$1 pattern=$2
	shift 2
	fails 1 "$pattern" "$name" "$SMESH" ranks -t t.conf "$@"
}
bad "grid against ranks" "the grid has 256 ranks, 63 nodes with 4 each make 252" -w 'n[0-62]' -p 4 --grid 8x8x4
bad "uneven grid" "256 ranks cannot be spread evenly over 63 nodes" -w 'n[0-62]' --grid 8x8x4
bad "unknown node" "mesh m has no node n256" -w 'n[0-256]' --grid 257
bad "a node twice" "node n1 is in the list twice" -w 'n[0-1],n1' --grid 3
bad "both" "--grid or --traffic, not both" -w n0 --grid 1 --traffic pairs
bad "no grid that is periodic" "--periodic belongs to --grid" -w n0 --periodic all
bad "no peak of a guess" "--objective=peak needs --grid or --traffic" -w n0 --objective peak
bad "bad grid" "like 8x8x16" -w n0 --grid 8x0
bad "bad grid" "like 8x8x16" -w n0 --grid 8xx8
bad "bad weight" "like 8x8x16" -w n0 --grid '1*0'
bad "bad weight" "like 8x8x16" -w n0 --grid '1*'
bad "bad weight" "like 8x8x16" -w n0 --grid '1*1000001'
bad "bad stencil" "expected :5 or :9, the points of a stencil, behind 2 sides" -w n0 --grid 8x8:27
bad "bad stencil" "expected :3, the points" -w n0 --grid 8:
bad "huge grid" "more than" -w n0 --grid 4000000x4000000
bad "bad periodic" "yes or no for each of 2 sides" -w n0 --grid 1x1 --periodic yes
bad "no nodes" "-w HOSTLIST is missing" --grid 4
bad "traffic without -p" "needs -p" -w n0 --traffic pairs
bad "unknown rank" "pairs:2: rank 8: there are 0 to 7" -w 'n[0-7]' -p 1 --traffic pairs
echo '0 1 -4' >negative
bad "negative bytes" "negative:1: '-4' is not a number of bytes" -w 'n[0-7]' -p 1 --traffic negative
echo '0 1' >short
bad "no bytes" "short:1: expected RANK RANK BYTES" -w 'n[0-7]' -p 1 --traffic short
printf 'E\t0\t1\t4\t2 msgs\n' >cut.prof
bad "not Open MPI's" "cut.prof:1: expected E RANK RANK BYTES bytes" -w 'n[0-7]' -p 1 --traffic cut.prof
echo 'MeshName=wide Dims=256x256 Nodes=w[0-65535]' >wide.conf
fails 1 '65536 nodes with 65536 ranks each: at most' "more ranks than an int holds" \
	"$SMESH" ranks -t wide.conf -w 'w[0-65535]' -p 65536 --traffic pairs
fails 1 'the grid has 1 ranks, 65536 nodes with 65536 each make 4294967296' "nor for a grid" \
	"$SMESH" ranks -t wide.conf -w 'w[0-65535]' -p 65536 --grid 1
fails 1 "No such file" "a file that cannot be written" \
	"$SMESH" ranks -t t.conf -w n0 --grid 1 --hostfile none/hosts

done_testing
