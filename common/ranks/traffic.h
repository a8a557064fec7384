/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who talks to whom and how much: an undirected weighted graph of ranks (or of groups of
 * ranks), rows compressed. Each pair is stored in both rows; weights are bytes in any unit,
 * both directions together.
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
	/* The same by steps, each of what is sent at the same time; 0: they are not known. There a
	 * weight is what the row sends; below 0: what it gets. */
	int steps;
	struct traffic *step;
};

struct traffic_edge {
	int a, b;
	double weight; /* finite, >= 0; 0 is as good as no edge */
	int64_t step;  /* >= 0, and a sends to b; all alike: steps are not known */
};

/* The process grid of an application: rank = x + side[0]*(y + side[1]*z) with
 * `first_fastest`, otherwise the last dimension is the fastest, as MPI_Cart_create has it. */
struct traffic_grid {
	int ndims;		   /* 1..MESH_MAX_DIMS */
	int side[MESH_MAX_DIMS];   /* >= 1 */
	bool wrap[MESH_MAX_DIMS];  /* periodic */
	double weight[MESH_MAX_DIMS]; /* of one face along each dimension, >= 0 */
	/* Also with neighbours along several dimensions at once, as much as the least of their
	 * weights: 9 points in 2-D, 27 in 3-D. */
	bool diagonal;
	bool first_fastest;
};

/* Ranks of the grid, or -1 with text when it is not a grid or too large. */
int traffic_grid_size(const struct traffic_grid *grid, struct mesh_err *err);
/*
 * The sides written as 8x8x16, of a grid that is not periodic; a face weighs 1, or as a side says
 * that talks more or less than others, 8x8*4x16: 1 to 1000000. With :27,
 * the points of its stencil, diagonal neighbours count too; with :torus behind that it is periodic
 * (sides of two are not). 0, or -1 with text that does not name the value.
 */
int traffic_grid_parse(struct traffic_grid *grid, const char *text, struct mesh_err *err);
/* Coordinates of a rank. */
void traffic_grid_coord(const struct traffic_grid *grid, int rank, int *coord);

/*
 * The graph of `count` edges among n ranks: equal pairs are added up, a rank's messages to
 * itself are left out. Steps after the first TRAFFIC_STEPS are put
 * together with those. traffic_release() it. 0, or -1 with text. O(n + edges), and that for each
 * step.
 */
int traffic_init(struct traffic *traffic, int n, const struct traffic_edge *edge, size_t count,
	struct mesh_err *err);
/* Each rank with its neighbours in the grid: the 5-point star in 2-D, 7-point in 3-D, unless the
 * diagonal ones count too. */
int traffic_init_grid(struct traffic *traffic, const struct traffic_grid *grid,
	struct mesh_err *err);
/* The graph of groups: what group a sends to group b. group[] has 0..ngroups-1 per rank. */
int traffic_init_groups(struct traffic *traffic, const struct traffic *ranks, const int *group,
	int ngroups, struct mesh_err *err);
/* A zeroed struct is fine. */
void traffic_release(struct traffic *traffic);

/* All weights, each pair once. */
double traffic_total(const struct traffic *traffic);

/* How much of what is sent goes between the same pairs in both, each as a share of its own total:
 * 1 where they are proportional, 0 where they have no pair in common, differ in size or memory is
 * out. */
double traffic_common(const struct traffic *a, const struct traffic *b);

#endif
