#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of whole nodes on an 8x8 torus: every size runs and ends, the nodes are those that
# `smesh alloc` gives for the same free set, jobs too large wait, nodes that are down stay empty.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=64 topology='MeshName=t Dims=8x8 Wrap=all Nodes=n[0-63]' || exit

# use STRATEGY: for all jobs from now on; however long it takes on a busy machine
use() {
	cluster_set params="mesh_strategy=$1,mesh_max_time=0" && reconfigure && wait_for 10 in_use "$1"
}

in_use() {
	scontrol show config | grep -qE "mesh_strategy=$1(,|\$)"
}

# proposal STRATEGY COUNT FREE: what the command says
proposal() {
	hosts_sorted "$("$SMESH" alloc -t "$cluster_dir/topology.conf" -s "$1" -n "$2" --free "$3" | head -n 1)"
}

# same_as_smesh STRATEGY: jobs come and go, one decision at a time
same_as_smesh() {
	local strategy=$1 size free id want got same=0 jobs=() sizes=(5 9 1 12 7 3 6 4 2 8)
	for size in "${sizes[@]}"; do
		free=$(idle_nodes)
		want=$(proposal "$strategy" "$size" "$free")
		id=$(submit "$size" 500)
		got=$(hosts_sorted "$(started "$id")")
		jobs+=("$id")
		if [ -n "$got" ] && [ "$got" = "$want" ]; then
			same=$((same + 1))
		else
			echo "# $strategy, $size of $free: got $got, smesh says $want"
		fi
		# Every third time a hole is made.
		[ $((${#jobs[@]} % 3)) -ne 0 ] || free_again "${jobs[${#jobs[@]} / 3]}"
	done
	scancel "${jobs[@]}"
	wait_for 90 cluster_all_idle
	is "$same" "${#sizes[@]}" "$strategy: the same nodes as smesh alloc, ${#sizes[@]} times"
}

# free_again ID: cancel it and wait for its nodes
free_again() {
	local count
	count=$(($(idle_names | wc -l) + $(job_field "$1" NumNodes)))
	scancel "$1"
	wait_for 20 idle_is "$count"
}

idle_is() {
	[ "$(idle_names | wc -l)" -eq "$1" ]
}

for strategy in mm mc1x1 hilbert-bf linear; do
	use "$strategy"
	ok $? "mesh_strategy=$strategy through scontrol reconfigure"
	same_as_smesh "$strategy"
done

# ---- Nodes that are down ----
use mm
scontrol update NodeName='n[9-11,30]' State=DOWN Reason=test
ids=()
for size in 20 20 20; do ids+=("$(submit "$size" 100)"); done
used=$(for id in "${ids[@]}"; do started "$id"; done | paste -sd,)
is "$(hosts_sorted "$used")" "n[0-8,12-29,31-63]" "jobs fill the machine around nodes that are down"
scancel "${ids[@]}"

# ---- Too large for now ----
big=$(submit 61 1)
go_round && go_round
job_is "$big" PENDING
ok $? "a job of 61 nodes waits: 4 of 64 are down"
scontrol update NodeName='n[9-11,30]' State=RESUME
wait_for 30 job_is "$big" COMPLETED
ok $? "it runs when they are back"
first=$(submit 40 300)
started "$first" >/dev/null
second=$(submit 40 1)
pending "$second"
ok $? "a job of 40 nodes waits while another has 40 of 64"
scancel "$first"
wait_for 30 job_is "$second" COMPLETED
ok $? "it runs when room is made"
# Newer versions refuse it, others keep it waiting.
never=$(submit 65 1 2>/dev/null)
[ -z "$never" ] || { sleep 1 && job_is "$never" PENDING && scancel "$never"; }
ok $? "a job of 65 nodes never starts"

# ---- Every size ----
for size in {1..64}; do submit "$size" 0 --job-name="size$size"; done >"$cluster_dir/sizes"
wait_for 150 no_jobs
ok $? "jobs of 1 to 64 nodes all end"
right=0
while read -r id; do
	record=$(job_record "$id")
	[[ $record == *" Name=size$((right + 1)) JobState=COMPLETED "*" NodeCnt=$((right + 1)) "* ]] &&
		right=$((right + 1))
done <"$cluster_dir/sizes"
is "$right" 64 "all of them completed, on as many nodes as they wanted"
wait_for 20 cluster_all_idle
ok $? "all nodes are idle at the end"
is "$(ctld_log 0 'fatal:|error: select/mesh' | head -n 3)" "" "no complaint in slurmctld's log"
done_testing
