#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# backfill.sh [WHO...]: mean cycle of slurmctld's backfill (us, by sdiag) and CPU time of its thread a
# cycle, where 64 nodes of a 4x4x4 torus are full of jobs that end one after the other and 300 more
# wait. WHO is stock, select:STRATEGY or topology:STRATEGY (default: stock topology:snug
# select:snug). No slurmd at all: the nodes are cloud nodes that never come, on which jobs count as
# running. In the end the ratio of each to stock; runs alternate, RUNS=N of each (2).
# In the environment: SECONDS_EACH=N (20).
: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${builddir:=$srcdir}"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/bench/common.sh"
[ $# -gt 0 ] || set -- stock topology:snug select:snug

cycles() { sdiag | awk '/^Backfilling/ { at = 1 } at && /Total cycles:/ { print $NF; exit }'; }

# measure WHO: "WHO mean_us cpu_us cycles"
measure() (
	keys=()
	case $1 in
	select:*) keys=(select=select/cons_tres_mesh) ;;
	topology:*) keys=(topology_plugin=topology/mesh) ;;
	esac
	cluster_prepare nodes=64 nodelines='NodeName=n[0-63] CPUs=1 RealMemory=1000 State=CLOUD' \
		plugins="$builddir/plugin/.libs" topology='MeshName=t Dims=4x4x4 Wrap=all Nodes=n[0-63]' \
		debug='' loglevel=error partition=OverSubscribe=EXCLUSIVE \
		params="bf_max_job_test=400,bf_continue,bf_window=2880,bf_max_time=60,mesh_strategy=${1#*:}" "${keys[@]}" \
		conf='SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=30
ResumeTimeout=7200' >&2 && munged_start && slurmctld_start || exit
	RANDOM=3
	for ((i = 0; i < 330; i++)); do
		submit $((1 << RANDOM % 6)) 1 --time=$((20 + RANDOM % 400)) >/dev/null
	done
	wait_for 5 false
	sdiag -r >/dev/null
	cpu=$(thread_cpu bckfl) before=$(cycles)
	sleep "${SECONDS_EACH:-20}"
	cpu=$(($(thread_cpu bckfl) - cpu)) n=$(($(cycles) - before))
	sdiag | awk -v who="$1" -v cpu="$cpu" -v n="$n" '/^Backfilling/ { at = 1 }
		at && /Mean cycle:/ { print who, $NF, n ? int(cpu / n) : 0, n; exit }'
)

results=$(mktemp)
for ((run = 0; run < ${RUNS:-2}; run++)); do
	for who; do measure "$who" | tee -a "$results"; done
done
for who; do
	awk -v who="$who" '{ n[$1]++; mean[$1] += $2; cpu[$1] += $3 }
		END { if (mean["stock"]) printf "%s: cycle %.2f, cpu %.2f of stock\n", who, mean[who] / mean["stock"] * n["stock"] / n[who],
			cpu[who] / cpu["stock"] * n["stock"] / n[who] }' "$results"
done
rm -f "$results"
