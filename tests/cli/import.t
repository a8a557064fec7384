#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh import: each format, what is missing and what is too much, and --check.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
import() {
	"$SMESH" import "$@"
}
lines() {
	import "$@" | grep -v '^#'
}

# grid X Y: the cables of a torus of that size, as CSV
grid() {
	awk -v X="$1" -v Y="$2" 'BEGIN {
		for (y = 0; y < Y; y++) for (x = 0; x < X; x++) {
			print "n" x + X * y ",n" (x + 1) % X + X * y
			print "n" x + X * y ",n" x + X * ((y + 1) % Y)
		}
	}'
}

# --- formats
sample=$(sed -n '/^## cables/,/^## cutsheet/s/^    //p' "$srcdir/doc/import.md")
is "$(lines cables - <<<"$sample")" "MeshName=mesh Dims=3x2 Wrap=no,no Nodes=n[0-5]" "cables: the sample of doc/import.md"
is "$(lines ibnetdiscover "$srcdir/tests/cli/data/ibnetdiscover")" \
	"MeshName=mesh Dims=4x3 Wrap=yes,yes NodesPerVertex=2 Nodes=node[00-23]" "ibnetdiscover"
cat >cutsheet <<'END'
Source,,,,,,,,,Destination,,,,,,,,,Cable Length,Cable Type
Hostname,Hall,Aisle,Rack,Shelf U,Tray,Port,Label,Node Type,Hostname,Hall,Aisle,Rack,Shelf U,Tray,Port,Label,Node Type,,
h1,1,A,1,8,1,2,x,BH_GALAXY,h2,1,A,1,16,1,1,y,BH_GALAXY,2m,DAC
h1,1,A,1,8,1,3,x,BH_GALAXY,h2,1,A,1,16,1,4,y,BH_GALAXY,2m,DAC
h2,1,A,1,8,1,2,x,BH_GALAXY,h3,1,A,1,16,1,1,y,BH_GALAXY,2m,DAC
END
is "$(lines cutsheet cutsheet)" "MeshName=mesh Dims=3 Wrap=no Nodes=h[1-3]" "cutsheet: two cables between two hosts are one"
# as_links X Y: cables (standard input) of numbers below X Y as iblinkinfo shows them, two hosts on each
# switch, all in any order. Switch i has LID i + 1.
as_links() {
	awk -F, -v n=$(($1 * $2)) '{ gsub("n", ""); port[$1] = port[$1] " " $2; port[$2] = port[$2] " " $1 }
		END { for (s = 0; s < n; s++) {
			m = split(port[s], to, " ")
			for (i = 1; i <= m; i++) at[s, to[i]] = i
		}
		for (s = 0; s < n; s++) {
			m = split(port[s], to, " ")
			printf "Switch: 0x%016x Some Name:", 4096 + s
			for (i = 1; i <= m; i++) printf "@%12d %4d[  ] ==( 4X %18s Active/  LinkUp)==>  %6d %4d[  ] \"Some Name\" ( )", s + 1, i, "25.78125 Gbps", to[i] + 1, at[to[i], s]
			printf "@%12d %4d[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n", s + 1, m + 1
			for (h = 2 * s; h < 2 * s + 2; h++) printf "CA: h%d HCA-1:@      0x%016x %6d %4d[  ] ==( 4X %18s Active/  LinkUp)==>  %6d %4d[  ] \"Some Name\" ( )\n", h, h, n + 1 + h, 1, "25.78125 Gbps", s + 1, 30 + h % 2
		} }' | shuf --random-source=<(yes) | tr @ '\n'
}
# as_fsd N: the same as a factory system descriptor, as protobuf prints it: 0 is left out
as_fsd() {
	awk -F, -v n="$1" 'function end(x, host) { return "    endpoint_" x " {\n" (host ? "      host_id: " host "\n" : "") "      tray_id: 1\n    }\n" }
		BEGIN { for (i = 0; i < n; i++) printf "hosts {\n  hostname: \"n%d\"\n  rack: 3\n}\n", i
			print "board_types {\n  board_locations {\n    host_id: 1\n    board_type: \"UBB\"\n  }\n}\neth_connections {" }
		{ gsub("n", ""); printf "  connection {\n%s%s  }\n", end("a", $1), end("b", $2) }
		END { printf "  connection {\n%s%s  }\n}\n", end("a", 5), end("b", 5) }'
}
grid 4 3 | as_links 4 3 >links
is "$(lines iblinkinfo links)" "MeshName=mesh Dims=4x3 Wrap=yes,yes NodesPerVertex=2 Nodes=h[0-23]" "iblinkinfo"
alone='import: switches or adapters that only their neighbours show'
like "$(awk '/^(Switch|CA)/ { n++ } n < 30' links | import iblinkinfo - 2>&1 >/dev/null)" "$alone: [1-9][0-9]*: is the file whole" "a file that is cut"
like "$(awk -v RS= -v ORS='\n\n' '!/Switch/ || ++n != 3' "$srcdir/tests/cli/data/ibnetdiscover" | import ibnetdiscover - 2>&1 >/dev/null)" \
	"$alone: 1: is the file whole" "ibnetdiscover: a switch's block is missing"
is "$(grep -v '^n5,n6' <(grid 4 3) | as_links 4 3 | lines iblinkinfo -)" \
	"MeshName=mesh Dims=4x3 Wrap=yes,yes NodesPerVertex=2 Nodes=h[0-23] DownLinks=1,1:2,1" "iblinkinfo: a cable is missing"
