#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# From a stock cluster to select/mesh and back, as doc/getting-started.md says: jobs that run and
# jobs that wait are kept. What slurmd cannot do that were not restarted.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh='MeshName=m Dims=4x4 Nodes=n[0-15]'
cluster_start nodes=16 cpus=2 loglevel=verbose || exit

# change SELECT [KEY=VALUE]...: another SelectType, and a restart of all daemons
change() {
	save_state "$waiting"
	slurmctld_stop
	slurmd_stop TERM "${cluster_names[@]}"
	cluster_set select="$1" "${@:2}"
	slurmctld_start && slurmd_start "${cluster_names[@]}" && wait_for 60 cluster_all_known || exit
	ok $? "daemons start with SelectType=$1"
	like "$(scontrol show config)" "SelectType  *= $1" "scontrol show config says so"
	is "$(job_state "$running") $(job_nodes "$running")" "RUNNING $nodes" "the job that ran runs on the same nodes"
	is "$(job_state "$waiting")" PENDING "the job that waited waits"
}

# next NODES: the job that ran ends and the one that waited starts; another one waits then
next() {
	scancel "$running"
	running=$waiting
	nodes=$(started "$running")
	waiting=$(submit "$1" 300 --exclusive)
}

running=$(submit 10 300 --exclusive -w n5)
nodes=$(started "$running")
waiting=$(submit 9 300 --exclusive)
change select/mesh plugins="$builddir/plugins" topology="$mesh" plugstack="$spank_plugin" \
	params=mesh_strategy=mm,mesh_max_time=0
out=$("$SMESH" check -t "$cluster_dir/topology.conf" --slurm-conf "$cluster_dir/slurm.conf" 2>&1)
like "$out" 'SelectType=select/mesh.*strategy mm' "smesh check reads both files"
free=$(idle_nodes)
id=$(submit 4 300 --exclusive)
is "$(hosts_sorted "$(started "$id")")" "$(smesh_nodes mm 4 "$free" "$id")" "a new job is placed by the strategy"
scancel "$id"
next 12
is "$(strategy_of "$running")" mm "and so is the one that waited"
if slurm_is -eq 22.05; then
	save_state "$waiting"
	slurmctld_stop
	cluster_set select=select/cons_tres plugins=
	timeout 30 slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 </dev/null
	like "$(ctld_log 0 'fatal:')" 'Incomplete job state save file' \
		"without the plugins slurmctld does not start rather than lose the jobs"
	cluster_set select=select/mesh plugins="$builddir/plugins"
	slurmctld_start || exit
fi
# PluginDir stays: slurmctld needs the plugin to read what it has saved of the jobs.
change select/cons_tres plugstack=
# It has taken these jobs over, and saves them as its own when it stops.
slurmctld_stop
cluster_set plugins=
slurmctld_start
ok $? "the plugins may go once slurmctld has stopped, with jobs from before the switch"
is "$(job_state "$running") $(job_state "$waiting")" "RUNNING PENDING" "these jobs are kept"
cluster_set plugins="$builddir/plugins"
next 1
is "$(job_field "$running" NumNodes)" 12 "which starts when there is room"
scancel "$running" "$waiting"
wait_for 30 cluster_all_idle
ok $? "all nodes are idle at the end"
# As where somebody forgets the nodes: each slurmd still runs with the SelectType before. (From 23.11 on
# no message to slurmd has anything of the plugin.)
forgotten() {
	local failed
	running=$(submit 1 300 --exclusive -w n1)
	started "$running" >/dev/null
	scontrol create reservation ReservationName=switch StartTime=now Duration=60 Nodes=ALL \
		"Users=$(id -un)" Flags=MAINT,IGNORE_JOBS >/dev/null
	save_state "$running"
	slurmctld_stop
	cluster_set select="$1"
	slurmctld_start || exit
	failed=$(submit 1 300 --exclusive -w n2)
	wait_for 15 job_has "$failed" Reason ReqNodeNotAvail,_Reserved_for_maintenance
	ok $? "$1, and slurmd with another one: a job waits for the end of a reservation"
	scontrol delete ReservationName=switch
	wait_for 30 job_has "$failed" ExitCode 1:0
	ok $? "a job that starts fails at once"
	like "$(ctld_log 0 'non-startable')" "Killing non-startable batch JobId=$failed:" "and slurmctld's log says so"
	is "$(job_state "$running")" RUNNING "a job that ran runs"
	scancel "$running"
	wait_for 15 job_is "$running" COMPLETING && sleep 3 && job_is "$running" COMPLETING
	ok $? "and stays in COMPLETING when it ends"
	slurmd_stop TERM "${cluster_names[@]}"
	slurmd_start "${cluster_names[@]}"
	save_state "$running"
	slurmctld_stop
	slurmctld_start && wait_for 60 cluster_all_idle
	ok $? "restarts of slurmd and slurmctld end it"
}
if slurm_is -eq 22.05; then
	forgotten select/mesh
	forgotten select/cons_tres
fi
is "$(ctld_log 0 'fatal:|Assertion' | grep -v 'Incomplete job state')" "" "nothing else is fatal in the log"
done_testing
