/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * snug on a cabled machine: of the sets of cables/graphfind.h it takes the one with the least
 * price. Of sets that are equally near (or hardly less, for a ring or a grid of ranks) that is the
 * one on which the job would communicate for the shortest time.
 */
#ifndef MESH_SNUG_CABLES_H
#define MESH_SNUG_CABLES_H

#include "ask/strategy.h"

/* For strategy_snug.c alone: no row of the table. */
extern const struct strategy_ops snug_cables;

#endif
