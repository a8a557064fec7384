#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# topology/mesh: under stock select plugins, where it ranks nodes (up to Slurm 23.11) or chooses them
# (later), and together with select/mesh.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_lines='MeshName=square Dims=4x4 Nodes=n[0-15]'
ranks=
slurm_is -gt 23.11 || ranks=1
# scontrol show topology is asked of slurmctld, which has switches only.
switches=
slurm_is -gt 23.02 || switches=1

# mesh_topology KEY=VALUE...: a cluster with topology/mesh over that mesh
mesh_topology() {
	mesh_cluster nodes=16 topology_plugin=topology/mesh topology="$mesh_lines" "$@"
}

# gone ID: cancel it and wait until no node is completing
gone() {
	scancel "$1"
	wait_for 20 no_jobs && wait_for 20 cluster_all_idle
}

# where COUNT [OPTION]...: the nodes that a job of that size gets
where() {
	local id
	id=$(submit "$1" 100 "${@:2}")
	hosts_sorted "$(started "$id")"
	gone "$id"
}

# told: what a job's step sees
told() {
	timeout 60 srun -N1 -w "$1" printenv SLURM_TOPOLOGY_ADDR SLURM_TOPOLOGY_ADDR_PATTERN | xargs
}

# where_is NODE: what scontrol says
where_is() {
	if slurm_is -lt 25.05; then
		scontrol show topology "$1"
	else
		scontrol show topology node="$1"
	fi
}

# what smesh says to four nodes of which n10 is one
with_n10() {
	"$SMESH" alloc -t "$cluster_dir/topology.conf" -s mc1x1 -n 4 --require n10 --json |
		sed 's/.*"nodes":"\([^"]*\)".*/\1/'
}

# one SELECT: the same answers whichever plugin chooses
one() {
	mesh_topology select="$1" params=mesh_strategy=mc1x1 conf=TopologyParam=TopoOptional || exit
	is "$(where 4)" "n[0-1,4-5]" "$1: 4 nodes of a 4x4 mesh are a square"
	[ -n "$ranks" ] && [ "$1" != select/mesh ] ||
		is "$(where 4 -w n10)" "$(with_n10)" "$1: a square with the node that was asked for"
	if [ -n "$switches" ]; then
		is "$(scontrol show topology)" "SwitchName=square Level=0 LinkSpeed=1 Nodes=n[0-15]" \
			"$1: scontrol show topology"
		like "$(scontrol show topology n6)" "SwitchName=square" "$1: the mesh of a node"
	else
		like "$(scontrol show topology)" "MeshName=square Dims=4x4 Wrap=no,no" "$1: scontrol show topology"
		like "$(where_is n6)" "n6 .*square.2.1" "$1: where a node is"
	fi
	is "$(told n6)" "square.2.1 mesh.coord.coord" "$1: SLURM_TOPOLOGY_ADDR"
	waits "$1"
	wait_for 20 no_jobs
	cluster_stop
}

# waits SELECT: the next job comes when there is room, and backfill knows when
waits() {
	local first second
	first=$(submit 12 6 --time=1)
	started "$first" >/dev/null
	second=$(submit 9 0)
	wait_for 15 has_start "$second"
	ok $? "$1: backfill says when a job of 9 nodes starts"
	wait_for 40 job_is "$second" COMPLETED
	ok $? "$1: it runs when room is made"
	is "$(job_field "$second" NumNodes)" 9 "$1: on 9 nodes"
}

has_start() {
	[ "$(job_field "$1" StartTime)" != Unknown ] && [ -n "$(job_field "$1" StartTime)" ]
}

# A strategy of boxes waits for a box, although there are nodes enough.
boxes() {
	local blocker id
	mesh_topology select=select/cons_tres params=mesh_strategy=bf || exit
	blocker=$(submit 2 200 -w n5,n10)
	started "$blocker" >/dev/null
	id=$(submit 9 0)
	go_round
	is "$(job_state "$id")" PENDING "no free 3x3 box: it waits"
	scancel "$blocker"
	wait_for 40 job_is "$id" COMPLETED
	ok $? "and runs when there is one"
	id=$(sbatch --parsable -o /dev/null --mesh-shape=2x3:norotate --wrap 'sleep 100')
	is "$(hosts_sorted "$(started "$id")")" "n[0-1,4-5,8-9]" "a shape without -N: all of it"
	gone "$id"
	id=$("$builddir/test-programs/forge" 0 MESH_SHAPE=2x2)
	is "$(sides "4 4" "$(started "$id")")" 2x2 "and a forged one"
	gone "$id"
}

