#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --mesh-learn with real MPI: the first run is measured, the next of its name and size is placed and
# ordered by that.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/slurm/cluster.sh"
. "$srcdir/tests/slurm/mesh.sh"
need_plugins
command -v mpicc.openmpi mpirun.openmpi >/dev/null || {
	echo "1..0 # SKIP no Open MPI"
	exit 0
}

# PMIx has a directory for each step in TmpFS, where all nodes are one machine.
tmp=$(mktemp -d)
mkdir "$tmp"/n{0..15}
chmod -R 777 "$tmp"
mesh_cluster nodes=16 cpus=1 topology='MeshName=m Dims=4x4 Nodes=n[0-15]' conf="TmpFS=$tmp/%n
PartitionName=second Nodes=ALL" || exit
work=$cluster_dir/work
export HOME=$work/home
unset XDG_DATA_HOME
mkdir -p "$HOME"
records=$HOME/.local/share/slurm-mesh/traffic

# Rank r sends to r + 5 and r - 5: a ring in an order that no list of nodes has.
cat >"$work/ring.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static char out[100000], in[100000];
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int i = 0; i < 20; i++)
		MPI_Sendrecv(out, sizeof(out), MPI_BYTE, (rank + 5) % ranks, 0, in, sizeof(in), MPI_BYTE,
			(rank + ranks - 5) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	printf("%d %s\n", rank, getenv("SLURMD_NODENAME"));
	MPI_Finalize();
	return 0;
}
C
# What programs do more rarely: three persistent messages of 1000 bytes to the next rank, 500 of one byte
# six ranks on, 100 bytes put five ranks on, and a reduction to all of 8 bytes on a communicator whose
# ranks are the other way round; r bytes of rank r gathered by rank 14, and as many scattered by rank 13;
# a scan of 4 bytes; two bytes of a type for each from rank 7 to rank 9.
cat >"$work/rare.c" <<'C'
#include <mpi.h>

