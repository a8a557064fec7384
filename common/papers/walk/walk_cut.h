/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Proofs that there is no walk of some length: by points with one link, and by cuts.
 */
#ifndef MESH_WALK_CUT_H
#define MESH_WALK_CUT_H

#include "walk/walk_graph.h"

/*
 * Is it proved that the graph has no such walk? True with text. Cuts of up to three points are
 * tried, while their number times that of the links is below some millions.
 */
bool walk_cut(const struct walk_graph *g, enum walk_kind kind, int length, struct mesh_err *err);

#endif
