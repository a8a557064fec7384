/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug: compact for the job, and whole for what is left.
 *
 * Bender et al., section 6, leave open how to place a stream of jobs: always taking the best place
 * for each job spoils the places of later jobs. snug minimises
 *
 *     time of communication / least time of a job of this size
 *         +  alpha * exposure / surface of the most compact box
 *
 * The exposure of a set is the number of links from it to free vertices outside (walls, the border
 * and busy vertices do not count): new border between free and busy vertices is what fragments.
 *
 * Candidates are boxes of a few compact shapes, at every base, grown until they hold enough free
 * nodes. Summed-area tables give an estimate for all bases at once. The few best boxes are trimmed
 * to size and measured exactly. So are the answers of a few strategies that fill the gaps of a
 * crowded machine, where no box is good. The sets with the best hops and border are compared by
 * time (snug_price.h), and so are places of the boxes that suit such a job best.
 *
 * O(n * chains * levels * 2^d) additions in plain loops, O(T k d log k) for T candidates.
 */
#include "ask/extras.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "graph/graphpick.h"
#include "snug/snug_chain.h"
#include "snug/snug_find.h"
#include "snug/snug_price.h"
#include "snug/snug_trial.h"
#include "base/simd.h"

enum {
	WORK = 12000,	 /* the most nodes of all candidates together */
	PRICE_LARGEST = 1 << 17, /* vertices; for more, prices take too long */
};

/*
 * Tuned on generated streams and two logs (doc/lab/snug.md). They are macros, so that the script
 * that repeats the tuning can set them.
 */
#ifndef SNUG_ALPHA
#define SNUG_ALPHA 0.2 /* of exposure against time, on an idle machine */
#endif
#ifndef SNUG_BUSY
#define SNUG_BUSY 1.5 /* and so much more when nothing is free */
#endif

/* No set is expected to have a price below this. */
static const double PRICE_LEAST = 0.95;

/* How many sets are priced. */
struct effort {
	int boxes;  /* the best boxes by hops and border */
	int places; /* places of each shape that suits the job best */
};

/* A price takes a third of the time if the job's pattern is known; then more prices help. */
static const struct effort effort_mix = {3, 1}, effort_told = {5, 2};

/* The strategies whose answers are candidates too; each takes microseconds. */
static const char *const others[] = {"gmbs", "hilbert-bf", "snake-bf", "row-bf"};

enum { OTHERS = sizeof(others) / sizeof(*others) };
_Static_assert(OTHERS + 5 + 2 * SNUG_IDEAL_SHAPES <= SNUG_KEPT, "all of effort_told is kept");

struct scratch {
	struct snug_trial trial; /* has the state by vertex */
	struct snug_find find;
	struct snug_plan plan;
	struct snug_price *price; /* NULL: sets are compared by hops */
	struct snug_chain shape;  /* one box that suits the job */
	struct strategy *other[OTHERS];
	struct strategy *cables; /* of a cabled machine, which has only scatter besides */
	struct strategy *scatter; /* for jobs that do not communicate */
	int *asked; /* [nnodes] the answer of one of the others */
	struct graphpick pick; /* if the mesh has a graph; else zeroed */
	struct nodeset loaded; /* the free nodes that trial.nfree is made of */
	struct mesh_budget budget;
	bool late; /* the budget is used up */
};

/* --- memory --------------------------------------------------------------------------- */

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	for (int i = 0; s && i < OTHERS; i++)
		strategy_free(s->other[i]);
	if (!s)
		return;
	strategy_free(s->cables);
	strategy_free(s->scatter);
}

static const struct strategy_ops *other_ops(int i)
{
	const struct strategy_ops *ops = strategy_in(strategy_buddy_family, others[i]);

	return ops ? ops : strategy_in(strategy_curve_family, others[i]);
}

