/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Embeds grids by folding; see embed.h for what is tried. The factors of all sides are a table
 * with a row for each side of the grid and a column for each side of the box. The price of a table
 * is the sum over its rows of what their walks cost in the columns' layouts. Layouts are improved
 * one by one while the others stay, as rows and columns are few.
 */
#include "ranks/embed.h"

#include <string.h>

#include "geometry/box.h"
#include "ranks/embed_layout.h"
#include "ranks/embed_walk.h"

/* MAX_WORK: points of walks and layouts looked at. */
enum { MAX_WORK = 60000000, ROUNDS = 3 };

static const double weightless = 1e-9; /* a weight that keeps walks short where nothing is sent */

struct row {
	double weight; /* of one step, all parallel ones together */
	enum embed_walk_kind kind;
	int spine;
	int order[EMBED_WALK_DIMS];
};

/* A table with its layouts and walks. */
struct table {
	double cost; /* < 0: none */
	int factor[MESH_MAX_DIMS][EMBED_DIMS];
	int variant[EMBED_DIMS];
	struct row row[MESH_MAX_DIMS];
};

struct folding {
	struct arena arena; /* owns layout[], and the walks that place ranks */
	const struct traffic_grid *grid;
	const struct embed_box *box;
	struct embed_layout layout[EMBED_DIMS]; /* of the current table */
	struct table now, best;
	int *walk;	  /* scratch: [longest side of the grid] */
	int left[MESH_MAX_DIMS]; /* of each side of the grid, for the columns to come */
	int64_t work;
	bool failed;	  /* memory is out */
};

/* --- walks ------------------------------------------------------------------------ */

static void row_box(const struct folding *f, int i, struct embed_walk_box *box)
{
	box->ndims = f->box->ndims;
	for (int j = 0; j < box->ndims; j++) {
		box->side[j] = f->now.factor[i][j];
		box->ring[j] = f->box->wrap[j] && box->side[j] == f->box->side[j];
		box->order[j] = f->now.row[i].order[j];
	}
}

/* The hops of a step of row i from one point of its walk to another. */
static double step_hops(const struct folding *f, int i, int from, int to)
{
	double hops = 0;

	for (int j = 0; j < f->box->ndims; j++) {
		const struct embed_layout *l = &f->layout[j];
		int side = f->now.factor[i][j], v = from % side, w = to % side;

		from /= side;
		to /= side;
		if (v == w)
			continue;
		if (w == (v + 1) % side)
			hops += l->step[i][v];
		else if (v == (w + 1) % side)
			hops += l->step[i][w];
		else
			hops += embed_layout_jump(l, i, v, w);
	}
	return hops;
}

/* The hops of all steps of row i's walk; < 0: there is no walk of this kind. */
static double walk_cost(struct folding *f, int i, enum embed_walk_kind kind, int spine)
{
	struct embed_walk_box box;
	double hops = 0;
	int n;

	row_box(f, i, &box);
	if (!(n = embed_walk_fill(&box, kind, spine, f->walk)))
		return -1;
	f->work += n;
	for (int k = 1; k < n; k++)
		hops += step_hops(f, i, f->walk[k - 1], f->walk[k]);
	if (f->grid->wrap[i] && n > 1)
		hops += step_hops(f, i, f->walk[n - 1], f->walk[0]);
	return f->now.row[i].weight * hops;
}

/*
 * Order the dimensions of a snake by their mean step, the shortest first: a snake takes most of
 * its steps along its first dimension, and nothing else counts in an exchange of neighbours in the
 * order.
 */
static void sort_order(const struct folding *f, int i, int *order)
{
	double mean[EMBED_DIMS];

	for (int j = 0; j < f->box->ndims; j++) {
		int side = f->now.factor[i][j], at = j;

		mean[j] = 0;
		for (int v = 0; v + 1 < side; v++)
			mean[j] += f->layout[j].step[i][v] / (side - 1);
		for (; at > 0 && mean[order[at - 1]] > mean[j]; at--)
			order[at] = order[at - 1];
		order[at] = j;
	}
}

