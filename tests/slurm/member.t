#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# topology/mesh as a full member of Slurm 25.05 and later: Topology= of nodes in and out, host list
# functions, scontrol show topology unit=, a score of fragmentation, the reason for which a job waits
# (26.05), and the places of nodes that are powered down (26.05) and booted elsewhere (26.11).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
slurm_is -ge 25.05 || {
	echo "1..0 # SKIP nodes have no Topology= before Slurm 25.05"
	exit 0
}

torus='MeshName=torus0 Dims=4x4 Wrap=all Nodes=n[0-13],cell[14-15]
MeshName=other Dims=2 Nodes=cell[20-21]'

# What Slurm's host list functions are called; 25.05 has those of its own plugins only, of which
# each does for any plugin.
unit=torus
slurm_is -ge 26.05 || unit=switch

topology_of() { scontrol show node "$1" | sed -n 's/.* Topology=\([^ ]*\).*/\1/p;s/^ *Topology=//p'; }

# comes NODE TOPOLOGY [OPTION]...: by itself, at the only port that is left
comes() {
	launch "$1" "$cluster_dir/log/$1.out" slurmd -D "${@:3}" -Z -N "$1" -f "$SLURM_CONF" --conf \
		"Port=$((cluster_port + 1 + cluster[nodes])) NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=1 RealMemory=1000 Topology=$2"
	wait_for 30 is_idle "$1"
}

# with WHO KEY=VALUE...
with() {
	local who=$1
	shift
	cluster_start nodes=14 plugins="$builddir/plugins" plugstack="$spank_plugin" loglevel=verbose \
		params="mesh_strategy=mc1x1,bf_topopt_enable" topology_plugin=topology/mesh topology="$torus" \
		debug=Backfill,SelectType conf='MaxNodeCount=32
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=100000
SuspendTimeout=1' "$@" || exit
	is "$(scontrol show hostnames n3)" n3 "$who: host lists"
	is "$(where 14 -w "$unit{torus0}")" "n[0-13]" "$who: $unit{torus0}"
	is "$(where 14 -w "${unit}with{n3}")" "n[0-13]" "$who: ${unit}with{n3}"
	like "$(scontrol show topology unit=other)" '^MeshName=other Dims=2 [^M]*$' "$who: scontrol show topology unit="
	comes late default:torus0:2:3 >/dev/null
	ok $? "$who: slurmd -Z --conf Topology="
	is "$(topology_of late)" "default:torus0:2:3" "$who: in scontrol show node"
	# There, between n10 and n2, is the place of cell14, which nobody has seen.
	is "$(where 3 -w late,n10)" "late,n[9-10]" "$who: it is placed where it says"
	is "$(scontrol show topology node=late)" "NodeName=late Address=torus0.2.3" "$who: scontrol show topology node="
	dynamic_has_its_place "$who"
	mark=$(ctld_log_lines)
	scontrol update nodename=late topology=default:torus0:1:1 2>"$cluster_dir/out"
	is $? 1 "$who: a place that is taken is refused"
	scontrol update nodename=late topology=default:torus0:9:1 2>"$cluster_dir/out"
	is $? 1 "$who: so is one outside the mesh"
	is "$(topology_of late)" "default:torus0:2:3" "$who: it stays where it was"
	keeps_its_place "$who"
	scontrol update nodename=late topology=default:torus0:3:3
	is "$?,$(topology_of late)" "0,default:torus0:3:3" "$who: scontrol update node topology="
	scontrol update nodename=late topology=default:torus0:3:3
	is "$?,$(topology_of late)" "0,default:torus0:3:3" "$who: and once more"
	is "$(scontrol show topology node=late)" "NodeName=late Address=torus0.3.3" "$who: it is still there"
	scontrol update nodename=n0 topology=default:other:1
	is "$?,$(topology_of n0)" "0,default:other:1" "$who: to another mesh"
	moved_is_told "$who"
	is "$(where 1 -w "$unit{other}")" n0 "$who: which has one node now"
	scontrol update nodename=n0 topology=
	sleep 1.1
	is "$(where 14 -w 'n[0-13]')" "n[0-13]" "$who: without Topology= it is where the map has it"
	slurm_is -lt 26.05 || powered_down "$who"
	slurm_is -lt 26.11 || booted_elsewhere "$who"
	waits "$who"
	# In the saved state it is where the map has nothing any more.
	slurmctld_stop TERM
	mark=$(ctld_log_lines)
	cluster_set topology='MeshName=torus0 Dims=2x7 Nodes=n[0-13]
MeshName=other Dims=2 Nodes=cell[20-21]'
	slurmctld_start
	ok $? "$who: slurmctld starts with a map that has no place for a node of before"
	like "$(ctld_log "$mark" 'error: (select|topology)/[a-z_]*mesh: ')" "node late: Topology=: .*torus0:3:3" "$who: and says so"
	wait_for 60 is_idle late
	is "$(where 15 -w 'n[0-13],late')" "late,n[0-13]" "$who: the node has jobs all the same"
	asked_at_once "$who"
	cluster_stop
}

