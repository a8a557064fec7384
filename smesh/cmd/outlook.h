/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a state of the machine means for who waits: free nodes, the largest free box, whose nodes
 * are in the way and when there will be enough.
 */
#ifndef SMESH_OUTLOOK_H
#define SMESH_OUTLOOK_H

#include "sim/vacancy.h"
#include "view/picture.h"

/* What the free nodes are worth (sim/vacancy.h), for each kind of box. */
struct outlook_kind {
	const char *name;
	int now, in_hour; /* when jobs have ended by their limits */
	struct vacancy_risk risk; /* now */
};

struct outlook {
	int free_nodes, largest_box, largest_in_hour; /* nodes; of a box that is all free */
	double mean_hops; /* over running jobs of more than one node; NAN: none */
	int running;
	struct vacancy *vacancy;
	struct outlook_kind *kind; /* [nkinds] */
	int nkinds;
};

/* 0, or -1 when memory is out. The arena frees it. */
int outlook_take(struct outlook *outlook, const struct picture *picture, struct arena *arena);
/* Write the picture and what is free. The width of the style may be 0: as the terminal's. SMESH_OK,
 * or another code after a message. */
int outlook_draw(const struct picture *picture, FILE *to, const struct text_style *style);

/*
 * When a job will find its nodes, or its box, by the limits of those that run: how many ends it
 * takes; order[] has those by their end, who are on nodes that it may have. -1: never by
 * these; -2: memory is out. 0: there is room now. order is the caller's, [picture->njobs].
 */
int outlook_ends(const struct picture *picture, const struct picture_waiting *waiting, int *order);

/*
 * The nodes that are up and that the job may have, whoever is on them, into a new set of the arena;
 * or those of them that are free. 0, or -1 when memory is out.
 */
int outlook_usable(const struct picture *picture, const struct picture_waiting *waiting,
	struct nodeset *set, struct arena *arena);
int outlook_free(const struct picture *picture, const struct picture_waiting *waiting,
	struct nodeset *set, struct arena *arena);

/*
 * The least mean hops that our strategies find for so many nodes on this mesh, were it idle; NAN:
 * none, or memory is out.
 */
double outlook_least_hops(const struct picture *picture, int count);

/* --- which running jobs to requeue so that a box is free: said, never done (advice.c) -------- */

struct advice_rule {
	const char *users, *partitions; /* NULL: all */
	double most; /* node-hours; negative: any */
	bool only_own; /* users is who asks, who may not touch others' */
};

/* Rows for a command's option table, whose struct has a member `rule`. */
#define ADVICE_OPTIONS \
	{0, "users", "A,B,...", "requeue jobs of these users alone", OPTION_TEXT, AT(rule.users)}, \
	{0, "partitions", "A,B,...", "requeue jobs of these partitions alone", OPTION_TEXT, \
		AT(rule.partitions)}, \
	{0, "most", "NODE-HOURS", "lose no more work than that", OPTION_DOUBLE, AT(rule.most), 0, \
		1e12}

/*
 * Print the cheapest jobs to requeue for one that waits, and how: its box, or a compact place for
 * its nodes, within what it may have. SMESH_OK; SMESH_NO_FIT or SMESH_NEVER where
 * there are none, which is printed too; another code after a message. Takes up to ten seconds.
 */
int advice_say(const struct picture *picture, const struct picture_waiting *wish,
	const struct advice_rule *rule);

/* How many nodes its shape has, where it has one; or it asks for. */
int advice_shape_nodes(const struct picture *picture, const struct picture_waiting *waiting);

/* Does it wait for nodes, and not for something else that holds it? */
bool advice_waits(const struct picture_waiting *waiting);

#endif
