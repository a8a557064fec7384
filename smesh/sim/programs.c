/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/programs.h"

#include <stdlib.h>
#include <strings.h>

#include "base/random.h"
#include "sim/comm_round.h"
#include "sim/need.h"

/* All-to-all: this many of the steps, spread evenly, stand for all. */
enum { STEPS = 24 };
/* Of a rank: two all-to-alls, and a sum over 2^24 ranks. */
enum { MOST_MESSAGES = 72, KB = 1 << 10 };

/* --- what programs are made of ---------------------------------------------------------- */

/* Messages from here on are sent later than those so far, `times` times. */
static void step(struct script *s, int times)
{
	s->step++;
	s->times = times;
}

static void send(struct script *s, int from, int to, double bytes)
{
	if (from != to)
		s->message[s->n++] =
			(struct script_message){from, to, s->step, bytes, s->times};
}

/* A grid of all ranks, the first or the last side fastest. */
struct grid {
	int ndims, side[3], stride[3];
};

static struct grid make_grid(const struct script *s, int ndims, bool first)
{
	struct grid g = {.ndims = ndims};

	comm_grid_sides(s->ranks, ndims, g.side);
	for (int i = 0, stride = 1; i < ndims; i++) {
		int d = first ? i : ndims - 1 - i;

		g.stride[d] = stride;
		stride *= g.side[d];
	}
	return g;
}

static int coordinate(const struct grid *g, int rank, int d)
{
	return rank / g->stride[d] % g->side[d];
}

/* The rank at an offset on the grid, which does not wrap; the same rank if there is none. */
static int neighbour(const struct grid *g, int rank, const int *away)
{
	int to = rank;

	for (int d = 0; d < g->ndims; d++) {
		int c = coordinate(g, rank, d) + away[d];

		if (c < 0 || c >= g->side[d])
			return rank;
		to += away[d] * g->stride[d];
	}
	return to;
}

/* Faces, and with `all` edges and corners too, between ranks that are `by` apart. */
static void halo(struct script *s, const struct grid *g, double face, bool all, int by)
{
	step(s, 1);
	for (int rank = 0; rank < s->ranks; rank++)
		for (int i = 0; i < 27; i++) {
			const int away[] = {
				by * (i % 3 - 1), by * (i / 3 % 3 - 1), by * (i / 9 - 1)};
			int far = !!away[0] + !!away[1] + !!away[2], in = 0;

			for (int d = 0; d < 3; d++)
				in += coordinate(g, rank, d) % by == 0;
			if (in == 3 && (far == 1 || all))
				send(s, rank, neighbour(g, rank, away),
					far == 1 ? face : far == 2 ? face / 64 : 64);
		}
}

static void pairs(struct script *s, int by, double bytes)
{
	for (int rank = 0; rank < s->ranks; rank++)
		if ((rank ^ by) < s->ranks)
			send(s, rank, rank ^ by, bytes);
}

/* An allreduce by recursive doubling. */
static void sum_up(struct script *s, double bytes, int times)
{
	for (int by = 1; by < s->ranks; by *= 2) {
		step(s, times);
		pairs(s, by, bytes);
	}
}

/*
 * All-to-all among each n ranks that are `by` apart; by 0: among all ranks, powers of two in
 * pairs.
 */
static void exchange(struct script *s, int n, int by, double bytes)
{
	int steps = n - 1 < STEPS ? n - 1 : STEPS;

	for (int i = 0; i < steps; i++) {
		int low = (n - 1) * i / steps, high = (n - 1) * (i + 1) / steps,
		    away = 1 + (low + high) / 2;

		step(s, high - low);
		if (!by && !(n & (n - 1)))
			pairs(s, away, bytes);
		else
			for (int rank = 0, apart = by ? by : 1; rank < s->ranks; rank++) {
				int own = rank / apart % n;

				send(s, rank, rank + ((own + away) % n - own) * apart, bytes);
			}
	}
}

/* --- the programs ------------------------------------------------------------------------ */

static void stencil(struct script *s, bool first, bool all)
{
	const struct grid g = make_grid(s, 3, first);

	halo(s, &g, 64 * KB, all, 1);
	sum_up(s, 8, 1);
}

