#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --mesh-ranks: which task of a step runs on which node, with real daemons.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=16 cpus=2 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' || exit

# run NAME SBATCH-OPTIONS SRUN-OPTIONS: the nodes of the tasks in their order, on one line
run() {
	local out=$cluster_dir/work/$1.out
	rm -f "$out"
	# shellcheck disable=SC2086 # options are words
	sbatch --wait -o "$out" $2 --wrap \
		"srun $3 sh -c 'echo \$SLURM_PROCID \$SLURMD_NODENAME'" >/dev/null 2>&1
	grep -E '^[0-9]+ n[0-9]+$' "$out" | sort -n | awk '{ print $2 }' | tr '\n' ' '
}

# hops NODE...: mean hops from each to the next on the 4x4 mesh
hops() {
	awk 'function abs(x) { return x < 0 ? -x : x }
	{ for (i = 1; i <= NF; i++) { v = substr($i, 2); x = v % 4; y = int(v / 4)
		if (i > 1) sum += abs(x - px) + abs(y - py); px = x; py = y } }
	END { printf "%.3f\n", sum / (NF - 1) }' <<<"$*"
}

plain=$(run plain "-N16 -n16" "")
is "$(wc -w <<<"$plain")" 16 "16 tasks on 16 nodes"
order=$(run order "-N16 -n16" "--mesh-ranks=order")
# shellcheck disable=SC2086
is "$(tr ' ' '\n' <<<"$order" | sort -u | grep -c n) $(hops $order)" "16 1.000" \
	"srun --mesh-ranks=order: one hop from each task's node to the next"
# shellcheck disable=SC2016 # for the tasks' shell
is "$(srun -Q -N8 -w 'n[0-7]' --mesh-ranks=order sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME $MESH_COORD' | sort -n | tail -n 5)" \
	"$(sed -n '/^    \$ srun -N8/,/^$/s/^    \([0-9]\)/\1/p' "$srcdir/doc/ranks.md")" "as doc/ranks.md shows, and with -w"
is "$(run inherit "-N16 -n16 --mesh-ranks=order" "")" "$order" \
	"sbatch --mesh-ranks counts for srun in the job"
two=$(run two "-N16 -n32" "--mesh-ranks=order")
is "$(tr ' ' '\n' <<<"$two" | grep n | uniq | tr '\n' ' ')" "$order" "two tasks on each node: blocks in the same order"

# smesh_ranks_cost NODES: hop-bytes of a grid of 2x8 tasks in that order
smesh_ranks_cost() {
	awk '{ for (r = 1; r <= 16; r++) { v = substr($r, 2); x[r-1] = v % 4; y[r-1] = int(v / 4) }
	for (r = 0; r < 16; r++) for (s = r + 1; s < 16; s++)
		if (s == r + 8 || (s == r + 1 && s % 8)) {
			a = x[r] - x[s]; b = y[r] - y[s]; sum += (a < 0 ? -a : a) + (b < 0 ? -b : b) } }
	END { print sum }' <<<"$*"
}
grid=$(run grid "-N16 -n16" "--mesh-ranks=grid:2x8")
is "$(smesh_ranks_cost "$grid")" \
	"$("$SMESH" ranks -t "$cluster_dir/topology.conf" -w 'n[0-15]' --grid 2x8 --json |
		sed 's/.*"hop_bytes":\([0-9]*\).*/\1/')" "srun --mesh-ranks=grid:2x8: as good as smesh ranks says"

traffic=$cluster_dir/work/traffic
for i in $(seq 0 15); do echo "$i $(((i + 5) % 16)) 10"; done >"$traffic"
near=$(run traffic "-N16 -n16" "--mesh-ranks=traffic:$traffic")
# shellcheck disable=SC2046
is "$(hops $(for i in $(seq 0 15); do cut -d' ' -f$((5 * i % 16 + 1)) <<<"$near"; done))" 1.000 \
	"srun --mesh-ranks=traffic:FILE: those that talk are neighbours"

ring=$traffic.ring
cp "$traffic" "$ring"
for i in $(seq 0 7); do echo "$i $(((i + 1) % 8)) 10"; done >"$ring.8"

folded=$(run folded "-N8 -n8 --mesh-shape=8x1:fold --exclusive" "")
# shellcheck disable=SC2086
is "$(hops $folded)" 1.000 "--mesh-shape=8x1:fold on 4x4: a box, and the tasks along the folded shape"

