/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/judge.h"

#include "base/sort.h"
#include "sim/need.h"

enum { HUBS = 8, HUB_CABLES = 5 }; /* the most hubs, and the least cables of one */

/* --- hubs ----------------------------------------------------------------------------- */

static int degree(const struct cables *c, int v)
{
	return c->first[v + 1] - c->first[v];
}

/* Would three quarters of its neighbours still have other cables? */
static bool is_beside_a_net(const struct cables *c, int v, int nhubs)
{
	int others = 0;

	neighbours(u, v, c)
		others += degree(c, u) > nhubs;
	return 4 * others >= 3 * degree(c, v);
}

static bool is_cabled_to_most(const struct cables *c, int v, int nhubs)
{
	return degree(c, v) >= HUB_CABLES && 4 * degree(c, v) >= 3 * (c->nvertices - nhubs);
}

/*
 * How many of the vertices, in the order of most cables, are hubs. Where all are cabled to each
 * other none is.
 */
static int count_hubs(const struct cables *c, const uint64_t *order)
{
	for (int n = 1; n <= HUBS && n < c->nvertices; n++) {
		int v = (int)(order[n - 1] & UINT32_MAX), next = (int)(order[n] & UINT32_MAX);
		int rest = degree(c, next) > n ? degree(c, next) - n : 1;

		if (!is_cabled_to_most(c, v, n) || !is_beside_a_net(c, v, n))
			return 0;
		if (degree(c, v) >= 2 * rest && !is_cabled_to_most(c, next, n + 1))
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
		order[v] = (uint64_t)(INT32_MAX - degree(c, v)) << 32 | (uint64_t)v;
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

void parts_find(struct parts *parts, const struct cables *c)
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
		int *cell = grids_cells(grids, i, &parts->arena);

		for (int v = 0; v < c->nvertices; v++)
			for (int d = 0; grids->grid_of[v] == i && d < grid->ndims; d++) {
				int at[GRID_DIMS], u;

				for (int e = 0; e < GRID_DIMS; e++)
					at[e] = grids->at[v][e];
				if ((at[d] = grid_next(grid, d, at[d], 1)) < 0)
					continue;
				u = cell[grid_cell(grid, at)];
				parts->part[parts->of[v]].missing +=
					u >= 0 && !cables_joined(c, v, u);
			}
	}
}

/* A cable in a grid as a number, so that cables along one dimension are neighbours in order. */
static uint64_t along_key(const struct grids *grids, int a, int d, int lanes)
{
	return ((uint64_t)grids->grid_of[a] * GRID_DIMS + (uint64_t)d) << 32 | (uint64_t)lanes;
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

		part->inside += d >= 0;
		part->between += grids->grid_of[a] != grids->grid_of[b];
		part_of[grids->grid_of[a]] = parts->of[a];
		if (d >= 0)
			key[n++] = along_key(grids, a, d, c->lanes[i]);
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
	parts_find(parts, c);
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
