/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Small MPI programs that send what well-known ones do: one iteration of each, to be traced by
 * SMPI.
 *
 *	programs NAME
 *
 * Exit 3: the program does not run on so many ranks. Computation is in flops, which the judge
 * scales.
 */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_OPEN = 64, SKIP = 3 };

static int rank, ranks;
static char outgoing[MOST_BYTES], incoming[MOST_BYTES];
static MPI_Request open_request[MOST_OPEN];
static int nopen;

/* ---- What they are made of ---- */

static void compute(double flops)
{
	smpi_execute_flops(flops);
}

/* To and from another rank, without waiting. */
static void trade(int with, int bytes)
{
	MPI_Irecv(incoming, bytes, MPI_BYTE, with, 0, MPI_COMM_WORLD, &open_request[nopen++]);
	MPI_Isend(outgoing, bytes, MPI_BYTE, with, 0, MPI_COMM_WORLD, &open_request[nopen++]);
}

static void finish(void)
{
	MPI_Waitall(nopen, open_request, MPI_STATUSES_IGNORE);
	nopen = 0;
}

static void shift(int to, int from, int bytes)
{
	MPI_Sendrecv(outgoing, bytes, MPI_BYTE, to, 0, incoming, bytes, MPI_BYTE, from, 0,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* No rank has a number below 0. */
static void receive(int from, int bytes)
{
	if (from >= 0)
		MPI_Recv(incoming, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int to, int bytes)
{
	if (to >= 0)
		MPI_Send(outgoing, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void sum_up(int bytes)
{
	MPI_Allreduce(outgoing, incoming, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

/* A grid of all ranks, as cubic as can be. */
struct grid {
	int ndims, side[3], at[3];
	bool first; /* the first side is the fastest, otherwise the last */
};

static struct grid make_grid(int ndims, bool first)
{
	struct grid g = {.ndims = ndims, .first = first};

	MPI_Dims_create(ranks, ndims, g.side);
	for (int i = 0, rest = rank; i < ndims; i++) {
		int d = first ? i : ndims - 1 - i;

		g.at[d] = rest % g.side[d];
		rest /= g.side[d];
	}
	return g;
}

/* The rank so far away on the grid, which does not wrap; -1: there is none. */
static int neighbour(const struct grid *g, const int *away)
{
	int to = 0;

	for (int i = g->ndims - 1; i >= 0; i--) {
		int d = g->first ? i : g->ndims - 1 - i, c = g->at[d] + away[d];

		if (c < 0 || c >= g->side[d])
			return -1;
		to = to * g->side[d] + c;
	}
	return to;
}

/* ---- Stencils ---- */

/* Faces, and with `all` the edges and corners, with those `by` ranks away. */
static void halo(const struct grid *g, int face, bool all, int by)
{
	for (int i = 0; i < 27; i++) {
		const int away[3] = {by * (i % 3 - 1), by * (i / 3 % 3 - 1), by * (i / 9 - 1)};
		int far = (away[0] != 0) + (away[1] != 0) + (away[2] != 0), to = neighbour(g, away);

		if (far && to >= 0 && (far == 1 || all))
			trade(to, far == 1 ? face : far == 2 ? face / 64 : 64);
	}
	finish();
}

static void stencil(bool first, bool all)
{
	const struct grid g = make_grid(3, first);

	compute(1e6);
	halo(&g, 64 << 10, all, 1);
	sum_up(8);
}

static void halo_last(void) { stencil(false, false); }
static void halo_first(void) { stencil(true, false); }
static void halo_27(void) { stencil(true, true); }

/* A V-cycle: on a coarser grid every other rank is left out in each dimension. */
static void multigrid(void)
{
	const struct grid g = make_grid(3, false);
	const int levels[] = {1, 2, 4, 2, 1};

	for (int i = 0; i < 5; i++) {
		int by = levels[i];
		bool in = g.at[0] % by == 0 && g.at[1] % by == 0 && g.at[2] % by == 0;

		if (in) {
			compute(1e6 / by / by / by);
			halo(&g, (64 << 10) / by / by, false, by);
		}
	}
	sum_up(8);
}

/* Sweeps from four corners of a 2-D grid, in blocks. */
static void wavefront(void)
{
	static const int corner[4][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
	const struct grid g = make_grid(2, false);

	for (int block = 0; block < 16; block++) {
		const int *way = corner[block % 4];
		const int on[2][2] = {{way[0], 0}, {0, way[1]}};
		const int back[2][2] = {{-way[0], 0}, {0, -way[1]}};

		for (int d = 0; d < 2; d++)
			receive(neighbour(&g, back[d]), 16 << 10);
		compute(1e5);
		for (int d = 0; d < 2; d++)
			send(neighbour(&g, on[d]), 16 << 10);
	}
}

/* Three sweeps forth and back over q^3 cells, on q^2 ranks that have one cell of each plane. */
static void multipartition(void)
{
	int q = 1, row, column;

	while (q * q < ranks)
		q++;
	if (q * q != ranks || q < 2)
		exit(SKIP);
	row = rank / q;
	column = rank % q;
	for (int sweep = 0; sweep < 6; sweep++) {
		int d = sweep / 2, by = sweep % 2 ? q - 1 : 1;
		int to = (row + (d != 0) * by) % q * q + (column + (d != 1) * by) % q;
		int from = (row + (d != 0) * (q - by)) % q * q + (column + (d != 1) * (q - by)) % q;

		for (int cell = 0; cell < q; cell++) {
			compute(1e6 / q);
			shift(to, from, (64 << 10) / q);
		}
	}
}

/* ---- Transposes and reductions ---- */

/* All to all among n ranks that are `by` apart, from `first` on: one step after another. */
static void exchange(int first, int n, int by, int bytes)
{
	int own = (rank - first) / by;

	for (int step = 1; step < n; step++)
		shift(first + (own + step) % n * by, first + (own + n - step) % n * by, bytes);
}

/* A 3-D transform in pencils: transposes in the rows and in the columns of a 2-D grid. */
static void pencils(void)
{
	const struct grid g = make_grid(2, false);
	int rows = g.side[0], columns = g.side[1];

	compute(1e6);
	exchange(rank - g.at[1], columns, 1, (256 << 10) / columns);
	compute(1e6);
	exchange(g.at[1], rows, columns, (256 << 10) / rows);
	compute(1e6);
}

/* The same in slabs. */
static void slabs(void)
{
	int bytes = (256 << 10) / ranks;

	compute(2e6);
	MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

/* Conjugate gradients on a matrix in blocks: sums along rows by doubling, then a transpose. */
static void gradients(void)
{
	int columns = 1, rows, row, column, half;

	while (columns * columns < ranks)
		columns *= 2;
	rows = ranks / columns;
	if (rows * columns != ranks || (rows & (rows - 1)))
		exit(SKIP);
	row = rank / columns;
	column = rank % columns;
	half = columns / rows; /* 1, or 2: then a pair of columns belongs to a row */
	compute(1e6);
	for (int by = columns / 2; by; by /= 2)
		shift(rank ^ by, rank ^ by, 32 << 10);
	shift((column / half) * columns + row * half + column % half,
		(column / half) * columns + row * half + column % half, 32 << 10);
	sum_up(8);
	sum_up(8);
}

static void bucket_sort(void)
{
	int count[1024], at[1024];

	if (ranks > 1024)
		exit(SKIP);
	for (int i = 0; i < ranks; i++)
		count[i] = (int)((256 << 10) / ranks * (0.5 + (i * 7 + rank * 7) % 11 / 10.0));
	for (int i = 0; i < ranks; i++)
		at[i] = i ? at[i - 1] + count[i - 1] : 0;
	compute(1e6);
	sum_up(4 << 10);
	MPI_Alltoall(outgoing, 4, MPI_BYTE, incoming, 4, MPI_BYTE, MPI_COMM_WORLD);
	MPI_Alltoallv(outgoing, count, at, MPI_BYTE, incoming, count, at, MPI_BYTE, MPI_COMM_WORLD);
}

/* ---- Training ---- */

/* Gradients are summed around a ring: each part goes around twice. */
static void data_ring(void)
{
	int part = (256 << 10) / ranks;

	compute(1e6);
	for (int step = 0; step < 2 * (ranks - 1); step++)
		shift((rank + 1) % ranks, (rank + ranks - 1) % ranks, part);
}

/* By halving and doubling. */
static void data_tree(void)
{
	if (ranks & (ranks - 1))
		exit(SKIP);
	compute(1e6);
	for (int by = 1; by < ranks; by *= 2)
		shift(rank ^ by, rank ^ by, (128 << 10) / by);
	for (int by = ranks / 2; by; by /= 2)
		shift(rank ^ by, rank ^ by, (128 << 10) / by);
}

/* Batches through a chain of ranks, forth and back. */
static void pipeline(void)
{
	for (int back = 0; back < 2; back++)
		for (int batch = 0; batch < 8; batch++) {
			int next = rank + 1 < ranks ? rank + 1 : -1;

			receive(back ? next : rank - 1, 64 << 10);
			compute(1e5 * (1 + back));
			send(back ? rank - 1 : next, 64 << 10);
		}
}

static const struct {
	const char *name;
	void (*run)(void);
} programs[] = {
	{"halo-last", halo_last}, {"halo-first", halo_first}, {"halo-27", halo_27},
	{"multigrid", multigrid}, {"wavefront", wavefront}, {"multipartition", multipartition},
	{"pencils", pencils}, {"slabs", slabs}, {"gradients", gradients},
	{"bucket-sort", bucket_sort}, {"data-ring", data_ring}, {"data-tree", data_tree},
	{"pipeline", pipeline},
};

int main(int argc, char **argv)
{
	size_t n = sizeof(programs) / sizeof(*programs);

	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (size_t i = 0; i < n; i++)
			puts(programs[i].name);
		return 0;
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (size_t i = 0; i < n; i++)
		if (argc == 2 && !strcmp(argv[1], programs[i].name)) {
			programs[i].run();
			MPI_Finalize();
			return 0;
		}
	fprintf(stderr, "programs: no such program\n");
	return 1;
}
