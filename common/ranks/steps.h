/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Steps: messages that are sent at the same time. A rank cannot know what others do, but programs
 * do the same on all ranks. So a step is named by its first message since the rank last waited:
 * by its tag, and whether it goes to the first rank that got such a message, the second... In
 * collectives it is the round. Inline, as plugin/mpi is loaded into programs without a library of
 * ours.
 */
#ifndef MESH_STEPS_H
#define MESH_STEPS_H

#include <stdbool.h>
#include <stdint.h>

/* Names of steps: rounds of collectives are below. MOST: that are told apart. EAGER: bytes from
 * which MPI_Send() waits. */
enum { STEPS_FIRST = 1 << 22, STEPS_MOST = 32, STEPS_EAGER = 1 << 16 };

/* Of a rank; zeroed at first. */
struct steps {
	int64_t now; /* 0: it has sent nothing since it waited */
	int n;
	struct {
		int tag, to;
		int64_t name;
	} first[STEPS_MOST];
};

static inline int64_t steps_begin(struct steps *s, int tag, int to)
{
	int before = 0;

	for (int i = 0; i < s->n; i++) {
		if (s->first[i].tag == tag && s->first[i].to == to)
			return s->first[i].name;
		before += s->first[i].tag == tag;
	}
	if (s->n == STEPS_MOST)
		return STEPS_FIRST;
	s->first[s->n].tag = tag;
	s->first[s->n].to = to;
	return s->first[s->n++].name =
		       STEPS_FIRST + 1 + (int64_t)(unsigned)tag * STEPS_MOST + before;
}

/* The step of a message. */
static inline int64_t steps_send(struct steps *s, int tag, int to)
{
	if (!s->now)
		s->now = steps_begin(s, tag, to);
	return s->now;
}

/* The rank waits. */
static inline void steps_wait(struct steps *s)
{
	s->now = 0;
}

/* The round of an all-to-all of so many ranks, or of an exchange at a power of two. */
static inline int64_t steps_round(int ranks, int from, int to)
{
	return ranks & (ranks - 1) ? (to - from + ranks) % ranks : from ^ to;
}

#endif
