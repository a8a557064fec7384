/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cheapest place to clear, and what free nodes are worth, against looking at every box vertex
 * by vertex.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/legal.h"
#include "sim/engine.h"
#include "conf/strategies.h"
#include "sim/clear.h"
#include "sim/vacancy.h"
#include "support.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

enum { MOST_JOBS = 12 };

struct scene {
	struct mesh *mesh;
	struct nodeset usable, free;
	struct clear_job job[MOST_JOBS];
	int njobs;
	struct boxplan plan;
};

/* Is it a place: legal, and not over an edge that does not wrap? */
static bool is_place(const struct mesh *mesh, const int *base, const int *side)
{
	for (int d = 0; d < mesh->ndims; d++)
		if (!mesh->wrap[d] && base[d] + side[d] > mesh->side[d])
			return false;
	for (int i = 0; i < mesh->nlegal; i++)
		if (!memcmp(mesh->legal[i].side, side, (size_t)mesh->ndims * sizeof(*side)))
			for (struct legal_walk w = legal_walk(mesh, &mesh->legal[i]); !w.done;
				legal_next(&w))
				if (!memcmp(w.base, base, (size_t)mesh->ndims * sizeof(*base)))
					return true;
	return !mesh->nlegal;
}

static bool is_in(const struct mesh *mesh, int v, const int *base, const int *side)
{
	for (int d = 0; d < mesh->ndims; d++)
		if ((mesh->coord[v][d] - base[d] + mesh->side[d]) % mesh->side[d] >= side[d])
			return false;
	return true;
}

/* What it costs to clear one box, and by which jobs, as bits; -1: it cannot be. */
static int64_t plain_cost(const struct scene *s, const int *base, const int *side, unsigned *jobs)
{
	const struct mesh *mesh = s->mesh;
	int64_t cost = 0;

	*jobs = 0;
	if (!is_place(mesh, base, side))
		return -1;
	for (int v = 0; v < mesh->nvertices; v++) {
		if (!is_in(mesh, v, base, side))
			continue;
		if (mesh_nodes_on(mesh, v) < mesh->nodes_per_vertex)
			return -1;
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			if (!nodeset_has(&s->usable, mesh->node_at[i]))
				return -1;
	}
	for (int j = 0; j < s->njobs; j++)
		for (int i = 0; i < s->job[j].count; i++)
			if (is_in(mesh, mesh->vertex_of[s->job[j].node[i]], base, side))
				*jobs |= 1U << j;
	for (int j = 0; j < s->njobs; j++)
		if (*jobs >> j & 1) {
			if (s->job[j].cost == CLEAR_STAYS)
				return -1;
			cost += s->job[j].cost;
		}
	return cost;
}

static void base_of(const struct mesh *mesh, int v, int *base)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		base[d] = mesh->coord[v][d];
}

static int64_t plain_least(const struct scene *s)
{
	int64_t least = INT64_MAX;

	for (int r = 0; r < s->plan.count; r++)
		for (int v = 0; v < s->mesh->nvertices; v++) {
			int base[MESH_MAX_DIMS];
			unsigned jobs;
			int64_t cost;

			base_of(s->mesh, v, base);
			cost = plain_cost(s, base, s->plan.row[r].side, &jobs);
			if (cost >= 0 && cost < least)
				least = cost;
		}
	return least;
}

/* Jobs of any nodes; some share theirs. Costs are small, so that many are equal, or do not fit 32
 * bits. */
static void make_jobs(uint64_t *seed, struct scene *s)
{
	int n = s->mesh->nnodes;
	bool large = random_int(seed, 0, 1);

	s->njobs = random_int(seed, 0, MOST_JOBS);
	nodeset_set_all(&s->usable);
	for (int i = 0; i < n; i++)
		if (!random_int(seed, 0, 30))
			nodeset_del(&s->usable, i);
	nodeset_copy(&s->free, &s->usable);
	for (int j = 0; j < s->njobs; j++) {
		int *node = malloc((size_t)n * sizeof(*node)), from = random_int(seed, 0, n - 1);

		assert_non_null(node);
		s->job[j] = (struct clear_job){.node = node,
			.cost = random_int(seed, 0, 9)
				? random_int(seed, 0, 20) * (large ? INT64_C(7000000001) : 1)
				: CLEAR_STAYS};
		for (int i = from; i < n && i < from + n / 3; i += random_int(seed, 1, 3)) {
			node[s->job[j].count++] = i;
			nodeset_del(&s->free, i);
		}
	}
}

