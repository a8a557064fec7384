#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory of slurmctld under a long stream of jobs: what its heap holds once all jobs are forgotten
# must be the same after all of them as after the first tenth, but for what another slurmctld with
# the stock plugin holds more after the same stream (2% on 22.05, a quarter on 24.11). Resident
# memory is only shown: it grows for a while with both (heaps of threads, which glibc keeps), and
# differs by a megabyte from one run to the next. The nodes are one stand-in process, so that it is
# slurmctld that works.
#
# SOAK=10000 in the environment is the full length (about 10 minutes); default 1000.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_standin
preload=$builddir/test-programs/heap_in_use.so
jobs=${SOAK:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

resident() {
	awk '$1 == "VmRSS:" { print $2 }' "/proc/${cluster_pid[slurmctld]}/status"
}

# Bytes: see heap_in_use.c
in_use() {
	tr -d ' \n' <"$work/heap.${cluster_pid[slurmctld]}"
}

# An array of 100 jobs of 1 to 16 nodes, each over at once.
hundred() {
	MESH_RUNTIME=0.05 submit $((RANDOM % 8 ? 1 + RANDOM % 3 : 4 + RANDOM % 9)) 1 --export=MESH_RUNTIME --array=1-100 >/dev/null
}

few_left() {
	[ "$(squeue -h -r -o %i | wc -l)" -lt 100 ]
}

forgotten() {
	[ -z "$(squeue -h -t all -o %i)" ]
}

# upto COUNT: jobs done since the start, and forgotten
upto() {
	while [ "$submitted" -lt "$1" ]; do
		hundred
		submitted=$((submitted + 100))
		wait_for 120 few_left || return
	done
	wait_for 120 no_jobs
	wait_for 60 forgotten
	sleep 2
}

# soak NAME SELECT PARAMS: a cluster of its own; what is measured goes to $work/NAME
soak() {
	local name=$1 early
	# MinJobAge: finished jobs are forgotten at once, so that memory is not theirs.
	cluster_start nodes=64 select="$2" plugins="$builddir/plugins" params="$3" \
		topology='MeshName=t Dims=8x8 Wrap=all Nodes=n[0-63]' standin="$standin" \
		debug= loglevel=error conf='MinJobAge=2' \
		wrap="env LD_PRELOAD=$preload HEAP_IN_USE=$work/heap" || return
	RANDOM=3
	submitted=0
	upto $((jobs / 10))
	early="$(resident) $(in_use)"
	upto "$jobs"
	wait_for 30 cluster_all_idle || return
	echo "$early $(resident) $(in_use) $(grep -c JobState=COMPLETED "$cluster_dir/log/jobs")" \
		>"$work/$name"
}

(soak stock select/cons_tres "") &
(soak mesh select/mesh mesh_strategy=snug) &
wait
read -r stock_early stock_early_heap stock_late stock_late_heap stock_ended <"$work/stock"
read -r early early_heap late late_heap ended <"$work/mesh"
is "$ended $stock_ended" "$jobs $jobs" "all jobs completed, and all nodes are idle at the end"
echo "# resident after $((jobs / 10)) and $jobs jobs: select/mesh $early, $late kB; select/cons_tres $stock_early, $stock_late kB"
growth=$((late_heap - early_heap)) stock_growth=$((stock_late_heap - stock_early_heap))
[ "$early_heap" -gt 100000 ] && [ $(((growth - stock_growth) * 100)) -le $((early_heap * 5)) ]
ok $? "slurmctld's heap grew as with the stock plugin, within 5% ($early_heap + $growth B, $stock_early_heap + $stock_growth B)"
done_testing
