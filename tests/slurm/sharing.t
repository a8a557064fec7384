#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that share nodes: the strategy chooses among exactly the nodes where the stock plugin would
# accept the job, whatever it is that they have left: CPUs, memory, GRES, or all of them.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=18 params=mesh_max_time=0 select_params=CR_CPU_Memory \
	topology='MeshName=m Dims=4x4 Wrap=no,yes Nodes=n[0-15]' \
	gres='NodeName=n[0-15] Name=gpu File=/dev/null,/dev/zero' \
	nodelines='NodeName=n[0-15] CPUs=4 RealMemory=1000 Gres=gpu:2
NodeName=n[16-17] CPUs=4 RealMemory=8000' conf='DefMemPerCPU=10' || exit

# batch OPTION...: a job that sleeps
batch() { sbatch --parsable -o /dev/null "$@" --wrap 'sleep 300'; }

# hold LIST OPTION...: a job of one task on each of these nodes
hold() {
	local node id ids=()
	for node in $(host_list hostnames "$1"); do
		ids+=("$(batch -N1 -n1 -w "$node" "${@:2}")")
	done
	for id in "${ids[@]}"; do started "$id" >/dev/null; done
}

# exactly COUNT FREE NAME OPTION...: it gets what smesh alloc says of these nodes
exactly() {
	local count=$1 free=$2 name=$3 id
	id=$(batch -N"$count" "${@:4}")
	is "$(hosts_sorted "$(started "$id")") $(strategy_of "$id")" \
		"$(smesh_nodes mm "$count" "$free" "$id") mm" "$name"
	scancel "$id"
	wait_for 20 job_is "$id" CANCELLED
}

hold "n[1,4,6,11-12]" --mem=600
exactly 5 "n[0,2-3,5,7-10,13-15]" "--mem=500: among the nodes with so much left" -n5 --mem=500
exactly 7 "n[0-15]" "--mem=300: among all" -n7 --mem=300
exactly 5 "n[0,2-3,5,7-10,13-15]" "--mem-per-cpu=250, two CPUs each" -n5 -c2 --mem-per-cpu=250
hold "n[0,5,7,10]" --gres=gpu:2
hold n3 --gres=gpu:1
exactly 5 "n[1-4,6,8-9,11-15]" "--gres=gpu:1: among the nodes with one left" -n5 --gres=gpu:1
exactly 5 "n[1-2,4,6,8-9,11-15]" "--gres=gpu:2: among those with two" -n5 --gres=gpu:2
exactly 4 "n[2-3,8-9,13-15]" "--gpus-per-node with --mem: both" -n4 --gpus-per-node=1 --mem=500
hold "n[2,8]" -n3
exactly 4 "n[3,9,13-15]" "with two CPUs besides: all three" -n4 -c2 --gpus-per-node=1 --mem=500
exactly 3 "n[3,13-15]" "and without the nodes of -x" -n3 -c2 --gpus-per-node=1 --mem=500 -x n9
id=$(batch -N6 -n6 -c2 --gpus-per-node=1 --mem=500)
pending "$id"
ok $? "one node more than there are: it waits"
scancel "$id"
id=$(batch --gpus=4 --mem=500)
nodes=$(started "$id")
is "$(job_field "$id" NumNodes) $(strategy_of "$id")" "2 mm" "--gpus=4: on two nodes ($nodes)"
nodes_in "$nodes" "n[2,8-9,13-15]"
ok $? "with two of them each"
cancel_all
id=$(batch --gpus=20)
nodes=$(started "$id")
is "$(job_field "$id" NumNodes) $(strategy_of "$id")" "10 mm" "--gpus=20, of which the first guess is one node ($nodes)"
is "$(hosts_sorted "$nodes")" "$(smesh_nodes mm 10 "n[0-15]" "$id")" "on the ten that are near each other"
cancel_all

