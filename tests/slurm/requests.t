#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every kind of request that a job can make, over select/cons_tres; with BASE=linear over
# select/linear, as far as that knows them. Under the plugin's other name.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

BASE=${BASE:-cons_tres}
select_params=CR_CPU_Memory
[ "$BASE" = cons_tres ] || select_params=CR_Memory
mesh_cluster select=select/cons_tres_mesh nodes=32 params=mesh_base="$BASE",mesh_max_time=0 select_params=$select_params \
	topology='MeshName=m Dims=8x4 Wrap=all Nodes=n[0-31]' \
	gres='NodeName=n[0-7] Name=gpu File=/dev/null,/dev/zero' \
	nodelines='NodeName=n[0-7] CPUs=4 RealMemory=1000 Feature=a Gres=gpu:2
NodeName=n[8-15] CPUs=4 RealMemory=1000 Feature=a
NodeName=n[16-31] CPUs=4 RealMemory=1000 Feature=b' \
	conf='DefMemPerCPU=100
PartitionName=left Nodes=n[0-15]
PartitionName=right Nodes=n[16-31] OverSubscribe=EXCLUSIVE
PartitionName=twice Nodes=n[0-31] OverSubscribe=FORCE:2' || exit
like "$(ctld_log 0 'loaded over')" "select/cons_tres_mesh loaded over select/$BASE" "over select/$BASE"

# placed NAME WANTED_COUNT WITHIN ID: it runs, under the strategy, on so many nodes of WITHIN
placed() {
	local nodes
	nodes=$(started "$4")
	is "$(job_field "$4" NumNodes)" "$2" "$1: $2 nodes"
	nodes_in "$nodes" "$3"
	ok $? "$1: within $3"
	is "$(strategy_of "$4")" mm "$1: placed by the strategy"
}

# offered LINES: the idle nodes that slurmctld offers to a whole-node job for which those of LINES
# are enough. To select/linear it offers one NodeName= line after the other, in versions that
# neither ask first whether they should (up to 23.02) nor take us for select/cons_tres (from 25.05).
offered() {
	if [ "$BASE" = cons_tres ] || slurm_is -le 23.02 || slurm_is -ge 25.05; then
		idle_nodes
	else
		host_list hostlistsorted "$(comm -12 <(idle_names) <(host_list hostnames "$1" | sort) | paste -sd,)"
	fi
}

# ---- Whole nodes ----
free=$(offered 'n[0-7]')
id=$(submit 5 100 --exclusive)
is "$(hosts_sorted "$(started "$id")")" "$(smesh_nodes mm 5 "$free" "$id")" "-N5 --exclusive: what smesh alloc says"
free=$(offered 'n[0-15]')
id=$(submit 9 100 --exclusive)
is "$(hosts_sorted "$(started "$id")")" "$(smesh_nodes mm 9 "$free" "$id")" "-N9 beside it too"
id=$(submit 2-20 100 --exclusive)
placed "-N2-20 --exclusive" 18 "n[0-31]" "$id"
cancel_all
id=$(submit 2-6 100 --exclusive)
placed "-N2-6" 6 "n[0-31]" "$id"
id=$(sbatch --parsable -o /dev/null -p right -N4 --wrap 'sleep 100')
placed "a partition with part of the mesh" 4 "n[16-31]" "$id"
cancel_all

# ---- Tasks, CPUs, memory ----
if [ "$BASE" = cons_tres ]; then
	id=$(sbatch --parsable -o /dev/null -n10 --wrap 'sleep 100')
	placed "-n10 without -N" 3 "n[0-31]" "$id"
	is "$(job_field "$id" NumCPUs)" 10 "-n10: 10 CPUs"
	id=$(sbatch --parsable -o /dev/null -n8 --ntasks-per-node=2 --wrap 'sleep 100')
	placed "-n8 --ntasks-per-node=2" 4 "n[0-31]" "$id"
	cancel_all
	ids=()
	for i in 1 5 9 12 17 20 22 30; do
		ids+=("$(sbatch --parsable -o /dev/null -w n$i -n2 --wrap 'sleep 100')")
	done
	for i in "${ids[@]}"; do started "$i" >/dev/null; done
	free=$(nodes_with 3)
	id=$(sbatch --parsable -o /dev/null -N6 -n6 -c3 --wrap 'sleep 100')
	is "$(hosts_sorted "$(started "$id")")" "$(smesh_nodes mm 6 "$free" "$id")" \
		"sharing nodes: the strategy chooses among exactly those with room"
	# Room on each node is not room enough for all.
	id=$(sbatch --parsable -o /dev/null -N20 -n58 --wrap 'sleep 100')
	started "$id" >/dev/null
	is "$(job_state "$id"),$(job_field "$id" NumCPUs)" RUNNING,58 "-N20 -n58 is not stranded by narrowing"
	cancel_all
