#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A full queue: what slurmctld does with it under select/mesh, select/cons_tres and select/linear.
: "${srcdir:=$(cd "$(dirname "$0")/../../.." && pwd)}" "${builddir:=$srcdir}"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/lab/bench/common.sh"

usage() {
	cat <<'USAGE'
usage: tests/lab/bench/load.sh [KEY=VALUE]... [WHO]...

  nodes=64 jobs=2000   the machine (a power of two), and the jobs that wait when scheduling begins
  run=1                seconds that each of them takes
  limit=600            seconds after which those that have not started are left
  runs=3               of each WHO, in turns; figures are medians
  seed=1 cpus=1 partition=OverSubscribe=EXCLUSIVE

WHO: linear, cons_tres, or a strategy of select/mesh (default: cons_tres linear snug mm)

Columns: jobs started; started a second; CPU time of slurmctld for each of them, all its threads;
sdiag's mean cycle of the main scheduler and of backfill; CPU time of their threads for each job that
they test; and these against cons_tres. A cycle is as long as what it starts and waits for, so only
the latter compare. The main scheduler tests those that it starts, and in each cycle the first that
cannot start. It passes over the others, at less than a hundredth of the cost. One process stands in
for the nodes (tests/replay/standin); its CPU time and the clients' are not counted.
USAGE
}

declare -A opt=([nodes]=64 [jobs]=2000 [run]=1 [limit]=600 [runs]=3 [seed]=1 [cpus]=1
	[partition]=OverSubscribe=EXCLUSIVE)
read_words "$@"
[ "${#who[@]}" -gt 0 ] || who=(cons_tres linear snug mm)
results=$(mktemp) || exit
trap 'rm -f "$results"' EXIT

# Sizes of all jobs: half of them one node, the others up to an eighth of the machine, small ones
# more often.
sizes() {
	awk -v jobs="${opt[jobs]}" -v most=$((opt[nodes] / 8)) -v state="${opt[seed]}" '
		function draw() { state = (state * 16807) % 2147483647; return state / 2147483647 }
		BEGIN {
			for (draw(); jobs-- > 0; )
				print draw() < 0.5 ? 1 : int(exp(draw() * log(most)) + 0.5)
		}'
}

jobs_started() {
	sdiag | awk '/Jobs started:/ { print $3 }'
}

# measure WHO: a line STARTED A_SECOND CPU_MS MAIN_US BACKFILL_US MAIN_CPU_US BACKFILL_CPU_US
measure() (
	trap - EXIT
	keys "$1"
	cluster_start nodes="${opt[nodes]}" name="$(hosts "${opt[nodes]}")" cpus="${opt[cpus]}" standin="$builddir/tests/replay/standin" debug='' loglevel=error \
		partition="${opt[partition]}" "${keys[@]}" \
		params="bf_max_job_test=${opt[jobs]},default_queue_depth=${opt[jobs]},bf_continue,bf_max_time=600" \
		>&2 || exit
	scontrol update PartitionName=all State=DOWN
	sizes | "$builddir/test-programs/submit_sizes" "${opt[run]}" || exit
	sdiag -r >/dev/null
	main=$(thread_cpu sched_agent) backfill=$(thread_cpu bckfl)
	before=$(ticks) begin=${EPOCHREALTIME/./} end=$((SECONDS + opt[limit]))
	scontrol update PartitionName=all State=UP
	while [ "$(jobs_started)" -lt "${opt[jobs]}" ] && [ "$SECONDS" -lt "$end" ]; do sleep 0.5; done
	took=$((${EPOCHREALTIME/./} - begin))
	sdiag | awk -v ms=$((($(ticks) - before) * 1000 / $(getconf CLK_TCK))) -v took="$took" \
		-v main=$(($(thread_cpu sched_agent) - main)) -v backfill=$(($(thread_cpu bckfl) - backfill)) '
		/^Main/ { at = "main" } /^Backfilling/ { at = "backfill" } /^Latency/ { exit }
		/Jobs started:/ { started = $3 } /Mean cycle:/ { mean[at] = $NF }
		/Total cycles:/ { cycles[at] = $NF } /Depth Mean:/ { depth = $NF }
		/Total backfilled jobs .since last stats/ { backfilled = $NF }
		END {
			printf "%d %.1f %.2f %d %d %.2f %.2f\n", started, started * 1e6 / took, ms / started,
				mean["main"], mean["backfill"], main / (started - backfilled + cycles["main"]),
				backfill / (cycles["backfill"] * depth + 1e-9)
		}'
)

# median WHO COLUMN
median() {
	median_of $(($2 + 1)) "$1" "$results"
}

# against WHO COLUMN: the ratio to cons_tres, if that was asked for
against() {
	awk -v a="$(median cons_tres "$2" 2>/dev/null)" -v b="$(median "$1" "$2")" \
		'BEGIN { if (a + 0) printf "%.2f", b / a; else printf "-" }'
}

in_turns
echo "${opt[nodes]} nodes, ${opt[jobs]} jobs, medians of ${opt[runs]}:"
echo
echo '| who | started | a second | CPU ms a job | main cycle us | backfill cycle us | CPU us a job tested: main | backfill | CPU a job, against cons_tres | main | backfill |'
echo '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
for name in "${who[@]}"; do
	row="| $name"
	for column in 1 2 3 4 5 6 7; do row+=" | $(median "$name" "$column")"; done
	for column in 3 6 7; do row+=" | $(against "$name" "$column")"; done
	echo "$row |"
done
