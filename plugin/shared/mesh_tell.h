/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tells a job that starts where its nodes are on slurmctld's map. Only slurmctld's plugin knows
 * the places of dynamic nodes. places.h describes the text.
 */
#ifndef MESH_TELL_H
#define MESH_TELL_H

#include "compat/slurm_compat.h"

/*
 * Write the text into the environment of a job that gets these nodes, and replace that of an
 * earlier try. O(nodes). Under the locks of a decision.
 */
void mesh_tell(job_record_t *job, bitstr_t *nodes);

#endif
