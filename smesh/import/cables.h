/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a file says of a machine: vertices (switches, or hosts that pass messages on), the nodes on
 * them, and the cables between them, as a graph.
 */
#ifndef CABLES_H
#define CABLES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

/* More cables at one vertex than any grid with its extra links has: grids_find() refuses it. */
#define CABLES_MAX_DEGREE 32

struct cables {
	struct arena arena;
	char **vertex_name; /* [nvertices] */
	char **node_name;   /* [nnodes] */
	int *vertex_of;	    /* [nnodes] */
	int (*cable)[2];    /* [ncables] vertices; after cables_finish() each pair once */
	int (*also)[2];	    /* [nalso] a node, and a vertex that it is on beside the first */
	int nvertices, nnodes, ncables, nalso;
	/* After cables_finish() v's neighbours are to[first[v]..first[v+1]-1], ascending. */
	int *first, *to;
	void *vertex_index, *node_index;
};

/* The vertex of a name, made if there is none; -1 with text. O(log n). */
int cables_vertex(struct cables *c, const char *name, struct mesh_err *err);
/* The number of a name, or -1; of vertices only before cables_finish(). */
int cables_find_vertex(const struct cables *c, const char *name);
int cables_find_node(const struct cables *c, const char *name);
/* A node on a vertex, or on one more: 0, or -1 with text: not a host's name. */
int cables_node(struct cables *c, const char *name, int vertex, struct mesh_err *err);
/* A vertex that is a node of the same name; -1 with text. */
int cables_host(struct cables *c, const char *name, struct mesh_err *err);
/* A cable; one from a vertex to itself is none. 0, or -1 with text. */
int cables_add(struct cables *c, int a, int b, struct mesh_err *err);

/*
 * Number the vertices by the names of their nodes (n2 before n10), and make first[] and to[]. 0, or
 * -1 with text: memory is out. O(n log n).
 */
int cables_finish(struct cables *c, struct mesh_err *err);

/* Is there a cable? After cables_finish(); O(log degree). */
bool cables_joined(const struct cables *c, int a, int b);

/* The neighbours u of v, after cables_finish(). */
#define neighbours(u, v, c) \
	for (int u##_i = (c)->first[v], u; \
		u##_i < (c)->first[(v) + 1] && (u = (c)->to[u##_i], 1); u##_i++)

/* A zeroed struct is fine. */
void cables_release(struct cables *c);

#endif
