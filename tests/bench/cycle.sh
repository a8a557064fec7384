#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cycle.sh [NODES [JOBS [SECONDS]]]: how long slurmctld's scheduling cycles take under select/mesh
# and under stock select/cons_tres, for the same jobs on the same machine (a process stands in
# for the nodes; so many jobs are pending at first). Prints sdiag's means and slurmctld's CPU time
# for each job that started, and their ratios; the latter bears a busy machine better.
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${builddir:=$srcdir}"
. "$srcdir/tests/slurm/cluster.sh"
nodes=${1:-4096} jobs=${2:-1000} seconds=${3:-60}

# dims NODES: a mesh of so many, as cubic as powers of two allow
dims() {
	local n=$1 side=(1 1 1) i=0
	while [ "$n" -gt 1 ]; do
		side[i % 3]=$((side[i % 3] * 2))
		n=$((n / 2)) i=$((i + 1))
	done
	echo "${side[0]}x${side[1]}x${side[2]}"
}

# ticks: CPU time of slurmctld so far
ticks() {
	awk '{ print $14 + $15 }' "/proc/${cluster_pid[slurmctld]}/stat"
}

# measure SELECT: "MAIN BACKFILL CPU" mean cycles and CPU time a job, in microseconds
measure() (
	cluster_start nodes="$nodes" standin="$builddir/tests/replay/standin" select="$1" \
		plugins="$builddir/plugin/.libs" topology="MeshName=m Dims=$(dims "$nodes") Wrap=all Nodes=n[0-$((nodes - 1))]" \
		partition="${SHARED:-OverSubscribe=EXCLUSIVE}" debug='' loglevel=error \
		params="bf_max_job_test=$jobs,default_queue_depth=$jobs,bf_continue,bf_window=60${2:+,$2}" >&2 || exit
	scontrol update PartitionName=all State=DOWN
	RANDOM=1
	for ((i = 0; i < jobs; i++)); do
		printf '%d %d\n' $((1 + RANDOM % (nodes / 32) * (RANDOM % 4))) $((5 + RANDOM % 25))
	done | while read -r size run; do
		MESH_RUNTIME=$run submit "$size" "$run" --export=MESH_RUNTIME --time=1 >/dev/null
	done
	sdiag -r >/dev/null
	before=$(ticks)
	scontrol update PartitionName=all State=UP
	sleep "$seconds"
	sdiag | awk -v ticks="$(($(ticks) - before))" -v hz="$(getconf CLK_TCK)" '
		/Mean cycle:/ { print $3 } /Jobs started:/ { jobs = $3 }
		END { printf "%d\n", ticks / hz * 1e6 / (jobs ? jobs : 1) }' | paste -sd' '
)

read -r main backfill cpu < <(measure select/cons_tres)
echo "select/cons_tres: main $main us, backfill $backfill us, CPU $cpu us a job"
for strategy in ${STRATEGIES:-mm}; do
	read -r main2 backfill2 cpu2 < <(measure select/mesh mesh_strategy="$strategy")
	echo "select/mesh $strategy: main $main2 us, backfill $backfill2 us, CPU $cpu2 us a job"
	awk -v a="$main" -v b="$main2" -v c="$backfill" -v d="$backfill2" -v e="$cpu" -v f="$cpu2" -v n="$nodes" \
		'BEGIN { printf "ratio at %d nodes: main %.2f, backfill %.2f, CPU %.2f\n", n, b / a, d / c, f / e }'
done
