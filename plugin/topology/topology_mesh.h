/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of topology/mesh: what it tells, and what it chooses.
 */
#ifndef MESH_TOPOLOGY_MESH_H
#define MESH_TOPOLOGY_MESH_H

#include "shared/job_test.h"
#include "walk/walk.h"

static inline bool topology_in_slurmctld(void)
{
	return &idle_node_bitmap != NULL;
}

/* --- topology_map.c: where nodes are ----------------------------------------------- */

/* The mesh lines are read anew when they are needed next. */
void topology_map_forget(void);
/* A node's address, torus0.3.1.0, and *pattern mesh.coord.coord.coord: xfree() both. NULL: in no
 * mesh. */
char *topology_map_address(const char *node, char **pattern);
/*
 * For scontrol show topology: the meshes (only the one called unit), or with a list of nodes their
 * coordinates. xfree().
 */
char *topology_map_print(const char *nodes, const char *unit);
/*
 * For each node of a job, in the order of the bitmap, its place in the order of the job's tasks:
 * one mesh after the other, in each by vertices, the first dimension fastest. A job that has a walk
 * (WALK_NONE: it has none) along that. xfree(); NULL when none is of a mesh. O(n log n) for n
 * nodes. Under slurmctld's node and job locks.
 */
uint32_t *topology_map_ranks(bitstr_t *nodes, enum walk_kind walk);

/* --- topology_choose.c --------------------------------------------------------------- */

/* Were the nodes that this thread was asked about last of a future, in which nothing starts? */
extern __thread bool topology_imagined;
/* From 26.05 on: the walk that the job wants for which this thread was asked last. */
extern __thread enum walk_kind topology_walk;

/* --- topology_member.c: what slurmctld asks about the nodes of meshes ---------------- */

/* Topology= of a node has changed: 0 if there is such a place and it is free, else -1. */
int topology_member_check(const node_record_t *node, const char *unit);
/* Append where the node is, in the form of Topology=, to *text. */
void topology_member_text(const node_record_t *node, const char *topology, char **text);
/* Add to `nodes` all nodes of those meshes that have one in it. */
void topology_member_whole(bitstr_t *nodes);
/* The nodes of a mesh by its name; NULL if there is none. Borrowed. */
bitstr_t *topology_member_nodes(const char *name);
/* How fragmented the meshes are if these nodes are free (boxes/fragments.h): 0 = no node is
 * taken. */
uint32_t topology_member_fragmentation(bitstr_t *free);

typedef int topology_eval(topology_eval_t *eval);

/* Does select/mesh choose? */
bool topology_chosen_by_select(void);
/* eval_nodes: the strategy narrows, the stock plugin picks. */
int topology_choose(topology_eval_t *eval, topology_eval *base);

#endif