struct choice {
	struct row row;
	double cost; /* < 0: none yet */
};

/* Take the walk for row i if it is cheaper. */
static void try_walk(
	struct folding *f, int i, enum embed_walk_kind kind, int spine, struct choice *best)
{
	double cost = walk_cost(f, i, kind, spine);

	if (cost < 0 || (best->cost >= 0 && cost >= best->cost - 1e-9 * best->cost))
		return;
	best->cost = cost;
	best->row = f->now.row[i];
	best->row.kind = kind;
	best->row.spine = spine;
}

/* Choose the cheapest walk of row i. Returns its cost. */
static double choose_walk(struct folding *f, int i)
{
	struct row *row = &f->now.row[i];
	struct choice best = {*row, -1};
	int n = f->box->ndims, sorted[EMBED_WALK_DIMS] = {0};

	sort_order(f, i, sorted);
	memcpy(row->order, sorted, sizeof(sorted));
	try_walk(f, i, EMBED_WALK_SNAKE, -1, &best);
	for (int d = 0; f->grid->wrap[i] && d < n; d++) {
		if (f->now.factor[i][d] == 1)
			continue;
		for (int kind = EMBED_WALK_COMB; kind < EMBED_WALK_KINDS; kind++)
			try_walk(f, i, (enum embed_walk_kind)kind, d, &best);
		/* A snake that closes round a ring has this dimension last. */
		for (int from = 0, to = 0; from < n; from++)
			if (sorted[from] != d)
				row->order[to++] = sorted[from];
		row->order[n - 1] = d;
		try_walk(f, i, EMBED_WALK_SNAKE, -1, &best);
		memcpy(row->order, sorted, sizeof(sorted));
	}
	*row = best.row;
	return best.cost;
}

static double choose_walks(struct folding *f)
{
	double cost = 0;

	for (int i = 0; i < f->grid->ndims; i++)
		cost += choose_walk(f, i);
	return cost;
}

/* --- layouts ---------------------------------------------------------------------- */

static int open_layouts(struct folding *f)
{
	for (int j = 0; j < f->box->ndims; j++) {
		struct embed_layout *l = &f->layout[j];

		*l = (struct embed_layout){.length = f->box->side[j], .ring = f->box->wrap[j],
			.hops = f->box->shared[j] ? 0 : 1, .ndims = f->grid->ndims};
		for (int i = 0; i < l->ndims; i++)
			l->factor[i] = f->now.factor[i][j];
		if (embed_layout_init(l, &f->arena))
			return -1;
	}
	return 0;
}

static void nest(struct folding *f, int j, int variant)
{
	embed_layout_nest(&f->layout[j], variant);
	f->work += (int64_t)f->layout[j].length * f->grid->ndims;
}

/* Take the best of side j's nested orders while the other sides stay. */
static bool improve_layout(struct folding *f, int j)
{
	struct table best = f->now;
	int variants = embed_layout_variants(&f->layout[j]);
	bool better = false;

	for (int v = 0; variants > 1 && v < variants && f->work < MAX_WORK; v++) {
		if (v == best.variant[j])
			continue;
		f->now.variant[j] = v;
		nest(f, j, v);
		f->now.cost = choose_walks(f);
		if (f->now.cost < best.cost * (1 - 1e-9)) {
			best = f->now;
			better = true;
		}
	}
	f->now = best;
	nest(f, j, best.variant[j]);
	return better;
}

static void price_table(struct folding *f)
{
	bool better = true;

	memset(f->now.variant, 0, sizeof(f->now.variant));
	if (open_layouts(f)) {
		f->failed = true;
		arena_release(&f->arena);
		return;
	}
	for (int j = 0; j < f->box->ndims; j++)
		nest(f, j, 0);
	f->now.cost = choose_walks(f);
	for (int round = 0; better && round < ROUNDS; round++) {
		better = false;
		for (int j = 0; j < f->box->ndims; j++)
			better = improve_layout(f, j) || better;
	}
	if (f->best.cost < 0 || f->now.cost < f->best.cost)
		f->best = f->now;
	arena_release(&f->arena);
}

/* --- tables ----------------------------------------------------------------------- */

