/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much ranks (or groups of ranks) send to each other: an undirected weighted graph in
 * compressed rows. Each pair is in both rows. Weights are bytes in any unit, both directions
 * together.
 */
#ifndef MESH_TRAFFIC_H
#define MESH_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mesh.h"

#define TRAFFIC_MAX_RANKS (1 << 22)
enum { TRAFFIC_STEPS = 64, TRAFFIC_MAX_WEIGHT = 1000000 };

struct traffic {
	int n;
	size_t *start;	/* [n+1]: row i is to[start[i]..start[i+1]-1] */
	int *to;
	double *weight; /* > 0 */
	/* The same by steps, if they are known (0: not known). What is sent in one step is sent at
	 * the same time. There a weight is what the row sends; below 0: what it receives. */
	int steps;
	struct traffic *step;
};

struct traffic_edge {
	int a, b;
	double weight; /* finite, >= 0; 0 is like no edge */
	int64_t step;  /* >= 0, with a sending to b; if all are equal, steps are not known */
};

/*
 * The process grid of an application: rank = x + side[0]*(y + side[1]*z) with first_fastest,
 * otherwise the last dimension is fastest, as in MPI_Cart_create().
 */
struct traffic_grid {
	int ndims;		   /* 1..MESH_MAX_DIMS */
	int side[MESH_MAX_DIMS];   /* >= 1 */
	bool wrap[MESH_MAX_DIMS];  /* periodic */
	double weight[MESH_MAX_DIMS]; /* of one face along each dimension, >= 0 */
	/* Neighbours along several dimensions at once count too, with the least of their weights: 9
	 * points in 2-D, 27 in 3-D. */
	bool diagonal;
	bool first_fastest;
};

/* The ranks of the grid; -1 with text: it is no grid, or too large. */
int traffic_grid_size(const struct traffic_grid *grid, struct mesh_err *err);
/*
 * Parse the sides of a grid, 8x8x16. A face weighs 1, or 1 to 1000000 as a side says that talks
 * more than others, 8x8*4x16. With :27, the points of its stencil, diagonal neighbours count too.
 * With :torus behind that the grid is periodic (sides of two are not). 0, or -1 with text that
 * does not name the value.
 */
int traffic_grid_parse(struct traffic_grid *grid, const char *text, struct mesh_err *err);
/* Set coord[] to the coordinates of a rank. */
void traffic_grid_coord(const struct traffic_grid *grid, int rank, int *coord);

/*
 * Make the graph of `count` edges among n ranks; traffic_release() it. Equal pairs are added up,
 * and messages of a rank to itself are left out. Steps after the first TRAFFIC_STEPS are merged
 * with those. 0, or -1 with text. O(n + edges), and again for each step.
 */
int traffic_init(struct traffic *traffic, int n, const struct traffic_edge *edge, size_t count,
	struct mesh_err *err);
/*
 * Connect each rank with its neighbours in the grid: 4 in 2-D, 6 in 3-D, unless diagonal ones
 * count too.
 */
int traffic_init_grid(struct traffic *traffic, const struct traffic_grid *grid,
	struct mesh_err *err);
/* The graph of groups, without steps: what a sends to b. group[] is 0..ngroups-1 for each rank. */
int traffic_init_groups(struct traffic *traffic, const struct traffic *ranks, const int *group,
	int ngroups, struct mesh_err *err);
/* Free the graph. A zeroed struct is fine. */
void traffic_release(struct traffic *traffic);

/* The sum of all weights, each pair once. */
double traffic_total(const struct traffic *traffic);

/*
 * How much of the traffic is between the same pairs in both, each as a share of its own total. 1:
 * proportional; 0: no pair in common, different sizes, or memory is out.
 */
double traffic_common(const struct traffic *a, const struct traffic *b);

#endif
