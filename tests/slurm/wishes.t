#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a job asked for stays what it asked for: the size that its shape implies is written into it,
# limits see it, no option, strategy or other plugin that comes later changes it; and what is forged
# is judged once.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' auth=cred_expire=20 \
	conf='PartitionName=small Nodes=n[0-15] MaxNodes=4
PartitionName=other Nodes=n[0-15]' || exit

# batch OPTION...: a job that sleeps; forged NAME=VALUE...: one that no command would let pass
batch() { sbatch --parsable -o /dev/null --time=10 "$@" --wrap 'sleep 600'; }
forged() { "$builddir/test-programs/forge" "$@"; }
# params KEY=VALUE,...: and a reconfigure that has taken effect
params() {
	cluster_set params="$1"
	reconfigure
	sleep 0.5
}
# size ID: as scontrol tells it of jobs that wait, 8-8, or run, 8
size() { job_field "$1" NumNodes | sed 's/^\(.*\)-\1$/\1/'; }
reason_like() { [[ $(squeue -h -j "$1" -o %r) =~ $2 ]]; }

# ---- The size of a shape is the job's ----
a=$(batch -N16 --exclusive)
started "$a" >/dev/null
id=$(batch --mesh-shape=4x2)
b=$(forged 0 MESH_SHAPE=4x2)
tasks=$(batch --mesh-shape=2x2 --ntasks-per-node=1 -p other)
array=$(batch --mesh-shape=2x2 --array=1-2)
pending "$b"
is "$(size "$id"),$(size "$b")" 8,8 "--mesh-shape=4x2 without -N: 8 nodes, forged or not"
is "$(size "$tasks"),$(job_field "$tasks" NumTasks)" 4,4 "--ntasks-per-node=1: a task on each"
like "$(job_field "$b" TRES)$(job_field "$b" ReqTRES)" 'node=8' "its TRES, which limits are about, say so"
like "$(scontrol show job "$id")" 'SystemComment=mesh: shape=4x2' "scontrol show job tells the shape"
save_state "$id"
params mesh_user_options=none
scancel "$a"
started "$id" >/dev/null
started "$b" >/dev/null
is "$(size "$id"),$(size "$b")" 8,8 "mesh_user_options=none while they wait: 8 nodes still"
scancel "$id" "$b"
started "$tasks" >/dev/null
started "${array}_2" >/dev/null
is "$(size "$tasks"),$(size "${array}_1"),$(size "${array}_2")" 4,4,4 \
	"tasks of an array too"
scontrol requeue "$tasks"
restarted() { [ "$(job_field "$tasks" Restarts)" = 1 ] && job_is "$tasks" RUNNING; }
wait_for 90 restarted
is "$(size "$tasks")" 4 "and after a requeue"
cancel_all
params ""

# ---- Limits see it ----
partitions=${cluster[conf]}
cluster_set conf="$partitions"$'\nEnforcePartLimits=ANY'
reconfigure
fails 1 "$(sbatch -p small -N16 --wrap true 2>&1)" "EnforcePartLimits=ANY: 4x4 with MaxNodes=4 is refused as -N16 is" \
	sbatch -p small --mesh-shape=4x4 --wrap true
fails 1 'node configuration is not available' "and a forged one at submission" forged 0@small MESH_SHAPE=4x4
id=$(forged 0@small,other MESH_SHAPE=4x2)
ok $? "ANY: not where another of its partitions may have so many"
cancel_all
cluster_set conf="$partitions"$'\nEnforcePartLimits=ALL'
reconfigure
for both in small,other other,small; do
	fails 1 'Requested|Node count' "ALL: all of them must ($both)" forged "0@$both" MESH_SHAPE=4x2
