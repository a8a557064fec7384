/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-ranks: which task of a step runs on which node of its job.
 */
#ifndef MESH_SPANK_RANKS_H
#define MESH_SPANK_RANKS_H

#include <stdbool.h>

#include "base/err.h"

struct runs_order;
struct spank_layout;

#define SPANK_RANKS_OPTION "mesh-ranks"
#define SPANK_RANKS_ARGUMENT "order|line|ring|grid:AxBxC[:POINTS]|traffic:FILE|auto|node"
#define SPANK_RANKS_USAGE                                                                       \
	"tasks that talk to each other on nodes that are near each other: consecutive ones"     \
	" (order; line, ring: one hop each), the neighbours on a grid of tasks, the last side"  \
	" fastest (:27: the diagonal ones too), by a file of lines TASK TASK BYTES, or for a"    \
	" program of which nothing is known (auto); node: tasks in the order of nodes"

/*
 * What plugstack.conf says: order=auto, tasks are ordered where nobody has said how; order=node or
 * nothing, they are not. True for auto.
 */
bool spank_ranks_configure(int argc, char *argv[]);

/*
 * The value, and what was said with the other options at submission: a grid that is not of this
 * number of tasks is refused, and so is a file that cannot be read. 0, or -1 with text.
 */
int spank_ranks_check(const char *value, struct mesh_err *err);

/*
 * In srun that has a step and has not launched it: work out where the tasks go, and exchange them
 * in the step's layout. Each node keeps as many as it had. topology: the path of topology.conf;
 * order: where to keep what traffic has led to, or NULL. 0; 1 with text: there is no map
 * here that can be read; or -1 with text; nothing is changed then.
 */
int spank_ranks_relabel(const char *value, const char *topology, struct spank_layout *layout,
	struct runs_order *order, struct mesh_err *err);

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
