/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/cables.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/sort.h"

/* What tsearch() keeps: the name is that of the list. */
struct named {
	const char *name;
	int id;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* The id of a name, or -1. */
static int find(void *const *index, const char *name)
{
	struct named key = {name, 0}, **found = tfind(&key, index, by_name);

	return found ? (*found)->id : -1;
}

/* The same; a new one gets *count, and is at name[*count]. -1: no memory. */
static int look_up(
	struct cables *c, void **index, char ***list, int *count, const char *name)
{
	int id = find(index, name);
	struct named *fresh;
	char **more;

	if (id >= 0)
		return id;
	if (!(more = arena_grow(&c->arena, list, *count, sizeof(*more))) ||
		!(*more = arena_text(&c->arena, name)) || !(fresh = malloc(sizeof(*fresh))))
		return -1;
	*fresh = (struct named){*more, *count};
	if (tsearch(fresh, index, by_name))
		return *count;
	free(fresh);
	return -1;
}

static int no_memory(struct mesh_err *err)
{
	return err_printf(err, "out of memory");
}

int cables_vertex(struct cables *c, const char *name, struct mesh_err *err)
{
	int v = look_up(c, &c->vertex_index, &c->vertex_name, &c->nvertices, name);

	if (v < 0)
		return no_memory(err);
	if (v == c->nvertices && ++c->nvertices > MESH_MAX_VERTICES)
		return err_printf(err, "more than %d vertices", MESH_MAX_VERTICES);
	return v;
}

int cables_find_vertex(const struct cables *c, const char *name)
{
	return find(&c->vertex_index, name);
}

int cables_find_node(const struct cables *c, const char *name)
{
	return find(&c->node_index, name);
}

static int add_also(struct cables *c, int node, int vertex, struct mesh_err *err)
{
	int (*more)[2] = arena_grow(&c->arena, &c->also, c->nalso, sizeof(*more));

	if (!more)
		return no_memory(err);
	(*more)[0] = node;
	(*more)[1] = vertex;
	c->nalso++;
	return 0;
}

int cables_node(struct cables *c, const char *name, int vertex, struct mesh_err *err)
{
	int node, *more;

	if (hostlist_check(name, NULL) != 1 || strchr(name, '['))
		return err_printf(err, "'%.64s' is not a node's name", name);
	if ((node = look_up(c, &c->node_index, &c->node_name, &c->nnodes, name)) < 0)
		return no_memory(err);
	if (node < c->nnodes)
		return c->vertex_of[node] == vertex ? 0 : add_also(c, node, vertex, err);
	c->nnodes++;
	if (!(more = arena_grow(&c->arena, &c->vertex_of, node, sizeof(*more))))
		return no_memory(err);
	*more = vertex;
	return 0;
}

int cables_host(struct cables *c, const char *name, struct mesh_err *err)
{
	int v = cables_vertex(c, name, err);

	return v < 0 || cables_node(c, name, v, err) ? -1 : v;
}

int cables_add(struct cables *c, int a, int b, struct mesh_err *err)
{
	int n = c->ncables;

	if (a == b)
		return 0;
	if (n >= INT32_MAX / 4 || !arena_grow(&c->arena, &c->cable, n, sizeof(*c->cable)))
		return no_memory(err);
	c->cable[n][0] = a < b ? a : b;
	c->cable[n][1] = a < b ? b : a;
	c->ncables++;
	return 0;
}

static int by_version(const void *a, const void *b, void *name)
{
	char *const *of = name;
	int x = *(const int *)a, y = *(const int *)b, order = strverscmp(of[x], of[y]);

	return order ? order : (x > y) - (x < y);
}

/* new[v]: the place of v among all by the first of its nodes' names, or its own. */
static int number_vertices(struct cables *c, int *new)
{
	char **name = arena_get(&c->arena, c->nvertices, sizeof(*name));
	int *order = arena_get(&c->arena, c->nvertices, sizeof(*order));

	if (!order)
		return -1;
	for (int v = 0; v < c->nvertices; v++) {
		order[v] = v;
		name[v] = c->vertex_name[v];
	}
	for (int i = 0; i < c->nalso; i++)
		name[c->also[i][1]] = c->node_name[c->also[i][0]];
	for (int i = c->nnodes - 1; i >= 0; i--)
		name[c->vertex_of[i]] = c->node_name[i];
	qsort_r(order, (size_t)c->nvertices, sizeof(*order), by_version, name);
	for (int i = 0; i < c->nvertices; i++) {
		new[order[i]] = i;
		name[i] = c->vertex_name[order[i]];
	}
	c->vertex_name = name;
	for (int i = 0; i < c->nnodes; i++)
		c->vertex_of[i] = new[c->vertex_of[i]];
	for (int i = 0; i < c->nalso; i++)
		c->also[i][1] = new[c->also[i][1]];
	return 0;
}

/* Both directions of every cable, sorted, each once: a cable is its two numbers in one. */
static int list_neighbours(struct cables *c, const int *new)
{
	size_t n = 0, all = 2 * (size_t)c->ncables;
	uint64_t *arc = arena_get(&c->arena, (int64_t)all, sizeof(*arc));

	if (!arena_array(&c->arena, c->to, (int64_t)all))
		return -1;
	for (int i = 0; i < c->ncables; i++) {
		uint64_t a = (uint64_t)new[c->cable[i][0]], b = (uint64_t)new[c->cable[i][1]];

		arc[n++] = a << 32 | b;
		arc[n++] = b << 32 | a;
	}
	if (n)
		qsort(arc, n, sizeof(*arc), sort_compare_u64);
	c->ncables = 0;
	n = 0;
	for (size_t i = 0; i < all; i++) {
		int a = (int)(arc[i] >> 32), b = (int)(arc[i] & UINT32_MAX);

		if (i && arc[i] == arc[i - 1])
			continue;
		c->to[n++] = b;
		c->first[a + 1] = (int)n;
		if (a < b) {
			c->cable[c->ncables][0] = a;
			c->cable[c->ncables++][1] = b;
		}
	}
	for (int v = 0; v < c->nvertices; v++)
		if (c->first[v + 1] < c->first[v])
			c->first[v + 1] = c->first[v];
	return 0;
}

int cables_finish(struct cables *c, struct mesh_err *err)
{
	int *new = arena_get(&c->arena, c->nvertices, sizeof(*new));

	if (!arena_array(&c->arena, c->first, c->nvertices + 1) || number_vertices(c, new) ||
		list_neighbours(c, new))
		return no_memory(err);
	return 0;
}

bool cables_joined(const struct cables *c, int a, int b)
{
	return bsearch(&b, c->to + c->first[a], (size_t)(c->first[a + 1] - c->first[a]),
		       sizeof(*c->to), sort_compare_int) != NULL;
}

void cables_release(struct cables *c)
{
	tdestroy(c->vertex_index, free);
	tdestroy(c->node_index, free);
	arena_release(&c->arena);
	*c = (struct cables){0};
}