grid 8 6 | as_fsd 48 >factory
is "$(lines textproto factory)" "MeshName=mesh Dims=8x6 Wrap=yes,yes Nodes=n[0-47]" "textproto: a factory system descriptor"
# Names in any order, three cables missing: the same machine in all formats.
grid 6 5 | grep -v -e '^n0,n1$' -e '^n8,n14$' -e '^n21,n22$' | awk -F'[n,]' 'BEGIN { srand(7)
		for (i = 0; i < 30; i++) { j = int(rand() * (i + 1)); to[i] = to[j]; to[j] = i } }
	{ print "n" to[$2] ",n" to[$4] }' >mixed
lines cables mixed >mixed.conf
like "$(cat mixed.conf)" 'Dims=(6x5|5x6) Wrap=yes,yes .*DownLinks=[^;]*;[^;]*;[^;]*$' "names in any order"
is "$(as_fsd 30 <mixed | import textproto - --check -t mixed.conf)" "nothing has changed" "textproto: the same machine"
is "$(as_links 6 5 <mixed | awk '/^CA: h/ { host = substr($2, 2) } /^CA: h/ && host % 2 == 0 { $0 = "CA: n" host / 2 " HCA-1:" } 1' |
	sed '/^CA: h/,+1d' | import iblinkinfo - --check -t mixed.conf)" "nothing has changed" "iblinkinfo: the same machine"
printf '%s\n' "a 1 1" "b 2 1" "c 1 2" "d 2 2" "e,3,1" >coords
is "$(lines coords coords)" "MeshName=mesh Dims=3x2 Wrap=no,no Nodes=a,b,e,c,d Holes=2,1" "coords"
is "$(lines coords coords --wrap --name=m)" "MeshName=m Dims=3x2 Wrap=yes,yes Nodes=a,b,e,c,d Holes=2,1" "coords: rings, a name"
is "$(lines coords <(echo "a 0"; echo "b 0"; echo "c 1"))" "MeshName=mesh Dims=2 Wrap=no NodesPerVertex=2
MeshNode=a Mesh=mesh Coord=0
MeshNode=b Mesh=mesh Coord=0
MeshNode=c Mesh=mesh Coord=1" "vertices with one node and with two"
is "$(lines coords <(printf '%s\n' node,x,y,z,a,b,c f0,0,0,0,0,0,0 f1,0,1,0,1,0,0 f2,0,0,0,0,0,1 f3,0,1,0,1,0,1))" \
	"MeshName=mesh Dims=1x2x1x2x1x2 Wrap=no,no,no,no,no,no Nodes=f[0-3] Holes=0,1,0,0,0,0;0,0,0,1,0,0;0,1,0,0,0,1;0,0,0,1,0,1" "axes of Fugaku"
is "$(lines coords <(printf '%s\n' 'host t x y' 'n0 0 0 0' 'n1 1 0 0'))" "MeshName=mesh Dims=1x1x2 Wrap=no,no,no Nodes=n[0-1]" "an axis t"
is "$(lines coords <(printf '%s\n' nid,rack,host,x,y,slot 1,1,n0,0,0,0 2,1,n1,0,0,1 3,1,n2,1,0,0 4,1,n3,1,0,1))" \
	"MeshName=mesh Dims=2x1 Wrap=no,no NodesPerVertex=2 Nodes=n[0-3]" "two hosts at a place: numbers of hosts differ"
# Two meshes of Slurm 26.05's topology/torus3d and ring, nodes as one line and as several.
cat >torus <<'END'
TorusName=t0 Dims=2x2x2 Nodes=n[0-3,6]
  TorusName=t0 PlacementDims=1x1x1(1) Anchors=8
RingName=r Nodes=p[0-1] RingSize=4
END
for i in 0 1 2 3 6; do
	printf 'NodeName=n%d Arch=x86_64 Topology=flat,default:t0:%d:%d:%d Owner=N/A\n' $i $((i / 4)) $((i / 2 % 2)) $((i % 2))
done >nodes
printf 'NodeName=p%d Arch=x86_64 CoresPerSocket=1\n   CPUAlloc=0 CPUTot=1\n   Topology=default:r:%d\n\n' 0 1 1 3 >>nodes
is "$(lines scontrol torus nodes)" "MeshName=t0 Dims=2x2x2 Wrap=yes,yes,yes Nodes=n[0,2,6,1,3] Holes=1,0,0;1,0,1;1,1,1
MeshName=r Dims=4 Wrap=yes Nodes=p[0-1] Holes=0;2" "scontrol: topology/torus3d and ring"
is "$(lines scontrol nodes torus)" "$(lines scontrol torus nodes)" "in any order"
is "$(import scontrol torus nodes 2>&1 >/dev/null)" "" "each node of the topology has a place"
lost='smesh: import: nodes of the topology whose place is in no file'
is "$(import scontrol torus <(head -n 3 nodes) 2>&1 >/dev/null | head -n 1)" "$lost: 4" "nodes that are not shown"
is "$(import scontrol - 2>&1 >/dev/null <<<$'MeshName=m Dims=2x3 Nodes=6\nNodeName=a Address=m.0.0' | head -n 1)" "$lost: 5" "of topology/mesh"
is "$(lines scontrol - <<'END'
MeshName=m Dims=2x3 Wrap=yes,no NodesPerVertex=1 Nodes=2
NodeName=a Address=m.1.0
NodeName=b Address=m.0.1
END
)" "MeshName=m Dims=2x3 Wrap=yes,no Nodes=a,b Holes=0,0;1,1;0,2;1,2" "scontrol: topology/mesh"