# ---- 22.05: the order of nodes ----

# the first N nodes of the mesh along a curve, one a line in that order: along CURVE N
along() {
	"$SMESH" curve -t "$cluster_dir/topology.conf" --curve "$1" --json |
		sed 's/.*"order":\[\([^]]*\).*/\1/' | tr , '\n' | head -n "$2" | sed 's/^/n/'
}

# segment CURVE LIST: how many places along the curve the nodes of LIST take up
segment() {
	along "$1" 16 | grep -nxF -f <(host_list hostnames "$2") | cut -d: -f1 |
		awk '!first { first = $1 } { last = $1 } END { print last - first + 1 }'
}

complaints() {
	ctld_log "$mark" '(error|fatal): topology/mesh' | sed 's/.*\(error\|fatal\): //'
}

# reload KEY=VALUE...: topology.conf or slurm.conf anew
reload() {
	mark=$(ctld_log_lines)
	cluster_set "$@" && scontrol reconfigure
}

# restart ID: the controller stops and comes back, with a job that is in its files
restart() {
	save_state "$1"
	slurmctld_stop
	mark=$(ctld_log_lines)
	slurmctld_start
}

order() {
	mesh_topology select=select/linear select_params=CR_ONE_TASK_PER_CORE params=mesh_curve=snake || exit
	is "$(where 4)" "n[0-3]" "select/linear: 4 nodes along a snake are a row"
	is "$(segment snake "$(where 6 --contiguous)")" 6 "--contiguous means 6 in a row along it"
	like "$(scontrol show topology 2>&1)" "No topology information available" \
		"nothing to show unless TopologyParam=TopoOptional allows it"
	cluster_stop
	unlike
	changes
	broken
	first_use
	two_meshes
}

unlike_nodes='NodeName=n[0-7] CPUs=2 RealMemory=1000
NodeName=n[8-15] CPUs=4 RealMemory=1000'

# Unlike nodes: what a job has on each must not be mixed up by the order. Two of no mesh.
unlike() {
	local seen
	mesh_topology nodes=18 select=select/cons_tres select_params=CR_Core \
		nodelines="${unlike_nodes/-15/-17}" || exit
	is "$(told n17)" "n17 node" "a node of no mesh has its name for an address"
	# shellcheck disable=SC2016
	seen=$(timeout 60 srun --exclusive -N16 \
		sh -c 'echo "$SLURM_NODEID $SLURMD_NODENAME $SLURM_CPUS_ON_NODE"' | sort -n)
	is "$(cut -d' ' -f2 <<<"$seen")" "$(along hilbert 16)" "a step's nodes are in the order of the curve"
	is "$(cut -d' ' -f2,3 <<<"$seen" | sort -V)" \
		"$(printf 'n%d 2\n' {0..7}; printf 'n%d 4\n' {8..15})" "each with its own processors"
	wait_for 20 cluster_all_idle
	# Small nodes, large ones, small ones: in no other order do they follow each other so.
	job=$(submit 14 300 --exclusive)
	nodes=$(started "$job")
}

# With that job running, of which slurmctld would make nonsense in another order.
changes() {
	local wait="topology/mesh: another order of nodes waits for a scontrol reconfigure when no job has nodes"
	reload params=mesh_curve=row
	ok $? "scontrol reconfigure with another curve returns"
	wait_for 10 test -n "$(complaints)"
	is "$(complaints)" "$wait, as JobId=$job does" "it says that the new order waits"
	stays "after that"
	reload topology='MeshName=square Dims=4x5 Nodes=n[0-15]'
	wait_for 10 test -n "$(complaints)"
	is "$(complaints | wc -l)" 1 "one line of complaint about a broken topology.conf"
	like "$(complaints)" "topology.conf:1: .*16 nodes.*20.* the order of nodes in use is kept" \
		"it names file, line and what is wrong"
	wait_for 10 grep -q 'topology/mesh' "$cluster_dir/log/n3.log"
	is "$(grep -c 'error: topology/mesh: .*topology.conf:1: .*nodes have no coordinates' \
		"$cluster_dir/log/n3.log")" 1 "slurmd says it once, too, and goes on"
	reload topology="$mesh_lines" params=
	is "$(complaints)" "" "a mended file is taken without a word"
	cluster_set params=mesh_curve=row
	restart "$job"
	is "$(complaints)" "$wait" "a restart with another curve says that it waits"
	stays "after that restart"
	gone "$job"
	is "$(where 4)" "n[0-1,4-5]" "the old order is in use"
	reload
	is "$(complaints)" "" "with no job left the new order is taken"
	is "$(where 4)" "n[0-3]" "and counts"
	restart "$(submit 1 0)"
	is "$(where 4)" "n[0-3]" "also after a restart"
}

