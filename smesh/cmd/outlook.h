/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a state of the machine means for who waits: free nodes, the largest free box, whose nodes
 * are in the way and when there will be enough.
 */
#ifndef SMESH_OUTLOOK_H
#define SMESH_OUTLOOK_H

#include "sim/vacancy.h"
#include "view/picture.h"

struct outlook {
	int free_nodes, largest_box; /* nodes; of a box of vertices that are all free, */
	int largest_in_hour; /* and when jobs have ended by their limits */
	double mean_hops; /* over running jobs of more than one node; NAN: none */
	int running;
};

/* What the free nodes are worth (sim/vacancy.h), for each kind of box. */
struct outlook_kind {
	const char *name;
	int now, in_hour;
	struct vacancy_risk risk; /* now */
};
struct outlook_kinds {
	struct vacancy *vacancy;
	struct outlook_kind *kind;
	int n;
};
/* 0, or -1 when memory is out; release it in all cases. */
int outlook_kinds(struct outlook_kinds *kinds, const struct picture *picture);
void outlook_kinds_release(struct outlook_kinds *kinds);
/* Print them, and the largest free box. SMESH_OK, or another code after a message. */
int outlook_say(const struct picture *picture, FILE *file);

/* 0, or -1 when memory is out. */
int outlook_now(struct outlook *outlook, const struct picture *picture);

/*
 * When a job will find its nodes, or its box, by the limits of those that run: how many ends it
 * takes; order[] has the running jobs by their end. -1: never by these; -2: memory is out. 0: there
 * is room now. order is the caller's, [picture->njobs].
 */
int outlook_ends(const struct picture *picture, const struct picture_waiting *waiting, int *order);

/*
 * The nodes that are up, of those within a host list (NULL: all; it may have others than the
 * mesh's), into a new set. SMESH_OK, or another code after a message.
 */
int outlook_usable(const struct picture *picture, const char *within, struct nodeset *set);

#endif