# --- what is missing
grid 8 6 | shuf --random-source=<(yes) >whole
is "$(lines cables whole)" "MeshName=mesh Dims=8x6 Wrap=yes,yes Nodes=n[0-47]" "a torus"
lines cables whole >topology.conf
grep -v -e '^n0,n1$' -e '^n20,n28$' whole >broken
is "$(lines cables broken)" \
	"MeshName=mesh Dims=8x6 Wrap=yes,yes Nodes=n[0-47] DownLinks=0,0:1,0;4,2:4,3" "two cables are missing"
grep -vw n9 whole >hole
is "$(lines cables hole)" "MeshName=mesh Dims=8x6 Wrap=yes,yes Nodes=n[0-8,10-47] Holes=1,1 \
DownLinks=1,0:1,1;0,1:1,1;1,1:2,1;1,1:1,2" "a node is missing"
{ cat whole && echo n0,n20; } >longer
is "$(lines cables longer | sed 1d)" "Link=n0,n20" "a cable too much"
# The grid with the fewest cables beside and missing, also where one is beside its own place.
for far in 2 3 9 10 18 27; do
	is "$(lines cables <(grid 8 8; echo "n0,n$far"))" "MeshName=mesh Dims=8x8 Wrap=yes,yes Nodes=n[0-63]
Link=n0,n$far" "8 x 8 and a cable from 0 to $far"
done
like "$(import cables <(grid 8 8 | sed 's/^n9,n10$/n9,n18/; s/^n17,n18$/n17,n10/'))" '^# smesh import: 64 nodes, 126 cables in 1 grid, 2 beside
MeshName=mesh Dims=8x8 Wrap=yes,yes Nodes=n\[0-63\] DownLinks=1,1:2,1;1,2:2,2
Link=' "two cables that are crossed"
is "$(lines cables <(grid 32 1; echo n3,n20))" "MeshName=mesh Dims=32 Wrap=yes Nodes=n[0-31]
Link=n3,n20" "a ring and a cable across"
is "$(lines cables <(grid 8 8; echo n0,n3; grid 5 5 | sed 's/n/p/g'))" "MeshName=mesh Dims=8x8 Wrap=yes,yes Nodes=n[0-63]
MeshName=mesh1 Dims=5x5 Wrap=yes,yes Nodes=p[0-24]
Link=n0,n3" "two pods, a cable too much in one"
for i in {0..7}; do echo "a$i,b$i"; done >ladder
for i in {0..6}; do printf '%s\n' "a$i,a$((i + 1))" "b$i,b$((i + 1))"; done >>ladder
for cable in a0,b0 a3,b3 a0,a1 b4,b5; do
	like "$(lines cables <(grep -v "^$cable$" ladder))" '^MeshName=mesh Dims=8x2 Wrap=no,no Nodes=[^ ]* DownLinks=[^;]*$' "a ladder without $cable"
done
is "$(lines cables <(awk 'BEGIN { for (i = 0; i < 24; i++) {
		if (i % 3 < 2) print i, i + 1
		if (i < 21) print i, i + 3
	} }' | grep -vwE '14|17|20|23' | sed 's/^/n/; s/ / n/'))" "MeshName=mesh Dims=3x8 Wrap=no,no Nodes=n[0-13,15-16,18-19,21-22] \
Holes=2,4;2,5;2,6;2,7 DownLinks=2,3:2,4;1,4:2,4;1,5:2,5;1,6:2,6;1,7:2,7" "nodes at a corner are missing: holes"
is "$(lines cables <(grid 8 8 | grep -vxE 'n8,n9|n9,n10|n1,n9'))" "MeshName=mesh Dims=8x8 Wrap=yes,yes Nodes=n[0-63] \
DownLinks=1,0:1,1;0,1:1,1;1,1:2,1" "a node with one of four cables stays in its place"
is "$(lines cables <(awk 'BEGIN { for (i = 0; i < 15; i++) {
		if (i % 5 < 4 && i != 2 && i != 3) print "n" i ",n" i + 1
		if (i < 10) print "n" i ",n" i + 5
	} }'))" "MeshName=mesh Dims=5x3 Wrap=no,no Nodes=n[0-14] DownLinks=2,0:3,0;3,0:4,0" "one at the border, with one of three"
like "$(lines cables <(grep -vxE 'a3,a4' ladder; echo a0,a5; echo b1,b6))" '^MeshName=mesh Dims=4x2 [^
]*
MeshName=mesh1 Dims=4x2 [^
]*
Link=[^
]*
Link=[^
]*
Link=[^
]*$' "a ladder with two cables too many is no graph"
for i in {1..99}; do grid 4 5 | sed "s/n/m${i}n/g"; printf 'm%dn0,m%dn%d\n' "$i" "$i" 11 "$i" "$i" 14; done >many
is "$(import cables many | head -1)" "# smesh import: 1980 nodes, 3960 cables in 99 grids, 198 beside" "many grids with two cables too many each"
{ cat whole && sed 's/n/p/g' whole && echo n3,p40; } >pods
is "$(lines cables pods)" "MeshName=mesh Dims=8x6 Wrap=yes,yes Nodes=n[0-47]
MeshName=mesh1 Dims=8x6 Wrap=yes,yes Nodes=p[0-47]
Link=n3,p40" "two pods and a cable between them"
is "$(import cables pods | head -1)" "# smesh import: 96 nodes, 192 cables in 2 grids, 1 beside" "the comment"

