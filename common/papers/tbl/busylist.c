/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tbl/busylist.h"

#include <stdlib.h>
#include <string.h>

int busylist_init(struct busylist *list, const struct bitbox *bits, struct arena *arena)
{
	const struct mesh *mesh = bits->mesh;

	*list = (struct busylist){.bits = bits,
		.room = mesh->nvertices < BUSYLIST_MAX ? mesh->nvertices : BUSYLIST_MAX};
	arena_array(arena, list->box, list->room);
	arena_array(arena, list->left, bits->words);
	arena_array(arena, list->mine, bits->words);
	if (!arena_array(arena, list->valid, bits->words))
		return -1;
	for (int v = 0; v < mesh->nvertices; v++)
		bitbox_set(list->valid, bitbox_vertex(bits, v));
	return 0;
}

/* ---- boxes in a bitmap ---- */

static bool all_set(const uint64_t *word, int from, int count)
{
	for (int w = from >> 6; w <= (from + count - 1) >> 6; w++)
		if (nodeset_range(from, count, w) & ~word[w])
			return false;
	return true;
}

/* Go from row to row of a box, in dimensions 1 to `top`; false at the end. */
static bool next_row(const struct mesh_box *box, int top, int *coord)
{
	for (int d = 1; d <= top; d++) {
		if (++coord[d] < box_end(box, d))
			return true;
		coord[d] = box->base[d];
	}
	return false;
}

static bool box_all_set(const struct bitbox *bits, const uint64_t *word,
	const struct mesh_box *box)
{
	int coord[MESH_MAX_DIMS];

	memcpy(coord, box->base, sizeof(coord));
	do
		if (!all_set(word, bitbox_bit(bits, coord), box->side[0]))
			return false;
	while (next_row(box, bits->mesh->ndims - 1, coord));
	return true;
}

static void box_clear(const struct bitbox *bits, uint64_t *word, const struct mesh_box *box)
{
	struct nodeset set = {bits->words * 64, word};
	int coord[MESH_MAX_DIMS];

	memcpy(coord, box->base, sizeof(coord));
	do
		nodeset_del_range(&set, bitbox_bit(bits, coord), box->side[0]);
	while (next_row(box, bits->mesh->ndims - 1, coord));
}

/* Grow a box from one set bit, as far as possible in each dimension in turn. */
static void grow(const struct bitbox *bits, const uint64_t *word, int bit, struct mesh_box *box)
{
	int coord[MESH_MAX_DIMS];

	bitbox_coord(bits, bit, coord);
	*box = box_at(bits->mesh->ndims, coord, NULL);
	for (int d = 0; d < bits->mesh->ndims; d++) {
		struct mesh_box slab = *box;

		while (++slab.base[d] < bits->mesh->side[d] && box_all_set(bits, word, &slab))
			box->side[d]++;
	}
}

static void add(struct busylist *list, const struct mesh_box *box)
{
	if (list->count < list->room)
		list->box[list->count++] = *box;
	else
		list->full = true;
	box_clear(list->bits, list->left, box);
}

/* Make boxes of all that is set in word[]. */
static void add_all(struct busylist *list, uint64_t *word)
{
	for (int w = 0; w < list->bits->words && !list->full; w++)
		while (word[w] && !list->full) {
			struct mesh_box box;

			grow(list->bits, word, w * 64 + __builtin_ctzll(word[w]), &box);
			add(list, &box);
			box_clear(list->bits, word, &box);
		}
}

/*
 * The box of a job, from its first and last node alone. It is right if it has as many vertices as
 * the job could fill, and all of them are busy and in no other box. (If the job is something else
 * after all, the rest of it stays `left`, and the list is complete.)
 */
static bool job_box(const struct busylist *list, const struct mesh_run *run, struct mesh_box *box)
{
	const struct mesh *mesh = list->bits->mesh;
	const int16_t *first = mesh->coord[mesh->vertex_of[run->node[0]]];
	const int16_t *last = mesh->coord[mesh->vertex_of[run->node[run->count - 1]]];
	int64_t volume = 1;

	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		if (first[d] > last[d])
			return false;
		box->base[d] = first[d];
		box->side[d] = last[d] - first[d] + 1;
		volume *= box->side[d];
	}
	return volume * mesh->nodes_per_vertex == run->count &&
		box_all_set(list->bits, list->left, box);
}

static void add_job(struct busylist *list, const struct mesh_run *run)
{
	const struct bitbox *bits = list->bits;
	struct mesh_box box;

	if (run->count && job_box(list, run, &box)) {
		add(list, &box);
		return;
	}
	memset(list->mine, 0, (size_t)bits->words * sizeof(uint64_t));
	for (int i = 0; i < run->count; i++) {
		int bit = bitbox_vertex(bits, bits->mesh->vertex_of[run->node[i]]);

		list->mine[bit >> 6] |= list->left[bit >> 6] & UINT64_C(1) << (bit & 63);
	}
	add_all(list, list->mine);
}

void busylist_load(struct busylist *list, const struct mesh_state *state)
{
	list->count = 0;
	list->full = false;
	for (int w = 0; w < list->bits->words; w++)
		list->left[w] = list->valid[w] & ~list->bits->free[w];
	for (int i = 0; i < state->nruns && !list->full; i++)
		add_job(list, &state->run[i]);
	add_all(list, list->left);
}
