/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What squeue says of a job that waits for a box.
 */
#ifndef MESH_REASON_H
#define MESH_REASON_H

#include "shared/mesh_request.h"

/*
 * After a WILL_RUN that rc is the answer of, with `want` as it was before: write `Waits for a box
 * of 4x2, about 2026-11-22T10:00:00` into the job's state_desc, or remove it. Backfill leaves it
 * there; slurmctld's main scheduler replaces it by a reason of its own when it tries the job, until
 * backfill comes by.
 */
void mesh_reason_tell(const struct job_test *test, const struct mesh_want *want, int rc);

#endif
