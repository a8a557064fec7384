/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What ranks send each other, as --mesh-pattern has it: ring, grid:AxBxC, all-to-all, or mix where
 * it is none of these.
 */
#ifndef MESH_PATTERNFIND_H
#define MESH_PATTERNFIND_H

#include "ranks/traffic.h"

enum { PATTERN_TEXT = 48 };

/*
 * The pattern of traffic, of which what the first `sent` ranks send is known. Sides of a grid are
 * in the order of MPI_Cart_create(), the side along which ranks are next to each other last, if
 * they are so numbered.
 */
void patternfind(const struct traffic *traffic, int sent, char pattern[PATTERN_TEXT]);

/*
 * Make the pattern of `from` ranks one of `to` ranks: a grid gets sides that are as near to the
 * same proportions as can be, the others stay. -1: nothing can be said.
 */
int patternfind_scale(char pattern[PATTERN_TEXT], int from, int to);

#endif
