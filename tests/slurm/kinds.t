#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wherever a job comes from (a script, salloc, srun, another job, a part of a heterogeneous one),
# it gets what it was asked for with, and nothing that was said for another; and each of its steps
# is told where it is.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins

mesh_cluster nodes=18 cpus=2 params=mesh_max_time=0 \
	topology='MeshName=m Dims=4x4 Wrap=no,yes Nodes=n[0-15]' || exit
cd "$cluster_dir/work" || exit

# both ID: which strategies chose the nodes of the two parts of a heterogeneous job
both() {
	started "$1" >/dev/null && started "$1+1" >/dev/null
	echo "$(strategy_of "$1") $(strategy_of $(($1 + 1)))"
}

# part ID: the nodes of one part
part() { field nodes "$(decision "$1")"; }

# where_all OPTION...: "NODE COORD" of each node of a step
where_all() {
	# shellcheck disable=SC2016
	timeout 60 srun -Q "$@" sh -c 'echo "$SLURMD_NODENAME $MESH_COORD"'
}

# wrong: those lines of the input whose coordinate is not the node's own, on 4x4
wrong() {
	sed 's/^n//' | awk '{ if ($2 != $1 % 4 "," int($1 / 4)) print }'
}

# ---- Heterogeneous jobs ----
id=$(sbatch --parsable -o /dev/null -N4 --exclusive --mesh-shape=4x1:norotate : -N3 --exclusive --wrap 'sleep 100')
is "$(both "$id")" "snug-box mm" "a heterogeneous job: the shape of one part is not the other's"
is "$(sides "4 4" "$(part "$id")") $(host_list hostnames "$(part $((id + 1)))" | wc -l)" "4x1 3" "each has its nodes"
is "$(host_list hostnames "$(part "$id"),$(part $((id + 1)))" | sort -u | wc -l)" 7 "of its own"
cancel_all
id=$(sbatch --parsable -o /dev/null -N8 --exclusive : -N4 --exclusive --mesh-shape=2x2 --wrap 'sleep 100')
is "$(both "$id")" "mm snug-box" "nor the other way round"
cancel_all
cat >parts.sh <<'SCRIPT'
#!/bin/sh
#SBATCH -N2 --exclusive -o /dev/null --mesh-strategy=linear
#SBATCH hetjob
#SBATCH -N3 --exclusive -o /dev/null --mesh-hint=scatter
#SBATCH hetjob
#SBATCH -N4 --exclusive -o /dev/null
sleep 100
SCRIPT
id=$(sbatch --parsable parts.sh)
is "$(both "$id"; started "$id+2" >/dev/null; strategy_of $((id + 2)))" "linear scatter
mm" "three parts in a script"
cancel_all
where_all -N4 --exclusive --mesh-shape=2x2 : -N3 --exclusive --mesh-strategy=linear >het 2>/dev/null
is "$(wc -l <het),$(wrong <het)" "7," "a step over two parts: MESH_COORD is each node's own"

# ---- Where the wish is said ----
printf '#!/bin/sh\n#SBATCH -N4 --exclusive -o /dev/null\n#SBATCH --mesh-shape=4x1:norotate\nsleep 100\n' >script
id=$(sbatch --parsable script)
is "$(sides "4 4" "$(started "$id")")" 4x1 "#SBATCH --mesh-shape in a script"
id=$(sbatch --parsable --mesh-shape=2x2 script)
is "$(sides "4 4" "$(started "$id")")" 2x2 "the command line comes first"
cancel_all
# shellcheck disable=SC2016
is "$(timeout 60 salloc -Q -N4 --exclusive --mesh-shape=1x4:norotate sh -c 'scontrol show hostnames | xargs' 2>/dev/null)" \
	"n0 n4 n8 n12" "salloc --mesh-shape"
is "$(where_all -N4 --exclusive --mesh-shape=1x4:norotate | sort -V | cut -d' ' -f1 | xargs)" "n0 n4 n8 n12" \
	"srun --mesh-shape"

# ---- Arrays, and what a new slurmctld knows ----
id=$(sbatch --parsable -o /dev/null --array=0-5 --exclusive --mesh-shape=2x2 --wrap 'sleep 100')
for i in 0 1 2 3; do wait_for 20 has_started "${id}_$i"; done
is "$(for i in 0 1 2 3; do sides "4 4" "$(squeue -h -t R -j "${id}_$i" -o %N)"; done | xargs)" "2x2 2x2 2x2 2x2" \
	"an array: each task has the shape"
