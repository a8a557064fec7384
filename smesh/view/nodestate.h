/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm's state of a node, a base and flags (NODE_STATE_... of slurm.h), means for a job that
 * looks for nodes.
 */
#ifndef SMESH_NODESTATE_H
#define SMESH_NODESTATE_H

#include <stdint.h>

#include "view/picture.h"

/*
 * NODE_UP: slurmctld may give the node to a job, even if it is switched off or being switched on;
 * NODE_DRAINED: the node takes no job now, and may still run some; NODE_DOWN: it is not there.
 * Reservations are not considered.
 */
enum node_state nodestate_of(uint32_t state);

#endif