# late is at the place that the map has for cell14, and behind n1 in the table of nodes.
keeps_its_place() {
	local at
	at=$(place_of late),$(place_of n1)
	scontrol update nodename=n1 topology=default:torus0:2:3 2>"$cluster_dir/out"
	is "$?,$(place_of late),$(place_of n1),$(topology_of n1)" "1,$at," "$1: a node keeps its place, whoever asks for it"
	is "$(hosts_of "$unit{torus0}")" "late,n[0-13]" "$1: and is in its mesh"
	scontrol create nodename=cell14 state=cloud && scontrol create nodename=cell15 state=cloud topology=default:torus0:3:3
	ok $? "$1: a node comes whose place in the map has been taken, and another"
	scontrol update nodename=n1 topology=default:torus0:3:3 2>"$cluster_dir/out"
	is "$?,$(place_of n1)" "1,torus0.1.0" "$1: nor is that of a node that is powered down to be had"
	wait_for 20 ctld_log "$mark" 'in no mesh.*: cell14' >/dev/null
	is "$(hosts_of "$unit{torus0}")" "cell15,late,n[0-13]" "$1: the first of them is in no mesh, and a line says so"
	scontrol delete nodename=cell14 && scontrol delete nodename=cell15
	ok $? "$1: they go"
}

place_of() { scontrol show topology node="$1" | sed 's/.*Address=//'; }

hosts_of() { hosts_sorted "$(scontrol show hostnames "$1" | paste -sd,)"; }

# Anybody may ask for the nodes of a mesh, many at once and under a read lock: that leaves the map as
# it is. A node that came without Topology= is in it from the next decision on.
asked_at_once() {
	local mark i ask=()
	slurmd_stop TERM late
	scontrol update nodename=late state=down reason=leaves
	scontrol delete nodename=late
	where 1 >/dev/null
	mark=$(ctld_log_lines)
	launch cell20 "$cluster_dir/log/cell20.out" slurmd -D -Z -N cell20 -f "$SLURM_CONF" --conf \
		"Port=$((cluster_port + 1 + cluster[nodes])) NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=1 RealMemory=1000"
	wait_for 30 is_idle cell20
	for ((i = 0; i < 12; i++)); do
		scontrol show hostnames "$unit{other}" >"$cluster_dir/asked.$i" 2>&1 &
		ask+=($!)
	done
	wait "${ask[@]}"
	! ctld_log "$mark" 'topology/mesh: mesh other: ' >/dev/null
	ok $? "$1: requests of users do not tie the map anew"
	where 1 -w cell20 >/dev/null
	wait_for 30 ctld_log "$mark" 'topology/mesh: mesh other: 1 node not known' >/dev/null
	ok $? "$1: a decision does"
	is "$(scontrol show hostnames "$unit{other}")" cell20 "$1: and they see it"
}

# late is at 2,3, beside n10 (2,2) and n13 (1,3): what is told and asked on nodes goes by that, too.
dynamic_has_its_place() {
	# shellcheck disable=SC2016
	is "$(srun -Q -N1 -w late sh -c 'echo $MESH_COORD $MESH_DIMS' 2>&1)" "2,3 4x4" "$1: a dynamic node's variables"
	# shellcheck disable=SC2016
	is "$(srun -Q -N3 -n3 -w late,n9,n13 --mesh-ranks=order -l sh -c 'echo $SLURMD_NODENAME' 2>&1 | sort -n | awk '{ print $2 }' | xargs)" \
		"n9 n13 late" "$1: and its place among the ranks"
	wait_for 20 no_jobs
	like "$("$SMESH" metrics -t "$cluster_dir/topology.conf" --mesh torus0)" 'state="down"[^}]*} 1' "$1: smesh knows it: one node is away"
	like "$("$SMESH" map -t "$cluster_dir/topology.conf" --mesh torus0)" 'free 15   # down 1' "$1: in smesh map too"
}

