/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which running jobs to requeue so that a box is free: said, never done.
 */
#ifndef SMESH_ADVICE_H
#define SMESH_ADVICE_H

#include "view/picture.h"

struct advice_rule {
	const char *users, *partitions; /* NULL: all */
	double most; /* node-hours; negative: any */
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

/* Does it wait for nodes, and not for something else that holds it? */
bool advice_waits(const struct picture_waiting *waiting);

#endif
