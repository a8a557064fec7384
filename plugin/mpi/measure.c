/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts what a rank sends to each other rank and the time that it is in MPI, for MPI libraries
 * with MPICH's ABI (MPICH, MVAPICH, Intel MPI, Cray MPICH), which have no such counter of their
 * own. Preloaded by srun --mesh-learn; at the end each rank writes $SLURM_MESH_MEASURE.RANK.prof,
 * lines RANK RANK BYTES STEP MESSAGES and a line T RANK SHARE. Nothing is sent.
 *
 * Messages of collectives are those of collective.h; blocks are gathered by the root from each, and
 * scattered to each.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "learn/collective.h"

/* What is sent to a rank in a step (collective.h). */
struct cell {
	struct cell *next;
	int64_t step;
	_Atomic(int64_t) bytes, messages;
};

static struct {
	int rank, ranks;
	_Atomic(struct cell *) *to; /* [ranks] by rank of MPI_COMM_WORLD */
	int64_t began;
	_Atomic(int64_t) inside; /* ticks in MPI, of all threads */
} sent;

/* Only their ratios count, so that the cheapest clock will do. */
static int64_t ticks(void)
{
#ifdef __x86_64__
	return (int64_t)__builtin_ia32_rdtsc();
#else
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
#endif
}

/* --- ranks of the world ----------------------------------------------------------------------- */

/* Of a rank in a group, which is freed. */
static int translated(MPI_Group group, int rank)
{
	MPI_Group world;
	int there;

	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_translate_ranks(group, 1, &rank, world, &there);
	PMPI_Group_free(&world);
	PMPI_Group_free(&group);
	return there == MPI_UNDEFINED ? -1 : there;
}

static int in_world(MPI_Comm comm, int rank)
{
	MPI_Group group;
	int inter;

	if (comm == MPI_COMM_WORLD || rank < 0)
		return rank;
	if (PMPI_Comm_test_inter(comm, &inter) || inter || PMPI_Comm_group(comm, &group))
		return -1;
	return translated(group, rank);
}

static int in_window(MPI_Win window, int rank)
{
	MPI_Group group;

	return rank < 0 || PMPI_Win_get_group(window, &group) ? -1 : translated(group, rank);
}

/* --- counting --------------------------------------------------------------------------------- */

/* Of several threads that begin a step at once each makes a cell, which does no harm. */
static struct cell *cell_of(int rank, int64_t step)
{
	struct cell *first = sent.to[rank], *cell = first;

	while (cell && cell->step != step)
		cell = cell->next;
	if (cell || !(cell = calloc(1, sizeof(*cell))))
		return cell;
	cell->step = step;
	cell->next = first;
	while (!atomic_compare_exchange_weak(&sent.to[rank], &cell->next, cell))
		;
	return cell;
}

static void count_bytes(int rank, int64_t step, int64_t bytes)
{
	struct cell *cell = rank < 0 || rank >= sent.ranks || !sent.to ? NULL : cell_of(rank, step);

	if (!cell)
		return;
	atomic_fetch_add_explicit(&cell->bytes, bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&cell->messages, 1, memory_order_relaxed);
}

static int64_t bytes_of(int count, MPI_Datatype type)
{
	int size = 0;

	PMPI_Type_size(type, &size);
	return (int64_t)count * size;
}

static void count(MPI_Comm comm, int to, int64_t step, int items, MPI_Datatype type)
{
	if (to != MPI_PROC_NULL)
		count_bytes(in_world(comm, to), step, bytes_of(items, type));
}

static void count_in(void *comm, int to, int64_t step, int64_t bytes)
{
	count_bytes(in_world(*(MPI_Comm *)comm, to), step, bytes);
}

static struct collective all_of(MPI_Comm *comm)
{
	struct collective c = {.send = count_in, .data = comm};

	PMPI_Comm_rank(*comm, &c.rank);
	PMPI_Comm_size(*comm, &c.ranks);
	return c;
}

static void count_tree(MPI_Comm comm, int root, int64_t bytes, bool up)
{
	struct collective c = all_of(&comm);

	collective_tree(&c, root, bytes, up);
}

