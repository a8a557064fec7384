#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two meshes in one cluster, and nodes that are in none; partitions across them; preemption.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=28 select_params=CR_CPU_Memory nodelines='NodeName=n[0-23] CPUs=1 RealMemory=1000
NodeName=n[24-27] CPUs=1 RealMemory=4000' topology='MeshName=big Dims=4x4 Nodes=n[0-15]
MeshName=small Dims=2x2x2 Wrap=all Nodes=n[16-23]' \
	params=mesh_span=no conf='PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PartitionName=login Nodes=n[24-27]
PartitionName=both Nodes=n[8-23]
PartitionName=low Nodes=n[0-15] PriorityTier=1 PreemptMode=CANCEL
PartitionName=high Nodes=n[0-15] PriorityTier=9' || exit

# within ID LIST NAME
within() {
	local nodes
	nodes=$(started "$1")
	nodes_in "$nodes" "$2" && [ -n "$nodes" ]
	ok $? "$3 ($nodes)"
}

a=$(submit 12 100 --exclusive)
within "$a" "n[0-15]" "12 nodes: only the big mesh holds them"
b=$(submit 6 100 --exclusive)
within "$b" "n[16-23]" "6 more: the small one, not what is left of both"
c=$(submit 5 100 --exclusive)
pending "$c"
ok $? "5 are free in no mesh: wait, though 10 nodes are idle"
d=$(submit 2 100 --exclusive -p login)
within "$d" "n[24-27]" "nodes outside any mesh: the stock choice"
is "$(strategy_of "$d")" stock "said so in the log"
e=$(submit 2 100 --mem=3000)
within "$e" "n[24-27]" "only those outside have the memory: there, though the partition has all nodes"
scancel "$a"
within "$c" "n[0-15]" "room is made: the job that waited starts"
cancel_all
# Shapes: in the mesh that has them, whichever is nearer otherwise.
id=$(sbatch --parsable -o /dev/null --mesh-shape=2x2x2 --wrap 'sleep 100')
within "$id" "n[16-23]" "--mesh-shape=2x2x2: only the small mesh has three dimensions"
b=$(sbatch --parsable -o /dev/null --mesh-shape=4x2:norotate --wrap 'sleep 100')
is "$(sides "4 4" "$(started "$b")")" 4x2 "--mesh-shape=4x2: only the big one has a side of 4"
c=$(sbatch --parsable -o /dev/null --mesh-shape=2x2x2 --wrap 'sleep 100')
pending "$c"
ok $? "another 2x2x2 waits, though the big mesh has room"
scancel "$id"
within "$c" "n[16-23]" "until the small one is free"
cancel_all
fails 1 'Requested node configuration is not available' "17 nodes fit in no mesh" \
	sbatch -N17 --exclusive --wrap true
id=$(submit 2 100 --exclusive -w n3,n20)
within "$id" "n3,n20" "nodes of two meshes, asked for by name"
cancel_all
within "$(submit 8 100 --exclusive -p both)" "n[8-23]" "a partition with parts of both"
cancel_all
cluster_set params=
reconfigure
sleep 0.5
a=$(submit 13 100 --exclusive -w 'n[0-12]')
b=$(submit 5 100 --exclusive -w 'n[16-20]')
within "$a" "n[0-12]" "without mesh_span=no: 3 nodes are left in each mesh"
within "$b" "n[16-20]" "and 4 in none"
c=$(submit 3 100 --exclusive)
like "$(started "$c")" '^n\[(13-15|21-23)\]$' "a job that one mesh holds is in one"
scancel "$c"
c=$(submit 4 100 --exclusive)
within "$c" "n[24-27]" "4 nodes: not of two meshes, where there are 4 of none"
within "$(submit 6 100 --exclusive)" "n[13-15,21-23]" "6: of two"
cancel_all
id=$(submit 20 100 --exclusive)
within "$id" "n[0-23]" "20 nodes: the meshes, and none outside"
is "$(strategy_of "$id")" mm "chosen by the strategy in each"
cancel_all
within "$(submit 26 100 --exclusive)" "n[0-27]" "26 nodes: those outside, too"
cancel_all

