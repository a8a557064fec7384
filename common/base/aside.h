/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Work that may go on beside the caller's own: by a thread that the program has to spare. The core has
 * none; without one the work is done at once. What is given away must not touch what the caller goes on
 * with, so that every answer is the same either way.
 */
#ifndef MESH_ASIDE_H
#define MESH_ASIDE_H

#include <stddef.h>

struct mesh_aside {
	/* Begin work(data), one at a time; and wait for its end. */
	void (*begin)(struct mesh_aside *aside, void (*work)(void *data), void *data);
	void (*end)(struct mesh_aside *aside);
};

/* aside NULL: the work is done when this returns. */
static inline void aside_begin(struct mesh_aside *aside, void (*work)(void *data), void *data)
{
	if (aside)
		aside->begin(aside, work, data);
	else
		work(data);
}

static inline void aside_end(struct mesh_aside *aside)
{
	if (aside)
		aside->end(aside);
}

#endif
