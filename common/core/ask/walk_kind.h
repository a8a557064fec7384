/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The walks that a job may want in place of a box (walk.h).
 */
#ifndef MESH_WALK_KIND_H
#define MESH_WALK_KIND_H

enum walk_kind { WALK_NONE, WALK_LINE, WALK_RING };

#endif
