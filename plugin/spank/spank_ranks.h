/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-ranks: which tasks of a step run on which node of its job.
 */
#ifndef MESH_SPANK_RANKS_H
#define MESH_SPANK_RANKS_H

#include "spank/spank_user.h"

/*
 * Check the value together with the other options, at submission. A grid of another number of
 * tasks is refused, and a file that cannot be read. 0, or -1 with text.
 */
int spank_ranks_check(const char *value, struct mesh_err *err);

/*
 * In an srun that has a step and has not launched it: compute which node runs which task, and
 * exchange the tasks in the step's layout. Each node keeps its number of tasks. 0; 1 with text: no
 * map can be read here; -1 with text. Nothing is changed unless it returns 0.
 */
int spank_ranks_relabel(const char *value, const struct spank_step *step, struct mesh_err *err);

/*
 * For mpirun in a script: a file with the node of each rank, a line each; nodes have blocks of
 * ranks, in order. The step has no layout, and the job's hosts in its map. Called in the process
 * that becomes the script. Returns what spank_ranks_relabel() does.
 */
int spank_ranks_hostfile(const char *value, const struct spank_step *step,
	struct spank_hostfile *hosts, struct mesh_err *err);

#endif
