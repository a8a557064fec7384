/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/judge.h"

#include "base/sort.h"
#include "sim/need.h"

enum { HUBS = 8, HUB_CABLES = 5 }; /* the most hubs, and the least cables of one */

/* --- hubs ----------------------------------------------------------------------------- */

/* Would three quarters of its neighbours still have other cables? */
static bool is_beside_a_net(const struct cables *c, int v, int nhubs)
{
	int others = 0;

	neighbours(u, v, c)
		others += cables_degree(c, u) > nhubs;
	return 4 * others >= 3 * cables_degree(c, v);
}

static bool is_cabled_to_most(const struct cables *c, int v, int nhubs)
{
	int degree = cables_degree(c, v);

	return degree >= HUB_CABLES && 4 * degree >= 3 * (c->nvertices - nhubs);
}

/*
 * How many of the vertices, in the order of most cables, are hubs. Where all are cabled to each
 * other none is.
 */
static int count_hubs(const struct cables *c, const uint64_t *order)
{
	for (int n = 1; n <= HUBS && n < c->nvertices; n++) {
		int v = (int)(order[n - 1] & UINT32_MAX), next = (int)(order[n] & UINT32_MAX);
		int rest = cables_degree(c, next) > n ? cables_degree(c, next) - n : 1;

		if (!is_cabled_to_most(c, v, n) || !is_beside_a_net(c, v, n))
			return 0;
		if (cables_degree(c, v) >= 2 * rest && !is_cabled_to_most(c, next, n + 1))
			return n;
	}
	return 0;
}

int hubs_leave_out(struct cables *c, bool *hub)
{
	struct arena arena = {0};
	uint64_t *order = need_get(&arena, c->nvertices, sizeof(*order));
	int n;

	for (int v = 0; v < c->nvertices; v++)
		order[v] = (uint64_t)(INT32_MAX - cables_degree(c, v)) << 32 | (uint64_t)v;
	sort_u64(order, c->nvertices);
	n = count_hubs(c, order);
	for (int i = 0; i < n; i++)
		hub[order[i] & UINT32_MAX] = true;
	if (n)
		cables_cut(c, hub);
	arena_release(&arena);
	return n;
}

/* --- parts ---------------------------------------------------------------------------- */

/* Find which vertices are connected, in zeroed parts. */
static void find_parts(struct parts *parts, const struct cables *c)
{
	int *queue = need_get(&parts->arena, c->nvertices, sizeof(*queue));

	need_array(&parts->arena, parts->of, c->nvertices);
	for (int v = 0; v < c->nvertices; v++)
		parts->of[v] = -1;
	for (int v = 0, n = 0; v < c->nvertices; v++, n = 0) {
		if (parts->of[v] >= 0)
			continue;
		parts->of[v] = parts->nparts;
		queue[n++] = v;
		for (int i = 0; i < n; i++)
			neighbours(u, queue[i], c)
				if (parts->of[u] < 0) {
					parts->of[u] = parts->nparts;
					queue[n++] = u;
				}
		parts->nparts++;
	}
	need_array(&parts->arena, parts->part, parts->nparts);
}

/* Count the cables that a grid has between its vertices, and the graph lacks. */
static void count_missing(struct parts *parts, const struct grids *grids, const struct cables *c)
{
	for (int i = 0; i < grids->ngrids; i++) {
		const struct grid *grid = &grids->grid[i];
		int *vertex = grids_cells(grids, i, &parts->arena);

		grid_pairs(cell, up, grid)
			if (vertex[cell] >= 0 && vertex[up] >= 0 &&
				!cables_joined(c, vertex[cell], vertex[up]))
				parts->part[parts->of[vertex[cell]]].missing++;
	}
}

/* Judge key[from..to-1], the lanes along one dimension of a grid. Returns what most have. */
static int judge_lanes(struct part *part, const uint64_t *key, int from, int to)
{
	int best = 0, lanes = 0;

	for (int i = from, j; i < to; i = j) {
		for (j = i; j < to && key[j] == key[i];)
			j++;
		if (j - i > best) {
			best = j - i;
			lanes = (int)(key[i] & UINT32_MAX);
		}
	}
	part->odd += to - from - best;
	part->least = !part->least || lanes < part->least ? lanes : part->least;
	part->most = lanes > part->most ? lanes : part->most;
	return lanes;
}

static void count_cables(struct parts *parts, const struct grids *grids, const struct cables *c)
{
	uint64_t *key = need_get(&parts->arena, c->ncables, sizeof(*key));
	int *part_of = need_get(&parts->arena, grids->ngrids, sizeof(*part_of)), n = 0;

	for (int i = 0; i < c->ncables; i++) {
		int a = c->cable[i][0], b = c->cable[i][1], d = grids_along(grids, a, b);
		struct part *part = &parts->part[parts->of[a]];
		uint64_t grid = (uint64_t)grids->grid_of[a];

		part->inside += d >= 0;
		part->between += grids->grid_of[a] != grids->grid_of[b];
		part_of[grid] = parts->of[a];
		/* Cables along one dimension of a grid are neighbours in order. */
		if (d >= 0)
			key[n++] = (grid * GRID_DIMS + (uint64_t)d) << 32 | (uint64_t)c->lanes[i];
	}
	sort_u64(key, n);
	need_array(&parts->arena, parts->usual, (int64_t)grids->ngrids * GRID_DIMS);
	for (int i = 0, j; i < n; i = j) {
		for (j = i; j < n && key[j] >> 32 == key[i] >> 32;)
			j++;
		parts->usual[key[i] >> 32] = judge_lanes(
			&parts->part[part_of[(key[i] >> 32) / GRID_DIMS]], key, i, j);
	}
}

static bool is_explained(const struct part *part)
{
	int beside = part->cables - part->inside - part->between;
	int wrong = beside + part->missing + part->odd;

	return (wrong <= 1 || 8 * (int64_t)wrong <= part->cables) &&
		(part->between <= 1 || 4 * (int64_t)part->between <= part->cables) &&
		part->most <= PART_LANES * part->least;
}

void parts_judge(struct parts *parts, const struct grids *grids, const struct cables *c, bool all)
{
	*parts = (struct parts){.nparts = 0};
	find_parts(parts, c);
	for (int i = 0; i < c->ncables; i++)
		parts->part[parts->of[c->cable[i][0]]].cables++;
	if (!all) {
		count_missing(parts, grids, c);
		count_cables(parts, grids, c);
	}
	for (int i = 0; i < parts->nparts; i++)
		parts->part[i].graph = parts->part[i].cables &&
			(all || !is_explained(&parts->part[i]));
}