static void halo_last(struct script *s) { stencil(s, false, false); }
static void halo_first(struct script *s) { stencil(s, true, false); }
static void halo_27(struct script *s) { stencil(s, true, true); }

/* A V-cycle: a coarser grid leaves out every other rank in each dimension. */
static void multigrid(struct script *s)
{
	static const int level[] = {1, 2, 4, 2, 1};
	const struct grid g = make_grid(s, 3, false);

	for (int i = 0; i < 5; i++)
		halo(s, &g, 64.0 * KB / level[i] / level[i], false, level[i]);
	sum_up(s, 8, 1);
}

/* Send on to the ranks of a diagonal, seen from a corner: one message to each, then the other. */
static void diagonal(struct script *s, const struct grid *g, int corner, int number)
{
	for (int turn = 0; turn < 2; turn++) {
		step(s, 4);
		for (int rank = 0; rank < s->ranks; rank++) {
			int at[2], before[2];

			for (int d = 0; d < 2; d++) {
				bool up = corner >> d & 1;

				at[d] = coordinate(g, rank, d);
				at[d] = up ? g->side[d] - 1 - at[d] : at[d];
				before[d] = rank + (up ? g->stride[d] : -g->stride[d]);
			}
			if (at[0] + at[1] == number && (!turn || (at[0] && at[1])))
				send(s, before[turn || !at[0]], rank, 16 * KB);
		}
	}
}

/* Sweeps from four corners of a 2-D grid, four times. */
static void wavefront(struct script *s)
{
	const struct grid g = make_grid(s, 2, false);

	for (int corner = 0; corner < 4; corner++)
		for (int i = 1; i < g.side[0] + g.side[1] - 1; i++)
			diagonal(s, &g, corner, i);
}

/* Three sweeps forth and back over q^3 cells, on q^2 ranks that have one cell of each plane. */
static void multipartition(struct script *s)
{
	int q = 1;

	while (q * q < s->ranks)
		q++;
	for (int sweep = 0; sweep < 6; sweep++) {
		int d = sweep / 2, by = sweep % 2 ? q - 1 : 1;

		step(s, q);
		for (int rank = 0; rank < s->ranks; rank++) {
			int row = rank / q + (d != 0) * by, column = rank + (d != 1) * by;

			send(s, rank, row % q * q + column % q, 64.0 * KB / q);
		}
	}
}

/* A 3-D transform in pencils: transposes in the rows and in the columns of a 2-D grid. */
static void pencils(struct script *s)
{
	const struct grid g = make_grid(s, 2, false);

	exchange(s, g.side[1], 1, 256.0 * KB / g.side[1]);
	exchange(s, g.side[0], g.side[1], 256.0 * KB / g.side[0]);
}

static void slabs(struct script *s)
{
	exchange(s, s->ranks, 0, 256.0 * KB / s->ranks);
}

/* Conjugate gradients on a matrix in blocks: sums along rows by doubling, then a transpose. */
static void gradients(struct script *s)
{
	int columns = 1, half;

	while (columns * columns < s->ranks)
		columns *= 2;
	half = columns * columns / s->ranks; /* 2: a pair of columns belongs to a row */
	for (int by = columns / 2; by; by /= 2) {
		step(s, 1);
		pairs(s, by, 32 * KB);
	}
	step(s, 1);
	for (int rank = 0; rank < s->ranks; rank++) {
		int row = rank / columns, column = rank % columns;

		send(s, rank, column / half * columns + row * half + column % half, 32 * KB);
	}
	sum_up(s, 8, 2);
}

static void bucket_sort(struct script *s)
{
	struct script_message *m;

	sum_up(s, 4 * KB, 1);
	exchange(s, s->ranks, 0, 4);
	m = &s->message[s->n];
	exchange(s, s->ranks, 1, 256.0 * KB / s->ranks);
	for (; m < &s->message[s->n]; m++)
		m->bytes *= 0.5 + (m->from + m->to) * 7 % 11 / 10.0;
}

/* Gradients are summed around a ring, in parts that go around twice. */
static void data_ring(struct script *s)
{
	step(s, 2 * (s->ranks - 1));
	for (int rank = 0; rank < s->ranks; rank++)
		send(s, rank, (rank + 1) % s->ranks, 256.0 * KB / s->ranks);
}

