/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture of a simulation at one moment: hooks for engine_options.placed and .ended.
 */
#ifndef MAP_SNAPSHOT_H
#define MAP_SNAPSHOT_H

#include "view/picture.h"
#include "sim/engine.h"

struct snapshot {
	int64_t at; /* microseconds */
	struct picture picture; /* once taken */
	bool taken, failed;
	const struct trace *trace;
	const struct mesh *mesh;
	const struct nodeset *down;
	struct held *held; /* running jobs in start order */
	int nheld, room;
};

void snapshot_init(struct snapshot *snapshot, const struct mesh *mesh, const struct trace *trace,
	int64_t at);
void snapshot_release(struct snapshot *snapshot);
/* data is a struct snapshot. */
void snapshot_placed(void *data, int job, const int *node, int count, int64_t now);
void snapshot_ended(void *data, int job, int64_t now);
/* Take it now if it was not: the simulation is over. 0, or -1 when memory is out. */
int snapshot_finish(struct snapshot *snapshot, const char *title);

#endif