# --- against what is there
# differs TEXT FORMAT FILE...: what --check says of topology.conf, with the exit code behind it
differs() {
	is "$(import "${@:2}" --check -t topology.conf; echo $?)" "$1"
}
differs "nothing has changed
0" cables whole
is "$(sed 's/Dims.*/Dims=6x8 Wrap=all Nodes=n[0,8,16,24,32,40,1,9,17,25,33,41,2,10,18,26,34,42,3,11,19,27,35,43,4,12,20,28,36,44,5,13,21,29,37,45,6,14,22,30,38,46,7,15,23,31,39,47]/' topology.conf >turned
import cables whole --check -t turned)" "nothing has changed" "nor where the map is turned"
differs "gone link n0 n1
gone link n20 n28
1" cables broken
differs "new link n0 n20
1" cables longer
differs "gone node n9
1" cables hole
grid 8 5 | shuf --random-source=<(yes) >fewer
differs "gone nodes n[40-47]
new link n0 n32
new link n1 n33
new link n2 n34
new link n3 n35
new link n4 n36
new link n5 n37
new link n6 n38
new link n7 n39
1" cables fewer
differs "gone node n9
new node m9
1" cables <(sed 's/\bn9\b/m9/' whole)
like "$(sed 's/\bn9\b/@/; s/\bn20\b/n9/; s/@/n20/' whole | import cables - --check -t topology.conf | grep -v link | xargs)" \
	'^moved nodes n\[9,20\]$' "two nodes have been changed for each other"
differs "nothing has changed
0" textproto factory
lines cables broken >topology.conf
differs "nothing has changed
0" cables broken
differs "new link n0 n1
new link n20 n28
1" cables whole
lines cables pods >topology.conf
differs "nothing has changed
0" cables pods
differs "gone link n3 p40
1" cables <(grep -v n3,p40 pods)
lines iblinkinfo links >topology.conf
differs "gone node h0
1" iblinkinfo <(sed 's/^CA: h0 /Router: /' links)
differs "moved node h9
1" iblinkinfo <(sed '/^CA: h9 /{n;s/==>.*/==>  6 30[  ] "Some Name" ( )/}' links)
lines scontrol torus nodes >topology.conf
differs "nothing has changed
0" scontrol torus nodes
fails 1 "none: No such file" "no topology.conf" import cables whole --check -t none

# --- what is wrong
fails 1 "format 'nix': one of ibnetdiscover\|" "an unknown format" import nix whole
fails 1 'expected a format and a file' "no file" import cables
fails 1 "nothing: No such file" "no such file" import cables nothing
fails 1 "empty" "an empty file" import cables <(:)
for format in ibnetdiscover iblinkinfo scontrol textproto; do
	fails 1 "whole: no nodes in it, read as $format" "another format than $format" import $format whole
done
fails 1 "topology.conf:1: expected HOST and 3 coord" "no coordinates" import coords topology.conf
fails 1 "no cables in it" "no cables" import textproto <(printf 'hosts {\n  hostname: "x%d"\n}\n' 1 2 3)
fails 1 ":100: ends inside of hosts" "half a file" import textproto <(head -100 factory | sed '$d'; echo 'hosts {')
fails 1 "there are 48 hosts, but also cables of host_id 9999" "no such host" import textproto <(cat factory; echo 'eth_connections { connection { endpoint_a { host_id: 9999 } } }')
fails 1 ":1: a . without a ." "too many braces" import textproto <(echo 'hosts { } }')
fails 1 ":1: ends inside of hosts" "lists in a list of hosts" import textproto <(echo 'hosts [ [x] [ hostname: "a"')
fails 1 ":1: a string without an end" "half a string" import textproto <(echo 'hosts { hostname: "a } }')
fails 1 "is not a node's name" "no UTF-8" import textproto <(printf 'hosts { hostname: "\xff\xfe" }\n')
fails 1 "LIDs above 0" "no LIDs yet" import iblinkinfo <(sed 's/==>  *[0-9]*/==>  0/' links)
fails 1 "expected sides in Dims=" "sides" import scontrol <(echo TorusName=t Dims=axb)
fails 1 "expected HOST and 3 coordinates" "coordinates that differ" import scontrol torus <(echo NodeName=a Address=t0.1.1)
fails 1 ":1: expected a cable's two ends" "half a cable" import cables <(echo n1)
fails 1 ":2: 'n 2' is not a node's name" "no name" import cables <(echo n1,n2; echo 'n1,n 2')
fails 1 "is not a node.s name" "digits that libslurm makes another number of" import cables <(echo n1,n1000000000000000000000)
fails 1 ":1: expected HOST and 3 coordinates of 0 to 32766, not '-1'" "a coordinate below 0" import coords <(echo a 1 -1)
fails 1 ":2: expected HOST and 2 coordinates of 0 to 32766, not '32767'" "one that is too large" import coords <(echo a 1 1; echo b 1 32767)
is "$(lines coords <(printf '%s\n' host,x,y a,0,0 '#b,1,0' c,1,0))" "MeshName=mesh Dims=2x1 Wrap=no,no Nodes=a,c" "a host in a comment"
fails 1 ":2: expected HOST and 2 coordinates .* not 'B'" "a letter" import coords <(echo host,row,col; echo a,B,1)
fails 1 "1: no header, .* \(the file looks like iblinkinfo\)" "another format" import cables links
fails 1 "no nodes in it, read as ibnetdiscover \(the file looks like topology.conf or scontrol\)" "another format" import ibnetdiscover <(echo MeshName=a)
fails 1 "'a,b,c,d' is taken for a header" "a header, whole" import cables <(echo a,b,c,d; echo n1,1,n2,1; echo n2,2,n3,2)
fails 1 ":2: 'n0, n0' is several ends: expected a line for each cable" "several ends" import cables <(echo from,to; echo '"n0, n0",n1')
fails 1 ":1: a header of 6 words, and no line below has more than 3" "a switch's table, with titles of two words" \
	import cables <(printf '%s\n' 'Local Intf   Neighbor Name   Neighbor Port' 'eth0   n1  eth1' 'eth1   n2  eth1')
