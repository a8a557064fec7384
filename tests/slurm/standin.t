#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One process in the place of all slurmd: slurmctld must not see a difference.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
need_daemons
need_standin

# start_time ID, end_time ID: seconds since 1970
job_time() {
	date -d "$(job_record "$1" | grep -o "$2=[^ ]*" | cut -d= -f2)" +%s
}

job_ran() {
	echo $(($(job_time "$1" EndTime) - $(job_time "$1" StartTime)))
}

recorded() {
	job_record "$1" >/dev/null
}

cluster_start nodes=64 standin="$standin" partition="OverSubscribe=FORCE:1"
ok $? "64 nodes come up"

id=$(submit 64 2)
wait_for 20 recorded "$id"
like "$(job_record "$id")" "JobState=COMPLETED.*NodeList=n\[0-63\].*ExitCode=0:0" "a job on all of them completes"
like "$(job_ran "$id")" "^[123]$" "after its run time"
id=$(MESH_RUNTIME=0.5 submit 3 1000 --export=MESH_RUNTIME)
wait_for 20 recorded "$id"
like "$(job_ran "$id")" "^[01]$" "a run time in the environment comes first"

id=$(submit 8 1000)
wait_for 20 job_is "$id" RUNNING
scancel "$id"
wait_for 20 recorded "$id"
like "$(job_record "$id")" "JobState=CANCELLED" "a running job is cancelled"
wait_for 20 cluster_all_idle
ok $? "its nodes are idle"

id=$(submit 8 1000)
wait_for 20 job_is "$id" RUNNING
scancel --signal=KILL --batch "$id"
wait_for 20 recorded "$id"
like "$(job_record "$id")" "JobState=(FAILED|CANCELLED)" "a signal ends a job"

id=$(submit 4 3)
wait_for 20 job_is "$id" RUNNING
scontrol suspend "$id"
sleep 4
is "$(job_state "$id")" SUSPENDED "a suspended job does not end"
scontrol resume "$id"
wait_for 20 recorded "$id"
like "$(job_record "$id")" "JobState=COMPLETED" "and does when it was resumed"

id=$(submit 4 1000)
wait_for 20 job_is "$id" RUNNING
scontrol requeue "$id"
wait_for 20 job_is "$id" PENDING
scontrol update "JobId=$id" StartTime=now
wait_for 150 job_is "$id" RUNNING
ok $? "a requeued job starts again"
save_state "$id"
slurmctld_stop KILL
slurmctld_start
is "$(job_state "$id")" RUNNING "it survives kill -9 of slurmctld"
four_taken() { [ "$(sinfo -h -t alloc -o %D)" = 4 ]; }
wait_for 20 four_taken
ok $? "as do its nodes"
scancel "$id"
wait_for 30 cluster_all_idle
slurmd_stop TERM
slurmd_start
wait_for 30 cluster_all_idle
ok $? "all nodes are back after standin was started anew"
cluster_stop

# One port, as for a hundred thousand nodes: which of them is meant is told by the address.
cluster_start nodes=600 standin="$standin" one_port=yes
ok $? "600 nodes at one port come up"
like "$(scontrol show node n599)" "NodeAddr=127\.1\.2\.87 .*Port=$((cluster_port + 1)) " "the last has an address of its own"
id=$(submit 600 2)
wait_for 20 recorded "$id"
like "$(job_record "$id")" "JobState=COMPLETED.*NodeList=n\[0-599\].*ExitCode=0:0" "a job on all of them completes"
id=$(submit 3 1000 -w 'n[7,300,599]')
wait_for 20 job_is "$id" RUNNING
scancel "$id"
wait_for 20 recorded "$id"
like "$(job_record "$id")" "JobState=CANCELLED.*NodeList=n\[7,300,599\]" "one on three of them is cancelled"
wait_for 20 cluster_all_idle
ok $? "all are idle"
cluster_stop

# Epilogs: every node reports its own end, on a connection of its own.
cluster_start nodes=32 standin="$standin -e 3"
id=$(submit 32 1)
wait_for 20 job_is "$id" COMPLETING
ok $? "with an epilog the job is completing first"
wait_for 20 job_is "$id" COMPLETED
wait_for 20 cluster_all_idle
ok $? "then all nodes are idle"
cluster_stop

cluster_start nodes=4096 standin="$standin" debug=
ok $? "4096 nodes come up"
id=$(submit 4096 1)
wait_for 60 recorded "$id"
like "$(job_record "$id")" "JobState=COMPLETED.*NodeCnt=4096 " "a job on all of them completes"
wait_for 60 cluster_all_idle
ok $? "and leaves them idle"
fails 2 "port|cannot be used|No such" "a second one on the same ports" "$standin" -f "$cluster_dir/slurm.conf"
fails 1 "not a number" "a bad option" "$standin" -c 0
done_testing
