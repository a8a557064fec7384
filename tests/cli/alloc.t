#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh alloc: the contract of the command line.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
conf=$dir/topology.conf
echo 'MeshName=m Dims=8x8 Nodes=n[0-63]' >"$conf"

out=$("$SMESH" alloc -t "$conf" -s mm -n 9 --json)
is $? 0 "mm places 9 on an idle mesh"
like "$out" '"count":9,"nodes":"n\[0-2,8-10,16-18\]"' "as a 3x3 block at the origin"
like "$out" '"pairwise_hops":72,"mean_hops":2.0,"diameter":4,"box":\[3,3\],"components":1' "with its metrics"
like "$out" '"cost":72' "mm's cost is the total"

"$SMESH" alloc -t "$conf" -s mm -n 9 --busy 'n[0-56]' >/dev/null 2>&1
is $? 3 "7 free nodes: no fit now"
fails 3 'no fit now: 7 of [0-9]+ nodes are free' "and says how many" "$SMESH" alloc -t "$conf" -n 8 --free 'n[0-6]'
fails 3 '^smesh: no fit now: n3 of --require is busy$' "and which node is busy" "$SMESH" alloc -t "$conf" -n 8 --require 'n[2-3]' --busy n3
is "$("$SMESH" alloc -t "$conf" -s mm --shape 3x3 2>&1 >/dev/null)" "smesh: mm gives no box, only as many nodes as --shape has" "no box of a strategy for any nodes"
"$SMESH" alloc -t "$conf" -s mm -n 65 >/dev/null 2>&1
is $? 4 "65 of 64: never"
fails 4 '^smesh: never: a box of 9x1 does not fit into the machine, which is 8x8$' "never, though nodes are missing now too" \
	"$SMESH" alloc -t "$conf" --shape 9x1 --free 'n[0-6]'
fails 4 '^smesh: never: no such box, not even on the idle machine$' "nor with a busy node" \
	"$SMESH" alloc -t "$conf" --shape 2x2 --require 'n[0,63]' --busy n63
fails 4 '^smesh: never: a ring of an odd number of nodes' "a ring" "$SMESH" alloc -t "$conf" --shape ring:9 --free 'n[0-6]'
fails 4 '^smesh: never: segments of 3 nodes do not make 10$' "segments" "$SMESH" alloc -t "$conf" -n 10 --segment 3 --free 'n[0-6]'
fails 3 '^smesh: no fit now: 7 of 64 nodes are free$' "a box that fits the idle mesh" "$SMESH" alloc -t "$conf" --shape 8x1 --free 'n[0-6]'
is "$("$SMESH" alloc -t "$conf" -s linear -n 3 --free 'n[5,9,20-30]' --require n22 | head -1)" \
	"n[5,9,22]" "required nodes are in the answer"

fails 1 "unknown strategy 'best'" "unknown strategy" "$SMESH" alloc -t "$conf" -s best -n 1
fails 4 "the shape has more nodes than the 64 there are" "too large a shape" "$SMESH" alloc -t "$conf" --shape 9x9
fails 1 "-n: 'x' is not a number of nodes" "k=x" "$SMESH" alloc -t "$conf" -n x
fails 1 "0 nodes wanted" "k=0" "$SMESH" alloc -t "$conf" -n 0
fails 1 "mesh m has no node n64" "unknown node" "$SMESH" alloc -t "$conf" -n 1 --free 'n64'
fails 1 "not a host list at 'n\[3'" "bad host list" "$SMESH" alloc -t "$conf" -n 1 --free 'n1,n[3'
# Slurm before 23.11 takes no range of more than 65536 hosts.
echo 'MeshName=m Dims=47x47x47 Nodes=n[0-103822]' >"$dir/large"
like "$("$SMESH" alloc -t "$dir/large" -s linear -n 2 2>&1)" '^n\[0-1\]|65536 hosts a range at most' \
	"a long range works or the message says what would"
# Numbers of nodes may be dates or addresses.
echo 'MeshName=m Dims=4 Nodes=h[20260105123456-20260105123458],h0000000001' >"$dir/numbers"
is "$("$SMESH" alloc -t "$dir/numbers" -s linear -n 2 --busy 'h[20260105123456-20260105123457]' | head -1)" \
	"h[20260105123458,0000000001]" "nodes with numbers of 14 digits"
echo 'MeshName=m Dims=3 Nodes=n[1-3]b' >"$dir/behind"
if "$SMESH" check -t "$dir/behind" >/dev/null 2>&1; then # a libslurm of 24.11 or later knows such names
	like "$("$SMESH" check -t "$dir/behind")" "3 vertices: n1b,n2b,n3b" "names that go on behind the bracket"
