/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug: compact for the job, and whole for what is left.
 *
 * Bender et al., section 6, leave open how to place a stream of jobs: the best place for each
 * job paints the machine into a corner. snug minimises
 *
 *     mean hops / mean hops of the best box  +  alpha * exposure / surface of that box
 *
 * where the exposure of a set is the number of links from it to free vertices outside (walls,
 * the border and busy vertices do not count): new border between free and busy is what
 * fragments. A neighbour whose job ends before this one counts for the part of this job's
 * time in which it will be free.
 *
 * Candidates are the boxes of a few compact shapes, grown until they hold enough free nodes,
 * at every base, estimated for all bases at once from summed-area tables; the best few are
 * trimmed to size and measured exactly. So are the answers of two strategies that fill up the
 * scraps of a crowded machine, where no box is good.
 *
 * O(n * chains * levels * 2^d) additions in plain loops, O(T k d log k) for T candidates.
 */
#include "strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "metrics.h"
#include "snug_chain.h"
#include "snug_sweep.h"
#include "vector.h"

enum {
	UNIT = 256,	 /* weight of one link to a vertex that is free for good */
	CANDIDATES = 16, /* measured exactly */
	WORK = 12000,	 /* nodes that all of them together may have */
	CHECK_BASES = 1 << 16, /* bases between two looks at the clock */
};

/*
 * Learnt on generated streams and two logs (doc/snug.md); macros, so that the script that
 * repeats the tuning can set them.
 */
#ifndef SNUG_ALPHA
#define SNUG_ALPHA 1.2 /* of exposure against hops, on an idle machine */
#endif
#ifndef SNUG_BUSY
#define SNUG_BUSY 1.5 /* and so much more when nothing is free */
#endif
#ifndef SNUG_LONGER
#define SNUG_LONGER 0.5 /* alpha grows with this power of the job's time over the others' */
#endif
#ifndef SNUG_LEFT
#define SNUG_LEFT 0.5 /* links exposed per node that is trimmed off a box, in estimates */
#endif

/* Whose answers are candidates too: microseconds each. */
static const char *const others[] = {"gmbs", "hilbert-bf"};

enum { OTHERS = sizeof(others) / sizeof(*others) };

struct candidate {
	double score; /* an estimate */
	int base[MESH_MAX_DIMS];
	const struct snug_level *level;
};

struct scratch {
	uint32_t *nfree;  /* [nvertices] free nodes */
	uint32_t *weight; /* [nvertices] of a link to it, UNIT = free */
	struct snug_sweep sweep;
	struct snug_plan plan;
	struct candidate list[CANDIDATES];
	int count, limit;
	struct strategy *other[OTHERS];
	int *node; /* [nnodes] an answer of theirs */
	/* Of one candidate: */
	int *vertex;	 /* [nvertices] */
	int *taken;	 /* [nvertices] nodes taken on a vertex; 0 outside */
	double *gain;	 /* [nvertices] by removing it */
	int *heap;	 /* [nvertices] */
	int *place;	 /* [nvertices] in the heap */
	int *marginal;	 /* [sum of sides] */
	double *axis;	 /* [sum of sides] hops to all chosen, by coordinate */
	int *pinned;	 /* [nvertices] required nodes on a vertex */
	int *best, *best_taken, nbest; /* vertices of the best so far */
	double best_score;
	/* Of one decision: */
	int count_wanted;
	double hop_weight, exposure_weight; /* of the two terms, per hop and per UNIT */
	int npinned;			      /* nodes */
	char *allowed[MESH_MAX_DIMS];	      /* [side] bases of boxes that hold the pinned */
	struct nodeset needs[MESH_MAX_DIMS];  /* coordinates of pinned vertices */
	struct mesh_budget budget;
	int64_t unchecked;		      /* bases since the last look at the clock */
	bool late;
};

/* --- memory --------------------------------------------------------------------------- */

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	if (!s)
		return;
	snug_sweep_release(&s->sweep);
	for (int i = 0; i < OTHERS; i++)
		strategy_free(s->other[i]);
	free(s->node);
	free(s->nfree);
	free(s->weight);
	free(s->vertex);
	free(s->taken);
	free(s->gain);
	free(s->heap);
	free(s->place);
	free(s->marginal);
	free(s->axis);
	free(s->best);
	free(s->best_taken);
	free(s->pinned);
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(s->allowed[d]);
		nodeset_release(&s->needs[d]);
	}
	free(s);
}

