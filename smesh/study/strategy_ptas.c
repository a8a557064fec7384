/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The approximation scheme for two dimensions. M. Bender et al., "Communication-aware processor
 * allocation for supercomputers", 2005, section 3, with the parameter m = STRIPS.
 *
 * Sweep lines cut the free nodes into m vertical and m horizontal strips, each to hold k/m of
 * the chosen ones (the first k mod m strips one more, where the paper lets k be a multiple).
 * For every place of the lines, and every table of how many nodes each of the m*m cells gives,
 * a cell (i, j) gives the nodes least in the direction of its gradient,
 * (2i+1-m) x + (2j+1-m) y. The best set of all is the answer. Nodes are in general position by
 * number: of equal x the lower number is on the left, of equal y it is below.
 *
 * O(n^(2m-2) k^(m*m-2m+1) n): for small inputs. The search starts with the answer of mm, so it
 * is never worse than that; after request->budget_steps tables (default: STEPS), budget_ns, or
 * for more than NODES free nodes, or in other than two dimensions, the best so far is the
 * answer. On a torus the lines cut it open at coordinate 0, but totals are the true ones.
 * Answers are never called proved: the scheme's guarantee is 1 + O(1/m).
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/metrics.h"
#include "point/point.h"
#include "strategy/strategy.h"

#define STRIPS 3
#define NODES 256
#define STEPS 200000

struct scheme {
	const struct mesh *mesh;
	const struct nodeset *required;
	int k, n;
	int node[NODES];
	int by_x[NODES], by_y[NODES]; /* indexes of node[], in sweep order */
	int rank_x[NODES], rank_y[NODES];
	int strip_x[NODES], strip_y[NODES];
	int line[2][STRIPS + 1]; /* strip i holds ranks line[i]..line[i+1]-1 */
	int cell[STRIPS][STRIPS][NODES], in_cell[STRIPS][STRIPS]; /* indexes, best first */
	int must[STRIPS][STRIPS];     /* required nodes in a cell */
	int give[STRIPS][STRIPS];
	int64_t best;
	int *best_node; /* [k] */
	int64_t steps;
	struct point *point; /* whose budget it is */
	bool stopped;
};

struct scratch {
	struct point point;
	struct scheme scheme;
};

static int init(struct strategy *strategy, struct mesh_err *err)
{
	struct scratch *s = calloc(1, sizeof(*s));

	strategy->scratch = s;
	if (!s)
		return err_printf(err, "out of memory");
	return point_init(&s->point, strategy->mesh, false, err);
}

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	if (s)
		point_release(&s->point);
	free(s);
}

/* How many of the chosen nodes strip i holds. */
static int share(const struct scheme *s, int i)
{
	return s->k / STRIPS + (i < s->k % STRIPS);
}

static const int16_t *at(const struct scheme *s, int i)
{
	return s->mesh->coord[s->mesh->vertex_of[s->node[i]]];
}