save_state "$id"
slurmctld_stop KILL
slurmctld_start
scancel "${id}_2"
wait_for 20 has_started "${id}_4"
is "$(sides "4 4" "$(squeue -h -t R -j "${id}_4" -o %N)")" 2x2 "also after slurmctld was killed"
is "$(squeue -h -t PD -r -j "$id" -o %i | xargs)" "${id}_5" "the last one waits, for there is no room"
cancel_all

# ---- Jobs out of jobs ----
sbatch -W -o out -N4 --exclusive --mesh-shape=2x2 \
	--wrap 'sbatch --parsable -N6 --exclusive -o env --wrap env; sbatch --parsable -N2 --exclusive -w n16 -o outside --mesh-strategy=linear --wrap env' >/dev/null
mapfile -t ids <out
started "${ids[0]}" >/dev/null && started "${ids[1]}" >/dev/null
is "$(job_field "${ids[0]}" NumNodes) $(strategy_of "${ids[0]}")" "6 mm" \
	"a job submitted inside another does not inherit its shape"
wait_for 20 job_is "${ids[0]}" COMPLETED
wait_for 20 job_is "${ids[1]}" COMPLETED
is "$(grep -c '^MESH_BOX=' env),$(grep '^MESH_BOX=2x2$' env)" "1," "nor its MESH_BOX"
is "$(grep -E '^MESH_(NAME|DIMS|WRAP|COORD|BOX|MEAN_HOPS)=' outside)" "" "on a node of no mesh nothing is left of it"
# shellcheck disable=SC2016
is "$(timeout 60 salloc -Q -N4 --exclusive --mesh-shape=2x2 sbatch --parsable -N6 --exclusive -o /dev/null --wrap 'sleep 100' 2>/dev/null | wc -l)" \
	1 "sbatch inside salloc: nothing of its shape"
cancel_all
id=$(SLURM_SPANK__SLURM_SPANK_OPTION_mesh_mesh_shape=4x1:norotate sbatch --parsable -o /dev/null --wrap 'sleep 100')
is "$(sides "4 4" "$(started "$id")")" 4x1 "Slurm's own variable for a SPANK option counts"
cancel_all

# ---- Steps ----
# shellcheck disable=SC2016
timeout 60 salloc -Q -N6 --exclusive --mesh-shape=3x2:norotate sh -c '
	tell="echo \$SLURMD_NODENAME \$MESH_COORD \$MESH_BOX \$MESH_NAME \$MESH_DIMS \$MESH_WRAP \$MESH_MEAN_HOPS"
	srun -N2 -n2 -r3 sh -c "$tell"
	srun -N1 -n1 -w $(scontrol show hostnames | tail -n 1) sh -c "$tell"
	srun -N3 -n6 --overlap sh -c "$tell"' >steps 2>/dev/null
is "$(wc -l <steps),$(wrong <steps)" "9," "steps on some of a job's nodes: MESH_COORD is each node's own"
is "$(cut -d' ' -f3- steps | sort -u)" "3x2 m 4x4 no,yes 1.667" "the rest is the job's in each of them"
# shellcheck disable=SC2016
tell='echo $SLURMD_NODENAME $MESH_NAME $MESH_COORD $SLURM_MESH_NAME $SLURM_MESH_COORD'
# shellcheck disable=SC2016
is "$(SLURM_MESH_NAME=n SLURM_MESH_COORD=9,9 MESH_COORD=9,9 timeout 60 srun -Q -N2 -w n3,n16 sh -c "$tell" | sort)" \
	"n16
n3 m 3,0 m 3,0" "what another job had before is not taken for it, on a node of no mesh neither"
# shellcheck disable=SC2016
is "$(MESH_NAME=wing.msh timeout 60 srun -Q -N2 -w n3,n16 sh -c "$tell" | sort)" \
	"n16 wing.msh
n3 wing.msh 3,0 m 3,0" "a MESH_NAME of the user's own stays, and ours has a prefix"
# shellcheck disable=SC2016
is "$(MESH_NAME=wing.msh timeout 60 salloc -Q -N1 -w n3 srun sh -c "MESH_DIMS=7 srun --overlap sh -c 'echo \$MESH_NAME \$MESH_DIMS \$SLURM_MESH_DIMS'")" \
	"wing.msh 7 4x4" "and what is set inside of the job stays in its steps"
sed -i 's|\(spank_mesh.so.*\)|\1 prefix=PLACE_|' "$cluster_dir/plugstack.conf"
# shellcheck disable=SC2016
is "$(timeout 60 srun -Q -N1 -w n3 sh -c 'echo $PLACE_COORD $MESH_COORD $SLURM_MESH_COORD')" "3,0 3,0" "prefix= in plugstack.conf"
is "$(ctld_log 0 'fatal:|error: .*select')" "" "no errors of select plugins in slurmctld's log"
done_testing
