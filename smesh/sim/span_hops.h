/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMESH_SPAN_HOPS_H
#define SMESH_SPAN_HOPS_H

#include "decide/span.h"

/*
 * The hops between all pairs of the answer's nodes, by the graph that the meshes share. -1: some
 * mesh has no graph or another one, or memory is out.
 */
int64_t span_hops(const struct span *span);

#endif
