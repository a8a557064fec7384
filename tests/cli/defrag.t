#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh defrag and why: who is to be requeued for a box, from a state in a file. On a cluster: tests/slurm/defrag.t.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >t.conf
cat >state <<'END_STATE'
17 ann n[0-3] 7200 600 short
18 bob n[4-7,9] 300 3000 long
19 ann n14
down - n15
waiting 20 cleo 8 Resources 720
waiting 21 dan 4 Priority 60 contiguous
waiting 22 eve 2 JobHeldUser 60 contiguous
waiting 23 dan 16 Priority 5
waiting 24 eve 4 Priority 5 shape=4x1 within=n[4-15]
END_STATE
why() {
	"$SMESH" why -t t.conf --state state "$1"
}
defrag() {
	"$SMESH" defrag -t t.conf --state state "$@"
}
is "$(defrag)" "job 20 (cleo) waits for 8 nodes
cheapest place: 4x2 on n[4-11], for 4.2 node-hours of work that is lost:
  job 18 (bob, 5 nodes) has run for 50 min
scontrol requeue 18

job 21 (dan) waits for 4 nodes in one box, behind 1 job
cheapest place: 4x1 on n[0-3], for 0.7 node-hours of work that is lost:
  job 17 (ann, 4 nodes) has run for 10 min
scontrol requeue 17

job 23 (dan) waits for 16 nodes, behind 2 jobs
cheapest place: none: 16 nodes are wanted, 15 are up

job 24 (eve) waits for 4 nodes in one box, behind 3 jobs
cheapest place: 4x1 on n[4-7], for 4.2 node-hours of work that is lost:
  job 18 (bob, 5 nodes) has run for 50 min
scontrol requeue 18" "for each job that waits for place: whole jobs, of its partition's nodes; not for one that is held"
like "$(why 24)" 'room: a free box of that size when job 18 ends, but jobs of higher priority come first.*cheapest place: 4x1 on n.4-7.*scontrol requeue 18' \
	"why: the same of one job, and when there will be room in its partition"
is "$(why 22 | grep -c "cheapest place")" 0 "no advice for one that is held"
is "$(defrag --shape 2x3 | tail -n 1)" "scontrol requeue 18" "for a shape"
is "$(defrag --shape 4x3 | tail -n 3)" "  job 17 (ann, 4 nodes) has run for 10 min
  job 18 (bob, 5 nodes) has run for 50 min
scontrol requeue 17,18" "two of them on one line"
is "$(defrag -n 4 --users ann | tail -n 1)" "scontrol requeue 17" "of this user's jobs alone"
is "$(defrag -n 4 --partitions x,long | tail -n 1)" "scontrol requeue 18" "of this partition's jobs alone"
is "$(defrag -n 4 --users "")" "cheapest place: none: --users= or --partitions= is empty" "a variable that is not set"
like "$(defrag -n 4 --users an)" 'place: none' "a part of a name is no name"
is "$(defrag -n 2)" "cheapest place: 1x2 on n[8,12], which is free" "what is free costs nothing"
is "$(defrag -n 2 --within 'n[0-3]' | tail -n 1)" "scontrol requeue 17" "within some nodes"
is "$(defrag -n 6 --within 'n[0-3]')" "cheapest place: none: 6 nodes are wanted, 4 are up and allowed" "which are too few"
fails 1 '^smesh: --within=n\[3,99\]: mesh .* has no node n99$' "or no nodes" "$SMESH" defrag -t t.conf --state state -n 2 --within 'n[3,99]'
like "$(defrag -n 8 --most 4)" 'place: none: .* lose too much' "it may not cost more"
is "$(defrag -n 8 --most 4.17 | tail -n 1)" "scontrol requeue 18" "but as much"
defrag -n 8 --most 4 >out
is "$?" 3 "exit code: no such jobs"
defrag --shape 5x2 >out
is "$? $(cat out)" "4 cheapest place: never: a box of 5x2 does not fit into the machine, which is 4x4" "never"
is "$(sed -i '/^waiting/d' state && defrag)" "no job waits for nodes; --nodes or --shape names a box to have free" "nobody waits"
fails 1 'exclude each other' "one box at a time" "$SMESH" defrag -t t.conf --state state -n 4 --shape 2x2
fails 1 'goes with --nodes or --shape' "of what?" "$SMESH" defrag -t t.conf --state state --within n0
echo '1 a n0 x' >bad
fails 1 'bad:1: expected JOB USER HOSTLIST \[SECONDS-LEFT \[SECONDS-RUN' "not a time" "$SMESH" defrag -t t.conf --state bad
echo 'waiting 24 eve 4 Priority 5 shape=4x' >bad
fails 1 'bad:1: expected waiting JOB USER' "a shape that is none" "$SMESH" defrag -t t.conf --state bad
echo 'waiting 24 eve 4 Priority 5 contiguous shape=4x1 within=n[0-15] require=n0 pattern=ring nothing' >bad
fails 1 'bad:1: expected waiting JOB USER' "a word behind all that there may be" "$SMESH" defrag -t t.conf --state bad

# How long it may still run need not be known.
echo '1 a n0 - 60' >state
is "$(defrag --shape 4x4 | tail -n 1)" "scontrol requeue 1" "a time left that is not known"

# A box that there can never be is no matter of nodes that are down.
echo 'waiting 9 eve 5 Priority 5 shape=5x1' >state
is "$(why 9 | tail -n 1)" "room: never: a box of 5x1 does not fit into the machine, which is 4x4" "why: there is no such box"

# A job of several meshes: one mesh says nothing of it.
printf 'MeshName=%s Dims=4x4 Nodes=%s[0-15]\n' a a b b >two.conf
printf '%s\n' 'waiting 9 eve 20 Resources 5' 'waiting 10 eve 33 Resources 5' 'waiting 11 eve 20 Resources 5 shape=4x5' >state
two() { "$SMESH" "$1" -t two.conf --mesh a --state state "${@:2}" | tail -n 1; }
is "$(two why 9)" "room: not looked for: it asks for 20 nodes, and so for several meshes, as a has 16" "why: more than one mesh"
is "$(two why 10)" "room: never, as mesh a has 16 nodes and it asks for 33" "more than all have"
like "$(two why 11)" '^room: never, as' "a shape is in one"
sed -i '$s/.*/MeshName=b Dims=4x5 Nodes=b[0-19]/' two.conf
is "$(two why 11)" "room: never on mesh a, see --mesh=b" "which is another"
is "$(two why 9)" "room: never on mesh a, see --mesh=b" "so is one of nodes, if they are enough"
is "$(two defrag -n 20)" "cheapest place: not looked for: it asks for 20 nodes, and so for several meshes" "defrag likewise"

# What place is legal says Shapes=.
echo 'MeshName=m Dims=4x4 Nodes=n[0-15] Shapes=2x2@2x2' >s.conf
printf '%s\n' '1 a n1 - 60' '2 a n2 - 50' '3 a n[8,9] - 20' '4 a n[10,11] - 30' >state
is "$("$SMESH" defrag -t s.conf --state state -n 4)" "cheapest place: 2x2 on n[8-9,12-13], for 0.0 node-hours of work that is lost:
  job 3 (a, 2 nodes) has run for 20 s
scontrol requeue 3" "where boxes may begin says Shapes="
done_testing
