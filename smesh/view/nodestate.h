/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's state of a node, a base and flags (NODE_STATE_... of slurm.h), as what it means for a job
 * that looks for nodes.
 */
#ifndef MAP_NODESTATE_H
#define MAP_NODESTATE_H

#include <stdint.h>

#include "view/picture.h"

/*
 * NODE_UP: slurmctld may give it to a job, also one that is switched off or being switched on for
 * that; NODE_DRAINED: it takes no job now, and may still run some; NODE_DOWN: it is not there. What
 * reservations keep is not asked here.
 */
enum node_state nodestate_of(uint32_t state);

#endif
