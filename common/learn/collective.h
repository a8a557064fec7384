/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The messages that a rank sends in MPI's collectives, by the algorithms that libraries mostly
 * use. The functions are inline, as plugin/mpi is loaded into programs without a library of ours.
 */
#ifndef MESH_COLLECTIVE_H
#define MESH_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

struct collective {
	int rank, ranks; /* of the communicator */
	/* The caller's; called for each message. */
	void (*send)(void *data, int to, int64_t step, int64_t bytes);
	void *data;
};

/*
 * Steps of a program. Messages of one step are sent at the same time, as far as their sender can
 * know. A step is a round of an all-to-all (exchanges at a power of two are some of its rounds),
 * or all messages with one tag, as programs use one for each direction or phase. 0: neither.
 */
static inline int64_t collective_round(int ranks, int from, int to)
{
	return ranks & (ranks - 1) ? (to - from + ranks) % ranks : from ^ to;
}

static inline int64_t collective_tag(int tag)
{
	return (INT64_C(1) << 32) + tag;
}

static inline void collective_send(const struct collective *c, int to, int64_t bytes)
{
	if (to != c->rank)
		c->send(c->data, to, collective_round(c->ranks, c->rank, to), bytes);
}

/*
 * Broadcasts, and reductions (up): a binomial tree. A rank's parent lacks the lowest bit that is
 * set in the rank.
 */
static inline void collective_tree(const struct collective *c, int root, int64_t bytes, bool up)
{
	int me = (c->rank - root + c->ranks) % c->ranks;

	for (int bit = 1; bit < c->ranks; bit *= 2) {
		if (me & bit) {
			if (up)
				collective_send(c, (me - bit + root) % c->ranks, bytes);
			return;
		}
		if (!up && me + bit < c->ranks)
			collective_send(c, (me + bit + root) % c->ranks, bytes);
	}
}

/* Reductions to all ranks: exchanges at powers of two. */
static inline void collective_doubling(const struct collective *c, int64_t bytes)
{
	for (int bit = 1; bit < c->ranks; bit *= 2)
		if ((c->rank ^ bit) < c->ranks)
			collective_send(c, c->rank ^ bit, bytes);
}

/* Gathering of `bytes` from each rank to all: a ring. */
static inline void collective_ring(const struct collective *c, int64_t bytes)
{
	collective_send(c, (c->rank + 1) % c->ranks, bytes * (c->ranks - 1));
}

/* All to all, `bytes` to each. */
static inline void collective_each(const struct collective *c, int64_t bytes)
{
	for (int to = 0; to < c->ranks; to++)
		collective_send(c, to, bytes);
}

#endif
