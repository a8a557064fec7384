#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory of slurmctld under a long stream of jobs: as much after ten times as many. The nodes
# are one stand-in process, so that it is slurmctld that works.
#
# SOAK=10000 in the environment is the full length (about 10 minutes); default 2000.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
standin=$builddir/tests/replay/standin
[ -x "$standin" ] || {
	echo "1..0 # SKIP standin is not built"
	exit 0
}
jobs=${SOAK:-2000}

# MinJobAge: finished jobs are forgotten at once, so that memory is not theirs.
mesh_cluster nodes=64 topology='MeshName=t Dims=8x8 Wrap=all Nodes=n[0-63]' standin="$standin" \
	params=mesh_strategy=snug,max_rpc_cnt=0 debug= loglevel=error conf='MinJobAge=2' || exit

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

submitted=0
upto $((jobs / 10))
early=$(resident)
upto "$jobs"
ok $? "$jobs jobs end"
late=$(resident)
echo "# resident: $early kB after $((jobs / 10)) jobs, $late kB after $jobs"
[ "$late" -le $((early * 105 / 100)) ]
ok $? "memory of slurmctld within 5%"
is "$(grep -c JobState=COMPLETED "$cluster_dir/log/jobs")" "$jobs" "all of them completed"
wait_for 30 cluster_all_idle
ok $? "all nodes are idle at the end"
done_testing
