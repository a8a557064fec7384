/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts what a rank sends to each other rank, for MPI libraries with MPICH's ABI (MPICH, MVAPICH,
 * Intel MPI, Cray MPICH), which have no such counter of their own. Preloaded by srun --mesh-learn;
 * at the end each rank writes $SLURM_MESH_MEASURE.RANK.prof, in the form of Open MPI's
 * pml_monitoring. Nothing is sent.
 *
 * Messages of collectives are those of the algorithms that libraries mostly take: a binomial tree
 * for broadcasts and reductions, exchanges at powers of two for those to all, a ring for gathering
 * to all, each to each for all-to-all. Persistent and one-sided messages are not counted.
 */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
	int rank, ranks;
	_Atomic(int64_t) *bytes, *messages; /* [ranks] by rank of MPI_COMM_WORLD */
} sent;

static void begin(void)
{
	PMPI_Comm_rank(MPI_COMM_WORLD, &sent.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &sent.ranks);
	sent.bytes = calloc((size_t)sent.ranks, sizeof(*sent.bytes));
	sent.messages = calloc((size_t)sent.ranks, sizeof(*sent.messages));
}

static void end(void)
{
	const char *prefix = getenv("SLURM_MESH_MEASURE");
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s.%d.prof", prefix ? prefix : "", sent.rank);
	if (!prefix || !sent.bytes || !sent.messages || !(file = fopen(path, "wxe")))
		return;
	for (int to = 0; to < sent.ranks; to++)
		if (sent.messages[to])
			fprintf(file, "E\t%d\t%d\t%lld bytes\t%lld msgs sent\n", sent.rank, to,
				(long long)sent.bytes[to], (long long)sent.messages[to]);
	fclose(file);
}

/* --- counting ------------------------------------------------------------------------------- */

static int in_world(MPI_Comm comm, int rank)
{
	MPI_Group here, world;
	int there = MPI_UNDEFINED, other;

	if (comm == MPI_COMM_WORLD || rank < 0)
		return rank;
	if (PMPI_Comm_test_inter(comm, &other) || other || PMPI_Comm_group(comm, &here))
		return -1;
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_translate_ranks(here, 1, &rank, world, &there);
	PMPI_Group_free(&here);
	PMPI_Group_free(&world);
	return there == MPI_UNDEFINED ? -1 : there;
}

static void count_bytes(MPI_Comm comm, int to, int64_t bytes)
{
	int rank = in_world(comm, to);

	if (rank < 0 || rank >= sent.ranks || !sent.bytes || !sent.messages)
		return;
	atomic_fetch_add_explicit(&sent.bytes[rank], bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&sent.messages[rank], 1, memory_order_relaxed);
}

static int64_t bytes_of(int count, MPI_Datatype type)
{
	int size = 0;

	PMPI_Type_size(type, &size);
	return (int64_t)count * size;
}

static void count(MPI_Comm comm, int to, int items, MPI_Datatype type)
{
	if (to != MPI_PROC_NULL)
		count_bytes(comm, to, bytes_of(items, type));
}

struct place {
	int rank, ranks;
};

static struct place place_in(MPI_Comm comm)
{
	struct place p = {0, 0};

	PMPI_Comm_rank(comm, &p.rank);
	PMPI_Comm_size(comm, &p.ranks);
	return p;
}

/* From the root down (or up to it): a rank and its parent, whose number lacks the lowest bit that
 * is set. */
static void count_tree(MPI_Comm comm, int root, int64_t bytes, int up)
{
	struct place p = place_in(comm);
	int me = (p.rank - root + p.ranks) % p.ranks;

	for (int bit = 1; bit < p.ranks; bit *= 2) {
		if (me & bit) {
			if (up)
				count_bytes(comm, (me - bit + root) % p.ranks, bytes);
			return;
		}
		if (!up && me + bit < p.ranks)
			count_bytes(comm, (me + bit + root) % p.ranks, bytes);
	}
}