static void count_all(
	MPI_Comm comm, void (*messages)(const struct collective *, int64_t), int64_t bytes)
{
	struct collective c = all_of(&comm);

	messages(&c, bytes);
}

/* n[] items for each rank, of a type for each, or of the same where `step` is 0. */
static void count_each(MPI_Comm comm, const int *n, const MPI_Datatype *type, int step)
{
	struct collective c = all_of(&comm);

	for (int to = 0; to < c.ranks; to++)
		collective_send(&c, to, bytes_of(n[to], type[to * step]));
}

/* Blocks of m[] items, one of each rank, that go round a ring: all but that of the next one. */
static void count_ring(MPI_Comm comm, const int *m, MPI_Datatype type)
{
	struct collective c = all_of(&comm);
	int64_t items = 0;
	int next = (c.rank + 1) % c.ranks;

	for (int i = 0; i < c.ranks; i++)
		items += i == next ? 0 : m[i];
	collective_send(&c, next, items * bytes_of(1, type));
}

static bool is_rank(MPI_Comm comm, int rank)
{
	int me;

	PMPI_Comm_rank(comm, &me);
	return rank == me;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Persistent sends, by the low bits of their requests; of two with the same the newer one. */
enum { PERSISTENT = 4096 };
static struct {
	MPI_Request request;
	int to; /* rank in the world */
	int64_t step, bytes;
} persistent[PERSISTENT];

static void remember(MPI_Request request, int to, int64_t step, int64_t bytes)
{
	unsigned at = (unsigned)request % PERSISTENT;

	pthread_mutex_lock(&lock);
	persistent[at].request = request;
	persistent[at].to = to;
	persistent[at].step = step;
	persistent[at].bytes = bytes;
	pthread_mutex_unlock(&lock);
}

static void count_started(const MPI_Request *request, int n)
{
	for (int i = 0; i < n; i++) {
		unsigned at = (unsigned)request[i] % PERSISTENT;

		pthread_mutex_lock(&lock);
		if (persistent[at].request == request[i])
			count_bytes(persistent[at].to, persistent[at].step,
				persistent[at].bytes);
		pthread_mutex_unlock(&lock);
	}
}

static void forget_request(MPI_Request request)
{
	unsigned at = (unsigned)request % PERSISTENT;

	if (persistent[at].request == request)
		remember(request, -1, 0, 0);
}

/* --- from the first call to the last ---------------------------------------------------------- */

static int begin(int rc)
{
	PMPI_Comm_rank(MPI_COMM_WORLD, &sent.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &sent.ranks);
	sent.to = calloc((size_t)sent.ranks, sizeof(*sent.to));
	sent.began = ticks();
	return rc;
}

/* Of several threads the time may be more than all. */
static double share(void)
{
	double all = (double)(ticks() - sent.began), inside = (double)sent.inside;

	return inside < all ? inside / all : 1;
}

static void end(void)
{
	const char *prefix = getenv("SLURM_MESH_MEASURE");
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s.%d.prof", prefix ? prefix : "", sent.rank);
	if (!prefix || !sent.to || !(file = fopen(path, "wxe")))
		return;
	fprintf(file, "T\t%d\t%.4f\n", sent.rank, share());
	for (int to = 0; to < sent.ranks; to++)
		for (struct cell *cell = sent.to[to]; cell; cell = cell->next)
			fprintf(file, "%d %d %lld %lld %lld\n", sent.rank, to,
				(long long)cell->bytes, (long long)cell->step,
				(long long)cell->messages);
	fclose(file);
}

int MPI_Init(int *argc, char ***argv)
{
	return begin(PMPI_Init(argc, argv));
}

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
	return begin(PMPI_Init_thread(argc, argv, wanted, given));
}

int MPI_Finalize(void)
{
	end();
	return PMPI_Finalize();
}

/* --- what programs call: its arguments, how they are handed on, and what is counted ----------- */

#define CALL(name, arguments, handed, counting)                                                 \
	int MPI_##name arguments                                                                \
	{                                                                                       \
		int64_t from;                                                                   \
		int rc;                                                                         \
                                                                                                \
		counting;                                                                       \
		from = ticks();                                                                 \
		rc = PMPI_##name handed;                                                        \
		atomic_fetch_add_explicit(&sent.inside, ticks() - from, memory_order_relaxed);  \
		return rc;                                                                      \
	}