int main(int argc, char **argv)
{
	static char out[1000], in[1000], window[100];
	double one = 1, sum;
	static char all[1000];
	int rank, ranks, count[60], all_at[60], back[60] = {0}, to_nine[60] = {0}, one_int = 1, ints;
	MPI_Datatype type[60];
	MPI_Request request[2], many[1000];
	MPI_Comm turned;
	MPI_Win win;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Send_init(out, 1000, MPI_BYTE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &request[0]);
	MPI_Recv_init(in, 1000, MPI_BYTE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &request[1]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, request);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
	for (int i = 0; i < 500; i++) {
		MPI_Send_init(out, 1, MPI_BYTE, (rank + 6) % ranks, i, MPI_COMM_WORLD, &many[i]);
		MPI_Recv_init(in, 1, MPI_BYTE, (rank + ranks - 6) % ranks, i, MPI_COMM_WORLD, &many[500 + i]);
	}
	MPI_Startall(1000, many);
	MPI_Waitall(1000, many, MPI_STATUSES_IGNORE);
	MPI_Win_create(window, 100, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put(out, 100, MPI_BYTE, (rank + 5) % ranks, 0, 100, MPI_BYTE, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
	MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &turned);
	MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, turned);
	MPI_Comm_free(&turned);
	for (int i = 0; i < ranks; i++) {
		count[i] = i;
		all_at[i] = 16 * i;
	}
	MPI_Igatherv(out, rank, MPI_BYTE, all, count, all_at, MPI_BYTE, 14, MPI_COMM_WORLD, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Scatterv(all, count, all_at, MPI_BYTE, in, rank, MPI_BYTE, 13, MPI_COMM_WORLD);
	MPI_Scan(&one_int, &ints, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < ranks; i++) {
		type[i] = i == 9 ? MPI_SHORT : MPI_BYTE;
		all_at[i] = 0;
	}
	back[7] = rank == 9 ? 2 : 0;
	to_nine[9] = rank == 7;
	for (int i = 0; i < ranks && rank == 9; i++)
		type[i] = MPI_BYTE;
	MPI_Alltoallw(out, to_nine, all_at, type, in, back, all_at, type, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
C
# Rank 1 sends after 0.1 s, ten times, and rank 0 naps until it has come. die: killed after a while.
cat >"$work/naps.c" <<'C'
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	MPI_Request request;
	int rank, flag, x = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 10; i++) {
		MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
		if (rank == 1)
			usleep(100000);
		MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
		while (MPI_Test(&request, &flag, MPI_STATUS_IGNORE), !flag)
			usleep(10000);
	}
	if (argc > 1) {
		sleep(12);
		MPI_Barrier(MPI_COMM_WORLD);
		kill(getpid(), SIGKILL);
	}
	MPI_Finalize();
	return 0;
}
C
cat >"$work/ring.f90" <<'F'
program ring
  include 'mpif.h'
  integer rank, ranks, error, i, status(MPI_STATUS_SIZE)
  integer out(1000), in(1000)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do i = 1, 10
    call MPI_Sendrecv(out, 1000, MPI_INTEGER, mod(rank + 1, ranks), 0, in, 1000, MPI_INTEGER, &
      mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, status, error)
  end do
  call MPI_Finalize(error)
end program
F
# Two ranks send each other five messages and start two more of the same program.
cat >"$work/spawn.c" <<'C'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	MPI_Comm other;
	int rank, ranks, x = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_get_parent(&other);
	printf("%s %d of %d\n", other == MPI_COMM_NULL ? "parent" : "child", rank, ranks);
	if (other == MPI_COMM_NULL)
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
			MPI_ERRCODES_IGNORE);
	for (int i = 0; i < 5; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &x, 1, MPI_INT, 1 - rank, 0,
			MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(other);
	MPI_Comm_disconnect(&other);
	MPI_Finalize();
	return 0;
}
C
mpicc.openmpi -o "$work/mpi" "$work/ring.c"
ok $? "a program of MPI"
export OMPI_MCA_btl=self,vader

# The same for steps on many nodes: Open MPI does not start there where all are one machine.
cat >"$work/ring" <<'SH'
#!/bin/sh
to=$(((SLURM_PROCID + 5) % SLURM_NTASKS))
[ -z "$OMPI_MCA_pml_monitoring_filename" ] ||
	printf '# POINT TO POINT\nE\t%s\t%s\t2000000 bytes\t20 msgs sent\t0\n# OSC\n' "$SLURM_PROCID" "$to" \
		>"$OMPI_MCA_pml_monitoring_filename.$SLURM_PROCID.prof"
echo "$SLURM_PROCID $SLURMD_NODENAME"
SH
chmod +x "$work/ring"

# nodes_of FILE: the nodes of the ranks, in their order
nodes_of() { sort -n "$1" | awk '/^[0-9]+ n[0-9]+$/ { print $2 }'; }

# hops FILE: mean hops of a message of the ring on the 4x4 mesh
hops() {
	nodes_of "$1" | awk 'function abs(x) { return x < 0 ? -x : x }
	{ v = substr($1, 2); x[NR - 1] = v % 4; y[NR - 1] = int(v / 4) }
	END { for (r = 0; r < NR; r++) { s = (r + 5) % NR; sum += abs(x[r] - x[s]) + abs(y[r] - y[s]) }
		if (NR) printf "%.3f\n", sum / NR }'
}

# step FILE OPTION...
step() { timeout 100 srun -N16 -n16 "${@:2}" "$work/ring" >"$1" 2>"$1.err"; }

# conf WORD...: of plugstack.conf. Without the library for MPI Open MPI counts, and so does our program.
conf() {
	[[ $* == *measure=* ]] || set -- "$@" measure=no
	sed -i "s|spank_mesh.so.*|spank_mesh.so $*|" "$cluster_dir/plugstack.conf"
}
conf

