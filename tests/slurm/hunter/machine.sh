# SPDX-License-Identifier: GPL-2.0-or-later
# The machine that mix.awk's requests are for: 36 nodes, and n36 that is down. Source it.
# shellcheck shell=bash disable=SC2034
partitions=(all share maybe whole small user low high)
conf='DefMemPerCPU=20
Licenses=token:2
MinJobAge=300
PreemptType=preempt/partition_prio
SchedulerTimeSlice=65000
PreemptMode=REQUEUE
PartitionName=share Nodes=n[0-11] OverSubscribe=FORCE:2 PriorityTier=5 PreemptMode=OFF
PartitionName=maybe Nodes=n[16-35] OverSubscribe=YES:3 PriorityTier=5 PreemptMode=OFF
PartitionName=whole Nodes=n[8-27] OverSubscribe=EXCLUSIVE PriorityTier=5 PreemptMode=OFF
PartitionName=small Nodes=n[0-35] MaxNodes=4 PriorityTier=5 PreemptMode=OFF
PartitionName=user Nodes=n[4-35] ExclusiveUser=YES PriorityTier=5 PreemptMode=OFF
PartitionName=low Nodes=n[0-35] PriorityTier=1 PreemptMode=REQUEUE
PartitionName=high Nodes=n[0-31] PriorityTier=9 PreemptMode=OFF'
nodelines='NodeName=n[0-15] CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=1000 Feature=a,thin Gres=gpu:2
NodeName=n[16-31] CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000 Feature=b,fat
NodeName=n[32-35] CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=2000 Feature=b,thin
NodeName=n36 CPUs=4 RealMemory=2000 State=DOWN'
maps=('MeshName=x Dims=4x4 Nodes=n[0-15]
MeshName=y Dims=4x4 Wrap=all Nodes=n[16-31]'
	'MeshName=one Dims=6x6 Wrap=yes,no Nodes=n[0-35]'
	'MeshName=flat Dims=8x4 Nodes=n[0-31]'
	'MeshName=small Dims=2x2x2 Wrap=all NodesPerVertex=2 Nodes=n[8-23]'
	'MeshName=far Dims=3x3 Holes=1,1 Nodes=n[28-35]
MeshName=near Dims=2x7 Nodes=n[0-13]')

# The last row of mesh y is not in slurm.conf; it says where it is, the other way round.
late_nodes() {
	local i
	nodelines=${nodelines/n\[16-31\]/n[16-27]}
	for i in 0 1 2 3; do
		nodelines+="
NodeName=n$((28 + i)) CPUs=8 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000 Feature=b,fat,late Topology=default:y:$((3 - i)):3"
	done
	conf=$(sed 's/-35\]/-27,32-35],late/; s/n\[0-31\]/n[0-27],late/' <<<"$conf")
	conf="MaxNodeCount=40
NodeSet=late Feature=late
$conf"
}