# ---- Boxes beside others ----
hold "n[0,2,5,7-8,10,13,15]" --mem=600
id=$(batch -N4 -n4 --contiguous --mem=500)
pending "$id"
ok $? "--contiguous --mem=500: no box of nodes with so much left, it waits"
id=$(batch -N4 -n4 --contiguous --mem=100)
like "$(sides "4 4" "$(started "$id")")" '^(2x2|1x4|4x1)$' "--contiguous --mem=100: a box of nodes that others are on"
scancel "$id"
id=$(batch --mesh-shape=4x2:norotate --mem=100)
is "$(sides "4 4" "$(started "$id")")" 4x2 "a shape, too"
cancel_all
hold "n[0-1,4,6,9,12]" -n1
id=$(batch -N4 -n16 --contiguous)
nodes=$(started "$id")
like "$(sides "4 4" "$nodes")" '^(2x2|1x4|4x1)$' "-N4 -n16 --contiguous: a box of nodes with four CPUs left"
nodes_in "$nodes" "n[2-3,5,7-8,10-11,13-15]"
ok $? "none of those with three ($nodes)"
cancel_all

# ---- -n without -N where nodes are full of others ----
hold "n[0-15]" -n3
scontrol create partitionname=low nodes="n[0-11]" >/dev/null
scontrol create partitionname=high nodes="n[8-15]" >/dev/null
id=$(batch -n10 -p low)
nodes=$(started "$id")
is "$(job_field "$id" NumNodes) $(strategy_of "$id")" "10 mm" "-n10, one CPU left on each: on ten nodes ($nodes)"
scancel "$id"
id=$(batch -n4 --contiguous)
like "$(sides "4 4" "$(started "$id")")" '^(2x2|1x4|4x1)$' "-n4 --contiguous: a box of four"
cancel_all

# ---- Partitions that overlap ----
a=$(batch -p low -N9 --exclusive)
started "$a" >/dev/null
nodes_in "n[0-7]" "$(job_nodes "$a")"
ok $? "a job in one of two partitions that overlap: first the nodes that are its alone"
exactly 4 "n[12-15]" "in the other likewise" -p high --exclusive
scontrol delete partitionname=high
# smesh sees each job whole, on whatever nodes it shares: three jobs on n[0-7], of which the longest ends last.
cancel_all
a=$(batch -N8 -n8 -w 'n[0-7]' -t 10)
b=$(batch -N4 -n4 -w 'n[4-7]' -t 30)
c=$(batch -N4 -n4 -w 'n[0-3]' -t 20)
for id in "$a" "$b" "$c"; do started "$id" >/dev/null; done
like "$("$SMESH" why "$a" 2>&1)" "job $a .* runs: 8 nodes" "smesh why: a job that shares all its nodes has them all"
like "$("$SMESH" why "$b" 2>&1)" "job $b .* runs: 4 nodes" "and so has the other on them"
wish=$(sbatch --parsable -o /dev/null -N14 --exclusive -w 'n[0-3]' --wrap true)
like "$("$SMESH" why "$wish" 2>&1)" "room: enough free nodes when job $b ends" "nodes are free when the last of their jobs has ended"
like "$("$SMESH" metrics 2>&1)" 'hops' "and smesh metrics has figures"
cancel_all

# ---- Two jobs on the same CPUs ----
scontrol create partitionname=twice nodes='n[0-15]' oversubscribe=force:2 state=up
for wish in '-N12 -n48' '-N12 -n48 --contiguous'; do
	ids=()
	for i in 1 2 3; do
		# shellcheck disable=SC2086
		ids+=("$(batch -p twice -t 10 $wish)")
	done
	wait_for 20 states_are "1 PENDING 2 RUNNING" "${ids[@]}"
	is "$(states "${ids[@]}")" "1 PENDING 2 RUNNING" "OverSubscribe=FORCE:2: two of three jobs start: $wish"
	cancel_all
done
scontrol delete partitionname=twice
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