static struct mesh *with_shapes(uint64_t *seed)
{
	struct mesh_placement legal[3] = {{.side = {0}}};
	struct mesh_spec spec = {.name = "legal",
		.ndims = 2,
		.side = {random_int(seed, 2, 6), random_int(seed, 2, 6)},
		.wrap = {random_int(seed, 0, 1), random_int(seed, 0, 1)},
		.nodes_per_vertex = random_int(seed, 1, 2),
		.legal = legal,
		.nlegal = random_int(seed, 1, 3)};
	struct mesh_err err;
	struct mesh *mesh;

	spec.nnodes = spec.side[0] * spec.side[1] * spec.nodes_per_vertex;
	for (int i = 0; i < spec.nlegal; i++)
		for (int d = 0; d < MESH_MAX_DIMS; d++) {
			legal[i].side[d] = d < 2 ? random_int(seed, 1, spec.side[d]) : 1;
			legal[i].step[d] = d < 2 ? random_int(seed, 1, spec.side[d]) : 1;
		}
	mesh = mesh_new(&spec, &err);
	if (!mesh)
		fail_msg("%s", err.text);
	return mesh;
}

static void make_scene(uint64_t *seed, struct scene *s)
{
	struct mesh_request request = {0};
	struct mesh_err err;

	memset(s, 0, sizeof(*s));
	s->mesh = random_int(seed, 0, 3) ? random_mesh(seed, 4, 60) : with_shapes(seed);
	assert_int_equal(nodeset_init(&s->usable, s->mesh->nnodes) |
			nodeset_init(&s->free, s->mesh->nnodes) |
				boxplan_init(&s->plan, s->mesh, &arena),
		0);
	make_jobs(seed, s);
	request.count = random_int(seed, 1, s->mesh->nnodes);
	if (boxplan_make(&s->plan, &request, (int[MESH_MAX_DIMS]){1, 1, 1, 1, 1, 1}, &err))
		s->plan.count = 0;
}

static void release_scene(struct scene *s)
{
	for (int j = 0; j < s->njobs; j++)
		free((int *)(uintptr_t)s->job[j].node);
	arena_release(&arena);
	nodeset_release(&s->usable);
	nodeset_release(&s->free);
	mesh_free(s->mesh);
}

static void clear_once(uint64_t *seed)
{
	struct mesh_budget budget;
	struct clear_answer answer;
	struct clear_question question;
	struct scene s;
	unsigned jobs;
	int64_t least;
	int found;

	make_scene(seed, &s);
	mesh_budget_start(&budget, 0);
	least = plain_least(&s);
	question = (struct clear_question){s.mesh, &s.usable, s.job, s.njobs, s.plan.row,
		s.plan.count, INT64_MAX};
	found = clear_find(&question, &budget, &answer, &arena);
	assert_int_equal(found, least < INT64_MAX);
	if (found) {
		assert_int_equal(answer.cost, least);
		assert_false(answer.late);
		assert_int_equal(plain_cost(&s, answer.box.base, answer.box.side, &jobs), least);
		for (int i = 0; i < answer.njobs; i++)
			jobs ^= 1U << answer.job[i];
		assert_int_equal(jobs, 0);
		/* Neither less nor more than what it may cost. */
		question.most = least;
		assert_true(clear_find(&question, &budget, &answer, &arena));
		question.most = least - 1;
		assert_false(clear_find(&question, &budget, &answer, &arena));
	}
	release_scene(&s);
}

