/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the contiguous strategies share: which boxes would do (boxplan.h), whole vertices as
 * bitmaps (bitbox.h), nodes out of the box found, "no fit now" against "never". A strategy
 * adds a recogniser: where is a free box of these sides?
 *
 * Never is judged by the recogniser itself on the machine with only the usable nodes free and
 * no job running. With required nodes every strategy takes the first base that the bitmaps
 * give, so that the box holds them. Where boxes are off a list (mesh->legal), boxplan.h proposes no
 * others and the bitmaps have the places, for every strategy.
 *
 * "Is a box of this shape free?" is strategy_decide() of "ff" on that free set; "can it ever
 * fit?" is the same with all usable nodes free: anything but MESH_OK is a no, with text.
 */
#ifndef MESH_CONTIGUOUS_H
#define MESH_CONTIGUOUS_H

#include "boxes/bitbox.h"
#include "boxes/boundary.h"
#include "geometry/box.h"
#include "boxes/boxplan.h"
#include "base/budget.h"
#include "strategy/strategy.h"

struct contiguous {
	const struct mesh *mesh;
	struct boxplan plan;
	struct bitbox bits;
	struct nodeset taken;
	void *own; /* the recogniser's scratch */
	struct mesh_budget budget;
	bool late; /* it is used up */
};

/* A row of strategy_ops points to one by its preset. */
struct contiguous_ops {
	/* Finds a box whenever one is free. */
	bool complete;
	/* Looks at bases of contiguous_bases() only. Those of others need not be legal: where a mesh
	 * has a list of legal boxes, contiguous_first() answers for them. */
	bool legal;
	/* Allocate scratch into c->own. NULL: nothing to do. 0, or -1. */
	int (*init)(struct contiguous *c);
	void (*release)(struct contiguous *c);
	/* A new state; c->bits is loaded. NULL: nothing to do. */
	void (*load)(struct contiguous *c, const struct mesh_state *state,
		const struct mesh_request *request);
	/*
	 * A free box of one of the rows, all of equal merit, in order of preference. Into *box and
	 * true, or false. A long search asks contiguous_late() now and then, and ends with the best
	 * so far.
	 */
	bool (*find)(struct contiguous *c, const struct boxplan_row *row, int rows,
		struct mesh_box *box);
};

/* For strategy_ops: preset points to a struct contiguous_ops. */
int contiguous_init(struct strategy *strategy, struct mesh_err *err);
void contiguous_release(struct strategy *strategy);
enum mesh_result contiguous_decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer);

/* What all their rows of the strategy table have in common. */
#define CONTIGUOUS_STRATEGY(ops) CONTIGUOUS_STRATEGY_WITH(ops, 0)
#define CONTIGUOUS_STRATEGY_WITH(ops, more) \
	.flags = STRATEGY_CONTIGUOUS | (more), .preset = &(ops), .init = contiguous_init, \
	.release = contiguous_release, .decide = contiguous_decide

/* Is the budget used up? A look at the clock: some 30 ns. */
bool contiguous_late(struct contiguous *c);

/* Into c->bits.base: where a free and legal box of these sides begins. */
void contiguous_bases(struct contiguous *c, const int *side);

/* First fit on the bitmaps: the first row with a base, and its first base. */
bool contiguous_first(struct contiguous *c, const struct boxplan_row *row, int rows,
	struct mesh_box *box);

#endif
