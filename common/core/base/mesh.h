/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine: a mesh or torus of vertices in n dimensions, each vertex with any number of nodes
 * (0: a hole). The whole program uses two numberings:
 *
 *   vertex  0..nvertices-1, first dimension fastest: v = x + X*(y + Y*z)
 *   node    0..nnodes-1, in the order of topology.conf
 *
 * Distances are hops between vertices along dimensions (L1), the short way round where a dimension
 * wraps. Nodes on one vertex are 0 hops apart. A mesh with broken links or extra cables has a
 * graph, and linkgraph.h computes its distances. A machine without a grid is `cabled`: its
 * coordinates mean nothing, and all its links are in the graph.
 *
 * A mesh changes while it is made (mesh_break(), linkgraph_join()), and when its nodes get other
 * names (places_rename()). At all other times any number of threads may read it.
 */
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/axis.h"
#include "base/err.h"
#include "base/limits.h"

/*
 * A box that jobs may have, and where it may begin (Shapes= of topology.conf). In each dimension
 * it may begin at seed, seed + step, seed + 2 step, ... as long as it does not run over the edge;
 * in a dimension that wraps, until a coordinate repeats, which may take several turns.
 */
struct mesh_placement {
	int side[MESH_MAX_DIMS]; /* vertices, 1..side of the machine; 1 beyond ndims */
	int step[MESH_MAX_DIMS]; /* as side */
	int seed[MESH_MAX_DIMS]; /* 0..side of the machine - 1 */
};

/* The input of mesh_new(), which copies all of it. */
struct mesh_spec {
	const char *name;	   /* 1..MESH_MAX_NAME-1 characters */
	int ndims;		   /* 1..MESH_MAX_DIMS */
	int side[MESH_MAX_DIMS];   /* >= 1 each */
	bool wrap[MESH_MAX_DIMS];
	int nnodes;		   /* >= 1 */
	const int *vertex_of;	   /* [nnodes]; NULL: node i is on vertex i / nodes_per_vertex */
	int nodes_per_vertex;	   /* used when vertex_of is NULL */
	char *const *node_name;	   /* [nnodes], or NULL: nodes have no names */
	const int *order;	   /* [nvertices] vertex at each rank, or NULL: Hilbert */
	const struct mesh_placement *legal; /* [nlegal] */
	int nlegal;		   /* 0..MESH_MAX_PLACEMENTS; 0: boxes of any sides, anywhere */
	bool legal_exact;	   /* only boxes of exactly as many nodes as asked for */
	int node_side[MESH_MAX_DIMS]; /* chips of a node along each dimension; all 0: not known */
	const char *type; /* the machine's type, below MESH_MAX_TYPE characters, or NULL */
	const char *env;  /* templates of variables (conf/jobenv.h), or NULL */
	bool cabled;	  /* there is no grid: all links are cables of a graph that comes later */
};

struct linkgraph;

struct mesh {
	struct arena arena; /* owns the arrays */
	char name[MESH_MAX_NAME];
	int ndims;
	int side[MESH_MAX_DIMS];   /* 1 beyond ndims */
	bool wrap[MESH_MAX_DIMS];  /* false beyond ndims */
	int stride[MESH_MAX_DIMS]; /* the distance of neighbours in vertex numbers */
	int nvertices;
	int nnodes;
	int nodes_per_vertex;	   /* of the fullest vertex */
	int *vertex_of;		   /* [nnodes] */
	int *first; /* [nvertices+1]: the nodes on v are node_at[first[v]..first[v+1]-1] */
	int *node_at;		   /* [nnodes], grouped by vertex, ascending on each */
	int16_t (*coord)[MESH_MAX_DIMS]; /* [nvertices] 0 beyond ndims */
	char **node_name;	   /* [nnodes], or NULL */
	int *slot; /* [slot_mask + 1] a hash table of names: a node, or -1 */
	unsigned slot_mask;
	int *order;		   /* [nvertices], a checked bijection, or NULL */
	struct mesh_placement *legal; /* [nlegal] this and what follows: as in the spec */
	int nlegal;
	bool legal_exact;
	int node_side[MESH_MAX_DIMS]; /* 1 beyond ndims */
	char type[MESH_MAX_TYPE];     /* "": none */
	char *env;		      /* or NULL */
	uint8_t *down; /* [nvertices] bit d: the link up along d is broken; NULL: no link is */
	int cables_down; /* broken cables (Cables=, Link=) that end here: the graph lacks them */
	struct linkgraph *graph; /* if links are broken or extra (linkgraph_join()), else NULL */
	void (*drop_graph)(struct linkgraph *graph); /* if there is a graph */
	int graph_first; /* the graph's number of vertex 0; the others follow */
	bool cabled;	 /* no vertex has a neighbour by coordinates */
};

