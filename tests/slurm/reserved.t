#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Beside a reservation of cores, and suspended jobs: what `sbatch --test-only` foresees, now and when
# others end. The stock plugin alone knows which cores these keep; what it would take is known here
# by hand.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

# n4 n5 n6 n7
# n0 n1 n2 n3	one core of four of n0 and of n1 is reserved
mesh_cluster nodes=8 cpus=4 params=mesh_max_time=0 topology='MeshName=m Dims=4x2 Wrap=all Nodes=n[0-7]' || exit
"$builddir/test-programs/core_reservation" c "$(id -un)" n0 n1
ok $? "a reservation of a core of each of two nodes"

# will OPTION...: "TIME NODES" or why not
will() {
	sbatch --test-only "$@" --wrap true 2>&1 |
		sed -n 's/.* to start at \([^ ]*\) .* on nodes \([^ ]*\) .*/\1 \2/p; s/allocation failure: //p'
}

# now_on NODES OPTION...: it can start at once, there
now_on() {
	local nodes=$1 got
	shift
	got=$(will "$@")
	is "${got#* }" "$nodes" "$*: on $nodes"
	[ "$(epoch "${got% *}")" -le "$(date +%s)" ]
	ok $? "$*: at once"
}

# then_on WHEN NODES OPTION...: not before
then_on() {
	local when=$1 nodes=$2
	shift 2
	like "$(will "$@")" "^$when $nodes\$" "$*: when those end"
}

never() { is "$(will "$@")" "Requested node configuration is not available" "$*: not beside the reservation"; }

# ---- Nobody else is there ----
now_on "n[2-7]" -N6 --exclusive
never -N7 --exclusive
now_on "n[0-7]" -N8 -n30
never -N8 -n31
now_on "n[0-1]" -N2 -n2 --reservation=c
never -N2 -n3 --reservation=c
now_on "n[4-6]" -N3 --exclusive --contiguous
never -N6 --exclusive --contiguous

# ---- Beside jobs ----
a=$(submit 3 600 -w "n[2-4]" --exclusive --time=10)
b=$(submit 2 600 -w "n[5-6]" --exclusive --time=20)
started "$a" >/dev/null
started "$b" >/dev/null
a=$(job_field "$a" EndTime) b=$(job_field "$b" EndTime)
now_on n7 -N1 --exclusive
now_on "n[0,7]" -N2 -n7
then_on "$a" "n.2-[34](,7)?." -N3 --exclusive
then_on "$a" "n.2-4,7." -N4 --exclusive
then_on "$b" "n.2-7." -N6 --exclusive
then_on "$b" "n.0-7." -N8 -n30
then_on "$a" "n.*" -N3 -n11
never -N7 --exclusive
now_on "n[0-1]" -N2 -n2 --reservation=c

# Boxes: those with n0 and n1 seem to be free, and are none for these jobs.
then_on "$a" "n.(2-3|3,7)." -N2 --exclusive --contiguous
then_on "$b" "n.(4-7|2-3,6-7)." -N4 --exclusive --contiguous
then_on "$a" "n.(2-3|3,7)." -N2 -n8 --contiguous
then_on "$b" "n.(4-7|2-3,6-7)." -N4 -n16 --contiguous
then_on "$a" "n.0-3." -N4 -n14 --contiguous
never -N6 --exclusive --contiguous
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
cancel_all
scontrol delete reservationname=c

# Nodes of a job that somebody has suspended are for others, before its end.
a=$(submit 4 600 -w "n[0-3]" --exclusive --time=60)
b=$(submit 4 600 -w "n[4-7]" --exclusive --time=10)
started "$a" >/dev/null
started "$b" >/dev/null
b=$(job_field "$b" EndTime)
scontrol suspend "$a"
now_on "n[0-3]" -N4 --exclusive
then_on "$b" "n.0-7." -N8 --exclusive
then_on "$b" "n.*" -N6 --exclusive --contiguous
scontrol resume "$a"
then_on "$(job_field "$a" EndTime)" "n.0-7." -N8 --exclusive
cancel_all

# A reservation of so many nodes, at once or later: near each other.
# reserve COUNT START: its nodes
reserve() {
	scontrol create reservation reservationname=near "starttime=$2" duration=5 "nodecnt=$1" "users=$(id -un)" >/dev/null &&
		scontrol show reservation near | sed -n 's/.*Nodes=\([^ ]*\) .*/\1/p' && scontrol delete reservationname=near
}
for when in now now+1hour; do
	is "$(reserve 4 $when)" "$(smesh_nodes mm 4 'n[0-7]')" "nodecnt=4, $when: near each other"
done

# A job that waits for maintenance does not wait for a box.
scontrol create reservation reservationname=maint starttime=now+10minutes duration=5 nodes=ALL flags=MAINT,IGNORE_JOBS \
	"users=$(id -un)" >/dev/null
a=$(submit 4 100 --contiguous --time=30)
go_round
is "$(job_field "$a" Reason)" ReqNodeNotAvail,_Reserved_for_maintenance "the reason of a job that would run into maintenance"
scancel "$a"
scontrol delete reservationname=maint

# Where jobs wait for boxes a reservation does not.
cluster_set params=mesh_strategy=ff
reconfigure
a=$(submit 1 100 -w n1 --exclusive)
started "$a" >/dev/null
for when in now now+1hour; do
	is "$(host_list hostnames "$(reserve 7 $when)" | wc -l)" 7 "nodecnt=7, $when: without a box"
done
is "$(ctld_log 0 'fatal:|Assertion|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