static int init_others(struct scratch *s, const struct mesh *mesh, struct mesh_err *err)
{
	for (int i = 0; i < OTHERS; i++)
		if (!(s->other[i] = strategy_new(strategy_find(others[i]), mesh, err)))
			return -1;
	s->node = malloc((size_t)mesh->nnodes * sizeof(*s->node));
	return s->node ? 0 : err_printf(err, "out of memory");
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = calloc(1, sizeof(*s));
	size_t n = (size_t)mesh->nvertices, sides = 0;

	strategy->scratch = s;
	if (!s || snug_sweep_init(&s->sweep, mesh))
		return err_printf(err, "out of memory");
	for (int d = 0; d < mesh->ndims; d++) {
		sides += (size_t)mesh->side[d];
		s->allowed[d] = malloc((size_t)mesh->side[d]);
		if (!s->allowed[d] || nodeset_init(&s->needs[d], mesh->side[d]))
			return err_printf(err, "out of memory");
	}
	s->pinned = calloc(n, sizeof(*s->pinned));
	s->nfree = malloc(n * sizeof(*s->nfree));
	s->weight = malloc(n * sizeof(*s->weight));
	s->vertex = malloc(n * sizeof(*s->vertex));
	s->taken = calloc(n, sizeof(*s->taken));
	s->gain = malloc(n * sizeof(*s->gain));
	s->heap = malloc(n * sizeof(*s->heap));
	s->place = malloc(n * sizeof(*s->place));
	s->marginal = malloc(sides * sizeof(*s->marginal));
	s->axis = malloc(sides * sizeof(*s->axis));
	s->best = malloc(n * sizeof(*s->best));
	s->best_taken = malloc(n * sizeof(*s->best_taken));
	if (!s->nfree || !s->weight || !s->vertex ||
		!s->taken || !s->gain || !s->heap || !s->place || !s->marginal || !s->axis ||
		!s->best || !s->best_taken || !s->pinned)
		return err_printf(err, "out of memory");
	return init_others(s, mesh, err);
}

/* --- the state ------------------------------------------------------------------------ */

/*
 * How much of this job's time a vertex will be free that is busy now, in UNITs: nothing is
 * known of it without both ends.
 */
static uint32_t freed_weight(const struct mesh_run *run, const struct mesh_state *state,
	const struct mesh_request *request)
{
	int64_t left = run->end - state->now;

	if (!run->end || request->time_limit <= 0 || left >= request->time_limit)
		return 0;
	if (left < 0)
		left = 0;
	return (uint32_t)((request->time_limit - left) * UNIT / request->time_limit);
}

static void load(const struct mesh *mesh, struct scratch *s, const struct mesh_state *state,
	const struct mesh_request *request)
{
	size_t n = (size_t)mesh->nvertices;

	memset(s->nfree, 0, n * sizeof(*s->nfree));
	memset(s->weight, 0, n * sizeof(*s->weight));
	nodeset_each(i, state->free)
		s->nfree[mesh->vertex_of[i]]++;
	for (int i = 0; i < state->nruns; i++) {
		uint32_t weight = freed_weight(&state->run[i], state, request);

		for (int j = 0; weight && j < state->run[i].count; j++)
			s->weight[mesh->vertex_of[state->run[i].node[j]]] = weight;
	}
	for (int v = 0; v < mesh->nvertices; v++)
		if (s->nfree[v])
			s->weight[v] = UNIT;
}

/* Required nodes: which vertices, and which coordinates a box must have. */
static void load_pinned(const struct mesh *mesh, struct scratch *s, const struct nodeset *required)
{
	memset(s->pinned, 0, (size_t)mesh->nvertices * sizeof(*s->pinned));
	for (int d = 0; d < mesh->ndims; d++) {
		nodeset_clear_all(&s->needs[d]);
		memset(s->allowed[d], 1, (size_t)mesh->side[d]);
	}
	s->npinned = 0;
	if (!required)
		return;
	nodeset_each(i, required) {
		int v = mesh->vertex_of[i];

		s->pinned[v]++;
		s->npinned++;
		for (int d = 0; d < mesh->ndims; d++)
			nodeset_add(&s->needs[d], mesh->coord[v][d]);
	}
}