/*
 * Try all factors of sides i.. of the grid in side j of the box, of which `rest` is left; then the
 * next side.
 */
static void fill_table(struct folding *f, int j, int i, int rest)
{
	if (f->failed || f->work > MAX_WORK)
		return;
	if (i == f->grid->ndims) {
		if (rest != 1)
			return;
		if (j + 1 == f->box->ndims)
			price_table(f);
		else
			fill_table(f, j + 1, 0, f->box->side[j + 1]);
		return;
	}
	for (int factor = f->left[i] < rest ? f->left[i] : rest; factor >= 1; factor--) {
		if (rest % factor || f->left[i] % factor)
			continue;
		f->now.factor[i][j] = factor;
		f->left[i] /= factor;
		fill_table(f, j, i + 1, rest / factor);
		f->left[i] *= factor;
	}
}

/* --- the whole -------------------------------------------------------------------- */

/* Write where each rank goes by the current table. */
static int place_ranks(struct folding *f, int *place)
{
	int nranks = traffic_grid_size(f->grid, NULL), longest = 0;
	int *walk[MESH_MAX_DIMS] = {NULL};

	for (int i = 0; i < f->grid->ndims; i++)
		longest += f->grid->side[i];
	if (!arena_array(&f->arena, walk[0], longest))
		return -1;
	for (int i = 0; i < f->grid->ndims; i++) {
		struct embed_walk_box box;

		if (i)
			walk[i] = walk[i - 1] + f->grid->side[i - 1];
		row_box(f, i, &box);
		embed_walk_fill(&box, f->now.row[i].kind, f->now.row[i].spine, walk[i]);
	}
	for (int rank = 0; rank < nranks; rank++) {
		int coord[MESH_MAX_DIMS], at[MESH_MAX_DIMS], index = 0;

		traffic_grid_coord(f->grid, rank, coord);
		for (int i = 0; i < f->grid->ndims; i++)
			at[i] = walk[i][coord[i]];
		for (int j = 0, stride = 1; j < f->box->ndims; j++) {
			int point = 0;

			for (int i = 0, s = 1; i < f->grid->ndims; i++) {
				point += s * (at[i] % f->now.factor[i][j]);
				at[i] /= f->now.factor[i][j];
				s *= f->now.factor[i][j];
			}
			index += stride * f->layout[j].place[point];
			stride *= f->box->side[j];
		}
		place[rank] = index;
	}
	return 0;
}

/* Write where each rank goes by the best table. */
static int place_best(struct folding *f, int *place)
{
	int bad;

	f->now = f->best;
	bad = open_layouts(f);
	for (int j = 0; !bad && j < f->box->ndims; j++)
		nest(f, j, f->now.variant[j]);
	bad = bad || place_ranks(f, place) ? -1 : 0;
	arena_release(&f->arena);
	return bad;
}

int embed_grid(const struct traffic_grid *grid, const struct embed_box *box, int *place,
	double *hop_bytes)
{
	struct arena arena = {0};
	struct folding *f;
	int nranks = traffic_grid_size(grid, NULL), longest = 1, result;

	if (nranks < 1 || box_volume(box->ndims, box->side) != nranks)
		return 1;
	for (int i = 0; i < grid->ndims; i++)
		longest = grid->side[i] > longest ? grid->side[i] : longest;
	f = arena_get(&arena, 1, sizeof(*f));
	if (!f || !arena_array(&arena, f->walk, longest)) {
		arena_release(&arena);
		return -1;
	}
	f->grid = grid;
	f->box = box;
	f->best.cost = -1;
	for (int i = 0; i < grid->ndims; i++) {
		double weight = grid->weight[i] > 0 ? grid->weight[i] : weightless;

		f->left[i] = grid->side[i];
		f->now.row[i] = (struct row){.weight = weight * nranks / grid->side[i]};
	}
	fill_table(f, 0, 0, box->side[0]);
	result = f->failed || f->best.cost < 0 || place_best(f, place) ? -1 : 0;
	*hop_bytes = f->best.cost;
	arena_release(&arena);
	return result;
}
