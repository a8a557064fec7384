#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh defrag and why against a real slurmctld: the line that they print is run, and the job that waited starts.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=16 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' \
	conf='PartitionName=half Nodes=n[8-15]' || exit

# on NODES [OPTION]...: a job there that runs, its number in $id
on() {
	id=$(submit "$(host_list hostnames "$1" | wc -l)" 600 --exclusive -w "$1" "${@:2}")
	started "$id" >/dev/null
}
on 'n[0-3]' --requeue
old=$id
sleep 4
on 'n[8,13]' --requeue
apart=$id
on 'n10' --no-requeue
keeps=$id

# Nine nodes are free, but no square of 3x3.
box=$(submit 9 600 --exclusive --mesh-shape=3x3)
pending "$box"
ok $? "a job waits for a box of 3x3"
defrag=$("$SMESH" defrag)
is $? 3 "none can be had: 3 ($defrag)"
like "$defrag" "job $box .*waits for 9 nodes in one box.*place: none: " "one job in its way may not be requeued"
scancel "$box"
wait_for 20 job_is "$box" CANCELLED

box=$(submit 8 600 --exclusive --mesh-shape=4x2)
pending "$box"
ok $? "a job waits for a box of 4x2"
defrag=$("$SMESH" defrag)
is $? 0 "there is a place ($defrag)"
like "$defrag" "job $box .$(id -un). waits for 8 nodes in one box.*cheapest place: 4x2 on n.0-7., for 0.0 node-hours" "which, and for what"
is "$(grep -c '^scontrol requeue' <<<"$defrag")" 1 "one line to run"
line=$(grep '^scontrol requeue' <<<"$defrag")
is "$line" "scontrol requeue $old" "it names the job in the way"
like "$("$SMESH" why "$box")" "$line" "smesh why says the same"
is "$(job_state "$box") $(job_state "$old")" "PENDING RUNNING" "nothing has been done"
like "$("$SMESH" defrag --users nobody)" "place: none" "not of jobs of others"
like "$("$SMESH" defrag --partitions all -n 8)" "scontrol requeue" "of a partition"
like "$("$SMESH" defrag --partitions half -n 8)" "place: none" "of another"

$line
ok $? "it is run"
is "$(started "$box")" "n[0-7]" "and the job starts in the place"
like "$(job_state "$old")" '^(PENDING|COMPLETING)$' "the other waits again"
is "$(states "$apart" "$keeps")" "2 RUNNING" "all others go on"
like "$(job_field "$old" Restarts)" '^1$' "requeued once"

# Of a partition's nodes.
part=$(submit 4 600 --exclusive -p half --contiguous --mesh-shape=4x1)
pending "$part"
like "$("$SMESH" why "$part")" "cheapest place: .* on n\[12-15\], .*scontrol requeue $apart" "a place in its partition"
line=$("$SMESH" why "$part" | tail -n 1)
$line
is "$(started "$part")" "n[12-15]" "and it starts there"
like "$("$SMESH" top -n 1)" "free boxes +now +in 1 h.*the largest" "top says what is free"
like "$("$SMESH" metrics)" 'smesh_placeable_boxes.mesh="m",box="1",when="now". 3' "and metrics"
done_testing