/* Bases along each dimension from where a box of these sides holds all that is pinned. */
static void allow_bases(const struct mesh *mesh, struct scratch *s, const int *side)
{
	for (int d = 0; d < mesh->ndims; d++)
		for (int base = 0; base < mesh->side[d]; base++) {
			s->allowed[d][base] = 1;
			nodeset_each(c, &s->needs[d])
				if ((c - base + mesh->side[d]) % mesh->side[d] >= side[d])
					s->allowed[d][base] = 0;
		}
}

/* Has the budget been used up? Looks at the clock now and then. */
static bool out_of_time(struct scratch *s, int bases)
{
	if (!s->budget.look || s->late || (s->unchecked += bases) < CHECK_BASES)
		return s->late;
	s->unchecked = 0;
	return s->late = mesh_budget_late(&s->budget);
}

/*
 * alpha of this decision: on a machine that is mostly free there is room for border; border
 * that stays longer than that of the jobs now running harms longer.
 */
static double alpha_of(const struct mesh_state *state, const struct mesh_request *request, double busy)
{
	double alpha = SNUG_ALPHA + SNUG_BUSY * busy, sum = 0, longer;
	int n = 0;

	for (int i = 0; i < state->nruns; i++)
		if (state->run[i].end > state->run[i].start) {
			sum += log(1.0 + (double)(state->run[i].end - state->run[i].start));
			n++;
		}
	if (!n || request->time_limit <= 0)
		return alpha;
	longer = log(1.0 + (double)request->time_limit) - sum / n;
	return alpha * fmin(4, fmax(0.25, exp(SNUG_LONGER * longer)));
}

/* --- candidates ----------------------------------------------------------------------- */

/* Keep the best few; the worst goes when the list is full. */
static void keep_candidate(struct scratch *s, const struct mesh *mesh, double score, const int *base,
	const struct snug_level *level)
{
	int i;

	for (i = 0; i < s->count; i++)
		if (!memcmp(s->list[i].base, base, sizeof(s->list[i].base)) &&
			!memcmp(s->list[i].level->side, level->side,
				(size_t)mesh->ndims * sizeof(int)))
			return;
	i = s->count < s->limit ? s->count++ : s->limit - 1;
	for (; i > 0 && s->list[i - 1].score > score; i--)
		s->list[i] = s->list[i - 1];
	s->list[i].score = score;
	s->list[i].level = level;
	memcpy(s->list[i].base, base, sizeof(s->list[i].base));
}

/* What an estimate is made of, for one level. */
struct estimate {
	float want, hops, trimmed, face, left; /* score = hops (1 - trimmed (1 - want / count)) + ... */
	float limit;			       /* of what is worth a closer look */
};

enum { BLOCK = 256 };

static const float NO_BOX = 1e30f;

/* Is there an open base with enough? */
MESH_VECTORISE static int any_hit(const uint32_t *restrict count, const uint32_t *restrict open,
	uint32_t want, int n)
{
	int hits = 0;

	for (int i = 0; i < n; i++)
		hits += (int32_t)(count[i] & open[i]) >= (int32_t)want;
	return hits;
}

/*
 * Scores of n bases; closes those that have a box now. How many are below the limit. Bases
 * without a box get a score that no box has.
 */
MESH_VECTORISE static int score_block(const struct estimate *e, const uint32_t *restrict count,
	const uint32_t *restrict weight, uint32_t *restrict open, float *restrict score, int n)
{
	const struct estimate k = *e;
	int32_t want = (int32_t)k.want;
	int good = 0;

	for (int i = 0; i < n; i++) {
		/* Rubbish is masked before it is converted. */
		int32_t have = (int32_t)(count[i] & open[i]) >= want ? -1 : 0;
		float nodes = (float)(((int32_t)count[i] & have) | (want & ~have));
		float value = k.hops * (1 - k.trimmed * (1 - k.want / nodes)) +
			k.face * (float)((int32_t)weight[i] & have) + k.left * (nodes - k.want);

		score[i] = have ? value : NO_BOX;
		open[i] &= (uint32_t)~have;
		good += score[i] < k.limit;
	}
	return good;
}

struct finder {
	const struct mesh *mesh;
	struct scratch *s;
	const struct snug_level *level;
	struct estimate estimate;
};