else
	fails 1 "nothing behind the last bracket" "names that go on behind the bracket" "$SMESH" check -t "$dir/behind"
fi
echo "MeshName=m Dims=3 Nodes=n[$(yes 1-999999999999999999 | head -n 12 | paste -sd,)]" >"$dir/endless"
fails 1 "more than [0-9]* hosts" "a range without end" "$SMESH" check -t "$dir/endless"
printf '%s\n' 'MeshName=torus0 Dims=4 Nodes=n[0-3]' 'MeshNode=x Mesh=torusO Coord=0' >"$dir/slip"
fails 1 "Mesh=torusO is not defined, did you mean 'torus0'" "a mesh that is not there" "$SMESH" check -t "$dir/slip"
fails 1 "No such file" "no file" "$SMESH" alloc -t "$dir/none" -n 1
fails 1 "unknown option --nod" "unknown option" "$SMESH" alloc --nodez=3
fails 1 "like 4x4x2" "bad shape" "$SMESH" alloc -t "$conf" --shape 4x0

# Rings and lines: ranks in order, around what is busy.
ring=$("$SMESH" alloc -t "$conf" --shape ring:8 --free 'n[0-2,8,10,16-18,40]')
is "$(tail -n 1 <<<"$ring" | tr -d 'ranksn ' | tr ',' '\n' | sort -n | paste -sd,)" "0,1,2,8,10,16,17,18" \
	"ring:8 round a busy node"
like "$("$SMESH" alloc -t "$conf" --shape line:3 --free 'n[5-7]' --json)" \
	'"ranks":\["n(5","n6","n7|7","n6","n5)"\]' "line:3 in order"
"$SMESH" alloc -t "$conf" --shape ring:6 --free 'n[0-2,8,10,16-18,40]' >/dev/null 2>&1
is $? 3 "no ring of six there now"
fails 4 "odd number of nodes cannot close" "no odd ring on a mesh" "$SMESH" alloc -t "$conf" --shape ring:7
fails 1 "expected ring:N" "a ring of nothing" "$SMESH" alloc -t "$conf" --shape ring

# TYPE: and what the job's tasks are told.
cat "$srcdir/etc/mesh-types.conf" - >"$dir/pods" <<'EOF'
MeshName=pod Type=tpu7x Dims=4x4x8 Nodes=t[0-127]
MeshName=flat Type=v5e Dims=4x4 Nodes=e[0-15]
EOF
is "$("$SMESH" alloc -t "$dir/pods" --mesh pod --shape tpu7x:4x4x8 --env t5 | grep ^TPU_)" \
	"TPU_ACCELERATOR_TYPE=tpu7x-256
TPU_WORKER_ID=3
TPU_WORKER_HOSTNAMES=$(printf 't%s,' 0 1 4 5 16 17 20 21 32 33 36 37 48 49 52 53 64 65 68 69 80 81 84 85 96 97 100 101 112 113 116)t117
TPU_CHIPS_PER_HOST_BOUNDS=2,2,1
TPU_HOST_BOUNDS=2,2,8
TPU_TOPOLOGY=4x4x8
TPU_TOPOLOGY_WRAP=true,true,true" "--env: what the tasks of a slice are told"
is "$("$SMESH" alloc -t "$dir/pods" --mesh flat --shape v5e:4x8 --env e4 --json | grep -o '"TPU_[^"]*":"[^"]*"')" \
	'"TPU_ACCELERATOR_TYPE":"v5litepod-32"
"TPU_WORKER_ID":"2"
"TPU_WORKER_HOSTNAMES":"e0,e1,e4,e5,e8,e9,e12,e13"
"TPU_CHIPS_PER_HOST_BOUNDS":"2,2,1"
"TPU_HOST_BOUNDS":"2,4,1"
"TPU_TOPOLOGY":"4x8"
"TPU_TOPOLOGY_WRAP":"false,false,false"' "two dimensions have a third in them"
slices() {
	local type=$1 shape
	shift
	{ cat "$srcdir/etc/mesh-types.conf"; echo "MeshName=m Type=$type Dims=$1 Nodes=n[0-$(($(tr x '*' <<<"$1") - 1))]"; } >"$dir/slices"
	shift
	for shape; do
		"$SMESH" alloc -t "$dir/slices" --shape "$type:$shape" --env n0 |
			sed -n 's/^TPU_ACCELERATOR_TYPE=//p; s/^TPU_TOPOLOGY_WRAP=//p' | paste -sd' '
	done
}
is "$(slices v5p 8x8x16 2x2x2 2x4x4 4x4x4 4x4x12 8x8x16 16x16x16)" "v5p-16 false,false,false
v5p-64 false,false,false
v5p-128 true,true,true
v5p-384 true,true,true
v5p-2048 true,true,true
v5p-8192 true,true,true" "v5p counts cores, and whole cubes have rings"
is "$(slices v6e 8x8 4x4 8x16 16x16)" "v6e-16 false,false,false
v6e-128 false,true,false
v6e-256 true,true,false" "v6e counts chips, and a whole pod has rings"
is "$("$SMESH" alloc -t "$dir/pods" --mesh flat -s linear -n 3 --busy e1,e2 --env e0 | grep -c '^TPU_\|^MESH_COORD=')" 2 \
	"no slice: only what is so without one"
