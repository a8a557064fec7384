/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shapes as text: AxBxC[:norotate][:torus][:fold][:chips][:anylinks], line:N or ring:N, and
 * these with :lanes=L; and with TYPE: before that, of meshes of that type only, sides in its chips.
 */
#ifndef MESH_SHAPE_H
#define MESH_SHAPE_H

#include <stddef.h>

#include "base/err.h"
#include "ask/strategy.h"

/* For --help. */
#define MESH_SHAPE_FORMS "AxBxC[:norotate][:torus][:fold][:chips][:anylinks]|line:N|ring:N[:lanes=L]"

/*
 * Read the sides AxBxC at *at, each 1 to INT16_MAX, into side[], and move *at behind them. How
 * many, 1 to MESH_MAX_DIMS; 0: there are none or too many. Untrusted text.
 */
int shape_sides(const char **at, int side[MESH_MAX_DIMS]);

/*
 * How long the name of a type is that is at text and has `end` behind it; 0: it is none. A letter,
 * then letters, digits, dots, dashes and underscores, below MESH_MAX_TYPE. Untrusted text.
 */
size_t shape_type(const char *text, char end);

/* Untrusted text. 0, or -1 with text; *shape is untouched then. */
int shape_parse(const char *text, struct mesh_shape *shape, struct mesh_err *err);

#endif
