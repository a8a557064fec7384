/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When jobs will probably end: by their time limits, where users have set them, else by how long
 * their user's last jobs ran. For strategies to choose by; when a job is promised to start goes by
 * slurmctld's own ends alone.
 */
#ifndef MESH_EXPECT_H
#define MESH_EXPECT_H

#include "shared/mesh_conf.h"

/* A job has given up its nodes. */
void mesh_expect_note(const job_record_t *job);
/* The plugin is unloaded. */
void mesh_expect_fini(void);

/* Seconds that a job will run; 0 = not known. */
int64_t mesh_expect_run(const job_record_t *job);
/* When one that runs will end. */
time_t mesh_expect_end(const job_record_t *job, time_t now);

#endif