job=$cluster_dir/work/env.out
sbatch --wait -o "$job" -N4 -n4 --wrap "smesh_here=$SMESH; \$smesh_here ranks --grid 2x2 --json" >/dev/null
like "$(cat "$job")" '"hop_bytes":4.0' "smesh ranks inside a job finds topology.conf"

# The recipe for torchrun, word by word: its last line prints what each node starts.
mkdir "$cluster_dir/work/bin"
printf '#!/bin/sh\necho $SLURMD_NODENAME "$@"\n' >"$cluster_dir/work/bin/torchrun"
chmod 755 "$cluster_dir/work/bin/torchrun"
sed -n '/^## 4/,/Did it work/s/^    //p' "$srcdir/doc/for-users.md" | sed 's/-N16/-N8/; s/ --gres=gpu:8//' >"$job.torch"
PATH=$cluster_dir/work/bin:$PATH sbatch --wait -o "$job" "$job.torch" >/dev/null
# srun tells if the second step had to wait for the first one's end.
sed -i '/^srun: /d; s/--[a-z_]*=//g' "$job" # NODE NODES RANK PROCESSES MASTER PORT PROGRAM
is "$(awk '$3 == 0 { print ($1 == $5), $2, $7 }' "$job") $(awk '{ print $5 }' "$job" | uniq -c | xargs | cut -d' ' -f1)" "1 8 train.py 8" \
	"torchrun: rank 0 is on the master's node"
# shellcheck disable=SC2046
is "$(hops $(sort -k3n "$job" | awk '{ print $1 }'))" 1.000 "and nodes' ranks are in order"

# ---- Refused at submission, one line each ----
refused() { # NAME PATTERN OPTION...
	local out
	out=$(sbatch "${@:3}" --wrap true 2>&1)
	is "$(($? != 0))" 1 "$1: refused"
	like "$out" "$2" "$1: the reason"
}
refused "no such word" '--mesh-ranks=nearby: expected order|grid:' -N4 --mesh-ranks=nearby
refused "no grid" 'expected 1 to 6 sides like 8x8x16' -N4 --mesh-ranks=grid:4xx4
refused "wrong grid" 'a grid of 16 tasks, but there are 12' -N8 -n12 --mesh-ranks=grid:4x4
echo 'to be or not to be' >"$traffic"
refused "garbage" "$traffic:1: expected RANK RANK BYTES" -N8 -n16 --mesh-ranks="traffic:$traffic"
printf '0 1 10\n0 16 10\n' >"$traffic"
refused "too many ranks" "$traffic:2: rank 16: there are 0 to 15" -N8 -n16 --mesh-ranks="traffic:$traffic"
is "$(sbatch -N8 -n16 --mesh-ranks="traffic:$traffic" --wrap true 2>&1 | grep -c .)" 1 "in one line"
refused "no file" 'No such file' -N4 --mesh-ranks=traffic:/none
is "$(squeue -h | wc -l)" 0 "none of them is queued"

mkfifo "$traffic.fifo"
refused "a FIFO" 'not a regular file' -N4 --mesh-ranks="traffic:$traffic.fifo"
refused "a regular file that has nothing to give" '/proc/kmsg: ' -N4 --mesh-ranks=traffic:/proc/kmsg
truncate -s 2G "$traffic.large"
refused "a file that would take minutes" 'larger than 256 MiB' -N4 --mesh-ranks="traffic:$traffic.large"

# ---- Steps on a part of a job's nodes ----
# steps NAME SRUN-OPTIONS...: lines of the job's nodes in order, then RANK NODE of the steps of a script
steps() {
	sbatch --wait -o "$job" -N8 -n8 --exclusive --mesh-shape=4x2 --wrap "$1" >/dev/null 2>&1
}
tell="sh -c 'echo \$SLURM_STEP_ID \$SLURM_PROCID \$SLURMD_NODENAME'"
steps "srun -N4 -n4 --relative=4 --mesh-ranks=order $tell; scontrol show hostnames \$SLURM_JOB_NODELIST | tail -n 4 | sed 's/^/last /'"
is "$(awk 'NF == 3 { print $3 }' "$job" | sort)" "$(awk '$1 == "last" { print $2 }' "$job" | sort)" \
	"--relative: the nodes that it says"