static void cheapest_is_cheapest(void **state)
{
	(void)state;
	for (struct rounds r = rounds(5, 1500); rounds_next(&r);)
		clear_once(&r.seed);
}

/* The time may be over; what was found by then is still a place, at its price. */
static void ends_in_time(void **state)
{
	enum { SIDE = 46, JOBS = 4000, EACH = 24 };
	struct mesh *mesh = make_mesh(3, (int[]){SIDE, SIDE, SIDE}, 7, 1);
	struct clear_job *job = calloc(JOBS, sizeof(*job));
	int *node = malloc(sizeof(*node) * JOBS * EACH);
	struct mesh_request request = {.count = 20000};
	struct boxplan plan = {0};
	struct clear_answer answer;
	struct mesh_budget budget;
	struct nodeset usable;
	struct mesh_err err;
	uint64_t seed = 3;

	(void)state;
	assert_int_equal(
		nodeset_init(&usable, mesh->nnodes) | boxplan_init(&plan, mesh, &arena), 0);
	nodeset_set_all(&usable);
	for (int j = 0; j < JOBS; j++) {
		job[j] = (struct clear_job){&node[j * EACH], EACH, random_int(&seed, 1, 1000000)};
		for (int i = 0; i < EACH; i++)
			node[j * EACH + i] = j * EACH + i;
	}
	assert_int_equal(
		boxplan_make(&plan, &request, (int[MESH_MAX_DIMS]){1, 1, 1, 1, 1, 1}, &err), 0);
	mesh_budget_start(&budget, 300000000);
	if (clear_find(&(struct clear_question){mesh, &usable, job, JOBS, plan.row, plan.count,
			       INT64_MAX},
		    &budget, &answer, &arena)) {
		int64_t cost = 0;

		for (int i = 0; i < answer.njobs; i++)
			cost += job[answer.job[i]].cost;
		assert_int_equal(cost, answer.cost);
	}
	assert_true(answer.late);
	assert_true(mesh_budget_left(&budget) == 0);
	arena_release(&arena);
	nodeset_release(&usable);
	free(node);
	free(job);
	mesh_free(mesh);
}

/* --- what is free ------------------------------------------------------------------- */

/* As vacancy.c has them. */
static int by_volume(const void *a, const void *b)
{
	const struct boxplan_row *x = a, *y = b;
	int64_t d = x->volume != y->volume ? x->volume - y->volume : x->hops - y->hops;

	return d ? (d > 0) - (d < 0) : memcmp(x->side, y->side, sizeof(x->side));
}

/* Places of a kind on free nodes that hold two vertices, which may be the same; v = -1: all. */
static int plain_places(const struct scene *s, int v, int w)
{
	struct scene idle = {.mesh = s->mesh, .usable = s->free};
	int places = 0, base[MESH_MAX_DIMS];
	unsigned jobs;

	for (int r = 0; r < s->plan.count; r++)
		for (int at = 0; at < s->mesh->nvertices; at++) {
			const int *side = s->plan.row[r].side;

			base_of(s->mesh, at, base);
			places += !plain_cost(&idle, base, side, &jobs) &&
				(v < 0 || (is_in(s->mesh, v, base, side) &&
						  is_in(s->mesh, w, base, side)));
		}
	return places;
}

struct plain_loss {
	int worst, sum, n; /* places; of so many nodes or links */
};

static void add_plain(struct plain_loss *loss, int lost)
{
	loss->worst = lost > loss->worst ? lost : loss->worst;
	loss->sum += lost;
	loss->n++;
}

static bool is_whole(const struct scene *s, int v)
{
	const struct mesh *mesh = s->mesh;

	for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
		if (!nodeset_has(&s->free, mesh->node_at[i]))
			return false;
	return mesh_nodes_on(mesh, v) == mesh->nodes_per_vertex;
}

static void add_links(const struct scene *s, int v, struct plain_loss *loss)
{
	for (int d = 0; d < s->mesh->ndims && is_whole(s, v); d++) {
		int up = mesh_up(s->mesh, v, d);

		if (up >= 0 && is_whole(s, up) && !mesh_is_down(s->mesh, v, d))
			add_plain(loss, plain_places(s, v, up));
	}
}

