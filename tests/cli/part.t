#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# smesh part: nodes divided among tasks.
. "$srcdir/tests/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
unset SLURM_JOB_NODELIST

# times TIME...: the table for 1, 2, ... nodes
times() {
	local n=0 t
	for t; do echo "$((n += 1)) $t"; done
}
# The example of the paper.
times 133.227 82.447 61.655 51.537 49.229 46.465 47.400 49.279 >sor
times 153.773 104.329 81.157 67.943 62.084 61.440 61.474 63.145 >ge

like "$("$SMESH" part -n 8 sor ge --json)" \
	'^\{"nodes":\[3,5\],"times":\[61.655,62.084\],"longest":62.084' "the paper's example"
like "$("$SMESH" part -n 8 sor ge)" 'ge +5 +62.084' "as text"
like "$("$SMESH" part -n 40 sor ge --json)" '"nodes":\[6,6\].*"used":12,"free":28,"all_best":true' \
	"with nodes enough each has its best size"
like "$("$SMESH" part -n 8 sor ge --deadline 90 --json)" '"nodes":\[2,3\].*"free":3' \
	"a deadline leaves nodes free"
fails 3 "needs at least 9 nodes|need at least 9 nodes" "deadline needs more nodes" \
	"$SMESH" part -n 8 sor ge --deadline 62
fails 4 "task sor takes|task ge takes" "deadline out of reach" "$SMESH" part -n 80 sor ge --deadline 40
times 90 80 70 60 50 40 30 20 >long
fails 4 "^smesh: task ge takes 61.44 at best: not the 30 that it may$" "also where another task needs more nodes" \
	"$SMESH" part -n 6 long ge --deadline 30

# Several tasks in a file.
cat >both <<'END'
# two tasks
Task=a Command=./a --steps 10 Task=x
2 90
4 40    # 3 is interpolated
Task=b
1 90
2 30
END
like "$("$SMESH" part -n 5 both --json)" '"nodes":\[3,2\],"times":\[65.0,30.0\]' "gaps are interpolated"
fails 3 "need at least 3 nodes" "tables that want more" "$SMESH" part -n 2 both
# Nodes and placement.
echo 'MeshName=m Dims=8x8 Nodes=n[0-63]' >topology.conf
is "$("$SMESH" part -w 'n[0-4]' both --script | grep ^srun)" \
	"srun --nodes=3 --ntasks=3 --nodelist='n[0-2]' ./a --steps 10 Task=x & pids+=(\$!)
srun --nodes=2 --ntasks=2 --nodelist='n[3-4]' ./b & pids+=(\$!)" "an srun line for each task"
is "$("$SMESH" part -n 5 both --per-node 4 2>&1 >/dev/null)" "smesh: --per-node has no effect without --script" "processes are of the script"
is "$(SLURM_JOB_NODELIST='n[0-4]' "$SMESH" part both --per-node 4 --script | grep -c -- '--ntasks=\(12\|8\) ')" 2 \
	"a script, with the nodes of the job"
"$SMESH" part -w 'n[0-4]' both --script | bash -n
is $? 0 "which is a script"
out=$("$SMESH" part -t topology.conf -w 'n[0-63]' -n 18 sor sor sor --json)
like "$out" '"nodelists":\["n[^"]+","n[^"]+","n[^"]+"\],"mean_hops":\[1.66' "parts are compact on the mesh"

fails 1 "2 tasks on 1 node: every task needs at least one" "more tasks than nodes" "$SMESH" part -n 1 sor ge
fails 1 "no FILE" "no files" "$SMESH" part -n 4
fails 1 "No such file" "a file that is not there" "$SMESH" part -n 4 none
fails 1 "-n N or -w HOSTLIST is missing" "no nodes" "$SMESH" part sor
fails 1 "needs nodes" "a script without nodes" "$SMESH" part -n 8 sor ge --script
fails 1 "node n3 is in the list twice" "a node in two parts" "$SMESH" part -w 'n[1-3],n[3-4]' sor ge
fails 1 "the list has 3 nodes" "more nodes than listed" "$SMESH" part -n 8 -w 'n[1-3]' sor
fails 1 "mesh m has no node x1" "a node the mesh does not have" \
	"$SMESH" part -t topology.conf -w 'x1' sor
bad() {
	printf '%b' "$3" >bad
	fails 1 "$2" "$1" "$SMESH" part -n 8 bad
}
bad "a negative time" "bad:2: '-3' is not a time" '1 5\n2 -3\n'
bad "no number" "bad:1: 'nan' is not a time" '1 nan\n'
bad "an empty table" "bad: the table is empty" '# nothing\n'
bad "an empty task" "task a: the table is empty" 'Task=a\nTask=b\n1 2\n'
bad "a size twice" "bad:3: 1 node is there twice" '1 5\n2 3\n1 4\n'
bad "no nodes" "bad:1: expected NODES TIME" '0 5\n'
bad "no time" "bad:1: expected NODES TIME" '1\n'
bad "an unknown key" "bad:1: 'Nodes=3': expected Command=" 'Task=a Nodes=3\n1 2\n'

# 100 tasks on 10,000 nodes
for t in $(seq 100); do
	echo "Task=t$t"
	for n in 1 2 5 10 20 50 100 200 500 1000 2000; do
		awk -v n=$n -v t="$t" 'BEGIN { printf "%d %.6f\n", n, t * 50 / n + n / 100 + (n + t) % 7 }'
	done
done >many
like "$("$SMESH" part -n 10000 many --json)" '"free":[0-9]+,' "100 tasks on 10,000 nodes"

done_testing
