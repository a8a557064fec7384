#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boxes and segments for jobs whose needs only the stock plugin knows: as many nodes as tasks with
# much memory take, nodes with enough CPUs, GRES that some nodes have. Later, by preemption, never.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

batch() { sbatch --parsable -o /dev/null --time=5 "$@" --wrap 'sleep 600'; }
# By CPUs these tasks take 4 nodes, and by memory 8.
tasks=(-n16 --mem-per-cpu=500)

# ---- Later ----
gpus='Name=gpu File=/dev/null,/dev/zero'
mesh_cluster nodes=16 params=bf_interval=2 strategy=snug select_params=CR_CPU_Memory \
	topology='MeshName=m Dims=4x4 Nodes=n[0-15]' gres="NodeName=n[8-15] $gpus" \
	nodelines='NodeName=n[0-7] CPUs=2 RealMemory=1000
NodeName=n[8-15] CPUs=4 RealMemory=1000 Gres=gpu:2' \
	conf='PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PartitionName=low Nodes=n[0-15] PriorityTier=1 PreemptMode=CANCEL
PartitionName=high Nodes=n[0-15] PriorityTier=9 PreemptMode=OFF' || exit
whole=$(submit 16 600 --exclusive --time=10)
started "$whole" >/dev/null
by=("${tasks[*]} --contiguous" "-N4 -n16 --contiguous" "-N4 --contiguous --gres=gpu:1" "-N4 --mesh-shape=2x2 --gres=gpu:1 --exclusive")
for options in "${by[@]}"; do
	# shellcheck disable=SC2086
	id=$(batch $options)
	wait_for 20 job_has "$id" StartTime "$(job_field "$whole" EndTime)"
	is "$(job_field "$id" StartTime)" "$(job_field "$whole" EndTime)" "$options: planned for the end of the job that runs"
	scancel "$id"
done
id=$(batch "${tasks[@]}" --contiguous)
reason_is() { [ "$(squeue -h -j "$id" -o %r)" = "$1" ]; }
wait_for 20 reason_is 'Waits for a box of 8 nodes'
is "$(squeue -h -j "$id" -o %r)" 'Waits for a box of 8 nodes' "the reason has the number of nodes that it will get"
cancel_all

# ---- By preemption ----
for options in "${by[@]}"; do
	victim=$(submit 16 600 --exclusive --time=10 -p low)
	started "$victim" >/dev/null
	# shellcheck disable=SC2086
	id=$(batch -p high $options)
	started "$id" >/dev/null
	like "$(job_field "$id" NumNodes) $(strategy_of "$id")" '^[48] snug-box$' "$options: a box by preemption"
	cancel_all
done

# ---- Never ----
cluster_stop
mesh_cluster nodes=16 strategy=snug select_params=CR_CPU_Memory topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
	gres="NodeName=n[0,2,5,7,8,10,13,15] $gpus" \
	nodelines='NodeName=n[0,2,5,7,8,10,13,15] CPUs=4 RealMemory=1000 Gres=gpu:2
NodeName=n[1,3,4,6,9,11,12,14] CPUs=4 RealMemory=1000' || exit
fails 1 'Requested node configuration is not available' "GPUs in a checkerboard: no box of two is refused at submission" \
	batch -N2 --contiguous --gres=gpu:1
id=$(batch -N2 --gres=gpu:1)
is "$(started "$id" >/dev/null; job_state "$id")" RUNNING "without a box it runs"
cancel_all
cluster_stop

# ---- Two meshes ----
mesh_cluster nodes=32 strategy=snug select_params=CR_CPU_Memory cpus=4 topology='MeshName=a Dims=4x4 Nodes=n[0-15]
MeshName=b Dims=4x4 Nodes=n[16-31]' conf='DefMemPerCPU=10
PartitionName=twice Nodes=n[0-31] OverSubscribe=FORCE:2' || exit
id=$(batch "${tasks[@]}" --mesh-segment=4)
started "$id" >/dev/null
is "$(job_field "$id" NumNodes),$(strategy_of "$id")" 8,snug "tasks in segments of 4: two of them"
cancel_all
# Boxes that the site or --contiguous wants, of jobs that need more nodes than a mesh has.
for strategy in snug snug-box; do
	cluster_set params="mesh_strategy=$strategy"
	reconfigure
	for options in '-n100' '-n40 --mem-per-cpu=500'; do
		[ "$strategy" = snug-box ] || options+=' --contiguous'
		# shellcheck disable=SC2086
		id=$(batch $options)
		started "$id" >/dev/null
		like "$(job_field "$id" NumNodes)" '^2[05]$' "$strategy, $options: larger than each mesh, it runs without a box"
		cancel_all
	done
done
# Where each node has two jobs --exclusive is for neither.
id=$(batch -N32 -n128 -p twice)
started "$id" >/dev/null
id=$(batch -N4 -p twice --exclusive --contiguous)
is "$(sides "4 8" "$(started "$id")"),$(strategy_of "$id")" 2x2,snug-box "OverSubscribe=FORCE:2: a box beside another job"
cancel_all
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
