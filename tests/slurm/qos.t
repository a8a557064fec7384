#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# With an accounting database: preemption by QOS, the limits of a QOS, and what sacct tells of a
# placement. The stock plugin decides who has to go; the strategy chooses among what that gives.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_database

halves=("n[0-7]" "n[8-15]")
low_as=(--qos=low)
export SBATCH_ACCOUNT=tests

# conf MODE: slurm.conf with jobs preempted by MODE. Who preempts is said by the QOS alone; but
# Slurm suspends jobs only for those of a higher tier, and has those of one partition take turns,
# where they may share.
conf() {
	echo "PreemptType=preempt/qos
PreemptMode=$1
SchedulerTimeSlice=5
PartitionName=tier Nodes=ALL PriorityTier=9
PartitionName=turns Nodes=ALL OverSubscribe=FORCE:1"
}

# set_low MODE: how those of QOS low are preempted
set_low() {
	sacctmgr -iQ modify qos low set preemptmode="$1" >/dev/null && wait_for 20 low_is "$1"
}

low_is() {
	scontrol show assoc_mgr flags=qos qos=low | grep -qi "PreemptMode=$1"
}

# placed ID COUNT FREE NAME: by mm, where smesh places as many of these free nodes. On a busy machine
# a job may start while other nodes of those preempted are still completing: then within these.
placed() {
	local nodes offered
	nodes=$(started "$1")
	offered=$(field offered "$(decision "$1")")
	if [ "$offered" -eq "$(host_list hostnames "$3" | wc -l)" ]; then
		is "$nodes, $(strategy_of "$1")" "$(smesh_nodes mm "$2" "$3"), mm" "$4"
	else
		nodes_in "$nodes" "$3" && [ "$(strategy_of "$1")" = mm ]
		ok $? "$4 (of $offered offered: $nodes)"
	fi
}

# nodes_but ID: all that are not the job's
nodes_but() {
	host_list hostlistsorted "$(comm -23 <(printf '%s\n' "${cluster_names[@]}" | sort) \
		<(host_list hostnames "$(job_nodes "$1")" | sort) | paste -sd,)"
}

# all_idle NAME: nothing was leaked
all_idle() {
	cancel_all
	is "$(idle_nodes)" "n[0-15]" "$1: all nodes are idle in the end"
}

mesh_cluster nodes=16 dbd=yes topology='MeshName=m Dims=4x4 Nodes=n[0-15]' auth=cred_expire=20 \
	params=mesh_strategy=mm,mesh_comment=yes conf="$(conf REQUEUE)" || exit
sacctmgr -iQ add qos low preemptmode=requeue >/dev/null &&
	sacctmgr -iQ add qos high preempt=low >/dev/null &&
	sacctmgr -iQ add qos group grptres=node=8 >/dev/null &&
	sacctmgr -iQ add qos small maxtresperjob=node=4 >/dev/null &&
	sacctmgr -iQ add account tests >/dev/null &&
	sacctmgr -iQ add user "$(id -un)" account=tests qos=low,high,group,small,normal defaultqos=normal >/dev/null
ok $? "four QOS in the database"
set_low requeue
ok $? "which slurmctld hears of"

# ---- Requeue ----
lows "${halves[@]}"
is "$(states "${low[@]}")" "2 RUNNING" "all nodes are held by jobs of QOS low"
like "$(sbatch --test-only --qos=high -N4 --exclusive --wrap true 2>&1)" "to start at $(date +%Y-%m-%dT%H)" \
	"--test-only with QOS high: now, by preemption"
like "$(sbatch --test-only --qos=normal -N4 --exclusive --time=1 --wrap true 2>&1)" \
	"to start at $(job_field "${low[0]}" EndTime)" "--test-only with a QOS that preempts nobody: at their end"
n=$(submit 4 600 --exclusive --qos=normal --time=10)
pending "$n"
ok $? "such a job waits"
scancel "$n"
a=$(submit 4 600 --exclusive --qos=high --time=10)
started "$a" >/dev/null
wait_for 20 states_are "1 PENDING 1 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "1 PENDING 1 RUNNING" "for a job of QOS high one is requeued, one goes on"
half=${halves[0]}
job_is "${low[0]}" PENDING || half=${halves[1]}
placed "$a" 4 "$half" "it is placed among the nodes of that one"
b=$(submit 14 600 --exclusive --qos=high)
begin_of() { squeue -h --start -j "$1" -o %S; }
predicted() { [[ $(begin_of "$b") == 20* ]]; }
wait_for 30 predicted
is "$(begin_of "$b")" "$(job_field "$a" EndTime)" "squeue --start of one that needs those nodes too: at its end"
is "$(states "$a" "${low[@]}")" "1 PENDING 2 RUNNING" "which it does not hasten, nor preempts others before"
scancel "$a"
started "$b" >/dev/null
wait_for 20 states_are "2 PENDING" "${low[@]}"
is "$(job_state "$b"), $(states "${low[@]}")" "RUNNING, 2 PENDING" "then it preempts"
placed "$b" 14 "n[0-15]" "and is placed among all nodes"
scancel "$b"
wait_for 120 states_are "2 RUNNING" "${low[@]}"
is "$(for id in "${low[@]}"; do job_nodes "$id"; done | xargs)" "${halves[*]}" "those requeued run again"
is "$(for id in "${low[@]}"; do job_field "$id" Restarts; done | xargs)" "1 1" "each for the second time"
a=$(submit 9 5 --exclusive --qos=high --mesh-shape=3x3)
is "$(sides "4 4" "$(started "$a")")" 3x3 "a shape by preemption"
all_idle REQUEUE

