/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Measures sets of nodes exactly, one at a time, and keeps the best of them:
 *
 *     score = hop_weight * mean hops  +  exposure_weight * links to free vertices outside
 *
 * Hops are those of the mesh's graph if it has one. A set is vertices, and how many nodes of each
 * are taken. Pinned nodes always are.
 */
#ifndef MESH_SNUG_TRIAL_H
#define MESH_SNUG_TRIAL_H

#include <stdint.h>

#include "base/heap.h"
#include "base/budget.h"
#include "base/mesh.h"
#include "base/nodeset.h"

enum { SNUG_KEPT = 24 }; /* the most sets that are kept */

struct snug_kept {
	double score;
	double border; /* the part of the score that is not hops */
	int n;
	int *vertex, *taken; /* [n] */
};

struct snug_trial {
	const struct mesh *mesh;
	/* The state by vertex; the caller sets it before the first set. */
	uint32_t *nfree;  /* [nvertices] free nodes */
	uint32_t *weight; /* [nvertices] of a link to it: 1 where nfree is not 0, else 0 */
	int *pinned;	  /* [nvertices] required nodes, all of them free */
	int npinned;	  /* nodes */
	int count;	  /* nodes wanted */
	double hop_weight, exposure_weight;
	struct mesh_budget *budget; /* borrowed, set by the caller; NULL: none */
	/* The best sets, one group after the other; in each the best first, no two the same. */
	struct snug_kept kept[SNUG_KEPT];
	int nkept, first, limit; /* the group in progress: kept[first] and on, before limit */
	/* The set in progress: */
	int *vertex;   /* [nvertices] */
	int *taken;    /* [nvertices] nodes taken on a vertex; 0 outside the set */
	uint32_t *around; /* [nvertices] of the set's: the weights of a vertex's neighbours */
	struct heap heap; /* of vertices, by what their removal gains */
	int *marginal; /* [sum of sides] */
	int64_t *axis; /* [sum of sides] hops from a coordinate to all chosen nodes */
};

/* 0, or -1 when memory is out. The arena owns all memory. */
int snug_trial_init(struct snug_trial *trial, const struct mesh *mesh, struct arena *arena);

/*
 * Begin a group: of the sets to come keep the best `most`, beside the earlier groups; at most
 * SNUG_KEPT in all.
 */
void snug_trial_group(struct snug_trial *trial, int most);

/*
 * Trim a box with at least `count` free nodes to `count`, and measure it. Skipped if there is no
 * time.
 */
void snug_trial_box(struct snug_trial *trial, const int *base, const int *side);

/* Make all groups one: the best first, none twice. */
void snug_trial_order(struct snug_trial *trial);

/*
 * Measure `count` free nodes, pinned ones included: by number, or as nodes of each of n vertices.
 */
void snug_trial_nodes(struct snug_trial *trial, const int *node);
void snug_trial_vertices(struct snug_trial *trial, const int *vertex, const int *taken, int n);

/*
 * Write the `count` nodes of a set to node[]: required ones first, then the lowest of each vertex.
 * free, required (may be NULL): what nfree and pinned were made from.
 */
void snug_trial_answer(const struct snug_trial *trial, const struct snug_kept *set,
	const struct nodeset *free, const struct nodeset *required, int *node);

#endif
