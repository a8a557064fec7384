#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How many nodes, and who else may be near: lists of sizes (-N2,4,8, from 23.11 on), a mesh to oneself
# (--exclusive=topo, Exclusive=TOPO, from 24.11 on), segments in meshes of their own (26.05).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

if slurm_is -lt 23.11; then
	skip "lists of sizes, a mesh to oneself, spread segments" "Slurm $(slurm_version) does not know them"
	done_testing
fi

# blockers LIST: a job on these nodes
blockers() { started "$(submit "$(host_list hostnames "$1" | wc -l)" 600 -w "$1" "${@:2}")" >/dev/null; }

# size BLOCKERS OPTION...: how many nodes a job gets beside them, the sides of its box, and who chose them
size() {
	local id
	blockers "$1"
	id=$(submit "${@:2}")
	started "$id" >/dev/null
	echo "$(job_field "$id" NumNodes) $(sides "4 4" "$(job_nodes "$id")") $(strategy_of "$id")"
	cancel_all
}

# lists OPTION...: -N2,4,8 beside busy nodes, on nodes of one's own or shared
lists() {
	like "$(size 'n[0,15]' 2,4,8 100 --mesh-strategy=bf "$@")" '^8 .*bf$' "-N2,4,8 $*: eight of 14"
	like "$(size 'n[0-2,9-14]' 2,4,8 100 --mesh-strategy=mm "$@")" '^4 .*mm$' "-N2,4,8 $*: four of seven"
	is "$(size 'n[0,2,5,7,8,10,13]' 2,4,8 100 --mesh-strategy=bf "$@")" "2 1x2 bf" \
		"-N2,4,8 $*: two where only they are a box"
}

mesh_cluster nodes=16 cpus=2 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' || exit
lists --exclusive
lists -c2
cluster_stop

meshes='MeshName=a Dims=4x1 Nodes=n[0-3]
MeshName=b Dims=4x1 Nodes=n[4-7]'

exclusive=Exclusive=TOPO
slurm_is -ge 26.05 || exclusive=ExclusiveTopo=YES

# alone WHO KEY=VALUE...: nobody else is on the mesh of such a job
alone() {
	local who=$1 id other
	mesh_cluster nodes=8 topology="$meshes" topology_plugin=topology/mesh \
		conf='PartitionName=alone Nodes=n[0-7] '$exclusive "${@:2}" || exit
	id=$(submit 1 100 --exclusive=topo -w n1)
	started "$id" >/dev/null
	other=$(submit 2 100)
	nodes_in "$(started "$other")" "n[4-7]"
	ok $? "$who: --exclusive=topo: others go to another mesh"
	id=$(submit 1 100 -p alone)
	go_round
	is "$(job_state "$id")" PENDING "$who: $exclusive: waits where others are on each mesh"
	scancel "$other"
	nodes_in "$(started "$id")" "n[4-7]"
	ok $? "$who: and has one to itself when they have gone"
	cluster_stop
}

if slurm_is -ge 24.11; then
	alone select/mesh
	alone topology/mesh select=select/cons_tres
fi

if slurm_is -ge 26.05; then
	mesh_cluster nodes=8 topology="$meshes" || exit
	id=$(submit 4 100 --segment=2 --spread-segments)
	is "$(hosts_sorted "$(started "$id")")" "n[0-1,4-5]" "--spread-segments: one in each mesh"
	cancel_all
	id=$(submit 6 100 --segment=2 --spread-segments)
	started "$id" >/dev/null
	is "$(job_state "$id")" RUNNING "more segments than meshes: as near as can be"
	cancel_all
	id=$(submit 4 100 --segment=2 --consolidate-segments)
	like "$(started "$id")" '^n\[(0-3|4-7)\]$' "--consolidate-segments: both in one mesh"
	cluster_stop
fi
done_testing
