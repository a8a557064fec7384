/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture of a simulation at the moment at which it stops (engine_options.stop_at): hooks for
 * engine_options.placed and .ended, with a struct snapshot as their data.
 */
#ifndef MAP_SNAPSHOT_H
#define MAP_SNAPSHOT_H

#include "view/picture.h"
#include "sim/engine.h"

/* Zeroed at first. */
struct snapshot {
	struct snapshot_job {
		int job, count;
		int *node;
	} *held; /* [nheld] running jobs in start order */
	int nheld, room;
	bool failed; /* memory is out */
};

void snapshot_placed(void *data, int job, const int *node, int count, int64_t now);
void snapshot_ended(void *data, int job, int64_t now);
/* The running jobs into a picture without jobs. 0, or -1 when memory is out. */
int snapshot_take(
	const struct snapshot *snapshot, const struct trace *trace, struct picture *picture);
void snapshot_release(struct snapshot *snapshot);

#endif
