/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts the bytes that a rank sends to each other rank, and the time that it waits in MPI. The
 * library is preloaded into the tasks of srun --mesh-learn, and into what a script starts. Without
 * MESH_MEASURE it only hands calls on. Each rank writes $MESH_MEASURE.RANK.part once a
 * minute, and .prof at the end: lines RANK RANK BYTES STEP MESSAGES, a line T RANK SHARE, and rank
 * 0 a line P with the command line. The library itself sends nothing.
 *
 * One library serves MPICH's ABI (MPICH, MVAPICH, Intel MPI, Cray MPICH), where a handle is an
 * int, and Open MPI, where a handle is a pointer. A register or a place on the stack holds either,
 * so a handle is handed on as 64 bits, whatever its upper half is. The two differ only for handles
 * in memory and a few constants. No mpi.h and no library of MPI is needed: functions are looked
 * up, also where a Python module has loaded MPI for itself. Other MPIs are not counted.
 *
 * collective.h says which messages a collective sends. The root gathers a block from each rank,
 * and scatters one to each.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "learn/collective.h"

/* mpi.h declares these functions, in each library with other types. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define MPI_FUNCTION __attribute__((visibility("default")))

typedef uintptr_t handle;

static struct {
	enum { NOT_LOOKED, NONE, MPICH, OPEN_MPI } kind;
	handle world, no_comm;
	const void *in_place;
} mpi;

/* What this rank sends to one rank in one step (collective.h). */
struct cell {
	struct cell *next;
	int64_t step;
	_Atomic(int64_t) bytes, messages;
};

static struct {
	bool on; /* this run is measured */
	pid_t process; /* of the rank: what a program forks is none */
	int rank, ranks;
	_Atomic(struct cell *) *to; /* [ranks] by rank in MPI_COMM_WORLD */
	int64_t began;
	_Atomic(int64_t) inside; /* ticks that all threads spend in MPI */
	_Atomic(int64_t) looked; /* ticks when write_in_time() was called last */
	int64_t write_at;	 /* when to write next, ns of CLOCK_MONOTONIC */
	char path[3800];	 /* the beginning of the files' names, up to the rank */
} sent;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- the library of MPI ----------------------------------------------------------------------- */

struct search {
	const char *name;
	void *found;
};

static int look_into(struct dl_phdr_info *object, size_t size, void *data)
{
	struct search *search = data;
	Dl_info here;
	void *library;

	(void)size;
	if (dladdr(&mpi, &here) && (uintptr_t)here.dli_fbase == object->dlpi_addr)
		return 0;
	library = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	if (library && (search->found = dlsym(library, search->name)))
		return 1; /* the library stays open, as it is in use */
	if (library)
		dlclose(library);
	return 0;
}

/* The next symbol after ours, or one in a library that the program keeps to itself. */
static void *find_symbol(const char *name)
{
	struct search search = {name, dlsym(RTLD_NEXT, name)};

	if (!search.found)
		dl_iterate_phdr(look_into, &search);
	return search.found;
}

