/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ranks onto nodes; see rankmap.h for what is tried, assign.c and cloud.c for the parts.
 * O(R log^2 R + N^2 d) and a number of exchanges that grows with N up to a limit. The limits
 * are set for 8,192 ranks on 512 nodes in less than a second.
 */
#include "ranks/rankmap.h"

#include <stdlib.h>
#include <string.h>

#include "ranks/assign.h"
#include "ranks/cloud.h"
#include "geometry/curve.h"

enum { MAX_TILES = 3, MAX_GROUPINGS = MAX_TILES + 2, ANNEALED = 2 };

/* Annealing: exchanges tried per node, and at most. One long one beats several short ones. */
enum { MOVES_PER_NODE = 20000, MAX_MOVES = 5000000 };
/* Bounds of the phases of local search, for dense traffic and large machines. */
enum { START_LOOKS = 30000000, SEARCH_LOOKS = 80000000, RANK_LOOKS = 200000000 };

/* Which ranks share a node, and the best start found for their groups. */
struct grouping {
	int *group;   /* [ranks] 0..nnodes-1 */
	int *site;    /* [nnodes] of each group: an index into node[] */
	double cost;
	/* Tiles: the grid of the groups, numbered as the grid of ranks is; otherwise ndims = 0. */
	struct rank_grid coarse;
};

struct plan {
	const struct rankmap_input *input;
	struct rankmap_answer *answer;
	int nranks;
	int *vertex;		  /* [nnodes] */
	int *along;		  /* [nnodes] nodes in curve order */
	struct site_table table;
	struct cloud ranks, nodes;
	struct grouping grouping[MAX_GROUPINGS];
	int ngroupings;
	int *place, *site;	  /* scratch: [ranks], [nnodes] */
	double least;		  /* of the answer so far */
};

const char *rankmap_method_name(enum rankmap_method method)
{
	static const char *const name[] = {"block", "curve", "bisection", "search"};

	return name[method];
}

/* --- curve order ------------------------------------------------------------------ */

struct ranked {
	int rank, item;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

/* Items on vertices of a mesh in the order of its curve. 0, or -1 when memory is out. */
static int order_along(const struct mesh *mesh, const int *vertex, int n, int *out)
{
	int *order = malloc((size_t)mesh->nvertices * sizeof(*order));
	int *rank = malloc((size_t)mesh->nvertices * sizeof(*rank));
	struct ranked *item = malloc(((size_t)n + 1) * sizeof(*item));
	int result = order && rank && item ? curve_fill(mesh, CURVE_MESH, order) : -1;

	if (!result) {
		for (int r = 0; r < mesh->nvertices; r++)
			rank[order[r]] = r;
		for (int i = 0; i < n; i++)
			item[i] = (struct ranked){rank[vertex[i]], i};
		qsort(item, (size_t)n, sizeof(*item), by_rank);
		for (int i = 0; i < n; i++)
			out[i] = item[i].item;
	}
	free(order);
	free(rank);
	free(item);
	return result;
}

/* The groups of a grid of tiles in the order of its Hilbert curve. */
static int tiles_along(const struct rank_grid *coarse, int n, int *out)
{
	struct mesh_spec spec = {.name = "tiles", .ndims = coarse->ndims, .nnodes = n};
	int *vertex = calloc((size_t)n, sizeof(*vertex));
	struct mesh *mesh;
	int result = -1;

	if (!vertex)
		return -1;
	for (int d = 0; d < coarse->ndims; d++)
		spec.side[d] = coarse->side[d];
	spec.nodes_per_vertex = 1;
	mesh = mesh_new(&spec, NULL);
	if (mesh) {
		for (int i = 0; i < n; i++) {
			int coord[MESH_MAX_DIMS];

			rank_grid_coord(coarse, i, coord);
			vertex[i] = mesh_vertex(mesh, coord);
		}
		result = order_along(mesh, vertex, n, out);
	}
	mesh_free(mesh);
	free(vertex);
	return result;
}

/* --- groupings -------------------------------------------------------------------- */

static struct grouping *add_grouping(struct plan *p)
{
	struct grouping *g = &p->grouping[p->ngroupings++];

