#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh top, why and metrics, from a state in a file: on a cluster see tests/slurm/map.t.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
echo 'MeshName=m Dims=4x4 Nodes=n[0-15]' >t.conf
cat >state <<'END'
17 ann n[0-3] 7200 pattern=learnt:grid:2x2,34%
18 bob n[4-7,9] 300
19 ann n14
down - n15
waiting 20 cleo 8 Resources 720
waiting 21 dan 4 Priority 60 contiguous pattern=ring
waiting 22 dan 12 Priority 60 contiguous
waiting 23 eve 16 Priority 5
waiting 24 eve 20 PartitionNodeLimit 5
END

is "$("$SMESH" top -t t.conf --state state -n 1)" "m, state

A A A A
B B B B
. B . .
. . C #

. free 5   # down 1   busy 10 of 16
  job          user         nodes mean hops time left
A 17           ann              4     1.667     2.0 h
B 18           bob              5     1.800   5.0 min
C 19           ann              1     0.000         -

  waiting      user         nodes     since starts in  why
  20           cleo             8    12 min         -  Resources
  21           dan              4      60 s         -  Priority, contiguous
  22           dan             12      60 s         -  Priority, contiguous
  23           eve             16     5.0 s         -  Priority
  24           eve             20     5.0 s         -  PartitionNodeLimit

  free boxes       now    in 1 h  places lost if a node or link fails: mean, worst
  1                  5        10  node 20%, n8 20%
  2                  2         5  node 40%, n12 66.7%; link 33.3%, n8 to n12 33.3%
  4                  0         2
  8                  0         1
  the largest        2         8  nodes" "top: jobs, users, time left, who waits and why"
is "$("$SMESH" map -t t.conf --state state)" "$("$SMESH" top -t t.conf --state state -n 1)" "map shows the same"
is "$(timeout 5 "$SMESH" top -t t.conf --state state -n 2 -d 1 | grep -c '^m, state')" 2 "again and again"

why() {
	"$SMESH" why -t t.conf --state state "$1"
}
is "$(why 20)" "job 20 (cleo) waits since 12 min: 8 nodes, reason Resources
free: 5 of 16 nodes, the largest free box has 2
in the way: job 18 (bob, 5 nodes, 5.0 min left)
room: enough free nodes when job 18 ends, in 5.0 min at the latest by the limits of running jobs
cheapest place: none: nodes are down, or their jobs may not be requeued or lose too much" \
	"why: the next end is enough"
like "$(why 21)" 'before it in the queue: 1 job, first job 20 .*room: a free box of that size when job 18 ends, but jobs of higher priority come first' \
	"why: a box; no time is told where others come first"
like "$(why 22)" 'in the way: job 18 .*5.0 min left.\, job 17 .*room: a free box of that size when job 17 ends, but' \
	"why: a larger box takes a later end"
like "$(why 23)" 'room: unknown, as nodes are down or running jobs have no time limit' "why: nodes are down"
is "$(why 24)" "job 24 (eve) waits since 5.0 s: 20 nodes, reason PartitionNodeLimit
means: it asks for more or fewer nodes than its partition allows a job
helps: scontrol update JobId=24 NumNodes= or Partition=" "why: what is no matter of place, and what helps"
like "$(why 17)" '^job 17 \(ann\) runs: 4 nodes on m, 1.67 hops between two; on an idle m the best is 1.33, time left: 2.0 h.learnt: grid 2x2, 34% of the time in MPI$' "why: it runs, how near it could be, and what it sends"
like "$(why 21)" 'reason Priority.said to send: ring.free: ' "why: what its user said"

# What may a job have?
cat >mays <<'END'
17 ann n[0-3] 7200
18 bob n[4-7] 300
19 cleo n14 60
down - n15
waiting 30 eve 6 Resources 720 within=n[0-9]
waiting 31 eve 1 Priority 60 require=n5
waiting 32 dan 6 Priority within=n[8-14]
waiting 33 dan 2 Priority require=n[14-15]
waiting 34 fay 20 Priority
waiting 35 fay 12 Priority 1 shape=3x3
waiting 36 gus 4 JobHeldUser
waiting 37 gus 4 TeaTime
END
may() { "$SMESH" why -t t.conf --state mays "$1"; }
cat >boxes <<'END'
17 ann n[0-3] 7200
waiting 40 fay 8 Resources 60 shape=4x2
waiting 41 fay 3 Resources 60 contiguous
waiting 42 fay 3 Resources 60
END
is "$("$SMESH" why -t t.conf --state boxes 40 | sed -n '1p;3p')" "job 40 (fay) waits since 60 s: 8 nodes, a box of 4x2, reason Resources
room: a free box is there now; if its nodes have the CPUs, memory and GRES, slurmctld starts the job in its next cycles" \
	"why: a shape, for which there is room"
