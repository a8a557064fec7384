/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which tasks srun is about to start on which nodes, once Slurm has made the step.
 */
#ifndef MESH_SPANK_LAYOUT_H
#define MESH_SPANK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct spank_handle;

/* srun's own, which may exchange task ids between nodes until it launches them. */
struct spank_layout {
	uint32_t job, step;
	const char *nodes;	/* host list */
	int nnodes, ntasks;
	const uint16_t *share;	/* [nnodes] tasks on each, in the order of the list */
	uint32_t **task;	/* [nnodes][share] their ids */
};

/*
 * In slurm_spank_local_user_init(): 0, or -1 with text where what is found there is not what this
 * version of Slurm should have.
 */
int spank_layout_find(
	struct spank_handle *spank, struct spank_layout *layout, struct mesh_err *err);

/* End a step that shall not start, and its job too unless that is not of this srun. */
void spank_layout_cancel(const struct spank_layout *layout, bool step_only);

#endif
