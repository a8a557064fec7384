#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# libmesh_measure.so in programs that use MPI in rare ways: they run, and what they send is counted.
. "$srcdir/tests/tap.sh"

library=$builddir/plugins/libmesh_measure.so
if ! { [ -e "$library" ] && command -v mpicc.mpich && command -v mpicc.openmpi; } >/dev/null; then
	echo "1..0 # SKIP no libmesh_measure.so, MPICH or Open MPI"
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Collectives between rank 0 and rank 1, each a group; a call that MPI refuses; a type that nothing is
# sent of; 1000 messages of 4 bytes to itself with as many tags; one of 4 GiB to the other rank, which
# MPI refuses for its tag.
cat >"$dir/rare.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, n, all[2], one[2] = {1, 1}, at[2] = {0, 1};

static void between(void)
{
	MPI_Comm half, other;
	int root = rank ? 0 : MPI_ROOT;

	MPI_Comm_split(MPI_COMM_WORLD, rank, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 5, &other);
	if (rank) {
		MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, &n, 1, MPI_INT, root, other);
		MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, &n, 1, MPI_INT, root, other);
		MPI_Gather(&n, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, other);
	} else {
		MPI_Scatter(all, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, other);
		MPI_Scatterv(all, one, at, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, other);
		MPI_Gather(NULL, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, root, other);
	}
	MPI_Allreduce(&rank, &n, 1, MPI_INT, MPI_SUM, other);
	MPI_Comm_free(&other);
	MPI_Comm_free(&half);
}

static void refused(void)
{
	MPI_Datatype type;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	if (MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_NULL) == MPI_SUCCESS)
		abort();
	MPI_Type_create_hvector(1 << 20, 4096, 0, MPI_BYTE, &type);
	MPI_Type_commit(&type);
	MPI_Send(all, 1, type, 1 - rank, -5, MPI_COMM_WORLD);
	MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
	int end[2], none[2] = {0};
	pid_t child;
	char c;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (pipe(end))
		abort();
	if (!(child = fork())) {
		close(end[1]);
		exit(read(end[0], &c, 1));
	}
	between();
#ifdef MPICH_VERSION
	MPI_Datatype type[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};

	MPI_Alltoallw(all, none, none, type, &n, none, none, type, MPI_COMM_WORLD);
#endif
	for (int i = 0; i < 1000; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, rank, i, &n, 1, MPI_INT, rank, i, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	refused();
	MPI_Finalize();
	close(end[1]);
	return waitpid(child, NULL, 0) != child;
}
C
# run MPI OPTION...: the program with and without the library; the files are $dir/MPI.RANK.prof
run() {
	local mpi=$1
	shift
	"mpicc.$mpi" -w -o "$dir/rare.$mpi" "$dir/rare.c" &&
		timeout 100 "mpirun.$mpi" "$@" -np 2 "$dir/rare.$mpi" >"$dir/$mpi.out" 2>&1 &&
		MESH_MEASURE=$dir/$mpi LD_PRELOAD=$library timeout 100 "mpirun.$mpi" "$@" -np 2 \
			"$dir/rare.$mpi" >"$dir/$mpi.out" 2>&1
}
for mpi in mpich openmpi; do
	options=()
	[ $mpi = mpich ] || options=(--allow-run-as-root --oversubscribe --bind-to none --mca btl "self,vader")
	run $mpi "${options[@]}"
	is "$?" 0 "$mpi: the program runs as without the library: $(tail -n 1 "$dir/$mpi.out")"
	is "$(awk 'NF == 5 && $3 { sum[$1 " " $2] += $3 } END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' \
		"$dir/$mpi".*.prof | sort | paste -sd,)" "0 0 4000,0 1 4294967296,1 0 4294967296,1 1 4000" \
		"$mpi: what it sends is counted, and a child of fork() that ends later changes nothing"
	like "$(grep -c '^0 0 ' "$dir/$mpi.0.prof")" '^6[0-9]$' "$mpi: a tag for each message: not a line for each"
done
done_testing
