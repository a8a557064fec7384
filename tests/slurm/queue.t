#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# snug is told who waits next: on a line with two free stretches of 4 and 5 nodes a job of one node
# takes it from the stretch that the next job does not need whole.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=17 params=mesh_strategy=snug,mesh_max_time=0 \
	topology='MeshName=m Dims=16 Nodes=n[0-15]' \
	conf='Licenses=one:1
PartitionName=line Nodes=n[0-15] OverSubscribe=EXCLUSIVE
PartitionName=down Nodes=n[0-15] OverSubscribe=EXCLUSIVE State=DOWN' || exit

# next SIZE OPTION...: SIZE nodes are wanted after one, and both may begin in the same moment.
# Where the one is.
next() {
	local one
	scontrol update PartitionName=line State=DOWN
	one=$(submit 1 300 -p line --priority=2000 -J probe)
	submit "$1" 300 -p line --priority=1000 -J probe "${@:2}" >/dev/null
	scontrol update PartitionName=line State=UP
	started "$one"
	scancel --name=probe
	wait_for 30 only_holders
}

only_holders() {
	[ -z "$(squeue -h -n probe)" ] && [ "$(idle_nodes)" = "n[0-3,10-14,16]" ]
}

lacks_license() {
	[ "$(squeue -h -j "$1" -o %r)" = Licenses ]
}

# in_four NODE, in_five NODE: at an end of the stretch
in_four() { [[ $1 =~ ^(n0|n3)$ ]]; }
in_five() { [[ $1 =~ ^(n10|n14)$ ]]; }

started "$(submit 6 3000 -p line -w 'n[4-9]')" >/dev/null
started "$(submit 1 3000 -p line -w n15 -L one)" >/dev/null
got=$(next 4)
in_five "$got"
ok $? "four nodes are wanted next: the one is of the five ($got)"
[ -n "$(ctld_log 0 ' nodes=n(10|14) .* next=4$')" ]
ok $? "its line in the log says what it was told of"
got=$(next 5)
in_four "$got"
ok $? "five: of the four ($got)"
held=$(submit 5 300 -p line --hold)
got=$(next 4)
in_five "$got"
ok $? "five, held, before four: of the five ($got)"
scancel "$held"
later=$(submit 5 300 -p line --begin=now+1hour --priority=1500)
got=$(next 4)
in_five "$got"
ok $? "five, in an hour, before four: of the five ($got)"
scancel "$later"
down=$(submit 5 300 -p down --priority=1500)
got=$(next 4)
in_five "$got"
ok $? "five, in a partition that is down, before four: of the five ($got)"
scancel "$down"
licensed=$(submit 5 300 -p line --priority=1500 -L one)
wait_for 15 lacks_license "$licensed"
got=$(next 4)
in_five "$got"
ok $? "five, for which a license is missing, before four: of the five ($got)"
scancel "$licensed"
got=$(next 4 --array=1-2)
in_five "$got"
ok $? "an array of four nodes each: of the five ($got)"
[ -n "$(ctld_log 0 ' nodes=n(10|14) .* next=4,4$')" ]
ok $? "two of its tasks wait"
next 4 --array=1-3%1 >/dev/null
is "$(ctld_log 0 ' next=4(,4)*$' | sed -n '$s/.* //p')" "next=4" "one, where only one may run at a time"

cluster_set params=mesh_strategy=snug,mesh_max_time=0,mesh_look_ahead=0
reconfigure
four=$(next 4)
five=$(next 5)
is "$four" "$five" "mesh_look_ahead=0: the same whoever waits"
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
