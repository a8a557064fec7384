/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cables/span_cables.h"

#include "cables/graphfind.h"

/* Load the free nodes of all meshes of the graph. Returns how many. */
static int load(const struct span *span, struct graphfind *find)
{
	int nfree = 0;

	for (int i = 0; i < span->n; i++) {
		const struct mesh *mesh = span->in[i].mesh;

		if (mesh->graph != find->graph)
			continue;
		nodeset_each(j, span->in[i].free) {
			find->nfree[mesh->graph_first + mesh->vertex_of[j]]++;
			nfree++;
		}
	}
	return nfree;
}

/* Take the lowest nodes of each vertex, as many as found. */
static void take(struct span *span, struct graphfind *find)
{
	const struct graphfind_set *set = &find->kept[0];
	int *taken = find->must; /* all 0, and not needed any more */

	for (int i = 0; i < set->n; i++)
		taken[set->vertex[i]] = set->taken[i];
	for (int i = 0; i < span->n; i++) {
		struct span_mesh *in = &span->in[i];

		if (in->mesh->graph != find->graph)
			continue;
		nodeset_each(j, in->free) {
			int *left = &taken[in->mesh->graph_first + in->mesh->vertex_of[j]];

			if (*left)
				in->node[in->count++] = j;
			*left -= *left > 0;
		}
	}
}

bool span_cables(struct span *span, struct linkgraph *graph, int count)
{
	struct graphfind find;
	struct arena arena = {0};
	bool found = false;

	if (!graphfind_init(&find, graph, &arena)) {
		find.count = count;
		if (load(span, &find) >= count) {
			graphfind_sets(&find);
			found = graphfind_is_joined(&find);
		}
		if (found)
			take(span, &find);
	}
	arena_release(&arena);
	return found;
}