#define REAL(symbol, type)                                                                      \
	static int (*real) type;                                                                \
	if (!real)                                                                              \
		*(void **)&real = find_symbol(#symbol);                                         \
	if (!real)                                                                              \
		return 16 /* MPI_ERR_OTHER */

/* The address of a variable of Open MPI, or of the program's copy of it. */
static handle variable(const char *name)
{
	handle there = (handle)dlsym(RTLD_DEFAULT, name);

	return there ? there : (handle)find_symbol(name);
}

static void look_at_mpi(void)
{
	static const char *const known[] = {"MPICH", "MVAPICH", "Intel(R) MPI", "CRAY MPI", NULL};
	int (*version)(char *, int *) = NULL;
	char text[16384] = "";
	int length = 0, i = 0;

	mpi.kind = NONE;
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return; /* there an int is not the first half of a 64-bit place */
	mpi.world = variable("ompi_mpi_comm_world");
	if (mpi.world) {
		mpi.kind = OPEN_MPI;
		mpi.no_comm = variable("ompi_mpi_comm_null");
		mpi.in_place = (void *)1;
		return;
	}
	*(void **)&version = find_symbol("PMPI_Get_library_version");
	if (!version || version(text, &length))
		return;
	while (known[i] && !strstr(text, known[i]))
		i++;
	if (!known[i])
		return;
	mpi.kind = MPICH;
	mpi.world = 0x44000000;
	mpi.no_comm = 0x04000000;
	mpi.in_place = (void *)-1;
}

/* The handle in an argument, and the i-th handle of an array in memory. */
static handle clean(handle h)
{
	return mpi.kind == MPICH ? (uint32_t)h : h;
}

static handle handle_at(const void *array, int i)
{
	return mpi.kind == MPICH ? ((const uint32_t *)array)[i] : ((const handle *)array)[i];
}

/* Call the PMPI_ function for our own use. */
#define PMPI(name, type, ...)                                                                   \
	({                                                                                      \
		static int (*own) type;                                                         \
		if (!own)                                                                       \
			*(void **)&own = find_symbol("PMPI_" #name);                            \
		own ? own(__VA_ARGS__) : -1;                                                    \
	})

/* --- time ------------------------------------------------------------------------------------- */

static int64_t ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* The cheapest clock: only ratios of ticks count. */
static int64_t ticks(void)
{
#ifdef __x86_64__
	return (int64_t)__builtin_ia32_rdtsc();
#else
	return ns(CLOCK_MONOTONIC);
#endif
}

/*
 * A program that asks in vain whether something has come, and naps until it asks again, waits. Of
 * the time between the two calls that part counts in which the thread did not run. The thread's
 * clock is a system call, so it is read only where the program napped before.
 */
enum { NAP = 1 << 20 }; /* ticks, some hundred microseconds */
static _Thread_local struct {
	int64_t at; /* ticks; 0: nothing was asked in vain */
	bool naps;  /* the program napped the last time; wall and cpu are set */
	int64_t wall, cpu; /* ns */
} vain;

static void ask_in_vain(void)
{
	vain.at = ticks();
	if (!vain.naps)
		return;
	vain.wall = ns(CLOCK_MONOTONIC);
	vain.cpu = ns(CLOCK_THREAD_CPUTIME_ID);
}

static void end_nap(int64_t now)
{
	int64_t gap = now - vain.at;
	double wall, ran;

	vain.at = 0;
	if (vain.naps && gap > NAP) {
		wall = (double)(ns(CLOCK_MONOTONIC) - vain.wall);
		ran = (double)(ns(CLOCK_THREAD_CPUTIME_ID) - vain.cpu);
		if (wall > ran)
			atomic_fetch_add_explicit(&sent.inside,
				(int64_t)((double)gap * (wall - ran) / wall), memory_order_relaxed);
	}
	vain.naps = gap > NAP;
}

/* A counted call is in progress: calls inside it, as of a tool, are part of it. */
static _Thread_local bool counted;

static int64_t enter(void)
{
	int64_t now = ticks();

	counted = true;
	if (vain.at)
		end_nap(now);
	return now;
}

static void write_in_time(void);

static void leave(int64_t from)
{
	int64_t now = ticks();

	counted = false;
	atomic_fetch_add_explicit(&sent.inside, now - from, memory_order_relaxed);
	if (now - atomic_load_explicit(&sent.looked, memory_order_relaxed) > INT64_C(1) << 30) {
		atomic_store_explicit(&sent.looked, now, memory_order_relaxed);
		write_in_time();
	}
}

/* --- ranks of the world ----------------------------------------------------------------------- */

/* The world ranks of communicators, by the low bits of their handles. */
enum { COMMS = 1024 };
static struct {
	handle comm;
	int ranks, *world;
} comms[COMMS];

static unsigned slot_of(handle h)
{
	return (unsigned)((h * UINT64_C(0x9e3779b97f4a7c15)) >> 40);
}

/* Translate n ranks of a group to the world's, if that can be. Frees the group. */
static void translate(handle group, int n, const int *rank, int *there)
{
	handle world = 0;

	if (n > 0 && PMPI(Comm_group, (handle, handle *), mpi.world, &world) == 0) {
		PMPI(Group_translate_ranks, (handle, int, const int *, handle, int *), group, n,
			rank, world, there);
		PMPI(Group_free, (handle *), &world);
	}
	PMPI(Group_free, (handle *), &group);
}

/* The world ranks of a group: free() them. Frees the group. */
static int *translated(handle group, int ranks)
{
	size_t size = (size_t)(ranks > 0 ? ranks : 1) * sizeof(int);
	int *all = malloc(2 * size), *less;

	for (int i = 0; all && i < ranks; i++)
		all[ranks + i] = i;
	translate(group, all ? ranks : 0, all ? all + ranks : NULL, all);
	less = all ? realloc(all, size) : NULL;
	return less ? less : all;
}

/* Make the entry that of this communicator. Under the lock. */
static void load_comm(unsigned at, handle comm)
{
	handle group = 0;
	int inter = 1;

	free(comms[at].world);
	comms[at].world = NULL;
	comms[at].comm = comm;
	comms[at].ranks = 0;
	if (PMPI(Comm_test_inter, (handle, int *), comm, &inter) || inter ||
		PMPI(Comm_group, (handle, handle *), comm, &group))
		return;
	PMPI(Group_size, (handle, int *), group, &comms[at].ranks);
	comms[at].world = translated(group, comms[at].ranks);
}

static int in_world(handle comm, int rank)
{
	unsigned at = slot_of(comm) % COMMS;
	int there = -1;

	if (comm == mpi.world || rank < 0)
		return rank;
	pthread_mutex_lock(&lock);
	if (comms[at].comm != comm)
		load_comm(at, comm);
	if (comms[at].world && rank < comms[at].ranks)
		there = comms[at].world[rank];
	pthread_mutex_unlock(&lock);
	return there;
}

/* A freed handle may become another communicator. */
static void forget_comm(handle comm)
{
	unsigned at = slot_of(comm) % COMMS;

	pthread_mutex_lock(&lock);
	if (comms[at].comm == comm)
		comms[at].comm = 0;
	pthread_mutex_unlock(&lock);
}

/* Programs put single words, so only this one rank is looked up. */
static int in_window(handle window, int rank)
{
	handle group = 0;
	int there = -1, ranks = 0;

	if (rank < 0 || PMPI(Win_get_group, (handle, handle *), window, &group))
		return -1;
	PMPI(Group_size, (handle, int *), group, &ranks);
	translate(group, rank < ranks, &rank, &there);
	return there;
}

/* --- counting --------------------------------------------------------------------------------- */

/* A program may have a tag for each message: so many steps to a rank are told apart. */
enum { STEPS = 64 };

/* If several threads begin a step at once, each makes a cell; that does no harm. */
static struct cell *cell_of(int rank, int64_t step)
{
	struct cell *first = sent.to[rank], *cell = first;
	int n = 0;

	for (; cell && cell->step != step; cell = cell->next)
		n++;
	if (!cell && n >= STEPS && step)
		return cell_of(rank, 0);
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

/* Of nothing the type may be MPI_DATATYPE_NULL. */
static int64_t bytes_of(int count, handle type)
{
	long long size = 0; /* MPI_Count */

	if (count > 0)
		PMPI(Type_size_x, (handle, long long *), type, &size);
	return size > 0 ? count * size : 0;
}

static void count_items(handle comm, int to, int64_t step, int items, handle type)
{
	count_bytes(in_world(clean(comm), to), step, bytes_of(items, type));
}

static void count_in(void *comm, int to, int64_t step, int64_t bytes)
{
	count_bytes(in_world(clean(*(handle *)comm), to), step, bytes);
}

static struct collective all_of(handle *comm)
{
	struct collective c = {.send = count_in, .data = comm};

	PMPI(Comm_rank, (handle, int *), *comm, &c.rank);
	PMPI(Comm_size, (handle, int *), *comm, &c.ranks);
	return c;
}

static void count_tree(handle comm, int root, int64_t bytes, bool up)
{
	struct collective c = all_of(&comm);

	collective_tree(&c, root, bytes, up);
}

static void count_all(
	handle comm, void (*messages)(const struct collective *, int64_t), int64_t bytes)
{
	struct collective c = all_of(&comm);

	messages(&c, bytes);
}

/* Count n[to] items for each rank, of type[to], or of the one type where `step` is 0. */
static void count_each(handle comm, const int *n, const void *type, int step)
{
	struct collective c = all_of(&comm);

	for (int to = 0; to < c.ranks; to++)
		collective_send(&c, to, bytes_of(n[to], handle_at(type, to * step)));
}

/* Blocks of m[] items, one of each rank, go round a ring: a rank sends all but its successor's. */
static void count_ring(handle comm, const int *m, handle type)
{
	struct collective c = all_of(&comm);
	int64_t items = 0;
	int next = (c.rank + 1) % c.ranks;

	for (int i = 0; i < c.ranks; i++)
		items += i == next ? 0 : m[i];
	collective_send(&c, next, items * bytes_of(1, type));
}

/*
 * Has the communicator one group? In collectives between two groups the root is of the other one,
 * and arguments mean other things. They are not counted.
 */
static bool has_one_group(handle comm)
{
	int inter = 1;

	return clean(comm) == mpi.world ||
	       (clean(comm) != mpi.no_comm &&
		       !PMPI(Comm_test_inter, (handle, int *), comm, &inter) && !inter);
}

static bool is_rank(handle comm, int rank)
{
	int me = -1;

	PMPI(Comm_rank, (handle, int *), comm, &me);
	return rank == me;
}

/* Persistent sends, by their requests: each in one of PROBES places. Of more the newest stays. */
enum { PERSISTENT = 4096, PROBES = 64 };
static struct {
	handle request;
	int to; /* rank in the world */
	int64_t step, bytes;
} persistent[PERSISTENT];

/* Where a request is, or can be. Most are at home; a place never used ends the search. */
static unsigned place_of(handle request)
{
	unsigned home = slot_of(request) % PERSISTENT, room = PERSISTENT;

	for (unsigned i = 0; i < PROBES; i++) {
		unsigned at = (home + i) % PERSISTENT;

		if (persistent[at].request == request)
			return at;
		if (room == PERSISTENT && (!persistent[at].request || persistent[at].to < 0))
			room = at;
		if (!persistent[at].request)
			break;
	}
	return room < PERSISTENT ? room : home;
}

static void remember(handle request, int to, int64_t step, int64_t bytes)
{
	unsigned at;

	pthread_mutex_lock(&lock);
	at = place_of(request);
	persistent[at].request = request;
	persistent[at].to = to;
	persistent[at].step = step;
	persistent[at].bytes = bytes;
	pthread_mutex_unlock(&lock);
}

static void count_started(const void *request, int n)
{
	for (int i = 0; i < n; i++) {
		handle started = handle_at(request, i);
		unsigned at;

		pthread_mutex_lock(&lock);
		at = place_of(started);
		if (persistent[at].request == started)
			count_bytes(persistent[at].to, persistent[at].step,
				persistent[at].bytes);
		pthread_mutex_unlock(&lock);
	}
}

static void forget_request(handle request)
{
	unsigned at;

	pthread_mutex_lock(&lock);
	at = place_of(request);
	if (persistent[at].request == request)
		persistent[at].to = -1;
	pthread_mutex_unlock(&lock);
}

/* --- from the first call to the last ---------------------------------------------------------- */

/*
 * The command line in words, at most PROGRAM bytes of it. A character that cannot be in a word of
 * a file (trafficfile.h) becomes an underscore.
 */
enum { PROGRAM = 2048, WORDS = 24 };

static void read_program(char text[PROGRAM])
{
	FILE *file = fopen("/proc/self/cmdline", "re");
	size_t n = file ? fread(text, 1, PROGRAM - 1, file) : 0;
	int words = 0;

	if (file)
		fclose(file);
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\0' && ++words >= WORDS)
			n = i;
		else if (text[i] == '\0')
			text[i] = '\t';
		else if (!isascii(text[i]) || !isgraph(text[i]) || strchr("#\\", text[i]))
			text[i] = '_';
	}
	while (n && text[n - 1] == '\t')
		n--;
	text[n] = '\0';
}

/* Hash of the command line without its digits. */
static unsigned hash_program(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		if (!isdigit((unsigned char)*text))
			hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (unsigned)(hash >> 32);
}

/* A script may start several programs, so each program has files of its own. */
static void name_files(const char *prefix)
{
	const char *file = strrchr(prefix, '/');
	char program[PROGRAM];
	int n = snprintf(sent.path, sizeof(sent.path), "%s", prefix);

	if (n >= (int)sizeof(sent.path) - 64)
		return;
	read_program(program);
	if (file && strstr(file, "@0."))
		snprintf(sent.path + n, sizeof(sent.path) - (size_t)n, ".m%x-%d",
			hash_program(program), sent.ranks);
	sent.on = true;
}

/* Processes of MPI_Comm_spawn() have a world of their own, with ranks from 0. */
static bool was_spawned(void)
{
	handle parent = mpi.no_comm;

	PMPI(Comm_get_parent, (handle *), &parent);
	return clean(parent) != mpi.no_comm;
}

/* Ranks first write at different times within the first minute. */
static void begin_job(void)
{
	const char *prefix = getenv("MESH_MEASURE");

	/* mpiexec of MPICH 4.2.1 passes on only what begins with SLURM_, 5.0.2 all but that. */
	if (!prefix)
		prefix = getenv("SLURM_MESH_MEASURE");
	if (mpi.kind != NOT_LOOKED)
		return;
	look_at_mpi();
	if (!prefix || mpi.kind == NONE || was_spawned())
		return;
	PMPI(Comm_rank, (handle, int *), mpi.world, &sent.rank);
	PMPI(Comm_size, (handle, int *), mpi.world, &sent.ranks);
	sent.to = sent.ranks > 0 ? calloc((size_t)sent.ranks, sizeof(*sent.to)) : NULL;
	sent.began = sent.looked = ticks();
	sent.write_at = ns(CLOCK_MONOTONIC) + INT64_C(1000000000) * (10 + sent.rank % 50);
	sent.process = getpid();
	if (sent.to)
		name_files(prefix);
}

/* The share of time in MPI; with several threads their sum can exceed the whole. */
static double share(void)
{
	double all = (double)(ticks() - sent.began), inside = (double)sent.inside;

	return inside < all ? inside / all : 1;
}

static void put_all(FILE *file)
{
	char program[PROGRAM];

	read_program(program);
	if (sent.rank == 0)
		fprintf(file, "P\t%s\n", program);
	fprintf(file, "T\t%d\t%.4f\n", sent.rank, share());
	for (int to = 0; to < sent.ranks; to++)
		for (struct cell *cell = sent.to[to]; cell; cell = cell->next)
			fprintf(file, "%d %d %lld %lld %lld\n", sent.rank, to,
				(long long)cell->bytes, (long long)cell->step,
				(long long)cell->messages);
}

/* Write the whole file, or none. */
static void write_as(const char *kind)
{
	char path[4096], part[4096];
	FILE *file;
	int bad;

	snprintf(part, sizeof(part), "%s.%d.tmp", sent.path, sent.rank);
	snprintf(path, sizeof(path), "%s.%d.%s", sent.path, sent.rank, kind);
	if (!(file = fopen(part, "we")))
		return;
	put_all(file);
	bad = ferror(file);
	if (fclose(file) || bad || rename(part, path))
		unlink(part);
}

/* A program may end without MPI_Finalize(): then the file is at most a minute old. */
static void write_in_time(void)
{
	if (ns(CLOCK_MONOTONIC) < sent.write_at || pthread_mutex_trylock(&lock))
		return;
	if (sent.on && ns(CLOCK_MONOTONIC) >= sent.write_at) {
		sent.write_at = ns(CLOCK_MONOTONIC) + INT64_C(60000000000);
		write_as("part");
	}
	pthread_mutex_unlock(&lock);
}

/* Runs also when a program ends in another way than by MPI_Finalize(). */
static void __attribute__((destructor)) end_job(void)
{
	char path[4096];

	if (!sent.on || sent.process != getpid())
		return;
	sent.on = false;
	write_as("prof");
	snprintf(path, sizeof(path), "%s.%d.part", sent.path, sent.rank);
	unlink(path);
}

/*
 * Each function exists as MPI_... and as PMPI_..., and calls the next one of that name. So tools
 * of the program see its calls, and we see calls from Fortran, which come to PMPI_...
 */
#define TWICE(define, name, ...) define(MPI_##name, __VA_ARGS__) define(PMPI_##name, __VA_ARGS__)

#define AROUND(symbol, before, arguments, handed, after)                                        \
	MPI_FUNCTION int symbol arguments                                                       \
	{                                                                                       \
		REAL(symbol, arguments);                                                        \
		int rc;                                                                         \
                                                                                                \
		before;                                                                         \
		rc = real handed;                                                               \
		after;                                                                          \
		return rc;                                                                      \
	}
#define NOTHING (void)0

TWICE(AROUND, Init, NOTHING, (int *argc, char ***argv), (argc, argv), begin_job())
TWICE(AROUND, Init_thread, NOTHING, (int *argc, char ***argv, int wanted, int *given),
	(argc, argv, wanted, given), begin_job())
TWICE(AROUND, Finalize, end_job(), (void), (), NOTHING)
TWICE(AROUND, Abort, end_job(), (handle comm, int code), (comm, code), NOTHING)
TWICE(AROUND, Comm_free, forget_comm(handle_at(comm, 0)), (void *comm), (comm), NOTHING)
TWICE(AROUND, Comm_disconnect, forget_comm(handle_at(comm, 0)), (void *comm), (comm), NOTHING)

/* --- what programs call: its arguments, how they are handed on, and what is counted ----------- */

/* after: runs after the call */
#define MEASURED(symbol, arguments, handed, counting, after)                                    \
	MPI_FUNCTION int symbol arguments                                                       \
	{                                                                                       \
		REAL(symbol, arguments);                                                        \
		int64_t from;                                                                   \
		int rc;                                                                         \
                                                                                                \
		if (!sent.on || counted)                                                        \
			return real handed;                                                     \
		counting;                                                                       \
		from = enter();                                                                 \
		rc = real handed;                                                               \
		leave(from);                                                                    \
		after;                                                                          \
		return rc;                                                                      \
	}
#define CALL(name, arguments, handed, counting)                                                 \
	TWICE(MEASURED, name, arguments, handed, counting, NOTHING)
#define TIMED(name, arguments, handed) CALL(name, arguments, handed, NOTHING)

#define OUT const void *out, int n, handle type
#define IN void *in, int m, handle in_type
#define SEND(name)                                                        \
	CALL(name, (OUT, int to, int tag, handle comm), (out, n, type, to, tag, comm), \
		count_items(comm, to, collective_tag(tag), n, type))
#define ISEND(name)                                                       \
	CALL(name, (OUT, int to, int tag, handle comm, void *request), \
		(out, n, type, to, tag, comm, request), \
		count_items(comm, to, collective_tag(tag), n, type))
#define SEND_INIT(name)                                                                         \
	TWICE(AROUND, name, NOTHING, (OUT, int to, int tag, handle comm, void *request),        \
		(out, n, type, to, tag, comm, request),                                         \
		if (sent.on) remember(handle_at(request, 0), in_world(clean(comm), to),         \
			collective_tag(tag), bytes_of(n, type)))

SEND(Send) SEND(Bsend) SEND(Ssend) SEND(Rsend)
ISEND(Isend) ISEND(Ibsend) ISEND(Issend) ISEND(Irsend)
SEND_INIT(Send_init) SEND_INIT(Bsend_init) SEND_INIT(Ssend_init) SEND_INIT(Rsend_init)
CALL(Start, (void *request), (request), count_started(request, 1))
CALL(Startall, (int n, void *request), (n, request), count_started(request, n))
CALL(Request_free, (void *request), (request), forget_request(handle_at(request, 0)))
CALL(Sendrecv,
	(OUT, int to, int tag, IN, int from_rank, int mark, handle comm, void *status),
	(out, n, type, to, tag, in, m, in_type, from_rank, mark, comm, status),
	count_items(comm, to, collective_tag(tag), n, type))
CALL(Sendrecv_replace, (IN, int to, int tag, int from_rank, int mark, handle comm,
	void *status),
	(in, m, in_type, to, tag, from_rank, mark, comm, status),
	count_items(comm, to, collective_tag(tag), m, in_type))

/* Functions that wait. */
TIMED(Recv, (IN, int rank, int tag, handle comm, void *status),
	(in, m, in_type, rank, tag, comm, status))
TIMED(Probe, (int rank, int tag, handle comm, void *status), (rank, tag, comm, status))
TIMED(Wait, (void *request, void *status), (request, status))
TIMED(Waitall, (int n, void *request, void *status), (n, request, status))
TIMED(Waitany, (int n, void *request, int *at, void *status),
	(n, request, at, status))
TIMED(Waitsome, (int n, void *request, int *m, int at[], void *status),
	(n, request, m, at, status))

/* Functions that do not wait; their caller may nap until it asks again. */
#define ASKS(name, arguments, handed, in_vain)                                                  \
	TWICE(MEASURED, name, arguments, handed, NOTHING, if (rc == 0 && (in_vain)) ask_in_vain())
ASKS(Test, (void *request, int *flag, void *status), (request, flag, status), !*flag)
ASKS(Testall, (int n, void *request, int *flag, void *status), (n, request, flag, status), !*flag)
ASKS(Testany, (int n, void *request, int *at, int *flag, void *status),
	(n, request, at, flag, status), !*flag)
ASKS(Testsome, (int n, void *request, int *m, int at[], void *status),
	(n, request, m, at, status), *m == 0)
ASKS(Request_get_status, (handle request, int *flag, void *status), (request, flag, status), !*flag)
ASKS(Iprobe, (int rank, int tag, handle comm, int *flag, void *status),
	(rank, tag, comm, flag, status), !*flag)
ASKS(Improbe, (int rank, int tag, handle comm, int *flag, void *message, void *status),
	(rank, tag, comm, flag, message, status), !*flag)

/* One-sided. MPI_Get counts like a put: an edge has no direction. */
#define REMOTE int to, intptr_t at, int m, handle at_type
#define RMA(name, buffer) \
	CALL(name, (buffer, int n, handle type, REMOTE, handle window), \
		(out, n, type, to, at, m, at_type, window), \
		count_bytes(in_window(window, to), 0, bytes_of(n, type)))
RMA(Put, const void *out)
RMA(Get, void *out)
CALL(Accumulate, (OUT, REMOTE, handle op, handle window),
	(out, n, type, to, at, m, at_type, op, window),
	count_bytes(in_window(window, to), 0, bytes_of(n, type)))
TIMED(Win_fence, (int assert, handle window), (assert, window))
TIMED(Win_flush, (int rank, handle window), (rank, window))
TIMED(Win_flush_all, (handle window), (window))
TIMED(Win_unlock, (int rank, handle window), (rank, window))
TIMED(Win_wait, (handle window), (window))
TIMED(Win_complete, (handle window), (window))

/* Collectives, blocking and not. */
#define LIST(...) __VA_ARGS__
#define BOTH(name, iname, arguments, handed, counting)                                          \
	CALL(name, (LIST arguments), (LIST handed), if (has_one_group(comm)) counting)          \
	CALL(iname, (LIST arguments, void *request), (LIST handed, request),                    \
		if (has_one_group(comm)) counting)
#define MANY const int *n, const int *at, handle type
#define MANY_IN void *in, const int *m, const int *off, handle in_type
TIMED(Barrier, (handle comm), (comm))
BOTH(Bcast, Ibcast, (IN, int root, handle comm), (in, m, in_type, root, comm),
	count_tree(comm, root, bytes_of(m, in_type), false))
BOTH(Reduce, Ireduce, (const void *out, void *in, int n, handle type, handle op, int root,
	handle comm), (out, in, n, type, op, root, comm),
	count_tree(comm, root, bytes_of(n, type), true))
BOTH(Allreduce, Iallreduce, (const void *out, void *in, int n, handle type, handle op,
	handle comm), (out, in, n, type, op, comm),
	count_all(comm, collective_doubling, bytes_of(n, type)))
BOTH(Scan, Iscan, (const void *out, void *in, int n, handle type, handle op, handle comm),
	(out, in, n, type, op, comm), count_all(comm, collective_doubling, bytes_of(n, type)))
BOTH(Exscan, Iexscan, (const void *out, void *in, int n, handle type, handle op,
	handle comm), (out, in, n, type, op, comm),
	count_all(comm, collective_doubling, bytes_of(n, type)))
BOTH(Allgather, Iallgather, (OUT, IN, handle comm), (out, n, type, in, m, in_type, comm),
	count_all(comm, collective_ring, bytes_of(m, in_type)))
BOTH(Allgatherv, Iallgatherv, (OUT, MANY_IN, handle comm),
	(out, n, type, in, m, off, in_type, comm), count_ring(comm, m, in_type))
BOTH(Alltoall, Ialltoall, (OUT, IN, handle comm), (out, n, type, in, m, in_type, comm),
	count_all(comm, collective_each, bytes_of(m, in_type)))
BOTH(Alltoallv, Ialltoallv, (const void *out, MANY, MANY_IN, handle comm),
	(out, n, at, type, in, m, off, in_type, comm),
	if (out != mpi.in_place) count_each(comm, n, &type, 0))
BOTH(Alltoallw, Ialltoallw, (const void *out, const int *n, const int *at, const void *type,
	void *in, const int *m, const int *off, const void *in_type, handle comm),
	(out, n, at, type, in, m, off, in_type, comm),
	if (out != mpi.in_place) count_each(comm, n, type, 1))
BOTH(Reduce_scatter, Ireduce_scatter, (const void *out, void *in, const int *m, handle type,
	handle op, handle comm), (out, in, m, type, op, comm), count_each(comm, m, &type, 0))
BOTH(Reduce_scatter_block, Ireduce_scatter_block, (const void *out, void *in, int m,
	handle type, handle op, handle comm), (out, in, m, type, op, comm),
	count_all(comm, collective_each, bytes_of(m, type)))
BOTH(Gather, Igather, (OUT, IN, int root, handle comm),
	(out, n, type, in, m, in_type, root, comm),
	if (!is_rank(comm, root)) count_items(comm, root, 0, n, type))
BOTH(Gatherv, Igatherv, (OUT, MANY_IN, int root, handle comm),
	(out, n, type, in, m, off, in_type, root, comm),
	if (!is_rank(comm, root)) count_items(comm, root, 0, n, type))
BOTH(Scatter, Iscatter, (OUT, IN, int root, handle comm),
	(out, n, type, in, m, in_type, root, comm),
	if (is_rank(comm, root)) count_all(comm, collective_each, bytes_of(n, type)))
BOTH(Scatterv, Iscatterv, (const void *out, MANY, IN, int root, handle comm),
	(out, n, at, type, in, m, in_type, root, comm),
	if (is_rank(comm, root)) count_each(comm, n, &type, 0))
