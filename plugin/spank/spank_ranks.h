/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-ranks: which task of a step runs on which node of its job.
 */
#ifndef MESH_SPANK_RANKS_H
#define MESH_SPANK_RANKS_H

#include "base/err.h"

#define SPANK_RANKS_OPTION "mesh-ranks"
#define SPANK_RANKS_ARGUMENT "order|grid:AxBxC|traffic:FILE"
#define SPANK_RANKS_USAGE                                                                       \
	"tasks that talk to each other on nodes that are near each other: consecutive ones"     \
	" (order), the neighbours on a grid of tasks, the last side fastest, or by a file of"   \
	" lines TASK TASK BYTES"

/*
 * What was said, at submission: a value that makes no sense, or not for this number of tasks, is
 * refused, and so is a file that cannot be read. 0, or -1 with text.
 */
int spank_ranks_check(const char *value, struct mesh_err *err);

/*
 * In srun, within a job: work out where the tasks go and let srun start them there. topology: the
 * path of topology.conf. 0, or -1 with text.
 */
int spank_ranks_apply(const char *value, const char *topology, struct mesh_err *err);

/*
 * For srun in a job with a folded shape (--mesh-shape=18x1x1:fold): grid:18x1x1, malloc()ed, where
 * the step has as many tasks as the shape has vertices; otherwise NULL.
 */
char *spank_ranks_of_shape(const char *shape);

#endif
