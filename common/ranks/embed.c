/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Grid embeddings by folding; see embed.h for what is tried. The factors of all sides are a table,
 * a row for each side of the grid and a column for each side of the box. A table's price is the
 * sum over its rows of what their walks cost in the columns' layouts: layouts are improved one by
 * one while the others stay, as rows and columns are few. The best tables' layouts then go through
 * the local search, a little assignment problem for each side of the box.
 */
#include "ranks/embed.h"

#include <stdlib.h>
#include <string.h>

#include "ranks/assign.h"
#include "ranks/embed_layout.h"
#include "ranks/embed_walk.h"

/* Tables kept for the search of their layouts; work: points of walks and layouts looked at. */
enum { KEPT = 6, MAX_WORK = 60000000, ROUNDS = 3 };
/* Exchanges tried by annealing per place of a layout, and the longest side that is searched. */
enum { MOVES_PER_PLACE = 2000, MAX_SEARCHED = 256 };

static const double weightless = 1e-9; /* keeps walks short where nothing is sent */

struct row {
	double weight; /* of one step, all its parallels together */
	int length;
	enum embed_walk_kind kind;
	int spine;
	int order[EMBED_WALK_DIMS];
};

/* One table with layouts and walks. */
struct table {
	double cost; /* < 0: none */
	int factor[MESH_MAX_DIMS][EMBED_DIMS];
	int variant[EMBED_DIMS];
	struct row row[MESH_MAX_DIMS];
};

struct folding {
	const struct traffic_grid *grid;
	const struct embed_box *box;
	struct embed_layout layout[EMBED_DIMS]; /* of the table at hand */
	struct table now, kept[KEPT];
	int *walk;	  /* scratch: the longest side of the grid */
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

/* Hops of a step of row i from one point of its walk to another. */
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

/* Of all steps of row i's walk, or < 0 when there is none of this kind. */
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
 * A snake takes most of its steps along its first dimension: that with the shortest steps in the
 * mean is first. (Exchange two neighbours in the order: nothing but this counts.)
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

/* Keep the walk of row i if it is cheaper. */
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

/* The cheapest walk of row i; its cost. */
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
		/* A snake that closes round a ring: that one is last. */
		for (int from = 0, to = 0; from < n; from++)
			if (sorted[from] != d)
				row->order[to++] = sorted[from];
		row->order[n - 1] = d;
		try_walk(f, i, EMBED_WALK_SNAKE, -1, &best);
		try_walk(f, i, EMBED_WALK_FOLDED, -1, &best);
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
		if (embed_layout_init(l))
			return -1;
	}
	return 0;
}

static void close_layouts(struct folding *f)
{
	for (int j = 0; j < f->box->ndims; j++)
		embed_layout_release(&f->layout[j]);
}

static void nest(struct folding *f, int j, int variant)
{
	embed_layout_nest(&f->layout[j], variant);
	f->work += (int64_t)f->layout[j].length * f->grid->ndims;
}

/* The best of side j's nested orders while the other sides stay. */
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

static void keep(struct folding *f)
{
	int at = KEPT;

	for (int k = 0; k < KEPT; k++)
		if (f->kept[k].cost >= 0 && f->kept[k].cost == f->now.cost)
			return; /* the same with equal sides exchanged, as a rule */
	while (at && (f->kept[at - 1].cost < 0 || f->now.cost < f->kept[at - 1].cost))
		at--;
	if (at == KEPT)
		return;
	memmove(&f->kept[at + 1], &f->kept[at], (size_t)(KEPT - 1 - at) * sizeof(f->now));
	f->kept[at] = f->now;
}

