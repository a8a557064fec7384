/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Chooses among grids that are grown in several ways: the one with the fewest cables beside it and
 * missing in it.
 *
 * One cable too much at a vertex where the growth begins can turn a torus into another grid, which
 * has all cables and misses many. Other beginnings, and the graph without the cables that look like
 * too much, find the right one. This is done for each part of the graph alone, as long as it is
 * cheap: a part that one grid explains but for a cable is left as it is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "import/grow.h"
#include "import/judge.h"
#include "sim/need.h"

/*
 * The work of all other ways to grow a part, in ends of cables; and how many are tried in any case
 * if the grids are bad.
 */
enum { WORK = 1 << 15, TRIES = 3 };

/* --- what a grid costs ---------------------------------------------------------------- */

/* Count the cables that a grid misses, as DownLinks= has them, for the part of each. */
static void count_down(const struct grids *grids, int number, const struct cables *c,
	const int *part_of, int64_t *cost)
{
	struct arena arena = {0};
	const struct grid *grid = &grids->grid[number];
	int *cell = grids_cells(grids, number, &arena), at[GRID_DIMS];

	for (int v = 0; v < c->nvertices; v++)
		for (int i = 0; grids->grid_of[v] == number && i < 2 * grid->ndims; i++) {
			int d = i / 2, u;

			memcpy(at, grids->at[v], sizeof(at));
			if ((at[d] = grid_next(grid, d, at[d], i % 2 ? -1 : 1)) < 0)
				continue;
			u = cell[grid_cell(grid, at)];
			/* Two vertices see it both, so one of them counts. */
			cost[part_of[v]] += u < 0 || (i % 2 && !cables_joined(c, v, u));
		}
	arena_release(&arena);
}

/* Count the cables beside grids and missing in them, for each part. */
static void count_cost(const struct grids *grids, const struct cables *c, const int *part_of,
	int64_t *cost)
{
	for (int i = 0; i < c->ncables; i++)
		cost[part_of[c->cable[i][0]]] +=
			grids_along(grids, c->cable[i][0], c->cable[i][1]) < 0;
	for (int i = 0; i < grids->ngrids; i++)
		count_down(grids, i, c, part_of, cost);
}

/* --- one part ------------------------------------------------------------------------- */

struct choice {
	struct arena arena;
	struct cables part; /* the part alone: nvertices, ncables, cable, first, to */
	int *vertex;	    /* [part.nvertices] of the whole */
	int *zero;	    /* [part.nvertices] all are of one part */
	struct grids best;
	int64_t cost, work, budget; /* work, budget: what is left */
};

static void take_part(struct choice *choice, const struct cables *c, const int *part_of, int number)
{
	struct cables *part = &choice->part;
	int *new = need_get(&choice->arena, c->nvertices, sizeof(*new));

	need_array(&choice->arena, choice->vertex, c->nvertices);
	need_array(&choice->arena, choice->zero, c->nvertices);
	need_array(&part->arena, part->cable, c->ncables);
	for (int v = 0; v < c->nvertices; v++)
		if (part_of[v] == number) {
			choice->vertex[part->nvertices] = v;
			new[v] = part->nvertices++;
		}
	for (int i = 0; i < c->ncables; i++)
		if (part_of[c->cable[i][0]] == number) {
			part->cable[part->ncables][0] = new[c->cable[i][0]];
			part->cable[part->ncables++][1] = new[c->cable[i][1]];
		}
	cables_join(part);
}

static int64_t work_of(const struct cables *part)
{
	return 64 + 2 * (int64_t)part->ncables;
}

/* Grow grids without some cables (NULL: with all), and keep them if they are the best. */
static void try(struct choice *choice, const bool *without, int beginning)
{
	const struct cables *part = &choice->part;
	struct cables some = {.nvertices = part->nvertices};
	struct grids grids;
	int64_t cost = 0;

	choice->work -= work_of(part);
	need_array(&some.arena, some.cable, part->ncables);
	for (int i = 0; i < part->ncables; i++)
		if (!without || !without[i])
			memcpy(some.cable[some.ncables++], part->cable[i], sizeof(*some.cable));
	cables_join(&some);
	if (!grids_grow(&grids, &some, beginning, &choice->budget, NULL)) {
		count_cost(&grids, part, choice->zero, &cost);
		if (cost < choice->cost) {
			struct grids worse = choice->best;

			choice->best = grids;
			choice->cost = cost;
			grids = worse;
		}
	}
	arena_release(&grids.arena);
	arena_release(&some.arena);
}

static bool goes_on(const struct choice *choice)
{
	return choice->cost > 1 && choice->budget > 0 &&
		choice->work >= work_of(&choice->part);
}

/* Try the graph without all cables between vertices that have more cables than most. */
static void try_fewer(struct choice *choice)
{
	const struct cables *part = &choice->part;
	bool *without = need_get(&choice->arena, part->ncables, sizeof(*without)), any = false;
	int count[CABLES_MAX_DEGREE + 1] = {0}, most = 0;

	for (int v = 0; v < part->nvertices; v++)
		count[part->first[v + 1] - part->first[v]]++;
	for (int i = 0; i <= CABLES_MAX_DEGREE; i++)
		most = count[i] > count[most] ? i : most;
	for (int i = 0; i < part->ncables; i++) {
		int a = part->cable[i][0], b = part->cable[i][1];

		without[i] = part->first[a + 1] - part->first[a] > most &&
			part->first[b + 1] - part->first[b] > most;
		any |= without[i];
	}
	if (any && goes_on(choice))
		try(choice, without, 0);
}

