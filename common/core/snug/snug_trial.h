/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sets that snug measures exactly, one at a time, and the best of them:
 *
 *     score = hop_weight * mean hops  +  exposure_weight * weight of the links to outside
 *
 * where hops are the graph's if the mesh has one.
 * A set is vertices and how many nodes of each are taken; nodes that are pinned always are.
 */
#ifndef MESH_SNUG_TRIAL_H
#define MESH_SNUG_TRIAL_H

#include <stdint.h>

#include "base/heap.h"
#include "base/budget.h"
#include "base/mesh.h"
#include "base/nodeset.h"

enum {
	SNUG_UNIT = 256, /* weight of one link to a vertex that is free for good */
	SNUG_KEPT = 24, /* of the sets measured, so many are kept at most */
};

struct snug_kept {
	double score;
	double border; /* the part of it that is not hops */
	int n;
	int *vertex, *taken; /* [n] */
};

struct snug_trial {
	const struct mesh *mesh;
	/* The state, by vertex; the caller writes it before the first set. */
	uint32_t *nfree;  /* [nvertices] free nodes */
	uint32_t *weight; /* [nvertices] of a link to it; SNUG_UNIT where nfree is not 0 */
	int *pinned;	  /* [nvertices] required nodes, all of them free */
	int npinned;	  /* nodes */
	int count;	  /* nodes wanted */
	double hop_weight, exposure_weight;
	struct mesh_budget *budget; /* borrowed, set by the caller; NULL: none */
	/* The best sets of each group, one group after another; best first, no two alike. */
	struct snug_kept kept[SNUG_KEPT];
	int nkept, first, limit; /* the group at hand: from first, before limit */
	/* Of the set at hand: */
	int *vertex;   /* [nvertices] */
	int *taken;    /* [nvertices] nodes taken on a vertex; 0 outside, and between sets */
	int32_t *gain; /* [nvertices] of the i-th vertex at hand: see trim() */
	struct heap heap; /* of vertices, by what is gained without them */
	int *marginal; /* [sum of sides] */
	int64_t *axis; /* [sum of sides] hops to all chosen, by coordinate */
};

/* 0, or -1 when memory is out. The arena frees it. */
int snug_trial_init(struct snug_trial *trial, const struct mesh *mesh, struct arena *arena);

/* Of the sets to come the best `most` are kept, beside those there are. */
void snug_trial_group(struct snug_trial *trial, int most);

/* A box with at least `count` free nodes, trimmed to as many; left out when there is no time for
 * it. */
void snug_trial_box(struct snug_trial *trial, const int *base, const int *side);

/* All groups become one: the best first, none twice. */
void snug_trial_order(struct snug_trial *trial);

/* `count` free nodes, those pinned among them: by number, or how many of each of n vertices. */
void snug_trial_nodes(struct snug_trial *trial, const int *node);
void snug_trial_vertices(struct snug_trial *trial, const int *vertex, const int *taken, int n);

/*
 * The nodes of a set, those required first and then the lowest of each vertex: `count` of them
 * into node[]. free, required (may be NULL): what nfree and pinned were made from.
 */
void snug_trial_answer(const struct snug_trial *trial, const struct snug_kept *set,
	const struct nodeset *free, const struct nodeset *required, int *node);

#endif