static void count_doubling(MPI_Comm comm, int64_t bytes)
{
	struct place p = place_in(comm);

	for (int bit = 1; bit < p.ranks; bit *= 2)
		if ((p.rank ^ bit) < p.ranks)
			count_bytes(comm, p.rank ^ bit, bytes);
}

static void count_ring(MPI_Comm comm, int64_t bytes)
{
	struct place p = place_in(comm);

	if (p.ranks > 1)
		count_bytes(comm, (p.rank + 1) % p.ranks, bytes * (p.ranks - 1));
}

/* --- what programs call --------------------------------------------------------------------- */

int MPI_Init(int *argc, char ***argv)
{
	int rc = PMPI_Init(argc, argv);

	begin();
	return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
	int rc = PMPI_Init_thread(argc, argv, wanted, given);

	begin();
	return rc;
}

int MPI_Finalize(void)
{
	end();
	return PMPI_Finalize();
}

#define SEND(name)                                                                              \
	int MPI_##name(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) \
	{                                                                                       \
		count(comm, to, n, type);                                                       \
		return PMPI_##name(buf, n, type, to, tag, comm);                                \
	}
#define ISEND(name)                                                                             \
	int MPI_##name(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
		MPI_Request *request)                                                           \
	{                                                                                       \
		count(comm, to, n, type);                                                       \
		return PMPI_##name(buf, n, type, to, tag, comm, request);                       \
	}
SEND(Send) SEND(Bsend) SEND(Ssend) SEND(Rsend)
ISEND(Isend) ISEND(Ibsend) ISEND(Issend) ISEND(Irsend)

int MPI_Sendrecv(const void *out, int n, MPI_Datatype type, int to, int tag, void *in, int m,
	MPI_Datatype of, int from, int mark, MPI_Comm comm, MPI_Status *status)
{
	count(comm, to, n, type);
	return PMPI_Sendrecv(out, n, type, to, tag, in, m, of, from, mark, comm, status);
}

int MPI_Sendrecv_replace(void *buf, int n, MPI_Datatype type, int to, int tag, int from, int mark,
	MPI_Comm comm, MPI_Status *status)
{
	count(comm, to, n, type);
	return PMPI_Sendrecv_replace(buf, n, type, to, tag, from, mark, comm, status);
}

int MPI_Bcast(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
	count_tree(comm, root, bytes_of(n, type), 0);
	return PMPI_Bcast(buf, n, type, root, comm);
}

int MPI_Reduce(
	const void *out, void *in, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
	count_tree(comm, root, bytes_of(n, type), 1);
	return PMPI_Reduce(out, in, n, type, op, root, comm);
}

int MPI_Allreduce(const void *out, void *in, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	count_doubling(comm, bytes_of(n, type));
	return PMPI_Allreduce(out, in, n, type, op, comm);
}

int MPI_Allgather(
	const void *out, int n, MPI_Datatype type, void *in, int m, MPI_Datatype of, MPI_Comm comm)
{
	count_ring(comm, bytes_of(m, of));
	return PMPI_Allgather(out, n, type, in, m, of, comm);
}

int MPI_Alltoall(
	const void *out, int n, MPI_Datatype type, void *in, int m, MPI_Datatype of, MPI_Comm comm)
{
	struct place p = place_in(comm);

	for (int to = 0; to < p.ranks; to++)
		if (to != p.rank)
			count(comm, to, m, of);
	return PMPI_Alltoall(out, n, type, in, m, of, comm);
}

int MPI_Alltoallv(const void *out, const int *n, const int *at, MPI_Datatype type, void *in,
	const int *m, const int *from, MPI_Datatype of, MPI_Comm comm)
{
	struct place p = place_in(comm);

	for (int to = 0; to < p.ranks && out != MPI_IN_PLACE; to++)
		if (to != p.rank)
			count(comm, to, n[to], type);
	return PMPI_Alltoallv(out, n, at, type, in, m, from, of, comm);
}
