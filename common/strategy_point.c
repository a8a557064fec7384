/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Point strategies: for each candidate centre take the k free nodes nearest to it, and keep
 * the set that scores least. M. Bender et al., "Communication-aware processor allocation for
 * supercomputers", sections 2.1 (MM) and 1 (MC1x1, after Mache, Lo and Windisch).
 *
 * O(n (n + k d)) here: every centre is evaluated in full.
 */
#include "strategy.h"

#include <stdlib.h>
#include <string.h>

#include "metrics.h"

/* What makes one of them: where centres are, how far nodes are, what is minimised. */
struct preset {
	bool grid_centres; /* every crossing of free coordinates; otherwise free nodes only */
	bool cubes;	   /* shells are cubes; otherwise L1 balls */
	bool shell_cost;   /* minimise the sum of shell numbers, then the total */
};

struct scratch {
	int *start; /* [longest distance + 2] counting sort of nodes by distance */
	int *sorted, *distance;
	int64_t *sum; /* hops from a tied node to all chosen so far */
	int longest;
	struct nodeset used[MESH_MAX_DIMS]; /* coordinates of free nodes */
};

static int distance_to(const struct mesh *mesh, bool cubes, int v, int w)
{
	int far = 0;

	if (!cubes)
		return mesh_hops(mesh, v, w);
	for (int d = 0; d < mesh->ndims; d++) {
		int hops = mesh_axis_hops(mesh, d, mesh->coord[v][d], mesh->coord[w][d]);

		far = hops > far ? hops : far;
	}
	return far;
}

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = calloc(1, sizeof(*s));
	size_t n = (size_t)mesh->nnodes;
	bool fine = s;

	strategy->scratch = s;
	for (int d = 0; fine && d < mesh->ndims; d++) {
		s->longest += mesh->side[d];
		fine = !nodeset_init(&s->used[d], mesh->side[d]);
	}
	if (fine) {
		s->start = calloc((size_t)s->longest + 2, sizeof(int));
		s->sorted = malloc(n * sizeof(int));
		s->distance = malloc(n * sizeof(int));
		s->sum = malloc(n * sizeof(*s->sum));
		fine = s->start && s->sorted && s->distance && s->sum;
	}
	return fine ? 0 : err_printf(err, "out of memory");
}

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	for (int d = 0; s && d < MESH_MAX_DIMS; d++)
		nodeset_release(&s->used[d]);
	if (s) {
		free(s->start);
		free(s->sorted);
		free(s->distance);
		free(s->sum);
	}
	free(s);
}

/* The k nearest free nodes (required ones first) to s->sorted[0..k-1]; sum of distances. */
static int64_t collect(const struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, int centre)
{
	const struct preset *preset = strategy->ops->preset;
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = strategy->scratch;
	int64_t sum = 0;

	memset(s->start, 0, ((size_t)s->longest + 2) * sizeof(int));
	nodeset_each(i, state->free) {
		bool must = request->required && nodeset_has(request->required, i);

		s->distance[i] = distance_to(mesh, preset->cubes, centre, mesh->vertex_of[i]);
		s->start[(must ? 0 : s->distance[i]) + 1]++;
	}
	for (int r = 0; r < s->longest; r++)
		s->start[r + 1] += s->start[r];
	for (int pass = 0; pass < 2; pass++)
		nodeset_each(i, state->free) {
			bool must = request->required && nodeset_has(request->required, i);

			if (must == !pass)
				s->sorted[s->start[must ? 0 : s->distance[i]]++] = i;
		}
	for (int i = 0; i < request->count; i++)
		sum += s->distance[s->sorted[i]];
	return sum;
}

/*
 * The nodes of the last shell are equally near: take those first that add the least to the
 * total, one after another, the lowest number among equals.
 */
