/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which of Slurm's nodes is where: a node is where its Topology= says (address.h), if that is a
 * place of the map, and otherwise where the map has its name. slurmctld, smesh and srun all go by
 * this.
 */
#ifndef PLACES_H
#define PLACES_H

#include "conf/topoconf.h"

/* A node that Slurm knows. */
struct places_node {
	const char *name;     /* NULL: there is none of this index */
	const char *topology; /* what its Topology= says; NULL: nothing */
};

/*
 * at[m][i] becomes the index in node[n] of the node that is at place i of mesh m, or -1. It says
 * before who was there last (-1: nobody that is known): a node that has a place keeps it. Of the
 * others those with a Topology= come before those that the map names, and each in the order of
 * node[]. A node whose place has been taken is nowhere. 0, or -1 when memory is out; at is unchanged
 * then. O(n log n).
 */
int places_assign(
	const struct topoconf *topo, const struct places_node *node, int n, int *const *at);

/*
 * Give the places of a map the names of the nodes that are there. A node that says to be elsewhere
 * leaves its name with a '-' before it. 0, or -1 when memory is out.
 */
int places_rename(struct topoconf *topo, const struct places_node *node, int n);

/*
 * The variable by which slurmctld tells a job: HASH:NODE=:torus0:3:1,... with the hash of its own map
 * (topoconf_hash()) and those nodes of the job that are not where the map has their names; or, where
 * these would be too long a word, HASH:? for that slurmctld is to be asked.
 */
#define PLACES_VARIABLE "SLURM_MESH_MAP"
#define PLACES_ASK "?"

enum places_told {
	PLACES_NOT_TOLD, /* nothing, or nothing of use */
	PLACES_TOLD,	 /* the map has the names of the job's nodes at their places */
	PLACES_OTHER	 /* likewise, but it is another map than slurmctld's */
};

/* Heed what a job was told (NULL: nothing), before anything else has renamed nodes. Untrusted. */
enum places_told places_hear(struct topoconf *topo, const char *told);

#endif