# stays WHEN: the job has what it had
stays() {
	is "$(job_state "$job") $(job_nodes "$job")" "RUNNING $nodes" "the job runs on the same nodes $1"
}

# From a stock cluster to topology/mesh while a job runs.
first_use() {
	mesh_cluster nodes=16 select=select/cons_tres select_params=CR_Core nodelines="$unlike_nodes" || exit
	job=$(submit 10 300 --exclusive)
	nodes=$(started "$job")
	cluster_set topology_plugin=topology/mesh topology="$mesh_lines"
	restart "$job"
	stays "when topology/mesh comes"
	gone "$job"
	reload
	is "$(where 4)" "n[0-1,4-5]" "scontrol reconfigure with no job brings the order"
	cluster_stop
}

broken() {
	mark=$(ctld_log_lines)
	slurmctld_stop
	cluster_set topology='MeshName=square Dims=4x4 Nodes=n[0-7]'
	! slurmctld_start
	ok $? "slurmctld does not start with a mesh that is not filled"
	like "$(complaints)" "topology/mesh: .*topology.conf:1: Nodes= names 8 nodes" "and says so"
	cluster_set topology='MeshName=square Dims=4x4 Nodes=n[0-7,30-37]'
	slurmctld_start && wait_for 30 cluster_all_idle
	ok $? "with nodes that are not there (yet) it does"
	slurmctld_stop
	cluster_set topology="$mesh_lines"
	slurmctld_start && wait_for 30 cluster_all_idle
	ok $? "with a good file it does"
	cluster_stop
}

# With a table of switches the stock plugins follow it: --switches, reservations.
two_meshes() {
	mesh_cluster nodes=10 select=select/cons_tres topology_plugin=topology/mesh \
		conf=TopologyParam=TopoOptional topology='MeshName=a Dims=2x2 Nodes=n[0-3]
MeshName=b Dims=2x2 Nodes=n[4-7]' || exit
	is "$(scontrol show topology b)" "SwitchName=b Level=0 LinkSpeed=1 Nodes=n[4-7]" "a mesh by its name"
	is "$(scontrol show topology meshes)" \
		"SwitchName=meshes Level=1 LinkSpeed=1 Nodes=n[0-7] Switches=a,b" "what is above both"
	is "$(where 4 --switches=1 -w n6)" "n[4-7]" "--switches=1: the nodes of one mesh"
	is "$(where 9)" "n[0-8]" "other jobs may have nodes of both and of none"
	scontrol create reservation reservationname=r users=root nodecnt=3 starttime=now duration=5 >/dev/null
	ok $? "a reservation of 3 nodes"
	reload && is "$(where 4 --switches=1 -w n6)" "n[4-7]" "and after scontrol reconfigure"
	alive "${cluster_pid[slurmctld]}"
	ok $? "slurmctld lives"
}

one select/cons_tres
one select/mesh
# 23.11 keeps the order that it has from its first start.
once() {
	mesh_topology select=select/linear select_params=CR_ONE_TASK_PER_CORE params=mesh_curve=snake || exit
	is "$(where 4)" "n[0-3]" "select/linear: 4 nodes along a snake are a row"
	reload params=mesh_curve=hilbert
	wait_for 10 test -n "$(complaints)"
	like "$(complaints)" "another order of nodes waits" "it says that another order has to wait"
	is "$(where 4)" "n[0-3]" "and it does"
	reload topology='MeshName=square Dims=4x5 Nodes=n[0-15]'
	wait_for 10 test -n "$(complaints)"
	like "$(complaints)" "topology.conf:1: .*16 nodes.*20.* the order of nodes in use is kept" \
		"a broken topology.conf leaves it as it is"
	alive "${cluster_pid[slurmctld]}"
	ok $? "slurmctld lives"
	is "$(where 4)" "n[0-3]" "and places by it"
	cluster_stop
	unlike
}

if [ -n "$switches" ]; then
	order
elif [ -n "$ranks" ]; then
	once
else
	boxes
fi
done_testing
