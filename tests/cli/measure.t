#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# libmesh_measure.so in programs that use MPI in usual and in rare ways: they run, and what they send is
# counted.
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
# Four ranks: blocks of 1 to 4 bytes from each to all, 20 bytes from each to rank 1, 400 from rank 2 to
# each, 1000 bytes to rank 0 and 1000 integers to the others; two persistent sends of 10000 bytes of rank
# 0; in pairs of neighbours, the higher first, twice 50000 bytes from the first to the second; in pairs of
# even and of odd ranks, whose communicator may have the handle of the one before, 1000000 bytes.
cat >"$dir/usual.c" <<'C'
#include <mpi.h>

static char out[1000000], in[1000000];
static int rank;

/* From the first to the second of each pair, with two tags. */
static void in_pairs(int colour, int key, int bytes, int tags)
{
	MPI_Comm pair;
	int me;

	MPI_Comm_split(MPI_COMM_WORLD, colour, key, &pair);
	MPI_Comm_rank(pair, &me);
	for (int tag = 9; tag > 9 - tags; tag--)
		if (me)
			MPI_Recv(in, bytes, MPI_BYTE, 0, tag, pair, MPI_STATUS_IGNORE);
		else
			MPI_Send(out, bytes, MPI_BYTE, 1, tag, pair);
	MPI_Comm_free(&pair);
}

static void persistent(void)
{
	MPI_Request request[2];

	for (int i = 0; !rank && i < 2; i++)
		MPI_Send_init(out, 10000, MPI_BYTE, 2 + i, 1, MPI_COMM_WORLD, &request[i]);
	if (!rank) {
		MPI_Startall(2, request);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	} else if (rank > 1) {
		MPI_Recv(in, 10000, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	static const int m[] = {1, 2, 3, 4}, at[] = {0, 1, 3, 6}, none[4];
	static const int thousand[] = {1000, 1000, 1000, 1000}, far[] = {0, 4000, 8000, 12000};
	MPI_Datatype to[] = {MPI_BYTE, MPI_INT, MPI_INT, MPI_INT}, from[4];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 4; i++)
		from[i] = rank ? MPI_INT : MPI_BYTE;
	MPI_Allgatherv(out, m[rank], MPI_BYTE, in, m, at, MPI_BYTE, MPI_COMM_WORLD);
	MPI_Gather(out, 20, MPI_BYTE, in, 20, MPI_BYTE, 1, MPI_COMM_WORLD);
	MPI_Scatter(out, 400, MPI_BYTE, in, 400, MPI_BYTE, 2, MPI_COMM_WORLD);
	MPI_Alltoallw(out, thousand, none, to, in, thousand, far, from, MPI_COMM_WORLD);
	persistent();
	in_pairs(rank / 2, -rank, 50000, 2);
	in_pairs(rank % 2, rank, 1000000, 1);
	MPI_Finalize();
	return 0;
}
C
# run MPI PROGRAM RANKS OPTION...: with and without the library; the files are $dir/MPI.PROGRAM.RANK.prof
run() {
	local mpi=$1 program=$2
	local start=(timeout 100 "mpirun.$mpi" "${@:4}" -np "$3" "$dir/$program.$mpi")
	"mpicc.$mpi" -w -o "$dir/$program.$mpi" "$dir/$program.c" && "${start[@]}" >"$dir/$mpi.out" 2>&1 &&
		MESH_MEASURE=$dir/$mpi.$program LD_PRELOAD=$library "${start[@]}" >"$dir/$mpi.out" 2>&1
}
# sums FILE...: RANK RANK BYTES of each pair
sums() {
	awk 'NF == 5 && $3 { sum[$1 " " $2] += $3 } END { for (i in sum) printf "%s %.0f\n", i, sum[i] }' "$@" |
		sort | paste -sd,
}
for mpi in mpich openmpi; do
	options=()
	[ $mpi = mpich ] || options=(--allow-run-as-root --oversubscribe --bind-to none --mca btl "self,vader")
	run $mpi rare 2 "${options[@]}"
	is "$?" 0 "$mpi: the program runs as without the library: $(tail -n 1 "$dir/$mpi.out")"
	is "$(sums "$dir/$mpi".rare.*.prof)" "0 0 4000,0 1 4294967296,1 0 4294967296,1 1 4000" \
		"$mpi: what it sends is counted, and a child of fork() that ends later changes nothing"
	like "$(grep -c '^0 0 ' "$dir/$mpi.rare.0.prof")" '^6[0-9]$' "$mpi: a tag for each message: not a line for each"
	run $mpi usual 4 "${options[@]}"
	is "$?" 0 "$mpi: a usual program: $(tail -n 1 "$dir/$mpi.out")"
	is "$(sums "$dir/$mpi".usual.*.prof)" "0 1 4028,0 2 1014000,0 3 14000,1 0 101000,1 2 4007,1 3 1004000,2 0 1400,\
2 1 4420,2 3 4406,3 0 1009,3 1 4020,3 2 104000" "$mpi: who sends whom how much"
	is "$(awk '$3 == 50000 { print $1, $2, $4 - 2 ^ 32, $5 }' "$dir/$mpi".usual.*.prof | sort | paste -sd,)" \
		"1 0 8 1,1 0 9 1,3 2 8 1,3 2 9 1" "$mpi: each tag is a step"
done
done_testing
