/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This folder as a shared object, mesh_strategies_papers.so.
 */
#include "ask/extras.h"
#include "conf/strategies.h"
#include "config.h"
#include "boxes/contiguous.h"
#include "cables/span_cables.h"
#include "cables/snug_cables.h"
#include "decide/span.h"
#include "walk/walks.h"

STRATEGIES_PAPERS(STRATEGIES_DECLARE)

static const struct strategy_ops *const families[] = {STRATEGIES_PAPERS(STRATEGIES_ROW) NULL};

extern const struct strategy_library mesh_strategies;
__attribute__((visibility("default"))) const struct strategy_library mesh_strategies = {
	STRATEGY_LIBRARY_STAMP, families};

__attribute__((visibility("default"))) const struct extras mesh_extras = {
	.boxes_init = contiguous_init_box,
	.boxes_decide = contiguous_decide,
	.boxplan_shape_nodes = boxplan_shape_nodes,
	.walks_decide = walks_decide,
	.walks_order = walks_order,
	.snug_cables = &snug_cables,
	.span_cables = span_cables,
	.span_sizes = EXTRAS_SPAN_SIZES,
};
