/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An MPI program for the network of contrib/torus:
 *
 *	program halo2d|halo3d|ring|all-to-all BYTES ROUNDS [COMPUTE]
 *
 * Each round takes COMPUTE milliseconds. Then each rank sends BYTES to each neighbour on a grid
 * that wraps and is as square as possible (the last side fastest, as in MPI_Cart_create), to the
 * next rank, or to all others. Rank 0 prints the seconds of all rounds and Slurm's name of each
 * rank's node. A rank that waits takes naps of a tenth of COMPUTE, so that 64 ranks leave a
 * processor to others: run times are the network's.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PARTNERS = 1024, NAME = 64 };

static double nap_ms = 5;

static int rank, ranks, bytes, npartners, partner[MOST_PARTNERS];

static void nap(double milliseconds)
{
	const long ns = (long)(milliseconds * 1e6);
	const struct timespec t = {ns / 1000000000, ns % 1000000000};

	nanosleep(&t, NULL);
}

static void wait_all(int n, MPI_Request *request)
{
	for (int done = 0; !done;) {
		MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE);
		if (!done)
			nap(nap_ms);
	}
}

static void wait_for_all_ranks(void)
{
	MPI_Request request;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	wait_all(1, &request);
}

static void add_partner(int with)
{
	if (with != rank && npartners < MOST_PARTNERS)
		partner[npartners++] = with;
}

/* Up and down each side: on a side of two, both lead to the same rank. */
static void grid_partners(int ndims)
{
	int side[3] = {0}, stride = 1;

	MPI_Dims_create(ranks, ndims, side);
	for (int d = ndims - 1; d >= 0; stride *= side[d--]) {
		int at = rank / stride % side[d];

		for (int by = 1; by < side[d] && by < 3; by++)
			add_partner(rank +
				((at + (by == 1 ? 1 : side[d] - 1)) % side[d] - at) * stride);
	}
}

static int find_partners(const char *pattern)
{
	if (!strcmp(pattern, "halo2d"))
		grid_partners(2);
	else if (!strcmp(pattern, "halo3d"))
		grid_partners(3);
	else if (!strcmp(pattern, "ring"))
		grid_partners(1);
	else if (!strcmp(pattern, "all-to-all"))
		for (int by = 1; by < ranks; by++)
			add_partner((rank + by) % ranks);
	else
		return -1;
	return 0;
}

/* From all partners into one place: nobody looks at it. */
static void trade(const char *out, char *in)
{
	MPI_Request request[2 * MOST_PARTNERS];

	for (int i = 0; i < npartners; i++) {
		MPI_Irecv(in, bytes, MPI_BYTE, partner[i], 0, MPI_COMM_WORLD, &request[2 * i]);
		MPI_Isend(out, bytes, MPI_BYTE, partner[i], 0, MPI_COMM_WORLD, &request[2 * i + 1]);
	}
	wait_all(2 * npartners, request);
}

static double run(int rounds, double compute)
{
	char *out = calloc((size_t)bytes + 1, 1), *in = calloc((size_t)bytes + 1, 1);
	double begin;

	wait_for_all_ranks();
	begin = MPI_Wtime();
	for (int i = 0; out && in && i < rounds; i++) {
		nap(compute);
		trade(out, in);
	}
	wait_for_all_ranks();
	free(out);
	free(in);
	return MPI_Wtime() - begin;
}

static void print(double seconds)
{
	const char *slurm = getenv("SLURMD_NODENAME");
	char name[NAME] = "-", *all = rank ? NULL : calloc((size_t)ranks, NAME);

	if (slurm)
		strncpy(name, slurm, NAME - 1);
	MPI_Gather(name, NAME, MPI_CHAR, all, NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (!all)
		return;
	printf("%.3f s", seconds);
	for (int i = 0; i < ranks; i++)
		printf("%c%s", i ? ',' : ' ', all + (size_t)i * NAME);
	putchar('\n');
	free(all);
}

/*
 * MPICH 4.0 over UCX's tcp can wait in MPI_Finalize() for ever. MPI_Finalize() calls this function
 * first, when all messages have come.
 */
static int leave(MPI_Comm comm, int key, void *value, void *state)
{
	(void)comm;
	(void)key;
	(void)value;
	(void)state;
	fflush(NULL);
	_exit(0);
}

static void finish(void)
{
#ifdef MPICH_VERSION
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, leave, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
#else
	(void)leave;
#endif
	MPI_Finalize();
}

int main(int argc, char **argv)
{
	double compute;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	bytes = argc > 2 ? atoi(argv[2]) : -1;
	if (argc < 4 || argc > 5 || bytes < 0 || find_partners(argv[1])) {
		fputs("usage: program halo2d|halo3d|ring|all-to-all BYTES ROUNDS [COMPUTE]\n",
			stderr);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	compute = argc > 4 ? atof(argv[4]) : 0;
	if (compute > 0)
		nap_ms = compute / 10;
	print(run(atoi(argv[3]), compute));
	finish();
	return 0;
}
