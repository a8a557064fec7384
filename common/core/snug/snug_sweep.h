/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All bases of a box at once: how many free nodes it holds, and how much weight lies on its faces.
 *
 * Counts are differences of a summed-area table, taken one dimension after another. Bases are
 * numbered by i = sum of base[d] * stride[d] of the tables, and lower dimensions are run through
 * as one long array, over the gaps between rows too: what comes out there is rubbish, and not
 * looked at.
 *
 * Boxes of a chain only grow, and at one base the larger holds the smaller. So slabs of the last
 * dimension in which no box has enough are left out until one can have.
 */
#ifndef MESH_SNUG_SWEEP_H
#define MESH_SNUG_SWEEP_H

#include "base/budget.h"
#include "snug/snug_chain.h"
#include "geometry/sumtable.h"

/* Consecutive bases, ready to be scored. */
struct snug_bases {
	int64_t first; /* base number of the first */
	int n;
	bool wide;	   /* uint32_t, otherwise uint16_t: */
	const void *count; /* [n] free nodes in the box; rubbish where open[] is 0 */
	void *open;	   /* [n] all bits set where a box is still looked for, 0 otherwise */
};

/* What is done with it, to n of its bases from number `at` on, up to SNUG_BLOCK. */
enum { SNUG_BLOCK = 64 };

/* Nodes: what a box must have; the least and most of those to be marked. */
struct snug_range {
	int32_t want, low, high;
};

/* Closes the bases that have a box now, and marks those of them in the range: how many. */
int snug_bases_mark(const struct snug_bases *bases, int at, int n, const struct snug_range *range,
	uint8_t *mark);
/* The counts. */
void snug_bases_counts(const struct snug_bases *bases, int at, int n, uint32_t *count);

/* For one level, by dimension: offsets in the tables from a base to the ends of its box; the last
 * base of all dimensions up to this one, and how far behind it its box reaches. */
struct snug_layout {
	int64_t low[MESH_MAX_DIMS], high[MESH_MAX_DIMS];
	int64_t last_base[MESH_MAX_DIMS], margin[MESH_MAX_DIMS];
};

/* The entries that sums over some boxes are made of, from the base on. */
struct snug_corners {
	int n; /* of each */
	int64_t plus[MESH_MAX_DIMS << (MESH_MAX_DIMS - 1)],
		minus[MESH_MAX_DIMS << (MESH_MAX_DIMS - 1)];
};

struct snug_sweep {
	const struct mesh *mesh;
	struct mesh_budget *budget; /* borrowed; NULL: none */
	struct sumtable free_sum, weight_sum;
	const uint32_t *nfree, *weight; /* what they are of */
	int reach[MESH_MAX_DIMS];	/* the longest box that they serve, on a torus */
	uint16_t *narrow_sum;		/* [room of a table] free_sum, the low half */
	uint16_t *narrow_open;		/* [room of a table] by base number, */
	uint32_t
		*wide_open; /* [room of a table] or here, from the first wide level of a chain on */
	bool wide;
	void *count[MESH_MAX_DIMS];	/* buffers of one slab each */
	int bases[MESH_MAX_DIMS];	/* along each dimension, that may be open */
	const struct snug_chain *chain;
	int level; /* of the chain, at hand */
	struct snug_layout layout;
	int slabs;  /* of the last dimension, that are one group */
	int *due;   /* [side of the last dimension] level at which a group is looked at next */
	bool cornered;
	int faced; /* dimensions in which a box of this level has faces */
	struct snug_corners grown,
		box; /* of it: with a layer more along each of these, and as it is */
	int64_t unchecked; /* entries since the last look at the clock */
	bool late;	   /* the budget is used up */
};

/* 0, or -1 when memory is out. The arena frees it. */
int snug_sweep_init(struct snug_sweep *sweep, const struct mesh *mesh, struct arena *arena);

/*
 * Take over a state: free nodes and weights per vertex, borrowed until the next. reach[]: the
 * longest boxes to expect; for longer ones the tables are built again.
 */
void snug_sweep_load(struct snug_sweep *sweep, const uint32_t *nfree, const uint32_t *weight,
	const int *reach);

/* Every base that the first level of a chain can have is open, none else. */
void snug_sweep_open(struct snug_sweep *sweep, const struct snug_chain *chain);

/* The next level (the first too): bases whose box would run over a border are closed. */
void snug_sweep_level(struct snug_sweep *sweep, int level);

struct snug_search {
	uint32_t want; /* free nodes */
	int last;      /* level of the chain that may be looked at after this one, at most */
};

/*
 * Run through a level: call take() for all consecutive bases among which an open one has enough
 * free nodes. take() closes bases, and may open those again that it has closed itself. False when
 * there is nothing left to find at later levels, or no time.
 */
typedef void snug_take(void *data, struct snug_bases *bases);
bool snug_sweep_each(struct snug_sweep *sweep, const struct snug_search *search, snug_take *take,
	void *data);

/* take(): a base is open again. */
void snug_sweep_reopen(struct snug_sweep *sweep, int64_t number);

/*
 * The weight on the faces of the boxes of this level at n bases from a number on, up to
 * SNUG_BLOCK and consecutive; rubbish where there is no base.
 */
void snug_sweep_faces(struct snug_sweep *sweep, int64_t number, int n, uint32_t *weight);

/* base[d] of a base number. */
void snug_sweep_base(const struct snug_sweep *sweep, int64_t number, int *base);

#endif
