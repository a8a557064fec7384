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
 * The task with the least sum of shortest paths to all others, the lowest of equal ones. An edge is
 * as long as 1 / what is sent along it; a task that cannot be reached counts as farther than any
 * that can. Some millions of steps are made at most: of large jobs only some tasks, evenly spread,
 * are tried. Scratch of the caller: dist[n], and heap->item[n] and heap->place[n].
 */
int pacmap_center_task(const struct traffic *traffic, struct heap *heap, double *dist);

struct pacmap_room {
	const struct mesh *mesh;
	struct ball_counts balls;
	int *weight;   /* [nvertices] free nodes */
	double *shell; /* [shells] nodes at each distance from a vertex far from any border */
	int shells;
};

/* 0, or -1 when memory is out. pacmap_room_release() either way. */
int pacmap_room_init(struct pacmap_room *room, const struct mesh *mesh);
void pacmap_room_release(struct pacmap_room *room);

/*
 * The node of `from` around which `count` free nodes are near and few others are: the sum, over the
 * shells around it, of the part of each shell that is free, counted as a gain as long as nodes are
 * still needed and as a loss beyond, up to two shells more than the smallest ball that can hold
 * them. The lowest of equal ones. When the budget is used up, the best so far, or -1 if there is
 * none.
 */
int pacmap_center_node(struct pacmap_room *room, const struct nodeset *free,
	const struct nodeset *from, int count, struct mesh_budget *budget);

#endif