# ---- Cancel ----
set_low cancel
lows "${halves[@]}"
a=$(submit 6 600 --exclusive --qos=high --contiguous)
like "$(sides "4 4" "$(started "$a")")" '^(3x2|2x3)$' "a box by preemption"
wait_for 20 job_is "${low[0]}" PREEMPTED || wait_for 20 job_is "${low[1]}" PREEMPTED
like "$(states "${low[@]}")" PREEMPTED "with QOS low cancelled instead ($(states "${low[@]}"))"
all_idle CANCEL

# ---- Suspend ----
slurmctld_stop
cluster_set conf="$(conf SUSPEND,GANG)"
slurmctld_start && wait_for 60 cluster_all_idle
ok $? "slurmctld with PreemptMode=SUSPEND,GANG"
set_low suspend
ok $? "suspend is what QOS low is preempted by"
lows "${halves[@]}"
a=$(submit 4 8 --exclusive --qos=high -p tier)
nodes=$(started "$a")
wait_for 20 states_are "1 RUNNING 1 SUSPENDED" "${low[@]}"
is "$(states "${low[@]}")" "1 RUNNING 1 SUSPENDED" "one is suspended for a job of QOS high"
half=${halves[0]}
job_is "${low[0]}" SUSPENDED || half=${halves[1]}
placed "$a" 4 "$half" "which is placed among the nodes of that one"
wait_for 30 job_is "$a" COMPLETED
ok $? "it completes"
wait_for 30 states_are "2 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "2 RUNNING" "and the other goes on"
a=$(submit 6 5 --exclusive --qos=high -p tier --contiguous)
like "$(sides "4 4" "$(started "$a")")" '^(3x2|2x3)$' "a box by suspending"
wait_for 30 job_is "$a" COMPLETED && wait_for 30 states_are "2 RUNNING" "${low[@]}"
is "$(states "${low[@]}")" "2 RUNNING" "and all go on"
all_idle SUSPEND

low_as+=(-p turns)
lows "${halves[@]}"
a=$(submit 4 600 --exclusive --qos=high -p turns)
nodes=$(started "$a")
# They change places all the time, so the first look that finds it so counts.
wait_for 20 states_are "2 RUNNING 1 SUSPENDED" "$a" "${low[@]}"
ok $? "in one partition"
half=${halves[0]}
nodes_in "$nodes" "$half" || half=${halves[1]}
placed "$a" 4 "$half" "it is placed so too"
wait_for 30 job_is "$a" SUSPENDED
is "$(states "$a" "${low[@]}")" "2 RUNNING 1 SUSPENDED" "and takes turns with the other"
all_idle turns

# ---- Limits, and what is kept ----
a=$(submit 4 600 --exclusive --qos=group)
placed "$a" 4 "n[0-15]" "a job of a QOS with GrpTRES=node=8"
b=$(submit 5 600 --exclusive --qos=group)
wait_for 20 job_has "$b" Reason QOSGrpNodeLimit
ok $? "one that would be beyond waits for that"
c=$(submit 4 600 --exclusive --qos=group)
placed "$c" 4 "$(nodes_but "$a")" "one within is placed"
scancel "$a" "$b" "$c"
wait_for 30 cluster_all_idle
a=$(submit 2-9 600 --exclusive --qos=small)
placed "$a" 4 "n[0-15]" "MaxTRESPerJob=node=4: of -N2-9 four, placed by the strategy"
b=$(submit 5 600 --exclusive --qos=small)
wait_for 20 job_has "$b" Reason QOSMaxNodePerJobLimit
ok $? "-N5 waits for ever"
c=$(sbatch --parsable -o /dev/null --qos=small --mesh-shape=4x2 --wrap true)
d=$(FORGE_ACCOUNT=tests FORGE_QOS=small "$builddir/test-programs/forge" 0 MESH_SHAPE=4x2)
wait_for 20 job_has "$c" Reason QOSMaxNodePerJobLimit
ok $? "so does a shape of 8"
wait_for 20 job_has "$d" Reason QOSMaxNodePerJobLimit
ok $? "and a forged one"
sacctmgr -i -Q modify qos small set Flags=DenyOnLimit >/dev/null
refused() { ! FORGE_ACCOUNT=tests FORGE_QOS=small "$builddir/test-programs/forge" 0 MESH_SHAPE=4x2 >/dev/null 2>&1; }
wait_for 20 refused
ok $? "which is refused with DenyOnLimit"
all_idle limits
told() { sacct -j "$1" -X -n -P -o AdminComment; }
has_told() { [ -n "$(told "$1")" ]; }
wait_for 20 has_told "$a"
is "$(told "$a")" "mesh: strategy=mm mean_hops=1.333 best=1.333" "sacct has the AdminComment"
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
