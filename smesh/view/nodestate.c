/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/nodestate.h"

#include <slurm/slurm.h>
#include <stdbool.h>

/* States in which a node need not answer: it is switched off, or being switched. */
static const uint32_t silent = NODE_STATE_POWERED_DOWN | NODE_STATE_POWERING_DOWN |
	NODE_STATE_POWERING_UP | NODE_STATE_POWER_UP;

/* States in which slurmctld gives no job to a node that is there. */
static const uint32_t closed = NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_MAINT |
	NODE_STATE_POWERING_DOWN | NODE_STATE_POWER_DOWN | NODE_STATE_POWER_DRAIN
#ifdef NODE_STATE_BLOCKED /* by a job that has its part of the topology to itself */
	| NODE_STATE_BLOCKED
#endif
	;

static bool is_there(uint32_t state)
{
	uint32_t base = state & NODE_STATE_BASE;

	return (base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED ||
		       base == NODE_STATE_MIXED) &&
		!(state & NODE_STATE_INVALID_REG) &&
		(!(state & NODE_STATE_NO_RESPOND) || state & silent);
}

enum node_state nodestate_of(uint32_t state)
{
	if (!is_there(state))
		return NODE_DOWN;
	/* A reboot that switches a node on for a job sets both flags. */
	if (state & NODE_STATE_REBOOT_ISSUED && !(state & NODE_STATE_POWERING_UP))
		return NODE_DRAINED;
	return state & closed ? NODE_DRAINED : NODE_UP;
}