step "$work/plain"
is "$(nodes_of "$work/plain" | wc -l)" 16 "it runs on 16 nodes"
is "$(ls -A "$records" 2>/dev/null)" "" "nothing is measured unasked"

step "$work/first" --mesh-learn
is "$(hops "$work/first")" "$(hops "$work/plain")" "the first run: ranks as ever"
is "$("$SMESH" traffic list | awk 'NR > 1 { print $1, $2, $3, $4 }')" "ring 16 ring 3.2e+07" "what it sent is known: a ring, every byte"
is "$(stat -c %a "$records" "$records"/*.traffic | tr '\n' ' ')" "700 600 " "for its owner only"

step "$work/second" --mesh-learn
is "$(hops "$work/second")" 1.000 "the second run: a hop for each message"
sbatch --wait -J ring -N16 -n16 --mesh-learn -o "$work/batch" --wrap "srun $work/ring" >/dev/null 2>&1
is "$(hops "$work/batch")" 1.000 "in sbatch: every srun of the job"
like "$(scontrol show job "$(squeue -h -t all -o %A | sort -n | tail -n 1)" | tr '\n' ' ')" 'pattern=learnt:ring' "the accounts say what it sends"

# No Slurm for mpirun, which would look for hosts of the nodes' names.
sbatch --wait -J other -N4 -n4 --mesh-learn -o "$work/mpirun" --wrap "export OMPI_MCA_ras=^slurm \
	OMPI_MCA_plm=isolated PRTE_MCA_ras=^slurm PRTE_MCA_plm=ssh
	mpirun.openmpi --allow-run-as-root --bind-to none -H localhost:4 -np 4 $work/mpi" >/dev/null 2>&1
if [ "$(nodes_of "$work/mpirun" | wc -l)" -eq 4 ]; then
	learnt_other() { "$SMESH" traffic list | tr -s ' ' | grep -q 'other 4 '; }
	wait_for 20 learnt_other
	ok $? "mpirun in a batch script is measured, too"
	"$SMESH" traffic forget other
else
	skip "mpirun in a batch script is measured, too" "mpirun does not start here: $(tail -n 1 "$work/mpirun")"
fi
if srun --mpi=list 2>&1 | grep -q pmix; then
	timeout 60 srun --mpi=pmix -N1 -n4 --overcommit --mesh-learn=four "$work/mpi" >"$work/four" 2>&1
	like "$("$SMESH" traffic list | tr -s ' ')" 'four 4 ring ' "srun and Open MPI by PMIx, on one node"
else
	skip "srun and Open MPI by PMIx" "srun has no PMIx"
