#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The harness itself, with stock Slurm: clusters come up, do not see each other, leave nothing.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
need_daemons

cluster_start nodes=8
ok $? "a cluster of 8 nodes comes up"
id=$(submit 8 1)
ok $? "a job is submitted"
wait_for 20 job_is "$id" RUNNING
is "$(job_nodes "$id")" "n[0-7]" "it gets its nodes"
is "$(idle_nodes)" "" "no node is idle then"
wait_for 20 job_is "$id" COMPLETED
ok $? "it completes"
wait_for 10 cluster_all_idle
is "$(idle_nodes)" "n[0-7]" "all nodes are idle again"
like "$(job_record "$id")" "JobState=COMPLETED.*NodeList=n\[0-7\]" "its record is written"

# A second cluster beside the first, in a shell of its own that is interrupted half-way.
bash -c '. "$srcdir/tests/slurm/cluster.sh"
	cluster_start nodes=4 name=other || exit 1
	sinfo -h -o %N
	submit 4 100 >/dev/null
	wait_for 20 job_is 1 RUNNING
	echo "$cluster_dir"
	kill -INT $$
	sleep 10' >"$cluster_dir/other"
is "$?" 130 "another cluster beside it is interrupted"
is "$(head -1 "$cluster_dir/other")" "other[0-3]" "it had its own nodes"
other=$(tail -1 "$cluster_dir/other")
[ -n "$other" ] && [ ! -e "$other" ]
ok $? "its directory is gone"
is "$(grep -lsz "$other" /proc/[0-9]*/environ)" "" "and so are its processes and its job"
is "$(sinfo -h -o '%N %t')" "n[0-7] idle" "the first one is as it was"

id=$(submit 4 300)
wait_for 20 job_is "$id" RUNNING
save_state "$id"
slurmctld_stop KILL
slurmctld_start
is "$(job_state "$id")" RUNNING "a job survives kill -9 of slurmctld"
scancel "$id"
slurmd_stop KILL n7
slurmd_start n7
cluster_set debug=Priority
scontrol reconfigure
wait_for 10 grep -q Priority <(scontrol show config)
like "$(scontrol show config)" "DebugFlags *= Priority" "a changed slurm.conf counts after reconfigure"

dir=$cluster_dir
cluster_stop
[ ! -e "$dir" ]
ok $? "nothing is left of the directory"
is "$(grep -lsz "$dir" /proc/[0-9]*/environ)" "" "nor of the processes"
done_testing
