/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which of Slurm's nodes is where. A node is where its Topology= says (address.h), if that is a
 * place of the map; otherwise where the map has its name. slurmctld, smesh and srun all follow
 * this rule.
 */
#ifndef MESH_PLACES_H
#define MESH_PLACES_H

#include "conf/topoconf.h"

/* A node that Slurm knows. */
struct places_node {
	const char *name;     /* NULL: there is no node of this index */
	const char *topology; /* its Topology=; NULL: it has none */
};

/*
 * Set at[m][i] to the index in node[n] of the node at place i of mesh m; -1: there is none;
 * PLACES_AWAY: there is none, and the node that the map names there says to be elsewhere. On entry
 * at[m][i] is the node that was there last (negative: none is known): a node that has a place
 * keeps it. Of the others, nodes with a Topology= come before nodes that the map names, each in
 * the order of node[]. A node whose place is taken is nowhere. 0, or -1 when memory is out and
 * `at` is unchanged. O(n log n), times the nodes on a vertex for nodes with a Topology=.
 */
enum { PLACES_AWAY = -2 };
int places_assign(
	const struct topoconf *topo, const struct places_node *node, int n, int *const *at);

/*
 * Give the places of a map the names of the nodes that are there. Where the map names a node that
 * says to be elsewhere, its name gets a '-' before it. 0, or -1 when memory is out, half done.
 */
int places_rename(struct topoconf *topo, const struct places_node *node, int n);

/*
 * The variable by which slurmctld tells a job where its nodes are: HASH:NODE=:torus0:3:1,... HASH
 * is that of slurmctld's map (topoconf_hash()). The list has the job's nodes that are not where
 * the map has their names. HASH:? stands for a list that would be too long: then ask slurmctld.
 */
#define PLACES_VARIABLE "SLURM_MESH_MAP"
#define PLACES_ASK "?"

enum places_told {
	PLACES_NOT_TOLD, /* nothing of use was told */
	PLACES_TOLD,	 /* the map has the names of the job's nodes at their places */
	PLACES_OTHER	 /* the same, but the map is another than slurmctld's */
};

/*
 * Rename nodes by what a job was told (NULL: nothing). Call it before any other renaming.
 * Untrusted.
 */
enum places_told places_hear(struct topoconf *topo, const char *told);

#endif
