/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names the pattern of traffic: ring, all-to-all; grid:AxBxC, with :27 if diagonal neighbours
 * count too and :torus if it is periodic (traffic_grid_parse()); tree (binomial), hypercube
 * (reductions to all), transposes (in rows and columns), hub (all with rank 0); or mix: none of
 * these.
 */
#ifndef MESH_PATTERNFIND_H
#define MESH_PATTERNFIND_H

#include "ranks/traffic.h"

enum { PATTERN_TEXT = 48 };

/*
 * Find the pattern of traffic, of which the messages of the first `sent` ranks are known. Nine
 * tenths of what is sent must be between pairs of the pattern, and nine tenths of these pairs must
 * send. A grid has at most three sides, in the order of MPI_Cart_create(), the last one fastest.
 * O(n * sample) for each way to write n as sides, of which all but the right ones end early.
 */
void patternfind(const struct traffic *traffic, int sent, char pattern[PATTERN_TEXT]);

/*
 * Change the pattern of `from` ranks to one of `to` ranks: a grid gets sides of nearly the same
 * proportions, other patterns stay. -1: nothing can be said.
 */
int patternfind_scale(char pattern[PATTERN_TEXT], int from, int to);

/* Write what --mesh-pattern knows of it: ring, all-to-all, grid:AxBxC or mix. */
void patternfind_told(const char *pattern, char told[PATTERN_TEXT]);

#endif
