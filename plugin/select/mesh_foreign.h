/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Topology plugins that place jobs by rules of their own, whatever nodes they are offered.
 */
#ifndef MESH_FOREIGN_H
#define MESH_FOREIGN_H

#include "compat/slurm_compat.h"

/*
 * Does one place the jobs of the partition (torus3d, block or ring; of the cluster, before 25.05)?
 * Told once for each topology. What we narrowed it would refuse, and a question about all nodes it
 * would not understand.
 */
bool mesh_foreign(const part_record_t *part);

#endif