/* Indexes by coordinate d; node[] is ascending, so equal ones stay in order. O(n^2), n small. */
static void sweep_order(const struct scheme *s, int d, int *order, int *rank)
{
	for (int i = 0; i < s->n; i++) {
		int j = i;

		for (; j > 0 && at(s, order[j - 1])[d] > at(s, i)[d]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (int i = 0; i < s->n; i++)
		rank[order[i]] = i;
}

/* Required nodes first, then least in the direction of the cell's gradient. */
static bool goes_before(const struct scheme *s, int i, int j, int gx, int gy)
{
	bool a = s->required && nodeset_has(s->required, s->node[i]);
	bool b = s->required && nodeset_has(s->required, s->node[j]);
	int da = gx * at(s, i)[0] + gy * at(s, i)[1], db = gx * at(s, j)[0] + gy * at(s, j)[1];

	return a != b ? a : da != db ? da < db : i < j;
}

static void fill_cells(struct scheme *s)
{
	memset(s->in_cell, 0, sizeof(s->in_cell));
	memset(s->must, 0, sizeof(s->must));
	for (int i = 0; i < s->n; i++) {
		int x = s->strip_x[i], y = s->strip_y[i], j;
		int *cell = s->cell[x][y], gx = 2 * x + 1 - STRIPS, gy = 2 * y + 1 - STRIPS;

		for (j = s->in_cell[x][y]++; j > 0 && goes_before(s, i, cell[j - 1], gx, gy); j--)
			cell[j] = cell[j - 1];
		cell[j] = i;
		s->must[x][y] += s->required && nodeset_has(s->required, s->node[i]);
	}
}

/* The set that a full table stands for. */
static void take_table(struct scheme *s)
{
	int node[NODES], n = 0;
	int64_t total = 0;

	for (int x = 0; x < STRIPS; x++)
		for (int y = 0; y < STRIPS; y++)
			for (int i = 0; i < s->give[x][y]; i++)
				node[n++] = s->node[s->cell[x][y][i]];
	for (int i = 0; i < n && total < s->best; i++)
		for (int j = 0; j < i; j++)
			total += mesh_hops(s->mesh, s->mesh->vertex_of[node[i]],
				s->mesh->vertex_of[node[j]]);
	if (total >= s->best)
		return;
	s->best = total;
	memcpy(s->best_node, node, (size_t)n * sizeof(*node));
}

/* Fill the table of cells from cell number c on: rows and columns add up to their shares. */
static void each_table(struct scheme *s, int c)
{
	int x = c / STRIPS, y = c % STRIPS, left_x = share(s, x), left_y = share(s, y), low, high;

	if (s->steps-- <= 0 || (s->steps % 64 == 0 && point_late(s->point)))
		s->stopped = true;
	if (s->stopped)
		return;
	if (c == STRIPS * STRIPS) {
		take_table(s);
		return;
	}
	for (int i = 0; i < y; i++)
		left_x -= s->give[x][i];
	for (int i = 0; i < x; i++)
		left_y -= s->give[i][y];
	low = s->must[x][y];
	high = left_x < left_y ? left_x : left_y;
	high = high < s->in_cell[x][y] ? high : s->in_cell[x][y];
	/* The last of a strip takes what is left. */
	if (y == STRIPS - 1)
		low = low > left_x ? low : left_x;
	if (x == STRIPS - 1)
		low = low > left_y ? low : left_y;
	for (int n = low; n <= high; n++) {
		s->give[x][y] = n;
		each_table(s, c + 1);
	}
}

/* Place line i of dimension d and those after it; a strip has room for its share. */
static void each_line(struct scheme *s, int d, int i)
{
	int *line = s->line[d];
	const int *order = d ? s->by_y : s->by_x;
	int *strip = d ? s->strip_y : s->strip_x;

	if (s->stopped)
		return;
	if (i == STRIPS) {
		line[STRIPS] = s->n;
		if (s->n - line[STRIPS - 1] < share(s, STRIPS - 1))
			return;
		for (int part = 0; part < STRIPS; part++)
			for (int r = line[part]; r < line[part + 1]; r++)
				strip[order[r]] = part;
		if (!d) {
			each_line(s, 1, 1);
			return;
		}
		fill_cells(s);
		s->steps -= s->n / 8;
		each_table(s, 0);
		return;
	}
	line[0] = 0;
	for (line[i] = line[i - 1] + share(s, i - 1); line[i] <= s->n; line[i]++)
		each_line(s, d, i + 1);
}

static void run_scheme(struct scheme *s, const struct mesh_state *state)
{
	s->n = 0;
	nodeset_each(i, state->free)
		s->node[s->n++] = i;
	sweep_order(s, 0, s->by_x, s->rank_x);
	sweep_order(s, 1, s->by_y, s->rank_y);
	s->stopped = false;
	each_line(s, 0, 1);
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct scratch *scratch = strategy->scratch;
	struct point *point = &scratch->point;
	struct scheme *s = &scratch->scheme;
	struct point_search search = {.grid = true, .cost = INT64_MAX, .total = INT64_MAX,
		.vertex = -1};

	point_load(point, state, request);
	ball_hops(&point->space);
	point_best_hops(point, &search);
	answer->count = point_take(point, search.vertex, answer->node, &s->best);
	s->mesh = strategy->mesh;
	s->required = request->required;
	s->k = request->count;
	s->best_node = answer->node;
	s->point = point;
	s->steps = request->budget_steps ? request->budget_steps : STEPS;
	if (!search.out_of_time && strategy->mesh->ndims == 2 &&
		nodeset_count(state->free) <= NODES && s->best)
		run_scheme(s, state);
	answer->cost = (double)s->best;
	answer->out_of_time = search.out_of_time || point_late(point);
	return MESH_OK;
}

const struct strategy_ops strategy_ptas_family[] = {
	{
		.name = "ptas",
		.summary = "approximation scheme with 3x3 cells, for small 2-D meshes",
		.source = "Bender et al. 2005",
		.time = "polynomial of high degree, within a budget",
		.init = init,
		.release = release,
		.decide = decide,
	},
	{0},
};
