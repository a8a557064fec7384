/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config/places.h"

#include <stdlib.h>
#include <string.h>

#include "config/address.h"

struct list {
	const struct topoconf *topo;
	const struct places_node *node;
	const struct places_node **by_name; /* [known] */
	int n, known;
	struct address *where; /* [n] mesh -1: by its name */
};

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct places_node *const *)a)->name,
		(*(const struct places_node *const *)b)->name);
}

static void list_release(struct list *l)
{
	free(l->by_name);
	free(l->where);
}

static int list_init(
	struct list *l, const struct topoconf *topo, const struct places_node *node, int n)
{
	*l = (struct list){.topo = topo, .node = node, .n = n,
		.by_name = malloc(((size_t)n + 1) * sizeof(*l->by_name)),
		.where = malloc(((size_t)n + 1) * sizeof(*l->where))};
	if (!l->by_name || !l->where) {
		list_release(l);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		if (node[i].name)
			l->by_name[l->known++] = &node[i];
		if (!node[i].name || !address_find(topo, node[i].topology, &l->where[i]))
			l->where[i].mesh = -1;
	}
	qsort(l->by_name, (size_t)l->known, sizeof(*l->by_name), by_name);
	return 0;
}

/* The index of a node, or -1. */
static int list_find(const struct list *l, const char *name)
{
	const struct places_node key = {.name = name}, *wanted = &key;
	const struct places_node **found = bsearch(&wanted, l->by_name, (size_t)l->known,
		sizeof(*l->by_name), by_name);

	return found ? (int)(*found - l->node) : -1;
}

/* May another node have the place of the one of this name? */
static bool is_away(const struct list *l, const char *name)
{
	int i = list_find(l, name);

	return i < 0 || l->where[i].mesh >= 0;
}

/* The place for a node on a vertex: its own, or that of one that is away; -1 if the vertex is
 * full. */
static int place_on(const struct list *l, int node, const int *at)
{
	const struct mesh *mesh = l->topo->mesh[l->where[node].mesh];
	int vertex = l->where[node].vertex, free = -1;

	for (int j = mesh->first[vertex]; j < mesh->first[vertex + 1]; j++) {
		int i = mesh->node_at[j];

		if (at[i] >= 0)
			continue;
		if (!strcmp(mesh->node_name[i], l->node[node].name))
			return i;
		if (free < 0 && is_away(l, mesh->node_name[i]))
			free = i;
	}
	return free;
}

static void assign(const struct list *l, int *const *at)
{
	for (int m = 0; m < l->topo->nmeshes; m++)
		memset(at[m], -1, (size_t)l->topo->mesh[m]->nnodes * sizeof(**at));
	for (int i = 0; i < l->n; i++) {
		int m = l->where[i].mesh, place = m < 0 ? -1 : place_on(l, i, at[m]);

		if (place >= 0)
			at[m][place] = i;
	}
	for (int m = 0; m < l->topo->nmeshes; m++) {
		const struct mesh *mesh = l->topo->mesh[m];

		for (int i = 0; i < mesh->nnodes; i++) {
			int node = at[m][i] < 0 ? list_find(l, mesh->node_name[i]) : -1;

			if (node >= 0 && l->where[node].mesh < 0)
				at[m][i] = node;
		}
	}
}

int places_assign(
	const struct topoconf *topo, const struct places_node *node, int n, int *const *at)
{
	struct list l;

	if (list_init(&l, topo, node, n))
		return -1;
	assign(&l, at);
	list_release(&l);
	return 0;
}

/* The name of who is at a place (at < 0: nobody that is known), or NULL where that is the map's
 * own. */
static char *name_of(const struct list *l, const char *name, int at, bool *failed)
{
	char *fresh;

	if (at >= 0 ? !strcmp(name, l->node[at].name) : list_find(l, name) < 0)
		return NULL;
	fresh = malloc(strlen(at < 0 ? name : l->node[at].name) + 2);
	*failed |= !fresh;
	if (fresh)
		strcat(strcpy(fresh, at < 0 ? "-" : ""), at < 0 ? name : l->node[at].name);
	return fresh;
}

static int rename_in(struct mesh *mesh, const struct list *l, const int *at)
{
	bool failed = false;

	for (int i = 0; i < mesh->nnodes; i++) {
		char *fresh = name_of(l, mesh->node_name[i], at[i], &failed);

		if (fresh) {
			free(mesh->node_name[i]);
			mesh->node_name[i] = fresh;
		}
	}
	return failed ? -1 : 0;
}

int places_rename(struct topoconf *topo, const struct places_node *node, int n)
{
	int **at = calloc((size_t)topo->nmeshes + 1, sizeof(*at)), rc = at ? 0 : -1;
	struct list l;

	for (int m = 0; m < topo->nmeshes && !rc; m++)
		rc = (at[m] = malloc((size_t)topo->mesh[m]->nnodes * sizeof(**at))) ? 0 : -1;
	if (!rc && !(rc = list_init(&l, topo, node, n))) {
		assign(&l, at);
		for (int m = 0; m < topo->nmeshes; m++)
			rc |= rename_in(topo->mesh[m], &l, at[m]);
		list_release(&l);
	}
	for (int m = 0; at && m < topo->nmeshes; m++)
		free(at[m]);
	free(at);
	return rc;
}
