/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/sim_links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/linkgraph.h"
#include "base/random.h"
#include "cli/smesh.h"

/* All links up that are whole, as vertex * ndims + dimension; how many. */
static int list_links(const struct mesh *mesh, int *link)
{
	int n = 0;

	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if (mesh_up(mesh, v, d) >= 0 && !mesh_is_down(mesh, v, d))
				link[n++] = v * mesh->ndims + d;
	return n;
}

/* How many of n links; -1 after a message. */
static int wanted(const char *text, int n)
{
	size_t length = strlen(text);
	bool share = length && text[length - 1] == '%';
	char number[32];
	double value;

	snprintf(number, sizeof(number), "%.*s", (int)length - share, text);
	if (length >= sizeof(number) || options_double(number, 0, share ? 100 : n, &value)) {
		smesh_fail(SMESH_USAGE, "--down-links=%s: not a number of the %d links, or percent",
			text, n);
		return -1;
	}
	return (int)(share ? value * n / 100 + 0.5 : value);
}

/* The first `most` of a shuffled list. */
static int break_some(struct mesh *mesh, int *link, int n, int most, uint64_t seed)
{
	uint64_t random = random_stream(seed, 0x11);

	for (int i = 0; i < most; i++) {
		int j = i + (int)(random_next(&random) % (uint64_t)(n - i)), at = link[j];

		link[j] = link[i];
		if (mesh_break(mesh, at / mesh->ndims, at % mesh->ndims))
			return -1;
	}
	return 0;
}

int sim_links_break(
	const struct topoconf *conf, const struct mesh *mesh, const char *text, uint64_t seed)
{
	int *link = malloc(((size_t)mesh->nvertices * (size_t)mesh->ndims + 1) * sizeof(*link));
	int n = link ? list_links(mesh, link) : 0, most = link ? wanted(text, n) : 0;
	struct mesh_err err = {"out of memory"};
	struct mesh *ours = NULL;
	bool bad = !link;

	for (int m = 0; m < conf->nmeshes; m++)
		if (conf->mesh[m] == mesh)
			ours = conf->mesh[m];
	if (!bad && most > 0) {
		const struct linkgraph *g = mesh->graph;

		bad = break_some(ours, link, n, most, seed) ||
			linkgraph_join(g ? g->mesh : &ours, g ? g->nmeshes : 1,
				g ? g->cable : NULL, g ? g->ncables : 0, &err);
	}
	free(link);
	if (bad)
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	return most < 0 ? SMESH_USAGE : SMESH_OK;
}
