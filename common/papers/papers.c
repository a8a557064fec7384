/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This folder, and lines and rings, as a shared object, mesh_strategies_papers.so.
 */
#include "conf/strategies.h"
#include "config.h"
#include "walk/walks.h"

STRATEGIES_PAPERS(STRATEGIES_DECLARE)

static const struct strategy_ops *const families[] = {STRATEGIES_PAPERS(STRATEGIES_ROW) NULL};

extern const struct strategy_library mesh_strategies;
__attribute__((visibility("default"))) const struct strategy_library mesh_strategies = {
	STRATEGY_LIBRARY_STAMP, families};

extern const struct extras mesh_extras;
__attribute__((visibility("default"))) const struct extras mesh_extras = {WALKS_EXTRAS};
