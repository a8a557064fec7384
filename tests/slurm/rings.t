#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --mesh-shape=ring:N and line:N: nodes each next to the one before, tasks in that order.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=20 cpus=2 topology='MeshName=m Dims=4x5 Nodes=n[0-19]' || exit

# run SBATCH-OPTIONS [SRUN-OPTIONS]: the nodes of the tasks in their order, on one line
run() {
	local out=$cluster_dir/work/run.out
	rm -f "$out"
	# shellcheck disable=SC2086 # options are words
	sbatch --wait -o "$out" $1 --wrap \
		"srun $2 sh -c 'echo \$SLURM_PROCID \$SLURMD_NODENAME'" >/dev/null 2>&1
	grep -E '^[0-9]+ n[0-9]+$' "$out" | sort -n | awk '{ print $2 }' | xargs
}

# steps NODE...: hops from each to the next, and from the last to the first
steps() {
	awk 'function abs(x) { return x < 0 ? -x : x }
	{ for (i = 0; i <= NF; i++) { v = substr($(i ? i : NF), 2); x = v % 4; y = int(v / 4)
		if (i) print (abs(x - px) + abs(y - py)) (i == 1 ? " closes" : ""); px = x; py = y } }' \
		<<<"$*" | sort | uniq -c | xargs
}

# distinct NODE...: how many
distinct() { tr ' ' '\n' <<<"$*" | sort -u | wc -l; }

# ---- One host of 20 is bad, wherever it is ----
for bad in n0 n7 n17; do
	scontrol update NodeName="$bad" State=DOWN Reason=bad
	ring=$(run --mesh-shape=ring:16)
	is "$(steps "$ring"), $(distinct "$ring") hosts" "15 1 1 1 closes, 16 hosts" \
		"16 of 19 hosts, $bad is down: each task's host next to the next, the last to the first"
	is "$(grep -cw "$bad" <<<"$ring")" 0 "not $bad"
	[ "$bad" = n17 ] || scontrol update NodeName="$bad" State=RESUME
done

# ---- Tasks ----
line=$(run "--mesh-shape=line:5")
like "$(steps "$line")" '^4 1 ' "line:5: five in a row"
two=$(run "--mesh-shape=ring:6 -n12")
is "$(distinct "$two") $(uniq <(tr ' ' '\n' <<<"$two") | wc -l)" "6 6" "two tasks on each host: blocks"
is "$(steps "$(tr ' ' '\n' <<<"$two" | uniq | xargs)")" "5 1 1 1 closes" "in the ring's order"
alone=$(srun -n 4 --mesh-shape=ring:4 sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME' | sort -n |
	awk '{ print $2 }' | xargs)
is "$(steps "$alone")" "3 1 1 1 closes" "srun that gets its own hosts"
is "$(steps "$(run -N4 --mesh-ranks=ring)")" "3 1 1 1 closes" "--mesh-ranks=ring, where any job's hosts form one"

# ---- No ----
fails 1 'it can never fit: a ring of an odd number of nodes cannot close on this mesh' \
	"no odd ring on a mesh: refused where it is typed" sbatch --mesh-shape=ring:7 --wrap true
fails 1 'it can never fit: a line of 21 nodes: the longest there could be has 20' "nor one that is too long" \
	sbatch --mesh-shape=line:21 --wrap true
fails 255 'expected ring:N or ring:N:lanes=L, N from 1 to' "a ring of nothing" sbatch --mesh-shape=ring: --wrap true
fails 1 'it is of 16 nodes, -N asks for 8' "a ring of another length than -N" \
	sbatch -N8 --mesh-shape=ring:16 --wrap true

# ---- Later ----
id=$(sbatch --parsable -o /dev/null --exclusive -t 2 --mesh-shape=ring:12 --wrap 'sleep 100')
started "$id" >/dev/null
later=$(sbatch --parsable -o /dev/null --exclusive -t 2 --mesh-shape=ring:10 --wrap 'sleep 1')
pending "$later"
ok $? "a ring waits for another"
waits() { [[ $(squeue -h -j "$later" -o %R) = *"Waits for a ring of 10 nodes"* ]]; }
wait_for 15 waits
ok $? "and says for what"
planned() { [[ $(job_field "$later" StartTime) = 20* ]]; }
wait_for 40 planned
ok $? "backfill knows when"
is "$(epoch "$(job_field "$later" StartTime)")" "$(epoch "$(job_field "$id" EndTime)")" "that is when the other ends"
scancel "$id"
is "$(host_list hostnames "$(started "$later")" | wc -l)" 10 "it starts"
scancel "$later"

# ---- Of many meshes one that has a ring is enough to know how many nodes it has ----
cluster_set topology="MeshName=m Dims=4x5 Nodes=n[0-19]
$(seq 400 | sed 's/.*/MeshName=p& Dims=5x9 Nodes=p&n[0-44]/')"
reconfigure
id=$("$builddir/test-programs/forge" 0 MESH_SHAPE=ring:8)
is "$(host_list hostnames "$(started "$id")" | wc -l)" 8 "a ring that no command of ours has looked at"
usec=$(field usec "$(decision "$id" test_only)")
[ "$usec" -lt 400000 ]
ok $? "slurmctld does not look at all meshes ($usec us)"
done_testing
