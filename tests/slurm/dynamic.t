#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes of the map that slurmctld does not know are holes until it does: at a cold start, after
# `scontrol delete nodename=`, and when dynamic nodes come (`slurmd -Z`) or go, without a restart.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

torus='MeshName=m Dims=4x4 Wrap=all Nodes=n[0-15]'

# log PATTERN: is there such a line since the mark?
log() { ctld_log "$mark" "$1" >/dev/null; }

# Decisions look at the table once a second.
placed_and() { where 2 >/dev/null; log "$1"; }

is_gone() { ! scontrol show node "$1" 2>/dev/null | grep -q NodeName=; }

# comes NODE: a dynamic one, by itself
comes() {
	launch "$1" "$cluster_dir/log/$1.out" slurmd -D -Z -N "$1" -f "$SLURM_CONF" --conf \
		"Port=$(dynamic_port) NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=1 RealMemory=1000"
	wait_for 30 is_idle "$1"
}

# The last port of the cluster's own.
dynamic_port() { echo $((cluster_port + 1 + cluster[nodes])); }

comes_and_goes() {
	local who=$1
	mark=$(ctld_log_lines)
	comes n15
	ok $? "$who: one of the two comes by itself"
	where 1 -w n15 >/dev/null
	wait_for 30 placed_and 'mesh: mesh m: 1 node not known'
	ok $? "$who: it is told"
	# n0's neighbours on the torus, of which n12 is one: with n15 gone there is another square.
	is "$(where 4 -w n0,n15)" "n[0,3,12,15]" "$who: the square round a corner has the node that came"
	mark=$(ctld_log_lines)
	slurmd_stop TERM n15
	scontrol update NodeName=n15 State=DOWN Reason=leaves
	scontrol delete nodename=n15
	wait_for 10 is_gone n15
	ok $? "$who: scontrol delete nodename="
	wait_for 30 placed_and 'mesh: mesh m: 2 nodes not known'
	ok $? "$who: a hole again"
}

# A node of slurm.conf and of the map is deleted, and taken out of slurm.conf for the next start.
deleted() {
	local who=$1 job ports
	job=$(submit 2 600 -w "n[8-9]")
	started "$job" >/dev/null
	mark=$(ctld_log_lines)
	if slurm_is -le 23.02; then
		scontrol delete nodename=n5
		wait_for 10 is_gone n5
		ok $? "$who: a node of slurm.conf is deleted"
		is "$(where_beside 4)" "n[0,3-4,7]" "$who: jobs are placed round the hole"
	else
		! scontrol delete nodename=n5 2>/dev/null && ! is_gone n5
		ok $? "$who: Slurm itself deletes dynamic nodes only"
	fi
	slurmctld_stop
	slurmd_stop TERM n5
	ports=$((cluster_port + 1))
	sed -i "s/^NodeName=n\[0-13\] \(.*\) Port=[^ ]* \(.*\)/NodeName=n[0-4] \1 Port=[$ports-$((ports + 4))] \2\\
NodeName=n[6-13] \1 Port=[$((ports + 6))-$((ports + 13))] \2/" "$cluster_dir/slurm.conf"
	slurmctld_start && wait_for 30 job_is "$job" RUNNING
	ok $? "$who: slurmctld starts without it, and what ran runs"
	is "$(where_beside 4)" "n[0,3-4,7]" "$who: and it is a hole as before"
	scancel "$job"
}

# n6 and, before it in the table, n2 say to be at n14's place. Without topology/mesh scontrol takes all.
say_the_same() {
	local het=$cluster_dir/work/het
	scontrol update nodename=n6 topology=default:m:2:3
	where 1 >/dev/null
	printf '#!/bin/sh\n#SBATCH -N1 -w n0\n' >"$het"
	printf '#SBATCH hetjob\n#SBATCH -N1 -w n6\necho "$SLURM_MESH_MAP"\n' >>"$het"
	sbatch --wait -o "$het.out" "$het" >/dev/null
	like "$(cat "$het.out")" ':n6=:m:2:3$' "$1: the script of a heterogeneous job is told of all components' nodes"
	scontrol update nodename=n2 topology=default:m:2:3 2>/dev/null
	sleep 1.1
	where 1 >/dev/null
	wait_for 30 log "error: .*: node n2: Topology=default:m:2:3 is not heeded: n6 is there"
	ok $? "$1: who asks for another's place is told of"
	is "$(scontrol show node n2 | grep -c 'Topology=default')" 0 "$1: and does not say it any more"
	scontrol update nodename=n6 topology=
	sleep 1.1
	where 1 >/dev/null
	mark=$(ctld_log_lines)
}

# where_beside COUNT: as where, while others run
where_beside() {
	local id
	id=$(submit "$1" 100)
	hosts_sorted "$(started "$id")"
	scancel "$id"
	wait_for 20 job_is "$id" CANCELLED
}

# with WHO KEY=VALUE...: 14 nodes of slurm.conf, two of the map are not there
with() {
	local who=$1 line
	shift
	mark=0
	cluster_start nodes=14 name='n[0-13]' plugins="$builddir/plugins" loglevel=verbose \
		params=mesh_strategy=mc1x1 topology="$torus" "$@" \
		conf='MaxNodeCount=32' || exit
	is "$(slurmctld_start_state)" up "$who: a cold start without two of the mapped nodes"
	is "$(ctld_log 0 'mesh: mesh m: 2 nodes not known to slurmctld' | wc -l)" 1 "$who: one line tells of them"
	like "$(ctld_log 0 'mesh: mesh m: 2 nodes not')" 'holes until they are: n\[14-15\]' "$who: and their names"
	is "$(where 4)" "$(smesh_nodes mc1x1 4 'n[0-13]')" "$who: jobs are placed by the map"
	is "$("$SMESH" check -t "$cluster_dir/topology.conf" >/dev/null; echo $?)" 5 "$who: smesh check has an exit code for it"
	# Before 23.11 a dynamic slurmd has the port of all others, which are on this host too.
	if slurm_is -lt 23.11; then
		skip "$who: dynamic nodes come and go" "this slurmd knows no Port= in --conf"
		mark=$(ctld_log_lines)
	else
		comes_and_goes "$who"
	fi
	slurm_is -lt 25.05 || say_the_same "$who"
	reconfigure
	ok $? "$who: scontrol reconfigure after that"
	is "$(where 9)" "$(smesh_nodes mc1x1 9 'n[0-13]')" "$who: jobs are placed by the map"
	is "$(ctld_log "$mark" 'error: (select|topology)/[a-z_]*mesh' | wc -l)" 0 "$who: no error"
	slurmctld_stop
	slurmctld_start && wait_for 30 cluster_all_idle
	ok $? "$who: and a start after that"
	deleted "$who"
	line=$(ctld_log 0 "fatal")
	is "$line" "" "$who: nothing fatal"
	cluster_stop
}

slurmctld_start_state() { scontrol ping | grep -q 'is UP' && echo up; }

with select/cons_tres_mesh select=select/cons_tres_mesh
if slurm_is -ge 24.05; then
	with topology/mesh topology_plugin=topology/mesh
fi
done_testing