	g->group = malloc((size_t)p->nranks * sizeof(int));
	g->site = malloc((size_t)p->input->nnodes * sizeof(int));
	return g->group && g->site ? g : NULL;
}

static int group_blocks(struct plan *p)
{
	struct grouping *g = add_grouping(p);

	for (int i = 0; g && i < p->nranks; i++)
		g->group[i] = i / p->input->per_node;
	return g ? 0 : -1;
}

static int group_halves(struct plan *p)
{
	struct grouping *g = add_grouping(p);

	return g ? cloud_split(&p->ranks, p->input->per_node, g->group) : -1;
}

struct tile {
	int side[MESH_MAX_DIMS];
	double cut; /* weight of the faces between tiles */
};

static double tile_cut(const struct rank_grid *grid, const int *side)
{
	double cut = 0;

	for (int d = 0; d < grid->ndims; d++) {
		int tiles = grid->side[d] / side[d];
		double faces = grid->weight[d] * (tiles - 1 + (grid->wrap[d] && tiles > 1));

		for (int e = 0; e < grid->ndims; e++)
			faces *= e == d ? 1 : grid->side[e];
		cut += faces;
	}
	return cut;
}

/* Try the sides of dimensions d.. of a tile of `left` ranks; keep those with the least cut. */
static void find_tiles(const struct rank_grid *grid, int d, int left, struct tile *now,
	struct tile *best)
{
	if (d == grid->ndims) {
		int at = MAX_TILES;

		now->cut = tile_cut(grid, now->side);
		while (left == 1 && at && (best[at - 1].cut < 0 || now->cut < best[at - 1].cut))
			at--;
		if (at < MAX_TILES) {
			memmove(&best[at + 1], &best[at],
				(size_t)(MAX_TILES - 1 - at) * sizeof(*best));
			best[at] = *now;
		}
		return;
	}
	for (int side = 1; side <= left && side <= grid->side[d]; side++)
		if (left % side == 0 && grid->side[d] % side == 0) {
			now->side[d] = side;
			find_tiles(grid, d + 1, left / side, now, best);
		}
}

static int group_tiles(struct plan *p, const struct tile *tile)
{
	const struct rank_grid *grid = p->input->grid;
	struct grouping *g = add_grouping(p);

	if (!g)
		return -1;
	g->coarse = *grid;
	for (int d = 0; d < grid->ndims; d++)
		g->coarse.side[d] = grid->side[d] / tile->side[d];
	for (int i = 0; i < p->nranks; i++) {
		int coord[MESH_MAX_DIMS], at = 0;

		rank_grid_coord(grid, i, coord);
		for (int j = grid->ndims - 1; j >= 0; j--) {
			int d = grid->first_fastest ? j : grid->ndims - 1 - j;

			at = at * g->coarse.side[d] + coord[d] / tile->side[d];
		}
		g->group[i] = at;
	}
	return 0;
}

/* One rank on each node needs no grouping; the tile of one rank stands for it. */
static int make_groupings(struct plan *p)
{
	const struct rank_grid *grid = p->input->grid;
	struct tile best[MAX_TILES], now = {{0}, 0};

	for (int i = 0; i < MAX_TILES; i++)
		best[i].cut = -1;
	if (grid)
		find_tiles(grid, 0, p->input->per_node, &now, best);
	for (int i = 0; i < MAX_TILES && best[i].cut >= 0; i++)
		if (group_tiles(p, &best[i]))
			return -1;
	if (p->input->per_node == 1 && p->ngroupings)
		return 0;
	return group_blocks(p) || group_halves(p) ? -1 : 0;
}

/* --- candidates ------------------------------------------------------------------- */

/* Is this place[] of the ranks the best answer so far? */
static void offer(struct plan *p, enum rankmap_method method, const int *place)
{
	struct rankmap_answer *a = p->answer;
	double cost = assign_cost(p->input->traffic, &p->table, place);

	if (a->reached[method] < 0 || cost < a->reached[method])
		a->reached[method] = cost;
	if (method == RANKMAP_BLOCK)
		a->block_hop_bytes = cost;
	else if (!p->input->wanted[method] || cost >= p->least)
		return;
	p->least = a->hop_bytes = cost;
	a->method = method;
	memcpy(a->place, place, (size_t)p->nranks * sizeof(int));
}

static void expand(struct plan *p, const struct grouping *g, const int *site)
{
	for (int i = 0; i < p->nranks; i++)
		p->place[i] = site[g->group[i]];
}

/* The groups along a curve on the nodes along a curve. */
static int start_curve(struct plan *p, const struct grouping *g, int *site)
{
	int n = p->input->nnodes, result = 0;
	int *groups = malloc((size_t)n * sizeof(*groups));

	if (!groups)
		return -1;
	/* Blocks and halves are numbered along a curve as they are. */
	for (int i = 0; i < n; i++)
		groups[i] = i;
	if (g->coarse.ndims)
		result = tiles_along(&g->coarse, n, groups);
	for (int i = 0; !result && i < n; i++)
		site[groups[i]] = p->along[i];
	free(groups);
	return result;
}

static int start_bisection(struct plan *p, const struct grouping *g, int *site)
{
	struct cloud groups = {0};
	int result = cloud_init_groups(&groups, &p->ranks, g->group, p->input->nnodes);

	if (!result)
		result = cloud_match(&groups, &p->nodes, site);
	cloud_release(&groups);
	return result;
}

static int start_block(struct plan *p, const struct grouping *g, int *site)
{
	(void)g;
	for (int i = 0; i < p->input->nnodes; i++)
		site[i] = i;
	return 0;
}

/* Without a table of hops a look costs several times as much. */
static int64_t budget(const struct plan *p, int64_t looks)
{
	return p->table.hops ? looks : looks / 8;
}

/* Every start with this grouping; the best stays in g, gone downhill as far as it goes. */
static int try_starts(struct plan *p, struct grouping *g, const struct traffic *groups)
{
	static int (*const start[])(struct plan *, const struct grouping *, int *) = {
		[RANKMAP_BLOCK] = start_block,
		[RANKMAP_CURVE] = start_curve,
		[RANKMAP_BISECTION] = start_bisection,
	};
	size_t size = (size_t)p->input->nnodes * sizeof(int);

	g->cost = -1;
	for (int m = RANKMAP_BLOCK; m <= RANKMAP_BISECTION; m++) {
		double cost;

		if (start[m](p, g, p->site))
			return -1;
		cost = assign_cost(groups, &p->table, p->site);
		if (g->cost < 0 || cost < g->cost) {
			g->cost = cost;
			memcpy(g->site, p->site, size);
		}
		if (m == RANKMAP_BLOCK)
			continue; /* block order itself is offered once, of ranks */
		expand(p, g, p->site);
		offer(p, (enum rankmap_method)m, p->place);
	}
	if (p->input->wanted[RANKMAP_SEARCH])
		g->cost = assign_improve(groups, &p->table, g->site,
			&(struct assign_effort){.passes = 8,
				.looks = budget(p, START_LOOKS)});
	return g->cost < 0 ? -1 : 0;
}

/* Exchange single ranks between nodes. */
static int exchange_ranks(struct plan *p)
{
	struct assign_effort effort = {.passes = 8, .looks = budget(p, RANK_LOOKS)};

	if (p->input->per_node == 1)
		return 0;
	return assign_improve(p->input->traffic, &p->table, p->place, &effort) < 0 ? -1 : 0;
}

static int64_t moves_for(int nnodes)
{
	int64_t moves = (int64_t)nnodes * MOVES_PER_NODE;

	return moves < MAX_MOVES ? moves : MAX_MOVES;
}

/* Local search from the best grouping not searched yet. */
static int search_best(struct plan *p)
{
	struct assign_effort effort = {.passes = 8, .moves = moves_for(p->input->nnodes),
		.looks = budget(p, SEARCH_LOOKS), .seed = p->input->seed};
	struct grouping *best = NULL;
	struct traffic groups;
	bool bad;

	for (int i = 0; i < p->ngroupings; i++)
		if (p->grouping[i].cost >= 0 && (!best || p->grouping[i].cost < best->cost))
			best = &p->grouping[i];
	if (!best)
		return 0;
	if (traffic_init_groups(&groups, p->input->traffic, best->group, p->input->nnodes, NULL))
		return -1;
	bad = assign_improve(&groups, &p->table, best->site, &effort) < 0;
	traffic_release(&groups);
	best->cost = -1; /* done */
	expand(p, best, best->site);
	if (bad || exchange_ranks(p))
		return -1;
	offer(p, RANKMAP_SEARCH, p->place);
	return 0;
}

/* --- the whole -------------------------------------------------------------------- */

static double off_node(const struct traffic *t, const int *place)
{
	double bytes = 0;

	for (int i = 0; i < t->n; i++)
		for (size_t e = t->start[i]; e < t->start[i + 1]; e++)
			if (place[i] != place[t->to[e]])
				bytes += t->weight[e];
	return bytes / 2;
}

static int plan_init(struct plan *p)
{
	const struct rankmap_input *input = p->input;
	size_t nodes = (size_t)input->nnodes;

	p->vertex = malloc(nodes * sizeof(int));
	p->along = malloc(nodes * sizeof(int));
	p->site = malloc(nodes * sizeof(int));
	p->place = malloc((size_t)p->nranks * sizeof(int));
	if (!p->vertex || !p->along || !p->site || !p->place)
		return -1;
	for (size_t i = 0; i < nodes; i++)
		p->vertex[i] = input->mesh->vertex_of[input->node[i]];
	if (site_table_init(&p->table, input->mesh, p->vertex, input->nnodes) ||
		cloud_init_nodes(&p->nodes, input->mesh, input->node, input->nnodes) ||
		order_along(input->mesh, p->vertex, input->nnodes, p->along))
		return -1;
	return input->grid ? cloud_init_grid(&p->ranks, input->grid)
			   : cloud_init_traffic(&p->ranks, input->traffic);
}

static void plan_release(struct plan *p)
{
	for (int i = 0; i < p->ngroupings; i++) {
		free(p->grouping[i].group);
		free(p->grouping[i].site);
	}
	cloud_release(&p->ranks);
	cloud_release(&p->nodes);
	site_table_release(&p->table);
	free(p->vertex);
	free(p->along);
	free(p->site);
	free(p->place);
}

static int solve(struct plan *p)
{
	const struct rankmap_input *input = p->input;

	for (int i = 0; i < p->nranks; i++)
		p->place[i] = i / input->per_node;
	offer(p, RANKMAP_BLOCK, p->place);
	p->answer->block_off_node = off_node(input->traffic, p->place);
	if (make_groupings(p))
		return -1;
	for (int i = 0; i < p->ngroupings; i++) {
		struct traffic groups;
		int bad;

		if (traffic_init_groups(&groups, input->traffic, p->grouping[i].group,
			    input->nnodes, NULL))
			return -1;
		bad = try_starts(p, &p->grouping[i], &groups);
		traffic_release(&groups);
		if (bad)
			return -1;
	}
	for (int i = 0; input->wanted[RANKMAP_SEARCH] && i < ANNEALED; i++)
		if (search_best(p))
			return -1;
	p->answer->off_node = off_node(input->traffic, p->answer->place);
	return 0;
}

int rankmap_solve(const struct rankmap_input *input, struct rankmap_answer *answer,
	struct mesh_err *err)
{
	struct plan plan = {.input = input, .answer = answer, .nranks = input->traffic->n};
	int result;

	if (input->nnodes < 1 || input->per_node < 1 ||
		(int64_t)input->nnodes * input->per_node != input->traffic->n)
		return err_printf(err, "%d nodes with %d ranks each do not make %d ranks",
			input->nnodes, input->per_node, input->traffic->n);
	if (input->grid && rank_grid_size(input->grid, err) != input->traffic->n)
		return err_printf(err, "the grid has another number of ranks than %d",
			input->traffic->n);
	for (int m = 0; m < RANKMAP_METHODS; m++)
		answer->reached[m] = -1;
	result = plan_init(&plan);
	if (!result)
		result = solve(&plan);
	plan_release(&plan);
	return result ? err_printf(err, "out of memory") : 0;
}
