#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A partition shrinks and grows while jobs wait for boxes: they wait on, and start when it has grown.
# A running job takes over another's nodes (--dependency=expand).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

as=(-p p --exclusive -t 10 --parsable --wrap 'sleep 1')

# with WHO KEY=VALUE...
with() {
	local who=$1 run id name out
	shift
	mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' params=bf_interval=2,permit_job_expansion \
		conf='PartitionName=p Nodes=n[0-15] MaxTime=60' "$@" || exit
	run=$(submit 16 600 --exclusive -p p)
	started "$run" >/dev/null
	declare -A job
	job[plain]=$(sbatch "${as[@]}" -N8)
	job[shape]=$(sbatch "${as[@]}" --mesh-shape=4x2)
	job[large]=$(sbatch "${as[@]}" --mesh-shape=4x4)
	job[contiguous]=$(sbatch "${as[@]}" -N8 --contiguous)
	sleep 2 # a scheduler looks at them later than in the second of their submission
	go_round
	# Eight nodes that hold no box of 4x2, nor 2x4
	scontrol update partition=p 'nodes=n[0-2,4-6,8-9]'
	go_round && go_round
	for name in shape large contiguous; do
		is "$(squeue -h -j "${job[$name]}" -o '%T' | grep -c PENDING),$(squeue -h -j "${job[$name]}" -o %r | grep -c BadConstraints)" "1,0" \
			"$who: $name: the partition is too small: it waits and is not held"
	done
	out=$(sbatch "${as[@]}" --mesh-shape=4x2 2>&1)
	like "$out" "Requested node configuration is not available" "$who: who comes now is refused, as ever"
	scancel "$run"
	wait_for 30 has_started "${job[plain]}"
	go_round && go_round
	for name in shape large contiguous; do
		[ "$(squeue -h -j "${job[$name]}" -o '%T %r' | grep -v BadConstraints | cut -d' ' -f1)" = PENDING ]
		ok $? "$who: $name: nor when it is the first of the queue"
	done
	scontrol update partition=p 'nodes=n[0-15]'
	for name in shape large contiguous; do
		wait_for 60 has_started "${job[$name]}"
		ok $? "$who: $name: starts by itself when the partition has grown"
	done
	cancel_all
	# There slurmctld ends, with Slurm's own plugins alone, too (doc/versions.md).
	if slurm_is -lt 25.11; then expands "$who"; else skip "$who: a job takes over nodes" "slurmctld ends, also without us"; fi
	cluster_stop
}

# expands WHO: the nodes are those of both, also for a slurmctld that starts anew.
expands() {
	local a b both rest
	a=$(submit 4 600 --exclusive -p p)
	both=$(started "$a")
	salloc --quiet -p p -N2 --exclusive --dependency=expand:"$a" --mesh-shape=2x1 --no-shell -J more
	b=$(squeue -h -n more -o %A)
	both=$(hosts_sorted "$both,$(job_nodes "$b")")
	scontrol update jobid="$b" numnodes=0
	scontrol update jobid="$a" numnodes=ALL
	is "$(hosts_sorted "$(job_nodes "$a")")" "$both" "$1: a job takes over another's nodes, which were a box"
	slurmctld_stop && slurmctld_start
	is "$(hosts_sorted "$(job_nodes "$a")")" "$both" "$1: and has them after a restart"
	rest=$(started "$(submit 10 600 --exclusive -p p)")
	is "$(hosts_sorted "$rest,$both")" "n[0-15]" "$1: others get all other nodes, and none of them"
}

with select/mesh
slurm_is -lt 24.05 || with topology/mesh select=select/cons_tres topology_plugin=topology/mesh
done_testing
