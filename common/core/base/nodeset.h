/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of numbers 0..n-1 (nodes, or vertices) as bitmaps of 64-bit words. Bits at n and above are
 * always 0, so whole words can be counted.
 */
#ifndef MESH_NODESET_H
#define MESH_NODESET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct nodeset {
	int n;		/* members are 0..n-1 */
	uint64_t *word; /* nodeset_words(n) words */
};

static inline int nodeset_words(int n)
{
	return (n + 63) / 64;
}

/* An empty set over 0..n-1 (n >= 0). 0, or -1 when memory is out. */
int nodeset_init(struct nodeset *set, int n);
/* The same with memory of an arena, which frees it. */
int nodeset_get(struct nodeset *set, int n, struct arena *arena);
/* Free what the set holds; a zeroed struct is fine. */
void nodeset_release(struct nodeset *set);

/* Make the set empty; make it 0..n-1. */
void nodeset_clear_all(struct nodeset *set);
void nodeset_set_all(struct nodeset *set);
/* to = from; to &= with; to |= with; to &= ~what. Both sets have the same n, here and below. */
void nodeset_copy(struct nodeset *to, const struct nodeset *from);
void nodeset_and(struct nodeset *to, const struct nodeset *with);
void nodeset_or(struct nodeset *to, const struct nodeset *with);
void nodeset_remove(struct nodeset *to, const struct nodeset *what);

int nodeset_count(const struct nodeset *set);
bool nodeset_subset(const struct nodeset *part, const struct nodeset *whole);
bool nodeset_equal(const struct nodeset *a, const struct nodeset *b);
/* The smallest member >= from, or -1. */
int nodeset_next(const struct nodeset *set, int from);
/* Write all members, ascending, to member[] (room for n). Returns how many. */
int nodeset_members(const struct nodeset *set, int *member);

static inline bool nodeset_has(const struct nodeset *set, int i)
{
	return set->word[i >> 6] >> (i & 63) & 1;
}

static inline void nodeset_add(struct nodeset *set, int i)
{
	set->word[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline void nodeset_del(struct nodeset *set, int i)
{
	set->word[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

/* The bits of word w that stand for from..from+count-1. */
static inline uint64_t nodeset_range(int from, int count, int w)
{
	int low = from - w * 64, high = from + count - w * 64;
	uint64_t mask = low >= 64 ? 0 : low > 0 ? ~UINT64_C(0) << low : ~UINT64_C(0);

	return high >= 64 ? mask : high > 0 ? mask & ((UINT64_C(1) << high) - 1) : 0;
}

/* Remove from..from+count-1; count >= 1. */
static inline void nodeset_del_range(struct nodeset *set, int from, int count)
{
	for (int w = from >> 6; w <= (from + count - 1) >> 6; w++)
		set->word[w] &= ~nodeset_range(from, count, w);
}

/* Loop over the members i, ascending. */
#define nodeset_each(i, set) \
	for (int i = nodeset_next((set), 0); i >= 0; i = nodeset_next((set), i + 1))

#endif
