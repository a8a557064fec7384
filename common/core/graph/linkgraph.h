/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The graph of one or several meshes whose links are not those of a grid alone: some are broken,
 * and extra cables join vertices that are no neighbours, or vertices of two meshes. Its vertices
 * are those of the meshes, one mesh after the other (mesh->graph_first), and some more on extra
 * cables that count as several hops.
 *
 * Up to LINKGRAPH_TABLE vertices all distances are in a table, which is made at once: 0.2 s and 32
 * MiB at most. Beyond, they are searched when they are asked for (breadth first, no farther than
 * needed), and those from the last vertex that was asked for are kept.
 */
#ifndef MESH_LINKGRAPH_H
#define MESH_LINKGRAPH_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mesh.h"

enum {
	LINKGRAPH_TABLE = 4096,
	LINKGRAPH_CUT = UINT16_MAX, /* hops to where no way leads */
	LINKGRAPH_WEIGHT = 255,	    /* the most hops that a cable counts as */
	LINKGRAPH_DETOURS = 64,	    /* pairs a vertex: more are not listed */
};

/* An extra cable. */
struct linkgraph_cable {
	int mesh[2]; /* of its ends: which of the meshes, */
	int vertex[2]; /* and the vertex there */
	int weight;    /* hops, 1..LINKGRAPH_WEIGHT */
};

/* To a vertex, and how many hops more than by the grid. */
struct linkgraph_detour {
	int vertex, more;
};

struct linkgraph {
	struct arena arena;
	int refs; /* meshes that have it */
	struct mesh **mesh; /* [nmeshes] borrowed: valid until the first of them is freed */
	int nmeshes;
	struct linkgraph_cable *cable; /* [ncables] */
	int ncables;
	int real; /* vertices of meshes: 0..real-1 */
	int n;	  /* with those on cables */
	int *start, *to; /* v has links to to[start[v]..start[v+1]-1] */
	uint16_t *table; /* [real * real] hops, or NULL */
	/* Of v the pairs (v, w), v < w of one mesh, whose hops are not those of its grid are
	 * detour[detours[v]..detours[v+1]-1]; NULL: there is no table, or they are many. */
	int *detours;
	struct linkgraph_detour *detour;
	/* A search from `source`: */
	pthread_mutex_t lock;
	int source, head, tail;
	int *queue;    /* [n] the vertices found, nearest first */
	uint16_t *far; /* [n] their hops; LINKGRAPH_CUT: not found */
};

/*
 * Give mesh[n] one graph of their own, in place of what they have: all links but those of
 * mesh->down, and the extra cables, which are copied. mesh_free() of the last one frees it. 0, or
 * -1 with text: memory is out, or there would be more than MESH_MAX_VERTICES vertices; the meshes
 * are as before then. O(vertices), with a table O(vertices^2).
 */
int linkgraph_join(struct mesh *const *mesh, int n, const struct linkgraph_cable *cable,
	int ncables, struct mesh_err *err);
/* One mesh less has it. NULL is fine. */
void linkgraph_drop(struct linkgraph *graph);

/* As linkgraph_hops(), where there is no table. */
int linkgraph_search(struct linkgraph *graph, int a, int b);

/* Hops between two vertices of the graph, or LINKGRAPH_CUT. */
static inline int linkgraph_hops(struct linkgraph *graph, int a, int b)
{
	if (graph->table)
		return graph->table[(size_t)a * (size_t)graph->real + (size_t)b];
	return linkgraph_search(graph, a, b);
}

/* Hops between two vertices of a mesh: its graph's if it has one. */
static inline int linkgraph_mesh_hops(const struct mesh *mesh, int v, int w)
{
	if (!mesh->graph)
		return mesh_hops(mesh, v, w);
	return linkgraph_hops(mesh->graph, mesh->graph_first + v, mesh->graph_first + w);
}

/*
 * The vertices of a mesh that v has links to, by its graph if it has one: vertex[i] - first, of
 * which those out of the mesh are none of its.
 */
struct linkgraph_near {
	const int *vertex; /* [n] */
	int n, first;
	int grid[2 * MESH_MAX_DIMS]; /* room */
};
void linkgraph_near(const struct mesh *mesh, int v, struct linkgraph_near *near);

/*
 * The vertices that ways lead to from `from`, nearest first, itself included: visit() is called for
 * each with its hops, and ends the walk by returning true. It must not ask the graph.
 */
void linkgraph_walk(struct linkgraph *graph, int from, bool (*visit)(void *arg, int v, int hops),
	void *arg);

#endif