#define TIMED(name, arguments, handed) CALL(name, arguments, handed, (void)0)

#define OUT const void *out, int n, MPI_Datatype type
#define IN void *in, int m, MPI_Datatype of
#define SEND(name)                                                        \
	CALL(name, (OUT, int to, int tag, MPI_Comm comm), (out, n, type, to, tag, comm), \
		count(comm, to, collective_tag(tag), n, type))
#define ISEND(name)                                                       \
	CALL(name, (OUT, int to, int tag, MPI_Comm comm, MPI_Request *request), \
		(out, n, type, to, tag, comm, request), \
		count(comm, to, collective_tag(tag), n, type))
#define SEND_INIT(name)                                                                         \
	int MPI_##name(OUT, int to, int tag, MPI_Comm comm, MPI_Request *request)               \
	{                                                                                       \
		int rc = PMPI_##name(out, n, type, to, tag, comm, request);                     \
                                                                                                \
		remember(*request, in_world(comm, to), collective_tag(tag), bytes_of(n, type));                      \
		return rc;                                                                      \
	}

SEND(Send) SEND(Bsend) SEND(Ssend) SEND(Rsend)
ISEND(Isend) ISEND(Ibsend) ISEND(Issend) ISEND(Irsend)
SEND_INIT(Send_init) SEND_INIT(Bsend_init) SEND_INIT(Ssend_init) SEND_INIT(Rsend_init)
CALL(Start, (MPI_Request *request), (request), count_started(request, 1))
CALL(Startall, (int n, MPI_Request request[]), (n, request), count_started(request, n))
CALL(Request_free, (MPI_Request *request), (request), forget_request(*request))
CALL(Sendrecv,
	(OUT, int to, int tag, IN, int from_rank, int mark, MPI_Comm comm, MPI_Status *status),
	(out, n, type, to, tag, in, m, of, from_rank, mark, comm, status),
	count(comm, to, collective_tag(tag), n, type))
CALL(Sendrecv_replace, (IN, int to, int tag, int from_rank, int mark, MPI_Comm comm,
	MPI_Status *status),
	(in, m, of, to, tag, from_rank, mark, comm, status),
	count(comm, to, collective_tag(tag), m, of))

/* What waits. */
TIMED(Recv, (IN, int rank, int tag, MPI_Comm comm, MPI_Status *status),
	(in, m, of, rank, tag, comm, status))
TIMED(Probe, (int rank, int tag, MPI_Comm comm, MPI_Status *status), (rank, tag, comm, status))
TIMED(Wait, (MPI_Request *request, MPI_Status *status), (request, status))
TIMED(Waitall, (int n, MPI_Request request[], MPI_Status status[]), (n, request, status))
TIMED(Waitany, (int n, MPI_Request request[], int *at, MPI_Status *status),
	(n, request, at, status))
TIMED(Waitsome, (int n, MPI_Request request[], int *m, int at[], MPI_Status status[]),
	(n, request, m, at, status))

/* One-sided: what is got comes from there, and an edge has no direction. */
#define REMOTE int to, MPI_Aint at, int m, MPI_Datatype of
#define RMA(name, buffer) \
	CALL(name, (buffer, int n, MPI_Datatype type, REMOTE, MPI_Win window), \
		(out, n, type, to, at, m, of, window), \
		count_bytes(in_window(window, to), 0, bytes_of(n, type)))
RMA(Put, const void *out)
RMA(Get, void *out)
CALL(Accumulate, (OUT, REMOTE, MPI_Op op, MPI_Win window),
	(out, n, type, to, at, m, of, op, window),
	count_bytes(in_window(window, to), 0, bytes_of(n, type)))
TIMED(Win_fence, (int assert, MPI_Win window), (assert, window))
TIMED(Win_flush, (int rank, MPI_Win window), (rank, window))
TIMED(Win_flush_all, (MPI_Win window), (window))
TIMED(Win_unlock, (int rank, MPI_Win window), (rank, window))
TIMED(Win_wait, (MPI_Win window), (window))
TIMED(Win_complete, (MPI_Win window), (window))

