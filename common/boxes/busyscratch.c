/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/busyscratch.h"

#include <stdlib.h>

int busyscratch_init(struct contiguous *c, size_t size)
{
	struct busyscratch *s = calloc(1, size);

	c->own = s;
	if (!s || busylist_init(&s->list, &c->bits))
		return -1;
	return prohibited_init(&s->prohibited, c->mesh, &s->list);
}

void busyscratch_release(struct contiguous *c)
{
	struct busyscratch *s = c->own;

	if (s) {
		busylist_release(&s->list);
		prohibited_release(&s->prohibited);
	}
	free(s);
}

void busyscratch_load(struct contiguous *c, const struct mesh_state *state,
	const struct mesh_request *request)
{
	(void)request;
	struct busyscratch *s = c->own;

	busylist_load(&s->list, state);
}
