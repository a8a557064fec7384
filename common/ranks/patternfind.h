/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the pattern of traffic is called: ring, all-to-all; grid:AxBxC, with :27 where diagonal
 * neighbours count too and :torus where it is periodic (traffic_grid_parse()); tree (binomial),
 * hypercube (reductions to all), transposes (in rows and columns), hub (all with rank 0); or mix
 * where it is none of these.
 */
#ifndef MESH_PATTERNFIND_H
#define MESH_PATTERNFIND_H

#include "ranks/traffic.h"

enum { PATTERN_TEXT = 48 };

/*
 * The pattern of traffic, of which what the first `sent` ranks send is known. Nine tenths of what
 * is sent are between pairs of the pattern, and nine tenths of these pairs send. Sides of a grid,
 * of at most three, are in the order of MPI_Cart_create(), the last one fastest. O(n * sample) for
 * each way to write n as sides, of which all but the right ones end early.
 */
void patternfind(const struct traffic *traffic, int sent, char pattern[PATTERN_TEXT]);

/*
 * Make the pattern of `from` ranks one of `to` ranks: a grid gets sides that are as near to the
 * same proportions as can be, the others stay. -1: nothing can be said.
 */
int patternfind_scale(char pattern[PATTERN_TEXT], int from, int to);

/* What of it --mesh-pattern knows: ring, all-to-all, grid:AxBxC or mix. */
void patternfind_told(const char *pattern, char told[PATTERN_TEXT]);

#endif
