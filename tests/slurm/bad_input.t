#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Mistakes of the administrator: at start slurmctld refuses with one clear line, and the jobs of
# before are still there once the mistake is mended.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

good='MeshName=m Dims=4x4 Nodes=n[0-15]'
mesh_cluster nodes=16 topology="$good" || exit
job=$(submit 4 300)
started "$job" >/dev/null
slurmctld_stop TERM

# refuses PATTERN NAME KEY=VALUE...: slurmctld ends at once, with one line that matches
refuses() {
	local pattern=$1 name=$2 mark code said
	shift 2
	mark=$(ctld_log_lines)
	cluster_set "$@"
	timeout 30 slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 </dev/null
	code=$?
	[ "$code" -ne 0 ] && [ "$code" -lt 124 ]
	ok $? "$name: slurmctld ends with an error (exit code $code)"
	said=$(ctld_complaints "$mark" 'fatal:|error: .*mesh')
	is "$(wc -l <<<"$said")" 1 "$name: one line"
	like "$said" "$pattern" "$name: which is clear"
	cluster_set topology="$good" params=
}

# In topology.conf: file, line, what is wrong.
bad_map() {
	local pattern=$1 name=$2
	shift 2
	refuses "select/mesh: $cluster_dir/topology.conf:$pattern" "$name" topology="$*"
}

bad_map "1: .*Dims" "Dims= that is no list of sides" 'MeshName=m Dims=4xfour Nodes=n[0-15]'
bad_map "1: .*Dims" "a side of 0" 'MeshName=m Dims=4x0 Nodes=n[0-15]'
bad_map "1: .*12 nodes.*16" "too few nodes" 'MeshName=m Dims=4x4 Nodes=n[0-11]'
bad_map "1: .*16 nodes.*12" "too many nodes" 'MeshName=m Dims=4x3 Nodes=n[0-15]'
bad_map "1: .*n3.*(twice|already)" "a node named twice" 'MeshName=m Dims=4x4 Nodes=n[0-14,3]'
bad_map "1: .*[Cc]olour" "an unknown key" "$good Colour=red"
bad_map "2: .*4,0" "a coordinate out of range" "MeshName=m Dims=4x4
MeshNode=n0 Mesh=m Coord=4,0"
bad_map "3: .*(taken|full|room)" "a coordinate that is taken" "MeshName=m Dims=4x4
MeshNode=n0 Mesh=m Coord=1,1
MeshNode=n1 Mesh=m Coord=1,1"
bad_map "2: .*other" "a mesh that is not there" "$good
MeshNode=n0 Mesh=other Coord=1,1"
refuses "topology.conf: No such file" "no topology.conf" topology=
refuses "mesh_strategy=best: unknown strategy|unknown strategy 'best'" "an unknown strategy" \
	params=mesh_strategy=best
refuses "mesh_stratgy" "an unknown mesh_ key" params=mesh_stratgy=mm
refuses "mesh_base.*(cons_tres or linear)" "an unknown base" params=mesh_base=cons_res
refuses "mesh_max_time.*microseconds" "a time that is none" params=mesh_max_time=soon
refuses "mesh_fallback.*unknown strategy" "an unknown fallback" params=mesh_fallback=luck

slurmctld_start
ok $? "with all of it mended slurmctld starts"
is "$(job_state "$job")" RUNNING "and the job of before is still running"
scancel "$job"
done_testing
