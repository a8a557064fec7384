#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shapes= and NodeShape= of topology.conf: boxes off a list at their places, shapes in chips, and what
# launchers find in a job's environment.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

torus='MeshName=m Dims=4x4 Wrap=yes,no Nodes=n[0-15] NodeShape=2x1 Shapes=1x1,2x1,2x2,4x2@4x1'

# refused PATTERN NAME OPTION...
refused() {
	submit "${@:3}" >"$cluster_dir/out" 2>&1
	is $? 1 "$2"
	like "$(cat "$cluster_dir/out")" "$1" "with the reason"
}

# in_job OPTION...: MESH_JOB_ and MESH_NODE_ variables of each node
in_job() {
	srun -Q "$@" sh -c 'env | grep -E "^MESH_(JOB|NODE)_" | sort | cut -d_ -f2- | xargs' 2>&1 | sort
}

# beside COUNT [OPTION]...: where a job is while the blocker runs
beside() {
	local id
	id=$(submit "$1" 100 "${@:2}")
	hosts_sorted "$(started "$id")"
	scancel "$id"
	wait_for 20 job_is "$id" CANCELLED
	wait_for 20 one_left
}

one_left() { [ "$(squeue -h -o %i | wc -l)" -le 1 ]; }

mesh_cluster nodes=16 params=mesh_strategy=bf topology="$torus" || exit
blocker=$(submit 1 600 -w n1)
started "$blocker" >/dev/null
is "$(beside 2)" "n[2-3]" "two nodes: on the list's grid, beside the busy one"
is "$(beside 3)" "n[2-3,7]" "three nodes: in the smallest box on the list that is free, at its place"
is "$(beside 4 --mesh-shape=2x2)" "n[2-3,6-7]" "a shape on the list"
is "$(beside 5)" "n[8-10,12-13]" "five nodes: in a box of 4x2"
refused 'a box of 1x3 is not one of Shapes=' "a shape that is not on the list is refused" 3 1 --mesh-shape=1x3
refused 'a box of 1x2 \(not turned\)|a box of 1x2 is not one of Shapes= \(not turned\)' "nor turned" 2 1 --mesh-shape=1x2:norotate
refused 'a box of 3x1 chips is not one of whole nodes' "chips that are not whole nodes" 1 1 --mesh-shape=3x1:chips:norotate
is "$(beside 4 --mesh-shape=4x2:chips)" "n[2-3,6-7]" "chips: 4x2 of them are 2x2 nodes"
scancel "$blocker"
wait_for 20 no_jobs
is "$(in_job --mesh-shape=8x2:chips -N8 | head -n 3)" \
	"JOB_BOUNDS=4,2 JOB_CHIPS=8,2 JOB_COORD=0,0 JOB_RANK=0 JOB_WRAP=true,false NODE_CHIPS=2,1
JOB_BOUNDS=4,2 JOB_CHIPS=8,2 JOB_COORD=0,1 JOB_RANK=4 JOB_WRAP=true,false NODE_CHIPS=2,1
JOB_BOUNDS=4,2 JOB_CHIPS=8,2 JOB_COORD=1,0 JOB_RANK=1 JOB_WRAP=true,false NODE_CHIPS=2,1" \
	"in the job: its bounds, the node's, and where the node is"
cluster_stop

mesh_cluster nodes=16 params=mesh_strategy=bf topology="$torus ShapesExact=yes" || exit
refused 'configuration is not available' "ShapesExact=yes: three nodes are refused" 3 1
is "$(where 4)" "n[0-1,4-5]" "four are not"
cluster_stop
done_testing
