#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Broken cables, and cables between pods: boxes keep away from a broken link until it is mended, without
# a restart, and a job over two pods sits where the cables are.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
need_standin

mesh_cluster nodes=16 standin="$standin" params=mesh_strategy=bf \
	topology='MeshName=m Dims=4x4 Nodes=n[0-15]
DownLinksFile=links.down' || exit

# links PAIR...: write the file, and have slurmctld read it
links() { printf '%s\n' "$@" >"$cluster_dir/links.down" && reconfigure && wait_for 20 cluster_all_idle; }

is "$(where 4 --mesh-shape=2x2)" "n[0-1,4-5]" "all links whole: a square in a corner"
links n0:n1
ok $? "a link is broken, while slurmctld runs"
is "$(where 4 --mesh-shape=2x2)" "n[2-3,6-7]" "the square keeps away from it"
is "$(where 4 --mesh-shape=2x2:anylinks)" "n[0-1,4-5]" ":anylinks does not"
is "$(where 4)" "n[2-3,6-7]" "a box of four nodes keeps away from it, too"
is "$(where 4 --mesh-shape=1x4)" "n[0,4,8,12]" "a column beside it is whole"
links n0:n1 n5:n6
is "$(where 8 --mesh-shape=4x2)" "n[8-15]" "turned or not, a box without any of them"
id=$(submit 16 100 --mesh-shape=4x4)
pending "$id"
ok $? "a box of the whole machine waits, and is not refused"
is "$(where 16 --mesh-shape=4x4:anylinks)" "n[0-15]" "with :anylinks it need not"
: >"$cluster_dir/links.down"
reconfigure
is "$(hosts_sorted "$(started "$id")")" "n[0-15]" "when all are mended it starts"
scancel "$id"
wait_for 20 no_jobs
is "$(where 4 --mesh-shape=2x2)" "n[0-1,4-5]" "and the corner is as good as ever"
cluster_stop

# ---- Two pods of 2x4, one cable from a corner to a corner that does not face it ----
pods='MeshName=a Dims=2x4 Nodes=n[0-7]
MeshName=b Dims=2x4 Nodes=n[8-15]'
mesh_cluster nodes=16 standin="$standin" topology="$pods" || exit
blockers=("$(submit 2 600 -w n0,n1)" "$(submit 2 600 -w n14,n15)")
for id in "${blockers[@]}"; do started "$id" >/dev/null; done

# over_both: where a job is that neither pod can hold
over_both() {
	local id
	id=$(submit 8 100)
	hosts_sorted "$(started "$id")"
	scancel "$id"
	wait_for 20 eval '[ "$(squeue -h -o %i | wc -l)" -le 2 ]'
}
is "$(over_both)" "n[2-9]" "without a cable: all of one pod, and some of the other"
cluster_set topology="$pods
Link=n7,n9"
reconfigure
is "$(over_both)" "n[2-9]" "with one: all of one pod, and the other end of the cable"
cluster_set topology="$pods
Link=n2,n13"
reconfigure
is "$(over_both)" "n[2-3,8-13]" "and where it is elsewhere, there"
is "$(ctld_log 0 'fatal:|Assertion')" "" "nothing fatal in the log"
done_testing
