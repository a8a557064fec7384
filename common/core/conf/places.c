/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "conf/address.h"

struct list {
	const struct topoconf *topo;
	const struct places_node *node;
	const struct places_node **by_name; /* [known] */
	int n, known;
	struct address *where; /* [n] mesh -1: the node is placed by its name */
	bool *placed;	       /* [n] */
};

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct places_node *const *)a)->name,
		(*(const struct places_node *const *)b)->name);
}

static int list_init(struct list *l, struct arena *arena)
{
	arena_array(arena, l->by_name, l->n);
	arena_array(arena, l->placed, l->n);
	if (!arena_array(arena, l->where, l->n))
		return -1;
	for (int i = 0; i < l->n; i++) {
		if (l->node[i].name)
			l->by_name[l->known++] = &l->node[i];
		if (!l->node[i].name || !address_find(l->topo, l->node[i].topology, &l->where[i]))
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

static void put_node(const struct list *l, int *at, int place, int node)
{
	at[place] = node;
	l->placed[node] = true;
}

/* May the node that was there stay? It may be gone, or now say to be elsewhere. */
static bool may_stay(const struct list *l, int m, int place, int node)
{
	const struct mesh *mesh = l->topo->mesh[m];

	if (node < 0 || node >= l->n || !l->node[node].name || l->placed[node])
		return false;
	return l->where[node].mesh < 0
		? !strcmp(l->node[node].name, mesh->node_name[place])
		: l->where[node].mesh == m &&
			l->where[node].vertex == mesh->vertex_of[place];
}

/* A node that has a place keeps it. */
static void keep_places(const struct list *l, int *const *at)
{
	for (int m = 0; m < l->topo->nmeshes; m++)
		for (int i = 0; i < l->topo->mesh[m]->nnodes; i++) {
			int node = at[m][i];

			at[m][i] = -1;
			if (may_stay(l, m, i, node))
				put_node(l, at[m], i, node);
		}
}

/* The node that the map names there, unless it says to be elsewhere; INT_MAX: it is away. */
static int owner(const struct list *l, const char *name)
{
	int i = list_find(l, name);

	return i < 0 || l->where[i].mesh >= 0 ? INT_MAX : i;
}

/*
 * The place for a node on a vertex: its own, or that of a node that is away, or else that of the
 * last node in the table; -1: the vertex is full.
 */
static int place_on(const struct list *l, int node, const int *at)
{
	const struct mesh *mesh = l->topo->mesh[l->where[node].mesh];
	int vertex = l->where[node].vertex, free = -1, last = -1;

	for (int j = mesh->first[vertex]; j < mesh->first[vertex + 1]; j++) {
		int i = mesh->node_at[j], whose = owner(l, mesh->node_name[i]);

		if (at[i] >= 0)
			continue;
		if (!strcmp(mesh->node_name[i], l->node[node].name))
			return i;
		if (whose > last) {
			free = i;
			last = whose;
		}
	}
	return free;
}

static void assign_places(const struct list *l, int *const *at)
{
	keep_places(l, at);
	for (int i = 0; i < l->n; i++) {
		int m = l->where[i].mesh;
		int place = m < 0 || l->placed[i] ? -1 : place_on(l, i, at[m]);

		if (place >= 0)
			put_node(l, at[m], place, i);
	}
	for (int m = 0; m < l->topo->nmeshes; m++) {
		const struct mesh *mesh = l->topo->mesh[m];

		for (int i = 0; i < mesh->nnodes; i++) {
			int node = at[m][i] < 0 ? list_find(l, mesh->node_name[i]) : -1;

			if (node >= 0 && l->where[node].mesh >= 0)
				at[m][i] = PLACES_AWAY;
			else if (node >= 0)
				put_node(l, at[m], i, node);
		}
	}
}

int places_assign(
	const struct topoconf *topo, const struct places_node *node, int n, int *const *at)
{
	struct list l = {.topo = topo, .node = node, .n = n};
	struct arena arena = {0};
	int rc = list_init(&l, &arena);

	if (!rc)
		assign_places(&l, at);
	arena_release(&arena);
	return rc;
}
