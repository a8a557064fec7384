/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Chooses among grids that are grown in several ways: the one with the fewest cables beside it and
 * missing in it.
 *
 * One cable too much at a vertex where the growth begins can turn a torus into another grid, which
 * has all cables and misses many. A ladder with a cable missing can become two ladders. Other
 * beginnings, and the graph without cables that look like too much, or with one that seems to be
 * missing, find the right grid. This is done for each part of the graph alone, as long as it is
 * cheap: a part that one grid explains but for a cable is left as it is. Grids that explain a part
 * (judge.c) are not given up for some that do not.
 */
#include <string.h>

#include "base/sort.h"
#include "import/grow.h"
#include "import/judge.h"
#include "sim/need.h"

/*
 * The work of all other ways to grow a part, about the ends of cables in a torus of two dimensions;
 * how many ways are tried in any case where a better grid seems near; and the work for all parts
 * together, about a second.
 */
enum { WORK = 37000, TRIES = 3, WORK_IN_ALL = 40 * WORK };
enum { TAKEN = 256 }; /* vertices and cables that are copied for a unit of work */

enum { WITH = 16 }; /* the most cables that are added at once */

/*
 * A cost is WRONG for each cable beside grids or missing between two vertices, and in a tie as many
 * as there are grids. A cable to a hole costs less: where nodes are missing a grid with holes is
 * better than several. It is not better than fewer grids with fewer cables beside, missing or to
 * holes: a node with hardly a cable left stays in its place.
 */
#define HOLE ((int64_t)4 * MESH_MAX_VERTICES)
#define WRONG (4 * HOLE)

struct price {
	int64_t cost;
	int wrong, grids; /* wrong: the cables beside grids, missing, and to holes */
};

/* --- what a grid costs ---------------------------------------------------------------- */

/* Add what the cables cost that a grid misses, as DownLinks= has them, to the part of each. */
static void count_down(const struct grids *grids, int number, const struct cables *c,
	const int *part_of, struct price *price)
{
	struct arena arena = {0};
	int *vertex = grids_cells(grids, number, &arena);

	grid_pairs(cell, up, &grids->grid[number]) {
		int a = vertex[cell], b = vertex[up];
		bool hole = a < 0 || b < 0;

		if ((a < 0 && b < 0) || (!hole && cables_joined(c, a, b)))
			continue;
		price[part_of[a < 0 ? b : a]].cost += hole ? HOLE : WRONG;
		price[part_of[a < 0 ? b : a]].wrong++;
	}
	arena_release(&arena);
}

/* Find the price of each part. */
static void count_cost(const struct grids *grids, const struct cables *c, const int *part_of,
	struct price *price)
{
	bool seen[MESH_MAX_MESHES] = {false};

	for (int i = 0; i < c->ncables; i++)
		if (grids_along(grids, c->cable[i][0], c->cable[i][1]) < 0) {
			price[part_of[c->cable[i][0]]].cost += WRONG;
			price[part_of[c->cable[i][0]]].wrong++;
		}
	for (int i = 0; i < grids->ngrids; i++)
		count_down(grids, i, c, part_of, price);
	for (int v = 0; v < c->nvertices; v++) {
		price[part_of[v]].cost += !seen[grids->grid_of[v]];
		price[part_of[v]].grids += !seen[grids->grid_of[v]];
		seen[grids->grid_of[v]] = true;
	}
}

/* Could it be less? */
static bool is_bad(const struct price *price)
{
	return price->cost > WRONG + 1;
}

/*
 * Fewer cables wrong in no more grids, or fewer grids with no more cables wrong, are better.
 * Otherwise the cost decides.
 */
static bool is_better(const struct price *a, const struct price *b)
{
	int wrong = (a->wrong < b->wrong) - (a->wrong > b->wrong);
	int grids = (a->grids < b->grids) - (a->grids > b->grids);

	return wrong + grids ? wrong + grids > 0 : a->cost < b->cost;
}

/* --- one part ------------------------------------------------------------------------- */

struct choice {
	struct arena arena;
	struct cables part; /* the part alone: nvertices, ncables, cable, lanes, first, to */
	int *vertex;	    /* [part.nvertices] of the whole */
	int *zero;	    /* [part.nvertices] all are of one part */
	bool *without; /* [part.ncables] cables that are left out */
	int with[WITH][2], nwith; /* cables that are added */
	struct grids best;
	bool graph; /* no grids so far explain the part */
	struct price first, price; /* of the first grids, and of the best */
	int better; /* how often there were better ones */
	int64_t each; /* the work of one growth */
	int64_t work, budget; /* what is left */
};