fi
# A record that is not true (any more): the second run is measured as well, and shows it.
stale() { sed '/^[0-9]/d; s/^# runs .*/# runs 1/' "$records/ring@16.traffic"; for i in {0..14}; do echo "$i $((i + 1)) 5"; done; }
like "$(sed -n 's/^# runs //p' "$records/ring@16.traffic")" '^[23]$' "two runs that sent alike, or by lot three"
stale >"$records/stale@16.traffic"
step "$work/stale" --mesh-learn=stale
like "$(hops "$work/stale") $("$SMESH" traffic list | tr -s ' ')" '^[2-9].*stale 16 mix ' "a record that is wrong orders one run, and is dropped by that"
step "$work/stale" --mesh-learn=stale
is "$(hops "$work/stale")" "$(hops "$work/plain")" "the next has its ranks as ever"
"$SMESH" traffic forget stale
# No job ends by what was learnt.
sed 's/^0 .*/0 99 5/' "$records/ring@16.traffic" >"$records/bad@16.traffic"
sed 's/^# pattern .*/# pattern grid:5x5/' "$records/ring@16.traffic" >"$records/lie@16.traffic"
cp "$records/ring@16.traffic" "$records/uneven@16.traffic"
step "$work/bad" --mesh-learn=bad
is "$(nodes_of "$work/bad" | wc -l)" 16 "a record with ranks that there are not: the job runs"
like "$(cat "$work/bad.err")" 'rank 99: .*what was learnt is not used' "and srun says so"
step "$work/lie" --mesh-learn=lie
is "$(hops "$work/lie")" 1.000 "a record with another grid than the job's: its traffic is used alone"
# Another size: 6 ranks of what was a grid of 6x4 are one of 3x2, here in a box of three columns.
printf '# traffic 1\n# name grown\n# ranks 24\n# seconds 1\n# bytes 1\n# messages 1\n# matrix 0\n# pattern grid:6x4\n' >"$records/grown@24.traffic"
chmod 600 "$records/grown@24.traffic"
timeout 100 srun -N6 -n6 --mesh-shape=3x2 --mesh-learn=grown "$work/ring" >"$work/grown"
is "$(nodes_of "$work/grown" | awk 'function abs(x) { return x < 0 ? -x : x }
	{ v = substr($1, 2); x[NR - 1] = v % 4; y[NR - 1] = int(v / 4) }
	END { for (r = 0; r < 6; r++) for (s = r + 1; s < 6; s++) if (s == r + 2 || (s == r + 1 && r % 2 == 0))
		sum += abs(x[r] - x[s]) + abs(y[r] - y[s])
		print sum }')" 7 "a grid that was measured at another size: a hop for each of its edges"
rm "$records"/grown@*.traffic
timeout 100 srun -N5 -n16 --overcommit --mesh-learn=uneven "$work/ring" >"$work/uneven" 2>"$work/uneven.err"
is "$(nodes_of "$work/uneven" | wc -l)" 16 "tasks that cannot be spread evenly: the job runs"
"$SMESH" traffic forget bad
"$SMESH" traffic forget lie
"$SMESH" traffic forget uneven
"$SMESH" traffic forget four
"$SMESH" traffic forget ring
step "$work/forgotten" --mesh-learn=mine
is "$(hops "$work/forgotten") $("$SMESH" traffic list | awk 'NR > 1 { print $1 }' | tr '\n' ' ')" "$(hops "$work/plain") mine " \
	"forgotten, and learnt by another name"

