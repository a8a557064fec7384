/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nodeset.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes(const struct nodeset *set)
{
	return (size_t)nodeset_words(set->n) * sizeof(*set->word);
}

int nodeset_init(struct nodeset *set, int n)
{
	set->n = n;
	/* One word even for n = 0, so that a set always has an array. */
	set->word = calloc((size_t)nodeset_words(n) + !n, sizeof(*set->word));
	return set->word ? 0 : -1;
}

int nodeset_get(struct nodeset *set, int n, struct arena *arena)
{
	set->n = n;
	return arena_array(arena, set->word, nodeset_words(n) + !n) ? 0 : -1;
}

void nodeset_release(struct nodeset *set)
{
	free(set->word);
	set->word = NULL;
	set->n = 0;
}

void nodeset_clear_all(struct nodeset *set)
{
	memset(set->word, 0, bytes(set));
}

void nodeset_set_all(struct nodeset *set)
{
	memset(set->word, 0xff, bytes(set));
	if (set->n & 63)
		set->word[set->n >> 6] = (UINT64_C(1) << (set->n & 63)) - 1;
}

void nodeset_copy(struct nodeset *to, const struct nodeset *from)
{
	memcpy(to->word, from->word, bytes(to));
}

void nodeset_and(struct nodeset *to, const struct nodeset *with)
{
	for (int w = 0; w < nodeset_words(to->n); w++)
		to->word[w] &= with->word[w];
}

void nodeset_or(struct nodeset *to, const struct nodeset *with)
{
	for (int w = 0; w < nodeset_words(to->n); w++)
		to->word[w] |= with->word[w];
}

void nodeset_remove(struct nodeset *to, const struct nodeset *what)
{
	for (int w = 0; w < nodeset_words(to->n); w++)
		to->word[w] &= ~what->word[w];
}

/* Count the bits of each byte, without an instruction that not every machine has. */
static inline uint64_t byte_counts(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	return (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* Bytes of up to 31 words are added before one can overflow: such a loop vectorises. */
int nodeset_count(const struct nodeset *set)
{
	int words = nodeset_words(set->n), count = 0;

	for (int w = 0; w < words;) {
		int end = w + 31 < words ? w + 31 : words;
		uint64_t bytes = 0;

		for (; w < end; w++)
			bytes += byte_counts(set->word[w]);
		bytes = (bytes & UINT64_C(0x00ff00ff00ff00ff)) +
			(bytes >> 8 & UINT64_C(0x00ff00ff00ff00ff));
		count += (int)(bytes * UINT64_C(0x0001000100010001) >> 48);
	}
	return count;
}

bool nodeset_subset(const struct nodeset *part, const struct nodeset *whole)
{
	for (int w = 0; w < nodeset_words(part->n); w++)
		if (part->word[w] & ~whole->word[w])
			return false;
	return true;
}

bool nodeset_equal(const struct nodeset *a, const struct nodeset *b)
{
	return a->n == b->n && !memcmp(a->word, b->word, bytes(a));
}

int nodeset_next(const struct nodeset *set, int from)
{
	if (from >= set->n)
		return -1;
	int w = from >> 6;
	uint64_t word = set->word[w] & (~UINT64_C(0) << (from & 63));

	while (!word) {
		if (++w >= nodeset_words(set->n))
			return -1;
		word = set->word[w];
	}
	return w * 64 + __builtin_ctzll(word);
}

int nodeset_members(const struct nodeset *set, int *member)
{
	int count = 0;

	for (int w = 0; w < nodeset_words(set->n); w++)
		for (uint64_t word = set->word[w]; word; word &= word - 1)
			member[count++] = w * 64 + __builtin_ctzll(word);
	return count;
}
