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
 * Of the best few sets the one is taken that leaves the jobs waiting next the best places, too
 * (snug_ahead.h): on a small machine in the places that snug itself would give them.
 *
 * O(n * chains * levels * 2^d) additions in plain loops, O(T k d log k) for T candidates.
 */
#include "strategy/strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "snug/snug_ahead.h"
#include "snug/snug_chain.h"
#include "snug/snug_price.h"
#include "snug/snug_sweep.h"
#include "snug/snug_trial.h"
#include "base/simd.h"

enum {
	CANDIDATES = 16, /* measured exactly */
	WORK = 12000,	 /* nodes that all of them together may have */
	SIDE_BY_SIDE = 256, /* nodes of jobs whose sets are priced by two threads, where there are two */
	LARGE = 1 << 14, /* vertices of machines on which a second thread is of use */
	SMALL = 128,	 /* vertices of a small machine: the next jobs take 0.1 ms there */
	AHEAD_SMALL = 4, /* jobs looked at there; more gained nothing (doc/lab/snug.md) */
	AHEAD = 2,	 /* and elsewhere */
	AHEAD_SETS = 4,	 /* so many sets are looked ahead from at most */
	PRICE_LARGEST = 1 << 17, /* vertices: beyond, prices take longer than they are worth */
};

/*
 * Learnt on generated streams and two logs (doc/lab/snug.md); macros, so that the script that
 * repeats the tuning can set them.
 */
#ifndef SNUG_ALPHA
#define SNUG_ALPHA 0.9 /* of exposure against hops, on an idle machine */
#endif
#ifndef SNUG_ALONE
#define SNUG_ALONE 0.2 /* the same while no job waits */
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
#ifndef SNUG_NEXT
#define SNUG_NEXT 0.5 /* of the hops of each job that waits next, against this one's */
#endif

#ifndef SNUG_BORDER
#define SNUG_BORDER 1.0 /* of exposure against time; alpha is against hops */
#endif

/* What is priced, and what is looked ahead from on machines that are not small. */
struct effort {
	int boxes;  /* the best by hops and border; */
	int places; /* of each of the shapes that suit the job best */
	int ahead;  /* sets, up to AHEAD_SETS */
};

/* A price takes a third of the time where it is known what the job sends, and more of them help. */
static const struct effort effort_mix = {3, 1, 2}, effort_told = {5, 2, AHEAD_SETS};

/*
 * Chains after the first have boxes of up to so many times the largest of the best so far. Of what is left out
 * little is ever among the best (doc/lab/costs.md).
 */
static const double LARGER = 1.4;

/* The score of a set without a price is its hops and border, behind all others. */
static const double UNPRICED = 1e9;

/* Whose answers are candidates too: microseconds each. */
static const char *const others[] = {"gmbs", "hilbert-bf", "snake-bf", "row-bf"};

enum {
	OTHERS = sizeof(others) / sizeof(*others),
	OTHERS_AHEAD = 2, /* the first ones place the next jobs on large machines */
};

struct candidate {
	double score; /* an estimate */
	int base[MESH_MAX_DIMS];
	const struct snug_level *level;
};

struct scratch {
	struct snug_trial trial; /* has the state by vertex, too */
	struct snug_sweep sweep;
	struct snug_plan plan;
	struct snug_price *price; /* NULL: sets are compared by hops */
	struct snug_chain shape;  /* one box that suits the job */
	struct snug_ahead ahead, second; /* the latter for a second thread: zeroed until there is one */
	struct strategy *asides[OTHERS_AHEAD];
	struct candidate list[CANDIDATES];
	int count, limit;
	struct strategy *other[OTHERS];
	struct strategy *next; /* places the next jobs on a small machine; NULL: the others do */
	int *asked[OTHERS]; /* [nnodes] what each of them answers, where it does */
	bool answered[OTHERS];
	bool priced; /* there are prices */
	struct mesh_aside *aside; /* of this decision; NULL: none */
	struct nodeset loaded; /* the free nodes that trial.nfree is made of */
	char *allowed[MESH_MAX_DIMS];	     /* [side] bases of boxes that hold the pinned */
	struct nodeset needs[MESH_MAX_DIMS]; /* coordinates of pinned vertices */
	struct mesh_budget budget;
	bool late; /* it is used up */
};