static bool pinned_fit(const struct finder *f, const int *base)
{
	for (int d = 0; f->s->npinned && d < f->mesh->ndims; d++)
		if (!f->s->allowed[d][base[d]])
			return false;
	return true;
}

/* The worst score that would still be kept. */
static double score_limit(const struct scratch *s)
{
	return s->count < s->limit ? HUGE_VAL : s->list[s->limit - 1].score;
}

static void take_base(struct finder *f, int64_t number, double score)
{
	int base[MESH_MAX_DIMS] = {0};
	struct scratch *s = f->s;

	snug_sweep_base(&s->sweep, number, base);
	if (!pinned_fit(f, base)) {
		s->sweep.open[number] = UINT32_MAX; /* a larger box may do */
		return;
	}
	if (s->count < s->limit || score < s->list[s->limit - 1].score)
		keep_candidate(s, f->mesh, score, base, f->level);
}

static bool take_run(void *data, struct snug_run *run)
{
	struct finder *f = data;
	float score[BLOCK];

	for (int at = 0; at < run->n; at += BLOCK) {
		int n = run->n - at < BLOCK ? run->n - at : BLOCK;

		if (!any_hit(run->count + at, run->open + at, (uint32_t)f->estimate.want, n))
			continue;
		f->estimate.limit = f->s->npinned ? HUGE_VALF : (float)score_limit(f->s);
		if (!score_block(&f->estimate, run->count + at, run->weight + at, run->open + at,
			    score, n))
			continue;
		for (int i = 0; i < n; i++)
			if (score[i] < f->estimate.limit && score[i] < NO_BOX)
				take_base(f, run->first + at + i, score[i]);
	}
	return !out_of_time(f->s, run->n);
}

static void sweep_level(const struct mesh *mesh, struct scratch *s, const struct snug_level *level)
{
	struct finder f = {.mesh = mesh, .s = s, .level = level};

	f.estimate.want = (float)s->count_wanted;
	f.estimate.hops = (float)(s->hop_weight * level->hops);
	f.estimate.trimmed = 1.0f / (float)mesh->ndims;
	f.estimate.face = (float)s->exposure_weight;
	f.estimate.left = (float)(s->exposure_weight * SNUG_LEFT * UNIT);
	if (s->npinned)
		allow_bases(mesh, s, level->side);
	snug_sweep_level(&s->sweep, level);
	snug_sweep_runs(&s->sweep, (uint32_t)s->count_wanted, take_run, &f);
}

/* --- one candidate, exactly ------------------------------------------------------------ */

static int neighbours(const struct mesh *mesh, int v, int *to)
{
	int n = 0;

	for (int d = 0; d < mesh->ndims; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d], stride = mesh->stride[d];

		if (side == 1)
			continue;
		if (c > 0)
			to[n++] = v - stride;
		else if (mesh->wrap[d] && side > 2)
			to[n++] = v + (side - 1) * stride;
		if (c < side - 1)
			to[n++] = v + stride;
		else if (mesh->wrap[d] && side > 2)
			to[n++] = v - (side - 1) * stride;
	}
	return n;
}

/* Free vertices of a box into s->vertex[], all their nodes taken. How many vertices. */
static int collect(const struct mesh *mesh, struct scratch *s, const struct candidate *c, int *nodes)
{
	int offset[MESH_MAX_DIMS] = {0};
	int n = 0, d;

	*nodes = 0;
	do {
		int v = 0;

		for (d = 0; d < mesh->ndims; d++) {
			int x = c->base[d] + offset[d];

			v += (x < mesh->side[d] ? x : x - mesh->side[d]) * mesh->stride[d];
		}
		if (s->nfree[v]) {
			s->vertex[n++] = v;
			s->taken[v] = (int)s->nfree[v];
			*nodes += s->taken[v];
		}
		for (d = 0; d < mesh->ndims && ++offset[d] == c->level->side[d]; d++)
			offset[d] = 0;
	} while (d < mesh->ndims);
	return n;
}

static void count_marginals(const struct mesh *mesh, struct scratch *s, int n)
{
	int *base = s->marginal;

	for (int d = 0; d < mesh->ndims; base += mesh->side[d], d++) {
		memset(base, 0, (size_t)mesh->side[d] * sizeof(*base));
		for (int i = 0; i < n; i++)
			base[mesh->coord[s->vertex[i]][d]] += s->taken[s->vertex[i]];
	}
}

