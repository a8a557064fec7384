/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where PaCMap begins: the middle of a job's traffic, and the free node with the best room.
 */
#ifndef MESH_PACMAP_CENTER_H
#define MESH_PACMAP_CENTER_H

#include "base/budget.h"
#include "base/heap.h"
#include "base/nodeset.h"
#include "geometry/ball_counts.h"
#include "ranks/traffic.h"

/*
 * The task from which the sum of the ways to all others is least, the way between two that talk being
 * 1 / what they send; the lowest of equal ones. Those that cannot be reached count more than any that
 * can. More than some millions of steps are not made: of large jobs a part of the tasks, evenly
 * spread, is looked at. dist[n]; heap: item[n], place[n].
 */
int pacmap_center_task(const struct traffic *traffic, struct heap *heap, double *dist);

struct pacmap_room {
	const struct mesh *mesh;
	struct ball_counts balls;
	int *weight;   /* [nvertices] free nodes */
	double *shell; /* [shells] nodes at each distance where there is no edge */
	int shells;
};

/* 0, or -1 when memory is out. pacmap_room_release() either way. */
int pacmap_room_init(struct pacmap_room *room, const struct mesh *mesh);
void pacmap_room_release(struct pacmap_room *room);

/*
 * The node, of those in `from`, around which `count` free nodes are nearest and few more are near: each
 * shell adds the share of it that is free as long as nodes are needed, and takes it off beyond, for
 * two shells more than the smallest ball that can hold them. The lowest of equal ones; -1: no time.
 */
int pacmap_center_node(struct pacmap_room *room, const struct nodeset *free, const struct nodeset *from,
	int count, struct mesh_budget *budget);

#endif
