/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the recognisers on the busy list have in common: the list and the prohibited regions.
 * Their scratch is a struct that begins with a struct busyscratch.
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

/* A zeroed struct of `size` bytes into c->own. 0, or -1 when memory is out. */
int busyscratch_init(struct contiguous *c, size_t size);
/* For contiguous_ops. */
void busyscratch_release(struct contiguous *c);
void busyscratch_load(struct contiguous *c, const struct mesh_state *state,
	const struct mesh_request *request);

#endif
