/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What slurmctld tells a job that starts of its map, as nothing but its plugin knows where nodes
 * are: places.h has the form.
 */
#ifndef MESH_TELL_H
#define MESH_TELL_H

#include "compat/slurm_compat.h"

/*
 * Write it into the environment of a job that gets these nodes, in the place of what an earlier try
 * wrote. O(nodes). Under the locks of a decision.
 */
void mesh_tell(job_record_t *job, bitstr_t *nodes);

#endif