/* The worst one is that bad, and the mean is that of all. */
static void same_loss(const struct scene *s, const struct vacancy_loss *loss,
	const struct plain_loss *plain, int places)
{
	const int *at = s->mesh->vertex_of;

	assert_int_equal(isnan(loss->worst), !places || !plain->n);
	if (!places || !plain->n)
		return;
	assert_true(fabs(loss->worst * places - plain->worst) < 1e-6);
	assert_true(fabs(loss->mean * places * plain->n - plain->sum) < 1e-6 * plain->n);
	assert_int_equal(plain_places(s, at[loss->node], at[loss->to < 0 ? loss->node : loss->to]),
		plain->worst);
}

static void fit_kind(struct scene *s, struct vacancy *vacancy, int k)
{
	const struct mesh_request *request = &vacancy->kind[k].request;
	int places, fit = vacancy_fit(vacancy, k, &s->free);
	struct vacancy_risk risk = vacancy_risk(vacancy, k, &s->free);
	struct plain_loss node = {0}, link = {0};
	struct mesh_err err;

	if (boxplan_make(&s->plan, request, (int[MESH_MAX_DIMS]){1, 1, 1, 1, 1, 1}, &err))
		s->plan.count = 0;
	else
		s->plan.count = vacancy_compact(&s->plan, request);
	qsort(s->plan.row, (size_t)s->plan.count, sizeof(*s->plan.row), by_volume);
	assert_int_equal(fit > 0, plain_places(s, -1, -1) > 0);
	s->plan.count = s->plan.count < 12 ? s->plan.count : 12;
	places = plain_places(s, -1, -1);
	assert_true((int64_t)fit * request->count <= nodeset_count(&s->free));
	nodeset_each(i, &s->free)
		add_plain(&node,
			plain_places(s, s->mesh->vertex_of[i], s->mesh->vertex_of[i]));
	for (int v = 0; v < s->mesh->nvertices; v++)
		add_links(s, v, &link);
	same_loss(s, &risk.node, &node, places);
	same_loss(s, &risk.link, &link, places);
}

static void fit_once(uint64_t *seed)
{
	struct vacancy *vacancy;
	struct scene s;

	make_scene(seed, &s);
	vacancy = vacancy_new(s.mesh, &arena);
	for (int k = 0; k < vacancy->nkinds; k++)
		fit_kind(&s, vacancy, k);
	arena_release(&arena);
	release_scene(&s);
}

static void places_are_places(void **state)
{
	(void)state;
	for (struct rounds r = rounds(9, 150); rounds_next(&r);)
		fit_once(&r.seed);
}

/* On an idle machine of whole boxes all of it can be filled; with one node taken in each of them
 * none. */
static void whole_machine(void **state)
{
	struct mesh *mesh = make_mesh(3, (int[]){8, 8, 8}, 0, 1);
	struct vacancy *vacancy = vacancy_new(mesh, &arena);
	struct nodeset free;

	(void)state;
	assert_int_equal(nodeset_init(&free, 512), 0);
	nodeset_set_all(&free);
	for (int k = 0; k < 10; k++)
		assert_int_equal(vacancy_fit(vacancy, k, &free), 512 >> k);
	for (int v = 0; v < 512; v++)
		if (mesh->coord[v][0] % 4 == 3 && mesh->coord[v][1] % 4 == 3 &&
			mesh->coord[v][2] % 4 == 3)
			nodeset_del(&free, v);
	assert_int_equal(vacancy_fit(vacancy, 0, &free), 504);
	assert_int_equal(vacancy_fit(vacancy, 8, &free), 0);
	nodeset_release(&free);
	arena_release(&arena);
	mesh_free(mesh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cheapest_is_cheapest),
		cmocka_unit_test(ends_in_time),
		cmocka_unit_test(places_are_places),
		cmocka_unit_test(whole_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
