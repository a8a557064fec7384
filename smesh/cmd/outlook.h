/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a state of the machine means for waiting jobs: free nodes, the largest free box, which jobs
 * are in the way, and when there will be room.
 */
#ifndef SMESH_OUTLOOK_H
#define SMESH_OUTLOOK_H

#include "sim/vacancy.h"
#include "view/picture.h"

/* What the free nodes are worth (sim/vacancy.h), for each kind of box. */
struct outlook_kind {
	const char *name;
	int now, in_hour; /* at present, and when jobs have ended by their limits */
	struct vacancy_risk risk; /* at present */
};

struct outlook {
	int free_nodes;
	int largest_box, largest_in_hour; /* nodes of a box that is all free; 0: cabled mesh */
	double mean_hops; /* over running jobs of more than one node; NAN: none */
	int running;
	struct vacancy *vacancy;
	struct outlook_kind *kind; /* [nkinds] */
	int nkinds; /* 0: cabled mesh */
};

/* Fill *outlook. The arena owns all memory. */
void outlook_take(struct outlook *outlook, const struct picture *picture, struct arena *arena);
/* Write the picture and what is free. Width 0 in the style: that of the terminal. */
void outlook_draw(const struct picture *picture, FILE *to, const struct text_style *style);

/*
 * When will a job find its nodes, or its box, by the limits of the running jobs? Returns how many
 * of these must end; order[] has the jobs on nodes that it may have, by their end. 0: there is
 * room now; -1: never by these ends. order is the caller's, [picture->njobs].
 */
int outlook_ends(const struct picture *picture, const struct picture_waiting *waiting, int *order);

/* Has even the idle mesh no box for the job? Then with text. */
bool outlook_never(const struct mesh *mesh, const struct picture_waiting *waiting,
	struct mesh_err *err);

/*
 * Make a new set, in the arena, of the nodes that are up and that the job may have, busy or not;
 * or of those that are free.
 */
void outlook_usable(const struct picture *picture, const struct picture_waiting *waiting,
	struct nodeset *set, struct arena *arena);
void outlook_free(const struct picture *picture, const struct picture_waiting *waiting,
	struct nodeset *set, struct arena *arena);

/*
 * The least mean hops that our strategies find for `count` nodes on this mesh if it is idle; NAN:
 * none.
 */
double outlook_least_hops(const struct picture *picture, int count);

#endif
