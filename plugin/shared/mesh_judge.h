/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job asked for with --mesh- options, judged once.
 *
 * The user's words come in the job's spank environment, which anybody can forge. At the first
 * question about the job they are judged: what is nonsense, or not allowed on this cluster, is taken
 * out of it and told in one line; the rest is shown as the job's SystemComment (`mesh: shape=4x2
 * max-wait=10 nodes=8`, or `mesh: none`). How many nodes a shape is goes into the job's own numbers, as -N
 * would: that holds under any options, strategy, map or select plugin that come later, and limits
 * of partitions, QOS and associations count it.
 */
#ifndef MESH_JUDGE_H
#define MESH_JUDGE_H

#include "config/useroptions.h"
#include "shared/job_test.h"
#include "shared/mesh_conf.h"

/*
 * Judge the job, if nobody has, and write its size, if it has none: also into test's numbers. False:
 * that is more than it may have, now that it is known. Could it ever run is a question of limits at
 * submission alone, where the site enforces them.
 */
bool mesh_judge(struct job_test *test);

/* Has it been, and has a wish, be it none? */
bool mesh_judged(const job_record_t *job);

/* What it asked for and may: nothing, if a comment says `mesh: none`. */
void mesh_judge_options(const job_record_t *job, unsigned allowed, struct useroptions *asked);

/* Its numbers, of nodes, are those of its shape on different meshes: it is to have all of one. */
bool mesh_judge_whole(const job_record_t *job);

/*
 * So many nodes of each feature (-C 'a*2'): that is a size. slurmctld asks about one feature at a time,
 * and then about all those nodes together.
 */
bool mesh_judge_counts_features(const job_details_t *details);

/* All nodes of the shape, on a mesh like this; at most one more than slurmctld has. */
int mesh_judge_shape_nodes(const struct mesh_shape *shape, const struct mesh *mesh);

#endif
