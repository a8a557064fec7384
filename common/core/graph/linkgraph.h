/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The graph of one or several meshes whose links are not those of a grid alone: some are broken,
 * and extra cables join vertices that are no neighbours, or vertices of two meshes; or there is no
 * grid at all (mesh->cabled). Its vertices are those of the meshes, one mesh after the other
 * (mesh->graph_first).
 *
 * Up to LINKGRAPH_TABLE vertices all distances are in a table, which is made at once: 0.2 s and 32
 * MiB at most. Beyond, they are searched when they are asked for (nearest first, no farther than
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
	int lanes;     /* what it carries; 0: as much as a link of a grid */
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
	int lanes; /* of a link that counts as one hop; 1 where no cable has any */
	int real;  /* vertices of meshes: 0..real-1 */
	int *start, *to; /* v has links start[v]..start[v+1]-1: to to[i], fewest hops first, */
	uint8_t *hops;	 /* that count as hops[i], */
	int *cable_of;	 /* of cable[cable_of[i]], or -1: of a grid */
	/*
	 * Pods: parts whose nodes are joined by links of fewer hops than any link between two of
	 * them, twice as many at least; the meshes, where there are several. pod[v] of npods, each
	 * of pod_nodes[]; one for all where there are none.
	 */
	int *pod, *pod_nodes, npods;
	uint16_t *table; /* [real * real] hops, or NULL */
	/* Of v the pairs (v, w), v < w of one mesh, whose hops are not those of its grid are
	 * detour[detours[v]..detours[v+1]-1]; NULL: there is no table, or they are many. */
	int *detours;
	struct linkgraph_detour *detour;
	/* A search from `source`, by Dial's buckets: what is found but not yet left waits in a
	 * list of those as far. */
	pthread_mutex_t lock;
	int source, now; /* hops of the vertex that was left last */
	int waiting, ntouched;
	int *touched;  /* [ntouched] all that was found */
	uint16_t *far; /* [real] hops; LINKGRAPH_CUT: not found; final up to `now` */
	struct {
		int first, last; /* -1: empty */
	} bucket[LINKGRAPH_WEIGHT + 1];
	int *before, *after; /* [real] in a bucket */
};

/*
 * Give mesh[n] one graph of their own, in place of what they have: all links but those of
 * mesh->down, and the extra cables, which are copied. mesh_free() of the last one frees it. 0, or
 * -1 with text: memory is out, or there would be more than MESH_MAX_VERTICES vertices; the meshes
 * are as before then. O(links), with a table O(vertices * links).
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
 * which those out of the mesh are none of its. A cable of several hops is no link, but where the
 * mesh is cabled all are.
 */
struct linkgraph_near {
	const int *vertex; /* [n] */
	int n, first;
	int link; /* of the graph's links, that of vertex[0]; the others follow */
	int grid[2 * MESH_MAX_DIMS]; /* room */
};
void linkgraph_near(const struct mesh *mesh, int v, struct linkgraph_near *near);

/* The lanes of link i of the graph; and of all those between two vertices, 0: there are none. */
static inline int linkgraph_link_lanes(const struct linkgraph *graph, int i)
{
	int lanes = graph->cable_of[i] < 0 ? 0 : graph->cable[graph->cable_of[i]].lanes;

	return lanes ? lanes : graph->lanes;
}
int linkgraph_lanes(const struct linkgraph *graph, int a, int b);

/*
 * The vertices that ways lead to from `from`, nearest first, itself included: visit() is called for
 * each with its hops, and ends the walk by returning true. It must not ask the graph.
 */
void linkgraph_walk(struct linkgraph *graph, int from, bool (*visit)(void *arg, int v, int hops),
	void *arg);

#endif
