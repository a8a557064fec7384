/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Free boxes by shift-and-AND, our own method: it finds every base of a free box of given sides at
 * once, 64 vertices to the word. A window of length a along a dimension is the AND of about
 * log2(a)+1 shifted copies; on a torus the shift goes round. One box takes O(n/64 * sum of
 * log2(side)) words.
 *
 * The bitmap has a layout of its own, which makes a shift along any dimension one of two simple
 * loops. Blocks of up to 64 bits are padded to a power of two, so that shifts stay inside a word;
 * longer blocks are padded to whole words.
 */
#ifndef MESH_BITBOX_H
#define MESH_BITBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/box.h"
#include "base/mesh.h"
#include "base/nodeset.h"

/* The bases that are legal for boxes of these sides, on a mesh with a list of legal boxes. */
struct bitbox_legal {
	int side[MESH_MAX_DIMS];
	uint64_t *base; /* NULL: anywhere */
};

/*
 * The most words for bases without a broken link, of all sides that are kept; one box may need
 * more.
 */
enum { BITBOX_SOUND = 1 << 18 };

struct bitbox {
	const struct mesh *mesh;
	int stride[MESH_MAX_DIMS]; /* bits from one coordinate to the next */
	int block[MESH_MAX_DIMS];  /* bits of all coordinates of dimensions 0..d, padded */
	int words;
	int chunk; /* bits in a row that stand for consecutive vertices */
	bool straight;	 /* vertex v holds node v and no other */
	/* Bitmaps of `words` words: */
	uint64_t *whole; /* vertices with as many nodes as the fullest */
	uint64_t *free;	 /* vertices of `whole` whose nodes are all free */
	uint64_t *base;	 /* result of bitbox_bases() */
	uint64_t *spare; /* scratch */
	uint64_t *below[MESH_MAX_DIMS]; /* [side+1] masks, if a block fits in a word */
	int *bit_of; /* [nnodes], unless straight */
	bool required; /* there are required nodes */
	int *needed[MESH_MAX_DIMS]; /* [side] 1 at coordinates of required nodes, else 0 */
	int extent[MESH_MAX_DIMS]; /* sides of the smallest box around required nodes; else 1 */
	uint8_t *allowed[MESH_MAX_DIMS];	  /* coordinates that a base may have */
	struct bitbox_legal
		*legal; /* [nlegal] for each box of the list; none: all boxes are legal */
	int nlegal;
	/* If links are broken, else NULL: */
	uint64_t *up[MESH_MAX_DIMS]; /* vertices whose link up is whole */
	uint64_t *sound; /* [nsound * words] bases of boxes without a broken link inside */
	int *sound_of;	 /* [nsound] at number of sides modulo nsound: that number + 1; 0: none */
	int nsound;
	struct nodeset unsound; /* numbers of sides without any such base */
	uint64_t *links; /* scratch */
	bool any_links; /* set by the caller: boxes with broken links inside will do */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int bitbox_init(struct bitbox *bits, const struct mesh *mesh, struct arena *arena);

/* Set bits->free from a set of free nodes. O(n/64) if node i is on vertex i, else O(busy nodes). */
void bitbox_load(struct bitbox *bits, const struct nodeset *free);

/*
 * Set bits->base to the vertices at which a free box of these sides can have its base: the corner
 * of lowest coordinates (before going round). In a dimension that wraps, a box of the machine's
 * side has all bases: the vertices are the same. Sides <= the machine's.
 */
void bitbox_bases(struct bitbox *bits, const int *side);

/*
 * Remove bases from bits->base: those that are not legal (mesh->legal), those whose box has a
 * broken link inside (mesh->down) unless any_links is set, and those whose box lacks a required
 * node. A link is inside if it joins two vertices of the box. New sides cost as many
 * bitbox_bases() as there are dimensions with broken links; others cost a look at each word.
 *
 * Call bitbox_require() once for a set of required nodes (NULL: none), then bitbox_restrict()
 * after each bitbox_bases(). bitbox_places() does both of these, and stops early where broken
 * links are known to leave no base.
 */
void bitbox_require(struct bitbox *bits, const struct nodeset *required);
void bitbox_restrict(struct bitbox *bits, const int *side);
void bitbox_places(struct bitbox *bits, const int *side);

/* bitbox_places(), and then the first base as a bit, or -1. */
int bitbox_first(struct bitbox *bits, const int *side);

/* The first base at bit `from` or above, or -1. */
int bitbox_next(const struct bitbox *bits, int from);
/* Set coord[ndims] to the coordinates of the vertex at a bit. */
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

/* Set a bit in one of the bitmaps. */
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
