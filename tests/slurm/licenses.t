#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs that wait for a license: they say so, and others do not wait behind them. The main scheduler alone.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_standin

mesh_cluster nodes=16 standin="$standin" scheduler=sched/builtin topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
	conf='Licenses=token:1' || exit

# reason ID
reason() { job_has "$1" Reason Licenses; }

first=$(submit 4 100 -L token)
started "$first" >/dev/null
waits=("$(submit 4 100 -L token)" "$(submit 4 100 -L token --mesh-shape=2x2)" "$(submit 14 100 -L token)")
is "$(host_list hostnames "$(started "$(submit 4 100)")" | wc -l)" 4 "a job without a license does not wait behind those that lack one"
names=("four nodes" "a box" "more nodes than are idle")
for i in 0 1 2; do
	wait_for 20 reason "${waits[i]}"
	ok $? "${names[i]}: waits for a license"
done
scancel "$first"
is "$(sides "4 4" "$(started "${waits[0]}")")" 2x2 "when there is one, the first of them starts, on nodes near each other"
done_testing
