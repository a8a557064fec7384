#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A mesh beside TopologyPlugin=topology/tree: its switches are in topology.conf, the mesh in a file
# of its own (mesh_conf=), and --switches keeps its meaning. And nodes of different Weight.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

cluster_prepare nodes=16 select=select/mesh plugins="$builddir/plugins" plugstack="$spank_plugin" \
	loglevel=verbose topology_plugin=topology/tree topology='SwitchName=s0 Nodes=n[0-3]
SwitchName=s1 Nodes=n[4-7]
SwitchName=s2 Nodes=n[8-11]
SwitchName=s3 Nodes=n[12-15]
SwitchName=top Switches=s[0-3]' nodelines='NodeName=n[0-11] CPUs=1 RealMemory=1000 Weight=1
NodeName=n[12-15] CPUs=1 RealMemory=1000 Weight=100' || exit
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >"$cluster_dir/mesh.conf"
cluster_set params="mesh_conf=$cluster_dir/mesh.conf,mesh_max_time=0"
cluster_boot || exit

# switches LIST: how many leaf switches its nodes are on
switches() {
	host_list hostnames "$1" | tr -dc '0-9\n' | awk '{ s[int($1 / 4)] } END { n = 0; for (i in s) n++; print n }'
}

id=$(submit 4 100 --exclusive)
nodes=$(started "$id")
is "$(switches "$nodes") $(strategy_of "$id")" "2 mm" "without --switches: the strategy's square on two switches ($nodes)"
scancel "$id"
wait_for 20 cluster_all_idle
id=$(submit 4 100 --exclusive --switches=1@60:00)
nodes=$(started "$id")
is "$(switches "$nodes")" 1 "--switches=1: on one switch ($nodes)"
is "$(strategy_of "$id")" stock "the choice was widened"
id=$(submit 4 100 --exclusive --switches=2@60:00)
nodes=$(started "$id")
is "$(strategy_of "$id")" mm "--switches=2: the strategy's choice is good enough ($nodes)"
cancel_all
ids=()
for i in 0 4 8 12; do ids+=("$(submit 1 600 --time=20 -w "n$i")"); done
for i in "${ids[@]}"; do started "$i" >/dev/null; done
id=$(submit 4 1 --exclusive --time=1 --switches=1@60:00)
pending "$id"
ok $? "with no switch free it waits, though 12 nodes are"
scancel "${ids[2]}"
is "$(started "$id")" "n[8-11]" "until there is one"
cancel_all

# ---- Weight ----
id=$(submit 2 100 --exclusive -w n8)
nodes=$(started "$id")
is "$(job_field "$id" NumNodes)" 2 "two nodes, one of them given ($nodes)"
cancel_all
id=$(submit 4 100 --exclusive -w n10)
nodes=$(started "$id")
is "$(strategy_of "$id")" mm "light nodes are the strategy's to choose from ($nodes)"
cancel_all
ids=()
for i in 0 1 2 3 4 5 6 7 8 9; do ids+=("$(submit 1 600 -w "n$i")"); done
for i in "${ids[@]}"; do started "$i" >/dev/null; done
id=$(submit 4 100 --exclusive)
nodes=$(started "$id")
is "$(hosts_sorted "$nodes")" "$("$SMESH" alloc -t "$cluster_dir/mesh.conf" -s mm -n 4 --free 'n[10-15]' --seed "$id" |
	head -n 1)" "too few light ones are free: all of them, and the nearest others ($nodes)"
cancel_all
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