# Real MPI on many nodes: MPICH, with the library that counts for it.
library=$builddir/plugins/libmesh_measure.so
if [ -e "$library" ] && command -v mpicc.mpich >/dev/null && srun --mpi=list 2>&1 | grep -q pmi2; then
	mpicc.mpich -o "$work/mpich" "$work/ring.c"
	sed -i "s,spank_mesh.so.*,spank_mesh.so mpich=$library," "$cluster_dir/plugstack.conf"
	for i in 1 2; do
		timeout 100 srun --mpi=pmi2 -N16 -n16 --mesh-learn=mpich "$work/mpich" >"$work/mpich.$i" 2>&1
	done
	like "$("$SMESH" traffic list | tr -s ' ')" 'mpich 16 ring 3.2e\+07 320 [0-9.]+ [0-9]+% ' "MPICH on 16 nodes is measured, every byte, and the time"
	is "$(hops "$work/mpich.1") $(hops "$work/mpich.2")" "$(hops "$work/plain") 1.000" "and ordered by that"
	job=$(sbatch --parsable -J mpich -N16 -n16 --mesh-learn -o /dev/null --wrap "sleep 60")
	like "$(scontrol show job "$job")" 'mesh: pattern=learnt:ring,[0-9]+%' "the accounts have the share of time"
	like "$("$SMESH" why "$job" 2>&1)" 'learnt: ring, [0-9]+% of the time in MPI' "and smesh why says it"
	scancel "$job"
	mpicc.mpich -w -o "$work/rare" "$work/rare.c"
	timeout 100 srun --mpi=pmi2 -N16 -n16 --mesh-learn=rare "$work/rare" >/dev/null 2>"$work/rare.err"
	# Of all steps together, and both directions.
	awk '!/^#/ { at = $1 < $2 ? $1 " " $2 : $2 " " $1; sum[at] += $3 }
		END { for (at in sum) print at, sum[at] }' "$records/rare@16.traffic" >"$work/pairs"
	is "$(grep '^0 ' "$work/pairs" | sort -n -k2 | paste -sd,)" "0 1 3024,0 2 24,0 4 24,0 5 100,0 6 500,0 8 24,0 10 500,0 11 100,0 15 3000" \
		"persistent and one-sided messages are counted, and ranks of other communicators"
	is "$(grep -E '^(3|12) 1[34] ' "$work/pairs" | sort | paste -sd,)" "12 13 3036,12 14 36,3 13 503,3 14 103" \
		"and what is gathered and scattered, without waiting too"
	is "$(grep '^7 9 ' "$work/pairs")" "7 9 2" "and all-to-alls with a type for each rank"
	is "$(awk '$1 == 0 && $3 == 3000 { print NF, $2 } $1 == 0 && $3 == 12 { n++; s[$4] } $3 == 3000 { s[$4] }
		END { for (i in s) k++; print n, k }' "$records/rare@16.traffic" | paste -sd,)" "4 1,4 5" \
		"by steps: the rounds of a collective, and what is sent between two waits"
	# The same library for Open MPI.
	mpicc.openmpi -w -o "$work/rare.open" "$work/rare.c"
	MESH_MEASURE=$records/runs/open=@16.$(date +%s).key LD_PRELOAD=$library timeout 100 mpirun.openmpi \
		--allow-run-as-root --oversubscribe --bind-to none -np 16 "$work/rare.open" >"$work/open.err" 2>&1
	"$SMESH" traffic list >/dev/null
	is "$(grep -v '^#' "$records/open@16.traffic" | md5sum)" "$(grep -v '^#' "$records/rare@16.traffic" | md5sum)" \
		"and by Open MPI the same is counted"
	# Fortran's calls come as PMPI_...; what a program starts by itself is another world.
	for mpi in mpich openmpi; do
		"mpifort.$mpi" -o "$work/fortran.$mpi" "$work/ring.f90"
		"mpicc.$mpi" -w -o "$work/spawn.$mpi" "$work/spawn.c"
	done
	MESH_MEASURE=$records/runs/fortran=@16.$(date +%s).key LD_PRELOAD=$library timeout 100 mpirun.openmpi \
		--allow-run-as-root --oversubscribe --bind-to none -np 16 "$work/fortran.openmpi" >"$work/fortran.err" 2>&1
	timeout 60 srun --mpi=pmi2 -N16 -n16 --mesh-learn=fortran2 "$work/fortran.mpich" >>"$work/fortran.err" 2>&1
	is "$("$SMESH" traffic list | awk '/^fortran/ { print $2, $3, $4, $5 }' | paste -sd,)" "16 ring 6.4e+05 160,16 ring 6.4e+05 160" \
		"programs in Fortran are measured, with both MPIs"
	conf "measure=$library" learn=yes
	timeout 60 sbatch --wait -N2 -n2 -o "$work/spawned" --wrap "export OMPI_MCA_ras=^slurm OMPI_MCA_plm=isolated PRTE_MCA_ras=^slurm PRTE_MCA_plm=ssh OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo
		mpirun.openmpi --allow-run-as-root --bind-to none -H localhost:4 -np 2 $work/spawn.openmpi" >/dev/null 2>&1
	is "$(grep -E "^(child|parent) " "$work/spawned" | sort | paste -sd,)" "child 0 of 2,child 1 of 2,parent 0 of 2,parent 1 of 2" "a program that spawns others runs"
	is "$("$SMESH" traffic list | awk '$1 ~ /^spawn/ { print $2, $5 }')" "2 10" "and it is measured, without them"
	# Ranks that nap until something has come; ranks that are killed.
	mpicc.mpich -o "$work/naps" "$work/naps.c"
	timeout 60 srun --mpi=pmi2 -N2 -n2 --mesh-learn=naps "$work/naps" >"$work/naps.out" 2>&1
	like "$("$SMESH" traffic list | awk '$1 == "naps" { print $7 }')" '^([3-9].|100)%$' "naps between two tests are time in MPI"
	timeout 60 srun --mpi=pmi2 -N2 -n2 --mesh-learn=killed "$work/naps" die >"$work/killed.out" 2>&1
	like "$(cat "$work/killed.out") $("$SMESH" traffic list | awk '$1 == "killed" { print $2, $4 }')" 'Killed.* 2 ' "of ranks that were killed it is known what they sent until then"
	# mpirun in a script whose name says nothing. (Not MPICH's: four ranks that wait busily on the
	# batch script's CPU take minutes on a loaded machine.)
	conf "measure=$library" learn=yes
	timeout 120 sbatch --wait -N4 -n4 -o "$work/both" --wrap "export OMPI_MCA_ras=^slurm OMPI_MCA_plm=isolated PRTE_MCA_ras=^slurm PRTE_MCA_plm=ssh
		mpirun.openmpi --allow-run-as-root --bind-to none -H localhost:4 -np 4 $work/mpi" >/dev/null 2>&1
	is "$("$SMESH" traffic list | awk '$2 == 4 { print $1, $3 }' | paste -sd,)" "mpi ring" "learn=yes: mpirun in a script, the program by its name"
	is "$(ls "$records/runs")" "" "and no file of theirs is left"
	# A step of a script that is measured: its user says no; its node, or container, lacks the library; the
	# user's own list of libraries is longer than ours are.
	cp "$library" "$work/gone.so"
	cat >"$work/told" <<'SH'
