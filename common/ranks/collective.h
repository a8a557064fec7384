/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The messages that a rank sends in MPI's collectives, by the algorithms that libraries mostly
 * take. Inline, as plugin/mpi is loaded into programs without a library of ours.
 */
#ifndef MESH_COLLECTIVE_H
#define MESH_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

struct collective {
	int rank, ranks; /* of the communicator */
	void (*send)(void *data, int to, int64_t bytes); /* called for each message */
	void *data;
};

/* Broadcasts, and reductions (up): a binomial tree, in which a rank's parent lacks the lowest bit
 * that is set. */
static inline void collective_tree(const struct collective *c, int root, int64_t bytes, bool up)
{
	int me = (c->rank - root + c->ranks) % c->ranks;

	for (int bit = 1; bit < c->ranks; bit *= 2) {
		if (me & bit) {
			if (up)
				c->send(c->data, (me - bit + root) % c->ranks, bytes);
			return;
		}
		if (!up && me + bit < c->ranks)
			c->send(c->data, (me + bit + root) % c->ranks, bytes);
	}
}

/* Reductions to all: exchanges at powers of two. */
static inline void collective_doubling(const struct collective *c, int64_t bytes)
{
	for (int bit = 1; bit < c->ranks; bit *= 2)
		if ((c->rank ^ bit) < c->ranks)
			c->send(c->data, c->rank ^ bit, bytes);
}

/* Gathering to all, of so many bytes each: a ring. */
static inline void collective_ring(const struct collective *c, int64_t bytes)
{
	if (c->ranks > 1)
		c->send(c->data, (c->rank + 1) % c->ranks, bytes * (c->ranks - 1));
}

/* All to all. */
static inline void collective_each(const struct collective *c, int64_t bytes)
{
	for (int to = 0; to < c->ranks; to++)
		if (to != c->rank)
			c->send(c->data, to, bytes);
}

#endif
