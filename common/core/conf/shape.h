/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shapes as text: AxBxC[:norotate][:torus][:fold][:chips][:anylinks], line:N or ring:N, the last
 * two also with :lanes=L. With TYPE: before a shape only meshes of that type count, and sides are
 * in its chips.
 */
#ifndef MESH_SHAPE_H
#define MESH_SHAPE_H

#include "ask/mesh_shape.h"

/* For --help. */
#define MESH_SHAPE_FORMS \
	"AxBxC[:norotate][:torus][:fold][:chips][:anylinks]|line:N|ring:N[:lanes=L]"

/*
 * Parse sides AxBxC at *at, each 1 to INT16_MAX, into side[], and move *at behind them. Returns
 * how many, 1 to MESH_MAX_DIMS; 0: none, or too many. Untrusted text.
 */
int shape_sides(const char **at, int side[MESH_MAX_DIMS]);

/*
 * The length of a type's name at text that `end` follows; 0: there is none. A letter, then
 * letters, digits, dots, dashes and underscores, below MESH_MAX_TYPE. Untrusted text.
 */
size_t shape_type(const char *text, char end);

/* Parse a shape. 0, or -1 with text and *shape unchanged. Untrusted text. */
int shape_parse(const char *text, struct mesh_shape *shape, struct mesh_err *err);

#endif
