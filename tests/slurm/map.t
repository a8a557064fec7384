#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh map and smesh check on a running cluster (with the stock plugin: they ask slurmctld).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"

cluster_start nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' || exit

one=$(submit 4 100 -t 30 -w 'n[0-1,4-5]')
two=$(submit 3 100 -w 'n[10-11,15]')
wait_for 10 job_is "$one" RUNNING
wait_for 10 job_is "$two" RUNNING
scontrol update NodeName=n3 State=DRAIN Reason=test
scontrol update NodeName=n12 State=DOWN Reason=test

map=$("$SMESH" map)
is $? 0 "a live map, topology.conf beside slurm.conf"
is "$(sed -n 3,6p <<<"$map")" "A A . %
A A . .
. . B B
# . . B" "jobs, drained and down nodes are where they are"
like "$map" "A $one +$(id -un) +4 +1.333" "the legend: job, user, nodes, mean hops"
like "$map" "B $two +$(id -un) +3 +1.333" "of each job"
like "$map" 'free 7 +% drained 1 +# down 1 +busy 7 of 16' "and the counts"
"$SMESH" map --svg "$cluster_dir/map.svg"
is "$(grep -c '<rect class="job"' "$cluster_dir/map.svg")" 7 "as SVG"

three=$(submit 12 100)
wait_for 10 job_is "$three" PENDING
like "$("$SMESH" top -n 1)" "A $one .* [0-9]+ (s|min).*waiting.*$three +$(id -un) +12 " "top: time left, and who waits"
like "$("$SMESH" why "$three")" "^job $three .$(id -un). waits.*12 nodes, reason .*free: 7 of 16" "why a job waits"
like "$("$SMESH" why "$one")" "^job $one .* runs: 4 nodes on m, 1.33 hops" "or where it runs"
like "$("$SMESH" metrics)" 'state="drained". 1.*state="waiting". 1' "metrics of a cluster"
scancel "$three"

out=$("$SMESH" check)
is $? 0 "check reads the cluster's files"
like "$out" 'mesh m: 4x4.*slurm.conf: 16 nodes, SelectType=select/cons_tres.*are not used' \
	"and sees that nothing uses the mesh"

# A job that ends leaves the map.
scancel "$one"
gone() { ! "$SMESH" map | grep -q "A $one "; }
wait_for 10 gone
ok $? "a job that ends leaves the map"

done_testing