/*
 * Does this placement suit the spec's machine (only ndims, side[] and wrap[] are read)? 0, or -1
 * with text. mesh_new() checks all of legal[] by this.
 */
int mesh_placement_check(
	const struct mesh_placement *p, const struct mesh_spec *spec, struct mesh_err *err);

/* A new mesh (mesh_free() it), or NULL with the reason in err. */
struct mesh *mesh_new(const struct mesh_spec *spec, struct mesh_err *err);
/* Free a mesh and its part of a graph. NULL is fine. */
void mesh_free(struct mesh *mesh);

/* The node with this name, or -1. O(1). */
int mesh_node(const struct mesh *mesh, const char *name);
/* Index the names again, after a change in node_name[]. 0, or -1 when memory is out. O(nnodes). */
int mesh_index_names(struct mesh *mesh);

/* The vertex at coord[ndims]; every coordinate must be in 0..side-1. */
int mesh_vertex(const struct mesh *mesh, const int *coord);

/* Hops along dimension d between coordinates a and b. */
static inline int mesh_axis_hops(const struct mesh *mesh, int d, int a, int b)
{
	return axis_hops(mesh->side[d], mesh->wrap[d], a, b);
}

/* Hops between two vertices on the grid: broken and extra links do not count. */
int mesh_hops(const struct mesh *mesh, int v, int w);

/* The neighbour of v, up along dimension d; -1 at the edge, and along a side of 1. */
static inline int mesh_up(const struct mesh *mesh, int v, int d)
{
	int last = mesh->side[d] - 1;

	if (mesh->cabled)
		return -1;
	if (mesh->coord[v][d] < last)
		return v + mesh->stride[d];
	return mesh->wrap[d] && last ? v - last * mesh->stride[d] : -1;
}

/*
 * The neighbours of v on the grid (broken and extra links do not count), each once, in to[2 *
 * MESH_MAX_DIMS]. Returns how many.
 */
int mesh_neighbours(const struct mesh *mesh, int v, int *to);

/*
 * Mark the link up from v along d as broken, for the next linkgraph_join(). 0, or -1: memory is
 * out.
 */
int mesh_break(struct mesh *mesh, int v, int d);

/* Is there a broken link up from v along d? */
static inline bool mesh_is_down(const struct mesh *mesh, int v, int d)
{
	return mesh->down && mesh->down[v] >> d & 1;
}

static inline int mesh_longest_side(const struct mesh *mesh)
{
	int longest = 1;

	for (int d = 0; d < mesh->ndims; d++)
		longest = mesh->side[d] > longest ? mesh->side[d] : longest;
	return longest;
}

/* The sum of all sides. */
static inline int mesh_sum_of_sides(const struct mesh *mesh)
{
	int sum = 0;

	for (int d = 0; d < mesh->ndims; d++)
		sum += mesh->side[d];
	return sum;
}

/* The number of nodes on vertex v. */
static inline int mesh_nodes_on(const struct mesh *mesh, int v)
{
	return mesh->first[v + 1] - mesh->first[v];
}

#endif