# shellcheck disable=SC2046
is "$(hops $(sort -k2n "$job" | awk 'NF == 3 { print $3 }'))" 1.000 "in order"
# Each waits for the other: one after the other they would not meet.
cat >"$job.meet" <<SH
echo \$SLURM_STEP_ID \$SLURM_PROCID \$SLURMD_NODENAME
touch "$job.step\$SLURM_STEP_ID"
for i in \$(seq 300); do
	[ ! -e "$job.step0" ] || [ ! -e "$job.step1" ] || { echo "met \$SLURM_STEP_ID"; break; }
	sleep 0.1
done
SH
# 25.05.8 starts jobs with SIGCHLD blocked, so that dash would wait for ever: bash does not.
steps "exec bash -c 'srun -N4 -n4 --exact --mesh-ranks=order sh $job.meet &
srun -N4 -n4 --exact --mesh-ranks=grid:2x2 sh $job.meet & wait'"
is "$(grep '^met' "$job" | sort -u | xargs)" "met 0 met 1" "two steps with --exact run side by side"
is "$(awk 'NF == 3 { print $3 }' "$job" | sort -u | wc -l)" 8 "on nodes of their own"
steps "srun -N4 -n6 --mesh-ranks=grid:2x3 true; srun -N8 -n8 true && echo done"
like "$(cat "$job")" '6 tasks cannot be spread evenly over 4 nodes.*done' "a part that a grid does not fit: refused, and the job goes on"
steps "srun -N3 -n3 --mesh-ranks=ring true; timeout 30 srun -N8 -n8 true && echo done"
like "$(cat "$job")" 'no ring of the 3 nodes was found.*done' \
	"an order that is not found when the nodes are there: the step ends, and the next one has its nodes"
outside=$(submit 4 60 --exclusive)
started "$outside" >/dev/null
like "$(timeout 30 srun --jobid="$outside" -N3 -n3 --mesh-ranks=ring true 2>&1)" 'no ring of the 3 nodes' "srun --jobid: the same"
is "$(timeout 30 srun -Q --jobid="$outside" -N4 -n4 echo ran | grep -c ran) $(job_state "$outside")" "4 RUNNING" \
	"and the job goes on"
cancel_all

# ---- Numbers of tasks that are not known at submission ----
sbatch --wait -o "$job" -N4 -c2 --exclusive --mesh-ranks="traffic:$ring.8" \
	--wrap "srun -n8 -c1 sh -c 'echo \$SLURM_PROCID \$SLURMD_NODENAME'" >/dev/null
is "$(grep -c '^[0-7] n' "$job")" 8 "a file of more ranks than the script has nodes"

# ---- Jobs that are submitted inside a job ----
cat >"$job.outer" <<SH
#!/bin/bash
sbatch --wait -J inner -o "$job.inner" -N4 -n4 --wrap env
sbatch --wait -o /dev/null -N3 -n3 --wrap true && salloc -Q -N3 -n3 echo others have none of it
SH
sbatch --wait -o "$job" -N4 -n4 --mesh-shape=line:4 --mesh-ranks=grid:4 --mesh-learn=outer "$job.outer" >/dev/null
is "$(grep -c -e OPTION_mesh -e MESH_HOSTFILE= -e MESH_MEASURE= "$job.inner")" 0 "an inner job does not inherit options"
like "$(cat "$job")" 'others have none of it' "nor is it refused for what the outer job asked"
sbatch --wait -o "$job" -N4 -n4 --mesh-learn=no "$job.outer" >/dev/null
is "$(grep -c OPTION_mesh_mesh_learn=no "$job.inner")" 1 "but it is not measured, if the outer one is not"

# ---- srun that gets its own nodes ----
# own OPTION...: the nodes of the tasks in their order, on one line; srun's own labels are the ranks
own() {
	# shellcheck disable=SC2016 # for the tasks' shell
	timeout 60 srun -Q -l "$@" sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME' | sed 's/^ *//' |
		awk '$1 != $2 ":" { print "label", $0; next } { print $2, $3 }' | sort -n | awk '{ print $2 }' | tr '\n' ' '
}
# shellcheck disable=SC2046
is "$(hops $(own -N16 -n16 --mesh-ranks=order))" 1.000 "srun that gets its own nodes: in order"
is "$(smesh_ranks_cost "$(own -N16 --mesh-ranks=grid:2x8)")" "$(smesh_ranks_cost "$grid")" \
	"and by a grid, which also says how many tasks there are"
