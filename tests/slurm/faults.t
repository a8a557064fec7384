#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Faults under load: slurmctld killed again and again, nodes that come and go, a configuration
# that changes every second and is broken every fifth time, slurmd killed under running jobs.
# After each: no job is lost, no node had two jobs at a time, all nodes are idle in the end and
# slurmctld is alive.
#
# FULL=1 in the environment: 20 kills instead of 4, and minutes of the others (about 15 in all).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
. "$srcdir/tests/slurm/faults.sh"
need_plugins

if [ "${FULL:-0}" = 1 ]; then
	kills=20 flaps=60 reloads=120
else
	kills=4 flaps=8 reloads=10
fi
strategies=(snug mm mc1x1 hilbert-bf linear mm+inc)
square='MeshName=t Dims=8x8 Wrap=all Nodes=n[0-63]'
broken='MeshName=t Dims=8x9 Wrap=perhaps Nodes=n[0-63]'

# SlurmdTimeout is short, so that a node without slurmd is found out; requeued jobs start soon.
mesh_cluster nodes=64 topology="$square" params=mesh_strategy=snug debug= \
	conf='SlurmdTimeout=10' || exit
RANDOM=7

# load COUNT: jobs of 1 to 4 nodes for 3 to 12 seconds; about 30 of them run at a time
load() {
	local i
	for ((i = 0; i < $1; i++)); do
		submit $((1 + RANDOM % 3 + RANDOM % 2)) $((3 + RANDOM % 10)) --requeue
	done
}

running() {
	squeue -h -t RUNNING -o %i | wc -l
}

# Of such jobs 25 fill the machine: fewer where a kill has left some without their script.
some_run() {
	[ "$(running)" -ge 20 ]
}

# ---- kill -9 of slurmctld ----
mapfile -t ids < <(load $((40 + 20 * kills)))
save_state "${ids[-1]}"
restarts=0 loaded=0
for ((i = 0; i < kills; i++)); do
	wait_for 60 some_run && loaded=$((loaded + 1))
	sleep "$((RANDOM % 3)).$((RANDOM % 10))"
	slurmctld_stop KILL
	slurmctld_start && restarts=$((restarts + 1))
	one_job_a_node || doubled=$((doubled + 1))
	hurry
done
[ "$loaded" -ge 2 ]
ok $? "$loaded of $kills kills with 20 jobs or more that run"
is "$restarts" "$kills" "slurmctld starts again after each of $kills kills"
aftermath "kill -9" "${ids[@]}"

# The state directory of a moment ago, as from a backup.
mapfile -t ids < <(load 30)
wait_for 60 some_run
save_state "${ids[-1]}"
cp -a "$cluster_dir/state" "$cluster_dir/state.saved"
sleep 1
slurmctld_stop KILL
rm -rf "$cluster_dir/state"
mv "$cluster_dir/state.saved" "$cluster_dir/state"
slurmctld_start
ok $? "slurmctld starts from a state directory that was restored"
aftermath "state restored" "${ids[@]}"

# ---- Nodes come and go ----
mapfile -t ids < <(load $((20 + 6 * flaps)))
for ((i = 0; i < flaps; i++)); do
	down="n[$((RANDOM % 32)),$((32 + RANDOM % 32))]"
	scontrol update NodeName="$down" State=DOWN Reason=test
	sleep 1
	scontrol update NodeName="$down" State=RESUME
	one_job_a_node || doubled=$((doubled + 1))
	hurry
done
aftermath "nodes down and up" "${ids[@]}"

# ---- A reconfiguration every second ----
mapfile -t ids < <(load $((20 + 8 * reloads)))
mark=$(ctld_log_lines)
for ((i = 1; i <= reloads; i++)); do
	map=$square
	[ $((i % 5)) -ne 0 ] || map=$broken
	cluster_set topology="$map" params="mesh_strategy=${strategies[i % ${#strategies[@]}]}"
	scontrol reconfigure
	sleep 1
	one_job_a_node || doubled=$((doubled + 1))
done
cluster_set topology="$square"
scontrol reconfigure
is "$(ctld_log "$mark" "error: select/mesh.*$(instead_of_broken)" | wc -l)" $((reloads / 5)) \
	"each broken file is told once"
aftermath "reconfigure" "${ids[@]}"

# ---- slurmd killed under its job ----
long=$(submit 2 20)
started "$long" >/dev/null
mapfile -t nodes < <(host_list hostnames "$(job_nodes "$long")")
slurmd_stop KILL "${nodes[0]}"
slurmd_start "${nodes[0]}"
lost=$(submit 3 10 --requeue)
started "$lost" >/dev/null
mapfile -t nodes < <(host_list hostnames "$(job_nodes "$lost")")
slurmd_stop KILL "${nodes[@]}"
is_down() { [ "$(sinfo -h -N -n "${nodes[0]}" -o %T | tr -d '*')" = down ]; }
wait_for 60 is_down
ok $? "nodes without slurmd are found to be down"
slurmd_start "${nodes[@]}"
mapfile -t ids < <(load 10)
aftermath "slurmd killed" "$long" "$lost" "${ids[@]}"
done_testing
