/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which tasks srun is about to start on which nodes, after Slurm has made the step.
 */
#ifndef MESH_SPANK_LAYOUT_H
#define MESH_SPANK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct spank_handle;

/*
 * The layout of srun's step, borrowed. The caller may exchange task ids until srun launches them.
 */
struct spank_layout {
	uint32_t job, step;
	const char *nodes;	/* host list */
	int nnodes, ntasks;
	const uint16_t *share;	/* [nnodes] tasks on each node, in the order of the list */
	uint32_t **task;	/* [nnodes][share] their ids */
};

/*
 * Find the layout, in slurm_spank_local_user_init(). 0, or -1 with text: the structs are not those
 * of this version of Slurm.
 */
int spank_layout_find(
	struct spank_handle *spank, struct spank_layout *layout, struct mesh_err *err);

/* End a step that shall not start; without step_only end its job too. */
void spank_layout_cancel(const struct spank_layout *layout, bool step_only);

#endif
