/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All bases of a box at once: how many free nodes it holds, and how much weight lies on its
 * faces.
 *
 * The differences of a summed-area table are taken one dimension after another. With N the
 * sum over the box in the dimensions so far and F that over its faces, the next dimension
 * makes, from differences over its side (narrow) and over one more on both ends (wide),
 *
 *     N' = narrow N          F' = narrow F + wide N - narrow N
 *
 * Bases are numbered by i = sum of base[d] * stride[d] of the tables, and lower dimensions are
 * run through as one long array, over the gaps between rows too: what comes out there is
 * rubbish, and not looked at.
 */
#ifndef MESH_SNUG_SWEEP_H
#define MESH_SNUG_SWEEP_H

#include "snug/snug_chain.h"
#include "geometry/sumtable.h"

/* A run of consecutive base numbers, ready to be scored. */
struct snug_run {
	int64_t first;		/* base number of the first */
	int n;
	const uint32_t *count;	/* [n] free nodes in the box; rubbish where open[] is 0 */
	const uint32_t *weight; /* [n] on its faces; only after snug_sweep_faces() */
	uint32_t *open;		/* [n] ~0 where a box is still looked for, 0 otherwise */
};

struct snug_sweep {
	const struct mesh *mesh;
	struct sumtable free_sum, weight_sum;
	const uint32_t *nfree, *weight; /* what they are of */
	int reach[MESH_MAX_DIMS];	/* the longest box that they serve, on a torus */
	uint32_t *open;			   /* [room of a table] by base number */
	uint32_t *count[MESH_MAX_DIMS];	   /* buffers of one slab each */
	uint32_t *narrow[MESH_MAX_DIMS], *face[MESH_MAX_DIMS];
	int bases[MESH_MAX_DIMS];	   /* along each dimension, of the level at hand */
	const struct snug_level *level;
	/* Of it, by dimension: see offsets_of() and entries() */
	int64_t offset[MESH_MAX_DIMS][4], last_base[MESH_MAX_DIMS], margin[MESH_MAX_DIMS];
	int nopen; /* bases that were open when the last level was run through */
};

/* 0, or -1 when memory is out. snug_sweep_release() of a zeroed struct is fine. */
int snug_sweep_init(struct snug_sweep *sweep, const struct mesh *mesh);
void snug_sweep_release(struct snug_sweep *sweep);

/*
 * Take over a state: free nodes and weights per vertex, borrowed until the next. reach[]: the
 * longest boxes to expect; for longer ones the tables are built again.
 */
void snug_sweep_load(struct snug_sweep *sweep, const uint32_t *nfree, const uint32_t *weight,
	const int *reach);

/* Every base that the first level of a chain can have is open, none else. */
void snug_sweep_open(struct snug_sweep *sweep, const struct snug_level *level);

/* The next level (the first too): bases whose box would run over a border are closed. */
void snug_sweep_level(struct snug_sweep *sweep, const struct snug_level *level);

/*
 * Run through a level: call take() for each run that has an open base with `want` free nodes
 * or more. take() ends the sweep by giving false.
 */
typedef bool snug_take(void *data, struct snug_run *run);
bool snug_sweep_runs(struct snug_sweep *sweep, uint32_t want, snug_take *take, void *data);

/* base[d] of a base number. */
void snug_sweep_base(const struct snug_sweep *sweep, int64_t number, int *base);

#endif
