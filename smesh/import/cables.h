/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a file says about a machine, as a graph: vertices (switches, or hosts that forward
 * messages), the nodes on them, and the cables between them.
 */
#ifndef SMESH_CABLES_H
#define SMESH_CABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* A vertex with more cables than any grid with extra links has: grids_find() refuses it. */
#define CABLES_MAX_DEGREE 32

/* The most lanes between two vertices. */
#define CABLES_MAX_LANES 65535

/* The end of a cable. port: a hash of what distinguishes the port at its vertex; 0: not known. */
struct cable_end {
	int vertex;
	uint64_t port;
};

/* A cable as one line has it. turned: the line has the ends the other way round. */
struct cable_seen {
	struct cable_end end[2]; /* the lower vertex first */
	int lanes;
	bool turned;
};

struct cables {
	struct arena arena;
	char **vertex_name; /* [nvertices] */
	char **node_name;   /* [nnodes] */
	int *vertex_of;	    /* [nnodes] */
	struct cable_seen *seen; /* [nseen] */
	int (*also)[2];	    /* [nalso] a node, and another vertex that it is on */
	int nvertices, nnodes, nseen, nalso;
	/* Set by cables_finish(): pairs of vertices, lower first, ascending, and their lanes. */
	int (*cable)[2], *lanes; /* [ncables] */
	int ncables;
	int with_ports, one_way; /* single cables of known ports; and in one direction only */
	int again; /* cables added again with the same ports and direction */
	bool once; /* no ports: both directions add up */
	/* Set by cables_finish(): v's neighbours are to[first[v]..first[v+1]-1], ascending. */
	int *first, *to;
	void *vertex_index, *node_index;
};

/* The vertex with this name, made if there is none; -1 with text. O(log n). */
int cables_vertex(struct cables *c, const char *name, struct mesh_err *err);
/* The number of a node's name, or -1. */
int cables_find_node(const struct cables *c, const char *name);
/* Put a node on a vertex, or on another one too. 0, or -1 with text: not a host's name. */
int cables_node(struct cables *c, const char *name, int vertex, struct mesh_err *err);
/* The vertex that is a node of the same name; -1 with text. */
int cables_host(struct cables *c, const char *name, struct mesh_err *err);
/*
 * Add a cable of this many lanes. A cable from a vertex to itself is ignored. A cable between two
 * known ports is one, however often it is added. Cables with an unknown port are counted by
 * direction, and the direction with more counts; or their sum, if the directions often differ. No
 * ports count if most are cabled to several vertices.
 */
void cables_add(struct cables *c, const struct cable_end end[2], int lanes);

/*
 * Number the vertices by the names of their nodes (n2 before n10), and set what is described
 * above. 0, or -1 with text: two names are one host's (n1, N1, n01, n1.site). O(n log n).
 */
int cables_finish(struct cables *c, struct mesh_err *err);

/* List the neighbours of each vertex of the cables, which are ascending. cables_finish() does. */
void cables_join(struct cables *c);

/* Remove the cables of some vertices, after cables_finish(). */
void cables_cut(struct cables *c, const bool *out);

/* How many neighbours a vertex has. After cables_finish(). */
static inline int cables_degree(const struct cables *c, int v)
{
	return c->first[v + 1] - c->first[v];
}

/* Are two vertices joined by a cable? After cables_finish(); O(log degree). */
bool cables_joined(const struct cables *c, int a, int b);

/* Loop over the neighbours u of v, after cables_finish(). */
#define neighbours(u, v, c) \
	for (int u##_i = (c)->first[v], u; \
		u##_i < (c)->first[(v) + 1] && (u = (c)->to[u##_i], 1); u##_i++)

/* A zeroed struct is fine. */
void cables_release(struct cables *c);

#endif
