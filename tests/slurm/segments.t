#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --mesh-segment=N, and --segment=N where Slurm has it (24.05): the job consists of boxes (or compact
# groups) of N nodes; a size that does not divide is refused. GPUs may say how many nodes; from 26.11
# on a waiting job's segments can be changed.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

options=(--mesh-segment)
slurm_is -lt 24.05 || options+=(--segment)

# blockers LIST...: a job on each
blockers() {
	local list
	for list; do started "$(submit "$(host_list hostnames "$list" | wc -l)" 600 -w "$list")" >/dev/null; done
}

# segments WHO OPTION
segments() {
	local id
	id=$(submit 8 100 "$2=4")
	is "$(hosts_sorted "$(started "$id")")" "n[0-1,4-5,10-11,14-15]" "$1: -N8 $2=4 gets the two free boxes"
	scancel "$id"
	id=$(submit 4 100 "$2=8")
	is "$(hosts_sorted "$(started "$id")" | wc -w)" 1 "$1: a segment larger than the job means nothing"
	scancel "$id"
	wait_for 20 only_blockers
	id=$(sbatch --parsable -o /dev/null --gpus=30 "$2=4" --wrap 'sleep 100')
	is "$(hosts_sorted "$(started "$id")")" "n[0-1,4-5,10-11,14-15]" "$1: --gpus=30 $2=4 of nodes with four: the same boxes"
	scancel "$id"
	wait_for 20 only_blockers
	submit 8 100 "$2=3" >"$cluster_dir/out" 2>&1
	like "$(cat "$cluster_dir/out")" "(error|fatal): .*(configuration is not available|must be evenly divisible|is not a multiple of it)" \
		"$1: $2=3 does not divide 8: refused"
}

only_blockers() { [ "$(squeue -h -o %i | wc -l)" -eq 3 ]; }

# changed WHO: what scontrol says of a job that waits
changed() {
	local id
	id=$(submit 8 100)
	go_round
	scontrol update jobid="$id" segmentsize=3 2>"$cluster_dir/out"
	is "$?,$(job_state "$id")" 1,PENDING "$1: SegmentSize=3 does not divide 8: refused"
	scontrol update jobid="$id" segmentsize=4
	is "$(hosts_sorted "$(started "$id")")" "n[0-1,4-5,10-11,14-15]" "$1: SegmentSize=4 of a job that waits: two free boxes"
	scancel "$id"
	wait_for 20 only_blockers
}

# fives WHO OPTION: of a size that fills no box, on an idle machine
fives() {
	local id
	id=$(submit 10 100 "$2=5")
	is "$(hosts_sorted "$(started "$id")")" "$("$SMESH" alloc -t "$cluster_dir/topology.conf" -s bf -n 10 \
		--segment 5 | head -n 1)" "$1: -N10 $2=5"
	scancel "$id"
	wait_for 20 no_jobs
}

# shaped WHO OPTION: the shape is the whole job's, and the segments are inside
shaped() {
	is "$(sides "4 4" "$(where 4 "$2=2" --mesh-shape=2x2)")" 2x2 "$1: two segments of 2 in a 2x2"
	is "$(sides "4 4" "$(where 8 "$2=4" --mesh-shape=4x2:norotate)")" 4x2 "$1: two of 4 in a 4x2"
	is "$(where 6 "$2=3" --mesh-shape=4x2:norotate)" "n[0-2,4-6]" "$1: two of 3 in a 4x2"
	is "$(sides "4 4" "$(where 4-16 "$2=2" --mesh-shape=2x2)")" 2x2 "$1: as many of 2 as a 2x2 has room for"
	is "$(sides "4 4" "$(where 2-16 "$2=4" --mesh-shape=4x2:norotate)")" 4x2 "$1: as many of 4 as a 4x2 has room for"
	submit 8 100 "$2=4" --mesh-shape=3x3 >"$cluster_dir/out" 2>&1
	like "$(cat "$cluster_dir/out")" "error: .*configuration is not available" \
		"$1: two of 4 boxes in a 3x3 cannot be: refused"
	is "$(sides "4 4" "$(where 4 --spread-job --mesh-shape=2x2)")" 2x2 "$1: a shape with --spread-job"
}

