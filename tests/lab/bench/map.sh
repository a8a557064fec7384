#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A map's price: what slurmctld takes to start with it, to reconfigure, to decide once, and to hold it.
: "${srcdir:=$(cd "$(dirname "$0")/../../.." && pwd)}" "${builddir:=$srcdir}"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/lab/bench/common.sh"

usage() {
	cat <<'USAGE'
usage: tests/lab/bench/map.sh [nodes=131072] [runs=3] [job=64] [WHO]...

WHO: linear, cons_tres, or a strategy of select/mesh (default: cons_tres snug mm), in turns.

Columns, medians: CPU time of slurmctld until it answers, and of a reconfiguration; CPU time of the
decisions for the first job, which has so many nodes, by select/mesh's counters; bytes of heap a node, and how many more those are
than cons_tres's. One process stands in for the nodes.
USAGE
}

declare -A opt=([nodes]=131072 [runs]=3 [job]=64)
read_words "$@"
[ "${#who[@]}" -gt 0 ] || who=(cons_tres snug mm)
work=$(mktemp -d) || exit
results=$work/results
trap 'rm -rf "$work"' EXIT

# Bytes that slurmctld's heap holds
in_use() {
	tr -d ' \n' <"$work/heap.${cluster_pid[slurmctld]}"
}

# decisions: their milliseconds so far; nothing: they are not counted
decisions() {
	"$SMESH" metrics 2>/dev/null | awk '$1 == "smesh_decision_cpu_seconds_total" { print 1000 * $2 }' | grep .
}

# measure WHO: a line START_MS RECONFIGURE_MS DECISION_MS BYTES_A_NODE
measure() (
	trap - EXIT
	keys "$1"
	cluster_start nodes="${opt[nodes]}" name="$(hosts "${opt[nodes]}")" standin="$builddir/tests/replay/standin" \
		wrap="env LD_PRELOAD=$builddir/test-programs/heap_in_use.so HEAP_IN_USE=$work/heap" \
		debug='' partition=OverSubscribe=EXCLUSIVE params=mesh_max_time=0 "${keys[@]}" >&2 || exit
	start=$(ticks)
	sleep 1
	bytes=$(in_use) before=$(ticks)
	scontrol reconfigure
	wait_for 60 cluster_all_known
	reconfigure=$(($(ticks) - before))
	id=$(submit "${opt[job]}" 600)
	started "$id" >/dev/null
	[[ $1 == @(cons_tres|linear) ]] || wait_for 60 decisions >/dev/null
	awk -v start="$start" -v reconfigure="$reconfigure" -v decision="$(decisions)" \
		-v tick="$(getconf CLK_TCK)" -v bytes="$bytes" -v nodes="${opt[nodes]}" 'BEGIN {
			printf "%d %d %.1f %.0f\n", start * 1000 / tick, reconfigure * 1000 / tick,
				decision, bytes / nodes
		}'
)

in_turns
echo '| who | start, CPU ms | reconfigure, CPU ms | first decision, ms | bytes a node | more than cons_tres |'
echo '|---|--:|--:|--:|--:|--:|'
stock=$(median_of 5 cons_tres "$results")
for name in "${who[@]}"; do
	bytes=$(median_of 5 "$name" "$results") decision=$(median_of 4 "$name" "$results")
	[[ $name != @(cons_tres|linear) ]] || decision=-
	echo "| $name | $(median_of 2 "$name" "$results") | $(median_of 3 "$name" "$results") | $decision | $bytes | $(
		)$([ -z "$stock" ] || echo $((bytes - stock))) |"
done
