/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A set of least total distance, proved. Bender et al., "Communication-aware processor
 * allocation for supercomputers", 2005, for the problem and for k = 3 (section 2.3).
 *
 * The start is mm+inc. That is an optimum already for k <= 2 (the closest pair: one of the two
 * is the centre), and for k = 3 on a mesh without wrap or required nodes: the total of three is
 * twice their star around their median, a grid point, and mm tries the three nearest to each.
 *
 * Otherwise depth-first branch and bound. A set S of total T has a member p with at most
 * 2T/k hops to all others; so for each p as root the other members come from a list in order
 * of distance, as long as that sum allows. With u nodes still to choose the total is at least
 *   that of the chosen + the u least sums of hops to the chosen + least(u),
 * where least(u), the optimum for u nodes, comes from the same search for 2, 3, .. k-1 first.
 *
 * Exponential in k; memory O(1), see LIST and DEPTH. After request->budget_steps steps
 * (default: STEPS, for k > SMALL a hundredth) or budget_ns the best so far is the answer, not
 * proved.
 */
#include <stdlib.h>
#include <string.h>

#include "point/point.h"
#include "point/refine.h"
#include "strategy/strategy.h"

#define DEPTH 32	  /* no search for larger k */
#define LIST 512	  /* candidates of one root */
#define STEPS (1 << 23)
#define SMALL 12
#define LOOK 256	  /* steps between looks at the clock */

struct search {
	struct point *point; /* its budget */
	const struct mesh *mesh;
	const struct mesh_state *state;
	const struct nodeset *required; /* or NULL */
	int k;
	int64_t best;  /* least total found */
	int best_node[DEPTH];
	int64_t stars; /* most hops from the root to all others in a better set */
	int n;	       /* candidates: nodes by distance from the root */
	int list[LIST];
	uint16_t from_root[LIST];
	uint16_t hops[LIST][LIST];
	int far[DEPTH + 1][LIST]; /* hops to all chosen, by depth */
	int chosen[DEPTH], nchosen;
	int64_t least[DEPTH + 1];
	int64_t steps;
	bool stopped;
};

struct scratch {
	struct point point;
	struct refine refine;
	struct search search;
	bool cut_short; /* the last good start was ended by the budget */
	int *node; /* [nnodes] */
	int *ways; /* [sum of sides + 2] nodes by distance from a root */
};

static int init(struct strategy *strategy, struct mesh_err *err)
{
	struct scratch *s = calloc(1, sizeof(*s));
	size_t farthest = 0;

	strategy->scratch = s;
	if (!s)
		return err_printf(err, "out of memory");
	s->node = malloc((size_t)strategy->mesh->nnodes * sizeof(int));
	for (int d = 0; d < strategy->mesh->ndims; d++)
		farthest += (size_t)strategy->mesh->side[d];
	s->ways = malloc((farthest + 2) * sizeof(int));
	if (!s->node || !s->ways || refine_init(&s->refine, strategy->mesh))
		return err_printf(err, "out of memory");
	return point_init(&s->point, strategy->mesh, false, err);
}

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	if (s) {
		point_release(&s->point);
		refine_release(&s->refine);
		free(s->node);
		free(s->ways);
	}
	free(s);
}

static bool late(void *data)
{
	return point_late(data);
}

/* mm+inc for count nodes into node[]; its total. */
static int64_t good_start(struct scratch *s, const struct mesh_state *state,
	const struct nodeset *required, int count, int *node)
{
	struct mesh_request request = {.count = count, .required = required};
	struct point_search search = {.grid = true, .cost = INT64_MAX, .total = INT64_MAX,
		.vertex = -1};
	struct mesh_budget budget = s->point.budget;
	struct refine_set set = {state, required, node, count, 0, late, &s->point};

	point_load(&s->point, state, &request);
	s->point.budget = budget;
	ball_hops(&s->point.space);
	point_best_hops(&s->point, &search);
	point_take(&s->point, search.vertex, node, &set.total);
	s->cut_short = search.out_of_time | !refine_run(&s->refine, &set);
	return set.total;
}

/* Sum of the u least of far[from..n-1]. O(n u). */
static int64_t least_sum(const int *far, int from, int n, int u)
{
	int low[DEPTH], have = 0;
	int64_t sum = 0;

	for (int i = from; i < n; i++) {
		int at;

		if (have == u && far[i] >= low[have - 1])
			continue;
		have += have < u;
		for (at = have - 1; at > 0 && low[at - 1] > far[i]; at--)
			low[at] = low[at - 1];
		low[at] = far[i];
	}
	for (int i = 0; i < have; i++)
		sum += low[i];
	return sum;
}

static void keep(struct search *s, int64_t total)
{
	s->best = total;
	s->stars = 2 * (total - 1) / s->k;
	memcpy(s->best_node, s->chosen, (size_t)s->k * sizeof(int));
}

