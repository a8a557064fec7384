/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job over meshes that extra cables join.
 */
#ifndef MESH_SPAN_CABLES_H
#define MESH_SPAN_CABLES_H

#include "decide/span.h"

/*
 * Place the job on the nodes of the graph's meshes that are nearest to each other by the cables.
 * Each mesh's count is 0 before. False: there are too few that are joined. Allocates; false also
 * when memory is out.
 */
bool span_cables(struct span *span, struct linkgraph *graph, int count);

#endif
