#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Beside topologies of topology.yaml (Slurm 25.05 and later; torus3d: 26.05): a partition that has
# torus3d is left to it, jobs that share nodes start there, and the other partitions are the mesh's.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
slurm_is -ge 26.05 || {
	echo "1..0 # SKIP no topology/torus3d before Slurm 26.05"
	exit 0
}

cluster_prepare nodes=12 cpus=2 select=select/cons_tres_mesh select_params=CR_Core \
	plugins="$builddir/plugins" plugstack="$spank_plugin" loglevel=verbose \
	params=mesh_strategy=linear topology='MeshName=m Dims=2x4 Nodes=n[0-7]
MeshName=second Dims=4 Nodes=n[8-11]' topology_plugin=topology/mesh partition=Topology=free \
	conf='PartitionName=boxes Nodes=ALL MaxTime=INFINITE State=UP Topology=boxes
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP Topology=second' || exit
cat >"$cluster_dir/topology.yaml" <<'YAML'
- topology: boxes
  cluster_default: true
  torus3d:
    toruses:
      - name: t
        nodes: n[0-7]
        dims: {x: 2, y: 2, z: 2}
        placements:
          - dims: {x: 1, y: 1, z: 1}
          - dims: {x: 2, y: 2, z: 1}
- topology: free
  cluster_default: false
  flat: true
- topology: second
  cluster_default: false
  flat: true
YAML
cluster_boot || exit
like "$("$SMESH" check 2>&1)" "topology.yaml: Slurm 25.05 and later .* leave TopologyPlugin=topology/mesh aside" \
	"smesh check says that TopologyPlugin is not looked at"
id=$(submit 4 100 -p boxes -n 4)
is "$(hosts_sorted "$(started "$id")")" "n[0-3]" "torus3d: a job that shares nodes starts, on one of its boxes"
is "$(strategy_of "$id")" "" "select/mesh left the choice to it"
is "$(ctld_log 0 'partitions with topology boxes are placed by topology/torus3d' | wc -l)" 1 "and said so once"
scancel "$id"
id=$(submit 4 100 -p boxes --exclusive)
is "$(started "$id" | wc -w)" 1 "and one with nodes of its own"
scancel "$id"
wait_for 20 no_jobs
id=$(submit 3 100 -p all -n 6 -x "n[8-11]")
is "$(hosts_sorted "$(started "$id")")" "n[0-2]" "the other partition: three nodes, which torus3d refuses"
is "$(strategy_of "$id")" linear "by the mesh's strategy"
id=$(submit 2 100 -p other)
is "$(hosts_sorted "$(started "$id")")" "n[8-9]" "a partition whose Topology= has the name of a mesh has its nodes there"
id=$(submit 1 100 -p boxes --mesh-hint=scatter)
started "$id" >/dev/null
wait_for 5 ctld_log 0 "JobId=$id: --mesh- options do nothing in partition boxes" >/dev/null
ok $? "a job with --mesh- options is told of in the log"
cancel_all
done_testing
