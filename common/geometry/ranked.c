/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/ranked.h"

#include <stdlib.h>

int ranked_init(struct ranked *ranked, const struct mesh *mesh, int nranks)
{
	ranked->nranks = nranks;
	ranked->node = malloc((size_t)nranks * sizeof(*ranked->node));
	ranked->rank = malloc((size_t)mesh->nnodes * sizeof(*ranked->rank));
	if (!ranked->node || !ranked->rank || nodeset_init(&ranked->free, nranks) ||
		nodeset_init(&ranked->seen, mesh->nnodes))
		return -1;
	for (int i = 0; i < nranks; i++)
		ranked->node[i] = -1;
	return 0;
}

void ranked_release(struct ranked *ranked)
{
	free(ranked->node);
	free(ranked->rank);
	nodeset_release(&ranked->free);
	nodeset_release(&ranked->seen);
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
