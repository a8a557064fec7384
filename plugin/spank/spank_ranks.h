/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --mesh-ranks: which task of a step runs on which node of its job.
 */
#ifndef MESH_SPANK_RANKS_H
#define MESH_SPANK_RANKS_H

#include <stdbool.h>

#include "base/err.h"

struct spank_layout;

#define SPANK_RANKS_OPTION "mesh-ranks"
#define SPANK_RANKS_ARGUMENT "order|line|ring|grid:AxBxC[:POINTS]|traffic:FILE"
#define SPANK_RANKS_USAGE                                                                       \
	"tasks that talk to each other on nodes that are near each other: consecutive ones"     \
	" (order; line, ring: one hop each), the neighbours on a grid of tasks, the last side"  \
	" fastest (:27: the diagonal ones too), or by a file of lines TASK TASK BYTES"

/* The value alone, where it is typed. 0, or -1 with text. */
int spank_ranks_parse(const char *value, struct mesh_err *err);

/*
 * What was said, at submission, with the other options: a grid that is not of this number of tasks
 * is refused, and so is a file that cannot be read. 0, or -1 with text.
 */
int spank_ranks_check(const char *value, struct mesh_err *err);

/* Will this srun get its own nodes, so that spank_ranks_relabel() has to wait for them? */
bool spank_ranks_waits(void);

/*
 * In srun, within a job: work out where the tasks go and let srun start them there. topology: the
 * path of topology.conf. 0, or -1 with text.
 */
int spank_ranks_apply(const char *value, const char *topology, struct mesh_err *err);

/*
 * In srun that has got its own nodes: the same, by exchanging tasks in the layout of its step. Each
 * node keeps as many as it had. 0, or -1 with text and nothing changed.
 */
int spank_ranks_relabel(const char *value, const char *topology, struct spank_layout *layout,
	struct mesh_err *err);

/*
 * For srun in a job with a folded shape (--mesh-shape=18x1x1:fold): grid:18x1x1, malloc()ed, where
 * the step has as many tasks as the shape has vertices; with a walk (--mesh-shape=ring:16): ring,
 * where it is on all of the nodes; otherwise NULL.
 */
char *spank_ranks_of_shape(const char *shape);

#endif
