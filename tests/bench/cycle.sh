#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cycle.sh [NODES [JOBS [SECONDS]]]: how long slurmctld's scheduling cycles take under select/mesh
# and under stock select/cons_tres, for the same jobs in the same order on the same machine. A
# process stands in for the nodes; all jobs are pending when scheduling begins.
#
# For each run it prints sdiag's mean cycles, how many there were and how many jobs they started,
# and the CPU time a cycle of the two threads that schedule; in the end the ratio of each strategy
# to stock. Runs alternate (stock, strategy, stock, ...) and ratios are of medians, as a machine
# is never quiet. CPU time bears a busy machine better than the clock.
#
# In the environment: RUNS=N of each (3), STRATEGIES='mm snug' (mm), SHARED= more for the
# partition's line in place of OverSubscribe=EXCLUSIVE; PROFILE=FILE: perf's record of the last run.
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${builddir:=$srcdir}"
. "$srcdir/tests/slurm/cluster.sh"
nodes=${1:-4096} jobs=${2:-1000} seconds=${3:-60} runs=${RUNS:-3}
set -o pipefail
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# dims NODES: a mesh of so many, as cubic as powers of two allow
dims() {
	local n=$1 side=(1 1 1) i=0
	while [ "$n" -gt 1 ]; do
		side[i % 3]=$((side[i % 3] * 2))
		n=$((n / 2)) i=$((i + 1))
	done
	echo "${side[0]}x${side[1]}x${side[2]}"
}

# thread_cpu NAME: microseconds of CPU of slurmctld's thread of that name so far
thread_cpu() {
	local task name ns=0
	for task in "/proc/${cluster_pid[slurmctld]}/task"/*; do
		read -r name <"$task/comm" && [ "$name" = "$1" ] || continue
		read -r ns _ <"$task/schedstat"
		echo $((ns / 1000))
		return
	done
	echo 0
}

# The sample: sizes and run times of all jobs, the same in every run.
sample() {
	local i
	RANDOM=1
	for ((i = 0; i < jobs; i++)); do
		echo $((1 + RANDOM % (nodes / 32) * (RANDOM % 4))) $((5 + RANDOM % 25))
	done
}

# measure NAME SELECT PARAMS: one line of results, see `columns`
columns='select main cycles started main_cpu backfill cycles started backfill_cpu'
measure() (
	cluster_start nodes="$nodes" standin="$builddir/tests/replay/standin" select="$2" \
		plugins="$builddir/plugin/.libs" topology="MeshName=m Dims=$(dims "$nodes") Wrap=all Nodes=n[0-$((nodes - 1))]" \
		partition="${SHARED:-OverSubscribe=EXCLUSIVE}" debug='' loglevel=error \
		params="bf_max_job_test=$jobs,default_queue_depth=$jobs,bf_continue,bf_window=60,bf_max_time=600${3:+,$3}" >&2 || exit
	scontrol update PartitionName=all State=DOWN
	sample | while read -r size run; do
		MESH_RUNTIME=$run submit "$size" "$run" --export=MESH_RUNTIME --time=1 >/dev/null
	done
	sdiag -r >/dev/null
	main=$(thread_cpu sched_agent) backfill=$(thread_cpu bckfl)
	[ -z "$PROFILE" ] ||
		perf record -q -g -o "$PROFILE" -p "${cluster_pid[slurmctld]}" sleep "$seconds" >&2 &
	scontrol update PartitionName=all State=UP
	sleep "$seconds"
	main=$(($(thread_cpu sched_agent) - main)) backfill=$(($(thread_cpu bckfl) - backfill))
	sdiag | awk -v name="$1" -v main_cpu="$main" -v backfill_cpu="$backfill" '
		/^Main/ { at = "main" } /^Backfilling/ { at = "backfill" } /^Latency/ { exit }
		/Jobs started:/ { all = $3 }
		/Total backfilled jobs .since last stats cycle/ { by_backfill = $NF }
		/Total cycles:/ { cycles[at] = $3 } /Mean cycle:/ { mean[at] = $3 }
		function cpu(us, n) { return n ? int(us / n) : 0 }
		END {
			print name, mean["main"], cycles["main"], all - by_backfill, cpu(main_cpu, cycles["main"]),
				mean["backfill"], cycles["backfill"], by_backfill + 0, cpu(backfill_cpu, cycles["backfill"])
		}'
	wait
)

# median NAME COLUMN
median() {
	awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$results" | sort -n |
		awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

ratio() {
	awk -v a="$(median stock "$2")" -v b="$(median "$1" "$2")" 'BEGIN { printf "%.2f", a ? b / a : 0 }'
}

echo "$columns" | tee "$results"
for ((run = 0; run < runs; run++)); do
	measure stock select/cons_tres "" | tee -a "$results" || exit
	for strategy in ${STRATEGIES:-mm}; do
		measure "$strategy" select/mesh mesh_strategy="$strategy" | tee -a "$results" || exit
	done
done
for strategy in ${STRATEGIES:-mm}; do
	echo "ratio of $strategy to stock at $nodes nodes, $jobs jobs: main $(ratio "$strategy" 2)," \
		"backfill $(ratio "$strategy" 6); CPU a cycle: main $(ratio "$strategy" 5), backfill $(ratio "$strategy" 9)"
done
