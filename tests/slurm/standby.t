#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A slurmctld that stands by says at once that its map is missing, broken or another one, and takes over
# with every job all the same; a mended map counts from the next reconfiguration. One that should return
# to control and has no map ends before it has taken it.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/slurm/backup.sh"
need_plugins
need_second_host

map='MeshName=m Dims=4x4 Nodes=n[0-15]'

# What the second has said since its start.
complaints() {
	sed -n "$mark,\$s/.*\(error\|fatal\): select\/mesh: //p" "$second/log"
}
checked() {
	on_backup "$SMESH" check -t "$second/topology.conf" 2>&1
}
# The nodes that a job of four gets from who is in control.
where() {
	local id
	id=$(submit 4 100 --exclusive)
	hosts_sorted "$(started "$id")"
	scancel "$id"
	wait_for 30 is_gone "$id"
}
is_gone() { [ -z "$(squeue -h -j "$1" -o %i 2>/dev/null)" ]; }
known() { [ "$(sinfo -h -N -t idle,alloc -o %N | sort -u | wc -l)" -eq 16 ]; }

# round NAME FILE SAYS CODE NODES: the second has that file; what it says of it before the first dies, what
# smesh check exits with, and where it places a job of four when the first four nodes have one
round() {
	local name=$1 file=$2 says=$3 code=$4 nodes=$5 run shape
	mesh_cluster nodes=16 topology="$map" params=mesh_strategy=mc1x1,bf_interval=2 conf="$backup_conf" || exit
	backup_prepare
	touch "$second/log"
	rm -f "$second/topology.conf"
	[ -z "$file" ] || echo "$file" >"$second/topology.conf"
	mark=$(($(wc -l <"$second/log") + 1))
	backup_start
	ok $? "$name: a slurmctld stands by"
	if [ -z "$says" ]; then
		is "$(complaints)" "" "$name: it has nothing to say"
	else
		like "$(complaints)" "$says" "$name: it says so while the first lives"
		is "$(complaints | wc -l)" 1 "$name: in one line"
	fi
	checked >/dev/null
	is $? "$code" "$name: smesh check exits with $code there"
	run=$(submit 4 600 --exclusive -w 'n[0-3]')
	started "$run" >/dev/null
	shape=$(sbatch --parsable --mesh-shape=4x4 --exclusive -t 10 --wrap 'sleep 1' 2>/dev/null)
	pending "$shape"
	save_state "$shape"
	mark=$(($(wc -l <"$second/log") + 1))
	slurmctld_stop KILL
	wait_for 60 in_control second
	ok $? "$name: the first is killed, the second takes over"
	wait_for 30 known
	is "$(job_state "$run"),$(job_nodes "$run"),$(job_state "$shape")" "RUNNING,n[0-3],PENDING" "$name: with both jobs"
	if [ -z "$says" ]; then
		is "$(complaints)" "" "$name: without a word"
	else
		like "$(complaints)" "$says" "$name: it says it again"
		is "$(complaints | wc -l)" 1 "$name: once"
	fi
	is "$(where)" "$nodes" "$name: a job of four gets $nodes"
	go_round
	is "$(squeue -h -j "$shape" -o '%T %r' | grep -c BadConstraints)" 0 "$name: the shape waits as before"

	# The first again, with what it has or without a map.
	mv "$cluster_dir/topology.conf" "$cluster_dir/aside"
	slurmctld_start
	wait_for 30 gone
	ok $? "$name: the first has lost its map, and ends"
	in_control second
	ok $? "$name: the second stays in control"
	mv "$cluster_dir/aside" "$cluster_dir/topology.conf"

	echo "$map" >"$second/topology.conf"
	mark=$(($(wc -l <"$second/log") + 1))
	SLURM_CONF=$second/slurm.conf scontrol reconfigure
	wait_for 30 in_control second && wait_for 30 known
	is "$(where),$(complaints)" "n[4-5,8-9]," "$name: with the right map and scontrol reconfigure the strategy has its way"
	# From 23.11 on the second has been started anew, and writes what it knows some seconds later.
	save_state "$run"
	slurmctld_start
	wait_for 60 in_control first && wait_for 30 both_up
	ok $? "$name: the first has control again"
	if lost_by_slurm "$run"; then
		skip "$name: with both jobs" "Slurm's own: the second saved its state after it had said that it was done"
		skip "$name: when there is room the shape starts" "the jobs are lost"
	else
		is "$(job_state "$run"),$(job_state "$shape")" "RUNNING,PENDING" "$name: with both jobs"
		scancel "$run"
		wait_for 60 has_started "$shape"
		ok $? "$name: when there is room the shape starts"
	fi
	stop_pids TERM "${cluster_pid[backup]}"
}
# 26.05 waits 29 s (CONTROL_TIMEOUT - 1) in vain for itself, tells the first to go on, and saves then: with
# select/cons_tres too. Where the first reads in the middle of that it finds no job.
lost_by_slurm() {
	[ -z "$(job_state "$1")" ] && slurm_is -ge 26.05 &&
		sed -n "$mark,\$p" "$second/log" | grep -q 'not completely done relinquishing control'
}
gone() { ! alive "${cluster_pid[slurmctld]}"; }

# shellcheck disable=SC2016 # for the shells of the rounds
side_by_side 'round "the same map" "# the same
$map" "" 0 "n[4-5,8-9]"' \
	'round "no map" "" "topology.conf: No such file or directory; the stock choice is used until it is mended" 1 "n[4-7]"' \
	'round "a broken map" "MeshName=m Dims=4x5 Nodes=n[0-15]" "topology.conf:1: .*16 nodes.*20.*; the stock choice is used" 1 "n[4-7]"' \
	'round "another map" "MeshName=m Dims=2x8 Nodes=n[0-15]" "the map here is not that of [^ ]+, which had control last" 7 "n[4-7]"'
done_testing
