/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Proves that there is no walk. A ring that has s points of a cut has at most s of the parts that
 * are left without these points, and a line one more (V. Chvatal, "Tough graphs and hamiltonian
 * circuits", 1973).
 */
#include "walk/walk_cut.h"

#include <stdio.h>
#include <string.h>

#include "base/sort.h"
#include "walk/walk.h"

enum {
	CUT = 3,	/* the most points of a cut */
	LOOKS = 4000000, /* looks at links for cuts of one size: some milliseconds */
};

struct cutter {
	const struct walk_graph *g;
	enum walk_kind kind;
	int length;
	int cut[CUT], ncut;
	int *part, nparts; /* sizes of the parts, ascending */
	int *queue;
	bool *seen;
};

static const char *name_of(const struct walk_graph *g, int p)
{
	return g->mesh->node_name ? g->mesh->node_name[g->node[p]] : "a node";
}

/* Find the parts that are left without the cut. */
static void find_parts(struct cutter *c)
{
	memset(c->seen, 0, (size_t)c->g->points * sizeof(*c->seen));
	for (int i = 0; i < c->ncut; i++)
		c->seen[c->cut[i]] = true;
	c->nparts = 0;
	for (int p = 0; p < c->g->n; p++) {
		int n = 0;

		if (c->seen[p])
			continue;
		c->seen[p] = true;
		c->queue[n++] = p;
		for (int i = 0; i < n; i++)
			walk_graph_each(q, c->g, c->queue[i])
				if (q != c->g->home && !c->seen[q]) {
					c->seen[q] = true;
					c->queue[n++] = q;
				}
		c->part[c->nparts++] = n;
	}
	sort_ints(c->part, c->nparts);
}

/* How many parts a walk can have, and the most nodes of these parts and the cut. */
static int parts_of_walk(const struct cutter *c)
{
	return c->ncut + (c->kind == WALK_LINE);
}

static int most_nodes(const struct cutter *c)
{
	int most = c->ncut;

	for (int i = 0; i < parts_of_walk(c) && i < c->nparts; i++)
		most += c->part[c->nparts - 1 - i];
	return most;
}

/* Try all cuts of ncut points from the i-th on, numbered above `from`. True: one is a proof. */
static bool try_cuts(struct cutter *c, int i, int from)
{
	if (i == c->ncut) {
		find_parts(c);
		return most_nodes(c) < c->length;
	}
	for (c->cut[i] = from; c->cut[i] < c->g->n; c->cut[i]++)
		if (try_cuts(c, i + 1, c->cut[i] + 1))
			return true;
	return false;
}

static bool tell_cut(const struct cutter *c, struct mesh_err *err)
{
	char names[256];
	int at = 0;

	for (int i = 0; i < c->ncut; i++) {
		const char *between = i == c->ncut - 1 ? " and " : ", ";

		at += snprintf(names + at, sizeof(names) - (size_t)at, "%s%.64s",
			i ? between : "", name_of(c->g, c->cut[i]));
	}
	err_printf(err, "a %s of %d nodes: without %s there are %d parts, the largest of %d nodes, "
		"and a %s has at most %d of them: it has at most %d nodes", walk_name(c->kind),
		c->length, names, c->nparts, c->part[c->nparts - 1], walk_name(c->kind),
		parts_of_walk(c), most_nodes(c));
	return true;
}

/* Nodes with fewer than two links to nodes of a ring cannot be on it: the first, and how many. */
static int count_ends(struct cutter *c, int *first)
{
	const struct walk_graph *g = c->g;
	int *left = c->part, n = 0;

	for (int p = 0; p < g->n; p++) {
		left[p] = walk_graph_degree(g, p);
		if (left[p] < 2)
			c->queue[n++] = p;
	}
	*first = n ? c->queue[0] : -1;
	for (int i = 0; i < n; i++)
		walk_graph_each(q, g, c->queue[i])
			if (left[q]-- == 2)
				c->queue[n++] = q;
	return n;
}

static bool tell_ends(struct cutter *c, struct mesh_err *err)
{
	int first, n = c->kind == WALK_RING && c->g->home < 0 ? count_ends(c, &first) : 0;

	if (!n || c->g->n - n >= c->length)
		return false;
	err_printf(err, "a ring of %d nodes: %d of %d are on none, as %.64s, which has %d link%s",
		c->length, n, c->g->n, name_of(c->g, first), walk_graph_degree(c->g, first),
		walk_graph_degree(c->g, first) == 1 ? "" : "s");
	return true;
}

bool walk_cut(const struct walk_graph *g, enum walk_kind kind, int length, struct mesh_err *err)
{
	struct cutter c = {.g = g, .kind = kind, .length = length};
	struct arena arena = {0};
	int64_t looks = g->first[g->n] + g->n;
	bool told = false;

	arena_array(&arena, c.part, g->points);
	arena_array(&arena, c.queue, g->points);
	if (length > 2 && arena_array(&arena, c.seen, g->points)) {
		told = tell_ends(&c, err);
		for (c.ncut = 1; c.ncut <= CUT && !told; c.ncut++) {
			looks = looks * (g->n - c.ncut + 1) / c.ncut;
			if (looks > LOOKS)
				break;
			if ((told = try_cuts(&c, 0, 0)))
				tell_cut(&c, err);
		}
	}
	arena_release(&arena);
	return told;
}