# ---- Preemption ----
low=()
for _ in 1 2 3 4; do low+=("$(submit 4 100 --exclusive -p low)"); done
for i in "${low[@]}"; do started "$i" >/dev/null; done
a=$(submit 6 100 --exclusive -p high)
within "$a" "n[0-15]" "a job that preempts others"
gone=0
for i in "${low[@]}"; do job_is "$i" PREEMPTED && gone=$((gone + 1)); done
[ "$gone" -ge 2 ] && [ "$gone" -le 3 ]
ok $? "it ends no more of them than needed ($gone)"
cancel_all
low=()
for i in n0 n5 n10 n15 n3 n12; do low+=("$(submit 1 100 --exclusive -p low -w $i)"); done
for i in "${low[@]}"; do started "$i" >/dev/null; done
# WILL_RUN: nobody is ended for a question.
said=$(sbatch --test-only -p high --mesh-shape=4x3 --wrap true 2>&1)
when=$(epoch "$(sed -n 's/.*to start at \([^ ]*\) .*/\1/p' <<<"$said")")
[ $((when - $(date +%s))) -le 2 ]
ok $? "--test-only: a box can be had now, by preemption"
like "$(sides "4 4" "$(sed -n 's/.* on nodes \([^ ]*\) in.*/\1/p' <<<"$said")")" '^(4x3|3x4)$' "and where"
said=$(sbatch --test-only -p low --mesh-shape=4x3 --wrap true 2>&1)
when=$(epoch "$(sed -n 's/.*to start at \([^ ]*\) .*/\1/p' <<<"$said")")
[ $((when - $(date +%s))) -gt 3600 ]
ok $? "--test-only of a job that may not preempt: after the others' ends"
gone=0
for i in "${low[@]}"; do job_is "$i" RUNNING || gone=$((gone + 1)); done
is "$gone" 0 "the others run on"
a=$(submit 12 100 --exclusive -p high --mesh-shape=4x3)
like "$(sides "4 4" "$(started "$a")")" '^(4x3|3x4)$' "a box is made by preemption"
cancel_all

# ---- Several nodes a vertex, vertices without a node, nodes placed one by one ----
# pairs LIST: the box around the vertices of n0, n1, ..., two on each, four in a row
pairs() { sides "4 2" "$(host_list hostnames "$1" | tr -dc '0-9\n' | awk '{ print "n" int($1 / 2) }' | sort -u | paste -sd,)"; }
cluster_set topology='MeshName=pairs Dims=4x2 NodesPerVertex=2 Nodes=n[0-15]
MeshName=hole Dims=2x2 Holes=1,1 Nodes=n[16-18]
MeshName=single Dims=3
MeshNode=n22 Mesh=single Coord=0
MeshNode=n20 Mesh=single Coord=1
MeshNode=n21 Mesh=single Coord=2' params=
reconfigure
id=$(sbatch --parsable -o /dev/null --mesh-shape=2x2 --wrap 'sleep 100')
nodes=$(started "$id")
is "$(job_field "$id" NumNodes),$(pairs "$nodes")" 8,2x2 "NodesPerVertex=2, --mesh-shape=2x2: both nodes of each ($nodes)"
a=$(sbatch --parsable -o /dev/null --exclusive --mesh-shape=2x1 -x 'n[8-15,17,18]' --wrap 'sleep 100')
b=$(sbatch --parsable -o /dev/null --exclusive --mesh-shape=2x1 -x 'n[0-18]' --wrap 'sleep 100')
nodes=$(started "$a") && started "$b" >/dev/null
is "$(job_field "$a" NumNodes),$(job_field "$b" NumNodes)" 4,2 "--mesh-shape=2x1: 4 nodes in one mesh ($nodes), 2 in another"
like "$(scontrol show job "$a")" 'SystemComment=mesh: shape=2x1 nodes=2-4' "all of one, which is said"
scancel "$a" "$b"
id=$(submit 2 100 --exclusive)
nodes=$(started "$id")
like "$(pairs "$nodes")" '^1x1$' "two nodes: of one vertex ($nodes)"
b=$(sbatch --parsable -o /dev/null --mesh-shape=3x1:norotate --wrap 'sleep 100')
nodes=$(started "$b")
is "$(job_field "$b" NumNodes)" 3 "--mesh-shape=3x1: in the mesh with one on each ($nodes)"
cancel_all
a=$(submit 23 100 --exclusive --time=10 -w 'n[0-22]')
started "$a" >/dev/null
nodes=$(sbatch --test-only --exclusive -x 'n[19,23-27]' --mesh-shape=2x1:norotate --mesh-max-wait=1 --wrap true 2>&1 | sed -n 's/.* on nodes \([^ ]*\) in.*/\1/p')
is "$(host_list hostnames "$nodes" | wc -l),$(pairs "$nodes")" 4,2x1 "a box that is free no sooner than any nodes: all of it is planned ($nodes)"
cancel_all
a=$(submit 1 100 -w n20)
started "$a" >/dev/null
id=$(submit 2 100 --exclusive -w n22 --contiguous)
pending "$id"
ok $? "places by MeshNode lines: n22 and n21 are not neighbours"
scancel "$a"
within "$id" "n20,n22" "n22 and n20 are"
cancel_all
is "$(ctld_log 0 'error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
