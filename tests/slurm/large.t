#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 4,096 nodes and many jobs pending: what a main cycle and a backfill cycle cost under select/mesh,
# beside stock select/cons_tres with the same jobs. One process stands in for the nodes. And what a
# decision takes where the nodes are in many meshes.
#
# LARGE=1000 in the environment is the full length: 1,000 jobs (about 4 minutes); default 150.
# Mean cycles for publication: tests/lab/bench/cycle.sh, on a quiet machine.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_standin
jobs=${LARGE:-150}

table=$(RUNS=1 "$srcdir/tests/lab/bench/cycle.sh" 4096 "$jobs" $((12 + jobs / 50)) 2>&1)
sed 's/^/# /' <<<"$table"

# column SCHEDULER NAME N
column() { awk -v line="$1 $2" -v column="$3" '$1 " " $2 == line { print $column }' <<<"$table"; }
# both NAME: microseconds of CPU time of a main cycle and a backfill cycle together
both() { echo $(($(column main "$1" 7) + $(column backfill "$1" 7))); }

stock=$(both stock)
for name in stock mm; do
	[ "$(column main "$name" 6)" -gt 0 ]
	ok $? "$name: jobs start among $jobs on 4,096 nodes"
	[ "$(column main "$name" 4)" -gt 0 ] && [ "$(column backfill "$name" 4)" -gt 0 ]
	ok $? "$name: both schedulers go round"
done
# 1.2 is what is wanted (see doc/operations.md), on a machine that does nothing else.
[ $(($(both mm) * 10)) -le $((stock * 15)) ]
ok $? "a cycle of both takes at most 1.5 times the CPU time of stock ($(both mm) and $stock us)"

# As many nodes in 1,024 meshes: nothing is done for each mesh that takes as long as the number of nodes.
mesh_cluster nodes=4096 one_port=yes standin="$standin" params=mesh_log=yes debug= partition=OverSubscribe=EXCLUSIVE \
	topology="$(for i in {0..1023}; do echo "MeshName=m$i Dims=2x2 Nodes=n[$((4 * i))-$((4 * i + 3))]"; done)" || exit
least=1000000
for _ in 1 2 3 4 5; do
	id=$(MESH_RUNTIME=900 submit 4 900 --export=MESH_RUNTIME)
	started "$id" >/dev/null
	time=$(field usec "$(decision "$id")")
	[ "$time" -ge "$least" ] || least=$time
done
[ "$least" -lt 6000 ]
ok $? "one of five decisions among 1,024 meshes takes less than 6 ms ($least us)"
done_testing