near=$(own -N16 -n16 --mesh-ranks="traffic:$ring")
# shellcheck disable=SC2046
is "$(hops $(for i in $(seq 0 15); do cut -d' ' -f$((5 * i % 16 + 1)) <<<"$near"; done))" 1.000 "and by a file"
two=$(own -N16 -n32 --mesh-ranks=order)
# shellcheck disable=SC2046
is "$(hops $(tr ' ' '\n' <<<"$two" | uniq)) $(wc -w <<<"$two")" "1.000 32" "two tasks on each node"
# shellcheck disable=SC2046
is "$(hops $(own -N8 -n8 --mesh-shape=8x1:fold --exclusive))" 1.000 "along a folded shape, unasked"

own_refused() { # NAME PATTERN OPTION...
	local out
	out=$(timeout 60 srun "${@:3}" 2>&1 | grep -v "queued and\|has been allocated"; exit "${PIPESTATUS[0]}")
	is "$?" 1 "$1: refused"
	like "$out" "$2" "$1: the reason"
	is "$(grep -c . <<<"$out")" 1 "$1: one line"
}
own_refused "uneven" '6 tasks cannot be spread evenly over 4 nodes' -N4 -n6 --mesh-ranks=grid:3x2 true
own_refused "another grid" 'a grid of 6 tasks, but there are 4' -N4 -n4 --mesh-ranks=grid:3x2 true
out=$(timeout 60 srun -n5 --mesh-ranks=grid:5 true 2>&1)
is "$?" 1 "uneven, as it turns out when the nodes are there: refused"
like "$out" '5 tasks cannot be spread evenly over 3 nodes' "with the reason"
like "$(timeout 60 srun -N3 -n4 -m cyclic --mesh-ranks=auto true 2>&1)" \
	'error: --mesh-ranks: unequal nodes, and their tasks are no blocks$' "and the option, in each such refusal"
no_jobs() {
	[ -z "$(squeue -h)" ]
}
wait_for 20 no_jobs
is "$(squeue -h)" "" "and the job is gone"
like "$(own -N2-3 -n3 --mesh-ranks=grid:3)" '^(n[0-9]+ ){3}$' "a range of nodes, of which not the least number fits"
own_refused "components" 'not in a heterogeneous job' -N1 --mesh-ranks=order true : -N1 true
export XDG_DATA_HOME=$cluster_dir/work/components
"$SMESH" traffic import -p 8 two "$ring.8"
echo '0 1 10' >"$ring.2"
"$SMESH" traffic import -p 2 two "$ring.2"
sed -i 's/^# matrix 1/# matrix 0/; s/^# pattern .*/# pattern mix/' "$XDG_DATA_HOME"/slurm-mesh/traffic/two@2.traffic
out=$(timeout 60 srun -Q -J two --mesh-learn -N8 -n8 echo ran : -N2 -n2 echo ran 2>&1)
is "$(grep -c '^ran' <<<"$out")" 10 "components of which one has a record with an order: they run"
like "$out" 'mesh-learn: .*what was learnt is not used' "with a line"
# Components may have worlds of their own, whose ranks would write the same files.
measured='echo "$SLURM_PROCID ${MESH_MEASURE##*/runs/}"'
is "$(timeout 60 srun -Q --mesh-learn -n2 sh -c "$measured" : -N1 sh -c "$measured" | sort | paste -sd,)" "0 ,1 ,2 " \
	"and are not measured"
# The nodes have two CPUs.
like "$(timeout 60 srun -Q -N2 -c1 --exclusive --mesh-learn sh -c "$measured" | sort | paste -sd,)" \
	'^0 sh[^ @]*@0[.].*,3 sh[^ @]*@0[.]' "-c: so many tasks as there are CPUs for, which are not known yet"
# The site learns from all, but has no place: only who has asked hears of it.
sed -i 's/spank_mesh.so.*/& learn=yes/' "$cluster_dir/plugstack.conf"
: >"$cluster_dir/work/file"
home() { XDG_DATA_HOME=$cluster_dir/work/file timeout 60 srun -N1 "$@" true 2>&1; }
is "$(home | grep mesh)" "" "learn=yes and no place for records: no word to who has said nothing"
like "$(home --mesh-learn)" 'srun: --mesh-learn: .*; nothing is learnt$' "but a line to who asks for it"
sed -i 's/ learn=yes//' "$cluster_dir/plugstack.conf"
unset XDG_DATA_HOME
sbatch --wait -o "$job" -N4 -n4 --wrap "srun --mesh-ranks=grid:3x2 -n6 -O true" >/dev/null
like "$(cat "$job")" '6 tasks cannot be spread evenly over 4 nodes' "a grid that does not fit the job: srun says so"

