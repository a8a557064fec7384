/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free boxes by shift-and-AND, our own: every base of a free box of given sides at once, 64
 * vertices to the word. A window of side a along a dimension is the AND of about log2(a)+1 shifted
 * copies; on a torus the shift goes round. O(n/64 * sum of log2(side)) words for one box.
 *
 * The bitmap has its own layout, so that a shift along any dimension is one of two simple
 * loops: blocks of up to 64 bits are padded to a power of two (shifts stay inside a word),
 * longer ones to whole words.
 */
#ifndef MESH_BITBOX_H
#define MESH_BITBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/box.h"
#include "base/mesh.h"
#include "base/nodeset.h"

/* Where boxes of these sides may begin, on a mesh with a list of legal boxes. */
struct bitbox_legal {
	int side[MESH_MAX_DIMS];
	uint64_t *base; /* NULL: anywhere */
};

/* Words for the places of boxes without a broken link that are kept, where that is more than for
 * one box. */
enum { BITBOX_SOUND = 1 << 18 };

struct bitbox {
	const struct mesh *mesh;
	int stride[MESH_MAX_DIMS]; /* bits from one coordinate to the next */
	int block[MESH_MAX_DIMS];  /* bits of all coordinates of dimensions 0..d, padded */
	int words;
	int chunk; /* bits in a row that are consecutive vertices */
	bool straight;	 /* vertex v holds node v and no other */
	/* Bitmaps of `words` words: */
	uint64_t *whole; /* vertices with as many nodes as the fullest */
	uint64_t *free;	 /* those of them whose nodes are all free */
	uint64_t *base;	 /* result of bitbox_bases() */
	uint64_t *spare; /* scratch */
	uint64_t *below[MESH_MAX_DIMS]; /* [side+1] masks, where a block fits in a word */
	int *bit_of; /* [nnodes], unless straight */
	bool required; /* some nodes are */
	int *needed[MESH_MAX_DIMS]; /* [side] 1 for a coordinate of required nodes, else 0 */
	int extent[MESH_MAX_DIMS]; /* sides of the smallest box that holds them; 1 for none */
	uint8_t *allowed[MESH_MAX_DIMS];	  /* coordinates a base may have */
	struct bitbox_legal
		*legal; /* [nlegal] one for each box of the list; none: all boxes are legal */
	int nlegal;
	/* Where links are broken, else NULL: */
	uint64_t *up[MESH_MAX_DIMS]; /* vertices whose link up is not */
	uint64_t *sound; /* [nsound * words] of boxes, the bases without a broken link inside, */
	int *sound_of;	 /* [nsound] by the number of their sides, modulo nsound: that number + 1 */
	int nsound;
	struct nodeset unsound; /* the numbers of sides that have no such base anywhere */
	uint64_t *links; /* scratch */
	bool any_links; /* the caller's: boxes with broken links inside will do */
};

/* 0, or -1 when memory is out. The arena frees it. */
int bitbox_init(struct bitbox *bits, const struct mesh *mesh, struct arena *arena);

/* Read a free set of nodes into bits->free. O(n/64) where node i is on vertex i, else O(busy
 * nodes). */
void bitbox_load(struct bitbox *bits, const struct nodeset *free);

/*
 * Into bits->base: the vertices on which a free box of these sides can have its base, which
 * is the corner of lowest coordinates (before going round). In a dimension that wraps, a box
 * of the machine's side has all bases: they are the same vertices. Sides <= the machine's.
 */
void bitbox_bases(struct bitbox *bits, const int *side);

/*
 * Take away the bases that are not legal (mesh->legal), those whose box has a broken link inside
 * (mesh->down) unless any_links is set, and those whose box does not hold all required nodes. A
 * link is inside if it joins two vertices of the box. Sides that are new cost as many
 * bitbox_bases() as there are dimensions with broken links; others one look at each word. Call
 * bitbox_require() once for the set (NULL: none), then bitbox_restrict() after each
 * bitbox_bases(); or bitbox_places() for both, which does not look at what is free where
 * broken links are known to leave no base.
 */
void bitbox_require(struct bitbox *bits, const struct nodeset *required);
void bitbox_restrict(struct bitbox *bits, const int *side);
void bitbox_places(struct bitbox *bits, const int *side);

/* That, and then the first base as a bit, or -1. */
int bitbox_first(struct bitbox *bits, const int *side);

/* The first base at bit `from` or above, or -1. */
int bitbox_next(const struct bitbox *bits, int from);
/* Coordinates [ndims] of the vertex at a bit. */
void bitbox_coord(const struct bitbox *bits, int bit, int *coord);

/* The bit of the vertex at coord[ndims]. */
static inline int bitbox_bit(const struct bitbox *bits, const int *coord)
{
	int bit = 0;

	for (int d = 0; d < bits->mesh->ndims; d++)
		bit += coord[d] * bits->stride[d];
	return bit;
}

/* The bit of vertex v. */
static inline int bitbox_vertex(const struct bitbox *bits, int v)
{
	int bit = 0;

	for (int d = 0; d < bits->mesh->ndims; d++)
		bit += bits->mesh->coord[v][d] * bits->stride[d];
	return bit;
}

/* Put a bit into one of the bitmaps. */
static inline void bitbox_set(uint64_t *map, int bit)
{
	map[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

/* Are all nodes of vertex v free? */
static inline bool bitbox_is_free(const struct bitbox *bits, int v)
{
	int bit = bitbox_vertex(bits, v);

	return bits->free[bit >> 6] >> (bit & 63) & 1;
}

static inline bool bitbox_is_base(const struct bitbox *bits, int bit)
{
	return bits->base[bit >> 6] >> (bit & 63) & 1;
}

#endif
