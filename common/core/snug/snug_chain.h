/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The boxes that snug looks through: for k nodes a few compact shapes, and for each a chain
 * of boxes that grow a little at a time, for where not everything is free.
 */
#ifndef MESH_SNUG_CHAIN_H
#define MESH_SNUG_CHAIN_H

#include "base/mesh.h"

enum {
	SNUG_SHAPES = 12, /* chains at most */
	SNUG_LEVELS = 32, /* boxes in a chain at most, in small steps */
	SNUG_LARGE = 26,  /* and in large ones: sides grow by half to at most INT16_MAX */
};

struct snug_level {
	int side[MESH_MAX_DIMS];
	double volume; /* vertices */
	double hops;   /* mean hops between two vertices of the box, both drawn at random */
};

struct snug_chain {
	int nlevels;
	struct snug_level level[SNUG_LEVELS + SNUG_LARGE];
};

struct snug_plan {
	int nchains;
	struct snug_chain chain[SNUG_SHAPES];
	double hops;	/* mean hops of the most compact shape: what a placement is measured by */
	double surface; /* its faces, in vertices */
	int reach[MESH_MAX_DIMS]; /* longest side of the levels that are likely to be used */
};

/*
 * The plan for `vertices` vertices, in boxes of up to about `most` vertices; the first chain
 * goes on to the whole machine.
 */
void snug_plan_make(struct snug_plan *plan, const struct mesh *mesh, int vertices, double most);

/* A chain of one box. */
void snug_chain_of(struct snug_chain *chain, const struct mesh *mesh, const int *side);

/* Mean hops between two random coordinates of a stretch of `side` along dimension d. */
double snug_axis_hops(const struct mesh *mesh, int d, int side);

#endif
