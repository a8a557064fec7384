/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a state of the machine means for who waits: free nodes, the largest free box, whose nodes
 * are in the way and when there will be enough.
 */
#ifndef SMESH_OUTLOOK_H
#define SMESH_OUTLOOK_H

#include "map/picture.h"

struct outlook {
	int free_nodes, largest_box; /* nodes; of a box of vertices that are all free */
	double mean_hops; /* over running jobs of more than one node; NAN: none */
	int running;
};

/* 0, or -1 when memory is out. */
int outlook_now(struct outlook *outlook, const struct picture *picture);

/*
 * When a job of so many nodes will find them (in a box if box), by the limits of those that run:
 * how many ends it takes; order[] has the running jobs by their end. -1: never by these; -2:
 * memory is out. 0: there is room now. order is the caller's, [picture->njobs].
 */
int outlook_ends(const struct picture *picture, int nodes, bool box, int *order);

#endif
