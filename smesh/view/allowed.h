/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which nodes of a mesh a job may have, as far as slurmctld tells: those of its partitions and
 * reservation; not those of other reservations that begin before the job would end; with the CPUs,
 * memory and features that it asks for; and none that it excludes. Features with | or counts, GRES
 * and licences are not considered.
 */
#ifndef SMESH_ALLOWED_H
#define SMESH_ALLOWED_H

#include <errno.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "base/err.h"
#include "base/mesh.h"
#include "base/nodeset.h"

/* -1, with a text about what slurmctld did not tell. */
#define allowed_not_told(err, what) \
	err_printf(err, "cannot ask slurmctld for " what ": %s", slurm_strerror(errno))

struct allowed {
	const struct mesh *mesh;
	struct arena *arena;
	partition_info_msg_t *parts;
	reserve_info_msg_t *resvs;
	struct nodeset *of_part, *of_resv; /* [record_count of each] */
	const node_info_t **node; /* [nnodes] NULL: slurmctld does not know the node */
};

/*
 * Ask slurmctld for partitions and reservations. nodes, the arena and the mesh are borrowed. 0, or
 * -1 with text. Call allowed_release() in any case.
 */
int allowed_load(struct allowed *allowed, const node_info_msg_t *nodes, struct mesh_err *err);
void allowed_release(struct allowed *allowed);

/*
 * Set may and must, new sets of the arena, for a job; must has no words if it requires none. 0, or
 * -1 with text: not a host list.
 */
int allowed_job(const struct allowed *allowed, const slurm_job_info_t *job, struct nodeset *may,
	struct nodeset *must, struct mesh_err *err);

#endif