static int init_cables(struct scratch *s, const struct mesh *mesh, struct mesh_err *err)
{
	const struct extras *more = extras(err);

	return more && (s->cables = strategy_new(more->snug_cables, mesh, err)) ? 0 : -1;
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct arena *arena = &strategy->arena;
	struct scratch *s = strategy->scratch = arena_get(arena, 1, sizeof(*s));

	if (!s || !(s->scatter = strategy_new(&strategy_scatter_family[0], mesh, err)))
		return -1;
	if (mesh->cabled)
		return init_cables(s, mesh, err);
	if (snug_trial_init(&s->trial, mesh, arena) ||
		snug_find_init(&s->find, &s->trial, arena) ||
		nodeset_get(&s->loaded, mesh->nnodes, arena) ||
		(mesh->graph && graphpick_init(&s->pick, mesh->graph, arena)) ||
		!arena_array(arena, s->asked, mesh->nnodes))
		return -1;
	for (int i = 0; i < OTHERS; i++)
		if (!(s->other[i] = strategy_new(other_ops(i), mesh, err)))
			return -1;
	if (mesh->nvertices <= PRICE_LARGEST && (!arena_array(arena, s->price, 1) ||
		snug_price_init(s->price, mesh, arena)))
		return err_printf(err, "out of memory");
	return 0;
}

/* --- the state ------------------------------------------------------------------------ */

/*
 * Load the free nodes by vertex, looking only at nodes that have changed since the last decision.
 */
static void load_free(const struct mesh *mesh, struct scratch *s, const struct nodeset *free)
{
	for (int w = 0; w < nodeset_words(free->n); w++) {
		uint64_t change = free->word[w] ^ s->loaded.word[w];

		s->loaded.word[w] = free->word[w];
		for (; change; change &= change - 1) {
			int bit = __builtin_ctzll(change);

			s->trial.nfree[mesh->vertex_of[64 * w + bit]] +=
				free->word[w] >> bit & 1 ? 1 : UINT32_MAX;
		}
	}
}

MESH_VECTORISE static void weigh_free(
	const uint32_t *restrict nfree, uint32_t *restrict weight, int n)
{
	for (int v = 0; v < n; v++)
		weight[v] = nfree[v] != 0;
}

/* Load the required nodes: their vertices, and the coordinates that a box must have. */
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

/* Is the budget used up? Costs a look at the clock, some 30 ns. */
static bool out_of_time(struct scratch *s)
{
	return s->late = s->late || mesh_budget_late(&s->budget);
}

/* --- candidates ----------------------------------------------------------------------- */

/* Measure the answers of the other strategies: that of the first however long it takes. */
static void measure_others(struct scratch *s, const struct mesh_state *state,
	const struct mesh_request *request)
{
	for (int i = 0; i < OTHERS && (!s->trial.nkept || !out_of_time(s)); i++) {
		struct mesh_answer answer = {.node = s->asked};

		if (strategy_ask(s->other[i], state, request, &answer) == MESH_OK)
			snug_trial_nodes(&s->trial, s->asked);
	}
}