static void break_ties(const struct strategy *strategy, const struct mesh_state *state, int count)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = strategy->scratch;
	int shell = s->distance[s->sorted[count - 1]], from = count, to = count;
	int nfree = nodeset_count(state->free);

	while (from > 0 && s->distance[s->sorted[from - 1]] == shell)
		from--;
	while (to < nfree && s->distance[s->sorted[to]] == shell)
		to++;
	for (int i = from; to > count && i < to; i++) {
		s->sum[i] = 0;
		for (int j = 0; j < from; j++)
			s->sum[i] += mesh_hops(mesh, mesh->vertex_of[s->sorted[i]],
				mesh->vertex_of[s->sorted[j]]);
	}
	for (int at = from; to > count && at < count; at++) {
		int best = at;

		for (int i = at + 1; i < to; i++)
			if (s->sum[i] < s->sum[best] ||
				(s->sum[i] == s->sum[best] && s->sorted[i] < s->sorted[best]))
				best = i;
		int node = s->sorted[best];

		s->sorted[best] = s->sorted[at];
		s->sum[best] = s->sum[at];
		s->sorted[at] = node;
		for (int i = at + 1; i < to; i++)
			s->sum[i] += mesh_hops(mesh, mesh->vertex_of[s->sorted[i]],
				mesh->vertex_of[node]);
	}
}

static bool is_centre(const struct strategy *strategy, const struct mesh_state *state, int v)
{
	const struct preset *preset = strategy->ops->preset;
	const struct mesh *mesh = strategy->mesh;
	const struct scratch *s = strategy->scratch;

	if (!preset->grid_centres) {
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			if (nodeset_has(state->free, mesh->node_at[i]))
				return true;
		return false;
	}
	for (int d = 0; d < mesh->ndims; d++)
		if (!nodeset_has(&s->used[d], mesh->coord[v][d]))
			return false;
	return true;
}

static void find_used(const struct strategy *strategy, const struct mesh_state *state)
{
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = strategy->scratch;

	for (int d = 0; d < mesh->ndims; d++)
		nodeset_clear_all(&s->used[d]);
	nodeset_each(i, state->free)
		for (int d = 0; d < mesh->ndims; d++)
			nodeset_add(&s->used[d], mesh->coord[mesh->vertex_of[i]][d]);
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	const struct preset *preset = strategy->ops->preset;
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = strategy->scratch;
	int64_t least = INT64_MAX, least_total = INT64_MAX;

	find_used(strategy, state);
	for (int v = 0; v < mesh->nvertices; v++) {
		if (!is_centre(strategy, state, v))
			continue;
		int64_t cost = collect(strategy, state, request, v);

		if (!request->required)
			break_ties(strategy, state, request->count);
		int64_t total = mesh_pairwise_hops(mesh, s->sorted, request->count);

		if (total < 0) {
			err_printf(&answer->err, "out of memory");
			return MESH_ERROR;
		}
		cost = preset->shell_cost ? cost : total;
		if (cost > least || (cost == least && total >= least_total))
			continue;
		least = cost;
		least_total = total;
		memcpy(answer->node, s->sorted, (size_t)request->count * sizeof(int));
	}
	answer->count = request->count;
	answer->cost = (double)least;
	return MESH_OK;
}

#define SOURCE "Bender et al. 2005"

const struct strategy_ops strategy_point_family[] = {
	{
		.name = "mm",
		.summary = "Manhattan Median: the k nodes nearest to the best grid point",
		.source = SOURCE,
		.time = "O(n (n + k d))",
		.preset = &(const struct preset){.grid_centres = true},
		.init = init,
		.release = release,
		.decide = decide,
	},
	{
		.name = "mc1x1",
		.summary = "least sum of shell numbers around a free node, shells being cubes",
		.source = SOURCE,
		.time = "O(n (n + k d))",
		.preset = &(const struct preset){.cubes = true, .shell_cost = true},
		.init = init,
		.release = release,
		.decide = decide,
	},
	{0},
};
