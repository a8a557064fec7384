/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The strategies that smesh and the tests have beside the core's: those of the papers, and some
 * for comparison.
 */
#include "conf/strategies.h"

#define STUDY(FAMILY) FAMILY(torus3d)

STRATEGIES_PAPERS(STRATEGIES_DECLARE)
STUDY(STRATEGIES_DECLARE)

const struct strategy_ops *const strategies_more[] = {
	STRATEGIES_PAPERS(STRATEGIES_ROW) STUDY(STRATEGIES_ROW) NULL};
