/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The busy list of the papers (strategy_busylist.c): all that is not free, as disjoint flat boxes,
 * rebuilt for each decision. First come the running jobs in start order: one box for a job that is
 * a box, several for a job that wraps or is none. Then comes what else is not free (nodes that are
 * down or drained, holes, vertices that are partly busy), merged into few boxes.
 */
#ifndef MESH_BUSYLIST_H
#define MESH_BUSYLIST_H

#include "boxes/bitbox.h"
#include "tbl/box_cut.h"
#include "ask/strategy.h"

/* A state with more boxes than this is too fragmented for a list: use the bitmaps. */
#define BUSYLIST_MAX 1024

struct busylist {
	const struct bitbox *bits;
	struct mesh_box *box; /* [count] */
	int count;
	int room;
	bool full; /* there were more boxes than room */
	/* Bitmaps with the layout of `bits`: */
	uint64_t *valid; /* all vertices */
	uint64_t *left;	 /* busy, in no box yet */
	uint64_t *mine;	 /* vertices of one job */
};

/*
 * `bits` is borrowed: it has the mesh, the layout and the free set. 0, or -1 when memory is out.
 * The arena owns all memory.
 */
int busylist_init(struct busylist *list, const struct bitbox *bits, struct arena *arena);

/*
 * Make the list from bits->free and the running jobs. O(n/64 + rows of the boxes); a job that is
 * no box costs its number of nodes.
 */
void busylist_load(struct busylist *list, const struct mesh_state *state);

#endif
