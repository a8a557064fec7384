#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cycle.sh [NODES [JOBS [SECONDS]]]: how long slurmctld's scheduling cycles take under select/mesh
# and under stock select/cons_tres, for the same jobs in the same order on the same machine. A
# process stands in for the nodes; all jobs are pending when scheduling begins.
#
# Each plugin runs twice. For the main scheduler with backfill off: both then start the same jobs
# from the head of the queue, on an empty machine first and then as others end. (With both on, it
# is chance which of them fills the machine, which takes longest.) For backfill with both on.
#
# A line a run: sdiag's mean cycle; how many cycles, jobs tested in them, and jobs started; CPU
# time of the thread a cycle, and a job tested. In the end the ratio of each strategy to stock:
# runs alternate (stock, strategy, stock, ...) and ratios are of medians, as a machine is never
# quiet. Of the three the last is the one to go by: CPU time bears a busy machine better than the
# clock, and cycles differ in how many jobs they see.
#
# In the environment: RUNS=N of each (3), STRATEGIES='mm snug' (mm; topology:mm is topology/mesh
# over select/cons_tres; torus3d is topology/torus3d of Slurm 26.05), SCHEDULERS='main backfill'
# (both), LARGEST=N: jobs of 1 to N nodes, CPUS=N: of each node (1), SHARED= more for the
# partition's line in place of OverSubscribe=EXCLUSIVE; PROFILE=FILE: perf's record of the last run.
: "${srcdir:=$(cd "$(dirname "$0")/../../.." && pwd)}" "${builddir:=$srcdir}"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/torus3d.sh"
. "$srcdir/tests/lab/bench/common.sh"
nodes=${1:-4096} jobs=${2:-1000} seconds=${3:-60} runs=${RUNS:-3}
declare -A thread=([main]=sched_agent [backfill]=bckfl)
set -o pipefail
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# The sample: sizes and run times of all jobs, the same in every run.
sample() {
	local i
	RANDOM=1
	for ((i = 0; i < jobs; i++)); do
		echo $((LARGEST ? 1 + RANDOM % LARGEST : 1 + RANDOM % (nodes / 32) * (RANDOM % 4))) $((5 + RANDOM % 25))
	done
}

# diagnosis SCHEDULER NAME CPU: a line of results from what sdiag says. The main scheduler tests
# jobs from the head of the queue until the first that cannot start: that is one a cycle.
diagnosis() {
	awk -v wanted="$1" -v name="$2" -v cpu="$3" '
		/^Main/ { at = "main" } /^Backfilling/ { at = "backfill" } /^Latency/ { exit }
		/Jobs started:/ { all = $3 }
		/Total backfilled jobs .since last stats cycle/ { by_backfill = $NF }
		/Total cycles:/ { cycles[at] = $NF } /Mean cycle:/ { mean[at] = $NF }
		/Depth Mean .try depth/ { tries = $NF }
		END {
			n = cycles[wanted]
			started = wanted == "main" ? all - by_backfill : by_backfill
			tested = wanted == "main" ? started + n : n * tries
			print wanted, name, mean[wanted] + 0, n + 0, tested, started + 0,
				n ? int(cpu / n) : 0, tested ? int(cpu / tested) : 0
		}'
}

# measure SCHEDULER NAME SELECT PARAMS [TOPOLOGY PLUGIN]: one line of results, see `columns`
columns='scheduler select cycle_us cycles tested started cpu_a_cycle cpu_a_job'
measure() (
	off=
	[ "$1" != main ] || off=,bf_interval=-1
	cluster_prepare nodes="$nodes" cpus="${CPUS:-1}" standin="$builddir/tests/replay/standin" select="$3" \
		plugins="$builddir/plugins" topology="MeshName=m Dims=$(dims "$nodes") Wrap=all Nodes=n[0-$((nodes - 1))]" \
		partition="${SHARED:-OverSubscribe=EXCLUSIVE}" debug='' loglevel=error \
		params="bf_max_job_test=$jobs,default_queue_depth=$jobs,bf_continue,bf_window=60,bf_max_time=600$off${4:+,$4}" \
		topology_plugin="$5" >&2 && { [ "$2" != torus3d ] || torus3d_machine "$nodes"; } &&
		cluster_boot >&2 || exit
	scontrol update PartitionName=all State=DOWN
	sample | while read -r size run; do
		MESH_RUNTIME=$run submit "$size" "$run" --export=MESH_RUNTIME --time=1 >/dev/null
	done
	sdiag -r >/dev/null
	cpu=$(thread_cpu "${thread[$1]}")
	[ -z "$PROFILE" ] ||
		perf record -q -g -o "$PROFILE" -p "${cluster_pid[slurmctld]}" sleep "$seconds" >&2 &
	scontrol update PartitionName=all State=UP
	sleep "$seconds"
	cpu=$(($(thread_cpu "${thread[$1]}") - cpu))
	sdiag | diagnosis "$1" "$2" "$cpu"
	wait
)

# median SCHEDULER NAME COLUMN
median() {
	median_of "$3" "$1 $2" "$results"
}

# ratio SCHEDULER NAME COLUMN
ratio() {
	awk -v a="$(median "$1" stock "$3")" -v b="$(median "$1" "$2" "$3")" \
		'BEGIN { printf "%.2f", a ? b / a : 0 }'
}

echo "$columns" | tee "$results"
for ((run = 0; run < runs; run++)); do
	for scheduler in ${SCHEDULERS:-main backfill}; do
		measure "$scheduler" stock select/cons_tres "" | tee -a "$results" || exit
		for strategy in ${STRATEGIES:-mm}; do
			plugins=(select/mesh "mesh_strategy=${strategy#*:}" "")
			case $strategy in
			topology:*) plugins=(select/cons_tres "${plugins[1]}" topology/mesh) ;;
			torus3d) plugins=(select/cons_tres "" "") ;;
			esac
			measure "$scheduler" "$strategy" "${plugins[@]}" | tee -a "$results" || exit
		done
	done
done
for strategy in ${STRATEGIES:-mm}; do
	for scheduler in ${SCHEDULERS:-main backfill}; do
		echo "ratio of $strategy to stock, $scheduler, $nodes nodes, $jobs jobs:" \
			"mean cycle $(ratio "$scheduler" "$strategy" 3)," \
			"CPU a cycle $(ratio "$scheduler" "$strategy" 7), a job tested $(ratio "$scheduler" "$strategy" 8)"
	done
done