else
	id=$(sbatch --parsable -o /dev/null -n10 --wrap 'sleep 100')
	placed "-n10 without -N" 3 "n[0-31]" "$id"
	cancel_all
fi
a=$(sbatch --parsable -o /dev/null -N16 -n16 --mem=800 --wrap 'sleep 100')
placed "--mem=800" 16 "n[0-31]" "$a"
b=$(sbatch --parsable -o /dev/null -N16 -n16 --mem=800 --wrap 'sleep 100')
placed "--mem=800 once more" 16 "n[0-31]" "$b"
is "$(comm -12 <(host_list hostnames "$(job_nodes "$a")" | sort) <(host_list hostnames "$(job_nodes "$b")" | sort))" \
	"" "memory keeps the two apart"
cancel_all

# ---- Which nodes ----
placed "--gres=gpu:1" 4 "n[0-7]" "$(sbatch --parsable -o /dev/null -N4 --gres=gpu:1 --wrap 'sleep 100')"
if [ "$BASE" = linear ]; then
	fails 1 "GRES option unsupported|configuration is not available" "--gpus=2: select/linear counts GRES of nodes only" \
		sbatch --parsable -o /dev/null -N2 --gpus=2 --wrap 'sleep 100'
fi
id=$(submit 4 100 -w n3,n28)
placed "-w" 4 "n[0-31]" "$id"
nodes_in n3,n28 "$(job_nodes "$id")"
ok $? "-w: both are there"
placed "-x" 6 "n[8-31]" "$(submit 6 100 -x "n[0-7]")"
cancel_all
placed "--constraint" 6 "n[16-31]" "$(submit 6 100 --constraint=b)"
cancel_all
# Of each kind the lowest free node now stands alone.
ids=()
for i in 1 8 17 23 24; do ids+=("$(submit 1 100 --exclusive -w n$i)"); done
for i in "${ids[@]}"; do started "$i" >/dev/null; done
id=$(submit 4 100 --constraint='[a*2&b*2]')
nodes=$(started "$id")
a=$(host_list hostnames "$nodes" | awk 'substr($1, 2) + 0 < 16' | paste -sd,)
b=$(host_list hostnames "$nodes" | awk 'substr($1, 2) + 0 >= 16' | paste -sd,)
# hops LIST: between its two nodes
hops() { "$SMESH" alloc -t "$cluster_dir/topology.conf" -s mm -n 2 --free "$1" --json | sed 's/.*"mean_hops":\([0-9]*\).*/\1/'; }
is "$(hops "$a") $(hops "$b")" "1 1" "--constraint=[a*2&b*2]: two neighbours of each ($a, $b)"
scancel "${ids[@]}"
id=$(submit 4 100 --constraint='b*3')
nodes=$(started "$id")
[ "$(host_list hostnames "$nodes" | tr -dc '0-9\n' | awk '$1 >= 16' | wc -l)" -ge 3 ]
ok $? "--constraint=b*3: three or more of them ($nodes)"
id=$(submit 3 100 --constraint='[a|b]')
nodes=$(started "$id")
like "$(host_list hostnames "$nodes" | tr -dc '0-9\n' | awk '{ n[$1 < 16]++ } END { print n[1] + 0 "," n[0] + 0 }')" \
	'^(3,0|0,3)$' "--constraint=[a|b]: all of one kind ($nodes)"
cancel_all
if [ "$BASE" != linear ] && slurm_is -lt 24.11; then
	# Ten with a CPU left each, two with four: what is asked about the feature would do with any two, and
	# the stock plugin takes from the row with fewer CPUs. From 24.11 on it does not start this job.
	ids=()
	for i in {16..25}; do ids+=("$(sbatch --parsable -o /dev/null -N1 -n3 -w n$i --wrap 'sleep 300')"); done
	for i in "${ids[@]}"; do started "$i" >/dev/null; done
	id=$(sbatch --parsable -o /dev/null -N2 -n6 --constraint='b*2' -x 'n[0-15,26-29]' --mesh-strategy=linear --wrap 'sleep 300')
	is "$(started "$id")" "n[30-31]" "--constraint=b*2 with six tasks: on nodes that hold them"
	cancel_all
