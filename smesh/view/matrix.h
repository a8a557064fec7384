/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture of who sends whom: a square of blocks of ranks, the darker the more is sent.
 */
#ifndef SMESH_MATRIX_H
#define SMESH_MATRIX_H

#include <stdio.h>

#include "ranks/traffic.h"

/* In letters, at most 32 blocks a side. -1: memory is out. */
int matrix_text(const struct traffic *traffic, FILE *file);

/* As an SVG document, at most 64 blocks a side. -1: memory is out. */
int matrix_svg(const struct traffic *traffic, const char *title, FILE *file);

#endif
