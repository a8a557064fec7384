/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A quad-tree of free, busy and partly free boxes: J. Srisawat and N. Alexandridis, "A new
 * quad-tree-based sub-system allocation technique for mesh-connected parallel machines". In d
 * dimensions a box is parted at one point into up to 2^d buddies; buddy i has the high part of
 * each dimension whose bit is set in i (so 0..3 are the paper's TL, BL, TR, BR with rows as
 * dimension 0). Dimensions do not wrap.
 *
 * The tree is rebuilt from the busy boxes in the order in which they were taken. Definitions and
 * sections below are those of the paper.
 */
#ifndef MESH_QTREE_H
#define MESH_QTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "boxes/boxplan.h"
#include "geometry/box.h"

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
	int child; /* of QTREE_PARTLY: the first of 2^d */
};

struct qtree {
	int ndims;
	struct qtree_node *node; /* [count]; 0 is the root, the machine */
	int count, room;
	bool full; /* there was no room for a node */
	struct mesh_box *box; /* [nboxes]: what is free, by qtree_largest() */
	int nboxes;
};

/* A candidate compared with the largest free box, the better relation first (definition 3). */
enum qtree_overlap { QTREE_DISJOINT, QTREE_INTERSECT, QTREE_SUBSET };

/* 0, or -1 when memory is out. The arena frees it. */
int qtree_init(struct qtree *tree, const struct mesh *mesh, struct arena *arena);

/* Everything free again. */
void qtree_clear(struct qtree *tree);

/*
 * Take a free box: the free buddy that holds it is parted round it (definition 1). One that
 * lies across buddies expands the free one it lies in (definition 2), or else is taken part
 * by part. O(depth), per part.
 */
void qtree_take(struct qtree *tree, const struct mesh_box *box);

/*
 * All free boxes the tree knows into tree->box: free buddies and their combinations (definition 2:
 * buddies, buddy with sub-buddies, sub-buddies across), depth first. The largest of them, the first
 * of equals, into *box; its volume, 0 if nothing is free. O(nodes).
 */
int64_t qtree_largest(struct qtree *tree, struct mesh_box *box);

/* How a free box lies to the largest one. */
enum qtree_overlap qtree_overlap(int ndims, const struct mesh_box *largest,
	const struct mesh_box *box);

/*
 * Definition 5, the combining factor times 4: over all sides 0 at the border, 1 if all beside
 * it is busy, 2 if partly, 4 if free. O(nodes at the sides).
 */
int qtree_combining(const struct qtree *tree, const struct mesh_box *box);

/* How a request suits a free box in the best rotation (definition 4). */
struct qtree_fit {
	int different;	/* sides that differ from the box's */
	int64_t free_after; /* the largest box that stays free in it */
};

/* A box for sides[ndims] in box: false if it does not go in. */
bool qtree_fit(int ndims, const struct mesh_box *box, const int *side, struct qtree_fit *fit);

/*
 * The best place for a request, whose rotations are the sides of row[rows] (section 3.4): into
 * *box. False: none the tree knows of. *largest is what qtree_largest() has said.
 */
bool qtree_place(const struct qtree *tree, const struct mesh_box *largest,
	const struct boxplan_row *row, int rows, struct mesh_box *box);

#endif
