/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The boxes that snug finds against all boxes of its chains, one by one: the same estimates, best
 * first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "snug/snug_find.h"
#include "support.h"

/* Of what the tests take; each gives it back. */
static struct arena arena;

/* As in snug_find.c. */
#define LEFT 0.5
#define LARGER 1.4

struct box {
	double score, volume;
	int base[MESH_MAX_DIMS], side[MESH_MAX_DIMS];
};

struct plain {
	const struct mesh *mesh;
	const struct snug_trial *trial;
	const struct nodeset *required;
	struct box list[SNUG_CANDIDATES];
	int count, limit;
	bool *closed; /* [nvertices] bases that have had a box of this chain */
};

static double estimate(const struct plain *p, const struct box *box, double hops, double nodes)
{
	const struct snug_trial *t = p->trial;

	return t->hop_weight * hops * (1 - (1 - t->count / nodes) / p->mesh->ndims) +
		t->exposure_weight *
		(plain_box_faces(p->mesh, t->weight, box->base, box->side) +
			LEFT * (nodes - t->count));
}

static int nodes_of(const struct plain *p, const struct box *box)
{
	return (int)plain_box_sum(p->mesh, p->trial->nfree, box->base, box->side);
}

static bool holds(const struct mesh *mesh, const struct box *box, int vertex)
{
	for (int d = 0; d < mesh->ndims; d++)
		if ((mesh->coord[vertex][d] - box->base[d] + mesh->side[d]) % mesh->side[d] >=
			box->side[d])
			return false;
	return true;
}

static bool holds_pinned(const struct plain *p, const struct box *box)
{
	nodeset_each(i, p->required)
		if (!holds(p->mesh, box, p->mesh->vertex_of[i]))
			return false;
	return true;
}

static double limit_of(const struct plain *p)
{
	return p->count < p->limit ? HUGE_VAL : p->list[p->limit - 1].score;
}

static void keep(struct plain *p, const struct box *box)
{
	int at = p->count;

	if (box->score >= limit_of(p))
		return;
	for (int i = 0; i < p->count; i++)
		if (!memcmp(p->list[i].base, box->base, sizeof(box->base)) &&
			!memcmp(p->list[i].side, box->side, sizeof(box->side)))
			return;
	p->count += p->count < p->limit;
	at = at < p->count ? at : p->count - 1;
	for (; at > 0 && p->list[at - 1].score > box->score; at--)
		p->list[at] = p->list[at - 1];
	p->list[at] = *box;
}

static void try_bases(struct plain *p, const struct snug_level *level)
{
	struct box box = {.volume = level->volume};
	const struct mesh *mesh = p->mesh;
	int bases[MESH_MAX_DIMS], d;

	memcpy(box.side, level->side, sizeof(box.side));
	for (d = 0; d < mesh->ndims; d++)
		bases[d] = !mesh->wrap[d]              ? mesh->side[d] - box.side[d] + 1
			: box.side[d] == mesh->side[d] ? 1
						       : mesh->side[d];
	do {
		bool *closed = &p->closed[mesh_vertex(mesh, box.base)];
		int nodes = nodes_of(p, &box);

		if (!*closed && nodes >= p->trial->count && holds_pinned(p, &box)) {
			*closed = true;
			box.score = estimate(p, &box, level->hops, nodes);
			keep(p, &box);
		}
		for (d = 0; d < mesh->ndims && ++box.base[d] == bases[d]; d++)
			box.base[d] = 0;
	} while (d < mesh->ndims);
}

/* What no box of a level is expected to be below: one of the level before did not have enough. */
static double least(const struct plain *p, const struct snug_chain *chain, int l)
{
	double each = p->mesh->nodes_per_vertex, want = p->trial->count,
	       volume = chain->level[l].volume;
	double spare = l ? (volume - chain->level[l - 1].volume) * each : volume * each - want;

	return p->trial->hop_weight * chain->level[l].hops *
		(1 - (1 - want / (want + spare)) / p->mesh->ndims);
}