fi
id=$(sbatch --parsable -o /dev/null -N3 --exclusive --constraint='b*2' --contiguous --wrap 'sleep 300')
like "$(started "$id") $(strategy_of "$id")" '^n.* stock$' "with --contiguous: no box is waited for"
cancel_all
id=$(submit 4 100 --contiguous)
started "$id" >/dev/null
is "$(strategy_of "$id")" snug-box "--contiguous: by a contiguous strategy"
cancel_all
placed "--switches" 4 "n[0-31]" "$(submit 4 100 --switches=1)"
id=$(sbatch --parsable -o /dev/null -n8 --spread-job --wrap 'sleep 100')
started "$id" >/dev/null
is "$(strategy_of "$id")" stock "--spread-job is left to the stock plugin"
cancel_all

# ---- Kinds of jobs ----
id=$(sbatch --parsable -o /dev/null -N3 --array=0-3 --exclusive --wrap 'sleep 100')
for i in 0 1 2 3; do wait_for 20 has_started "${id}_$i"; done
is "$(squeue -h -t R -o %D -r | sort -u)" 3 "an array: four times 3 nodes"
is "$(idle_nodes | xargs -I{} scontrol show hostnames {} | wc -l)" 20 "on 12 different nodes"
cancel_all
id=$(sbatch --parsable -o /dev/null -N3 --exclusive : -N5 --exclusive --wrap 'sleep 100')
wait_for 20 has_started "$id+1"
is "$(squeue -h -t R -o %D | sort | paste -sd,)" 3,5 "a heterogeneous job: both parts run"
cancel_all
is "$(srun -N3 -n3 --exclusive printenv SLURMD_NODENAME | sort -u | wc -l)" 3 "srun by itself"
is "$(salloc -Q -N2 --exclusive srun -N2 -n2 printenv SLURMD_NODENAME | sort -u | wc -l)" 2 "srun inside salloc"
id=$(sbatch --parsable -o /dev/null -N2 --exclusive --array=0-5%2 --wrap 'sleep 100')
for i in 0 1; do wait_for 20 has_started "${id}_$i"; done
sleep 1
is "$(squeue -h -t R -o %D -r | xargs)" "2 2" "an array two at a time"
cancel_all
out=$cluster_dir/work/steps
id=$(sbatch --parsable -o "$out" -N4 --exclusive --wrap 'srun -N4 -n4 hostname >/dev/null && srun -N2 -n2 true && echo fine; sleep 100')
wait_for 20 grep -qs fine "$out"
ok $? "srun steps inside a job"
scontrol update JobId="$id" NumNodes=2
wait_for 10 job_has "$id" NumNodes 2
ok $? "a job is shrunk"
given_back() { [ "$(host_list hostnames "$(idle_nodes)" | wc -l)" -eq 30 ]; }
wait_for 20 given_back
ok $? "the nodes that it gave back are idle"
cancel_all

# ---- Reservations ----
user=$(id -un)
scontrol create reservation=r StartTime=now Duration=60 Users="$user" Nodes="n[8-15]" >/dev/null
placed "--reservation" 4 "n[8-15]" "$(submit 4 100 --exclusive --reservation=r)"
placed "outside a reservation" 12 "n[0-7,16-31]" "$(submit 12 100 --exclusive)"
id=$(submit 20 100 --exclusive)
pending "$id"
ok $? "nodes of a reservation are nobody else's"
cancel_all
scontrol delete reservation=r
if [ "$BASE" = cons_tres ]; then
	"$builddir/test-programs/core_reservation" c "$user" n0 n1 n2 n3
	ok $? "a reservation of cores"
	placed "beside reserved cores" 28 "n[4-31]" "$(submit 28 100 --exclusive)"
	placed "inside reserved cores" 4 "n[0-3]" \
		"$(sbatch --parsable -o /dev/null -N4 -n4 --reservation=c --wrap 'sleep 100')"
	cancel_all
	scontrol delete reservation=c
	a=$(submit 32 100 -p twice -n128)
	b=$(submit 32 100 -p twice -n128)
	started "$a" >/dev/null
	is "$(hosts_sorted "$(started "$b")")" "n[0-31]" "OverSubscribe=FORCE:2: two jobs on all nodes"
	cancel_all
fi
is "$(ctld_log 0 'error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
