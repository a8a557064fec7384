/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The largest box of free vertices: what room is left for the largest job that wants one. Boxes
 * go around rings. A vertex is free when all of its nodes are.
 */
#ifndef SIM_FREEBOX_H
#define SIM_FREEBOX_H

#include "base/mesh.h"
#include "base/nodeset.h"

struct freebox;

/* NULL when memory is out. O(vertices * dimensions / 64) words, which the arena frees. */
struct freebox *freebox_new(const struct mesh *mesh, struct arena *arena);

/*
 * Vertices in it, 0 when none is free. Looks at intervals of the last dimension, the planes of
 * each cut with each other, and so on down to rows, as long as what is left could hold more than
 * the best: on random 16x16x16 states some ten microseconds, O(product of squared sides) at worst.
 */
int freebox_largest(struct freebox *box, const struct nodeset *free_nodes);

#endif
