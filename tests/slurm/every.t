#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every strategy inside slurmctld, with every pattern of traffic that a job can tell.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

patterns=(mix all-to-all ring grid grid:4x1 random)
mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Wrap=yes,no Nodes=n[0-15]' || exit

# Of all lines about these jobs: who chose their nodes when they began, each once
choosers() {
	local id
	for id; do strategy_of "$id"; done | sort -u | xargs
}

pid=${cluster_pid[slurmctld]}
while read -r name; do
	cluster_set params="mesh_strategy=$name,mesh_max_time=0" && reconfigure
	ids=()
	for pattern in "${patterns[@]}"; do
		ids+=("$(submit 4 0 --exclusive --mesh-pattern="$pattern")")
	done
	wait_for 60 no_jobs
	is "$(choosers "${ids[@]}")" "$name" "$name: six jobs have run where it says"
	alive "$pid" || break
done < <("$SMESH" strategies | awk '/^[^ ]/ { name = $1; next } !/; smesh only$/ { print name }')
alive "$pid"
ok $? "slurmctld is the one that it was"
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