fails 1 ":2: expected HOST and 2 coordinates" "coordinates that differ" import coords <(echo a 1 2; echo b 1)
fails 1 ":4: a0 and b0 have the same coordinates, but other values of 'pod'" "a column that is an axis" \
	import coords <(printf '%s\n' host,pod,x,y a0,0,0,0 a1,0,1,0 b0,1,0,0 b1,1,1,0 c0,2,2,2)
fails 1 "far from any grid: the best has [0-9]* of [0-9]* cables, and .* with 2 nodes cannot be in a Cables= list" "switches that are no grid" \
	import iblinkinfo <(awk 'BEGIN { srand(1); for (i = 0; i < 40; i++) print "n" int(rand() * 20) ",n" int(rand() * 20) }' | as_links 20 1)
fails 1 "expected 1 to 65535 lanes" "lanes" import cables <(echo from,to,lanes; echo n0,n1,0)

# --- what a list says beside its cables
is "$(lines cables <(printf '%s\n' '| from | to |' '|---|:-:|' '| n0 | n1 |' '| n1 | n2 |'))" "MeshName=mesh Dims=3 Wrap=no Nodes=n[0-2]" "a table in Markdown"
cat >labels <<'END'
Label,Side A,Side B,Cable Status
#1,n0,n1,Connected
#2,n1,n2,active
c3,n2,n3,Up
c4,n3,n0,
c5,n0,n4,Planned
c6,n1,n5,retired
c7,n2,n6,PLANNED
c8,n0,n2,Spare
# 9,n0,n7,Connected
END
is "$(import cables labels)" "# smesh import: 4 nodes, 4 cables in 1 grid, 1 beside
# cables with the status 'Spare', which count: 1
# cables with the status 'Planned', which are left out: 2
# cables with the status 'retired', which are left out: 1
# lines that begin with #, a label, which count: 2
# lines that begin with # and have a cable's columns, which are left out: 1
MeshName=mesh Dims=2x2 Wrap=no,no Nodes=n[0-1,3,2]
Link=n0,n2" "labels and statuses"
is "$(lines cables <(sed '1s/^/# /' labels))" "$(lines cables labels)" "below a header in a comment too"
is "$(import coords <(printf '%s\n' label,host,x,y '#1,n0,0,0' '#2,n1,1,0' '3,n2,2,0' '# 4,n3,3,0 # no' '#5,n4,4'))" "# smesh import: 3 nodes
# lines that begin with #, a label, which count: 2
MeshName=mesh Dims=3x1 Wrap=no,no Nodes=n[0-2]" "labels of coordinates"
like "$(import cables <(sed 's/^[^,]*,//; 1n; s/^n1/#n1/' labels))" '# lines that begin with # and have .*: 2
' \
	"cables that somebody took out"
like "$(import cables <(echo a_host,a_state,b_host,b_state; echo n0,up,n1,down; echo n1,up,n2,up; echo n2,up,n3,up))" \
	"'down', which are left out: 1
MeshName=mesh Dims=3" "the state of an end"
is "$(import cables <(printf 'from,to,state\nn0,n1,a\033[31mb\n') | sed -n 2p)" \
	"# cables with the status 'a?[31mb', which count: 1" "a status moves no cursor"
for i in {1..40}; do echo "n$i,n$((i + 1)),state$i"; done | import cables <(echo from,to,state; cat) >states
is "$(grep -c "which count: 1$" states) $(grep "others" states)" "15 # cables with the status 'state16' and others, which count: 25" \
	"many statuses"
import cables <(echo host,state,port,host,state,port; echo n0,up,1,n1,up,1; echo n0,up,2,n1,up,2; echo n1,up,3,n2,up,3; echo n2,up,4,n0,up,4
	echo n3,up,1,n0,up,9; echo n3,up,2,n1,up,9; echo n3,up,3,n2,up,9) --name=up >/dev/null
is "$(grep -c . up.cables) $(grep 'n0 n1' up.cables)" "6 n0 n1 2" "a state is no port"
like "$(import cables <(cat whole; echo rack1/n0,rack1/n1))" '# left out: 1 cables of a node to itself, as of rack1 \(: or /' "names with a rack"
# A cable with fewer lanes than those beside it.
awk '!/ 0x/ && /Active/ && $1 + $10 == 3 { sub("4X", "1X") } 1' links >slow
like "$(import iblinkinfo slow 2>said)" '# slow: the cable from h[0-9]* to h[0-9]* has 10 lanes, most along its dimension have 41
' "a slow cable"
like "$(cat said)" "^smesh: import: cables with fewer lanes than most along their dimension: 1$" "and a message"