# ---- Where srun has no map, or another than slurmctld (configless, or a file that was not copied) ----
mv "$cluster_dir/topology.conf" "$cluster_dir/away"
is "$(run nomap "-N6 -n6" "--mesh-ranks=order")" "$(run plain6 "-N6 -n6" "")" "without the map tasks go by the order of nodes"
is "$(grep -c 'mesh-ranks: .*/topology.conf.*; tasks go by the order of nodes' "$cluster_dir/work/nomap.out")" 1 "one line says so"
echo 'MeshName=m Dims=4x4 Wrap=all Nodes=n[0-15]' >"$cluster_dir/topology.conf"
is "$(run other "-N16 -n16" "--mesh-ranks=order" | wc -w)" 16 "with another map than slurmctld's"
is "$(grep -c "mesh-ranks: the map here is another than slurmctld's" "$cluster_dir/work/other.out")" 1 "one line says so"
mv "$cluster_dir/away" "$cluster_dir/topology.conf"
is "$(run same "-N16 -n16" "--mesh-ranks=order")" "$order" "with the same map"
is "$(grep -c mesh-ranks: "$cluster_dir/work/same.out")" 0 "nothing is said"

# ---- For everybody, without a word: order=auto ----
# Nodes that lie apart.
apart='n[5,8,10-12,14-15]' others='n[0-4,6-7,9,13]'
# shellcheck disable=SC2046
in_node_order=$(echo $(host_list hostnames "$apart"))' '

# unknown [P]: what smesh ranks says of these nodes
unknown() {
	"$SMESH" ranks -t "$cluster_dir/topology.conf" -w "$apart" -p "${1:-1}" --hostfile - 2>/dev/null | tr '\n' ' '
}
is "$(run stock "-N7 -n7 -x $others" "")" "$in_node_order" "nothing is said: node order"
is "$(run asked "-N7 -n7 -x $others" --mesh-ranks=auto)" "$(unknown)" "--mesh-ranks=auto: as smesh ranks says"
sed -i 's/spank_mesh.so.*/& order=auto/' "$cluster_dir/plugstack.conf"
echo 'MeshName=m Dims=4x4 Wrap=all Nodes=n[0-15]' >"$cluster_dir/topology.conf"
is "$(timeout 60 srun -N4 true 2>&1 | grep mesh)" "" "another map than slurmctld's: no word of it to who has said nothing"
sed -i 's/ Wrap=all//' "$cluster_dir/topology.conf"
is "$(run site "-N7 -n7 -x $others" "")" "$(unknown)" "order=auto: the same for an srun that says nothing"
is "$(own -N7 -n7 -x "$others")" "$(unknown)" "and for one that gets its own nodes, labels as well"
is "$(run two "-N7 -n14 -x $others" "")" "$(unknown 2)" "two tasks on each node"
is "$(head -c 3 <<<"$(unknown)")" "n5 " "the first task stays where the batch script runs"
is "$(run no "-N7 -n7 -x $others" --mesh-ranks=node)" "$in_node_order" "--mesh-ranks=node: node order"
is "$(run never "-N7 -n7 -x $others --mesh-ranks=node" "")" "$in_node_order" "and said to sbatch"
is "$(run uneven "-N7 -n9 -x $others" "" | tr ' ' '\n' | grep n | uniq -c | awk '{ print $1 }' | sort | xargs)" \
	"1 1 1 1 1 2 2" "unequal nodes keep their numbers of tasks"
is "$(run named "-N7 -n7 -x $others" "-w $apart")" "$in_node_order" "nodes that the user names: node order"
is "$(run cyclic "-N7 -n14 -x $others" "-m cyclic" | tr ' ' '\n' | grep n | head -n 7 | sort -u | wc -l)" 7 \
	"-m cyclic: the first seven tasks on seven nodes"
host_list hostnames "$apart" | tac >"$job.hosts"
rm -f "$job"
sbatch --wait -o "$job" -N7 -n7 -x "$others" --wrap "SLURM_HOSTFILE=$job.hosts srun -m arbitrary sh -c 'echo \$SLURM_PROCID \$SLURMD_NODENAME'" >/dev/null
is "$(sort -n "$job" | awk '{ print $2 }' | xargs)" "$(xargs <"$job.hosts")" "SLURM_HOSTFILE: as the user has it"
is "$(smesh_ranks_cost "$(run pattern "-N16 -n16 --mesh-pattern=grid:2x8" "")")" "$(smesh_ranks_cost "$grid")" \
	"a pattern implies its ranks' order"