/*
 * Hops from each coordinate to all that is taken, along each dimension, in O(side): from c to
 * c+1 the nodes on the half behind come one hop farther away and those ahead nearer.
 */
static void count_hops(const struct mesh *mesh, struct scratch *s)
{
	const int *marginal = s->marginal;
	double *axis = s->axis;

	for (int d = 0; d < mesh->ndims; d++) {
		int side = mesh->side[d];

		for (int c = 0; c < side; c++)
			axis[c] = 0;
		for (int b = 0; b < side; b++)
			for (int c = 0; marginal[b] && c < side; c++)
				axis[c] += (double)marginal[b] * mesh_axis_hops(mesh, d, b, c);
		axis += side;
		marginal += side;
	}
}

static double hops_from(const struct mesh *mesh, const struct scratch *s, int v)
{
	const double *axis = s->axis;
	double sum = 0;

	for (int d = 0; d < mesh->ndims; axis += mesh->side[d], d++)
		sum += axis[mesh->coord[v][d]];
	return sum;
}

static double total_hops(const struct mesh *mesh, const struct scratch *s)
{
	const int *marginal = s->marginal;
	double total = 0;

	for (int d = 0; d < mesh->ndims; marginal += mesh->side[d], d++)
		total += (double)mesh_axis_total(marginal, mesh->side[d], mesh->wrap[d]);
	return total;
}

/* UNITs of links to outside that are not taken. */
static double exposure(const struct mesh *mesh, const struct scratch *s, int n)
{
	uint64_t sum = 0;
	int to[2 * MESH_MAX_DIMS];

	for (int i = 0; i < n; i++)
		for (int j = neighbours(mesh, s->vertex[i], to); j-- > 0;)
			sum += s->taken[to[j]] ? 0 : s->weight[to[j]];
	return (double)sum;
}

/* What the score falls by when v is given back, as far as links go. */
static double link_gain(const struct mesh *mesh, const struct scratch *s, int v)
{
	double gain = 0;
	int to[2 * MESH_MAX_DIMS];

	for (int j = neighbours(mesh, v, to); j-- > 0;)
		gain += s->taken[to[j]] ? -(double)UNIT : s->weight[to[j]];
	return gain * s->exposure_weight;
}

/* A heap of vertices, most gain on top, lowest number among equals. */
static bool above(const struct scratch *s, int v, int w)
{
	return s->gain[v] > s->gain[w] || (s->gain[v] == s->gain[w] && v < w);
}

static void heap_put(struct scratch *s, int at, int v)
{
	s->heap[at] = v;
	s->place[v] = at;
}