/* Collectives, and those that do not block. */
#define LIST(...) __VA_ARGS__
#define BOTH(name, iname, arguments, handed, counting)                                          \
	CALL(name, (LIST arguments), (LIST handed), counting)                                   \
	CALL(iname, (LIST arguments, MPI_Request *request), (LIST handed, request), counting)
#define MANY const int *n, const int *at, MPI_Datatype type
#define MANY_IN void *in, const int *m, const int *off, MPI_Datatype of
TIMED(Barrier, (MPI_Comm comm), (comm))
BOTH(Bcast, Ibcast, (IN, int root, MPI_Comm comm), (in, m, of, root, comm),
	count_tree(comm, root, bytes_of(m, of), false))
BOTH(Reduce, Ireduce, (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op, int root,
	MPI_Comm comm), (out, in, n, type, op, root, comm),
	count_tree(comm, root, bytes_of(n, type), true))
BOTH(Allreduce, Iallreduce, (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm), (out, in, n, type, op, comm),
	count_all(comm, collective_doubling, bytes_of(n, type)))
BOTH(Scan, Iscan, (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(out, in, n, type, op, comm), count_all(comm, collective_doubling, bytes_of(n, type)))
BOTH(Exscan, Iexscan, (const void *out, void *in, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm), (out, in, n, type, op, comm),
	count_all(comm, collective_doubling, bytes_of(n, type)))
BOTH(Allgather, Iallgather, (OUT, IN, MPI_Comm comm), (out, n, type, in, m, of, comm),
	count_all(comm, collective_ring, bytes_of(m, of)))
BOTH(Allgatherv, Iallgatherv, (OUT, MANY_IN, MPI_Comm comm),
	(out, n, type, in, m, off, of, comm), count_ring(comm, m, of))
BOTH(Alltoall, Ialltoall, (OUT, IN, MPI_Comm comm), (out, n, type, in, m, of, comm),
	count_all(comm, collective_each, bytes_of(m, of)))
BOTH(Alltoallv, Ialltoallv, (const void *out, MANY, MANY_IN, MPI_Comm comm),
	(out, n, at, type, in, m, off, of, comm),
	if (out != MPI_IN_PLACE) count_each(comm, n, &type, 0))
BOTH(Alltoallw, Ialltoallw, (const void *out, const int *n, const int *at, const MPI_Datatype *type,
	void *in, const int *m, const int *off, const MPI_Datatype *of, MPI_Comm comm),
	(out, n, at, type, in, m, off, of, comm),
	if (out != MPI_IN_PLACE) count_each(comm, n, type, 1))
BOTH(Reduce_scatter, Ireduce_scatter, (const void *out, void *in, const int *m, MPI_Datatype type,
	MPI_Op op, MPI_Comm comm), (out, in, m, type, op, comm), count_each(comm, m, &type, 0))
BOTH(Reduce_scatter_block, Ireduce_scatter_block, (const void *out, void *in, int m,
	MPI_Datatype type, MPI_Op op, MPI_Comm comm), (out, in, m, type, op, comm),
	count_all(comm, collective_each, bytes_of(m, type)))
BOTH(Gather, Igather, (OUT, IN, int root, MPI_Comm comm), (out, n, type, in, m, of, root, comm),
	if (!is_rank(comm, root)) count(comm, root, 0, n, type))
BOTH(Gatherv, Igatherv, (OUT, MANY_IN, int root, MPI_Comm comm),
	(out, n, type, in, m, off, of, root, comm),
	if (!is_rank(comm, root)) count(comm, root, 0, n, type))
BOTH(Scatter, Iscatter, (OUT, IN, int root, MPI_Comm comm), (out, n, type, in, m, of, root, comm),
	if (is_rank(comm, root)) count_all(comm, collective_each, bytes_of(n, type)))
BOTH(Scatterv, Iscatterv, (const void *out, MANY, IN, int root, MPI_Comm comm),
	(out, n, at, type, in, m, of, root, comm),
	if (is_rank(comm, root)) count_each(comm, n, &type, 0))
