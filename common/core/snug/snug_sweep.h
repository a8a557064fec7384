/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looks at all bases of a box at once: how many free nodes the box holds, and how much weight lies
 * on its faces.
 *
 * Counts are differences of a summed-area table, one dimension after another. A base has the
 * number i = sum of base[d] * stride[d] of the tables. Lower dimensions are processed as one long
 * array, over the gaps between rows too; the results in gaps are meaningless, and nobody reads
 * them.
 *
 * Boxes of a chain only grow, and at one base the larger box holds the smaller. So a slab of the
 * last dimension in which no box has enough nodes is skipped until one can have.
 */
#ifndef MESH_SNUG_SWEEP_H
#define MESH_SNUG_SWEEP_H

#include "base/budget.h"
#include "snug/snug_chain.h"
#include "geometry/sumtable.h"

/* Consecutive bases, ready to be scored. */
struct snug_bases {
	int64_t first; /* base number of the first one */
	int n;
	bool wide;	   /* the type of both arrays: uint32_t, otherwise uint16_t */
	const void *count; /* [n] free nodes in the box; meaningless where open[] is 0 */
	void *open;	   /* [n] all bits set: a box is still wanted here; otherwise 0 */
};

/* For the calls below: n bases from index `at` on, at most SNUG_BLOCK. */
enum { SNUG_BLOCK = 64 };

/* Close and mark the bases that have a box of `want` nodes now. Returns how many. */
int snug_bases_mark(const struct snug_bases *bases, int at, int n, int want, uint8_t *mark);

/* The free nodes of the box at index `at`. */
static inline int32_t snug_bases_count(const struct snug_bases *bases, int at)
{
	return bases->wide ? ((const int32_t *)bases->count)[at]
			   : ((const uint16_t *)bases->count)[at];
}

/*
 * For one level, by dimension: offsets in the tables from a base to the ends of its box; the last
 * base of all dimensions up to this one, and how far behind it its box reaches.
 */
struct snug_layout {
	int64_t low[MESH_MAX_DIMS], high[MESH_MAX_DIMS];
	int64_t last_base[MESH_MAX_DIMS], margin[MESH_MAX_DIMS];
};

/* The table entries, as offsets from the base, that make the sum over some boxes. */
struct snug_corners {
	int n; /* entries of each sign */
	int64_t plus[MESH_MAX_DIMS << (MESH_MAX_DIMS - 1)],
		minus[MESH_MAX_DIMS << (MESH_MAX_DIMS - 1)];
};

struct snug_sweep {
	const struct mesh *mesh;
	struct mesh_budget *budget; /* borrowed; NULL: none */
	struct sumtable free_sum, weight_sum;
	const uint32_t *nfree, *weight; /* the values of the two tables */
	int reach[MESH_MAX_DIMS];	/* the longest box that the tables serve, on a torus */
	uint16_t *narrow_sum;		/* [room of a table] the low half of free_sum */
	uint16_t *narrow_open;		/* [room of a table] open bases, by base number */
	uint32_t
		*wide_open; /* the same, from the first wide level of a chain on */
	bool wide;
	void *count[MESH_MAX_DIMS];	/* buffers of one slab each */
	int bases[MESH_MAX_DIMS];	/* bases along each dimension that may be open */
	const struct snug_chain *chain;
	int level; /* the level of the chain in progress */
	struct snug_layout layout;
	int slabs;  /* slabs of the last dimension that are one group */
	int *due;   /* [side of the last dimension] the level at which a group is due next */
	bool cornered;
	int faced; /* dimensions in which a box of this level has faces */
	struct snug_corners grown,
		box; /* the box, and grown by a layer along each of these dimensions */
	int64_t unchecked; /* entries since the last look at the clock */
	bool late;	   /* the budget is used up */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int snug_sweep_init(struct snug_sweep *sweep, const struct mesh *mesh, struct arena *arena);

/*
 * Read a state: free nodes and weights by vertex, borrowed until the next call. reach[]: the
 * longest boxes to expect; for longer ones the tables are built again.
 */
void snug_sweep_load(struct snug_sweep *sweep, const uint32_t *nfree, const uint32_t *weight,
	const int *reach);

/* Begin a chain: open every base that its first level can have, and no other. */
void snug_sweep_open(struct snug_sweep *sweep, const struct snug_chain *chain);

/* Go to the next level (or the first): close bases whose box would run over a border. */
void snug_sweep_level(struct snug_sweep *sweep, int level);

struct snug_search {
	uint32_t want; /* free nodes */
	int last;      /* the last level of the chain that may be looked at */
};

/*
 * Go through a level: call take() for each block of consecutive bases among which an open one has
 * enough free nodes. take() closes bases, and may reopen those that it has closed itself. False:
 * later levels cannot find anything more, or there is no time.
 */
typedef void snug_take(void *data, struct snug_bases *bases);
bool snug_sweep_each(struct snug_sweep *sweep, const struct snug_search *search, snug_take *take,
	void *data);

/* For take(): open a base again. */
void snug_sweep_reopen(struct snug_sweep *sweep, int64_t number);

/*
 * The weight on the faces of this level's boxes at n consecutive bases from a base number on, n <=
 * SNUG_BLOCK; meaningless where there is no base.
 */
void snug_sweep_faces(struct snug_sweep *sweep, int64_t number, int n, uint32_t *weight);
/* The same at one base. */
uint32_t snug_sweep_face(struct snug_sweep *sweep, int64_t number);

/* The coordinates of a base number. */
void snug_sweep_base(const struct snug_sweep *sweep, int64_t number, int *base);

#endif
