#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# topology/mesh: under stock select plugins, where it chooses nodes, and together with select/mesh.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
slurm_is -ge 24.05 || {
	echo "1..0 # SKIP topology plugins choose no nodes before Slurm 24.05"
	exit 0
}

mesh_lines='MeshName=square Dims=4x4 Nodes=n[0-15]'

# mesh_topology KEY=VALUE...: a cluster with topology/mesh over that mesh
mesh_topology() {
	mesh_cluster nodes=16 topology_plugin=topology/mesh topology="$mesh_lines" "$@"
}

# gone ID: cancel it and wait until no node is completing
gone() {
	scancel "$1"
	wait_for 20 no_jobs && wait_for 20 cluster_all_idle
}

# where COUNT [OPTION]...: the nodes that a job of that size gets
where() {
	local id
	id=$(submit "$1" 100 "${@:2}")
	hosts_sorted "$(started "$id")"
	gone "$id"
}

# told: what a job's step sees
told() {
	timeout 60 srun -N1 -w "$1" printenv SLURM_TOPOLOGY_ADDR SLURM_TOPOLOGY_ADDR_PATTERN | xargs
}

# where_is NODE: what scontrol says
where_is() {
	if slurm_is -lt 25.05; then
		scontrol show topology "$1"
	else
		scontrol show topology node="$1"
	fi
}

# what smesh says to four nodes of which n10 is one
with_n10() {
	"$SMESH" alloc -t "$cluster_dir/topology.conf" -s mc1x1 -n 4 --require n10 --json |
		sed 's/.*"nodes":"\([^"]*\)".*/\1/'
}

# one SELECT: the same answers whichever plugin chooses
one() {
	mesh_topology select="$1" params=mesh_strategy=mc1x1 || exit
	is "$(where 4)" "n[0-1,4-5]" "$1: 4 nodes of a 4x4 mesh are a square"
	is "$(where 4 -w n10)" "$(with_n10)" "$1: a square with the node that was asked for"
	like "$(scontrol show topology)" "MeshName=square Dims=4x4 Wrap=no,no" "$1: scontrol show topology"
	like "$(where_is n6)" "n6 .*square.2.1" "$1: where a node is"
	is "$(told n6)" "square.2.1 mesh.coord.coord" "$1: SLURM_TOPOLOGY_ADDR"
	is "$(grep -h 'no coordinates' "$cluster_dir"/log/n*.log)" "" "$1: which slurmd knows without spank_mesh.so, too"
	waits "$1"
	wait_for 20 no_jobs
	cluster_stop
}

# waits SELECT: the next job comes when there is room, and backfill knows when
waits() {
	local first second
	first=$(submit 12 6 --time=1)
	started "$first" >/dev/null
	second=$(submit 9 0)
	wait_for 15 has_start "$second"
	ok $? "$1: backfill says when a job of 9 nodes starts"
	wait_for 40 job_is "$second" COMPLETED
	ok $? "$1: it runs when room is made"
	is "$(job_field "$second" NumNodes)" 9 "$1: on 9 nodes"
}

has_start() {
	[ "$(job_field "$1" StartTime)" != Unknown ] && [ -n "$(job_field "$1" StartTime)" ]
}

# A strategy of boxes waits for a box, although there are nodes enough.
boxes() {
	local blocker id
	mesh_topology select=select/cons_tres params=mesh_strategy=bf || exit
	blocker=$(submit 2 200 -w n5,n10)
	started "$blocker" >/dev/null
	id=$(submit 9 0)
	go_round
	is "$(job_state "$id")" PENDING "no free 3x3 box: it waits"
	scancel "$blocker"
	wait_for 40 job_is "$id" COMPLETED
	ok $? "and runs when there is one"
	id=$(sbatch --parsable -o /dev/null --mesh-shape=2x3:norotate --wrap 'sleep 100')
	is "$(hosts_sorted "$(started "$id")")" "n[0-1,4-5,8-9]" "a shape without -N: all of it"
	gone "$id"
	id=$("$builddir/test-programs/forge" 0 MESH_SHAPE=2x2)
	is "$(sides "4 4" "$(started "$id")")" 2x2 "and a forged one"
	gone "$id"
	cluster_stop
}

one select/cons_tres
one select/mesh
boxes

# ---- A shape of a type: nodes of that mesh, also when the wish for a box is over ----
mesh_lines='MeshType=pair NodeShape=2x1 Shapes=2x2
MeshName=plain Dims=2x4 Nodes=n[0-7]
MeshName=pairs Type=pair Dims=2x4 Nodes=n[8-15]'
mesh_topology || exit
is "$(where 4 --mesh-shape=pair:4x2)" "n[8-11]" "a shape of a type is on its mesh"
id=$(submit 1 600 -w n10)
started "$id" >/dev/null
other=$(submit 1 600 -w n12)
started "$other" >/dev/null
waits=$(submit 4 600 --mesh-shape=pair:4x2)
sleep 3
is "$(job_state "$waits")" PENDING "it waits while that has no box, beside a mesh that has"
scancel "$waits"
relaxed=$(submit 4 600 --mesh-shape=pair:4x2 --mesh-max-wait=0)
nodes_in "$(started "$relaxed")" 'n[8-15]'
ok $? "--mesh-max-wait: other nodes of the same mesh"
cluster_stop
done_testing
