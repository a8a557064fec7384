/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture of who sends whom: a square of at most 32 x 32 blocks of ranks, the darker the more is
 * sent.
 */
#ifndef SMESH_MATRIX_H
#define SMESH_MATRIX_H

#include <stdio.h>

#include "ranks/traffic.h"

void matrix_text(const struct traffic *traffic, FILE *file);

#endif
