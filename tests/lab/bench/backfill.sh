#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a cycle of slurmctld's backfill costs on a full machine, under select/mesh, topology/mesh,
# select/cons_tres and topology/torus3d.
: "${srcdir:=$(cd "$(dirname "$0")/../../.." && pwd)}" "${builddir:=$srcdir}"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/slurm/torus3d.sh"
. "$srcdir/tests/lab/bench/common.sh"

usage() {
	cat <<'USAGE'
usage: tests/lab/bench/backfill.sh [KEY=VALUE]... [WHO]...

  nodes=64 waiting=300  the machine, a torus (a power of two), and the jobs that wait
  ask=nodes             or shape: jobs of select/mesh ask for the same nodes by --mesh-shape
  legal=no              or yes: Shapes= with the boxes whose sides are powers of two, in any place
  cycles=5 runs=2       how many cycles are counted, and how often for each WHO, in turns
  params=               more for SchedulerParameters
  profile=              a file for perf's record of the last run

WHO: stock, select:STRATEGY or topology:STRATEGY (default: stock topology:snug select:snug); from Slurm
26.05 on torus3d, with the boxes of legal=yes.

The machine is full of jobs of 1 to nodes/16 whole nodes, the same for all, that end one after the other
in 20 to 420 minutes; those that wait want 1 to nodes/4, small ones more often (with ask=shape or
legal=yes powers of two). There is no slurmd: the nodes are cloud nodes that never come, on which jobs
count as running. A line for each run: CPU time of the thread in a cycle (ms), the least and the median of
the cycles, and how many. All cycles do the same, and other work on the machine only adds to it: the ratios
in the end are of the least of all runs.
USAGE
}

declare -A opt=([nodes]=64 [waiting]=300 [ask]=nodes [legal]=no [cycles]=5 [runs]=2 [params]= [profile]=)
read_words "$@"
[ "${#who[@]}" -gt 0 ] || who=(stock topology:snug select:snug)
results=$(mktemp) || exit
trap 'rm -f "$results"' EXIT

draw='function draw() { state = (state * 16807) % 2147483647; return state / 2147483647 }'

# The jobs that run: FIRST LAST MINUTES. Blocks are parted in two, so that each is a box.
running() {
	awk -v nodes="${opt[nodes]}" -v state=3 "$draw"'
		function part(at, n) {
			if (n > 1 && (n * 16 > nodes || draw() < 0.6)) { part(at, n / 2); part(at + n / 2, n / 2) }
			else print at, at + n - 1, 20 + int(draw() * 400)
		}
		BEGIN { draw(); part(0, nodes) }'
}

# Those that wait: NODES SHAPE MINUTES
waiting() {
	awk -v jobs="${opt[waiting]}" -v most=$((opt[nodes] / 4)) -v powers="${opt[ask]}${opt[legal]}" -v state=7 "$draw"'
		function shape(n, side, i) {
			side[0] = side[1] = side[2] = 1
			for (i = 0; n > 1; n /= 2) side[i++ % 3] *= 2
			return side[0] "x" side[1] "x" side[2]
		}
		BEGIN {
			for (draw(); jobs-- > 0; ) {
				size = int(exp(draw() * log(most)) + 0.5)
				if (powers != "nodesno") size = 2 ^ int(log(size) / log(2) + 0.001)
				print size, shape(size), 20 + int(draw() * 400)
			}
		}'
}

# keys WHO: what the cluster is started with
keys() {
	keys=()
	case $1 in
	select:*) keys=(select=select/cons_tres_mesh plugstack="$spank_plugin") ;;
	topology:*) keys=(topology_plugin=topology/mesh plugstack="$spank_plugin") ;;
	esac
}

# submit_all WHO
submit_all() {
	local first last size shape minutes
	running | while read -r first last minutes; do
		submit $((last - first + 1)) 1 --time="$minutes" -w "n[$first-$last]"
	done >/dev/null
	wait_for 120 all_run || return
	scontrol update PartitionName=all State=DOWN # no cycle while jobs are submitted
	waiting | while read -r size shape minutes; do
		[ "${opt[ask]}" = shape ] && [[ $1 == *:* ]] || shape=
		submit "$size" 1 --time="$minutes" ${shape:+"--mesh-shape=$shape"}
	done >/dev/null
	scontrol update PartitionName=all State=UP
}

# least WHO
least() {
	awk -v who="$1" '$1 == who && (!n++ || $2 < least) { least = $2 } END { print least }' "$results"
}

all_run() {
	[ -z "$(squeue -h -t PD -o %i)" ]
}

cycles() {
	sdiag | awk '/^Backfilling/ { at = 1 } at && /Total cycles:/ { print $NF; exit }'
}

# cycles_are N: at least
cycles_are() {
	[ "$(cycles)" -ge "$1" ]
}

# CPU time (us) of each of opt[cycles]. Between two of them the thread sleeps longer than this does.
cycle_costs() {
	local from at cpu now n
	at=$(cycles) cpu=$(thread_cpu bckfl)
	for ((n = 0; n < opt[cycles]; n++)); do
		from=$at
		wait_for 600 cycles_are $((from + 1)) || return
		at=$(cycles) now=$(thread_cpu bckfl)
		echo $(((now - cpu) / (at - from)))
		cpu=$now
	done
}

# measure WHO: "WHO least_ms median_ms cycles"
measure() (
	trap - EXIT
	keys "$1"
	topology="MeshName=t Dims=$(dims "${opt[nodes]}") Wrap=all Nodes=n[0-$((opt[nodes] - 1))]"
	[ "${opt[legal]}" = no ] || topology+=" Shapes=$(legal_boxes "${opt[nodes]}")"
	cluster_prepare nodes="${opt[nodes]}" \
		nodelines="NodeName=n[0-$((opt[nodes] - 1))] CPUs=1 RealMemory=1000 State=CLOUD" \
		plugins="$builddir/plugins" debug='' loglevel=error partition=OverSubscribe=EXCLUSIVE \
		topology="$topology" \
		params="bf_max_job_test=10000,bf_continue,bf_window=2880,bf_max_time=600,${opt[params]:+${opt[params]},}mesh_strategy=${1#*:}" "${keys[@]}" \
		conf='SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=600
SuspendTimeout=30
ResumeTimeout=7200' >&2 && { [ "$1" != torus3d ] || torus3d_machine "${opt[nodes]}"; } && munged_start && slurmctld_start && submit_all "$1" || exit
	sdiag -r >/dev/null
	wait_for 600 cycles_are 1
	[ -z "${opt[profile]}" ] ||
		perf record -q -g -o "${opt[profile]}" -p "${cluster_pid[slurmctld]}" sleep 20 >&2 &
	cycle_costs | sort -n | awk -v who="$1" '{ cost[NR] = $1 / 1000 }
		END { print who, cost[1], cost[int((NR + 1) / 2)], NR }'
)

for ((run = 0; run < opt[runs]; run++)); do
	for name in "${who[@]}"; do measure "$name" | tee -a "$results"; done
done
[[ " ${who[*]} " == *' stock '* ]] || exit 0
for name in "${who[@]}"; do
	awk -v name="$name" -v a="$(least "$name")" -v b="$(least stock)" \
		'BEGIN { printf "%s: %.2f of stock\n", name, b ? a / b : 0 }'
done