done
is "$(squeue -h -o %i)" "" "and none of them waits"
cluster_set conf="$partitions"
reconfigure
a=$(batch -N8 --exclusive -w 'n[0-7]')
started "$a" >/dev/null
id=$(batch -p small --mesh-shape=4x2)
b=$(forged 0@small MESH_SHAPE=4x2)
wide=$(batch -N16 --exclusive)
wait_for 20 reason_like "$id" PartitionNodeLimit
is "$(squeue -h -j "$id" -o %r)" PartitionNodeLimit "MaxNodes=4: a shape of 8 waits for that, as -N8 would"
wait_for 20 reason_like "$b" PartitionNodeLimit
is "$(squeue -h -j "$b" -o %r)" PartitionNodeLimit "and a forged one"
ids=()
for _ in 1 2 3 4; do ids+=("$(sbatch --parsable -o /dev/null --time=2 -N2 --exclusive --wrap 'sleep 600')"); done
wait_for 30 states_are "4 RUNNING" "${ids[@]}"
is "$(states "${ids[@]}")" "4 RUNNING" "the machine is not kept idle for it: short jobs run beside the one that waits"
is "$(job_state "$wide")" PENDING "(which waits)"
cancel_all
like "$(ctld_log 0 "JobId=$id mode=.*chosen=[1-9]")" '^$' "it was never given nodes"

# ---- Switching back ----
# change SELECT: another SelectType, and a restart of all daemons
change() {
	save_state "$id"
	slurmctld_stop
	slurmd_stop TERM "${cluster_names[@]}"
	cluster_set select="$1"
	slurmctld_start && slurmd_start "${cluster_names[@]}" && wait_for 60 cluster_all_known
}
a=$(batch -N10 --exclusive)
c=$(batch -N6 --exclusive)
started "$a" >/dev/null
started "$c" >/dev/null
b=$(forged 0 MESH_SHAPE=4x2)
id=$(batch --mesh-shape=4x2)
pending "$id"
change select/cons_tres
scancel "$c"
wait_for 30 job_is "$c" CANCELLED
go_round
is "$(states "$id" "$b")" "2 PENDING" "under select/cons_tres 6 nodes are too few"
scancel "$a"
started "$id" >/dev/null
started "$b" >/dev/null
is "$(size "$id"),$(size "$b")" 8,8 "and they get 8"
cancel_all
slurmctld_stop
slurmd_stop TERM "${cluster_names[@]}"
cluster_set select=select/mesh
slurmctld_start && slurmd_start "${cluster_names[@]}" && wait_for 60 cluster_all_known

# ---- Forged ----
a=$(batch -N16 --exclusive)
started "$a" >/dev/null
before=$(ctld_log_lines)
ids=()
for i in {1..20}; do ids+=("$(forged 1 MESH_SHAPE=AxBxC MESH_STRATEGY=nonsense MESH_HINT=scatter)"); done
pending "${ids[19]}"
for _ in 1 2 3; do go_round; done
is "$(ctld_log "$before" 'ignored' | wc -l)" 20 "nonsense of 20 jobs: a line each, however long they wait"
like "$(job_field "${ids[3]}" SystemComment)$(scontrol show job "${ids[3]}")" 'SystemComment=mesh: hint=scatter' \
	"what makes sense is kept and shown"
b=$(forged 1 MESH_STRATEGY=nonsense)
pending "$b"
like "$(scontrol show job "$b")" 'SystemComment=mesh: none' "nothing that does: said so"
save_state "$b"
before=$(ctld_log_lines)
slurmctld_stop
slurmctld_start
wait_for 60 cluster_all_known
go_round
is "$(ctld_log "$before" 'ignored')" "" "not judged again after a restart"
cancel_all

# An environment of any size is looked through once.
mapfile -t words < <(for i in {1..2000}; do printf '%s\n' MESH_SHAPE=4x2 "X$i=1"; done)
a=$(forged 0 MESH_SHAPE=2x2 "${words[@]}" MESH_HINT=compact)
started "$a" >/dev/null
is "$(size "$a")" 8 "words said 2,000 times: the first of them count"
[ "$(scontrol show job "$a" | grep SystemComment | wc -c)" -lt 400 ]
ok $? "and few are shown"
is "$(ctld_log 0 "JobId=$a: .*ignored" | grep -c 'said too often')" 1 "in one line"
cancel_all

