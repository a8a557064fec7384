/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/cables.h"

#include <ctype.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hostlist.h"
#include "base/sort.h"
#include "sim/need.h"

/* What tsearch() keeps; the list owns the name. */
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

/* The same; a new name gets the id *count, and is at name[*count]. */
static int look_up(struct cables *c, void **index, char ***list, int *count, const char *name)
{
	int id = find(index, name);
	struct named *fresh;
	char **more;

	if (id >= 0)
		return id;
	more = need(arena_grow(&c->arena, list, *count, sizeof(*more)));
	*more = need_text(&c->arena, name);
	fresh = need(malloc(sizeof(*fresh)));
	*fresh = (struct named){*more, *count};
	need(tsearch(fresh, index, by_name));
	return *count;
}

int cables_vertex(struct cables *c, const char *name, struct mesh_err *err)
{
	int v = look_up(c, &c->vertex_index, &c->vertex_name, &c->nvertices, name);

	if (v == c->nvertices && ++c->nvertices > MESH_MAX_VERTICES)
		return err_printf(err, "more than %d vertices", MESH_MAX_VERTICES);
	return v;
}

int cables_find_node(const struct cables *c, const char *name)
{
	return find(&c->node_index, name);
}

int cables_node(struct cables *c, const char *name, int vertex, struct mesh_err *err)
{
	int node, (*also)[2];

	if (!hostlist_is_name(name))
		return err_printf(err, "'%.64s' is not a node's name", name);
	node = look_up(c, &c->node_index, &c->node_name, &c->nnodes, name);
	if (node == c->nnodes) {
		need_append(&c->arena, c->vertex_of, c->nnodes, vertex);
	} else if (c->vertex_of[node] != vertex) {
		also = need_next(&c->arena, &c->also, &c->nalso, sizeof(*also));
		(*also)[0] = node;
		(*also)[1] = vertex;
	}
	return 0;
}

int cables_host(struct cables *c, const char *name, struct mesh_err *err)
{
	int v = cables_vertex(c, name, err);

	return v < 0 || cables_node(c, name, v, err) ? -1 : v;
}

void cables_add(struct cables *c, const struct cable_end end[2], int lanes)
{
	bool turned = end[0].vertex > end[1].vertex;

	need_done(c->nseen >= INT32_MAX / 4);
	if (end[0].vertex != end[1].vertex)
		need_append(&c->arena, c->seen, c->nseen,
			(struct cable_seen){{end[turned], end[!turned]}, lanes, turned});
}

/* A node's name as it may be spelt in another place: the key has small letters, no zeros before a
 * number and no domain. */
struct spelling {
	char *key;
	const char *name, *domain; /* "": none */
};

/* In place. */
static void make_key(char *key)
{
	char *to = key, before = '\0';

	for (const char *from = key; *from && *from != '.'; before = *from++) {
		while (!isdigit((unsigned char)before) && *from == '0' &&
			isdigit((unsigned char)from[1]))
			from++;
		*to++ = (char)tolower((unsigned char)*from);
	}
	*to = '\0';
}

static int by_spelling(const void *a, const void *b)
{
	const struct spelling *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : strcasecmp(x->domain, y->domain);
}

/* Two names that are one host's are refused. */
static int check_spelling(struct cables *c, struct mesh_err *err)
{
	struct spelling *all = need_get(&c->arena, c->nnodes, sizeof(*all));

	for (int i = 0; i < c->nnodes; i++) {
		const char *name = c->node_name[i], *domain = strchr(name, '.');

		all[i] = (struct spelling){need_text(&c->arena, name), name, domain ? domain : ""};
		make_key(all[i].key);
	}
	qsort(all, (size_t)c->nnodes, sizeof(*all), by_spelling);
	for (int i = 1; i < c->nnodes; i++)
		if (!strcmp(all[i - 1].key, all[i].key) &&
			(!*all[i - 1].domain || !strcasecmp(all[i - 1].domain, all[i].domain)))
			return err_printf(err, "%.64s and %.64s: one host? Expected one name for "
				"it, the one that slurm.conf has", all[i - 1].name, all[i].name);
	return 0;
}

