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
#include "snug/snug_find.h"
#include "snug/snug_price.h"
#include "snug/snug_trial.h"
#include "base/simd.h"

enum {
	WORK = 12000,	 /* nodes that all candidates together may have */
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

/* The score of a set without a price is its hops and border, behind all others. */
static const double UNPRICED = 1e9;

/* Whose answers are candidates too: microseconds each. */
static const char *const others[] = {"gmbs", "hilbert-bf", "snake-bf", "row-bf"};

enum {
	OTHERS = sizeof(others) / sizeof(*others),
	OTHERS_AHEAD = 2, /* the first ones place the next jobs on large machines */
};

struct scratch {
	struct snug_trial trial; /* has the state by vertex, too */
	struct snug_find find;
	struct snug_plan plan;
	struct snug_price *price; /* NULL: sets are compared by hops */
	struct snug_chain shape;  /* one box that suits the job */
	struct snug_ahead ahead, second; /* the latter for a second thread: zeroed until there is one */
	struct strategy *asides[OTHERS_AHEAD];
	struct strategy *other[OTHERS];
	struct strategy *next; /* places the next jobs on a small machine; NULL: the others do */
	int *asked[OTHERS]; /* [nnodes] what each of them answers, where it does */
	bool answered[OTHERS];
	bool priced; /* there are prices */
	struct mesh_aside *aside; /* of this decision; NULL: none */
	struct nodeset loaded; /* the free nodes that trial.nfree is made of */
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
	snug_find_release(&s->find);
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
	if (!s || snug_trial_init(&s->trial, mesh) || snug_find_init(&s->find, &s->trial) ||
		nodeset_init(&s->loaded, mesh->nnodes))
		return err_printf(err, "out of memory");
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
	s->trial.npinned = 0;
	snug_find_pinned(&s->find, required);
	if (!required)
		return;
	nodeset_each(i, required) {
		s->trial.pinned[mesh->vertex_of[i]]++;
		s->trial.npinned++;
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

static void find_candidates(struct scratch *s, int limit)
{
	snug_find_begin(&s->find, limit);
	if (out_of_time(s))
		return;
	snug_find_load(&s->find, s->plan.reach, &s->budget);
	for (int i = 0; i < s->plan.nchains && !s->find.sweep.late; i++)
		snug_find_chain(&s->find, &s->plan.chain[i]);
	s->late |= s->find.sweep.late;
}

/* The best of the boxes; the whole machine trimmed when nothing has been found at all. */
static void measure_boxes(const struct mesh *mesh, struct scratch *s)
{
	static const int origin[MESH_MAX_DIMS] = {0};

	for (int i = 0; i < s->find.count; i++) {
		/* One set there must be, however long it takes. */
		s->trial.budget = s->trial.nkept ? &s->budget : NULL;
		if (!s->trial.nkept || !out_of_time(s))
			snug_trial_box(&s->trial, s->find.list[i].base, s->find.list[i].level->side);
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
		snug_find_begin(&s->find, places);
		snug_find_chain(&s->find, &s->shape);
		s->late |= s->find.sweep.late;
		snug_trial_group(&s->trial, places);
		for (int c = 0; c < s->find.count && !out_of_time(s); c++)
			snug_trial_box(&s->trial, s->find.list[c].base, side);
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
	find_candidates(s, most > SNUG_CANDIDATES ? SNUG_CANDIDATES : most < 2 ? 2 : most);
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
