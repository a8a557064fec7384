/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The scratch memory of strategies that work on the busy list: the list and the prohibited regions.
 * Their own scratch is a struct that begins with a struct busyscratch.
 */
#ifndef MESH_BUSYSCRATCH_H
#define MESH_BUSYSCRATCH_H

#include <stddef.h>

#include "boxes/busylist.h"
#include "boxes/contiguous.h"
#include "boxes/prohibited.h"

struct busyscratch {
	struct busylist list;
	struct prohibited prohibited;
};

/* Make c->own a zeroed struct of `size` bytes, its beginning ready for use. 0, or -1 when memory is
 * out. */
int busyscratch_init(struct contiguous *c, size_t size);
/* The members release and load of a struct contiguous_ops. */
void busyscratch_release(struct contiguous *c);
void busyscratch_load(struct contiguous *c, const struct mesh_state *state,
	const struct mesh_request *request);

#endif
