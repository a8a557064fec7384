/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A quad-tree of free, busy and partly free boxes: J. Srisawat and N. Alexandridis, "A new
 * quad-tree-based sub-system allocation technique for mesh-connected parallel machines". In d
 * dimensions a box is divided at one point into up to 2^d buddies. Buddy i has the high part of
 * each dimension whose bit is set in i (so 0..3 are the paper's TL, BL, TR, BR with rows as
 * dimension 0). Dimensions do not wrap.
 *
 * The tree is rebuilt from the busy boxes, in the order in which jobs took them. The definitions
 * and sections below are the paper's.
 */
#ifndef MESH_QTREE_H
#define MESH_QTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "boxes/boxplan.h"
#include "tbl/box_cut.h"

#define QTREE_MAX_NODES 32768

enum qtree_status {
	QTREE_NONE, /* a buddy without vertices */
	QTREE_FREE,
	QTREE_BUSY,
	QTREE_PARTLY, /* has buddies */
};

struct qtree_node {
	struct mesh_box box;
	enum qtree_status status;
	int child; /* QTREE_PARTLY: the first of its 2^d buddies */
};

struct qtree {
	int ndims;
	struct qtree_node *node; /* [count]; 0 is the root, the machine */
	int count, room;
	bool full; /* a node was lost: there was no room */
	struct mesh_box *box; /* [nboxes] the free boxes, set by qtree_largest() */
	int nboxes;
};

/* How a candidate lies to the largest free box; the better relation first (definition 3). */
enum qtree_overlap { QTREE_DISJOINT, QTREE_INTERSECT, QTREE_SUBSET };

/* 0, or -1 when memory is out. The arena owns all memory. */
int qtree_init(struct qtree *tree, const struct mesh *mesh, struct arena *arena);

/* Make everything free. */
void qtree_clear(struct qtree *tree);

/*
 * Take a free box. The free buddy that holds it is divided round it (definition 1). A box across
 * buddies expands the free one that it lies in (definition 2), or else is taken part by part.
 * O(depth) for each part.
 */
void qtree_take(struct qtree *tree, const struct mesh_box *box);

/*
 * Write all free boxes that the tree knows to tree->box, depth first: free buddies and their
 * combinations (definition 2: buddies, buddy with sub-buddies, sub-buddies across). Sets *box to
 * the largest one, the first of equals. Returns its volume; 0: nothing is free. O(nodes).
 */
int64_t qtree_largest(struct qtree *tree, struct mesh_box *box);

/* How a free box lies to the largest one. */
enum qtree_overlap qtree_overlap(int ndims, const struct mesh_box *largest,
	const struct mesh_box *box);

/*
 * Definition 5, the combining factor times 4. Each side of the box adds 0 at the border, 1 if all
 * beside it is busy, 2 if a part is, 4 if all is free. O(nodes at the sides).
 */
int qtree_combining(const struct qtree *tree, const struct mesh_box *box);

/* How a request fits a free box in its best rotation (definition 4). */
struct qtree_fit {
	int different;	/* sides that differ from the box's */
	int64_t free_after; /* the largest box that stays free in the box */
};

/* Fit sides[ndims] into a box; false: they do not fit. */
bool qtree_fit(int ndims, const struct mesh_box *box, const int *side, struct qtree_fit *fit);

/*
 * Find the best place for a request, whose rotations are the sides of row[rows] (section 3.4).
 * False: the tree knows none. *largest is the result of qtree_largest().
 */
bool qtree_place(const struct qtree *tree, const struct mesh_box *largest,
	const struct boxplan_row *row, int rows, struct mesh_box *box);

#endif
