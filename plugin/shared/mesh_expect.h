/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When jobs will probably end: by the time limit, if the user has set one, else by how long the
 * user's last jobs ran (mesh_learn=, runtimes.h). Strategies choose by that; promised start times
 * go by slurmctld's own end times alone. What has been learnt is lost when slurmctld restarts.
 */
#ifndef MESH_EXPECT_H
#define MESH_EXPECT_H

#include "shared/mesh_conf.h"

/* Learn from a job that has given up its nodes. */
void mesh_expect_note(const job_record_t *job);
/* The plugin is unloaded. */
void mesh_expect_fini(void);

/* Seconds that a job will run; 0 = not known. */
int64_t mesh_expect_run(const job_record_t *job);
/* When a running job will end, slurmctld's end time at the latest. */
time_t mesh_expect_end(const job_record_t *job, time_t now);

#endif