# with WHO KEY=VALUE...
with() {
	local who=$1 id
	shift
	mesh_cluster nodes=16 params=mesh_strategy=bf topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
		node=Gres=gpu:4 gres="NodeName=n[0-15] Name=gpu File=/dev/null,/dev/zero,/dev/full,/dev/random" "$@" || exit
	blockers 'n[2,6-7]' 'n[8-9,13]' || exit
	blockers 'n3' || exit
	id=$(submit 8 100)
	go_round
	is "$(job_state "$id")" PENDING "$who: no free box of 8"
	scancel "$id"
	for option in "${options[@]}"; do segments "$who" "$option"; done
	slurm_is -lt 26.11 || changed "$who"
	cancel_all
	for option in "${options[@]}"; do
		fives "$who" "$option"
		shaped "$who" "$option"
	done
	cluster_stop
}

with select/mesh
slurm_is -lt 24.05 || with topology/mesh select=select/cons_tres topology_plugin=topology/mesh

# Over two meshes, if need be, each segment in one.
mesh_cluster nodes=8 params=mesh_strategy=mm topology='MeshName=a Dims=2x2 Nodes=n[0-3]
MeshName=b Dims=2x2 Nodes=n[4-7]' || exit
id=$(submit 8 100 --mesh-segment=4)
is "$(hosts_sorted "$(started "$id")")" "n[0-7]" "two segments of 4: one in each mesh"
cancel_all
blockers n2 n5
id=$(submit 4 100 --mesh-segment=2)
is "$(hosts_sorted "$(started "$id")" | wc -w)" 1 "two segments of 2 among three nodes of each mesh"
cancel_all
cluster_stop

# Three pods with six nodes free in each, cables from the first to the last.
pods='MeshName=a Dims=2x4 Nodes=n[0-7]
MeshName=b Dims=2x4 Nodes=n[8-15]
MeshName=c Dims=2x4 Nodes=n[16-23]'

# pods WHO KEY=VALUE...
pods() {
	local who=$1 option id
	shift
	mesh_cluster nodes=24 topology="$pods" "$@" || exit
	blockers 'n[6-7]' 'n[8-9]' 'n[22-23]' || exit
	for option in "${options[@]}"; do
		id=$(submit 8 100 "$option=4")
		is "$(host_list hostnames "$(started "$id")" | tr -d n | awk '{ n[int($1 / 8)]++ } END {
			for (i in n) print n[i] }' | xargs)" "4 4" "$who: $option: a segment in each of two pods"
		scancel "$id"
		wait_for 20 only_blockers
		id=$(submit 12 100 "$option=6")
		is "$(host_list hostnames "$(started "$id")" | tr -d n | awk '{ n[int($1 / 8)]++ } END {
			for (i in n) print n[i] }' | xargs)" "6 6" "$who: $option: of six"
		scancel "$id"
		wait_for 20 only_blockers
		id=$(submit 7 100 "$option=7")
		go_round
		is "$(job_state "$id")" PENDING "$who: $option: one segment of seven waits for one pod"
		scancel "$id"
		wait_for 20 only_blockers
	done
	cluster_set topology="$pods
Link=n[0-1],n[16-17]"
	reconfigure
	for option in "${options[@]}"; do
		id=$(submit 8 100 "$option=4")
		is "$(hosts_sorted "$(started "$id")")" "n[0-3,16-19]" "$who: $option: near the cables between pods"
		scancel "$id"
		wait_for 20 only_blockers
	done
	is "$(ctld_log 0 'fatal:|Assertion')" "" "$who: nothing fatal in the log"
	cancel_all
	cluster_stop
}
pods select/mesh
slurm_is -lt 24.05 || pods topology/mesh select=select/cons_tres topology_plugin=topology/mesh
done_testing
