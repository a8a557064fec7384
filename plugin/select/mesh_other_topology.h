/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Topology plugins that place jobs by rules of their own, whatever nodes they are offered.
 */
#ifndef MESH_OTHER_TOPOLOGY_H
#define MESH_OTHER_TOPOLOGY_H

#include "compat/slurm_compat.h"

/*
 * Does such a plugin (torus3d, block or ring) place the jobs of the partition, or before 25.05 of
 * the cluster? Then nothing may be narrowed: it would refuse our choice, and questions about all
 * nodes at once make no sense to it. Logged once for each topology.
 */
bool mesh_other_topology(const part_record_t *part);

#endif
