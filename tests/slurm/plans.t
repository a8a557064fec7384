#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where backfill plans a job that waits, it keeps the nodes of the plan from all that would still run
# then. mesh_tight_plans: those that are free last, so that other jobs can have the rest.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=10 params=mesh_strategy=snug,mesh_max_time=0,mesh_tight_plans=yes,bf_interval=1 \
	partition=OverSubscribe=EXCLUSIVE topology='MeshName=m Dims=10 Nodes=n[0-9]' || exit

# at ID: minutes until it begins, as backfill has it
at() {
	local start
	start=$(squeue -h -j "$1" -o %S)
	[ "$start" = N/A ] || echo $((($(date -d "$start" +%s) - $(date +%s) + 30) / 60))
}

is_planned() {
	[ "$(at "$1")" = "$2" ]
}

# Four nodes are free in 10 minutes, two in 5, four now.
started "$(submit 4 3000 -t 10 -w 'n[6-9]')" >/dev/null
started "$(submit 2 3000 -t 5 -w 'n[4-5]')" >/dev/null
first=$(submit 7 3000 -t 30 --priority=2000)
wait_for 30 is_planned "$first" 10
ok $? "seven nodes: in ten minutes"
long=$(submit 3 3000 -t 60 --priority=1000)
is "$(started "$long")" "n[1-3]" "three for an hour begin now: kept are the six that end, and one of those free"
more=$(submit 1 3000 -t 60 --priority=900)
pending "$more"
is "$(job_state "$more")" PENDING "one more would be in the way"
is "$(started "$(submit 1 3000 -t 2 --priority=800)")" n0 "it is not, where it ends before"
is "$(at "$first")" "$(at "$first" | grep -x '10\|9')" "the first still begins when it would have"

# Of nodes that it must have one is free now.
scancel "$long" "$more" "$first"
first=$(submit 7 3000 -t 30 --priority=2000 -w n0)
wait_for 30 is_planned "$first" 10 || wait_for 5 is_planned "$first" 9
ok $? "n0 and six others: then, too"
is "$(started "$(submit 2 3000 -t 60 --priority=1000)")" "n[2-3]" "and what is free besides begins"
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