static void heap_up(struct scratch *s, int v)
{
	int at = s->place[v];

	for (; at > 0 && above(s, v, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap_put(s, at, s->heap[(at - 1) / 2]);
	heap_put(s, at, v);
}

static void heap_down(struct scratch *s, int size, int v)
{
	int at = s->place[v];

	for (;;) {
		int child = 2 * at + 1;

		if (child + 1 < size && above(s, s->heap[child + 1], s->heap[child]))
			child++;
		if (child >= size || !above(s, s->heap[child], v))
			break;
		heap_put(s, at, s->heap[child]);
		at = child;
	}
	heap_put(s, at, v);
}

/*
 * Give back `spare` nodes, one vertex after another, the one that the score falls most by.
 * Hops are to the whole box, links to what is left.
 */
static int trim(const struct mesh *mesh, struct scratch *s, int n, int spare)
{
	int to[2 * MESH_MAX_DIMS];
	int size = n, kept = 0;

	/* Around what is pinned, if anything is. */
	for (int i = 0; s->npinned && i < n; i++)
		s->taken[s->vertex[i]] = s->pinned[s->vertex[i]];
	count_marginals(mesh, s, n);
	count_hops(mesh, s);
	for (int i = 0; s->npinned && i < n; i++)
		s->taken[s->vertex[i]] = (int)s->nfree[s->vertex[i]];
	for (int i = 0; i < n; i++) {
		int v = s->vertex[i];

		s->gain[v] = s->hop_weight * 2 / s->count_wanted / s->count_wanted *
				hops_from(mesh, s, v) + link_gain(mesh, s, v);
		if (s->pinned[v])
			s->gain[v] = -INFINITY; /* last, and not below the nodes pinned */
		heap_put(s, i, v);
	}
	for (int i = n / 2; i-- > 0;)
		heap_down(s, size, s->heap[i]);
	while (spare > 0) {
		int v = s->heap[0];

		if (s->taken[v] - s->pinned[v] > spare) {
			s->taken[v] -= spare;
			break;
		}
		spare -= s->taken[v] - s->pinned[v];
		s->taken[v] = s->pinned[v];
		heap_put(s, 0, s->heap[--size]);
		if (size)
			heap_down(s, size, s->heap[0]);
		for (int j = s->taken[v] ? 0 : neighbours(mesh, v, to); j-- > 0;)
			if (s->taken[to[j]] && !s->pinned[to[j]]) {
				s->gain[to[j]] += 2 * UNIT * s->exposure_weight;
				heap_up(s, to[j]);
			}
	}
	for (int i = 0; i < n; i++)
		if (s->taken[s->vertex[i]])
			s->vertex[kept++] = s->vertex[i];
	return kept;
}

/* The score of what is taken now, n vertices; kept if it is the best so far. */
static void measure(const struct mesh *mesh, struct scratch *s, int n)
{
	double k = s->count_wanted, pairs = k > 1 ? k * (k - 1) / 2 : 1, score;

	count_marginals(mesh, s, n);
	score = s->hop_weight * total_hops(mesh, s) / pairs +
		s->exposure_weight * exposure(mesh, s, n);
	if (!s->nbest || score < s->best_score) {
		s->best_score = score;
		s->nbest = n;
		for (int i = 0; i < n; i++) {
			s->best[i] = s->vertex[i];
			s->best_taken[i] = s->taken[s->vertex[i]];
		}
	}
	for (int i = 0; i < n; i++)
		s->taken[s->vertex[i]] = 0;
}

static void measure_box(const struct mesh *mesh, struct scratch *s, const struct candidate *c)
{
	int nodes, n = collect(mesh, s, c, &nodes);

	if (nodes > s->count_wanted)
		n = trim(mesh, s, n, nodes - s->count_wanted);
	measure(mesh, s, n);
}

/* What the others would do. */
static void measure_others(const struct mesh *mesh, struct scratch *s,
	const struct mesh_state *state, const struct mesh_request *request)
{
	for (int i = 0; i < OTHERS; i++) {
		struct mesh_answer answer = {.node = s->node};
		int n = 0;

		if (strategy_decide(s->other[i], state, request, &answer) != MESH_OK)
			continue;
		for (int j = 0; j < answer.count; j++) {
			int v = mesh->vertex_of[s->node[j]];

			if (!s->taken[v]++)
				s->vertex[n++] = v;
		}
		measure(mesh, s, n);
	}
}

/* --- the decision ---------------------------------------------------------------------- */

/* A job that does not communicate: the vertices with the fewest free neighbours, again and again. */
static void scatter(const struct mesh *mesh, struct scratch *s)
{
	int to[2 * MESH_MAX_DIMS];
	int size = 0, left = s->count_wanted;

	s->exposure_weight = 1;
	for (int v = 0; v < mesh->nvertices; v++)
		if (s->nfree[v]) {
			/* taken is 0 everywhere: the links to all that is free or will be. */
			s->gain[v] = s->pinned[v] ? INFINITY : -link_gain(mesh, s, v);
			heap_put(s, size++, v);
		}
	for (int i = size / 2; i-- > 0;)
		heap_down(s, size, s->heap[i]);
	s->nbest = 0;
	left -= s->npinned;
	while (size && (left > 0 || s->pinned[s->heap[0]])) {
		int v = s->heap[0], more = (int)s->nfree[v] - s->pinned[v];

		more = more < left ? more : left;
		left -= more;
		s->best[s->nbest] = v;
		s->best_taken[s->nbest++] = s->pinned[v] + more;
		s->place[v] = -1;
		s->nfree[v] = 0;
		heap_put(s, 0, s->heap[--size]);
		if (size)
			heap_down(s, size, s->heap[0]);
		for (int j = neighbours(mesh, v, to); j-- > 0;)
			if (s->nfree[to[j]]) {
				s->gain[to[j]] += UNIT;
				heap_up(s, to[j]);
			}
	}
	s->best_score = 0;
}

/*
 * The least that a box of level l can score: one level before it had less than k, so what is
 * trimmed is less than what was added.
 */
static double least_score(const struct mesh *mesh, const struct scratch *s,
	const struct snug_chain *chain, int l)
{
	double k = s->count_wanted, per_vertex = mesh->nodes_per_vertex;
	double added = l ? chain->level[l].volume - chain->level[l - 1].volume : 0;
	double spare = l ? added * per_vertex : chain->level[l].volume * per_vertex - k;

	return s->hop_weight * chain->level[l].hops * (1 - (1 - k / (k + spare)) / mesh->ndims);
}

static void find_candidates(const struct mesh *mesh, struct scratch *s)
{
	for (int i = 0; i < s->plan.nchains && !s->late; i++) {
		const struct snug_chain *chain = &s->plan.chain[i];

		snug_sweep_open(&s->sweep, &chain->level[0]);
		for (int l = 0; l < chain->nlevels && !s->late; l++) {
			if (least_score(mesh, s, chain, l) >= score_limit(s))
				break;
			sweep_level(mesh, s, &chain->level[l]);
		}
	}
}

/* The best of the boxes; the whole machine trimmed when nothing has been found at all. */
static void measure_boxes(const struct mesh *mesh, struct scratch *s)
{
	for (int i = 0; i < s->count; i++)
		if (!s->nbest || !out_of_time(s, CHECK_BASES))
			measure_box(mesh, s, &s->list[i]);
	if (!s->nbest) {
		struct snug_level level = {.hops = 0};
		struct candidate whole = {.level = &level};

		memcpy(level.side, mesh->side, sizeof(level.side));
		measure_box(mesh, s, &whole);
	}
}

/* Nodes of the vertices taken: those required first, then the lowest. */
static void answer_best(const struct mesh *mesh, const struct scratch *s,
	const struct mesh_state *state, const struct nodeset *required, struct mesh_answer *answer)
{
	for (int i = 0; i < s->nbest; i++) {
		int v = s->best[i], left = s->best_taken[i] - s->pinned[v];

		for (int j = mesh->first[v]; j < mesh->first[v + 1]; j++) {
			int node = mesh->node_at[j];
			bool must = s->pinned[v] && nodeset_has(required, node);

			if (!nodeset_has(state->free, node) || (!must && !left))
				continue;
			left -= !must;
			answer->node[answer->count++] = node;
		}
	}
	answer->cost = s->best_score;
	answer->out_of_time = s->late;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = strategy->scratch;
	int per_vertex = mesh->nodes_per_vertex, k = request->count;
	int vertices = (k + per_vertex - 1) / per_vertex, most = WORK / k;
	double share = nodeset_count(state->free) / (double)mesh->nnodes;
	double alpha = alpha_of(state, request, 1 - share);

	mesh_budget_start(&s->budget, request->budget_ns);
	s->late = false;
	s->unchecked = 0;
	s->count_wanted = k;
	load(mesh, s, state, request);
	load_pinned(mesh, s, request->required);
	if (request->hint == MESH_HINT_SCATTER) {
		scatter(mesh, s);
	} else {
		snug_plan_make(&s->plan, mesh, vertices, vertices / share * 3 + 8);
		snug_sweep_load(&s->sweep, s->nfree, s->weight, s->plan.reach);
		s->hop_weight = s->plan.hops > 0 ? 1 / s->plan.hops : 1;
		s->exposure_weight = s->plan.surface > 0 ? alpha / UNIT / s->plan.surface : 0;
		s->count = 0;
		s->limit = most > CANDIDATES ? CANDIDATES : most < 2 ? 2 : most;
		s->nbest = 0;
		measure_others(mesh, s, state, request);
		find_candidates(mesh, s);
		measure_boxes(mesh, s);
	}
	answer_best(mesh, s, state, request->required, answer);
	return MESH_OK;
}

const struct strategy_ops strategy_snug_family[] = {
	{
		.name = "snug",
		.summary = "compact for the job and whole for what is left free",
		.source = "this project; the question is in Bender et al. 2005, section 6",
		.time = "O(n 2^d levels)",
		.init = init,
		.release = release,
		.decide = decide,
	},
	{0},
};