/* --- memory --------------------------------------------------------------------------- */

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	if (!s)
		return;
	snug_trial_release(&s->trial);
	snug_sweep_release(&s->sweep);
	snug_ahead_release(&s->ahead);
	snug_ahead_release(&s->second);
	for (int i = 0; i < OTHERS_AHEAD; i++)
		strategy_free(s->asides[i]);
	if (s->price)
		snug_price_release(s->price);
	free(s->price);
	for (int i = 0; i < OTHERS; i++) {
		strategy_free(s->other[i]);
		free(s->asked[i]);
	}
	strategy_free(s->next);
	nodeset_release(&s->loaded);
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
	for (int i = 0; i < OTHERS; i++)
		if (!(s->asked[i] = malloc((size_t)mesh->nnodes * sizeof(int))))
			return err_printf(err, "out of memory");
	return 0;
}

/* All but what looks ahead. */
static int init_next(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = calloc(1, sizeof(*s));

	strategy->scratch = s;
	if (!s || snug_trial_init(&s->trial, mesh) || snug_sweep_init(&s->sweep, mesh) ||
		nodeset_init(&s->loaded, mesh->nnodes))
		return err_printf(err, "out of memory");
	for (int d = 0; d < mesh->ndims; d++) {
		s->allowed[d] = malloc((size_t)mesh->side[d]);
		if (!s->allowed[d] || nodeset_init(&s->needs[d], mesh->side[d]))
			return err_printf(err, "out of memory");
	}
	return init_others(s, mesh, err);
}

/* --- the state ------------------------------------------------------------------------ */

/* The free nodes by vertex: only those that have changed since the last decision are looked at. */
static void load_free(const struct mesh *mesh, struct scratch *s, const struct nodeset *free)
{
	for (int w = 0; w < nodeset_words(free->n); w++) {
		uint64_t change = free->word[w] ^ s->loaded.word[w];

		s->loaded.word[w] = free->word[w];
		for (; change; change &= change - 1) {
			int bit = __builtin_ctzll(change);

			s->trial.nfree[mesh->vertex_of[64 * w + bit]] += free->word[w] >> bit & 1 ? 1 : UINT32_MAX;
		}
	}
}

MESH_VECTORISE static void weigh_free(const uint32_t *restrict nfree, uint32_t *restrict weight, int n)
{
	for (int v = 0; v < n; v++)
		weight[v] = nfree[v] ? SNUG_UNIT : weight[v];
}

static void load(const struct mesh *mesh, struct scratch *s, const struct mesh_state *state,
	const struct mesh_request *request)
{
	memset(s->trial.weight, 0, (size_t)mesh->nvertices * sizeof(*s->trial.weight));
	load_free(mesh, s, state->free);
	for (int i = 0; i < state->nruns; i++) {
		uint32_t weight = (uint32_t)mesh_run_freed(&state->run[i], state->now,
			request->time_limit, SNUG_UNIT);

		for (int j = 0; weight && j < state->run[i].count; j++)
			s->trial.weight[mesh->vertex_of[state->run[i].node[j]]] = weight;
	}
	weigh_free(s->trial.nfree, s->trial.weight, mesh->nvertices);
}

/* Whoever writes into trial.nfree has all of it read again. */
static void forget_free(const struct mesh *mesh, struct scratch *s)
{
	memset(s->trial.nfree, 0, (size_t)mesh->nvertices * sizeof(*s->trial.nfree));
	nodeset_clear_all(&s->loaded);
}