sbatch --wait -o "$job" -N7 -n7 -x "$others" --wrap "srun sh -c 'echo \$SLURM_NODEID \$SLURM_LOCALID \$SLURMD_NODENAME'" >/dev/null
is "$(sort -n "$job" | awk '{ print $3 }' | xargs) " "$in_node_order" "SLURM_NODEID counts nodes as ever"
printf '0 echo 0 %%t\n1-6 echo rest %%t\n' >"$job.programs"
sbatch --wait -o "$job" -N7 -n7 -x "$others" --wrap "srun -l --multi-prog $job.programs" >/dev/null
is "$(sort -n "$job" | sed 's/^ *//' | xargs)" "0: 0 0 1: rest 1 2: rest 2 3: rest 3 4: rest 4 5: rest 5 6: rest 6" \
	"--multi-prog: each program has its ranks"
steps "srun -N4 -n4 --relative=4 $tell; scontrol show hostnames \$SLURM_JOB_NODELIST | tail -n 4 | sed 's/^/last /'"
is "$(awk 'NF == 3 { print $3 }' "$job" | sort)" "$(awk '$1 == "last" { print $2 }' "$job" | sort)" \
	"--relative: the nodes that it says"
is "$(timeout 60 srun -Q -N2 -n2 hostname : -N3 -n3 hostname | wc -l)" 5 "a heterogeneous job runs"
mv "$cluster_dir/topology.conf" "$cluster_dir/topology.away"
is "$(run blind "-N7 -n7 -x $others" "")" "$in_node_order" "no map can be read: node order, and no word"
mv "$cluster_dir/topology.away" "$cluster_dir/topology.conf"