/* Gradients are summed by halving and doubling. */
static void data_tree(struct script *s)
{
	for (int by = 1; by < s->ranks; by *= 2) {
		step(s, 2);
		pairs(s, by, 128.0 * KB / by);
	}
}

/* Eight batches through a chain of ranks, forth and back. */
static void pipeline(struct script *s)
{
	int last = s->ranks - 1;

	for (int back = 0; back < 2; back++)
		for (int i = 0; i < last + 14; i++) {
			step(s, 1);
			for (int at = i; at >= 0 && at > i - 16; at -= 2)
				if (at < last)
					send(s, back ? last - at : at,
						back ? last - at - 1 : at + 1, 64 * KB);
		}
}

/* --- kinds ------------------------------------------------------------------------------- */

static const struct program {
	const char *name;
	void (*write)(struct script *script);
	bool powers, squares; /* runs on such numbers of ranks only */
	bool loose;	      /* as in struct script */
} program[PROGRAMS] = {
	{"halo-last", halo_last},
	{"halo-first", halo_first},
	{"halo-27", halo_27},
	{"multigrid", multigrid},
	{"wavefront", wavefront, .loose = true},
	{"multipartition", multipartition, .squares = true},
	{"pencils", pencils},
	{"slabs", slabs},
	{"gradients", gradients, .powers = true},
	{"bucket-sort", bucket_sort},
	{"data-ring", data_ring},
	{"data-tree", data_tree, .powers = true},
	{"pipeline", pipeline, .loose = true},
};

const char *kind_name(int kind)
{
	if (kind < COMM_PATTERNS)
		return comm_pattern_name(kind);
	return kind < COMM_KINDS ? program[kind - COMM_PATTERNS].name : NULL;
}

int kind_find(const char *name)
{
	for (int i = 0; i < COMM_KINDS; i++)
		if (!strcasecmp(name, kind_name(i)))
			return i;
	return -1;
}

static bool runs_on(const struct program *p, int ranks)
{
	int root = 1;

	while (root * root < ranks)
		root++;
	if (p->squares)
		return root * root == ranks;
	while (ranks % 2 == 0)
		ranks /= 2;
	while (ranks % 3 == 0 && !p->powers)
		ranks /= 3;
	return ranks == 1;
}

int kind_ranks(int kind, int nodes)
{
	while (kind >= COMM_PATTERNS && nodes > 1 &&
		!runs_on(&program[kind - COMM_PATTERNS], nodes))
		nodes--;
	return nodes;
}

/* --- scripts ----------------------------------------------------------------------------- */

/* The first message of each rank, then the second of each. */
static void write_round(struct script *s, const struct comm_round *round)
{
	for (int k = 0, from = -1; from < s->n; k++, s->step++) {
		from = s->n;
		for (int rank = 0; rank < round->count; rank++) {
			int first = round->start[rank], n = round->start[rank + 1] - first;

			s->times = n ? 1.0 / n : 0;
			if (k < n)
				send(s, rank, round->to[first + k], 1);
		}
	}
}

static void write_pattern(struct script *s)
{
	/* Draws depend on the size alone, so that reference and job are alike. */
	uint64_t state = random_stream(s->seed, (uint64_t)s->ranks);

	s->rounds = s->kind == COMM_RANDOM ? SCRIPT_ROUNDS : 1;
	for (int r = 0; r < s->rounds; r++) {
		const struct comm_spec spec = {(enum comm_pattern)s->kind, s->ranks, s->ndims,
			STEPS, random_next(&state)};
		struct comm_round round;

		need_done(comm_round_init(&round, &spec));
		write_round(s, &round);
		comm_round_release(&round);
		s->round_end[r] = s->n;
	}
}

void script_write(struct script *s)
{
	s->message = need(malloc((size_t)s->ranks * MOST_MESSAGES * sizeof(*s->message) + 1));
	if (s->kind < COMM_PATTERNS) {
		write_pattern(s);
		return;
	}
	program[s->kind - COMM_PATTERNS].write(s);
	s->loose = program[s->kind - COMM_PATTERNS].loose;
	s->rounds = 1;
	s->round_end[0] = s->n;
}

void script_release(struct script *script)
{
	free(script->message);
}
