/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `smesh sim --placements` wrote, and moments at which the same jobs run under every
 * strategy: what differs is only where.
 */
#ifndef JUDGE_MOMENTS_H
#define JUDGE_MOMENTS_H

#include <stdint.h>

#include "base/err.h"
#include "base/mesh.h"

struct placed_job {
	long long id;
	double start, end;
	int *node; /* [count], ascending */
	int count;
};

struct placements {
	const char *name; /* of the strategy; the caller's */
	struct placed_job *job; /* by id, then start */
	int njobs, room;
};

/* 0, or -1 with text; placements_release() either way. */
int placements_read(struct placements *placements, const struct mesh *mesh, const char *path,
	struct mesh_err *err);
void placements_release(struct placements *placements);

struct moment {
	double at;
	int *job; /* [njobs] indices into placements->job, the same for all; more than one node */
	int njobs;
};

struct moment_rules {
	int moments;
	double busy;  /* part of the nodes, at least */
	int jobs;     /* of more than one node, at least */
	uint64_t seed;
	int nodes;    /* of the machine */
};

/*
 * moment[rules->moments], drawn evenly over the time that there are jobs. How many there are, or
 * -1 with text: none is like that, or the strategies did not run the same jobs then.
 */
int moments_draw(struct moment *moment, const struct placements *of, int count,
	const struct moment_rules *rules, struct mesh_err *err);

#endif
