#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The order in which Slurm wants nodes used is kept: low Weight first, nodes that are up before those
# that must be booted, those of a FLEX reservation before others, the least loaded where the site says
# so; and nodes of fewer partitions and features before others. Among nodes of one class the
# strategy chooses.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

# The lower half of a 4x4 mesh is heavy: without the order mm would take it first.
mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
	nodelines='NodeName=n[0-7] CPUs=2 RealMemory=1000 Weight=10
NodeName=n[8-15] CPUs=2 RealMemory=1000' \
	conf='SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100000
SuspendTimeout=1
ResumeTimeout=300
PartitionName=lln Nodes=ALL LLN=YES' || exit

# where OPTION...: the nodes of a job of whole nodes, and who chose them; it is cancelled again
where() {
	local id
	id=$(submit "$1" 100 --exclusive "${@:2}")
	echo "$(hosts_sorted "$(started "$id")") $(strategy_of "$id")"
	scancel "$id"
	wait_for 20 job_is "$id" CANCELLED
	wait_for 20 cluster_all_idle
}

# ---- Weight ----
like "$(where 4)" '^n\[8-9,12-13\] mm$' "four nodes: a square of light ones"
is "$(where 8)" "n[8-15] mm" "eight: all light ones"
is "$(where 10)" "n[5-6,8-15] mm" "ten: all light ones, and the two of the others that are nearest"
is "$(where 4 -w n0)" "n[0,8-9,12] mm" "-w a heavy one: it, and light ones"
like "$(where 4 --mesh-strategy=snug-box)" '^n\[8-9,12-13\] snug-box$|^n\[(8-11|12-15)\] snug-box$' "a box of light ones"
like "$(sides "4 4" "$(where 12 --contiguous | cut -d' ' -f1)")" '^(3x4|4x3)$' "a box of twelve, which has no room among those"
long=$(submit 2 300 -w "n[9,14]")
started "$long" >/dev/null
id=$(submit 4 100 --contiguous)
like "$(sides "4 4" "$(started "$id")")" '^(2x2|4x1|1x4)$' "no box of four light ones: one of the others"
scancel "$id" "$long"
wait_for 20 cluster_all_idle
is "$(id=$(submit 1 100 -n1); started "$id")" "$(id=$(submit 1 100 -n1); started "$id")" \
	"two tasks of one CPU share a light node, as mm has it"
cancel_all

# ---- Partitions ----
scontrol create partitionname=few nodes="n[12-15]" >/dev/null
is "$(where 4)" "n[8-11] mm" "four nodes: those that jobs of the small partition cannot use"
like "$(where 3 -p few)" '^n\[1[2-5][-,0-9]*\] mm$' "in the small partition: its nodes"
nodes_in "n[8-11]" "$(hosts_sorted "$(started "$(submit 6 100 --exclusive)")")"
ok $? "six: those four, and two more"
cancel_all
scontrol update partitionname=few state=down
like "$(where 4)" '^n\[8-9,12-13\] mm$' "no job can use a partition that is down: a square again"
scontrol delete partitionname=few
scontrol update nodename="n[12-15]" features=big
sleep 1.1 # such a change counts after a second at the latest
is "$(where 4)" "n[8-11] mm" "four nodes: those without the feature"
is "$(where 4 -C big)" "n[12-15] mm" "-C: those that have it"
scontrol update nodename="n[12-15]" activefeatures= availablefeatures=

# ---- The least loaded ----
first=$(submit 1 100 -n1 -p lln)
started "$first" >/dev/null
second=$(submit 1 100 -n1 -p lln)
started "$second" >/dev/null
if slurm_is -lt 23.11; then
	[ "$(job_nodes "$first")" != "$(job_nodes "$second")" ]
	ok $? "LLN=YES: the second task goes to another node ($(job_nodes "$first"), $(job_nodes "$second"))"
else
	skip "LLN=YES: the second task goes to another node" "26.05.3 by itself fills a node of two CPUs"
fi
is "$(strategy_of "$second")" stock "by the stock plugin's own choice"
cancel_all

# ---- FLEX ----
scontrol create reservation reservationname=flex users=root nodes=n[0-2] flags=flex starttime=now \
	duration=100 >/dev/null
is "$(where 2 --reservation=flex -t 5)" "n[0-1] mm" "a FLEX reservation: inside, though the nodes are heavy"
is "$(where 4 --reservation=flex -t 5)" "n[0-2,9] mm" "inside, and the light node outside that is nearest"
scontrol delete reservation=flex

# ---- Power saving ----
down() { [ "$(sinfo -h -N -p all -t powered_down -o %N | sort -u | wc -l)" -eq "$1" ]; }
scontrol update nodename="n[8-15]" state=power_down
wait_for 30 down 8
ok $? "the light nodes are powered down"
id=$(submit 6 100 --exclusive)
nodes=$(hosts_sorted "$(wait_for 30 has_started "$id" && job_nodes "$id")")
like "$nodes" '^n\[0-2,4-6\]$|^n\[(1-3,5-7)\]$' "the heavy ones that are up are taken, none is booted"
scancel "$id"
wait_for 20 no_jobs
scontrol update nodename="n[3,6-7]" state=power_down
wait_for 60 down 11
id=$(submit 6 100 --exclusive)
placed() { [ -n "$(job_nodes "$id")" ]; }
wait_for 30 placed
nodes=$(hosts_sorted "$(job_nodes "$id")")
nodes_in "n[0-2,4-5]" "$nodes"
ok $? "five are up, six are wanted: those five, and one is booted ($nodes)"
scancel "$id"
done_testing