# --- what is no grid: its cables, with their lanes
# make_rings N: so many rings of four hosts with 16 lanes a pair, and 2 lanes from each host to one of another ring
make_rings() {
	awk -v N="$1" 'BEGIN { for (r = 0; r < N; r++) for (i = 0; i < 4; i++) {
		print "h" 4 * r + i, "h" 4 * r + (i + 1) % 4, 16
		if (i % 2) print "h" 4 * r + i, "h" (4 * (r + 1) + (i + 1) % 4) % (4 * N), 2
	} }'
}
make_rings 4 >rings
like "$(import cables rings --name=pods)" '^# smesh import: 16 nodes
# pods.cables: 24 cables of 16 nodes, far from any grid: the best has [0-9]+ of them, misses [0-9]+, [0-9]+ have other lanes than most
MeshName=pods Nodes=h\[0-15\] Cables=pods.cables$' "rings of four with light cables between"
# squares N: so many rings of four with 16 lanes, each host beside that of the next ring with 2: a torus but for its lanes
squares() {
	awk -v N="$1" 'BEGIN { for (r = 0; r < N; r++) for (i = 0; i < 4; i++)
		print "h" 4 * r + i, "h" 4 * r + (i + 1) % 4, 16 "\nh" 4 * r + i, "h" (4 * r + 4 + i) % (4 * N), 2 }'
}
like "$(import cables <(squares 9) --name=squares)" \
	'best has 72 of them, misses 0, 0 have other lanes than most, and cables of one dimension have 2 lanes, of another 16' "why a torus is none"
import cables <(squares 3) --name=squares --wrap -t squares.cables >/dev/null 2>said
is "$(cat said)" "$(printf 'smesh: --wrap has no effect on cables\nsmesh: --topology has no effect without --check')" "options without effect"
# pairs FILE: its lines with the ends in order
pairs() {
	awk '{ print ($1 < $2 ? $1 " " $2 : $2 " " $1), $3 }' "$1" | sort
}
is "$(pairs pods.cables)" "$(pairs rings)" "and the list"
printf '%s\n' n0:1,n1:1,3m n1:1,n0:1,3m n0:2,n1:2,3m n1:3,n2:3,3m n2:4,n0:4,3m n3:1,n0:5,3m n3:2,n1:5,3m n3:3,n2:5,3m n3:3,n2:5,3m >tails
import cables tails --name=tails >/dev/null
is "$(pairs tails.cables | xargs)" "n0 n1 2 n0 n2 1 n0 n3 1 n1 n2 1 n1 n3 1 n2 n3 1" "without a header ports behind names count"
for title in count links num_cables Quantity width "lane count" "No. of lanes"; do
	import cables <({ echo h1 h2 lanes; cat rings; } | tr ' ' , | sed "1s/.*/from,to,$title/") --name=counts >said
	is "$(pairs counts.cables)" "$(pairs rings)" "a column '$title' counts cables"
done
# Numbers of cables, weights and sizes are no lanes; what looks like a count and is none is told.
for title in weight length_m cable_no 'cable width mm'; do
	is "$(import cables <(echo "from,to,$title" && awk '{ print $1 "," $2 "," NR % 3 + 70 }' rings))" \
		"$(import cables <(cut -d ' ' -f 1,2 rings))" "a column '$title' does not"
done
(echo from,to,cables && awk '{ print $1 "," $2 "," NR }' rings) >counts.cables
is "$(import cables counts.cables 2>&1 >/dev/null)" "smesh: import: column cables is left out: lanes, or numbers from 1 \
to 64 of which some come again, count cables side by side" "numbers of cables"
(echo from,to,count && awk '{ print $1 "," $2 "," $3 }' rings && echo from,to,count) >counts.cables
is "$(import cables counts.cables 2>&1 >/dev/null)" "smesh: import: column count counts cables side by side" \
	"the header comes again, and the column is named"
# A last column that is always empty.
is "$(import cables <(printf '%s\n' 'from to note' 'a b' 'b c' 'c a') | tail -n 1)" "MeshName=mesh Dims=3 Wrap=yes Nodes=a,b,c" \
	"between blanks, without notes"
# The way from the list to jobs, with rings over cables of 16 lanes and of fewer.
import cables rings --name=pods >pods.conf
is "$(import cables rings --name=pods --check -t pods.conf)" "nothing has changed" "--check of a graph"
is "$("$SMESH" check -t pods.conf | tail -3 | head -2)" "  cables: 16 of 16 lanes, 8 of 2 lanes
  pods, which the widest cables join: 4 of 4 nodes" "smesh check tells lanes and pods"
is "$(import cables <(grep -v '^h4 h5 ' rings) --name=pods --check -t pods.conf)" "gone link h4 h5" "a cable is gone"
is "$(import cables <(sed 's/^h4 h5 .*/h4 h5 1/' rings) --name=pods --check -t pods.conf; echo $?)" \
	"changed link h4 h5: 1 lanes, were $(sed -n 's/^h4 h5 //p' rings)
1" "a cable has other lanes"
ring() {
	"$SMESH" alloc -t pods.conf -s snug --shape "$@"
}
is "$(ring ring:4:lanes=16 --busy 'h[0-3]' | tail -1 | tr ',' '\n' | sort -V | xargs)" "h5 h6 h7 ranks h4" "a ring over wide cables"
is "$(ring ring:16 | sed -n 's/^ranks //p' | tr , '\n' | awk '{ h[NR] = substr($0, 2) } END { for (i = 1; i <= NR; i++) n += int(h[i] / 4) != int(h[i % NR + 1] / 4); print n }')" \
	4 "ring:16: as few light cables as there can be"
fails 4 'a ring of 8 nodes over links of 16 lanes or more: the longest there could be has 4' "wider than there is" ring ring:8:lanes=16
fails 4 'a ring of 4 nodes over links of 17 lanes or more: the longest' "no such lanes" ring ring:4:lanes=17
fails 1 'expected ring:N or ring:N:lanes=L' "no number" ring ring:4:lanes=x
mkdir -p there
import cables rings --folder there >there/topology.conf
is "$(pairs there/mesh.cables)" "$(pairs rings)" "--folder"
fails 1 "nowhere" "no folder" import cables rings --folder nowhere
awk '{ for (i = 0; i < $3; i++) print $1 ",1," i "," $2 ",2," i }' rings >ports
is "$(import cables <(echo host,tray,port,host,tray,port; cat ports) --name=pods)" "$(import cables rings --name=pods)" \
	"a cutsheet: cables side by side"
