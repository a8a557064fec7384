/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files with the times of tasks, for smesh part.
 *
 *   # one task, called like the file: NODES TIME
 *   1 133.227
 *   2 82.447
 *
 *   # any number of tasks; Command= takes the rest of its line
 *   Task=sor Command=./sor -n 500
 *   2 82.447
 *   4 51.537
 */
#ifndef SMESH_TASKTABLE_H
#define SMESH_TASKTABLE_H

#include "base/err.h"
#include "ranks/partition.h"

struct tasktable {
	struct arena arena; /* owns everything; the caller releases it */
	struct partition_task *task; /* [count] in the arena */
	char **command;		/* [count]; "./NAME" without Command= */
	int count;
};

/* Add the tasks of a file to a table (zeroed at first). 0, or -1 with FILE:LINE: text. */
int tasktable_read(struct tasktable *table, const char *path, struct mesh_err *err);

#endif