# Trainium: an UltraServer is a ring of four hosts; Tenstorrent: the number of the host, in a grid and by cables.
cat "$srcdir/etc/mesh-types.conf" - >"$dir/others" <<'EOF'
MeshName=us0 Type=trn2u Dims=1x1x4 Nodes=u[0-3]
MeshName=us1 Type=trn2u Dims=1x1x4 Nodes=u[4-7]
MeshName=one Type=trn2 Dims=1x1 Nodes=w0
MeshName=pod Type=bh-galaxy Dims=2x2 Nodes=g[0-3]
EOF
is "$("$SMESH" alloc -t "$dir/others" --shape trn2u:4x4x4 --env u2 | grep -e ^NEURON -e ^MESH_JOB_CHIPS -e ^MESH_JOB_WRAP)" "MESH_JOB_WRAP=true,true,true
MESH_JOB_CHIPS=4,4,4
NEURON_GLOBAL_TOPOID=2" "trn2u:4x4x4: an UltraServer, a torus in chips"
is "$("$SMESH" alloc -t "$dir/others" --mesh us1 --shape trn2u:4x4x2 --free 'u[5-6]' --env u6 | grep ^NEURON)" NEURON_GLOBAL_TOPOID=1 "two hosts of one"
fails 4 "a box of 4x4x3 is not one of Shapes=" "no three" "$SMESH" alloc -t "$dir/others" --mesh us0 --shape trn2u:4x4x3
is "$("$SMESH" alloc -t "$dir/others" --mesh pod --shape bh-galaxy:16x4 --free 'g[0-1]' --env g1 | grep ^TT_)" "TT_MESH_ID=0
TT_MESH_HOST_RANK=1" "bh-galaxy:16x4: two hosts"
printf '%s\n' "g0 g1 16" "g1 g2 16" "g2 g3 16" "g3 g0 16" "g3 g4 2" >"$dir/cables"
{ grep '^MeshType=bh-galaxy Env=' "$srcdir/etc/mesh-types.conf"; echo "MeshName=pod Type=bh-galaxy Nodes=g[0-4] Cables=cables"; } >"$dir/cabled"
is "$("$SMESH" alloc -t "$dir/cabled" --shape bh-galaxy:ring:4:lanes=16 --env g2 | grep -e ^TT_ -e JOB_)" "MESH_JOB_RANK=2
TT_MESH_ID=0
TT_MESH_HOST_RANK=2" "by cables: the number among the job's hosts"
fails 4 "a box of 3x4x8 is not one of Shapes=; these are: 2x2x1, 2x2x2, 2x2x4, 2x4x4, 4x4x4, 4x4x8, 4x8x8, 8x8x8" \
	"a slice that there is none of, with those there are" "$SMESH" alloc -t "$dir/pods" --mesh pod --shape tpu7x:3x4x8
fails 4 "the mesh is not of Type=v4" "another type" "$SMESH" alloc -t "$dir/pods" --mesh pod --shape v4:4x4x8
fails 4 "the mesh is not of Type=v4" "in a ring too" "$SMESH" alloc -t "$dir/pods" --mesh pod --shape v4:ring:4
fails 1 "--env: the job is not on e15" "a host of none of its nodes" "$SMESH" alloc -t "$dir/pods" --mesh flat -n 1 --env e15

# ---- Several meshes ----
cat >"$dir/three" <<'EOF'
MeshName=a Dims=4x8 Nodes=a[0-31]
MeshName=b Dims=4x8 Nodes=b[0-31]
MeshName=c Dims=4x8 Nodes=c[0-31]
EOF
three() { "$SMESH" alloc -t "$dir/three" "$@" 2>&1 | head -n 2 | sed 's/, [0-9.]* us//'; }
is "$(three -n 8 --busy 'a[0-26]' | head -n 1)" "b[0-7]" "in the first mesh that has so many"
is "$(three -n 8 --busy 'a[0-26],b[1,3,6,8-31]' | head -n 1)" "c[0-7]" "or where they are nearest"
is "$(three -n 8 --require b9 | head -n 1 | tr -d '0-9,[]-')" b "in the one that has a required node"
fails 4 '^smesh: never: 1 segment of 33 nodes wanted, the meshes can hold 0$' "a segment larger than each mesh" \
	"$SMESH" alloc -t "$dir/three" -n 33 --segment 33
