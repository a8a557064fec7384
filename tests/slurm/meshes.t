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
	conf='PreemptType=preempt/partition_prio
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
fails 1 'Requested node configuration is not available' "17 nodes fit in no mesh" \
	sbatch -N17 --exclusive --wrap true
id=$(submit 2 100 --exclusive -w n3,n20)
within "$id" "n3,n20" "nodes of two meshes, asked for by name"
cancel_all
within "$(submit 8 100 --exclusive -p both)" "n[8-23]" "a partition with parts of both"
cancel_all
cluster_set params=mesh_straddle=yes
scontrol reconfigure
sleep 0.5
within "$(submit 20 100 --exclusive)" "n[0-27]" "mesh_straddle=yes: 20 nodes after all"
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
a=$(submit 12 100 --exclusive -p high --mesh-shape=4x3)
like "$(sides "4 4" "$(started "$a")")" '^(4x3|3x4)$' "a box is made by preemption"
cancel_all
is "$(ctld_log 0 'error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
