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
printf '%s\n' "a 1 1" "b 2 1" "c 1 2" "d 2 2" "e,3,1" >coords
is "$(lines coords coords)" "MeshName=mesh Dims=3x2 Wrap=no,no Nodes=a,b,e,c,d Holes=2,1" "coords"
is "$(lines coords coords --wrap --name=m)" "MeshName=m Dims=3x2 Wrap=yes,yes Nodes=a,b,e,c,d Holes=2,1" "coords: rings, a name"
is "$(lines coords <(echo "a 0"; echo "b 0"; echo "c 1"))" "MeshName=mesh Dims=2 Wrap=no NodesPerVertex=2
MeshNode=a Mesh=mesh Coord=0
MeshNode=b Mesh=mesh Coord=0
MeshNode=c Mesh=mesh Coord=1" "vertices with one node and with two"
# As doc/import.md has it for Slurm's own torus.
for i in 0 1 2 3; do
	printf 'NodeName=n%d Arch=x86_64 OS=Linux Topology=default:t0:%d:%d:0 Owner=N/A\n' $i $((i / 2)) $((i % 2))
done >nodes
is "$(sed -n 's/^NodeName=\([^ ]*\) .*:t0:\([0-9:]*\).*/\1 \2/p' nodes | lines coords --wrap -)" \
	"MeshName=mesh Dims=2x2x1 Wrap=yes,yes,yes Nodes=n[0,2,1,3]" "coords of Slurm's torus3d"

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
{ cat whole && sed 's/n/p/g' whole && echo n3,p40; } >pods
is "$(lines cables pods)" "MeshName=mesh Dims=8x6 Wrap=yes,yes Nodes=n[0-47]
MeshName=mesh1 Dims=8x6 Wrap=yes,yes Nodes=p[0-47]
Link=n3,p40" "two pods and a cable between them"
is "$(import cables pods | head -1)" "# smesh import: 96 nodes, 192 cables in 2 grids, 1 beside" "the comment"

# --- against what is there
is "$(import cables broken | diff - topology.conf | grep '^< MeshName')" \
	"< MeshName=mesh Dims=8x6 Wrap=yes,yes Nodes=n[0-47] DownLinks=0,0:1,0;4,2:4,3" "diff tells of cables that have gone"

# --- what is wrong
fails 1 "format 'nix': one of ibnetdiscover\|" "an unknown format" import nix whole
fails 1 'expected a format and a file' "no file" import cables
fails 1 "nothing: No such file" "no such file" import cables nothing
fails 1 "empty" "an empty file" import cables <(:)
fails 1 ":1: expected a cable's two ends" "half a cable" import cables <(echo n1)
fails 1 ":2: 'n 2' is not a node's name" "no name" import cables <(echo n1,n2; echo 'n1,n 2')
fails 1 ":2: expected HOST and 2 coordinates" "coordinates that differ" import coords <(echo a 1 2; echo b 1)
fails 1 "hub is cabled to 40 others" "a star" import cables <(for i in {1..40}; do echo "hub,n$i"; done)
fails 1 "far from any grid: the best has" "no grid" import cables <(awk 'BEGIN { srand(1)
	for (i = 0; i < 600; i++) print "n" int(rand() * 200) ",n" int(rand() * 200) }')
done_testing