# ---- mpiexec, which starts a proxy on each node by srun, and its ranks behind these ----
# A rank's own environment is mpiexec's: the proxy's, its parent, has the node.
mpi=$cluster_dir/work/mpi
cat >"$mpi.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char text[1 << 17];
	char path[64];
	const char *node = NULL;
	int rank, size;
	FILE *file;
	size_t n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; argc > 1 && i < 100; i++) /* a ring whose neighbours are three ranks away */
		MPI_Sendrecv(text, 1000, MPI_CHAR, (rank + 3) % size, 0, text + 1000, 1000, MPI_CHAR,
			(rank + size - 3) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	snprintf(path, sizeof(path), "/proc/%d/environ", (int)getppid());
	file = fopen(path, "r");
	n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[n] = '\0';
	for (char *v = text; v < text + n && !node; v += strlen(v) + 1)
		if (!strncmp(v, "SLURMD_NODENAME=", 16))
			node = v + 16;
	printf("%d %s\n", rank, node ? node : getenv("SLURMD_NODENAME")); /* without: srun's own */
	MPI_Finalize();
	return 0;
}
C
# by_mpi NAME SBATCH-OPTIONS COMMAND: the nodes of its ranks in their order, on one line
by_mpi() {
	local out=$cluster_dir/work/$1.out
	rm -f "$out"
	# shellcheck disable=SC2086 # options are words
	timeout 90 sbatch --wait -o "$out" $2 -x "$others" --wrap "exec bash -c '$3'" >/dev/null 2>&1
	grep -E '^[0-9]+ n[0-9]+$' "$out" | sort -n | awk '{ print $2 }' | tr '\n' ' '
}
# told NAME: how often the output of that job says that nothing took the order
told() {
	grep -c 'slurm-mesh: nothing took the order of ranks that .*SLURM_MESH_HOSTFILE' "$cluster_dir/work/$1.out"
}
if mpicc.mpich -o "$mpi.mpich" "$mpi.c" 2>/dev/null; then
	run_it="timeout 60 mpiexec.hydra $mpi.mpich"
	is "$(by_mpi hydra "-N7 -n7" "$run_it")" "$(unknown)" "mpiexec of MPICH: ranks in the same order"
	is "$(told hydra)" 0 "which takes it: nothing is said"
	is "$(by_mpi hydra2 "-N7 -n14" "$run_it")" "$(unknown 2)" "two ranks on each node"
	is "$(by_mpi hydra3 "-N7 -n7 --mesh-ranks=node" "$run_it")" "$in_node_order" "--mesh-ranks=node: node order"
	is "$(by_mpi hydra4 "-N7 -n14 --mesh-ranks=grid:7x2" "$run_it" | tr ' ' '\n' | grep n | uniq -c |
		awk '{ print $1 }' | sort -u)" 2 "--mesh-ranks=grid: of the ranks; they stay in blocks"
	is "$(by_mpi hydra5 "-N7 -n14 --mesh-ranks=grid:14" "${run_it/hydra/hydra -n 7}" | wc -w)" 7 \
		"ranks that the grid does not fit run all the same"
	like "$(cat "$cluster_dir/work/hydra5.out")" "mpiexec's ranks are in node order" "with a word"
	XDG_DATA_HOME=$cluster_dir/work by_mpi learn "-N7 -n7 --mesh-learn" "$run_it" >/dev/null
	is "$(cd "$cluster_dir/work/slurm-mesh" && grep -rl hydra . | head -n 1; ls | wc -l)" 1 \
		"--mesh-learn: the script is measured, and not the proxies that srun starts"
	export XDG_DATA_HOME=$cluster_dir/work/strides
	for run in 1 2; do by_mpi "stride$run" "-N7 -n7 -J stride --mesh-learn" "$run_it stride" >/dev/null; done
	learnt=$(by_mpi stride3 "-N7 -n7 -J stride --mesh-learn" "srun --mpi=pmi2 $mpi.mpich stride")
	is "$(by_mpi stride4 "-N7 -n7 -J stride --mesh-learn" "$run_it stride")" "$learnt" \
		"what mpiexec's ranks sent orders mpiexec's ranks, as srun's"
	[ "$(wc -w <<<"$learnt")" = 7 ] && [ "$learnt" != "$(unknown)" ] && [ "$learnt" != "$in_node_order" ]
	ok $? "which is neither the order of unknown programs nor node order"
	is "$(by_mpi stride5 "-N7 -n7 -J stride --mesh-learn --mesh-ranks=node" "$run_it stride")" "$in_node_order" \
		"what the user says comes before it"
	is "$(by_mpi stride6 "-N7 -n14 -J stride --mesh-learn" "$run_it" | wc -w)" 14 "other numbers of ranks run all the same"
	unset XDG_DATA_HOME
	XDG_DATA_HOME=$cluster_dir/work/wide sbatch --wait -N2 --exclusive -J wide -o /dev/null \
		--wrap "srun --mpi=pmi2 -c1 --mesh-learn $mpi.mpich" >/dev/null 2>&1
	is "$(cd "$cluster_dir/work/wide/slurm-mesh/traffic" && echo *.traffic)" "wide@4.traffic" \
		"a step is measured whose tasks Slurm counts by -c, after srun was asked"
else
	skip "mpiexec of MPICH" "there is no mpicc.mpich"
fi
if mpicc.openmpi -o "$mpi.openmpi" "$mpi.c" 2>/dev/null; then
	run_it="export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; timeout 60 mpirun.openmpi $mpi.openmpi"
	is "$(by_mpi orte "-N7 -n7" "$run_it")" "$in_node_order" "mpirun of Open MPI: node order where nobody asks"
	is "$(by_mpi orte1 "-N7 -n7 --mesh-ranks=auto" "$run_it")" "$(unknown)" "--mesh-ranks: the same order as under srun"
	is "$(told orte1)" 0 "which takes it: nothing is said"
	is "$(by_mpi orte2 "-N7 -n14 --mesh-ranks=auto" "$run_it")" "$(unknown 2)" "two ranks on each node"
	is "$(by_mpi orte3 "-N7 -n7 --mesh-ranks=node" "$run_it")" "$in_node_order" "--mesh-ranks=node: node order"
	is "$(by_mpi orte4 "-N7 -n14 --mesh-ranks=grid:7x2" "$run_it")" "$(by_mpi orte5 "-N7 -n14 --mesh-pattern=grid:7x2" "$run_it")" \
		"--mesh-ranks=grid, or the pattern that implies it"
	# shellcheck disable=SC2046
	is "$(hops $(by_mpi orte8 "-N4 -n4 --mesh-shape=4x1:fold --exclusive" "$run_it"))" 1.000 "along a folded shape"
	is "$(by_mpi orte6 "-N7 -n9 --mesh-ranks=order" "$run_it" | wc -w)" 9 "unequal nodes: ranks run all the same"
	like "$(cat "$cluster_dir/work/orte6.out")" "slurm-mesh: --mesh-ranks=order: the nodes have not equally many ranks; mpirun's ranks are in node order" \
		"with a word"
	is "$(by_mpi orte9 "-N7 -n7 --mesh-ranks=auto" "${run_it/openmpi/openmpi --map-by node}")" "$in_node_order" \
		"mpirun's own --map-by wins, as doc/ranks.md says"
	is "$(told orte9)" 1 "and the job's output says that nothing took our order"
	by_mpi orte7 "-N7 -n7 --mesh-ranks=auto" "env; srun env" >/dev/null
	is "$(grep -c -e ^SLURM_MESH_HOSTFILE= "$cluster_dir/work/orte7.out") $(grep -c -e ^OMPI_MCA_orte_ -e ^OMPI_MCA_rmaps_ "$cluster_dir/work/orte7.out")" "1 2" \
		"the script alone has the host file, not what srun starts on other nodes"