static int by_version(const void *a, const void *b, void *name)
{
	char *const *of = name;
	int x = *(const int *)a, y = *(const int *)b, order = strverscmp(of[x], of[y]);

	return order ? order : (x > y) - (x < y);
}

/* Set new[v] to the place of v among all, by the first of its nodes' names or by its own name. */
static void number_vertices(struct cables *c, int *new)
{
	char **name = need_get(&c->arena, c->nvertices, sizeof(*name));
	int *order = need_get(&c->arena, c->nvertices, sizeof(*order));

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
}

/* Give the vertices their new numbers. */
static void renumber(struct cables *c, const int *new)
{
	for (int i = 0; i < c->nseen; i++) {
		struct cable_seen *seen = &c->seen[i];
		const struct cable_end was[2] = {seen->end[0], seen->end[1]};
		bool turned = new[was[0].vertex] > new[was[1].vertex];

		for (int e = 0; e < 2; e++) {
			seen->end[e] = was[e != turned];
			seen->end[e].vertex = new[seen->end[e].vertex];
		}
		seen->turned ^= turned;
	}
}

static int by_ends(const void *a, const void *b)
{
	const struct cable_seen *x = a, *y = b;

	for (int e = 0; e < 2; e++)
		if (x->end[e].vertex != y->end[e].vertex)
			return x->end[e].vertex - y->end[e].vertex;
	for (int e = 0; e < 2; e++)
		if (x->end[e].port != y->end[e].port)
			return x->end[e].port < y->end[e].port ? -1 : 1;
	return x->turned - y->turned;
}

static bool same_ends(const struct cable_seen *a, const struct cable_seen *b, bool ports)
{
	for (int e = 0; e < 2; e++)
		if (a->end[e].vertex != b->end[e].vertex ||
			(ports && a->end[e].port != b->end[e].port))
			return false;
	return true;
}

/* A known port, and what it is cabled to. */
struct port {
	uint64_t port;
	int vertex, peer;
};

static int by_port(const void *a, const void *b)
{
	const struct port *x = a, *y = b;

	if (x->vertex != y->vertex)
		return x->vertex - y->vertex;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return x->peer - y->peer;
}

/*
 * Forget all ports if most are cabled to several vertices, which no port can be: they are a host's
 * rack or the like.
 */
static void check_ports(struct cables *c)
{
	struct port *port = need_get(&c->arena, 2 * (int64_t)c->nseen, sizeof(*port));
	int n = 0, all = 0, several = 0;

	for (int i = 0; i < c->nseen; i++)
		for (int e = 0; e < 2; e++)
			if (c->seen[i].end[e].port)
				port[n++] = (struct port){c->seen[i].end[e].port,
					c->seen[i].end[e].vertex, c->seen[i].end[!e].vertex};
	if (n)
		qsort(port, (size_t)n, sizeof(*port), by_port);
	for (int i = 0, last; i < n; i = last, all++) {
		const struct port *first = &port[i];

		for (last = i; last < n && first->vertex == port[last].vertex &&
			first->port == port[last].port;)
			last++;
		several += port[last - 1].peer != first->peer;
	}
	for (int i = 0; i < c->nseen && 2 * (int64_t)several > all; i++)
		c->seen[i].end[0].port = c->seen[i].end[1].port = 0;
}

/* The lanes of the cable from `first` on, whose ports are known; *last is behind its lines. */
static int lanes_of(struct cables *c, int first, int *last)
{
	bool way[2] = {false, false};
	int most = 0, i = first;

	for (; i < c->nseen && same_ends(&c->seen[first], &c->seen[i], true); i++) {
		c->again += way[c->seen[i].turned];
		way[c->seen[i].turned] = true;
		most = c->seen[i].lanes > most ? c->seen[i].lanes : most;
	}
	*last = i;
	c->with_ports++;
	c->one_way += !way[0] || !way[1];
	return most;
}

/* The lanes between two vertices: of cables of known ports, and of others by direction. */
struct pair {
	int64_t known, way[2];
};

/* Sum up the cables from `first` on with the same ends; *last is behind them. */
static struct pair sum_pair(struct cables *c, int first, int *last)
{
	struct pair pair = {0};
	int i = first;