/* Choose from list[from..]; star = hops from the root to the chosen, total = of the chosen. */
static void descend(struct search *s, int from, int64_t star, int64_t total)
{
	int u = s->k - s->nchosen;
	const int *far = s->far[s->nchosen];

	if (s->steps-- <= 0 || (s->steps % LOOK == 0 && point_late(s->point)))
		s->stopped = true;
	if (!u) {
		if (total < s->best)
			keep(s, total);
		return;
	}
	if (s->n - from < u || s->stopped)
		return;
	if (total + least_sum(far, from, s->n, u) + s->least[u] >= s->best)
		return;
	for (int i = from; s->n - i >= u && !s->stopped; i++) {
		/* The list goes outwards: no later one is nearer to the root. */
		if (star + (int64_t)u * s->from_root[i] > s->stars)
			return;
		/* The nodes of a vertex are alike: in their order only. */
		if (i > from && s->mesh->vertex_of[s->list[i]] ==
			s->mesh->vertex_of[s->list[i - 1]])
			continue;
		if (total + far[i] + s->least[u - 1] >= s->best)
			continue;
		int *next = s->far[s->nchosen + 1];

		for (int j = i + 1; j < s->n; j++)
			next[j] = far[j] + s->hops[i][j];
		s->chosen[s->nchosen++] = s->list[i];
		descend(s, i + 1, star + s->from_root[i], total + far[i]);
		s->nchosen--;
	}
}

static bool is_required(const struct search *s, int node)
{
	return s->required && nodeset_has(s->required, node);
}

/* The node to start from on vertex v (all free ones are alike, but for required ones); or -1. */
static int root_on(const struct search *s, int v)
{
	int root = -1;

	for (int i = s->mesh->first[v + 1] - 1; i >= s->mesh->first[v]; i--) {
		int node = s->mesh->node_at[i];

		if (is_required(s, node))
			return node;
		if (nodeset_has(s->state->free, node))
			root = node;
	}
	return root;
}

/* Root and required nodes are chosen first; hops from the root to them, and their total. */
static int64_t choose_root(struct search *s, int root, int64_t *total)
{
	const struct mesh *mesh = s->mesh;
	int64_t star = 0;

	s->nchosen = 0;
	s->chosen[s->nchosen++] = root;
	for (int i = s->required ? nodeset_next(s->required, 0) : -1; i >= 0;
		i = nodeset_next(s->required, i + 1)) {
		star += mesh_hops(mesh, mesh->vertex_of[root], mesh->vertex_of[i]);
		if (i != root && s->nchosen < s->k)
			s->chosen[s->nchosen++] = i;
	}
	*total = 0;
	for (int i = 0; i < s->nchosen; i++)
		for (int j = 0; j < i; j++)
			*total += mesh_hops(mesh, mesh->vertex_of[s->chosen[i]],
				mesh->vertex_of[s->chosen[j]]);
	return star;
}

/*
 * How far from the root a candidate may be: with all others as near as they come the sum is
 * within s->stars. -1: there is no set around this root. ways[] counts nodes by distance.
 */
static int reach(const struct search *s, const int *ways, int farthest, int64_t star)
{
	int u = s->k - s->nchosen, distance = 0, left;

	for (left = u - 1; left > 0 && distance <= farthest; distance++) {
		int here = ways[distance] < left ? ways[distance] : left;

		star += (int64_t)here * distance;
		left -= here;
	}
	if (left > 0 || star > s->stars)
		return -1;
	return (int)(s->stars - star);
}

/* The free nodes that may go with the root, by distance, then vertex. False: too many. */
static bool list_candidates(struct search *s, int *ways, int root, int64_t star)
{
	const struct mesh *mesh = s->mesh;
	int v = mesh->vertex_of[root], farthest = 0, most;

	for (int d = 0; d < mesh->ndims; d++)
		farthest += mesh->side[d];
	farthest = s->stars < farthest ? (int)s->stars : farthest;
	memset(ways, 0, ((size_t)farthest + 2) * sizeof(*ways));
	nodeset_each(i, s->state->free) {
		int hops = mesh_hops(mesh, v, mesh->vertex_of[i]);

		if (hops <= farthest && i != root && !is_required(s, i))
			ways[hops]++;
	}
	s->n = 0;
	most = reach(s, ways, farthest, star);
	most = most < farthest ? most : farthest;
	for (int d = 0, sum = 0; d <= most; d++) {
		int here = ways[d];

		ways[d] = sum;
		sum += here;
		s->n = sum;
	}
	bool fits = s->n <= LIST;

	s->n = fits ? s->n : LIST;
	for (int w = 0; w < mesh->nvertices && s->n; w++) {
		int hops = mesh_hops(mesh, v, w);

		for (int i = mesh->first[w]; hops <= most && i < mesh->first[w + 1]; i++) {
			int node = mesh->node_at[i];

			if (!nodeset_has(s->state->free, node) || node == root ||
				is_required(s, node))
				continue;
			int at = ways[hops]++;

			if (at < LIST) {
				s->list[at] = node;
				s->from_root[at] = (uint16_t)hops;
			}
		}
	}
	return fits;
}

