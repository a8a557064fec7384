#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two slurmctld: the backup takes over when the first is killed, gives back when that returns, and
# once more on demand. Jobs stay on their nodes, no node has two of them, and whoever is in
# control chooses by the strategy among the nodes that are free.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/slurm/backup.sh"
need_plugins
need_second_host

mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Wrap=yes,no Nodes=n[0-15]' params=mesh_max_time=0 \
	conf="$backup_conf" || exit
backup_prepare
backup_start
ok $? "two slurmctld: one in control, one waiting"

# A line JobId NODES for each running job.
placement() { squeue -h -t RUNNING -o '%i %N' | sort -n; }
twice() { host_list hostnames "$(squeue -h -t RUNNING -o %N | paste -sd,)" | sort | uniq -d | xargs; }

# The nodes without a job are known to be idle: a new controller asks them first.
all_counted() {
	local busy
	busy=$(host_list hostnames "$(squeue -h -t RUNNING -o %N | paste -sd,)" | wc -l)
	[ "$(idle_names | wc -l)" -eq $((16 - busy)) ]
}

# as_before NAME: all jobs are where they were, and nobody else is; then a new one comes
as_before() {
	local free id
	is "$(placement)" "$before" "$1: jobs are on their nodes"
	is "$(twice)" "" "$1: no node has two"
	wait_for 30 all_counted
	free=$(idle_nodes)
	id=$(submit 2 600 --exclusive)
	is "$(hosts_sorted "$(started "$id")")" "$(smesh_nodes mm 2 "$free" "$id")" "$1: a new job gets what mm says of the others ($free)"
	is "$(twice)" "" "$1: still no node has two"
	id=$(submit 16 1 --exclusive)
	is "$(job_state "$id")" PENDING "$1: a job that does not fit waits"
	scancel "$id"
	save_state "$(squeue -h -t RUNNING -o %i | head -n 1)"
	before=$(placement)
}

for size in 3 2 1; do
	id=$(submit "$size" 600 --exclusive)
	started "$id" >/dev/null
done
save_state "$id"
before=$(placement)

slurmctld_stop KILL
wait_for 60 in_control second
ok $? "the first is killed: the second takes over"
as_before "taken over"

# As in standby.t: nothing is left to compare.
not_lost_by_slurm() {
	[ -z "$(placement)" ] && slurm_is -ge 26.05 &&
		grep -q 'not completely done relinquishing control' "$second/log" || return 0
	skip "the jobs are still there" "Slurm 26.05 saves them after it has given control back"
	done_testing
}

if slurm_is -eq 24.05; then
	skip "the backup gives control back" "24.05.8's never does, under select/cons_tres neither"
	done_testing
fi
slurmctld_start
wait_for 60 in_control first && wait_for 30 both_up
ok $? "the first returns: it has control again, the second waits"
not_lost_by_slurm
as_before "given back"

scontrol takeover 1
wait_for 60 in_control second
ok $? "scontrol takeover: the second has control, the first has ended"
as_before "taken over again"

slurmctld_start
wait_for 60 in_control first && wait_for 30 both_up
ok $? "and the first once more"
not_lost_by_slurm
is "$(placement)" "$before" "jobs are on their nodes"

scancel -u "$(id -un)"
wait_for 60 cluster_all_idle
ok $? "all nodes are idle in the end"
is "$(cat "$cluster_dir/log/slurmctld.log" "$second/log" | grep -E 'Assertion|error: .*select/|stock choice')" "" \
	"nothing bad in either log"
done_testing