	while (i < c->nseen && same_ends(&c->seen[first], &c->seen[i], false)) {
		const struct cable_seen *seen = &c->seen[i];

		if (seen->end[0].port && seen->end[1].port)
			pair.known += lanes_of(c, i, &i);
		else
			pair.way[c->seen[i++].turned] += seen->lanes;
	}
	*last = i;
	return pair;
}

/*
 * Is each line a cable of its own, in any direction, rather than what one of the ends shows? Then
 * the two directions between vertices often differ, by more than a few cables that are not shown.
 */
static bool is_once(const struct pair *pair, int n)
{
	enum { FEW = 2, SMALL = 6 };
	int64_t uneven = 0, differ = 0, all = 0;

	for (int i = 0; i < n; i++) {
		const int64_t *way = pair[i].way;

		if (!way[0] || !way[1])
			continue;
		uneven += way[0] != way[1];
		differ += llabs(way[0] - way[1]);
		all += way[0] + way[1];
	}
	return uneven > FEW && SMALL * differ > all;
}

/* List each pair of vertices once, with all its lanes. */
static void list_pairs(struct cables *c)
{
	struct pair *pair = need_get(&c->arena, c->nseen, sizeof(*pair));

	need_array(&c->arena, c->lanes, c->nseen);
	need_array(&c->arena, c->cable, c->nseen);
	if (c->nseen)
		qsort(c->seen, (size_t)c->nseen, sizeof(*c->seen), by_ends);
	c->ncables = 0;
	for (int i = 0; i < c->nseen; c->ncables++) {
		for (int e = 0; e < 2; e++)
			c->cable[c->ncables][e] = c->seen[i].end[e].vertex;
		pair[c->ncables] = sum_pair(c, i, &i);
	}
	c->once = is_once(pair, c->ncables);
	for (int i = 0; i < c->ncables; i++) {
		const int64_t *way = pair[i].way;
		int64_t other = c->once ? way[0] + way[1] : way[0] > way[1] ? way[0] : way[1];
		int64_t lanes = pair[i].known + other;

		c->lanes[i] = lanes < CABLES_MAX_LANES ? (int)lanes : CABLES_MAX_LANES;
	}
}

/* Cables are in order, and so are the neighbours of each vertex: lower ones come first. */
void cables_join(struct cables *c)
{
	int *at = need_get(&c->arena, c->nvertices, sizeof(*at));

	need_array(&c->arena, c->to, 2 * (int64_t)c->ncables);
	need_array(&c->arena, c->first, c->nvertices + 1);
	for (int i = 0; i < c->ncables; i++)
		for (int e = 0; e < 2; e++)
			c->first[c->cable[i][e] + 1]++;
	for (int v = 0; v < c->nvertices; v++) {
		at[v] = c->first[v];
		c->first[v + 1] += c->first[v];
	}
	for (int e = 1; e >= 0; e--)
		for (int i = 0; i < c->ncables; i++)
			c->to[at[c->cable[i][e]]++] = c->cable[i][!e];
}

int cables_finish(struct cables *c, struct mesh_err *err)
{
	int *new = need_get(&c->arena, c->nvertices, sizeof(*new));

	if (check_spelling(c, err))
		return -1;
	number_vertices(c, new);
	renumber(c, new);
	check_ports(c);
	list_pairs(c);
	cables_join(c);
	return 0;
}

void cables_cut(struct cables *c, const bool *out)
{
	int n = 0;

	for (int i = 0; i < c->ncables; i++)
		if (!out[c->cable[i][0]] && !out[c->cable[i][1]]) {
			memcpy(c->cable[n], c->cable[i], sizeof(c->cable[n]));
			c->lanes[n++] = c->lanes[i];
		}
	c->ncables = n;
	cables_join(c);
}

bool cables_joined(const struct cables *c, int a, int b)
{
	return bsearch(&b, c->to + c->first[a], (size_t)cables_degree(c, a), sizeof(*c->to),
		sort_compare_int);
}

void cables_release(struct cables *c)
{
	tdestroy(c->vertex_index, free);
	tdestroy(c->node_index, free);
	arena_release(&c->arena);
	*c = (struct cables){0};
}
