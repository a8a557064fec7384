#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory of slurmctld under a long stream of jobs, beside that of another one with the stock
# plugin under the same stream: slurmctld's own memory grows for a while (heap of its threads),
# and ours must not grow beyond it. The nodes are one stand-in process, so that it is slurmctld
# that works.
#
# SOAK=10000 in the environment is the full length (about 10 minutes); default 1000.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
standin=$builddir/tests/replay/standin
[ -x "$standin" ] || {
	echo "1..0 # SKIP standin is not built"
	exit 0
}
jobs=${SOAK:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

resident() {
	awk '$1 == "VmRSS:" { print $2 }' "/proc/${cluster_pid[slurmctld]}/status"
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

# upto COUNT: jobs done since the start; prints the memory when they are forgotten
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

# soak NAME SELECT PARAMS: a cluster of its own; its memory goes to $work/NAME
soak() {
	local name=$1 early
	RANDOM=3
	submitted=0
	# MinJobAge: finished jobs are forgotten at once, so that memory is not theirs.
	cluster_start nodes=64 select="$2" plugins="$builddir/plugin/.libs" params="$3" \
		topology='MeshName=t Dims=8x8 Wrap=all Nodes=n[0-63]' standin="$standin" \
		debug= loglevel=error conf='MinJobAge=2' || return
	upto $((jobs / 10))
	early=$(resident)
	upto "$jobs"
	wait_for 30 cluster_all_idle || return
	echo "$early $(resident) $(grep -c JobState=COMPLETED "$cluster_dir/log/jobs")" >"$work/$name"
}

(soak stock select/cons_tres "") &
(soak mesh select/mesh mesh_strategy=snug) &
wait
read -r stock_early stock_late stock_ended <"$work/stock"
read -r early late ended <"$work/mesh"
is "$ended $stock_ended" "$jobs $jobs" "all jobs completed, and all nodes are idle at the end"
echo "# resident, after $((jobs / 10)) and $jobs jobs: select/mesh $early, $late kB;" \
	"select/cons_tres $stock_early, $stock_late kB"
# What it has more from the beginning, the plugin itself and its map, is not growth.
more=$((early > stock_early ? early - stock_early : 0))
[ $((late * 100)) -le $(((stock_late + more) * 105)) ]
ok $? "slurmctld's memory is within 5% of the stock plugin's and what it had more at first"
[ $(((late - early) * 100)) -le $(((stock_late - stock_early) * 100 + early * 5)) ]
ok $? "it grew as the stock plugin's did, within 5%"
done_testing