/* Required nodes: which vertices, and which coordinates a box must have. */
static void load_pinned(const struct mesh *mesh, struct scratch *s, const struct nodeset *required)
{
	if (s->trial.npinned)
		memset(s->trial.pinned, 0, (size_t)mesh->nvertices * sizeof(*s->trial.pinned));
	for (int d = 0; d < mesh->ndims; d++) {
		nodeset_clear_all(&s->needs[d]);
		memset(s->allowed[d], 1, (size_t)mesh->side[d]);
	}
	s->trial.npinned = 0;
	if (!required)
		return;
	nodeset_each(i, required) {
		int v = mesh->vertex_of[i];

		s->trial.pinned[v]++;
		s->trial.npinned++;
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

/* Has the budget been used up? A look at the clock: some 30 ns. */
static bool out_of_time(struct scratch *s)
{
	return s->late = s->late || mesh_budget_late(&s->budget);
}

/*
 * alpha of this decision: on a machine that is mostly free there is room for border, the more so
 * while nobody waits for it; border that stays longer than that of the jobs now running harms
 * longer.
 */
static double alpha_of(const struct mesh_state *state, const struct mesh_request *request, double busy)
{
	double alpha = (state->nqueue ? SNUG_ALPHA : SNUG_ALONE) + SNUG_BUSY * busy;
	double sum = 0, longer;
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

static bool same_box(const struct candidate *c, const int *base, const struct snug_level *level)
{
	return !memcmp(c->base, base, sizeof(c->base)) &&
		!memcmp(c->level->side, level->side, sizeof(level->side));
}

/* Keep the best few; the worst goes when the list is full. */
static void keep_candidate(struct scratch *s, double score, const int *base,
	const struct snug_level *level)
{
	int at = s->count;

	while (at > 0 && s->list[at - 1].score > score)
		at--;
	/* Boxes alike are alike in score. */
	for (int i = at; i > 0 && s->list[i - 1].score >= score; i--)
		if (same_box(&s->list[i - 1], base, level))
			return;
	s->count += s->count < s->limit;
	memmove(&s->list[at + 1], &s->list[at], (size_t)(s->count - 1 - at) * sizeof(s->list[0]));
	s->list[at] = (struct candidate){.score = score, .level = level};
	memcpy(s->list[at].base, base, sizeof(s->list[at].base));
}

/* What an estimate is made of, for one level. */
struct estimate {
	float want, hops, trimmed, face, left;
};

static float score_of(const struct estimate *e, float nodes, float weight)
{
	return e->hops * (1 - e->trimmed * (1 - e->want / nodes)) + e->face * weight +
		e->left * (nodes - e->want);
}

/*
 * How many nodes a box may have for its estimate to be below limit, whatever lies on its faces:
 * that is so between the roots of
 *
 *     left n^2 + (hops (1 - trimmed) - left want - limit) n + hops trimmed want
 *
 * A few more, for rounding. False: no number is.
 */
static bool nodes_below(const struct estimate *e, double limit, int32_t *low, int32_t *high)
{
	double a = e->left, c = (double)e->hops * e->trimmed * e->want;
	double more = limit * (1 + 1e-5), b, root, least, most;

	*low = (int32_t)e->want;
	*high = INT32_MAX;
	if (limit >= HUGE_VAL)
		return true;
	b = (double)e->hops * (1 - e->trimmed) - a * e->want - more;
	root = b * b - 4 * a * c;
	if (b > 0 || root < 0)
		return false;
	/* As quotients that do not cancel, whether left is 0 or not. */
	root = -b + sqrt(root);
	least = root > 0 ? 2 * c / root : 0;
	most = a > 0 ? root / (2 * a) : INT32_MAX;
	*low = least - 1 > *low ? (int32_t)(least - 1) : *low;
	*high = most + 1 < INT32_MAX ? (int32_t)(most + 1) : INT32_MAX;
	return *low <= *high;
}

/* Which of n are marked; mark[] goes on with zeros to a multiple of 8. */
static int list_marks(const uint8_t *mark, int n, int16_t *list)
{
	int marks = 0;

	for (int at = 0; at < n; at += 8) {
		uint64_t any;

		memcpy(&any, mark + at, sizeof(any));
		if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
			any = __builtin_bswap64(any);
		for (int i = at; any; i++, any >>= 8) {
			int skip = __builtin_ctzll(any) / 8;

			any >>= 8 * skip;
			list[marks++] = (int16_t)(i += skip);
		}
	}
	return marks;
}

#define SPARSE 8 /* so many bases side by side take the time of one by itself */

struct finder {
	const struct mesh *mesh;
	struct scratch *s;
	const struct snug_level *level;
	struct estimate estimate;
	double limit;	  /* score_limit() of which range[] is */
	float most, links; /* the same, a little more for rounding; links on faces for a score of 1 */
	struct snug_range range; /* nodes that a box may have, to be kept */
};

static bool pinned_fit(const struct finder *f, const int *base)
{
	for (int d = 0; f->s->trial.npinned && d < f->mesh->ndims; d++)
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

	if (!s->trial.npinned && score >= score_limit(s))
		return;
	snug_sweep_base(&s->sweep, number, base);
	if (!pinned_fit(f, base))
		snug_sweep_reopen(&s->sweep, number); /* a larger box may do */
	else if (score < score_limit(s))
		keep_candidate(s, score, base, f->level);
}

static void set_range(struct finder *f)
{
	double limit = f->s->trial.npinned ? HUGE_VAL : score_limit(f->s);

	if (limit == f->limit)
		return;
	f->limit = limit;
	f->most = limit < 1e30 ? (float)(limit * (1 + 1e-5)) : INFINITY;
	f->links = f->estimate.face > 0 ? 1 / f->estimate.face : 1e30f;
	if (!nodes_below(&f->estimate, limit, &f->range.low, &f->range.high))
		f->range.high = -1;
}

/* Up to SNUG_BLOCK consecutive bases. */
struct block {
	int64_t first; /* base number of the first */
	const uint32_t *count;
	uint8_t *mark; /* room for 8 more than there are */
	int n;
};

/* The few bases that are marked, one by one. A box with too much on some of its faces is not kept. */
static void take_sparse(struct finder *f, const struct block *block, const int16_t *list, int marks)
{
	for (int i = 0; i < marks; i++) {
		int64_t number = block->first + list[i];
		float nodes = (float)(int32_t)block->count[list[i]];
		float room = (f->most - score_of(&f->estimate, nodes, 0)) * f->links;
		int32_t most = room < (float)(INT32_MAX / 2) ? (int32_t)room + 1 : INT32_MAX;
		int32_t weight = (int32_t)snug_sweep_face(&f->s->sweep, number, most);

		if (weight <= most)
			take_base(f, number, score_of(&f->estimate, nodes, (float)weight));
	}
}

/* Of n bases that are marked those stay so whose score, with this weight on the faces, is below `most`. */
MESH_VECTORISE static void mark_better(const uint32_t *restrict count, const uint32_t *restrict weight,
	const struct finder *f, uint8_t *restrict mark, int n)
{
	struct estimate e = f->estimate;
	float most = f->most;

	for (int i = 0; i < n; i++) {
		float score = score_of(&e, (float)(int32_t)count[i], (float)(int32_t)weight[i]);

		mark[i] &= score < most ? 1 : 0;
	}
}

/* Where most are marked: all faces at once, and few are good enough to be looked at one by one. */
static void take_dense(struct finder *f, const struct block *block)
{
	uint32_t weight[SNUG_BLOCK];
	int16_t list[SNUG_BLOCK + 1];
	int marks;

	snug_sweep_faces(&f->s->sweep, block->first, block->n, weight);
	mark_better(block->count, weight, f, block->mark, block->n);
	memset(block->mark + block->n, 0, 8);
	marks = list_marks(block->mark, block->n, list);
	for (int i = 0; i < marks; i++) {
		int here = list[i];

		take_base(f, block->first + here,
			score_of(&f->estimate, (float)(int32_t)block->count[here], (float)(int32_t)weight[here]));
	}
}

/* n consecutive bases, up to SNUG_BLOCK. */
static void take_block(struct finder *f, const struct snug_bases *bases, int at, int n)
{
	uint32_t count[SNUG_BLOCK];
	int16_t list[SNUG_BLOCK + 1];
	uint8_t mark[SNUG_BLOCK + 8];
	struct block block = {bases->first + at, count, mark, n};
	int marks, span;

	set_range(f);
	marks = snug_bases_mark(bases, at, n, &f->range, mark);
	if (!marks)
		return;
	snug_bases_counts(bases, at, n, count);
	if (marks * SPARSE >= n) {
		take_dense(f, &block);
		return;
	}
	memset(mark + n, 0, 8);
	list[0] = 0; /* gcc 11 does not see that there is one */
	marks = list_marks(mark, n, list);
	span = list[marks - 1] - list[0] + 1;
	if (marks * SPARSE < span) {
		take_sparse(f, &block, list, marks);
	} else {
		block = (struct block){block.first + list[0], count + list[0], mark + list[0], span};
		take_dense(f, &block);
	}
}

static void take_bases(void *data, struct snug_bases *bases)
{
	for (int at = 0; at < bases->n; at += SNUG_BLOCK)
		take_block(data, bases, at, bases->n - at < SNUG_BLOCK ? bases->n - at : SNUG_BLOCK);
}

/* Level l of the chain that is open, with others up to `last` to come: false when it was the last. */
static bool sweep_level(const struct mesh *mesh, struct scratch *s, int l, int last)
{
	const struct snug_level *level = &s->sweep.chain->level[l];
	struct finder f = {.mesh = mesh, .s = s, .level = level};
	struct snug_search search = {.want = (uint32_t)s->trial.count, .last = last};

	f.estimate.want = (float)s->trial.count;
	f.estimate.hops = (float)(s->trial.hop_weight * level->hops);
	f.estimate.trimmed = 1.0f / (float)mesh->ndims;
	f.estimate.face = (float)s->trial.exposure_weight;
	f.estimate.left = (float)(s->trial.exposure_weight * SNUG_LEFT * SNUG_UNIT);
	f.range.want = s->trial.count;
	f.limit = -1;
	if (s->trial.npinned)
		allow_bases(mesh, s, level->side);
	snug_sweep_level(&s->sweep, l);
	return snug_sweep_each(&s->sweep, &search, take_bases, &f);
}

/* What the others would do. */
static void ask_others(struct scratch *s, const struct mesh_state *state, const struct mesh_request *request)
{
	bool any = false;

	memset(s->answered, 0, sizeof(s->answered));
	for (int i = 0; i < OTHERS && (!any || !mesh_budget_late(&s->budget)); i++) {
		struct mesh_answer answer = {.node = s->asked[i]};

		s->answered[i] = strategy_decide(s->other[i], state, request, &answer) == MESH_OK;
		any |= s->answered[i];
	}
}

static void measure_others(struct scratch *s)
{
	for (int i = 0; i < OTHERS && (!s->trial.nkept || !out_of_time(s)); i++)
		if (s->answered[i])
			snug_trial_nodes(&s->trial, s->asked[i]);
}

/* --- the decision ---------------------------------------------------------------------- */

/*
 * The least that a box of level l can score: one level before it had less than k, so what is
 * trimmed is less than what was added.
 */
static double least_score(const struct mesh *mesh, const struct scratch *s,
	const struct snug_chain *chain, int l)
{
	double k = s->trial.count, per_vertex = mesh->nodes_per_vertex;
	double added = l ? chain->level[l].volume - chain->level[l - 1].volume : 0;
	double spare = l ? added * per_vertex : chain->level[l].volume * per_vertex - k;

	return s->trial.hop_weight * chain->level[l].hops * (1 - (1 - k / (k + spare)) / mesh->ndims);
}

/* The largest boxes worth a look; all are while there are not enough. */
static double largest_volume(const struct scratch *s)
{
	double volume = 0;

	for (int i = 0; i < s->count; i++)
		volume = fmax(volume, s->list[i].level->volume);
	return s->count < s->limit ? HUGE_VAL : LARGER * volume;
}

/* Through the chain as long as a box can be among the best. */
static void sweep_chain(const struct mesh *mesh, struct scratch *s, const struct snug_chain *chain)
{
	double largest = largest_volume(s);
	bool more = true;
	int last = -1;

	while (last + 1 < chain->nlevels && chain->level[last + 1].volume <= largest &&
		least_score(mesh, s, chain, last + 1) < score_limit(s))
		last++;
	if (last < 0)
		return;
	snug_sweep_open(&s->sweep, chain);
	for (int l = 0; more && l <= last && least_score(mesh, s, chain, l) < score_limit(s); l++)
		more = sweep_level(mesh, s, l, last);
	s->late |= s->sweep.late;
}

static void find_candidates(const struct mesh *mesh, struct scratch *s)
{
	s->count = 0;
	s->sweep.budget = &s->budget;
	if (out_of_time(s))
		return;
	snug_sweep_load(&s->sweep, s->trial.nfree, s->trial.weight, s->plan.reach);
	for (int i = 0; i < s->plan.nchains && !s->late; i++)
		sweep_chain(mesh, s, &s->plan.chain[i]);
}

/* The best of the boxes; the whole machine trimmed when nothing has been found at all. */
static void measure_boxes(const struct mesh *mesh, struct scratch *s)
{
	static const int origin[MESH_MAX_DIMS] = {0};

	for (int i = 0; i < s->count; i++) {
		/* One set there must be, however long it takes. */
		s->trial.budget = s->trial.nkept ? &s->budget : NULL;
		if (!s->trial.nkept || !out_of_time(s))
			snug_trial_box(&s->trial, s->list[i].base, s->list[i].level->side);
	}
	s->trial.budget = NULL;
	if (!s->trial.nkept)
		snug_trial_box(&s->trial, origin, mesh->side);
	s->trial.budget = &s->budget;
}

/* The places of the boxes that suit the job best. */
static void measure_shapes(const struct mesh *mesh, struct scratch *s, int places)
{
	const struct snug_ideal *ideal = s->price->ideal;

	for (int i = 0; i < ideal->nshapes && !out_of_time(s); i++) {
		int side[MESH_MAX_DIMS];

		for (int d = 0; d < MESH_MAX_DIMS; d++)
			side[d] = ideal->side[s->price->pattern][i][d];
		snug_chain_of(&s->shape, mesh, side);
		s->count = 0;
		s->limit = places;
		sweep_chain(mesh, s, &s->shape);
		snug_trial_group(&s->trial, places);
		for (int c = 0; c < s->count && !out_of_time(s); c++)
			snug_trial_box(&s->trial, s->list[c].base, side);
	}
}

/* Sets while they are priced: the best n matter. */
struct bids {
	int n;
	double best[AHEAD_SETS]; /* the best n scores, ascending */
	struct forecast_part part[SNUG_KEPT];
};

static void note_score(struct bids *bids, double score)
{
	int at = bids->n;

	for (; at > 0 && score < bids->best[at - 1]; at--)
		if (at < bids->n)
			bids->best[at] = bids->best[at - 1];
	if (at < bids->n)
		bids->best[at] = score;
}

/* The second part of a set's price. */
static bool finish_price(struct scratch *s, struct bids *bids, int i)
{
	struct snug_kept *set = &s->trial.kept[i];
	double border = SNUG_BORDER * set->border;

	if (out_of_time(s) ||
		!snug_price_rest(s->price, set, bids->best[bids->n - 1] - border, &bids->part[i]))
		return false;
	set->score = bids->part[i].cost + border;
	note_score(bids, set->score);
	return true;
}

/* The set with the least price of those that are not known whole; -1: none may be among the best n. */
static int next_open(const struct scratch *s, const struct bids *bids)
{
	int next = -1;

	for (int i = 0; i < s->trial.nkept; i++)
		if (bids->part[i].steps >= 0 && s->trial.kept[i].score < bids->best[bids->n - 1] &&
			(next < 0 || s->trial.kept[i].score < s->trial.kept[next].score))
			next = i;
	return next;
}

/*
 * What each of the sets kept costs in time, and how much border it makes; the best first. The best
 * n matter. The time is hardly ever below FORECAST_LEAST: a set whose border alone is too much is
 * not priced. The first n are priced whole, of the others those that may be better.
 */
static void price_sets(struct scratch *s, int n)
{
	struct snug_trial *trial = &s->trial;
	struct bids bids = {.n = n};
	struct forecast_part first[2]; /* known beforehand: */
	int left = WORK / trial->count > 2 ? WORK / trial->count : 2, next, two = 0;

	for (int i = 0; i < n; i++)
		bids.best[i] = HUGE_VAL;
	snug_trial_order(trial);
	if (s->aside && trial->nkept > 1 && left > 1 && trial->count >= SIDE_BY_SIDE)
		two = snug_price_two(s->price, trial->kept, s->aside, first) ? 2 : 0;
	for (int i = 0; i < trial->nkept; i++) {
		bids.part[i].steps = -1;
		trial->kept[i].score += UNPRICED;
	}
	for (int i = 0; i < trial->nkept; i++) {
		struct snug_kept *set = &trial->kept[i];
		double border = SNUG_BORDER * set->border, most = bids.best[n - 1] - border;

		if (left <= 0 || FORECAST_LEAST >= most || out_of_time(s))
			continue;
		left--;
		if (i < two) {
			bids.part[i] = first[i];
			if (first[i].cost < bids.best[0] - border)
				snug_price_expect(s->price, i);
		} else if (!snug_price_part(s->price, set, bids.best[0] - border, most, &bids.part[i])) {
			bids.part[i].steps = -1;
			continue;
		}
		set->score = bids.part[i].cost + border;
		if (bids.part[i].steps < 0)
			note_score(&bids, set->score);
		else if (i < n && !finish_price(s, &bids, i))
			break;
	}
	while ((next = next_open(s, &bids)) >= 0 && finish_price(s, &bids, next)) {
	}
	for (int i = 0; i < trial->nkept; i++)
		trial->kept[i].score += bids.part[i].steps >= 0 ? UNPRICED : 0;
	snug_trial_order(trial);
}

/* Sets from number `first` on, each `step`-th, with all things considered. */
struct looks {
	struct scratch *s;
	struct snug_ahead *ahead;
	const struct mesh_state *state;
	const struct mesh_request *request;
	int first, step, sets;
	double *cost; /* [sets] HUGE_VAL where there is no time */
};

static void look_ahead(void *data)
{
	const struct looks *looks = data;
	const struct snug_trial *trial = &looks->s->trial;
	int *node = looks->first ? looks->s->asked[1] : looks->s->asked[0];

	for (int i = looks->first; i < looks->sets && !mesh_budget_late(&looks->s->budget); i += looks->step) {
		snug_trial_answer(trial, &trial->kept[i], looks->state->free, looks->request->required, node);
		looks->cost[i] = trial->kept[i].score +
			SNUG_NEXT * snug_ahead_hops(looks->ahead, node, trial->count);
	}
}

/* The second who looks ahead, with strategies of his own, made when he is first needed. -1: no memory. */
static int ready_second(struct scratch *s, const struct mesh_state *state, const struct mesh_request *request)
{
	const struct mesh *mesh = s->trial.mesh;
	struct mesh_err err;

	for (int i = 0; i < OTHERS_AHEAD; i++)
		if (!s->asides[i] && !(s->asides[i] = strategy_new(strategy_find(others[i]), mesh, &err)))
			return -1;
	if (!s->second.node && snug_ahead_init(&s->second, mesh, s->asides, OTHERS_AHEAD, AHEAD)) {
		snug_ahead_release(&s->second);
		s->second = (struct snug_ahead){0};
		return -1;
	}
	snug_ahead_start(&s->second, state, request->time_limit);
	return 0;
}

/* Which of the first n sets: all things considered, the jobs that wait next among them. */
static int choose_set(struct scratch *s, const struct mesh_state *state,
	const struct mesh_request *request, int n)
{
	double least = HUGE_VAL, cost[AHEAD_SETS];
	int chosen = 0, sets = n < s->trial.nkept ? n : s->trial.nkept;
	bool two = s->aside && sets > 1 && !ready_second(s, state, request);
	struct looks looks = {s, &s->ahead, state, request, 0, 1 + two, sets, cost};
	struct looks odd = {s, &s->second, state, request, 1, 2, sets, cost};

	if (n < 2 || s->late)
		return 0;
	for (int i = 0; i < sets; i++)
		cost[i] = HUGE_VAL;
	if (two)
		aside_begin(s->aside, look_ahead, &odd);
	look_ahead(&looks);
	if (two)
		aside_end(s->aside);
	for (int i = 0; i < sets; i++) {
		s->late |= cost[i] == HUGE_VAL;
		if (cost[i] < least) {
			least = cost[i];
			chosen = i;
		}
	}
	return chosen;
}

/* What does not depend on candidates: it may be done beside the search for these. */
struct beside {
	struct scratch *s;
	const struct mesh_state *state;
	const struct mesh_request *request;
};

static void do_beside(void *data)
{
	const struct beside *beside = data;
	struct scratch *s = beside->s;

	s->priced = s->price && beside->request->count > 1 &&
		snug_price_start(s->price, beside->state, beside->request, &s->plan, &s->budget);
	ask_others(s, beside->state, beside->request);
}

/* The sets that are worth a closer look, best first; which of them. */
static int find_set(const struct mesh *mesh, struct scratch *s, const struct mesh_state *state,
	const struct mesh_request *request)
{
	struct snug_trial *trial = &s->trial;
	const struct effort *effort = request->pattern == COMM_NONE ? &effort_mix : &effort_told;
	int most = WORK / request->count, sets = 1;
	struct beside beside = {s, state, request};

	/* More than one set is of use only where the next jobs decide between them. */
	if (s->ahead.jobs) {
		snug_ahead_start(&s->ahead, state, request->time_limit);
		if (snug_ahead_depends(&s->ahead, request->count))
			sets = s->next ? AHEAD_SETS : effort->ahead;
	}
	aside_begin(s->aside, do_beside, &beside);
	s->limit = most > CANDIDATES ? CANDIDATES : most < 2 ? 2 : most;
	find_candidates(mesh, s);
	aside_end(s->aside);
	snug_trial_group(trial, s->priced ? OTHERS : sets);
	measure_others(s);
	if (s->priced)
		snug_trial_group(trial, effort->boxes);
	measure_boxes(mesh, s);
	if (s->priced) {
		measure_shapes(mesh, s, effort->places);
		price_sets(s, sets);
	}
	return choose_set(s, state, request, sets);
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = strategy->scratch;
	struct snug_trial *trial = &s->trial;
	int per_vertex = mesh->nodes_per_vertex, k = request->count, chosen = 0;
	int vertices = (k + per_vertex - 1) / per_vertex;
	double share = nodeset_count(state->free) / (double)mesh->nnodes;
	double alpha = alpha_of(state, request, 1 - share);

	mesh_budget_start(&s->budget, request->budget_ns);
	s->late = false;
	s->aside = mesh->nvertices >= LARGE && request->budget_ns <= 0 ? strategy->aside : NULL;
	trial->count = k;
	trial->nkept = 0;
	load(mesh, s, state, request);
	load_pinned(mesh, s, request->required);
	if (request->hint == MESH_HINT_SCATTER) {
		snug_trial_scatter(trial);
		forget_free(mesh, s);
	} else {
		snug_plan_make(&s->plan, mesh, vertices, vertices / share * 3 + 8);
		trial->hop_weight = s->plan.hops > 0 ? 1 / s->plan.hops : 1;
		trial->exposure_weight =
			s->plan.surface > 0 ? alpha / SNUG_UNIT / s->plan.surface : 0;
		chosen = find_set(mesh, s, state, request);
	}
	snug_trial_answer(trial, &trial->kept[chosen], state->free, request->required, answer->node);
	answer->count = k;
	answer->cost = trial->kept[chosen].score;
	answer->out_of_time = s->late;
	return MESH_OK;
}

/* --- looking ahead ---------------------------------------------------------------------- */

/* snug for the next jobs, which looks no further. */
static const struct strategy_ops next_ops = {
	.name = "snug", .init = init_next, .release = release, .decide = decide};

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s;
	int failed;

	if (init_next(strategy, err))
		return -1;
	s = strategy->scratch;
	if (mesh->nvertices <= PRICE_LARGEST &&
		(!(s->price = calloc(1, sizeof(*s->price))) || snug_price_init(s->price, mesh)))
		return err_printf(err, "out of memory");
	if (mesh->nvertices > SMALL) {
		failed = snug_ahead_init(&s->ahead, mesh, s->other, OTHERS_AHEAD, AHEAD);
	} else {
		if (!(s->next = strategy_new(&next_ops, mesh, err)))
			return -1;
		failed = snug_ahead_init(&s->ahead, mesh, &s->next, 1, AHEAD_SMALL);
	}
	return failed ? err_printf(err, "out of memory") : 0;
}

const struct strategy_ops strategy_snug_family[] = {
	{
		.name = "snug",
		.summary = "compact for the job and whole for what is left free",
		.source = "this project; the question is in Bender et al. 2005, section 6",
		.time = "O(n 2^d levels)",
		.flags = STRATEGY_QUEUE,
		.init = init,
		.release = release,
		.decide = decide,
	},
	{0},
};