is "$(pairs pods.cables)" "$(pairs rings)" "are its lanes"
import cutsheet <(echo host,tray,port,host,tray,port; awk -F, '{ print; print $4 "," $5 "," $6 "," $1 "," $2 "," $3 }' ports) --name=pods >/dev/null
is "$(pairs pods.cables)" "$(pairs rings)" "once each, though both ends say so"
awk -F, '{ gsub("h", "") } NR == 1 { for (i = 0; i < 16; i++) print "hosts { hostname: \"h" i "\" }"; print "eth_connections {" }
	{ printf "connection { endpoint_a { host_id: %d tray_id: 1 chan_id: %d } endpoint_b { host_id: %d tray_id: 2 chan_id: %d } }\n", $1, $3, $4, $6 }
	END { print "}" }' ports | import textproto - --name=pods >/dev/null
is "$(pairs pods.cables)" "$(pairs rings)" "textproto: channels"
awk '{ gsub("h", ""); print "n" $1 ",n" $2 }' rings | as_links 16 1 | sed '/^CA: h[0-9]*[13579] /,+1d' |
	awk '/Active/ && !/ 0x/ && int(($1 - 1) / 4) != int(($10 - 1) / 4) { sub("4X", "1X") } 1' | import iblinkinfo - --name=pods >/dev/null
is "$(sed 's/h//g' pods.cables | awk '{ a = $1 / 2; b = $2 / 2; print "h" (a < b ? a " h" b : b " h" a), $3 }' | pairs -)" \
	"$(pairs rings | sed 's/ 16$/ 41/; s/ 2$/ 10/')" "iblinkinfo: width times speed"
# chips: the files h0, h1, ... of the hosts, each channel in both but for one
mkdir -p chips
awk -F, '{ gsub("h", ""); a = $1 * 64 + n[$1]++ % 32; b = $4 * 64 + n[$4]++ % 32
		far[$1] = far[$1] sprintf("- [{chip: %d, chan: %d}, {remote_chip_id: %d, chan: %d}]\n", a % 64, n[$1] / 32, b + 10^6, n[$4] / 32)
		if (NR > 1) far[$4] = far[$4] sprintf("-\n  - chip: %d\n    chan: %d\n  - remote_chip_id: %d\n    chan: %d\n", b % 64, n[$4] / 32, a + 10^6, n[$1] / 32) }
	END { for (h = 0; h < 16; h++) { file = "chips/pod_cluster_desc_h" h "_rank_" h ".yaml"
		print "arch:\n  0: blackhole\nchips:\n  {}\nchip_unique_ids:" >file
		for (i = 0; i < 32; i++) printf "  %d: %d\n", i, h * 64 + i + 10^6 >file
		printf "ethernet_connections:\n  -\n    - chip: 0\n      chan: 0\n    - chip: 1\n      chan: 0\nethernet_connections_to_remote_devices:\n%s", far[h] >file } }' ports
