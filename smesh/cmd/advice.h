/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which running jobs to requeue so that a waiting job finds a box. smesh only says so, and requeues
 * none.
 */
#ifndef SMESH_ADVICE_H
#define SMESH_ADVICE_H

#include <jansson.h>

#include "view/picture.h"

struct advice_rule {
	const char *users, *partitions; /* NULL: all */
	double most; /* the most node-hours to lose; negative: any number */
	bool only_own; /* users is the caller, who may not touch others' jobs */
};

/* Rows for the option table of a command whose struct has a member `rule`. */
#define ADVICE_OPTIONS \
	{0, "users", "A,B,...", "requeue jobs of these users alone", OPTION_TEXT, AT(rule.users)}, \
	{0, "partitions", "A,B,...", "requeue jobs of these partitions alone", OPTION_TEXT, \
		AT(rule.partitions)}, \
	{0, "most", "NODE-HOURS", "lose no more work than that", OPTION_DOUBLE, AT(rule.most), 0, \
		1e12}

/*
 * Print the cheapest jobs to requeue for a waiting job, and how: for its box, or for a compact
 * place for its nodes, within what it may have. SMESH_OK; SMESH_NO_FIT or SMESH_NEVER: there are
 * none, which is printed too; another code after a message. Takes up to ten seconds.
 */
int advice_say(const struct picture *picture, const struct picture_waiting *wish,
	const struct advice_rule *rule);

/*
 * The same as a row for a table: job, user, count, box, nodes, node_hours, requeue, all_places,
 * why_not. The code is written to *code. NULL: a name is not UTF-8.
 */
json_t *advice_json(const struct picture *picture, const struct picture_waiting *wish,
	const struct advice_rule *rule, int *code);

/* Is the job larger than this mesh, so that it has nodes of several? This one says nothing then. */
bool advice_spans(const struct picture *picture, const struct picture_waiting *waiting);

/* The nodes of the job's shape, or without a shape those that it asks for. */
int advice_shape_nodes(const struct picture *picture, const struct picture_waiting *waiting);
/* Has an update made the job larger than its shape, which is no larger than the mesh? */
bool advice_outgrown(const struct picture *picture, const struct picture_waiting *waiting);

/* Does the job wait for nodes, and for nothing else? */
bool advice_waits(const struct picture_waiting *waiting);

/*
 * Count the jobs before this one in picture->waiting[] that wait for nodes which it could have too.
 * *first: the index of the first of them, if there are any.
 */
int advice_ahead(
	const struct picture *picture, const struct picture_waiting *waiting, int *first);

#endif
