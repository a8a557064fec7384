/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shapes as text: AxBxC[:norotate][:torus][:fold][:chips].
 */
#ifndef MESH_SHAPE_H
#define MESH_SHAPE_H

#include "base/err.h"
#include "strategy/strategy.h"

/*
 * AxBxC at *at, which goes behind it: side[], each of 1 to INT16_MAX. How many; 0: there is no such
 * thing. Untrusted text.
 */
int shape_sides(const char **at, int side[MESH_MAX_DIMS]);

/* Untrusted text. 0, or -1 with text; *shape is untouched then. */
int shape_parse(const char *text, struct mesh_shape *shape, struct mesh_err *err);

#endif
