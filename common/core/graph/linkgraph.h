/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The graph of one or several meshes that have other links than a grid: some are broken; extra
 * cables join vertices that are no neighbours, or vertices of two meshes; or there is no grid at
 * all (mesh->cabled). The vertices of the graph are those of its meshes, one mesh after the other
 * (mesh->graph_first).
 *
 * Up to LINKGRAPH_TABLE vertices all distances are in a table, made at once in at most 0.3 s and
 * 34 MiB. For more vertices a distance is searched when it is asked for (nearest first, no farther
 * than needed), and the distances from the last vertex asked about are kept.
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
	LINKGRAPH_CUT = UINT16_MAX, /* hops to a vertex that cannot be reached */
	LINKGRAPH_WEIGHT = 255,	    /* the most hops of one cable */
	LINKGRAPH_DETOURS = 64,	    /* pairs per vertex: if there are more, none are listed */
};

/* An extra cable. */
struct linkgraph_cable {
	int mesh[2]; /* for each end the index of its mesh */
	int vertex[2]; /* and its vertex in that mesh */
	int weight;    /* hops, 1..LINKGRAPH_WEIGHT */
	int lanes;     /* capacity; 0: as much as a link of a grid */
};

/* A vertex, and how many hops it is farther than on the grid. */
struct linkgraph_detour {
	int vertex, more;
};

struct linkgraph {
	struct arena arena;
	int refs; /* the number of meshes that have this graph */
	struct mesh **mesh; /* [nmeshes] borrowed: valid until the first one is freed */
	int nmeshes;
	struct linkgraph_cable *cable; /* [ncables] */
	int ncables;
	int lanes; /* of a link that counts as one hop; 1 if no cable has lanes */
	int real;  /* the vertices of the meshes: 0..real-1 */
	int *start, *to; /* links of v: start[v]..start[v+1]-1, fewest hops first, to to[i] */
	uint8_t *hops;	 /* counting as hops[i] */
	int *cable_of;	 /* by cable[cable_of[i]]; -1: a link of a grid */
	/*
	 * A pod is a part of a mesh: each link inside has at most half the hops of any link
	 * between pods. A mesh without such parts is one.
	 * pod[v] is in 0..npods-1, and pod_nodes[] is the size of each.
	 */
	int *pod, *pod_nodes, npods;
	uint16_t *table; /* [real * real] hops, or NULL */
	/* The pairs (v, w) of one mesh, v < w, that are not as far apart as on its grid:
	 * detour[detours[v]..detours[v+1]-1]. NULL: there is no table, or too many pairs. */
	int *detours;
	struct linkgraph_detour *detour;
	/* A search from `source`, by Dial's buckets: vertices that are found and not yet visited
	 * wait in the bucket of their distance. */
	pthread_mutex_t lock;
	int source, now; /* now: hops of the vertex visited last */
	int waiting, ntouched;
	int *touched;  /* [ntouched] all vertices found */
	uint16_t *far; /* [real] hops; LINKGRAPH_CUT: not found; final up to `now` */
	struct {
		int first, last; /* -1: empty */
	} bucket[LINKGRAPH_WEIGHT + 1];
	int *before, *after; /* [real] the list of each bucket */
};

/*
 * Give the meshes one graph, in place of any that they have: all links but those of mesh->down,
 * and copies of the extra cables. mesh_free() of the last mesh frees it. 0, or -1 with text and
 * the meshes unchanged: memory is out, or there would be more than MESH_MAX_VERTICES vertices.
 * O(links), with a table O(vertices * links).
 */
int linkgraph_join(struct mesh *const *mesh, int n, const struct linkgraph_cable *cable,
	int ncables, struct mesh_err *err);

/* linkgraph_hops() of a graph without a table. */
int linkgraph_search(struct linkgraph *graph, int a, int b);

/* Hops between two vertices of the graph, or LINKGRAPH_CUT. */
static inline int linkgraph_hops(struct linkgraph *graph, int a, int b)
{
	if (graph->table)
		return graph->table[(size_t)a * (size_t)graph->real + (size_t)b];
	return linkgraph_search(graph, a, b);
}

/* Hops between two vertices of a mesh, by its graph if it has one. */
static inline int linkgraph_mesh_hops(const struct mesh *mesh, int v, int w)
{
	if (!mesh->graph)
		return mesh_hops(mesh, v, w);
	return linkgraph_hops(mesh->graph, mesh->graph_first + v, mesh->graph_first + w);
}

/*
 * The neighbours of v in a mesh, by its graph if it has one: vertex[i] - first. A result outside
 * of the mesh is a vertex of another mesh. Cables of several hops do not count, except on a cabled
 * mesh.
 */
struct linkgraph_near {
	const int *vertex; /* [n] */
	int n, first;
	int link; /* with a graph: its number of the link to vertex[0]; the others follow */
	int grid[2 * MESH_MAX_DIMS]; /* memory for vertex[] */
};
void linkgraph_near(const struct mesh *mesh, int v, struct linkgraph_near *near);

/*
 * The lanes of link i of the graph; and the lanes of all links between two vertices, 0: there are
 * none.
 */
static inline int linkgraph_link_lanes(const struct linkgraph *graph, int i)
{
	int lanes = graph->cable_of[i] < 0 ? 0 : graph->cable[graph->cable_of[i]].lanes;

	return lanes ? lanes : graph->lanes;
}
int linkgraph_lanes(const struct linkgraph *graph, int a, int b);

/*
 * Call visit() for each vertex that can be reached from `from`, nearest first and `from` itself
 * included, with its hops. visit() ends the walk by returning true. It must not ask the graph.
 */
void linkgraph_walk(struct linkgraph *graph, int from, bool (*visit)(void *arg, int v, int hops),
	void *arg);

#endif