static void price_table(struct folding *f)
{
	bool better = true;

	memset(f->now.variant, 0, sizeof(f->now.variant));
	if (open_layouts(f)) {
		f->failed = true;
		close_layouts(f);
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
	keep(f);
	close_layouts(f);
}

/* --- tables ----------------------------------------------------------------------- */

/* All factors of side i.. of the grid in side j of the box, of which `rest` is still to be given
 * away; then the next side. */
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

/* --- the search of layouts -------------------------------------------------------- */

/* What is sent between values v and v+1 of row i's factor in side j (0 and the last: [last]), for
 * each pair of points there. */
static void count_steps(struct folding *f, int i, int j, double *sent)
{
	struct embed_walk_box box;
	int side = f->now.factor[i][j], stride = 1, n;
	double each = f->now.row[i].weight * side / f->box->side[j];

	row_box(f, i, &box);
	n = embed_walk_fill(&box, f->now.row[i].kind, f->now.row[i].spine, f->walk);
	for (int k = 0; k < j; k++)
		stride *= f->now.factor[i][k];
	memset(sent, 0, (size_t)side * sizeof(*sent));
	for (int k = 1; k < n + f->grid->wrap[i]; k++) {
		int v = f->walk[k - 1] / stride % side, w = f->walk[k % n] / stride % side;

		if (v != w && (w == (v + 1) % side || v == (w + 1) % side))
			sent[w == (v + 1) % side ? v : w] += each;
	}
}

/* What the points of side j's little grid send each other; the edges. */
static size_t layout_edges(struct folding *f, int j, double *sent, struct traffic_edge *edge)
{
	size_t count = 0;

	for (int i = 0, stride = 1; i < f->grid->ndims; i++) {
		int side = f->now.factor[i][j];

		if (side > 1)
			count_steps(f, i, j, sent);
		for (int p = 0; side > 1 && p < f->box->side[j]; p++) {
			int v = p / stride % side, next = v + 1 < side ? p + stride
								      : p - v * stride;

			edge[count++] = (struct traffic_edge){p, next, sent[v]};
		}
		stride *= side;
	}
	return count;
}

static int search_layout(struct folding *f, int j)
{
	struct embed_layout *l = &f->layout[j];
	size_t n = (size_t)l->length;
	struct assign_effort effort = {.passes = 8, .moves = MOVES_PER_PLACE * l->length};
	struct assign_sites places = {.n = l->length, .hops = malloc(n * n * sizeof(uint16_t))};
	struct traffic_edge *edge = malloc((n * MESH_MAX_DIMS + 1) * sizeof(*edge));
	double *sent = malloc(n * sizeof(*sent));
	struct traffic traffic = {0};
	int result = places.hops && edge && sent ? 0 : -1;

	if (!result) {
		for (size_t a = 0; a < n * n; a++)
			places.hops[a] = (uint16_t)embed_layout_hops(l, (int)(a / n), (int)(a % n));
		result = traffic_init(&traffic, l->length, edge,
			layout_edges(f, j, sent, edge), NULL);
	}
	if (!result && assign_improve(&traffic, &places, l->place, &effort) < 0)
		result = -1;
	embed_layout_measure(l);
	traffic_release(&traffic);
	assign_sites_release(&places);
	free(edge);
	free(sent);
	return result;
}

/* Has side j a layout with anything to search? */
static bool searchable(const struct folding *f, int j)
{
	return embed_layout_variants(&f->layout[j]) > 1 && f->layout[j].hops &&
		f->layout[j].length <= MAX_SEARCHED;
}

/* --- the whole -------------------------------------------------------------------- */

/* Where each rank goes with the table at hand. */
static int place_ranks(struct folding *f, int *place)
{
	int nranks = traffic_grid_size(f->grid, NULL), longest = 0;
	int *walk[MESH_MAX_DIMS] = {NULL};

	for (int i = 0; i < f->grid->ndims; i++)
		longest += f->grid->side[i];
	walk[0] = malloc((size_t)longest * sizeof(int));
	if (!walk[0])
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
	free(walk[0]);
	return 0;
}

/* One of the kept tables with its layouts searched; its ranks if it is the best. */
static int finish(struct folding *f, const struct table *table, int *place, double *least)
{
	double nested;
	int result;

	f->now = *table;
	nested = f->now.cost;
	result = open_layouts(f);
	for (int j = 0; !result && j < f->box->ndims; j++)
		nest(f, j, f->now.variant[j]);
	for (int j = 0; !result && j < f->box->ndims; j++)
		if (searchable(f, j))
			result = search_layout(f, j);
	if (!result) {
		f->now.cost = choose_walks(f);
		if (f->now.cost > nested) { /* rounding, or nothing gained */
			f->now = *table;
			for (int j = 0; j < f->box->ndims; j++)
				nest(f, j, f->now.variant[j]);
		}
		if (*least < 0 || f->now.cost < *least) {
			*least = f->now.cost;
			result = place_ranks(f, place);
		}
	}
	close_layouts(f);
	return result;
}

static int64_t box_points(const struct embed_box *box)
{
	int64_t n = 1;

	for (int j = 0; j < box->ndims; j++)
		n *= box->side[j];
	return n;
}

int embed_grid(const struct traffic_grid *grid, const struct embed_box *box, int *place,
	double *hop_bytes)
{
	struct folding *f = calloc(1, sizeof(*f));
	int nranks = traffic_grid_size(grid, NULL), longest = 1, result = 0;

	if (nranks < 1 || box_points(box) != nranks) {
		free(f);
		return 1;
	}
	for (int i = 0; i < grid->ndims; i++)
		longest = grid->side[i] > longest ? grid->side[i] : longest;
	if (!f || !(f->walk = malloc((size_t)longest * sizeof(int)))) {
		free(f);
		return -1;
	}
	f->grid = grid;
	f->box = box;
	for (int k = 0; k < KEPT; k++)
		f->kept[k].cost = -1;
	for (int i = 0; i < grid->ndims; i++) {
		double weight = grid->weight[i] > 0 ? grid->weight[i] : weightless;

		f->left[i] = grid->side[i];
		f->now.row[i] = (struct row){.length = grid->side[i],
			.weight = weight * nranks / grid->side[i]};
	}
	fill_table(f, 0, 0, box->side[0]);
	*hop_bytes = -1;
	for (int k = 0; k < KEPT && f->kept[k].cost >= 0 && !result; k++)
		result = finish(f, &f->kept[k], place, hop_bytes);
	if (f->failed || (!result && *hop_bytes < 0))
		result = -1;
	free(f->walk);
	free(f);
	return result;
}
