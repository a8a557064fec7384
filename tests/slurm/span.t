#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that no mesh can hold, and jobs that no mesh can hold now: whatever the stock plugin would run is
# neither refused nor held, unless slurm.conf says mesh_span=no.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

meshes='MeshName=a Dims=2x2 Nodes=n[0-3]
MeshName=b Dims=2x2 Nodes=n[4-7]'
cluster_start nodes=12 loglevel=verbose plugins="$builddir/plugins" \
	gres='NodeName=n[8-11] Name=gpu File=/dev/null,/dev/zero' nodelines='NodeName=n[0-7] CPUs=4 RealMemory=1000
NodeName=n[8-11] CPUs=4 RealMemory=2000 Feature=out Gres=gpu:2' || exit

# change SELECT [KEY=VALUE]...: another SelectType, and a restart of all daemons
change() {
	save_state "$first"
	slurmctld_stop
	slurmd_stop TERM "${cluster_names[@]}"
	cluster_set select="$1" "${@:2}"
	slurmctld_start && slurmd_start "${cluster_names[@]}" && wait_for 60 cluster_all_known
}
# batch OPTION...
batch() { sbatch --parsable -o /dev/null --time=10 "$@" --wrap 'sleep 600'; }
# runs NAME ID...: one after the other they start
runs() {
	local name=$1 id
	shift
	for id; do
		is "$(started "$id" >/dev/null; job_state "$id")" RUNNING "$name"
		scancel "$id"
	done
	cancel_all
}

# ---- Jobs that wait while select/mesh comes ----
first=$(batch -N12 --exclusive)
started "$first" >/dev/null
forged=$("$builddir/test-programs/forge" 0 MESH_SHAPE=2x2)
ids=("$(batch -N6 --exclusive)" "$(batch -n24)" "$(batch -N10 --exclusive)" "$(batch -N5 --contiguous)")
change select/mesh topology="$meshes" plugstack="$spank_plugin"
pending "${ids[3]}"
is "$(for i in "${ids[@]}"; do echo "$(job_field "$i" Priority | sed 's/[1-9].*/positive/') $(job_field "$i" Reason)"; done |
	grep -c 'BadConstraints\|^0')" 0 "jobs of 5 to 10 nodes, with meshes of 4, are not held"
scancel "$first"
is "$(started "$forged" >/dev/null; job_field "$forged" NumNodes)" 4 "a shape that nobody had looked at has its size"
scancel "$forged"
runs "and start when there is room" "${ids[@]}"

# ---- Jobs that come later ----
for wish in -N6 -n24 '-N5 --contiguous' '-N12' '-N6 -c2' '-N2-6 -n24'; do
	# shellcheck disable=SC2086
	id=$(batch $wish)
	is "$(started "$id" >/dev/null; job_state "$id")" RUNNING "sbatch $wish"
	cancel_all
done
cluster_set params=mesh_strategy=bf
reconfigure
sleep 0.5
runs "mesh_strategy=bf: a box for those that a mesh can hold, and room for others" \
	"$(batch -N6 --exclusive)" "$(batch -N3 --exclusive)"

# ---- A partition without a mesh, or with a part of each ----
partitions='PartitionName=out Nodes=n[8-11]
PartitionName=edge Nodes=n[2-5]'
cluster_set conf="$partitions"
reconfigure
sleep 0.5
for wish in '-p out -N1' '-p out -N3 --exclusive' '-p out -n9' '-p out -N2 --contiguous' '-p edge -N3' '-p edge -N4 --exclusive' \
	'-N1 -w n8' '-N2 -w n0,n8' '-N2 -w n3,n4' '-N3 -x n[0-7]' '-N3 -x n[0-1,4-5] --exclusive' '-N2 -C out' \
	'-N4 -C out --exclusive' '-n6 -C out' '-N2 --gres=gpu:1' '--gpus=6' '-N3 --mem=1500' '-N2 -C out --contiguous'; do
	# shellcheck disable=SC2086
	runs "mesh_strategy=bf: sbatch $wish" "$(batch $wish)"
done
id=$(batch -p edge -N2 --exclusive)
like "$(started "$id")" '^n(\[2-3\]|\[4-5\])$' "a job that one mesh can hold there has its box"
cancel_all
cluster_set params=
reconfigure
sleep 0.5
for wish in '-p out -N2 --contiguous' '-p edge -N3 --contiguous' '-N2 -w n8 --contiguous' '-N2 -C out --contiguous' \
	'-N2 --gres=gpu:2 --contiguous'; do
	# shellcheck disable=SC2086
	runs "sbatch $wish" "$(batch $wish)"
done

# ---- Nodes of no mesh, behind a job that waits ----
cluster_set params= conf=
reconfigure
sleep 0.5
first=$(batch -N8 --exclusive -w 'n[0-7]')
started "$first" >/dev/null
large=$(batch -N12 --exclusive)
pending "$large"
id=$(batch -N2 --exclusive --time=1)
like "$(started "$id")" '^n(8|9|10|11|\[)' "a job of 2 is backfilled on nodes of no mesh"
cancel_all

# ---- Unless the administrator says no ----
cluster_set params=mesh_span=no,mesh_strategy=bf conf="$partitions"
reconfigure
sleep 0.5
runs "mesh_span=no, mesh_strategy=bf: a partition of no mesh" "$(batch -p out -N1)" "$(batch -p out -N3 --exclusive)" \
	"$(batch -C out -N3)"
fails 1 'Requested node configuration is not available' "mesh_span=no: 3 nodes of two meshes are refused" \
	sbatch -p edge -N3 --exclusive --wrap true
cluster_set params=mesh_span=no
reconfigure
sleep 0.5
fails 1 'Requested node configuration is not available' "mesh_span=no: 6 nodes are refused" \
	sbatch -N6 --exclusive --wrap true
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
done_testing
