/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The boxes that snug looks through for k nodes: a few compact shapes. For each shape a chain of
 * boxes grows a little at a time, for places where not everything is free.
 */
#ifndef MESH_SNUG_CHAIN_H
#define MESH_SNUG_CHAIN_H

#include "base/mesh.h"

enum {
	SNUG_SHAPES = 12, /* the most chains */
	SNUG_LEVELS = 32, /* the most boxes of a chain in small steps */
	SNUG_LARGE = 26,  /* and in large steps: sides grow by half, to at most INT16_MAX */
};

struct snug_level {
	int side[MESH_MAX_DIMS];
	double volume; /* vertices */
	double hops;   /* mean hops between two random vertices of the box */
};

struct snug_chain {
	int nlevels;
	struct snug_level level[SNUG_LEVELS + SNUG_LARGE];
};

struct snug_plan {
	int nchains;
	struct snug_chain chain[SNUG_SHAPES];
	double hops;	/* mean hops of the most compact shape: the unit of a placement */
	double surface; /* its faces, in vertices */
	int reach[MESH_MAX_DIMS]; /* longest sides of the levels that are likely to be used */
};

/*
 * Make the plan for `vertices` vertices, with boxes of up to about `most` vertices. The first
 * chain goes on to the whole machine.
 */
void snug_plan_make(struct snug_plan *plan, const struct mesh *mesh, int vertices, double most);

/* Make a chain of one box. */
void snug_chain_of(struct snug_chain *chain, const struct mesh *mesh, const int *side);

/* Mean hops between two random coordinates in a stretch of `side` along dimension d. */
double snug_axis_hops(const struct mesh *mesh, int d, int side);

#endif
