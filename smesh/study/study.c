/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What smesh and the tests have beside the core's strategies: those of the papers, some for
 * comparison, and extras.
 */
#include "conf/strategies.h"

#define STUDY(FAMILY) FAMILY(torus3d)

STRATEGIES_PAPERS(STRATEGIES_DECLARE)
STUDY(STRATEGIES_DECLARE)

const struct strategy_ops *const strategies_more[] = {
	STRATEGIES_PAPERS(STRATEGIES_ROW) STUDY(STRATEGIES_ROW) NULL};

const struct extras *extras(struct mesh_err *err)
{
	(void)err;
	return &mesh_extras;
}