like "$(import clusterdesc chips/*.yaml --name=pods)" '^# smesh import: 16 nodes
# 1 of 272 cables are seen from one end only
# pods.cables: 24 cables of 16 nodes, .*
MeshName=pods Nodes=h\[0-15\] Cables=pods.cables$' "clusterdesc: a file for each host, a channel is seen from one end"
is "$(pairs pods.cables)" "$(pairs rings)" "clusterdesc: channels"
like "$(import clusterdesc chips/*_h[0-3]_*.yaml)" '# left out: [0-9]+ cables to chips of which there is no file
MeshName=mesh Dims=2x2 Wrap=no,no Nodes=h\[0-1,3,2\]$' "clusterdesc: the files of one ring"
fails 1 "1: expected chip_unique_ids" "another YAML" import clusterdesc <(echo a: b)
fails 1 "2: expected .chip, chan. of a chip" "no channel" import clusterdesc <(printf 'chip_unique_ids: {0: 1}\nethernet_connections_to_remote_devices: [[{chip: 1, chan: 0}, {remote_chip_id: 2, chan: 0}]]\n')
cp chips/*_h1_*.yaml chips/twin.yaml
fails 1 "chip 1[0-9]* is in two hosts" "a file twice" import clusterdesc chips/*_h1_*.yaml chips/twin.yaml
# Lanes that differ along two dimensions.
like "$(grid 5 3 | tr , ' ' | awk '{ print $1, $2, NR % 2 ? 4 : 2 }' | lines cables -)" \
	'^MeshName=mesh Dims=5x3 Wrap=yes,yes' "half of the lanes along a dimension: a grid"
like "$(grid 5 3 | tr , ' ' | awk '{ print $1, $2, NR % 2 ? 16 : 2 }' | lines cables -)" \
	'^MeshName=mesh Nodes=n\[0-14\] Cables=mesh.cables$' "an eighth: a graph"

# --- a hub
for size in "3 3" "4 8"; do
	read -r x y <<<"$size"
	grid "$x" "$y" >plain
	{ cat plain; for ((i = 0; i < x * y; i++)); do echo "store,n$i"; done; } >hub
	is "$(lines cables hub)" "$(lines cables plain)" "$x x $y and a storage that is cabled to all"
	like "$(import cables hub)" "left out: store, which is cabled to nearly all others" "a comment says so"
done
{ cat hub; for ((i = 0; i < 32; i++)); do echo "backup,n$i"; done; echo backup,store; } >hubs
is "$(lines cables hubs)" "$(lines cables plain)" "two of them"
fails 1 'far from any grid: 40 of 41 names are cabled only to hub, with .* as to switches: expected cables between hosts' \
	"a star has no hub, but a switch" import cables <(for i in {1..40}; do echo "hub,n$i"; done)
like "$(import cables <(grid 8 6; for i in {0..33}; do echo "store,n$i"; done) 2>&1)" '^# smesh import: 49 nodes
# mesh.cables: 130 cables of 49 nodes, far from any grid: store is cabled to 34 others
MeshName=mesh Nodes=n\[0-47\],store Cables=mesh.cables$' "a storage with more cables than any vertex of a grid has"
# --- a wrong column, and names that Slurm does not know: notes on standard error
for i in {0..19}; do echo "n$i,port$i"; done >columns
like "$(import cables columns 2>&1 >/dev/null)" '^smesh: import: 40 of 40 hosts are in meshes of one or two vertices: .*columns' \
	"many pairs: a wrong column"
for i in {0..19}; do echo "rack$i/n0,rack$i/n1"; done >racks
like "$(import cables <(cat racks; echo rack0,rack1) 2>&1 >/dev/null)" '20 of 20 hosts are in meshes of one' "hosts without a cable"
is "$(import cables whole 2>&1 >/dev/null)" "" "nothing is said of a torus"
is "$(import coords <(printf '%s\n' "a 0 0" "b 1 0") 2>&1 >/dev/null)" "" "nor of places"
is "$(import coords <(printf '%s\n' "a 0 0 1" "b 2 0 1" "c 0 2 1" "d 2 2 1") 2>&1 >/dev/null)" \
	"smesh: import: 5 of 9 vertices have no host, and coordinates look like a stride of 2 in dimension 1, of 2 in dimension 2" \
	"a host for each 2 x 2 chips"
is "$(import coords <(printf '%s\n' "a 0 0" "b 2 3" "c 3 2") 2>&1 >/dev/null)" "smesh: import: 13 of 16 vertices have no host" "few places"
is "$(import cables whole --nodes='n[0-47],login' 2>&1 >/dev/null)" "" "Slurm knows all hosts"
is "$(import cables whole --nodes='n[00-47]' 2>&1 >/dev/null)" \
	"smesh: import: 10 of 48 hosts are no node of --nodes, as n0: write names as NodeName= does" "it does not"
mkdir slurm
echo 'NodeName=n[1-47]' >slurm/slurm.conf
like "$(SLURM_CONF=$PWD/slurm/slurm.conf import cables whole 2>&1 >/dev/null)" '1 of 48 hosts are no node of slurm.conf, as n0' \
	"by slurm.conf"
fails 1 '--nodes=n\[1-: not a host list' "a list that is none" import cables whole --nodes='n[1-'

# fat LEAVES SPINES HOSTS RAILS: a fat tree, or one of hosts that are cabled to several leaves
fat() {
	awk -v L="$1" -v S="$2" -v N="$3" -v R="$4" 'BEGIN {
		for (l = 0; l < L; l++) for (s = 0; s < S; s++) print "leaf" l " spine" s
		for (n = 0; n < N; n++) for (r = 0; r < R; r++) print "n" n, "leaf" (n * R + r) % L }'
}
for tree in "4 4 16 1" "8 8 32 1" "8 4 64 8" "2 0 24 2" "4 2 60 2"; do
	read -r leaves spines n rails <<<"$tree"
	fails 1 'names are cabled only to leaf0 and others, with twice' "a fat tree: $tree" \
		import cables <(fat "$leaves" "$spines" "$n" "$rails")
done
for n in 5 6 9 24; do
	is "$(lines cables <(awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) for (j = 0; j < i; j++) print "n" i ",n" j }'))" \
		"MeshName=mesh Nodes=n[0-$((n - 1))] Cables=mesh.cables" "$n hosts that are all cabled to each other: no hub"
done
like "$(lines cables <(awk 'BEGIN { srand(1); for (i = 0; i < 600; i++) print "n" int(rand() * 200) ",n" int(rand() * 200) }'))" \
	'^MeshName=mesh Nodes=.* Cables=mesh.cables$' "cables at random"

# --- what would hide the rest of a line
printf 'n0,n1\rn1,n2\rn2,n3\r' >mac
fails 1 'mac:1: lines end with carriage returns alone: expected newlines' "cables with an old Mac's line ends" import cables mac
printf 'n0 0 0\rn1 1 0\r' >mac
fails 1 'mac:1: lines end with carriage returns alone' "and coordinates" import coords mac
is "$(printf 'n0 0 0\r\nn1 1 0\r\r\n' | lines coords -)" "MeshName=mesh Dims=2x1 Wrap=no,no Nodes=n[0-1]" "a newline may follow them"
fails 1 "name=a b: a name has letters" "a name that topology.conf cannot have" import cables whole --name "a b"
printf 'n0,n1\nn1,\0n2\nn2,n3\n' >nul
fails 1 'nul:2: a NUL byte' "a NUL byte" import cables nul
many=$(printf 't%d:switch%d,' {1..60} {1..60})
for i in 0 1 2 3; do echo "NodeName=n$i Topology=$many,mesh:torus0:$((i % 2)):$((i / 2)):0 Owner=N/A"; done >long
is "$(lines scontrol long)" "MeshName=torus0 Dims=2x2x1 Wrap=yes,yes,yes Nodes=n[0-3]" "scontrol: a place behind many others"
done_testing