/* How many squares a cable is a side of. */
static int count_squares(const struct cables *c, const int *cable)
{
	int n = 0;

	neighbours(u, cable[0], c)
		neighbours(w, cable[1], c)
			n += u != cable[1] && w != cable[0] && u != w && cables_joined(c, u, w);
	return n;
}

/* Try the graph without the cables in the fewest squares: up to an eighth of them at once. */
static void try_without_few(struct choice *choice, const uint64_t *order, bool *without)
{
	int n = 0, ncables = choice->part.ncables;

	for (int i = 0, j; i < ncables && goes_on(choice); i = j) {
		for (j = i; j < ncables && order[j] >> 32 == order[i] >> 32;)
			j++;
		if (8 * (int64_t)j > ncables)
			break;
		for (; n < j; n++)
			without[order[n] & UINT32_MAX] = true;
		try(choice, without, 0);
	}
	while (n > 0)
		without[order[--n] & UINT32_MAX] = false;
}

/*
 * Try the graph without cables that are in few squares: several, then each alone; one without which
 * the grids are better stays out.
 */
static void try_without(struct choice *choice)
{
	const struct cables *part = &choice->part;
	bool *without = need_get(&choice->arena, part->ncables, sizeof(*without));
	uint64_t *order = need_get(&choice->arena, part->ncables, sizeof(*order));

	/* No grid is near. */
	if (2 * choice->cost > part->ncables || !goes_on(choice))
		return;
	for (int i = 0; i < part->ncables; i++)
		order[i] = (uint64_t)count_squares(part, part->cable[i]) << 32 | (uint64_t)i;
	sort_u64(order, part->ncables);
	try_without_few(choice, order, without);
	for (int i = 0; i < part->ncables && goes_on(choice); i++) {
		int cable = (int)(order[i] & UINT32_MAX);
		int64_t cost = choice->cost;

		without[cable] = true;
		try(choice, without, 0);
		without[cable] = choice->cost < cost;
	}
}

/* --- all parts ------------------------------------------------------------------------ */

/* Put the best grids of a part in place of those that it has, if there is room. */
static void replace(struct grids *grids, const struct choice *choice)
{
	bool *has = need_get(&grids->arena, grids->ngrids, sizeof(*has));
	int number[MESH_MAX_MESHES], more = choice->best.ngrids, old = 0;

	for (int i = 0; i < choice->part.nvertices; i++)
		has[grids->grid_of[choice->vertex[i]]] = true;
	for (int i = 0; i < grids->ngrids; i++)
		more -= has[i];
	if (grids->ngrids + more > MESH_MAX_MESHES)
		return;
	for (int i = 0; i < more; i++)
		grids_add(grids);
	for (int i = 0; i < choice->best.ngrids; i++) {
		while (old < grids->ngrids - more && !has[old])
			old++;
		grids->grid[old] = choice->best.grid[i];
		number[i] = old++;
	}
	for (int i = 0; i < choice->part.nvertices; i++) {
		int v = choice->vertex[i];

		grids->grid_of[v] = number[choice->best.grid_of[i]];
		memcpy(grids->at[v], choice->best.at[i], sizeof(grids->at[v]));
	}
}

/* Forget grids without vertices. */
static void forget_empty(struct grids *grids)
{
	int *number = need_get(&grids->arena, grids->ngrids, sizeof(*number)), n = 0;

	for (int v = 0; v < grids->nvertices; v++)
		number[grids->grid_of[v]] = 1;
	for (int i = 0; i < grids->ngrids; i++)
		if (number[i]) {
			grids->grid[n] = grids->grid[i];
			number[i] = n++;
		}
	for (int v = 0; v < grids->nvertices; v++)
		grids->grid_of[v] = number[grids->grid_of[v]];
	grids->ngrids = n;
}

/* Find better grids for a part whose grids have this cost. */
static void improve(struct grids *grids, const struct cables *c, const int *part_of, int number,
	int64_t cost)
{
	struct choice choice = {.cost = cost, .work = WORK};

	take_part(&choice, c, part_of, number);
	choice.budget = grow_budget(&choice.part);
	if (16 * cost > choice.part.ncables && choice.work < TRIES * work_of(&choice.part))
		choice.work = TRIES * work_of(&choice.part);
	try_fewer(&choice);
	for (int i = 1; i <= BEGINNINGS && goes_on(&choice); i++)
		try(&choice, NULL, i);
	try_without(&choice);
	if (choice.cost < cost)
		replace(grids, &choice);
	arena_release(&choice.best.arena);
	arena_release(&choice.part.arena);
	arena_release(&choice.arena);
}

int grids_find(struct grids *grids, const struct cables *c, struct mesh_err *err)
{
	int64_t budget = grow_budget(c), *cost;
	struct parts parts = {.nparts = 0};

	if (grids_grow(grids, c, 0, &budget, err))
		return 1;
	parts_find(&parts, c);
	cost = need_get(&parts.arena, parts.nparts, sizeof(*cost));
	count_cost(grids, c, parts.of, cost);
	for (int i = 0; i < parts.nparts; i++)
		if (cost[i] > 1)
			improve(grids, c, parts.of, i, cost[i]);
	forget_empty(grids);
	arena_release(&parts.arena);
	return 0;
}
