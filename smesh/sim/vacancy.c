/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/vacancy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/human.h"
#include "sim/need.h"

/* The most rows that are looked at; a large number of nodes may have hundreds. */
enum { RISK_ROWS = 12 };

int vacancy_compact(const struct boxplan *plan, const struct mesh_request *request)
{
	const struct boxplan_row *best = plan->row;
	int n = 0;

	while (n < plan->count &&
		(request->shape.ndims ||
			(plan->mesh->nlegal ? plan->row[n].volume == best->volume
					    : plan->row[n].hops <= best->hops + best->hops / 4)))
		n++;
	return n;
}

/* --- kinds -------------------------------------------------------------------------- */

static int descending(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/* Add a box of Shapes= as a kind, unless it is another one turned. */
static void add_shape(struct vacancy *v, const struct mesh_placement *p)
{
	const struct mesh *mesh = v->mesh;
	struct mesh_shape shape = {.ndims = mesh->ndims};
	struct vacancy_kind *kind = &v->kind[v->nkinds];

	memcpy(shape.side, p->side, sizeof(shape.side));
	qsort(shape.side, (size_t)mesh->ndims, sizeof(*shape.side), descending);
	for (int i = 0; i < v->nkinds; i++)
		if (!memcmp(v->kind[i].request.shape.side, shape.side, sizeof(shape.side)))
			return;
	human_sides(mesh->ndims, shape.side, kind->name, sizeof(kind->name));
	kind->request = (struct mesh_request){.shape = shape,
		.count = (int)box_volume(mesh->ndims, shape.side) * mesh->nodes_per_vertex};
	v->nkinds++;
}

static int by_size(const void *a, const void *b)
{
	const struct vacancy_kind *x = a, *y = b;

	return x->request.count != y->request.count ? x->request.count - y->request.count
						    : strcmp(x->name, y->name);
}

struct vacancy *vacancy_new(const struct mesh *mesh, struct arena *arena)
{
	struct vacancy *v = need_get(arena, 1, sizeof(*v));

	v->mesh = mesh;
	need_array(arena, v->lost, mesh->nvertices);
	need_array(arena, v->cut, mesh->nvertices * mesh->ndims);
	need_array(arena, v->kind, mesh->nlegal + 32);
	need_done(boxplan_init(&v->plan, mesh, arena));
	need_done(bitbox_init(&v->bits, mesh, arena));
	need_done(largebox_init(&v->large, mesh, arena));
	need_done(nodeset_get(&v->left, mesh->nnodes, arena));
	for (int i = 0; i < mesh->nlegal; i++)
		add_shape(v, &mesh->legal[i]);
	for (int64_t k = mesh->nodes_per_vertex; !mesh->nlegal && k <= mesh->nnodes; k *= 2) {
		struct vacancy_kind *kind = &v->kind[v->nkinds++];

		kind->request.count = (int)k;
		snprintf(kind->name, sizeof(kind->name), "%d", kind->request.count);
	}
	qsort(v->kind, (size_t)v->nkinds, sizeof(*v->kind), by_size);
	return v;
}

/* --- what is free ------------------------------------------------------------------- */

/* Plan the boxes of a kind, those that waste least first. Returns how many rows of the plan. */
static int plan_kind(struct vacancy *v, int kind)
{
	const int least[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	const struct mesh_request *request = &v->kind[kind].request;
	struct mesh_err err;
	int rows = boxplan_make(&v->plan, request, least, &err)
		? 0
		: vacancy_compact(&v->plan, request);

	qsort(v->plan.row, (size_t)rows, sizeof(*v->plan.row), boxplan_by_volume);
	v->plan.made = false; /* the rows are in another order now */
	return rows;
}

/* Is each vertex of a box still left? All were when the row began. */
static bool is_left(const struct vacancy *v, const struct mesh_box *box)
{
	box_each(vertex, v->mesh, box)
		if (!nodeset_has(&v->left, v->mesh->node_at[v->mesh->first[vertex]]))
			return false;
	return true;
}

static void take(struct vacancy *v, const struct mesh_box *box)
{
	const struct mesh *mesh = v->mesh;

	box_each(vertex, mesh, box)
		for (int i = mesh->first[vertex]; i < mesh->first[vertex + 1]; i++)
			nodeset_del(&v->left, mesh->node_at[i]);
}

/* Count boxes of a row by first fit, up to `most`. */
static int fit_row(struct vacancy *v, const int *side, int most)
{
	int base[MESH_MAX_DIMS], placed = 0;

	bitbox_load(&v->bits, &v->left);
	bitbox_places(&v->bits, side);
	for (int bit = -1; placed < most && (bit = bitbox_next(&v->bits, bit + 1)) >= 0;) {
		struct mesh_box box;

		bitbox_coord(&v->bits, bit, base);
		box = box_at(v->mesh->ndims, base, side);
		if (!is_left(v, &box))
			continue;
		take(v, &box);
		placed++;
	}
	return placed;
}

int vacancy_fit(struct vacancy *v, int kind, const struct nodeset *free)
{
	int placed = 0, rows = plan_kind(v, kind), nodes = v->kind[kind].request.count, now;

	nodeset_copy(&v->left, free);
	for (int i = 0; i < rows && (now = nodeset_count(&v->left) / nodes); i++)
		placed += fit_row(v, v->plan.row[i].side, now);
	return placed;
}

/* --- failures ----------------------------------------------------------------------- */

/*
 * The places of a row that a link is in: those with a base from which both its ends are reached.
 * These are the places that meet the gap between the ends, a box without a vertex. A box all round
 * a ring has every link of the ring.
 */
static uint32_t places_cut(struct vacancy *v, const int *side, struct mesh_box at, int d)
{
	const struct mesh *mesh = v->mesh;

	if (side[d] == 1)
		return 0;
	at.side[d] = mesh->wrap[d] && side[d] == mesh->side[d];
	at.base[d] += 1 - at.side[d];
	return largebox_lost(&v->large, &at);
}

/* Add to lost[] and cut[] the places of a row that each vertex and each link is in. */
static void count_lost(struct vacancy *v, const int *side)
{
	const struct mesh *mesh = v->mesh;

	bitbox_places(&v->bits, side);
	largebox_load(&v->large, &v->bits, side, v->mesh->side);
	for (int i = 0; v->large.total && i < mesh->nvertices; i++) {
		int at[MESH_MAX_DIMS];

		for (int d = 0; d < mesh->ndims; d++)
			at[d] = mesh->coord[i][d];
		struct mesh_box vertex = box_at(mesh->ndims, at, NULL);

		v->lost[i] += largebox_lost(&v->large, &vertex);
		for (int d = 0; d < mesh->ndims; d++)
			v->cut[i * mesh->ndims + d] += places_cut(v, side, vertex, d);
	}
}

/* Add one node or link to a loss, the n-th one. */
static void add_loss(struct vacancy_loss *loss, double share, int n, int node, int to)
{
	loss->mean = n == 1 ? share : loss->mean + (share - loss->mean) / n;
	if (share <= loss->worst)
		return;
	loss->worst = share;
	loss->node = node;
	loss->to = to;
}

static void weigh_links(const struct vacancy *v, double places, struct vacancy_loss *loss)
{
	const struct mesh *mesh = v->mesh;
	int n = 0;

	for (int i = 0; i < mesh->nvertices; i++)
		for (int d = 0; d < mesh->ndims && bitbox_is_free(&v->bits, i); d++) {
			int up = mesh_up(mesh, i, d);

			if (up >= 0 && bitbox_is_free(&v->bits, up) &&
				!mesh_is_down(mesh, i, d))
				add_loss(loss, v->cut[i * mesh->ndims + d] / places, ++n,
					mesh->node_at[mesh->first[i]],
					mesh->node_at[mesh->first[up]]);
		}
}

struct vacancy_risk vacancy_risk(struct vacancy *v, int kind, const struct nodeset *free)
{
	const struct vacancy_loss none = {(double)NAN, (double)NAN, -1, -1};
	struct vacancy_risk risk = {none, none};
	int rows = plan_kind(v, kind), n = 0;
	double places = 0;

	memset(v->lost, 0, (size_t)v->mesh->nvertices * sizeof(*v->lost));
	memset(v->cut, 0, (size_t)v->mesh->nvertices * (size_t)v->mesh->ndims * sizeof(*v->cut));
	bitbox_load(&v->bits, free);
	for (int i = 0; i < rows && i < RISK_ROWS; i++) {
		count_lost(v, v->plan.row[i].side);
		places += v->large.total;
	}
	if (places <= 0)
		return risk;
	nodeset_each(node, free)
		add_loss(&risk.node, v->lost[v->mesh->vertex_of[node]] / places, ++n, node, -1);
	weigh_links(v, places, &risk.link);
	return risk;
}
