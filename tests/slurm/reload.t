#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Reconfiguring and dying: a broken topology.conf leaves the old map in use, a mended one
# counts, and a killed slurmctld comes back to the same jobs on the same nodes.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=16 params=mesh_strategy=mc1x1 topology='MeshName=square Dims=4x4 Nodes=n[0-15]' || exit

# where COUNT: the nodes that a job of that size gets on the idle machine
where() {
	local id
	id=$(submit "$1" 100)
	hosts_sorted "$(started "$id")"
	scancel "$id"
	wait_for 20 cluster_all_idle
}

reload() {
	mark=$(ctld_log_lines)
	cluster_set "$@" && reconfigure
}

complaints() {
	ctld_log "$mark" '(error|fatal): select/mesh' | sed 's/.*\(error\|fatal\): //'
}

complained() {
	[ -n "$(complaints)" ]
}

kept="n[0-1,4-5]"
[[ $(instead_of_broken) == *kept ]] || kept="n[0-3]"

is "$(where 4)" "n[0-1,4-5]" "4 nodes of a 4x4 mesh are a square"
reload topology='MeshName=square Dims=4x5 Nodes=n[0-15]'
ok $? "scontrol reconfigure with a broken topology.conf returns"
wait_for 10 complained
is "$(complaints | wc -l)" 1 "one line of complaint"
like "$(complaints)" "topology.conf:1: .*16 nodes.*20.*; $(instead_of_broken)" "it names file, line and what is wrong"
is "$(where 4)" "$kept" "the old map stays in use, or the stock choice takes its place"
reload topology='MeshName=row Dims=16 Nodes=n[0-15]'
is "$(complaints)" "" "a mended file is taken without a word"
is "$(where 4)" "n[0-3]" "and counts"
reload params=mesh_strategy=nonsense
wait_for 10 complained
like "$(complaints)" "unknown strategy 'nonsense'" "an unknown strategy is told"
is "$(where 4)" "n[0-3]" "and what was in use stays"
reload params=mesh_strategy=mc1x1 topology=
wait_for 10 complained
like "$(complaints)" "topology.conf: No such file" "so is a file that is gone"
reload topology='MeshName=square Dims=4x4 Nodes=n[0-15]
Include none.conf'
wait_for 10 complained
like "$(complaints)" "topology.conf:2: Include: .*none.conf: No such file" "and a file that it includes"
is "$(where 4)" "n[0-3]" "the map stays, or the stock choice"
reload params=mesh_strategy=mc1x1,mesh_strategy_nowhere=mm topology='MeshName=square Dims=4x4 Nodes=n[0-15]'
wait_for 10 complained
like "$(complaints)" "mesh_strategy_nowhere: there is no partition nowhere" "a key for a partition that is not there is told"
is "$(where 4)" "n[0-1,4-5]" "and the rest of the line counts"
reload params=mesh_strategy=mc1x1 topology='MeshName=square Dims=4x4 Nodes=n[0-15]'
is "$(where 4),$(complaints)" "n[0-1,4-5]," "back to the first map"

# ---- A map on which a waiting shape has no place ----
all=$(submit 16 300 --exclusive)
started "$all" >/dev/null
shape=$(sbatch --parsable -o /dev/null --mesh-shape=4x3 --exclusive --wrap 'sleep 300')
pending "$shape"
sleep 2 # see mesh_want_queued()
for map in 'MeshName=square Dims=4x2 Nodes=n[0-7]' 'MeshName=row Dims=8 Nodes=n[0-7]' 'MeshName=row Dims=16 Nodes=n[0-15]'; do
	reload topology="$map"
	go_round
	like "$(squeue -h -j "$shape" -o '%r %Q')" '^(Waits for a box of 4x3|Resources|No suitable topology unit found) [1-9]' "${map% *}: the job waits, and is not held"
	like "$("$SMESH" why "$shape")" "room: never[:, ].*(has 8 nodes and it asks for 12|box|shape|4x3)" "and smesh why says that it never fits this map"
done
scancel "$all"
reload topology='MeshName=square Dims=4x4 Nodes=n[0-15]'
like "$(sides "4 4" "$(started "$shape")")" '^(4x3|3x4)$' "with the map of before it gets its box"
scancel "$shape"
wait_for 20 cluster_all_idle

# ---- In the background, as a service ----
slurmctld_stop TERM
slurmctld_start_service && wait_for 60 cluster_all_idle
ok $? "slurmctld starts in the background"
reload topology='MeshName=square Dims=4x5 Nodes=n[0-15]'
wait_for 10 complained
like "$(complaints)" "topology.conf:1: .*16 nodes.*20" "a broken topology.conf is told"
is "$(where 4)" "n[0-1,4-5]" "the old map stays in use"
reload topology='MeshName=row Dims=16 Nodes=n[0-15]'
is "$?,$(complaints)" "0," "a mended file is taken without a word"
wait_for 20 slurmctld_adopt
is "$(where 4)" "n[0-3]" "and counts"
reload topology='MeshName=square Dims=4x4 Nodes=n[0-15]'
wait_for 20 slurmctld_adopt
slurmctld_stop TERM
slurmctld_start
wait_for 60 cluster_all_idle

# ---- kill -9 ----
ids=()
for size in 1 2 1 3 1 1 2 1 1 2; do ids+=("$(submit "$size" 300)"); done
waiting=$(submit 16 300)
for id in "${ids[@]}"; do started "$id"; done >"$cluster_dir/before"
save_state "$waiting"
slurmctld_stop KILL
slurmctld_start
ok $? "slurmctld starts again after kill -9"
is "$(for id in "${ids[@]}"; do job_state "$id"; done | sort | uniq -c | xargs)" "10 RUNNING" \
	"all 10 jobs are still running"
is "$(for id in "${ids[@]}"; do job_nodes "$id"; done)" "$(cat "$cluster_dir/before")" "on the same nodes"
is "$(job_state "$waiting")" PENDING "the job that waited still waits"
next=$(submit 1 300)
like " $(host_list hostnames "$(paste -sd, "$cluster_dir/before")" | xargs) " \
	"^( n[0-9]+){15} $" "15 nodes are taken"
free=$(comm -13 <(host_list hostnames "$(paste -sd, "$cluster_dir/before")" | sort) \
	<(printf '%s\n' "${cluster_names[@]}" | sort))
scancel "$waiting"
is "$(started "$next")" "$free" "the next job gets the one that is free"
scancel "${ids[@]}" "$next"
wait_for 30 cluster_all_idle
ok $? "all nodes are idle at the end"
done_testing
