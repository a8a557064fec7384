/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decide/span.h"

#include <string.h>

#include "ask/extras.h"
#include "geometry/metrics.h"

struct figures {
	int which, count;
	double mean_hops; /* 0 if there is one mesh only */
	int spare;	  /* free nodes that are left */
};

/* More nodes are better, then nearer nodes, then a mesh that is filled better. */
static bool better(const struct figures *x, const struct figures *than)
{
	if (!than->count || x->count != than->count)
		return x->count > than->count;
	if (x->mean_hops != than->mean_hops)
		return x->mean_hops < than->mean_hops;
	return x->spare < than->spare;
}

/* Add the best of the meshes that have no part of the answer yet. Returns how many nodes. */
static int add_best(struct span *span, int count)
{
	struct figures best = {.count = 0};

	for (int i = 0; i < span->n; i++) {
		struct span_mesh *in = &span->in[i];
		struct figures here = {.which = i};

		if (in->count || !(here.count = span->ask(span->arg, i, count, best.count)))
			continue;
		here.spare = nodeset_count(in->free) - here.count;
		if (span->n > 1)
			here.mean_hops = mesh_mean_hops(
				mesh_pairwise_hops(in->mesh, in->node, here.count), here.count);
		if (better(&here, &best))
			best = here;
	}
	if (best.count)
		span->in[best.which].count = best.count;
	return best.count;
}

static void clear(struct span *span)
{
	for (int i = 0; i < span->n; i++)
		span->in[i].count = 0;
}

int span_one(struct span *span, int count)
{
	clear(span);
	return add_best(span, count);
}

static int one_by_one(struct span *span, int count)
{
	int most = span->most ? span->most : count;
	int left = count, step = span->segment ? span->segment : 1, found = 1;

	clear(span);
	for (; left > 0 && found; left -= found) {
		found = 0;
		for (int size = left < most ? left : most; size > 0 && !found; size -= step)
			found = add_best(span, size);
	}
	return count - left;
}

/* --- where extra cables join meshes ------------------------------------------------- */

static struct linkgraph *joined(const struct span *span)
{
	for (int i = 0; i < span->n; i++)
		if (span->in[i].mesh->graph && span->in[i].mesh->graph->nmeshes > 1)
			return span->in[i].mesh->graph;
	return NULL;
}

static bool by_cables(struct span *span, int count)
{
	const struct extras *more = extras(NULL);

	clear(span);
	return more && more->span_cables(span, joined(span), count);
}

/* Find segments among as few of the nearest nodes as hold them all. */
static bool segments_by_cables(struct span *span, int count)
{
	struct arena arena = {0};
	struct nodeset *saved = arena_get(&arena, span->n, sizeof(*saved));
	int nfree = 0, among = count, last = 0;
	bool found = false;

	for (int i = 0; i < span->n && saved; i++)
		if (!nodeset_get(&saved[i], span->in[i].mesh->nnodes, &arena)) {
			nodeset_copy(&saved[i], span->in[i].free);
			nfree += span->in[i].mesh->graph == joined(span) ?
				nodeset_count(&saved[i]) : 0;
		}
	while (!arena.out && !found && among > last && by_cables(span, among)) {
		for (int i = 0; i < span->n; i++) {
			nodeset_clear_all(span->in[i].free);
			for (int j = 0; j < span->in[i].count; j++)
				nodeset_add(span->in[i].free, span->in[i].node[j]);
		}
		found = one_by_one(span, count) == count;
		for (int i = 0; i < span->n; i++)
			nodeset_copy(span->in[i].free, &saved[i]);
		last = among;
		among = 2 * among < nfree ? 2 * among : nfree;
	}
	arena_release(&arena);
	return found;
}

int span_several(struct span *span, int count)
{
	if (joined(span) &&
		(span->segment ? segments_by_cables(span, count) : by_cables(span, count)))
		return count;
	return one_by_one(span, count);
}
