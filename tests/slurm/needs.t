#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Segments for jobs whose needs only the stock plugin knows: as many nodes as tasks with much memory
# take.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

batch() { sbatch --parsable -o /dev/null --time=5 "$@" --wrap 'sleep 600'; }
# By CPUs these tasks take 4 nodes, and by memory 8.
tasks=(-n16 --mem-per-cpu=500)

# ---- Two meshes ----
mesh_cluster nodes=32 strategy=snug select_params=CR_CPU_Memory cpus=4 topology='MeshName=a Dims=4x4 Nodes=n[0-15]
MeshName=b Dims=4x4 Nodes=n[16-31]' || exit
id=$(batch "${tasks[@]}" --mesh-segment=4)
started "$id" >/dev/null
is "$(job_field "$id" NumNodes),$(strategy_of "$id")" 8,snug "tasks in segments of 4: two of them"
cancel_all
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