static void try_chain(struct plain *p, const struct snug_chain *chain)
{
	double largest = 0;

	for (int i = 0; i < p->count; i++)
		largest = fmax(largest, p->list[i].volume);
	largest = p->count < p->limit ? HUGE_VAL : LARGER * largest;
	memset(p->closed, 0, (size_t)p->mesh->nvertices);
	for (int l = 0; l < chain->nlevels && chain->level[l].volume <= largest &&
		least(p, chain, l) < limit_of(p);
		l++)
		try_bases(p, &chain->level[l]);
}

/* A machine that is partly free, what is wanted, and sometimes nodes that must be in the box. */
static void draw_state(uint64_t *seed, struct snug_trial *t, struct nodeset *required)
{
	const struct mesh *mesh = t->mesh;
	int none = random_int(seed, 0, 9), run = 0, all = 0;
	bool free = false;

	for (int v = 0; v < mesh->nvertices; v++) {
		/* Stretches, as jobs leave them. */
		if (run-- <= 0) {
			run = random_int(seed, 0, 5);
			free = random_int(seed, 0, 9) >= none;
		}
		t->nfree[v] = free ? (uint32_t)random_int(seed, 1, mesh->nodes_per_vertex) : 0;
		t->weight[v] = free;
		all += (int)t->nfree[v];
	}
	t->count = random_int(seed, 1, all > 1 ? all : 1);
	t->npinned = 0;
	if (random_int(seed, 0, 3) == 0 && t->nfree[mesh->vertex_of[mesh->nnodes / 2]]) {
		nodeset_add(required, mesh->nnodes / 2);
		t->npinned = 1;
	}
}

static void same_score(double a, double b)
{
	assert_true(fabs(a - b) <= 1e-5 * (1 + fabs(b)));
}

static void check_found(const struct plain *p, const struct snug_find *find)
{
	for (int i = 0; i < find->count; i++) {
		const struct snug_candidate *c = &find->list[i];
		struct box box = {.volume = c->level->volume};

		memcpy(box.base, c->base, sizeof(box.base));
		memcpy(box.side, c->level->side, sizeof(box.side));
		assert_true(nodes_of(p, &box) >= p->trial->count && holds_pinned(p, &box));
		same_score(c->score, estimate(p, &box, c->level->hops, nodes_of(p, &box)));
		assert_true(!i || c->score >= find->list[i - 1].score);
	}
}

static void find_round(uint64_t *seed)
{
	struct mesh *mesh = random_mesh(seed, 4, 400);
	struct snug_trial trial = {0};
	struct snug_find find;
	struct snug_plan plan;
	struct nodeset required;
	struct plain p = {.mesh = mesh,
		.trial = &trial,
		.required = &required,
		.limit = random_int(seed, 2, SNUG_CANDIDATES),
		.closed = malloc((size_t)mesh->nvertices)};
	int vertices;

	assert_int_equal(snug_trial_init(&trial, mesh, &arena), 0);
	assert_int_equal(snug_find_init(&find, &trial, &arena), 0);
	assert_int_equal(nodeset_init(&required, mesh->nnodes), 0);
	draw_state(seed, &trial, &required);
	vertices = (trial.count + mesh->nodes_per_vertex - 1) / mesh->nodes_per_vertex;
	snug_plan_make(&plan, mesh, vertices, 4.0 * vertices + 8);
	trial.hop_weight = plan.hops > 0 ? 1 / plan.hops : 1;
	trial.exposure_weight =
		plan.surface > 0 ? random_int(seed, 0, 20) * 0.1 / plan.surface : 0;
	snug_find_pinned(&find, trial.npinned ? &required : NULL);
	snug_find_load(&find, plan.reach, NULL);
	snug_find_begin(&find, p.limit);
	for (int i = 0; i < plan.nchains; i++) {
		snug_find_chain(&find, &plan.chain[i]);
		try_chain(&p, &plan.chain[i]);
	}
	assert_false(find.sweep.late);
	check_found(&p, &find);
	assert_int_equal(find.count, p.count);
	for (int i = 0; i < p.count; i++)
		same_score(find.list[i].score, p.list[i].score);
	free(p.closed);
	nodeset_release(&required);
	arena_release(&arena);
	mesh_free(mesh);
}

static void best_boxes(void **state)
{
	(void)state;
	for (struct rounds r = rounds(26, 1500); rounds_next(&r);)
		find_round(&r.seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(best_boxes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
