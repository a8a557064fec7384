/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of topology/mesh: where nodes are, and which nodes a job gets.
 */
#ifndef MESH_TOPOLOGY_MESH_H
#define MESH_TOPOLOGY_MESH_H

#include "ask/walk_kind.h"
#include "shared/job_test.h"

static inline bool topology_in_slurmctld(void)
{
	return &idle_node_bitmap != NULL;
}

/* --- topology_map.c: where nodes are ----------------------------------------------- */

/* Drop the mesh lines; they are read anew when they are needed next. */
void topology_map_forget(void);
/*
 * A node's address, as torus0.3.1.0, and in *pattern mesh.coord.coord.coord. xfree() both. NULL:
 * the node is in no mesh.
 */
char *topology_map_address(const char *node, char **pattern);
/*
 * The text of scontrol show topology: all meshes, or the one called `unit`; or, with a list of
 * nodes, their addresses. xfree() it.
 */
char *topology_map_print(const char *nodes, const char *unit);
/*
 * The rank of each node of a job, in the order of the bitmap: its place in the order of the job's
 * tasks. One mesh comes after the other, in each mesh vertex by vertex, the first dimension
 * fastest; or along the job's walk (WALK_NONE: it has none). xfree() it; NULL: no node is in a
 * mesh, or there is only one. O(n log n) for n nodes. Under slurmctld's node and job locks.
 */
uint32_t *topology_map_ranks(bitstr_t *nodes, enum walk_kind walk);

/* --- topology_choose.c: which nodes a job gets --------------------------------------- */

/* A plugin's topology_p_eval_nodes(). */
typedef int topology_eval(topology_eval_t *eval);

/* Is SelectType=select/mesh? Then it has chosen the nodes before Slurm asks topology/mesh. */
bool topology_chosen_by_select(void);
/*
 * Answer topology_p_eval_nodes(): narrow the nodes by the strategy, and let stock_eval, that of
 * the stock plugin, pick among them. Returns what that returns.
 */
int topology_choose(topology_eval_t *eval, topology_eval *stock_eval);

/* Was this thread last asked about nodes of an imagined future, in which nothing starts? */
extern __thread bool topology_imagined;
/* From 26.05 on: the walk of the job that this thread was asked about last. */
extern __thread enum walk_kind topology_walk;

/* --- topology_member.c: what slurmctld asks about the nodes of meshes ---------------- */

/* Topology= is now `unit` (NULL: none). 0: the node has that place, or there is no map; else -1. */
int topology_member_check(const node_record_t *node, const char *unit);
/* Append the node's place to *text, in the form of Topology=. */
void topology_member_text(const node_record_t *node, const char *topology, char **text);
/* Add to `nodes` all nodes of the meshes that have one of them. */
void topology_member_whole(bitstr_t *nodes);
/* The nodes of the mesh with this name, borrowed; NULL if there is none. */
bitstr_t *topology_member_nodes(const char *name);
/* How fragmented the meshes are if these nodes are free (boxes/fragments.h); 0: all are free. */
uint32_t topology_member_fragmentation(bitstr_t *free);

#endif