#!/bin/bash
m=${MESH_MEASURE:+measured} p=${LD_PRELOAD//[^:]/}
[[ $LD_PRELOAD == */gone.so* ]] && l=library
echo "$1 $m $l ${#p}"
SH
	chmod +x "$work/told"
	conf "measure=$work/gone.so" learn=yes
	sbatch --wait -N1 -n1 -o "$work/told.out" --wrap "$work/told script
		srun --mesh-learn=no $work/told no
		export SLURM_SPANK__SLURM_SPANK_OPTION_mesh_mesh_learn=no
		srun $work/told not
		LD_PRELOAD=\$(printf '%0*d' 5000 0 | tr 0 :) SLURM_SPANK__SLURM_SPANK_OPTION_mesh_mesh_learn=x srun $work/told long
		rm $work/gone.so
		export LD_PRELOAD=/nolib:\$LD_PRELOAD:$work/gone.so.1
		srun $work/told gone" >/dev/null 2>&1
	is "$(grep -v '^ERROR: ld.so' "$work/told.out" | tr -s ' ' | paste -sd,)" \
		"script measured library 0,no library 0,not library 0,long measured 5000,gone library 1" \
		"a step of a measured script: --mesh-learn=no, a list of 5000, a node without the library"
	conf "measure=$work/nothere/libmesh_measure.so" learn=yes
	timeout 60 srun -N2 -n2 true 2>"$work/nothere"
	is "$(cat "$work/nothere")" "" "a library that is not there: no word of it"
else
	skip "and by Open MPI the same is counted" "no mpicc.mpich here"
	skip "programs in Fortran are measured, with both MPIs" "no mpicc.mpich here"
	skip "a program that spawns others runs" "no mpicc.mpich here"
	skip "and it is measured, without them" "no mpicc.mpich here"
	skip "naps between two tests are time in MPI" "no mpicc.mpich here"
	skip "ranks that were killed" "no mpicc.mpich here"
	skip "learn=yes: mpirun in a script" "no mpicc.mpich here"
	skip "and no file of theirs is left" "no mpicc.mpich here"
	skip "a step of a measured script" "no mpicc.mpich here"
	skip "a library that is not there" "no mpicc.mpich here"
	skip "the accounts have the share of time" "no mpicc.mpich here"
	skip "and smesh why says it" "no mpicc.mpich here"
	skip "persistent and one-sided messages are counted" "no mpicc.mpich here"
	skip "and what is gathered and scattered" "no mpicc.mpich here"
	skip "and all-to-alls with a type for each rank" "no mpicc.mpich here"
	skip "by steps" "no mpicc.mpich here"
	skip "MPICH on 16 nodes is measured" "no mpicc.mpich here"
	skip "and ordered by that" "no mpicc.mpich here"
fi

# The site wants it of all jobs, or of those of a partition; and may keep records elsewhere.
known() { "$SMESH" traffic list --directory "$1" | awk 'NR > 1 { print $1 }' | paste -sd' '; }
mkdir -m 1777 "$work/all"
conf learn=yes "learn_dir=$work/all"
step "$work/site" -J everyone
step "$work/site.2" -J everyone
step "$work/not" -J notme --mesh-learn=no
is "$(known "$work/all/$(id -u)") $(hops "$work/site.2")" "everyone 1.000" "learn=yes: without the option, in learn_dir; --mesh-learn=no is not"
timeout 60 srun -N2 -n2 -J plain true
is "$(find "$work/all" -path '*/runs/*')" "" "a program without MPI leaves nothing"
sbatch --wait -N2 -n2 -J plain -o /dev/null --wrap true
is "$(find "$work/all" -path '*/runs/*')" "" "nor does a script"
# A program that is known, in a script that is not: its order is used, and learnt further.
for i in 1 2; do step "$work/own"; done
sbatch --wait -J newname -N16 -n16 -o "$work/inner" --wrap "srun $work/ring" >/dev/null 2>&1
is "$(known "$work/all/$(id -u)") $(hops "$work/inner")" "everyone ring 1.000" "a known program in a script of another name"
conf learn=yes "learn_dir=$work/all" learn_every=0
runs() { sed -n 's/^# runs //p' "$work/all/$(id -u)/ring@16.traffic"; }
before=$(runs)
step "$work/own"
is "$(runs)" "$before" "learn_every=0: what is known is not measured again"
touch -d '+1 minute' "$work/ring"
step "$work/own"
is "$(runs)" $((before + 1)) "but a program that was compiled since"
touch -d '+2 minutes' "$work/ring"
PATH=$work:$PATH timeout 100 srun -N16 -n16 ring >/dev/null 2>&1
touch -d '+3 minutes' "$work/ring"
timeout 100 srun -N16 -n16 -D "$work" ./ring >/dev/null 2>&1
is "$(runs)" $((before + 3)) "also one that is found along PATH, or in another directory"
conf learn=yes "learn_dir=$work/all"
conf learn=all,other "learn_dir=$work/all"
for name in named silent; do cp -p "$work/ring" "$work/$name"; done
timeout 100 srun -N16 -n16 -p all "$work/named" >/dev/null 2>&1
timeout 100 srun -N16 -n16 -p second "$work/silent" >/dev/null 2>&1
is "$(known "$work/all/$(id -u)")" "everyone named ring" "learn=PARTITION: of jobs that name it"
conf learn=no
fails 255 "mesh-learn" "learn=no: there is no option" timeout 20 srun -N1 --mesh-learn true
conf
cluster_set params=mesh_user_options=shape
step "$work/refused" --mesh-learn=mine
is "$(grep -c 'not allowed' "$work/refused.err")" 0 "where the site lets nobody say a pattern, ranks are ordered still: no error"
chmod 500 "$records"
: >"$HOME/file"
HOME=$HOME/file step "$work/nowhere" --mesh-learn
like "$(cat "$work/nowhere.err") $(nodes_of "$work/nowhere" | wc -l)" 'nothing is learnt.* 16$' "no place for records: one line, and it runs"
rm -rf "$tmp"
done_testing
