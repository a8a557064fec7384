/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-ranks: which task of a step runs on which node of its job.
 */
#ifndef MESH_SPANK_RANKS_H
#define MESH_SPANK_RANKS_H

#include "spank/spank_user.h"

/*
 * The value, and what was said with the other options at submission: a grid that is not of this
 * number of tasks is refused, and so is a file that cannot be read. 0, or -1 with text.
 */
int spank_ranks_check(const char *value, struct mesh_err *err);

/*
 * In srun that has a step and has not launched it: work out where the tasks go, and exchange them
 * in the step's layout. Each node keeps as many as it had. 0; 1 with text: there is no map here that
 * can be read; or -1 with text; nothing is changed then.
 */
int spank_ranks_relabel(const char *value, const struct spank_step *step, struct mesh_err *err);

/*
 * For srun on nodes with a folded shape (--mesh-shape=18x1x1:fold): grid:18x1x1, malloc()ed, where
 * the step has as many tasks as the shape has vertices; with a walk (--mesh-shape=ring:16): ring,
 * where it is on all of the nodes; otherwise NULL.
 */
char *spank_ranks_of_shape(const char *shape);

/*
 * For srun of which nobody has said how its tasks are ordered: what the pattern of the job (NULL:
 * none) implies, such as grid:8x8, if the step has as many tasks; otherwise auto. malloc()ed; NULL
 * where the user names the nodes.
 */
char *spank_ranks_of_pattern(const char *pattern, int ntasks);

#endif
