/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order of ranks for mpirun in a batch script. Open MPI's reads it from a host file, which is
 * in memory and lives as long as the script. For Hydra's mpiexec srun starts a proxy on each node,
 * and orders these.
 */
#ifndef MESH_SPANK_MPIRUN_H
#define MESH_SPANK_MPIRUN_H

#include "spank/spank_user.h"

/*
 * In srun: read from the script's host file, as Open MPI does. So it is known that the script's
 * order is in use.
 */
void spank_mpirun_take(void);

/* In slurmstepd, before the script: make its host file, empty. */
void spank_mpirun_make(void);

/*
 * In the script's process, before it becomes the script: tell mpirun the order of nodes, of
 * --mesh-ranks or (NULL) as implied. If it cannot be had, the user who asked is told. topology: the
 * path of topology.conf; NULL: only remove what an outer script was told.
 */
void spank_mpirun_order(struct spank_handle *spank, const char *ranks, const char *topology);

/*
 * In the process of a proxy of Hydra. The proxy takes SLURM_NODEID for its place in mpiexec's list
 * of nodes, whose ranks it starts. srun may have put the proxy's task on another node, so the
 * task's id is the right number.
 */
void spank_mpirun_number(struct spank_handle *spank);

/* In slurmstepd, when the script has ended well: has nothing read its host file? */
bool spank_mpirun_unread(struct spank_handle *spank);

#endif