else
	skip "mpirun of Open MPI" "there is no mpicc.openmpi"
fi

# ---- An order that nobody takes: ssh starts the program, say ----
# unused NAME TIMES SBATCH-OPTIONS COMMAND WHAT
unused() {
	by_mpi "$1" "$3" "$4" >/dev/null
	is "$(told "$1")" "$2" "$5"
}
unused ssh 1 "-N7 -n7 --mesh-ranks=order" "true" "the script takes no order: it is told, once"
like "$(cat "$cluster_dir/work/ssh.out")" 'that --mesh-ranks asks for' "with the option"
unused fold 1 "-N4 -n4 --mesh-shape=4x1:fold --exclusive" "true" "an order that a folded shape implies"
unused read 0 "-N7 -n7 --mesh-ranks=order" "xargs -n 1 <\$SLURM_MESH_HOSTFILE" "the script reads the file: nothing is said"
unused srun 0 "-N7 -n7 --mesh-ranks=order" "srun -N1 -n1 --relative=6 true" "nor where srun has run"
unused fails 0 "-N7 -n7 --mesh-ranks=order" "exit 3" "nor where the script failed"
unused pattern 0 "-N7 -n7 --mesh-pattern=none" "true" "nor where a pattern implies no order"
unused one 0 "-N1 -n2 --mesh-ranks=order" "true" "nor on one node"
others='n[4-15]'
unused same 0 "-N4 -n4 --mesh-ranks=order" "true" "nor where the order is that of the nodes"

# ---- A library is missing ----
bare=$cluster_dir/work/bare
mkdir "$bare"
cp "$builddir/plugins/spank_mesh.so" "$bare"
sed -i "s|[^ ]*/spank_mesh.so|$bare/spank_mesh.so|" "$cluster_dir/plugstack.conf"
is "$(srun -Q -N4 true 2>&1 && echo ran)" ran "order=auto without spank_mesh_user.so: the step runs"
like "$(srun -Q -N4 --mesh-ranks=auto true 2>&1 && echo ran)" 'spank_mesh_user.so: cannot open [^:]*: [A-Z][a-z ]*$' \
	"an order that was asked for is refused, with the reason"
cp "$builddir/plugins/spank_mesh_user.so" "$bare"
is "$(srun -Q -N4 --mesh-ranks=auto true 2>&1 && echo ran)" ran "auto needs no other library"
is "$(srun -Q -N1 -n2 --mesh-ranks=order true 2>&1 && echo ran)" ran "nor does an order on one node"
like "$(srun -Q -N4 -n4 --mesh-pattern=grid:2x2 --mesh-shape=2x2 --mesh-learn=x true 2>&1 && echo ran)" \
	'spank_mesh_more.so: cannot open [^:]*: [A-Z][a-z ]*; nothing is learnt'$'\n''ran$' \
	"without spank_mesh_more.so a shape, learning and an implied order go as without us"
like "$(srun -Q -N4 -n4 --mesh-ranks=grid:2x2 true 2>&1 && echo ran)" 'spank_mesh_more.so: cannot open [^:]*: [A-Z][a-z ]*$' \
	"a grid that was asked for is refused, with the reason"
like "$(sbatch -N4 --mesh-ranks=order --wrap true 2>&1)" 'spank_mesh_more.so: cannot open [^:]*: [A-Z][a-z ]*$' \
	"and so is an order, at submission"
like "$("$SMESH" check --slurm-conf "$cluster_dir/slurm.conf" 2>&1)" "$bare/spank_mesh_more.so: No such file" \
	"smesh check names the library that is missing"

done_testing
