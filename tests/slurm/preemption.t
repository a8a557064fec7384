#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Preemption: jobs that are requeued, suspended or cancelled for another one, now and in what
# backfill and `sbatch --test-only` foresee. The stock plugin decides who has to go.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

# partitions MODE: slurm.conf with two partitions, the jobs of one being preempted by MODE
partitions() {
	echo "PreemptType=preempt/partition_prio
PreemptMode=$2
SchedulerTimeSlice=5
PartitionName=low Nodes=ALL PriorityTier=1 PreemptMode=$1 OverSubscribe=${3:-NO}
PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=OFF OverSubscribe=${3:-NO}"
}

# ---- Requeue ----
# Requeued jobs start again when their old credentials have expired: soon, here.
mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' auth=cred_expire=20 \
	conf="$(partitions REQUEUE REQUEUE)" || exit
quarters=("n[0-3]" "n[4-7]" "n[8-11]" "n[12-15]")
lows "${quarters[@]}"
like "$(sbatch --test-only -p high -N4 --exclusive --wrap true 2>&1)" "to start at $(date +%Y-%m-%dT%H)" \
	"--test-only: now, by preemption"
like "$(sbatch --test-only -p low -N4 --exclusive --time=1 --wrap true 2>&1)" \
	"to start at $(job_field "${low[0]}" EndTime)" "--test-only: a job that may not preempt waits for their end"
a=$(submit 4 600 --exclusive -p high)
nodes=$(started "$a")
is "$(job_field "$a" NumNodes)" 4 "a job of 4 nodes starts on nodes of others ($nodes)"
wait_for 20 states_are "1 PENDING 3 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "1 PENDING 3 RUNNING" "one is requeued, three go on"
b=$(submit 6 600 --exclusive -p high --contiguous)
like "$(sides "4 4" "$(started "$b")")" '^(3x2|2x3)$' "a box of 6 by preemption"
wait_for 20 states_are "4 PENDING" "${low[@]}" || wait_for 5 states_are "3 PENDING 1 RUNNING" "${low[@]}"
like "$(states "${low[@]}")" "^(3 PENDING 1 RUNNING|4 PENDING)$" "those in its way are requeued"
is "$(job_state "$a")" RUNNING "the one of the same rank is not"
requeued=()
for id in "${low[@]}"; do
	[ "$(job_field "$id" Restarts)" = 0 ] || requeued+=("$id")
done
scancel "$a" "$b"
wait_for 120 states_are "4 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "4 RUNNING" "all ${#requeued[@]} that were requeued start a second time"
is "$(for id in "${low[@]}"; do job_nodes "$id"; done | xargs)" "${quarters[*]}" "each on the nodes that it requires"
is "$(for id in "${requeued[@]}"; do strategy_of "$id"; done | sort -u)" mm "placed by the strategy"
cancel_all
slurmctld_stop TERM

# ---- Suspend ----
cluster_set conf="$(partitions SUSPEND SUSPEND,GANG)"
slurmctld_start && wait_for 60 cluster_all_idle
ok $? "slurmctld with PreemptMode=SUSPEND,GANG"
lows "n[0-7]" "n[8-15]"
a=$(submit 4 5 --exclusive -p high)
is "$(sides "4 4" "$(started "$a")"), $(strategy_of "$a")" "2x2, mm" "a job of 4 nodes starts on a square of nodes of others"
suspended() { states "${low[@]}" | grep -q SUSPENDED; }
wait_for 20 suspended
ok $? "whose jobs are suspended ($(states "${low[@]}"))"
wait_for 30 job_is "$a" COMPLETED
ok $? "it completes"
wait_for 30 states_are "2 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "2 RUNNING" "and they go on"
cancel_all
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
cluster_stop

# ---- Nodes on which others stay ----
# On n0 and n1 runs a job each that nobody may preempt beside one that anybody may.
mesh_cluster nodes=8 cpus=2 strategy=snug-box topology='MeshName=m Dims=4x2 Nodes=n[0-7]' \
	conf="$(partitions CANCEL CANCEL)
PartitionName=keep Nodes=ALL PreemptMode=OFF" || exit
kept=("$(submit 1 600 -n1 -p keep -w n0)" "$(submit 1 600 -n1 -p keep -w n1)")
for id in "${kept[@]}"; do started "$id" >/dev/null; done
only_kept() { [ "$(squeue -h -o %A | wc -l)" = "${#kept[@]}" ]; }
for options in '--exclusive --contiguous' '--exclusive --mesh-shape=2x2' '-n8 --mesh-shape=2x2'; do
	# shellcheck disable=SC2206
	words=($options) low=()
	for node in {0..7}; do low+=("$(submit 1 600 -n1 -p low -w "n$node")"); done
	for id in "${low[@]}"; do started "$id" >/dev/null; done
	like "$(sbatch --test-only -p high -N4 "${words[@]}" --wrap true 2>&1)" "to start at $(date +%Y-%m-%dT%H)" \
		"--test-only $options: now, by preemption"
	a=$(submit 4 600 -p high "${words[@]}")
	nodes=$(started "$a")
	is "$(job_state "$a")" RUNNING "$options: a box by preemption beside jobs that stay ($nodes)"
	is "$(states "${kept[@]}")" "2 RUNNING" "which go on"
	scancel "$a" "${low[@]}"
	wait_for 30 only_kept
done
# Of two CPUs of each node one is taken, but for two nodes that a job fills which may be preempted.
for node in 2 3 4 5; do kept+=("$(submit 1 600 -n1 -p keep -w "n$node")"); done
low=("$(submit 2 600 -n4 -p low -w n[6-7])")
for id in "${kept[@]}" "${low[@]}"; do started "$id" >/dev/null; done
a=$(submit 8 600 -n8 -p high --contiguous)
is "$(started "$a")" "n[0-7]" "a job that shares nodes: a box of what one job leaves, and of free CPUs"
cancel_all
cluster_stop

# ---- The same over select/linear ----
mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
	conf="$(partitions CANCEL CANCEL)" params=mesh_base=linear select_params=CR_Memory || exit
like "$(ctld_log 0 'loaded over select/linear')" "select/linear" "over select/linear"
lows "${quarters[@]}"
a=$(submit 4 600 --exclusive -p high)
is "$(started "$a" >/dev/null; job_state "$a")" RUNNING "a job of 4 nodes preempts"
wait_for 20 states_are "1 PREEMPTED 3 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "1 PREEMPTED 3 RUNNING" "one job, and no more"
b=$(submit 4 600 --exclusive -p high --contiguous)
is "$(started "$b" >/dev/null; job_state "$b")" RUNNING "a box of 4 by preemption"
wait_for 20 states_are "2 PREEMPTED 2 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "2 PREEMPTED 2 RUNNING" "which ends one job of 4, not halves of two"
cancel_all
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