/* All better sets with `root` as the member nearest to the others. False: not all. */
static bool search_root(struct search *s, int *ways, int root)
{
	const struct mesh *mesh = s->mesh;
	int64_t total, star = choose_root(s, root, &total);
	bool all;

	if (star > s->stars)
		return true;
	all = list_candidates(s, ways, root, star);
	for (int i = 0; i < s->n; i++) {
		int v = mesh->vertex_of[s->list[i]], far = 0;

		for (int j = 0; j < s->nchosen; j++)
			far += mesh_hops(mesh, v, mesh->vertex_of[s->chosen[j]]);
		s->far[s->nchosen][i] = far;
		for (int j = i + 1; j < s->n; j++)
			s->hops[i][j] = (uint16_t)mesh_hops(mesh, v, mesh->vertex_of[s->list[j]]);
	}
	descend(s, 0, star, total);
	return all && !s->stopped;
}

/* Is mm's answer known to be the best? */
static bool known(const struct mesh *mesh, const struct nodeset *required, int k)
{
	bool wraps = false;

	for (int d = 0; d < mesh->ndims; d++)
		wraps |= mesh->wrap[d] && mesh->side[d] > 2;
	return k <= 2 || (k == 3 && !required && !wraps);
}

/* Improve node[k] of a total to the optimum; *total is changed along. True: proved. */
static bool optimum(struct scratch *s, int k, int *node, int64_t *total)
{
	struct search *f = &s->search;
	int64_t before = *total;
	bool proved = true;

	f->k = k;
	f->best = *total;
	f->stars = 2 * (*total - 1) / k;
	for (int v = 0; *total && v < f->mesh->nvertices && !f->stopped; v++) {
		int root = root_on(f, v);

		if (root < 0)
			continue;
		/* A root costs a look at every vertex. */
		f->steps -= f->mesh->nvertices / 64;
		proved &= search_root(f, s->ways, root);
		f->stopped |= point_late(&s->point);
	}
	if (f->best < before)
		memcpy(node, f->best_node, (size_t)k * sizeof(int));
	*total = f->best;
	return proved && !f->stopped;
}

/* No u free nodes have a lower total, for u < k: by search, or from those for u - 1, as every
 * pair of u nodes is in u - 2 of their subsets of u - 1. */
static void fill_least(struct scratch *s, const struct mesh_state *state, int k)
{
	struct search *f = &s->search;

	f->required = NULL;
	f->least[0] = f->least[1] = 0;
	for (int u = 2; u < k; u++) {
		int64_t bound = u > 2 ? (u * f->least[u - 1] + u - 3) / (u - 2) : 0;
		int64_t other = (int64_t)s->point.batch.least_pairs[u], total;
		bool proved = !f->stopped && !point_late(&s->point);

		if (proved) {
			total = good_start(s, state, NULL, u, s->node);
			if (!known(f->mesh, NULL, u))
				proved = optimum(s, u, s->node, &total);
			proved &= !s->cut_short;
		}
		f->least[u] = proved ? total : bound > other ? bound : other;
	}
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	struct scratch *s = strategy->scratch;
	struct search *f = &s->search;
	const struct nodeset *required = request->required;
	int k = request->count;
	int64_t total;

	if (required && !nodeset_count(required))
		required = NULL;
	f->point = &s->point;
	f->mesh = strategy->mesh;
	f->state = state;
	f->stopped = false;
	f->steps = request->budget_steps ? request->budget_steps : k > SMALL ? STEPS / 100 : STEPS;
	point_load(&s->point, state, request);
	total = good_start(s, state, required, k, answer->node);
	answer->proved = (known(strategy->mesh, required, k) && !s->cut_short) ||
		k == nodeset_count(state->free) ||
		(required && nodeset_count(required) == k) || !total;
	if (!answer->proved && k <= DEPTH && !s->cut_short) {
		fill_least(s, state, k);
		f->required = required;
		answer->proved = optimum(s, k, answer->node, &total);
	}
	answer->count = k;
	answer->cost = (double)total;
	answer->out_of_time = point_late(&s->point);
	return MESH_OK;
}

const struct strategy_ops strategy_exact_family[] = {
	{
		.name = "exact",
		.summary = "least total distance, proved for small k (best found otherwise)",
		.source = "Bender et al. 2005",
		.time = "exponential in k, within a budget",
		.init = init,
		.release = release,
		.decide = decide,
	},
	{0},
};
