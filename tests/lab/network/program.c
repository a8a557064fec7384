/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An MPI program for the network of contrib/torus:
 *
 *	program halo2d|halo3d|ring|all-to-all BYTES ROUNDS [COMPUTE]
 *	program TRACE
 *
 * Each round takes COMPUTE milliseconds. Then each rank sends BYTES to each neighbour on a grid
 * that wraps and is as square as possible (the last side fastest, as in MPI_Cart_create), to the
 * next rank, or to all others. TRACE is a file of as many ranks, as tests/lab/smpi/replay.cpp reads
 * it: a rank naps a second for 1e9 flops. Rank 0 prints the seconds of all that, and Slurm's name
 * of each rank's node. A rank that waits takes naps of a tenth of COMPUTE (10 ms in a trace), so
 * that 64 ranks leave a processor to others: run times are the network's.
 */
#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PARTNERS = 1024, NAME = 64, NUMBERS = 4 };

static const double flops_of_ms = 1e6, nap_of_trace_ms = 10;

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

/* Nobody looks at what is sent or received: one place for all of it. */
static char *out, *in;

static void need_bytes(size_t most)
{
	out = calloc(most + 1, 1);
	in = calloc(most + 1, 1);
	if (!out || !in)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void trade(void)
{
	MPI_Request request[2 * MOST_PARTNERS];

	for (int i = 0; i < npartners; i++) {
		MPI_Irecv(in, bytes, MPI_BYTE, partner[i], 0, MPI_COMM_WORLD, &request[2 * i]);
		MPI_Isend(out, bytes, MPI_BYTE, partner[i], 0, MPI_COMM_WORLD, &request[2 * i + 1]);
	}
	wait_all(2 * npartners, request);
}

/* ---- Traces ---- */

struct operation {
	char what;
	double flops;
	int number[NUMBERS];
	int *sizes; /* [4 * ranks] of v: what is sent, what is received, and where each begins */
};

static struct operation *operations;
static MPI_Request *pending;
static int noperations;

static char *read_line(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!file || getline(&line, &size, file) < 0 || atoi(line) != ranks)
		line = NULL;
	for (int i = 0; line && i <= rank; i++)
		if (getline(&line, &size, file) < 0)
			line = NULL;
	return line;
}

static void read_operation(struct operation *o, char *word)
{
	char *at = word + 1;

	o->what = *word;
	if (o->what == 'c')
		o->flops = atof(at);
	if (o->what == 'v')
		o->sizes = calloc(4 * (size_t)ranks, sizeof(int));
	for (int i = 0; isdigit((unsigned char)*at) && i < (o->sizes ? 2 * ranks : NUMBERS); i++) {
		(o->sizes ? o->sizes : o->number)[i] = (int)strtol(at, &at, 10);
		at += *at == ',';
	}
}

/* Of v: where the bytes of each rank begin. Returns the most bytes that o sends or receives. */
static size_t room_of(struct operation *o)
{
	size_t sum[2] = {0, 0};

	if (strchr("tg", o->what))
		return (size_t)o->number[0] * (size_t)ranks;
	for (int i = 0; i < NUMBERS; i++)
		sum[0] = o->number[i] > (int)sum[0] ? (size_t)o->number[i] : sum[0];
	for (int i = 0; o->sizes && i < 2 * ranks; i++) {
		o->sizes[2 * ranks + i] = (int)sum[i / ranks];
		sum[i / ranks] += (size_t)o->sizes[i];
	}
	return sum[0] > sum[1] ? sum[0] : sum[1];
}

static int read_trace(const char *path)
{
	char *line = read_line(path), *rest = NULL;
	size_t most = 0;

	if (!line)
		return -1;
	operations = calloc(strlen(line) / 2 + 1, sizeof(*operations));
	pending = calloc(strlen(line) / 2 + 3, sizeof(*pending));
	if (!operations || !pending)
		return -1;
	for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
		struct operation *o = &operations[noperations++];

		read_operation(o, word);
		most = room_of(o) > most ? room_of(o) : most;
	}
	need_bytes(most);
	nap_ms = nap_of_trace_ms;
	return 0;
}

/* What begins without waiting is pending[*n]. */
static void begin(const struct operation *o, int *n)
{
	const int *a = o->number, *v = o->sizes;
	MPI_Comm all = MPI_COMM_WORLD;
	MPI_Request *r = &pending[(*n)++];

	switch (o->what) {
	case 's': case 'S': MPI_Isend(out, a[1], MPI_BYTE, a[0], a[2], all, r); break;
	case 'r': case 'R': MPI_Irecv(in, a[1], MPI_BYTE, a[0], a[2], all, r); break;
	case 'x':
		MPI_Isend(out, a[1], MPI_BYTE, a[0], 0, all, r);
		MPI_Irecv(in, a[3], MPI_BYTE, a[2], 0, all, &pending[(*n)++]);
		break;
	case 'b': MPI_Ibarrier(all, r); break;
	case 'B': MPI_Ibcast(out, a[0], MPI_BYTE, a[1], all, r); break;
	case 'e': MPI_Ireduce(out, in, a[0], MPI_BYTE, MPI_BOR, a[1], all, r); break;
	case 'A': MPI_Iallreduce(out, in, a[0], MPI_BYTE, MPI_BOR, all, r); break;
	case 't': MPI_Ialltoall(out, a[0], MPI_BYTE, in, a[0], MPI_BYTE, all, r); break;
	case 'g': MPI_Iallgather(out, a[0], MPI_BYTE, in, a[0], MPI_BYTE, all, r); break;
	case 'v':
		MPI_Ialltoallv(out, v, v + 2 * ranks, MPI_BYTE, in, v + ranks, v + 3 * ranks,
			MPI_BYTE, all, r);
		break;
	default:
		MPI_Abort(all, 1);
	}
}

static void play_trace(void)
{
	int n = 0;

	for (const struct operation *o = operations; o < operations + noperations; o++) {
		int began = n;

		if (o->what == 'c') {
			nap(o->flops / flops_of_ms);
		} else if (o->what == 'w') {
			wait_all(1, &pending[o->number[0]]);
		} else if (o->what == 'W') {
			wait_all(n, pending);
		} else {
			begin(o, &n);
			if (!strchr("SR", o->what)) {
				wait_all(n - began, &pending[began]);
				n = began;
			}
		}
	}
	wait_all(n, pending);
}

/* ---- */

static double run(int rounds, double compute)
{
	double start;

	wait_for_all_ranks();
	start = MPI_Wtime();
	if (operations)
		play_trace();
	for (int i = 0; i < rounds; i++) {
		nap(compute);
		trade();
	}
	wait_for_all_ranks();
	return MPI_Wtime() - start;
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

static int usage(void)
{
	if (!rank)
		fputs("usage: program halo2d|halo3d|ring|all-to-all BYTES ROUNDS [COMPUTE]\n"
		      "       program TRACE\n", stderr);
	return MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
	double compute = argc > 4 ? atof(argv[4]) : 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc < 2)
		return usage();
	if (!find_partners(argv[1])) {
		bytes = argc > 3 ? atoi(argv[2]) : -1;
		if (bytes < 0)
			return usage();
		need_bytes((size_t)bytes);
		if (compute > 0)
			nap_ms = compute / 10;
	} else if (read_trace(argv[1])) {
		return usage();
	}
	print(run(operations ? 0 : atoi(argv[3]), compute));
	finish();
	return 0;
}
