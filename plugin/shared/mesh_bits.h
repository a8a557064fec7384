/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks through Slurm's bitmaps word by word: bit_test() of each of 4,096 nodes would be a large
 * part of a decision. Every version of Slurm that we know keeps two words (magic, size) before the
 * bits; mesh_conf.c checks this against Slurm's own functions first. The last word may have bits
 * beyond the size: bit_not() inverts the whole word.
 */
#ifndef MESH_BITS_H
#define MESH_BITS_H

#include "compat/slurm_compat.h"

/* The first member of the set that is >= from, or -1. */
static inline int mesh_bits_next(const bitstr_t *set, int from)
{
	const uint64_t *word = (const uint64_t *)set + 2;
	int size = (int)((const int64_t *)set)[1];
	uint64_t bits;

	if (from >= size)
		return -1;
	bits = word[from >> 6] & UINT64_MAX << (from & 63);
	for (int i = from >> 6;; bits = word[i]) {
		if (bits) {
			int found = i * 64 + __builtin_ctzll(bits);

			return found < size ? found : -1;
		}
		if (++i >= (size + 63) / 64)
			return -1;
	}
}

/* Loop over the members i of the set, ascending. */
#define mesh_bits_each(i, set)                                                                  \
	for (int i = mesh_bits_next((set), 0); i >= 0; i = mesh_bits_next((set), i + 1))

#endif
