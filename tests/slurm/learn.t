#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# snug-box puts a job beside one that ends when it does. Without time limits it goes by how long the
# last jobs of the same user and name ran.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=16 params=mesh_strategy=snug-box,mesh_max_time=0 \
	topology='MeshName=m Dims=16 Nodes=n[0-15]' \
	partition='OverSubscribe=EXCLUSIVE DefaultTime=60' || exit

# run NAME SECONDS OPTION...: two nodes
run() { submit 2 "$2" -J "$1" "${@:3}"; }

# ends SHORT LONG OPTION...: jobs of those names at the two ends of the line, a moment after each
# other; where the next long one is put
ends() {
	local left right it
	left=$(run "$1" 300 -w 'n[0-1]' "${@:3}")
	started "$left" >/dev/null
	right=$(run "$2" 300 -w 'n[14-15]')
	started "$right" >/dev/null
	it=$(run "$2" 300)
	started "$it"
	scancel "$left" "$right" "$it"
	wait_for 30 cluster_all_idle
}

is "$(ends short long)" "n[2-3]" "nothing is known: at the low end"
for times in 1 2; do
	a=$(run short 1)
	b=$(run long 12)
	wait_for 30 job_is "$a" COMPLETED && wait_for 30 job_is "$b" COMPLETED
	ok $? "jobs of 1 and of 12 s have run, $times"
done
is "$(ends short long)" "n[12-13]" "the next long job is put beside the long one"
is "$(ends short long --time=30)" "n[2-3]" "which counts for less than a time limit of its own"
cluster_set params=mesh_strategy=snug-box,mesh_max_time=0,mesh_learn=no
reconfigure
is "$(ends short long)" "n[2-3]" "mesh_learn=no: not"
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