/* Copy a part of the graph. */
static void take_part(struct choice *choice, const struct cables *c, const int *part_of, int number)
{
	struct cables *part = &choice->part;
	int *new = need_get(&choice->arena, c->nvertices, sizeof(*new));

	need_array(&choice->arena, choice->vertex, c->nvertices);
	need_array(&choice->arena, choice->zero, c->nvertices);
	need_array(&part->arena, part->cable, c->ncables);
	need_array(&part->arena, part->lanes, c->ncables);
	for (int v = 0; v < c->nvertices; v++)
		if (part_of[v] == number) {
			choice->vertex[part->nvertices] = v;
			new[v] = part->nvertices++;
		}
	for (int i = 0; i < c->ncables; i++)
		if (part_of[c->cable[i][0]] == number) {
			part->cable[part->ncables][0] = new[c->cable[i][0]];
			part->cable[part->ncables][1] = new[c->cable[i][1]];
			part->lanes[part->ncables++] = c->lanes[i];
		}
	cables_join(part);
	choice->each = 64;
	for (int64_t v = 0, n; v < part->nvertices; v++) {
		n = cables_degree(part, (int)v);
		choice->each += n * n * (n < 8 ? 8 : n) / 32;
	}
}

/* Keep grids if they are the best, and release the others. */
static void keep_best(struct choice *choice, struct grids *grids)
{
	struct grids worse = *grids;
	struct parts parts;
	struct price price = {0};

	count_cost(grids, &choice->part, choice->zero, &price);
	if (is_better(&price, &choice->price) && !is_better(&choice->first, &price)) {
		parts_judge(&parts, grids, &choice->part, false);
		if (choice->graph || !parts.part->graph) {
			worse = choice->best;
			choice->best = *grids;
			choice->price = price;
			choice->better++;
			choice->graph = parts.part->graph;
		}
		arena_release(&parts.arena);
	}
	arena_release(&worse.arena);
}

/* Grow grids, and keep them if they are the best. beginning: as grids_grow(). */
static void try(struct choice *choice, int beginning)
{
	const struct cables *part = &choice->part;
	struct cables some = {.nvertices = part->nvertices};
	struct grids grids;

	choice->work -= choice->each;
	need_array(&some.arena, some.cable, part->ncables + choice->nwith);
	for (int i = 0; i < part->ncables; i++)
		if (!choice->without[i])
			memcpy(some.cable[some.ncables++], part->cable[i], sizeof(*some.cable));
	for (int i = 0; i < choice->nwith; i++)
		memcpy(some.cable[some.ncables++], choice->with[i], sizeof(*some.cable));
	cables_join(&some);
	if (!grids_grow(&grids, &some, beginning, &choice->budget, NULL))
		keep_best(choice, &grids);
	else
		arena_release(&grids.arena);
	arena_release(&some.arena);
}

static bool goes_on(const struct choice *choice)
{
	return is_bad(&choice->price) && choice->budget > 0 && choice->work >= choice->each;
}

/* Is no grid near? */
static bool is_far(const struct choice *choice)
{
	return 2 * choice->price.cost > choice->part.ncables * WRONG;
}

/* How many cables most vertices have; or the most that an eighth of them has. */
static int find_degree(const struct cables *part, bool eighth)
{
	int count[CABLES_MAX_DEGREE + 1] = {0}, best = 0;

	for (int v = 0; v < part->nvertices; v++)
		count[cables_degree(part, v)]++;
	for (int i = 0; i <= CABLES_MAX_DEGREE; i++)
		if (eighth ? 8 * (int64_t)count[i] >= part->nvertices : count[i] > count[best])
			best = i;
	return best;
}

/* Try the graph without all cables between vertices that have more cables than most. */
static void try_fewer(struct choice *choice)
{
	const struct cables *part = &choice->part;
	int most = find_degree(part, false);
	bool any = false;

	for (int i = 0; i < part->ncables; i++) {
		choice->without[i] = cables_degree(part, part->cable[i][0]) > most &&
			cables_degree(part, part->cable[i][1]) > most;
		any |= choice->without[i];
	}
	if (any && goes_on(choice))
		try(choice, 0);
	memset(choice->without, 0, (size_t)part->ncables * sizeof(bool));
}

/* Are two vertices joined, also by a cable that was added? */
static bool are_joined(const struct choice *choice, int a, int b)
{
	bool joined = cables_joined(&choice->part, a, b);

	for (int i = 0; i < choice->nwith; i++)
		joined |= (choice->with[i][0] == a && choice->with[i][1] == b) ||
			(choice->with[i][0] == b && choice->with[i][1] == a);
	return joined;
}