sed -i '/^waiting 40/d' boxes
like "$("$SMESH" why -t t.conf --state boxes 41)" ': 3 contiguous nodes, reason' "why: a box of any sides"
sed -i '/^waiting 41/d' boxes
like "$("$SMESH" why -t t.conf --state boxes 42)" 'room: enough free nodes are there now; if they have the CPUs, memory and GRES' "why: no box"
like "$("$SMESH" map -t t.conf --state mays)" '35 .*  Priority, a box of 3x3' "map: which box"
is "$(may 30)" "job 30 (eve) waits since 12 min: 6 nodes, reason Resources
free: 6 of 16 nodes, the largest free box has 4; it may have 2 of them
in the way: job 18 (bob, 4 nodes, 5.0 min left)
room: enough free nodes when job 18 ends, in 5.0 min at the latest by the limits of running jobs
cheapest place: none: nodes are down, or their jobs may not be requeued or lose too much" \
	"why: only jobs on nodes that it may have are in its way"
like "$(may 31)" 'in the way: job 18 .bob, 4 nodes, 5.0 min left.+room: enough free nodes when job 18 ends, but.*cheapest place: not looked for' "why: a node that it requires"
is "$(may 32 | grep -c '^before it')" 1 "why: before it is who may have its nodes"
is "$(may 33 | grep -c 'room: unknown')" 1 "why: a node that it requires is down"
like "$(may 34)" 'room: never, as mesh m has 16 nodes and it asks for 20' "why: never"
is "$(may 35 | tail -n 1)" "room: never, its shape is of 9 nodes and it asks for 12: scontrol update JobId=35 NumNodes=9, with NumCPUs= to match" \
	"why: more nodes than its shape"
is "$(may 36 | tail -n 2)" "means: its user has held it
helps: scontrol release 36" "why: held"
is "$(may 37 | tail -n 1)" "means: not known to smesh; see squeue(1), JOB REASON CODES" "why: a reason that is not known"
sed -i '/^waiting 3[0-4]/d' mays
is "$("$SMESH" defrag -t t.conf --state mays | tail -n 1)" \
	"cheapest place: never: its shape is of 9 nodes, and it asks for 12" "defrag: nothing is requeued for that"
fails 1 'no job 99 runs on mesh m or waits \(squeue lists' "why: no such job" why 99
fails 1 'one JOBID is needed' "why: no job" "$SMESH" why -t t.conf --state state

# Numbers as squeue prints them.
printf '%s\n' '30_1 ann n0 60' '40+1 ann n1 60' 'waiting 30_[2-8:2,11%1] bob 1 JobArrayTaskLimit' >arrays
whose() { "$SMESH" why -t t.conf --state arrays "$1" 2>&1 | cut -d' ' -f2,4 | head -n 1; }
is "$(for id in 30_1 30_4 30_11 30_5 30 40+1 40 4 30_ 30_x 30_4x; do whose "$id"; done | paste -sd,)" \
	"30_1 runs:,30_[2-8:2,11%1] waits:,30_[2-8:2,11%1] waits:,no 30_5,30_[2-8:2,11%1] waits:,40+1 runs:,40+1 runs:,no 4,no 30_,no 30_x,no 30_4x" \
	"why: tasks of an array, by any of their names"

