/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Strategies to compare with, which slurmctld does not load.
 */
#include <stddef.h>

#include "strategies/strategies.h"

extern const struct strategy_ops strategy_torus3d_family[];

const struct strategy_ops *const strategies_more[] = {
	strategy_torus3d_family,
	NULL,
};
