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
 * ranks, in order. nodes: the job's list; of step only topology and per_node are read. Called in
 * the process that becomes the script. Returns what spank_ranks_relabel() does.
 */
int spank_ranks_hostfile(const char *value, const char *nodes, const struct spank_step *step,
	struct spank_hostfile *hosts, struct mesh_err *err);

/*
 * The order that a shape implies, for srun and for mpirun in a script. A folded shape
 * (--mesh-shape=18x1x1:fold) gives grid:18x1x1, if there are as many tasks as the shape has
 * vertices. A walk (--mesh-shape=ring:16) gives ring, if the step is on all of the nodes. free()
 * it; NULL: none.
 */
char *spank_ranks_of_shape(const char *shape, int ntasks);

/*
 * The order that a pattern implies, for an srun or script whose user has given none: for example
 * grid:8x8, if there are as many tasks; otherwise auto. pattern NULL: none is known. free() it;
 * NULL if the user names the nodes.
 */
char *spank_ranks_of_pattern(const char *pattern, int ntasks);

#endif
