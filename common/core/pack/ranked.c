/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pack/ranked.h"

int ranked_init(
	struct ranked *ranked, const struct mesh *mesh, int nranks, struct arena *arena)
{
	ranked->nranks = nranks;
	arena_array(arena, ranked->node, nranks);
	arena_array(arena, ranked->rank, mesh->nnodes);
	if (nodeset_get(&ranked->free, nranks, arena) ||
		nodeset_get(&ranked->seen, mesh->nnodes, arena))
		return -1;
	for (int i = 0; i < nranks; i++)
		ranked->node[i] = -1;
	return 0;
}

void ranked_read(struct ranked *ranked, const struct nodeset *free_nodes)
{
	for (int w = 0; w < nodeset_words(ranked->seen.n); w++) {
		uint64_t change = ranked->seen.word[w] ^ free_nodes->word[w];

		for (; change; change &= change - 1) {
			int rank = ranked->rank[64 * w + __builtin_ctzll(change)];

			ranked->free.word[rank >> 6] ^= UINT64_C(1) << (rank & 63);
		}
		ranked->seen.word[w] = free_nodes->word[w];
	}
}
