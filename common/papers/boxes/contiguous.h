/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the contiguous strategies share: which boxes would do (boxplan.h), the free vertices as
 * bitmaps (bitbox.h), which nodes of a box are taken, and the difference between "no fit now" and
 * "never". A strategy adds a recogniser, which answers the question: where is a free box of these
 * sides?
 *
 * "Never" comes from the same recogniser on an idle machine: all usable nodes are free, and no job
 * runs. With required nodes every strategy takes the first base, by the bitmaps, whose box holds
 * them. On a mesh with a list of legal boxes (mesh->legal) boxplan.h proposes only those, and the
 * bitmaps say where they may lie. A box with a broken link inside does not count, unless the shape
 * allows it; but broken links alone are no reason to say "never".
 */
#ifndef MESH_CONTIGUOUS_H
#define MESH_CONTIGUOUS_H

#include "boxes/bitbox.h"
#include "boxes/boundary.h"
#include "geometry/box.h"
#include "boxes/boxplan.h"
#include "base/budget.h"
#include "ask/extras.h"

struct contiguous {
	const struct contiguous_ops *ops;
	const struct mesh *mesh;
	struct boxplan plan;
	struct bitbox bits;
	struct nodeset taken; /* scratch: nodes */
	void *own; /* the recogniser's scratch */
	bool made; /* set by the recogniser when it has read the state; false in a new one */
	const struct mesh_state *state; /* the question; bits is loaded from it */
	const struct mesh_request *request;
	struct mesh_budget budget;
	bool late; /* the budget is used up */
};

/* A recogniser. */
struct contiguous_ops {
	/* The recogniser takes only bases of bitbox_places(), so its boxes are legal and have no
	 * broken links. Without this flag, contiguous_first() replaces it where a mesh has a list
	 * of legal boxes or broken links. */
	bool legal;
	/* Set c->own from the arena. NULL: nothing to do. 0, or -1 when memory is out. */
	int (*init)(struct contiguous *c, struct arena *arena);
	/*
	 * Find a free box of one of row[rows], which are of equal merit; earlier rows are
	 * preferred. True with *box, or false. A long search calls contiguous_late() now and then,
	 * and ends with the best box so far.
	 */
	bool (*find)(struct contiguous *c, const struct boxplan_row *row, int rows,
		struct mesh_box *box);
};

extern const struct contiguous_ops contiguous_first_fit, contiguous_best_fit, contiguous_keeper;

/* Members of strategy_ops, whose preset points to a struct contiguous_ops. */
int contiguous_init(struct strategy *strategy, struct mesh_err *err);
enum mesh_result contiguous_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

/* The init of pack/strategy_box.c. */
int contiguous_init_box(struct strategy *strategy, enum extras_boxes which);

/* What such rows of the strategies' table have in common; `more`: further flags. */
#define CONTIGUOUS_STRATEGY(ops, more) \
	.flags = STRATEGY_CONTIGUOUS | (more), .preset = &(ops), .init = contiguous_init, \
	.decide = contiguous_decide

/* Is the budget used up? Costs a look at the clock, some 30 ns. */
bool contiguous_late(struct contiguous *c);

/*
 * First fit by the bitmaps: set *box to the first base of the first row that has one. False: none
 * has.
 */
bool contiguous_first(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box);

#endif