/* Try the graph with one cable more from a, which would make a square. seen[nvertices] */
static void try_with_from(struct choice *choice, int a, int most, int *seen)
{
	const struct cables *part = &choice->part;

	neighbours(x, a, part)
		neighbours(y, x, part)
			neighbours(b, y, part) {
				int better = choice->better;

				if (y == a || b == a || b == x || seen[b] == a + 1 ||
					cables_degree(part, b) > most || are_joined(choice, a, b) ||
					choice->nwith == WITH || !goes_on(choice))
					continue;
				seen[b] = a + 1;
				choice->with[choice->nwith][0] = a;
				choice->with[choice->nwith++][1] = b;
				try(choice, 0);
				choice->nwith -= choice->better == better;
			}
}

/*
 * Try the graph with one cable more at a vertex that has fewer cables than others; one with which
 * the grids are better stays.
 */
static void try_with(struct choice *choice)
{
	const struct cables *part = &choice->part;
	int *seen = need_get(&choice->arena, part->nvertices, sizeof(*seen));
	int most = find_degree(part, true);
	int64_t rest = choice->work / 2;

	choice->work -= rest;
	for (int a = 0; a < part->nvertices && !is_far(choice); a++)
		if (cables_degree(part, a) < most)
			try_with_from(choice, a, most, seen);
	choice->work += rest;
	choice->nwith = 0;
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
static void try_without_few(struct choice *choice, const uint64_t *order)
{
	int n = 0, ncables = choice->part.ncables;

	for (int i = 0, j; i < ncables && goes_on(choice); i = j) {
		for (j = i; j < ncables && order[j] >> 32 == order[i] >> 32;)
			j++;
		if (8 * (int64_t)j > ncables)
			break;
		for (; n < j; n++)
			choice->without[order[n] & UINT32_MAX] = true;
		try(choice, 0);
	}
	memset(choice->without, 0, (size_t)ncables * sizeof(bool));
}

/*
 * Try the graph without cables that are in few squares: several, then each alone; one without which
 * the grids are better stays out.
 */
static void try_without(struct choice *choice)
{
	const struct cables *part = &choice->part;
	uint64_t *order = need_get(&choice->arena, part->ncables, sizeof(*order));

	if (is_far(choice) || !goes_on(choice))
		return;
	for (int i = 0; i < part->ncables; i++)
		order[i] = (uint64_t)count_squares(part, part->cable[i]) << 32 | (uint64_t)i;
	sort_u64(order, part->ncables);
	try_without_few(choice, order);
	for (int i = 0; i < part->ncables && goes_on(choice); i++) {
		bool *without = &choice->without[order[i] & UINT32_MAX];
		int better = choice->better;

		*without = true;
		try(choice, 0);
		*without = choice->better > better;
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

/* The parts, and the work that is left for those whose grids are bad. */
struct all {
	struct parts parts;
	struct price *price; /* [nparts] */
	int64_t work;
	int nbad;
};

/* Find better grids for a part. */
static void improve(struct grids *grids, const struct cables *c, struct all *all, int number)
{
	int64_t share = all->work / all->nbad--;
	struct choice choice = {.first = all->price[number], .price = all->price[number],
		.graph = all->parts.part[number].graph};

	take_part(&choice, c, all->parts.of, number);
	choice.budget = grow_budget(&choice.part);
	need_array(&choice.arena, choice.without, choice.part.ncables);
	choice.work = share < WORK ? share : WORK;
	if (16 * choice.price.cost > choice.part.ncables * WRONG && !is_far(&choice))
		choice.work += TRIES * choice.each;
	all->work -= choice.work + (c->nvertices + c->ncables) / TAKEN;
	try_fewer(&choice);
	for (int i = 1; i <= (is_far(&choice) ? TRIES : BEGINNINGS) && goes_on(&choice); i++)
		try(&choice, i);
	try_with(&choice);
	try_without(&choice);
	all->work += choice.work;
	if (choice.better)
		replace(grids, &choice);
	arena_release(&choice.best.arena);
	arena_release(&choice.part.arena);
	arena_release(&choice.arena);
}

int grids_find(struct grids *grids, const struct cables *c, struct mesh_err *err)
{
	struct all all = {.work = WORK_IN_ALL};
	int64_t budget = grow_budget(c);

	if (grids_grow(grids, c, 0, &budget, err))
		return 1;
	parts_judge(&all.parts, grids, c, false);
	need_array(&all.parts.arena, all.price, all.parts.nparts);
	count_cost(grids, c, all.parts.of, all.price);
	for (int i = 0; i < all.parts.nparts; i++)
		all.nbad += is_bad(&all.price[i]);
	for (int i = 0; i < all.parts.nparts && all.work > 0; i++)
		if (is_bad(&all.price[i]))
			improve(grids, c, &all, i);
	forget_empty(grids);
	arena_release(&all.parts.arena);
	return 0;
}