fails 4 '^smesh: never: 4 segments of 20 nodes wanted, the meshes can hold 3$' "more segments than the meshes can hold" \
	"$SMESH" alloc -t "$dir/three" -n 80 --segment 20
fails 4 "the required nodes are not all in mesh" "which is one" "$SMESH" alloc -t "$dir/three" -n 4 --require a1,b1
is "$(three --shape ring:12 --free 'a[0-3],c[4-15]' | head -n 1)" "c[4-15]" "a ring where there is one"
is "$(three -n 10 --busy 'a[0-25],b[6-31],c[4-31]')" "a[26-31],b[0-1,4-5]
10 nodes of 2 meshes" "none has enough: all of one, and the rest where it is nearest"
printf 'Link=a[28-31],b[0-3]\nLink=b[28-31],c[0-3],2\n' >>"$dir/three"
is "$(three -n 10 --busy 'a[0-25],b[6-31],c[4-31]')" "a[26,28-31],b[0-3,5]
10 nodes of 2 meshes, mean hops 2.2222, total 100" "with cables: on both sides of these"
like "$("$SMESH" alloc -t "$dir/three" -n 33 --json)" '"mesh":\["a","b"\],"result":"ok","count":33,.*"mean_hops":4' \
	"as JSON"
is "$(three -n 24 --segment 8 --busy 'a[0-20],b[18-31],c[14-31]' | head -n 1)" "a[24-31],b[0-15]" \
	"segments: each in one mesh, near the cables"
is "$("$SMESH" alloc -t "$dir/three" -n 33 --env b1 | grep -c '^MESH_NAME=b\|^MESH_COORD=1,0')" 2 "--env in either"
fails 4 "200 nodes wanted, there are 96" "more than there are" "$SMESH" alloc -t "$dir/three" -n 200
fails 3 "86 of 96 nodes are free" "more than are free" "$SMESH" alloc -t "$dir/three" -n 90 --busy 'a[0-9]'
for size in '-n 8' '--shape 2x2x2'; do
	# shellcheck disable=SC2086
	fails 1 "^smesh: --pattern: a grid of 9 ranks cannot be spread evenly over 8 nodes$" "$size of a grid of 9 ranks" \
		"$SMESH" alloc -t "$conf" --pattern grid:3x3 $size
done
is "$("$SMESH" alloc -t "$conf" --pattern grid:4x4 -n 8 | wc -l)" 2 "two ranks a node"

ones=$(printf '1%.0s' $(seq 64))
printf '2 %s\n3 %s\n70 %s\nring:4 %s\n' "$ones" "${ones//1/0}" "$ones" "$ones" >"$dir/many"
is "$("$SMESH" alloc -t "$conf" -s mm --decisions "$dir/many" --json | sed 's/.*"result":"\([a-z-]*\)".*/\1/' | tr '\n' ' ')" \
	"ok no-fit never ok " "a file of decisions is answered in order"
is "$("$SMESH" alloc -t "$conf" -s mm --decisions - --json <"$dir/many" | wc -l)" 4 "and from standard input"
echo "2 101" >"$dir/short"
fails 1 "short:1: 3 bits, mesh m has 64 nodes" "too few bits" "$SMESH" alloc -t "$conf" --decisions "$dir/short"
while read -r option value; do
	fails 1 'exclude each other' "$option beside lines that say it" "$SMESH" alloc -t "$conf" --decisions "$dir/many" $option "$value"
done <<'END'
-n 3
--shape 2x2x1
--free n0
--busy n0
END

# Only the search for rings and lines draws numbers.
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >"$dir/seed.conf"
seeded() { "$SMESH" alloc -t "$dir/seed.conf" --seed 3 "$@" >/dev/null; } 2>&1
is "$(seeded -n 4)" "smesh: --seed has no effect on a job that wants no ring:N or line:N" "a seed for a number of nodes"
is "$(seeded --shape 2x2 -s ff)" "$(seeded -n 4)" "or for a box"
is "$(seeded --decisions - <<<"4 1111111111111111")" "$(seeded -n 4)" "or for many decisions"
is "$(seeded --shape ring:8)$(seeded -n line:5)" "" "is none for a ring or line"
done_testing