/* If links are broken or extra: measure the nodes that are nearest by the graph. */
static void measure_nearest(const struct mesh *mesh, struct scratch *s)
{
	struct graphpick *pick = &s->pick;
	struct snug_trial *trial = &s->trial;
	int first = mesh->graph_first;

	if (out_of_time(s))
		return;
	for (int v = 0; v < mesh->nvertices; v++) {
		pick->nfree[first + v] = (int)trial->nfree[v];
		pick->must[first + v] = trial->pinned[v];
	}
	pick->count = trial->count;
	pick->nmust = trial->npinned;
	if (!graphpick_find(pick))
		return;
	for (int i = 0; i < pick->n; i++)
		pick->vertex[i] -= first;
	snug_trial_vertices(trial, pick->vertex, pick->taken, pick->n);
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

/* Measure the best boxes. */
static void measure_boxes(struct scratch *s)
{
	for (int i = 0; i < s->find.count && !out_of_time(s); i++)
		snug_trial_box(&s->trial, s->find.list[i].base, s->find.list[i].level->side);
}

/* Measure the best places of the boxes that suit the job best. */
static void measure_shapes(const struct mesh *mesh, struct scratch *s, int places)
{
	const struct snug_ideal *ideal = s->price->ideal;

	for (int i = 0; i < ideal->nshapes && !out_of_time(s); i++) {
		int side[MESH_MAX_DIMS];

		for (int d = 0; d < MESH_MAX_DIMS; d++)
			side[d] = ideal->side[i][d];
		snug_chain_of(&s->shape, mesh, side);
		snug_find_begin(&s->find, places);
		snug_find_chain(&s->find, &s->shape);
		s->late |= s->find.sweep.late;
		snug_trial_group(&s->trial, places);
		for (int c = 0; c < s->find.count && !out_of_time(s); c++)
			snug_trial_box(&s->trial, s->find.list[c].base, side);
	}
}

/*
 * Choose the set with the least price and border, or the first one if there is no time for any
 * price. The time is hardly ever below PRICE_LEAST, so a set whose border alone costs too much is
 * not priced.
 */
static int choose_set(struct scratch *s)
{
	struct snug_trial *trial = &s->trial;
	int left = WORK / trial->count > 2 ? WORK / trial->count : 2, chosen = 0;
	double best = HUGE_VAL, price;

	snug_trial_order(trial);
	for (int i = 0; i < trial->nkept && left > 0 && !out_of_time(s); i++) {
		struct snug_kept *set = &trial->kept[i];

		if (PRICE_LEAST + set->border >= best)
			continue;
		left--;
		if (!snug_price_of(s->price, set, &price) ||
			price + set->border >= best)
			continue;
		set->score = best = price + set->border;
		chosen = i;
	}
	return chosen;
}

/* Find the sets worth a closer look, and choose one of them. Returns its index. */
static int find_set(const struct mesh *mesh, struct scratch *s, const struct mesh_state *state,
	const struct mesh_request *request)
{
	struct snug_trial *trial = &s->trial;
	const struct effort *effort = request->pattern == COMM_NONE ? &effort_mix : &effort_told;
	int most = WORK / request->count;
	bool priced = s->price && request->count > 1 &&
		snug_price_start(s->price, request, &s->plan, &s->budget);

	most = most > 2 ? most : 2;
	find_candidates(s, most < SNUG_CANDIDATES ? most : SNUG_CANDIDATES);
	snug_trial_group(trial, priced ? OTHERS : 1);
	measure_others(s, state, request);
	if (mesh->graph)
		measure_nearest(mesh, s);
	if (priced)
		snug_trial_group(trial, effort->boxes);
	measure_boxes(s);
	if (!priced)
		return 0;
	measure_shapes(mesh, s, effort->places);
	return choose_set(s);
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = strategy->scratch;
	struct snug_trial *trial = &s->trial;
	int per_vertex = mesh->nodes_per_vertex, k = request->count, chosen;
	int vertices = (k + per_vertex - 1) / per_vertex;
	double share = nodeset_count(state->free) / (double)mesh->nnodes;
	double alpha = SNUG_ALPHA + SNUG_BUSY * (1 - share);

	if (request->hint == MESH_HINT_SCATTER)
		return strategy_ask(s->scatter, state, request, answer);
	if (s->cables)
		return s->cables->ops->decide(s->cables, state, request, answer);
	mesh_budget_start(&s->budget, request->budget_ns);
	s->late = false;
	trial->budget = &s->budget;
	trial->count = k;
	trial->nkept = 0;
	load_free(mesh, s, state->free);
	weigh_free(trial->nfree, trial->weight, mesh->nvertices);
	load_pinned(mesh, s, request->required);
	snug_plan_make(&s->plan, mesh, vertices, vertices / share * 3 + 8);
	trial->hop_weight = s->plan.hops > 0 ? 1 / s->plan.hops : 1;
	trial->exposure_weight = s->plan.surface > 0 ? alpha / s->plan.surface : 0;
	chosen = find_set(mesh, s, state, request);
	snug_trial_answer(
		trial, &trial->kept[chosen], state->free, request->required, answer->node);
	answer->count = k;
	answer->cost = trial->kept[chosen].score;
	answer->out_of_time = out_of_time(s);
	return MESH_OK;
}

const struct strategy_ops strategy_snug_family[] = {
	{
		.name = "snug",
		.summary = "compact for the job and whole for what is left free",
		.source = "this project; the question is in Bender et al. 2005, section 6",
		.time = "O(n 2^d levels)",
		.flags = STRATEGY_NO_RUNS,
		.init = init,
		.release = release,
		.decide = decide,
	},
	{0},
};