# ---- What squeue says ----
a=$(batch -N16 --exclusive)
started "$a" >/dev/null
id=$(batch --mesh-shape=4x2:norotate)
# Until the main scheduler comes by.
tells_of_box() { reason=$(squeue -h -j "$id" -o %r) && [[ $reason == 'Waits for a box of 4x2' ]]; }
wait_for 30 tells_of_box
like "$("$SMESH" why "$id")" '8 nodes, a box of 4x2, reason' "smesh why knows that it wants a box"
wait_for 30 job_has "$id" StartTime "$(job_field "$a" EndTime)"
ok $? "squeue: for which box a job waits; StartTime: when"
cancel_all

# ---- Updates of a job that waits ----
a=$(batch -N16 --exclusive)
started "$a" >/dev/null
id=$(batch --mesh-shape=3x3)
b=$(batch --mesh-shape=3x3)
ring=$(batch --mesh-shape=ring:6)
pending "$ring"
is "$(size "$id")" 9 "a shape of 9 waits"
scontrol update JobId="$id" NumNodes=12-12
scontrol update JobId="$b" NumNodes=8-8
scontrol hold "$b"
scontrol update JobId="$ring" NumNodes=4-4
wait_for 30 reason_like "$id" BadConstraints
is "$(squeue -h -j "$id" -o '%r %Q')" "BadConstraints 0" "made larger than its shape: held, as it can never run"
wait_for 30 reason_like "$ring" BadConstraints
is "$(squeue -h -j "$ring" -o '%r %Q')" "BadConstraints 0" "a ring of another length: held too"
scancel "$ring"
like "$(ctld_log 0 "JobId=$id: it can never run")" 'asks for 12 nodes' "slurmctld's log says why"
like "$("$SMESH" why "$id")" "room: never, its shape is of 9 nodes and it asks for 12: scontrol update JobId=$id NumNodes=9" \
	"and smesh why, and what to do"
is "$("$SMESH" why "$id" | grep -c requeue)" 0 "no job is requeued for it"
scontrol update JobId="$id" NumNodes=9-9 NumCPUs=9
scontrol release "$id"
scancel "$a"
like "$(sides "4 4" "$(started "$id")")" '^3x3$' "made its size again, and released: it gets its box"
scancel "$id"
scontrol release "$b"
is "$(started "$b" >/dev/null; size "$b")" 8 "made smaller: so many nodes of such a box"
cancel_all

# ---- Forgetting a wish ----
a=$(batch -N1 -w n5)
started "$a" >/dev/null
id=$(batch --mesh-shape=4x3:norotate)
b=$(batch --mesh-shape=3x4:norotate)
pending "$b"
ok $? "n5 is taken: no box of 12"
like "$(size "$id")" '^12$' "12 nodes are what it asked for"
scontrol update JobId="$id" Comment='mesh: none'
started "$id" >/dev/null
is "$(size "$id"),$(strategy_of "$id")" 12,mm "Comment='mesh: none': any 12 near each other"
scancel "$id"
scontrol hold "$b"
shape_of() { "$SMESH" map --noheader --format=job,shape | awk -v job="$b" '$1 == job { print $2 }'; }
is "$(shape_of)" "3x4" "smesh says what a waiting job wants"
scontrol update JobId="$b" AdminComment='no boxes today; mesh: none'
is "$(shape_of)" "-" "and that it wants no box any more"
scontrol release "$b"
started "$b" >/dev/null
is "$(size "$b"),$(strategy_of "$b")" 12,mm "the same in the administrator's comment"
cancel_all
a=$(batch -N10 --exclusive)
started "$a" >/dev/null
id=$(forged 0 MESH_SHAPE=4x2)
pending "$id"
scontrol update JobId="$id" Comment='mesh: none' NumNodes=4 NumCPUs=4
started "$id" >/dev/null
like "$(job_state "$id"),$(size "$id")" '^RUNNING,[46]$' "with NumNodes=4, where slurmctld had written the size: four are enough"
cancel_all
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
done_testing
