/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Validates the --mesh- options of a job, once.
 *
 * The options come in the job's SPANK environment, which anybody can forge. The first question
 * about the job validates them. Options that are nonsense, or not allowed on this cluster, are
 * removed and told in one line. The others show in the job's SystemComment (`mesh: shape=4x2
 * max-wait=10 nodes=8`, or `mesh: none`). The shape's number of nodes goes into the job's own
 * numbers, as with -N. The job keeps it under any options, strategy, map or select plugin that
 * come later, and limits of partitions, QOS and associations count it.
 */
#ifndef MESH_VALIDATE_H
#define MESH_VALIDATE_H

#include "conf/useroptions.h"
#include "shared/job_test.h"
#include "shared/mesh_conf.h"

/*
 * Validate the job, unless that has been done. If it has no size, write the size of its shape into
 * its record and into *test.
 */
void mesh_validate(struct job_test *test);

/*
 * After mesh_validate(): does the job's shape have more nodes than the job may have? For TEST_ONLY
 * only limits count that the site enforces at submission.
 */
bool mesh_validate_refuses(const struct job_test *test);

/* Has the job been validated, with a result in its SystemComment (maybe `mesh: none`)? */
bool mesh_validated(const job_record_t *job);

/*
 * Read the job's options that are in `allowed` (MESH_USER_... bits). There are none if a comment
 * of the job says `mesh: none`.
 */
void mesh_validate_options(const job_record_t *job, unsigned allowed, struct useroptions *asked);

/*
 * Does the job's shape have different numbers of nodes on different meshes? It then gets a whole
 * box of one mesh.
 */
bool mesh_validate_whole(const job_record_t *job);

/*
 * Has the shape on every mesh fewer nodes than the job wants, or is it a ring or line longer than
 * the job may be? Nobody can submit such a job, but scontrol update can make one of a job that
 * waits. Only another update helps it.
 */
bool mesh_validate_contradicts(const job_details_t *details, const struct mesh_shape *shape);

/*
 * Does the job count nodes of each feature (-C 'a*2')? The counts give it a size. slurmctld asks
 * about one feature at a time, and then about all those nodes together.
 */
bool mesh_validate_counts_features(const job_details_t *details);

#endif