# n0, which the map has at 0,0 of the torus, is in the other mesh; n5 at 2,3, which late has left.
moved_is_told() {
	local told
	scontrol update nodename=n5 topology=default:torus0:2:3
	sleep 1.1
	# shellcheck disable=SC2016
	told='echo $MESH_NAME $MESH_COORD $MESH_BOX $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN'
	is "$(srun -Q -N1 -w n0 sh -c "$told" 2>&1)" "other 1 1 other.1 mesh.coord" "$1: a node in another mesh than the map's: its variables"
	sbatch --wait -o "$cluster_dir/out" -N2 -w n5,n10 --wrap "$told; srun -N1 -w n5 sh -c '$told'" >/dev/null
	is "$(paste -sd, "$cluster_dir/out")" "torus0 2,3 1x2 torus0.2.3 mesh.coord.coord,torus0 2,3 1x2 torus0.2.3 mesh.coord.coord" \
		"$1: a node at another place of its mesh, for a script and its step"
	# n5 is beside n10 (2,2), and not beside n4 (0,1) as on the map.
	# shellcheck disable=SC2016
	is "$(srun -Q -N3 -n3 -w n4,n5,n10 --mesh-ranks=order -l sh -c 'echo $SLURMD_NODENAME' 2>&1 | awk '$1 == "1:" { print $2 }')" n10 \
		"$1: and its rank"
	scontrol update nodename=n5 topology=
}

powered_down() {
	scontrol update nodename=n0 topology=default:other:1
	scontrol update nodename=n0 state=power_down
	wait_for 60 node_is n0 powered_down
	ok $? "$1: a node in another mesh is powered down"
	is "$(scontrol show topology node=n0)" "NodeName=n0 Address=torus0.0.0" "$1: it is where the map has it"
	is "$(scontrol show topology node=n1)" "NodeName=n1 Address=torus0.1.0" "$1: and its neighbour, too"
	slurmd_stop TERM n0
	scontrol update nodename=n0 state=power_up
	wait_for 60 node_is n0 powering_up
	launch n0 "$cluster_dir/log/n0.out" slurmd -D -b -N n0 -f "$SLURM_CONF"
	wait_for 60 is_idle n0
	ok $? "$1: it is booted"
	is "$(where 14 -w 'n[0-13]')" "n[0-13]" "$1: jobs find it in the torus"
}

node_is() { [ "$(sinfo -h -N -n "$1" -t "$2" -o %N | sort -u)" = "$1" ]; }

# late goes from 3,3 to the free place 2,3 and back. That it has booted is a reason for slurmctld to have it down.
booted_elsewhere() {
	local to
	for to in 2:3 3:3; do
		slurmd_stop TERM late
		sleep 2 # it boots in a later second than it was heard of last
		comes late "default:torus0:$to" -b
		wait_for 30 topology_is late "default:torus0:$to"
		ok $? "$1: late boots with another Topology="
		is "$(scontrol show topology node=late)" "NodeName=late Address=torus0.${to/:/.}" "$1: and is there"
		scontrol update nodename=late state=resume 2>/dev/null
		wait_for 30 is_idle late
	done
}

topology_is() { [ "$(topology_of "$1")" = "$2" ]; }

waits() {
	local blocker id
	blocker=$(submit 3 200 -w n5,n10,n12)
	started "$blocker" >/dev/null
	id=$(submit 9 100 --mesh-strategy=bf --exclusive)
	wait_for 30 waits_for_box "$id"
	ok $? "$1: a job that waits for a box has a reason ($(squeue -h -j "$id" -o %r))"
	wait_for 40 ctld_log 0 'cluster_score:[1-9]' >/dev/null
	ok $? "$1: backfill has scores of fragmentation"
	cancel_all
}

waits_for_box() {
	slurm_is -lt 26.05 || [[ $(squeue -h -j "$1" -o %r) == *[Tt]opolog* ]]
}

with topology/mesh
with both select=select/cons_tres_mesh
done_testing
