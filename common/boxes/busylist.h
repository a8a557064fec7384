/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is not free as a list of disjoint boxes that do not run over the edge: the busy list
 * of the papers, rebuilt for each decision. One box for each running job that holds one, in
 * start order; jobs that wrap or are no box are split; what else is not free (down, drained,
 * holes, vertices that are partly busy) follows, merged into few boxes.
 */
#ifndef MESH_BUSYLIST_H
#define MESH_BUSYLIST_H

#include "boxes/bitbox.h"
#include "strategy/strategy.h"

/* A state with more boxes than this is too fragmented for a list: use the bitmaps. */
#define BUSYLIST_MAX 1024

struct busylist {
	const struct bitbox *bits;
	struct mesh_box *box; /* [count] */
	int count;
	int room;
	bool full; /* there were more than room */
	uint64_t *valid; /* all vertices */
	uint64_t *left;	 /* busy, in no box yet */
	uint64_t *mine;	 /* one job's */
};

/* `bits` is borrowed: it holds the mesh, the layout and the free set. 0, or -1. */
int busylist_init(struct busylist *list, const struct bitbox *bits);
void busylist_release(struct busylist *list);

/*
 * From bits->free and the running jobs. O(n/64 + rows of the boxes); a job that is no box
 * costs its number of nodes.
 */
void busylist_load(struct busylist *list, const struct mesh_state *state);

#endif
