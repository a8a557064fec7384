/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a job asked for with --mesh- options, validated once.
 *
 * The user's words come in the job's spank environment, which anybody can forge. At the first
 * question about the job they are validated: what is nonsense, or not allowed on this cluster, is
 * taken out of it and told in one line; the rest is shown as the job's SystemComment (`mesh:
 * shape=4x2 max-wait=10 nodes=8`, or `mesh: none`). How many nodes a shape is goes into the job's
 * own numbers, as -N would: that holds under any options, strategy, map or select plugin that come
 * later, and limits of partitions, QOS and associations count it.
 */
#ifndef MESH_VALIDATE_H
#define MESH_VALIDATE_H

#include "conf/useroptions.h"
#include "shared/job_test.h"
#include "shared/mesh_conf.h"

/*
 * Validate the job, unless that has been done, and write the size of its shape into its record and
 * into test's numbers, unless it has a size. False: that is more nodes than the job may have. For
 * TEST_ONLY the limits only count where the site enforces them at submission.
 */
bool mesh_validate(struct job_test *test);

/* Has the job been validated, with an outcome that its SystemComment shows (be it `mesh: none`)? */
bool mesh_validated(const job_record_t *job);

/* What it asked for that is in `allowed` (MESH_USER_... bits); nothing if a comment says `mesh:
 * none`. */
void mesh_validate_options(const job_record_t *job, unsigned allowed, struct useroptions *asked);

/* Its shape has different numbers of nodes on different meshes: it is to have a whole box of
 * one. */
bool mesh_validate_whole(const job_record_t *job);

/*
 * Has the shape fewer nodes than the job wants, on any mesh, or is it a ring or line of another
 * length? Nobody can submit such a job, but scontrol update can make one of a job that waits.
 * Nothing but another update will help it.
 */
bool mesh_validate_contradicts(const job_details_t *details, const struct mesh_shape *shape);

/*
 * Does it count nodes of each feature (-C 'a*2')? That gives it a size. slurmctld asks about one
 * feature at a time, and then about all those nodes together.
 */
bool mesh_validate_counts_features(const job_details_t *details);

#endif