"$SMESH" metrics -t t.conf --state state -o prom
is "$(grep -v '^#' prom)" 'smesh_nodes{mesh="m",state="free"} 5
smesh_nodes{mesh="m",state="busy"} 10
smesh_nodes{mesh="m",state="drained"} 0
smesh_nodes{mesh="m",state="down"} 1
smesh_jobs{mesh="m",state="running"} 3
smesh_jobs{mesh="m",state="waiting"} 5
smesh_largest_free_box_nodes{mesh="m"} 2
smesh_largest_free_box_in_hour_nodes{mesh="m"} 8
smesh_mean_hops{mesh="m"} 1.733333333
smesh_waiting_nodes{mesh="m"} 60
smesh_longest_wait_seconds{mesh="m"} 720
smesh_placeable_boxes{mesh="m",box="1",when="now"} 5
smesh_placeable_boxes{mesh="m",box="1",when="hour"} 10
smesh_placeable_boxes{mesh="m",box="2",when="now"} 2
smesh_placeable_boxes{mesh="m",box="2",when="hour"} 5
smesh_placeable_boxes{mesh="m",box="4",when="now"} 0
smesh_placeable_boxes{mesh="m",box="4",when="hour"} 2
smesh_placeable_boxes{mesh="m",box="8",when="now"} 0
smesh_placeable_boxes{mesh="m",box="8",when="hour"} 1
smesh_placeable_boxes{mesh="m",box="16",when="now"} 0
smesh_placeable_boxes{mesh="m",box="16",when="hour"} 0
smesh_failure_places_ratio{mesh="m",box="1",node="mean"} 0.2
smesh_failure_places_ratio{mesh="m",box="1",node="worst"} 0.2
smesh_failure_places_ratio{mesh="m",box="1",link="mean"} 0
smesh_failure_places_ratio{mesh="m",box="1",link="worst"} 0
smesh_failure_places_ratio{mesh="m",box="2",node="mean"} 0.4
smesh_failure_places_ratio{mesh="m",box="2",node="worst"} 0.6666666667
smesh_failure_places_ratio{mesh="m",box="2",link="mean"} 0.3333333333
smesh_failure_places_ratio{mesh="m",box="2",link="worst"} 0.3333333333
smesh_failure_places_ratio{mesh="m",box="4",node="mean"} NaN
smesh_failure_places_ratio{mesh="m",box="4",node="worst"} NaN
smesh_failure_places_ratio{mesh="m",box="4",link="mean"} NaN
smesh_failure_places_ratio{mesh="m",box="4",link="worst"} NaN
smesh_failure_places_ratio{mesh="m",box="8",node="mean"} NaN
smesh_failure_places_ratio{mesh="m",box="8",node="worst"} NaN
smesh_failure_places_ratio{mesh="m",box="8",link="mean"} NaN
smesh_failure_places_ratio{mesh="m",box="8",link="worst"} NaN
smesh_failure_places_ratio{mesh="m",box="16",node="mean"} NaN
smesh_failure_places_ratio{mesh="m",box="16",node="worst"} NaN
smesh_failure_places_ratio{mesh="m",box="16",link="mean"} NaN
smesh_failure_places_ratio{mesh="m",box="16",link="worst"} NaN' "metrics"
is "$("$SMESH" metrics -t t.conf --state state)" "$(cat prom)" "on standard output"
is "$(grep -c '^# HELP smesh_' prom) $(grep -c '^# TYPE smesh_[a-z_]* gauge$' prom)" "9 9" "help and type of each"
for python in python3 /usr/bin/python3; do
	"$python" -c 'import prometheus_client' 2>/dev/null && break
	python=
done
if [ -n "$python" ]; then
	is "$("$python" -c 'import sys
from prometheus_client.parser import text_fd_to_metric_families as read
print(sum(len(f.samples) for f in read(sys.stdin)), all(f.documentation and f.type == "gauge" for f in read(open("prom"))))' <prom)" \
		"$(grep -vc '^#' prom) True" "Prometheus' own parser reads each of them"
else
	skip "Prometheus' own parser reads each of them" "no prometheus_client"
fi
printf '%s\n' '# HELP smesh_decisions_total Decisions.' '# TYPE smesh_decisions_total counter' 'smesh_decisions_total 7' >counters
is "$("$SMESH" metrics -t t.conf --state state --counters counters)" "$(cat prom counters)" "slurmctld's counters behind them"
echo 'root:x:0:0' >>counters
fails 1 'counters: not slurmctld.s counters' "a file that is none" "$SMESH" metrics -t t.conf --state state --counters counters
fails 1 'none: No such file' "no file" "$SMESH" metrics -t t.conf --state state --counters none -o gone
[ ! -e gone ]
ok $? "and nothing is written"
: >idle
like "$("$SMESH" metrics -t t.conf --state idle)" 'smesh_mean_hops\{mesh="m"\} NaN' "nothing runs: no mean"
for command in top metrics "why 7" defrag; do
	# shellcheck disable=SC2086
	SLURM_CONF=$dir/none.conf fails 1 "none.conf: No such file or directory; or name a file by --state$" \
		"no Slurm: $command" "$SMESH" $command -t t.conf
done
echo 'waiting 1 ann many Resources' >bad
fails 1 'bad:1: expected waiting JOB USER NODES WHY' "a line that is none" "$SMESH" top -t t.conf --state bad -n 1

# On a terminal of 16 lines: what has been drawn when the user ends it.
screen() {
	printf '%b' "$1" | LINES=16 COLUMNS=80 TERM=xterm timeout 60 script -qec "$SMESH top -t t.conf --state ${2:-state}" /dev/null 2>&1
}
if command -v script >/dev/null; then
	like "$(screen q)" 'm, state.*A A A A.*A 17.*ann.*arrows, PgUp' "a terminal: the picture, and what keys do"
	[[ $(screen q) != *"the largest"* ]]
	ok $? "the end does not fit"
	like "$(screen '\033OFq')" 'the largest' "End goes there"
	like "$(screen '/bob\nq')" 'rows with bob' "a filter"
	screen 'sq' >sorted
	like "$(tr -d '\033' <sorted)" 's order: .*nodes' "another order"
	printf '17 a\033nn n0\nwaiting 18 bob 4 \033[0;2\n' >escapes
	like "$(screen '\033OFq' escapes)" '17.*bob.*free boxes' "halves of escape sequences in names hide nothing"
	like "$(screen q bad)" 'bad:1: expected waiting' "what is wrong is said when the screen is gone"
else
	skip "a terminal" "no script"
fi

done_testing
