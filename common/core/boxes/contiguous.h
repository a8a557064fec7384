/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the contiguous strategies share: which boxes would do (boxplan.h), the free vertices as
 * bitmaps (bitbox.h), which nodes of the box found are taken, and "no fit now" against "never". A
 * strategy adds a recogniser, which answers: where is a free box of these sides?
 *
 * "Never" is decided by the same recogniser on an idle machine: all usable nodes free, no job
 * running. With required nodes every strategy takes the first base by the bitmaps at which the box
 * holds them. Where the mesh has a list of legal boxes (mesh->legal), boxplan.h proposes only
 * those, and the bitmaps say where they may lie. A box with a broken link inside is none, unless
 * the shape says that it may be; that alone is no reason to say "never".
 */
#ifndef MESH_CONTIGUOUS_H
#define MESH_CONTIGUOUS_H

#include "boxes/bitbox.h"
#include "boxes/boundary.h"
#include "geometry/box.h"
#include "boxes/boxplan.h"
#include "base/budget.h"
#include "ask/strategy.h"

struct contiguous {
	const struct mesh *mesh;
	struct boxplan plan;
	struct bitbox bits;
	struct nodeset taken; /* scratch: nodes */
	void *own; /* the recogniser's scratch */
	bool made; /* the recogniser's: what it makes of a state once; false in a new one */
	const struct mesh_state *state; /* the question at hand; bits is loaded from it */
	const struct mesh_request *request;
	struct mesh_budget budget;
	bool late; /* it is used up */
};

/* A row of strategy_ops points to one by its preset. */
struct contiguous_ops {
	/* It takes only bases of bitbox_places(), so that its boxes are legal and without broken
	 * links. For others, where a mesh has a list of legal boxes or broken links,
	 * contiguous_first() is asked in their place. */
	bool legal;
	/* Take scratch for c->own from the arena. NULL: nothing to do. 0, or -1 when memory is
	 * out. */
	int (*init)(struct contiguous *c, struct arena *arena);
	/*
	 * A free box of one of row[rows], which are of equal merit, those first in the list
	 * preferred. True with *box, or false. A long search asks contiguous_late() now and then,
	 * and ends with the best so far.
	 */
	bool (*find)(struct contiguous *c, const struct boxplan_row *row, int rows,
		struct mesh_box *box);
};

/* Members of strategy_ops, whose preset points to a struct contiguous_ops. */
int contiguous_init(struct strategy *strategy, struct mesh_err *err);
enum mesh_result contiguous_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

/* What the rows of the strategies' table have in common; `more`: further flags. */
#define CONTIGUOUS_STRATEGY(ops, more) \
	.flags = STRATEGY_CONTIGUOUS | (more), .preset = &(ops), .init = contiguous_init, \
	.decide = contiguous_decide

/* Is the budget used up? A look at the clock: some 30 ns. */
bool contiguous_late(struct contiguous *c);

/* First fit on the bitmaps, into *box: the first row with a base, at its first one. False: none
 * has. */
bool contiguous_first(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box);

#endif
