/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The walks that a job may want in place of a box (walk/walk.h).
 */
#ifndef MESH_WALK_KIND_H
#define MESH_WALK_KIND_H

#include <stddef.h>

enum walk_kind { WALK_NONE, WALK_LINE, WALK_RING };

/* "" for WALK_NONE, "line", "ring"; NULL past the last. */
static inline const char *walk_name(enum walk_kind kind)
{
	static const char *const name[] = {"", "line", "ring"};

	return kind <= WALK_RING ? name[kind] : NULL;
}

#endif
