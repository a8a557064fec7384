#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where backfill plans a job that waits, it keeps the nodes of the plan from all that would still run
# then. Of the job that is next: those that are free last, so that other jobs can have the rest; with
# mesh_tight_plans, of all jobs. Like the stock plugin's, plans are late by its windows (30 s, then doubling).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=10 params=mesh_strategy=snug,mesh_max_time=0,bf_interval=1 \
	partition=OverSubscribe=EXCLUSIVE topology='MeshName=m Dims=10 Nodes=n[0-9]' || exit

# planned_at ID JOB: is it planned for the end of that job?
planned_at() {
	[ "$(squeue -h -j "$1" -o %S)" = "$(job_field "$2" EndTime)" ]
}

# params [KEY=VALUE]: besides those above
params() {
	cluster_set "params=${1:+$1,}mesh_strategy=snug,mesh_max_time=0,bf_interval=1"
	reconfigure
}

# planned_on ID NODES
planned_on() {
	[ "$(squeue -h --start -j "$1" -o %Y)" = "$2" ]
}

# One node is free in 12 minutes, three in 10, two in 5, four now.
one=$(submit 1 3000 -t 12 -w n9)
started "$one" >/dev/null
three=$(submit 3 3000 -t 10 -w 'n[6-8]')
started "$three" >/dev/null
started "$(submit 2 3000 -t 5 -w 'n[4-5]')" >/dev/null
first=$(submit 7 3000 -t 30 --priority=2000)
wait_for 30 planned_at "$first" "$one"
ok $? "seven nodes: at the end of the window, 8 minutes after the first of the ends"
like "$(sbatch --test-only --priority=3000 -N7 --exclusive -t 30 --wrap true 2>&1)" "to start at $(job_field "$three" EndTime)" \
	"--test-only: at the first end that leaves enough"
params bf_window_linear=60
wait_for 30 planned_at "$first" "$three"
ok $? "bf_window_linear=60: windows grow by a minute, and this one ends with the ten"
params
wait_for 30 planned_at "$first" "$one"
long=$(submit 3 3000 -t 60 --priority=1000)
is "$(started "$long")" "n[1-3]" "three for an hour begin now: kept are the six that end, and one of those free"
more=$(submit 1 3000 -t 60 --priority=900)
pending "$more"
is "$(job_state "$more")" PENDING "one more would be in the way"
short=$(submit 1 3000 -t 2 --priority=800)
is "$(started "$short")" n0 "it is not, where it ends before"
scancel "$short"
wait_for 30 planned_at "$first" "$one"
ok $? "the first still begins when it would have"

# Of nodes that it must have one is free now.
scancel "$long" "$more" "$first"
first=$(submit 7 3000 -t 30 --priority=2000 -w n0)
wait_for 30 planned_at "$first" "$one"
ok $? "n0 and six others: then, too"
long=$(submit 2 3000 -t 60 --priority=1000)
is "$(started "$long")" "n[2-3]" "and what is free besides begins"

# Behind a job for two minutes of six nodes there are those.
cancel_all
started "$(submit 4 3000 -t 10 -w 'n[6-9]')" >/dev/null
started "$(submit 2 3000 -t 5 -w 'n[4-5]')" >/dev/null
first=$(submit 6 3000 -t 2 --priority=2000)
wait_for 30 planned_on "$first" 'n[0-5]'
second=$(submit 5 3000 -t 60 --priority=1000)
wait_for 30 planned_on "$second" 'n[0-4]'
ok $? "the plan of a job that is not next is compact"
params mesh_tight_plans=yes
wait_for 30 planned_on "$second" 'n[0-2,4-5]'
ok $? "mesh_tight_plans=yes: of the nodes that are free last"

# Boxes behind each other: from 24.11 on backfill asks about one stretch of time after the other.
cancel_all
params
started "$(submit 10 3000 -t 10)" >/dev/null
boxes=()
for n in 8 8 2 8; do
	boxes+=("$(submit "$n" 3000 -t 20 --priority=$((2000 - ${#boxes[@]})) --mesh-shape="$n")")
done
# minutes: between the first plan and each
minutes() {
	local from=0 id at
	for id in "${boxes[@]}"; do
		at=$(epoch "$(squeue -h --start -j "$id" -o %S)") || return
		from=${from/#0/$at}
		echo $(((at - from + 30) / 60))
	done 2>/dev/null | xargs
}
# Within a minute: the plans of one look may be of two cycles.
behind() { [[ $(minutes) =~ ^0\ (19|2[01])\ 0\ (39|4[0-2])$ ]]; }
wait_for 30 behind
ok $? "three boxes of eight are planned one after the other, one of two beside the first ($(minutes))"
nodes=$(squeue -h --start -j "${boxes[0]}" -o %Y)
[ -n "$(sides 10 "$nodes")" ] && ! nodes_in "$(squeue -h --start -j "${boxes[2]}" -o %Y)" "$nodes"
ok $? "both are boxes, apart from each other ($nodes)"

# Before 24.11 backfill asks about a job several times. Once the stock plugin has taken nodes for a later
# start, as many others of the same kind are not offered to it: it would take them, too.
if slurm_is -lt 24.11; then
	cancel_all
	for n in 0 2 4 6 8; do
		started "$(submit 2 3000 -t $((10 + 4 * n)) -w "n[$n-$((n + 1))]")" >/dev/null
	done
	for n in 3 2 1 3 2 1; do
		id=$(submit "$n" 3000 -t 30)
	done
	# lines PATTERN: of the log, about the last of them
	lines() { ctld_log 0 "JobId=$id $1" | wc -l; }
	looked() { [ "$(lines 'mode=will_run .* later')" -ge 6 ]; }
	wait_for 30 looked
	offers=$(lines 'node_mode:.*:Will_Run') plans=$(lines 'mode=will_run .* later')
	[ "$offers" -gt 0 ] && [ "$offers" -lt "$plans" ]
	ok $? "the stock plugin is asked about some of a job's starts ($offers of $plans)"
else
	skip "the stock plugin is asked about some of a job's starts" "backfill asks once"
fi
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
