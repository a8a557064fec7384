/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bitbox.h"

#include <stdlib.h>
#include <string.h>

/* To a power of two inside a word, to whole words above. */
static int padded(int bits)
{
	int room = 1;

	if (bits > 64)
		return (bits + 63) / 64 * 64;
	while (room < bits)
		room *= 2;
	return room;
}

static void set_layout(struct bitbox *b)
{
	const struct mesh *mesh = b->mesh;
	int bits = 1, vertices = 1;

	for (int d = 0; d < mesh->ndims; d++) {
		b->stride[d] = bits;
		bits *= mesh->side[d];
		/* Consecutive as long as nothing has been padded. */
		if (bits == vertices * mesh->side[d])
			b->chunk = bits;
		vertices *= mesh->side[d];
		bits = padded(bits);
		b->block[d] = bits;
	}
	b->words = (bits + 63) / 64;
}

static bool in_word(const struct bitbox *b, int d)
{
	return b->block[d] <= 64;
}

/* For each limit the bits of a word whose coordinate along d is below it. */
static int make_masks(struct bitbox *b, int d)
{
	int side = b->mesh->side[d];

	b->below[d] = calloc((size_t)side + 1, sizeof(uint64_t));
	if (!b->below[d])
		return -1;
	for (int limit = 1; limit <= side; limit++)
		for (int bit = 0; bit < 64; bit++)
			if (bit % b->block[d] / b->stride[d] < limit)
				b->below[d][limit] |= UINT64_C(1) << bit;
	return 0;
}

static int vertex_bit(const struct bitbox *b, int v)
{
	int bit = 0;

	for (int d = 0; d < b->mesh->ndims; d++)
		bit += b->mesh->coord[v][d] * b->stride[d];
	return bit;
}

static void find_whole(struct bitbox *b)
{
	const struct mesh *mesh = b->mesh;

	b->straight = mesh->nodes_per_vertex == 1 && mesh->nnodes == mesh->nvertices;
	for (int v = 0; v < mesh->nvertices; v++) {
		int bit = vertex_bit(b, v);

		if (mesh_nodes_on(mesh, v) == mesh->nodes_per_vertex)
			b->whole[bit >> 6] |= UINT64_C(1) << (bit & 63);
		b->straight &= mesh->node_at[v < mesh->nnodes ? v : 0] == v;
	}
}

static uint64_t *new_words(int words)
{
	return calloc((size_t)words, sizeof(uint64_t));
}

static int init_dim(struct bitbox *b, int d)
{
	if (in_word(b, d) && make_masks(b, d))
		return -1;
	b->allowed[d] = malloc((size_t)b->mesh->side[d]);
	return b->allowed[d] ? nodeset_init(&b->needed[d], b->mesh->side[d]) : -1;
}

int bitbox_init(struct bitbox *b, const struct mesh *mesh)
{
	/* Shifts read past the end of what they shift: never by more than a row of words. */
	int slack;

	memset(b, 0, sizeof(*b));
	b->mesh = mesh;
	set_layout(b);
	slack = b->words + 2;
	for (int d = 0; d < mesh->ndims; d++) {
		if (!in_word(b, d) && b->stride[d] < 64)
			slack = b->block[d] / 64 + 2;
		if (init_dim(b, d))
			return -1;
	}
	b->whole = new_words(b->words);
	b->free = new_words(b->words);
	b->base = new_words(b->words + slack);
	b->spare = new_words(b->words + slack);
	b->row = new_words(2 * slack);
	if (!b->whole || !b->free || !b->base || !b->spare || !b->row)
		return -1;
	find_whole(b);
	if (b->straight)
		return 0;
	b->bit_of = malloc((size_t)mesh->nnodes * sizeof(int));
	for (int i = 0; b->bit_of && i < mesh->nnodes; i++)
		b->bit_of[i] = vertex_bit(b, mesh->vertex_of[i]);
	return b->bit_of ? 0 : -1;
}

void bitbox_release(struct bitbox *b)
{
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		free(b->below[d]);
		free(b->allowed[d]);
		nodeset_release(&b->needed[d]);
	}
	free(b->whole);
	free(b->free);
	free(b->base);
	free(b->spare);
	free(b->row);
	free(b->bit_of);
	memset(b, 0, sizeof(*b));
}

/* ---- a free set into our layout ---- */

/* Up to 64 bits from bit `from`. */
static uint64_t bits_at(const struct nodeset *set, int from, int count)
{
	int w = from >> 6, shift = from & 63;
	uint64_t word = set->word[w] >> shift;

	if (shift && shift + count > 64)
		word |= set->word[w + 1] << (64 - shift);
	return count < 64 ? word & ((UINT64_C(1) << count) - 1) : word;
}

/* The bit of the chunk that starts with vertex v. */
static void load_chunk(struct bitbox *b, const struct nodeset *set, int v, int bit)
{
	for (int done = 0; done < b->chunk; done += 64) {
		int count = b->chunk - done < 64 ? b->chunk - done : 64;

		b->free[(bit + done) >> 6] |= bits_at(set, v + done, count) << (bit & 63);
	}
}

static void load_straight(struct bitbox *b, const struct nodeset *set)
{
	int coord[MESH_MAX_DIMS] = {0};
	const struct mesh *mesh = b->mesh;
	int first = 0;

	if (b->chunk == mesh->nvertices) {
		memcpy(b->free, set->word, (size_t)b->words * sizeof(uint64_t));
		return;
	}
	memset(b->free, 0, (size_t)b->words * sizeof(uint64_t));
	while (mesh->stride[first] < b->chunk)
		first++;
	for (int v = 0; v < mesh->nvertices; v += b->chunk) {
		load_chunk(b, set, v, bitbox_bit(b, coord));
		for (int d = first; d < mesh->ndims && ++coord[d] == mesh->side[d]; d++)
			coord[d] = 0;
	}
}

void bitbox_load(struct bitbox *b, const struct nodeset *set)
{
	if (b->straight) {
		load_straight(b, set);
		return;
	}
	memcpy(b->free, b->whole, (size_t)b->words * sizeof(uint64_t));
	for (int w = 0; w < nodeset_words(set->n); w++) {
		uint64_t busy = ~set->word[w];

		if (w == set->n >> 6)
			busy &= (UINT64_C(1) << (set->n & 63)) - 1;
		for (; busy; busy &= busy - 1) {
			int bit = b->bit_of[w * 64 + __builtin_ctzll(busy)];

			b->free[bit >> 6] &= ~(UINT64_C(1) << (bit & 63));
		}
	}
}

/* ---- windows ---- */

/* A window grows from 1 to side by doubling; the steps are the same for every kind. */
#define each_step(step, have, side) \
	for (int have = 1, step; have < (side) && \
		(step = have < (side) - have ? have : (side) - have); have += step)

/* Blocks of at most a word: the whole chain word by word. */
static void window_in_word(const struct bitbox *b, uint64_t *restrict word, int words, int d,
	int side)
{
	const uint64_t *below = b->below[d];
	int all = b->mesh->side[d], stride = b->stride[d];
	bool wrap = b->mesh->wrap[d];

	each_step(step, have, side) {
		uint64_t low = below[all - step], high = wrap ? below[all] & ~low : 0;
		int down = step * stride, up = (all - step) * stride;

		for (int w = 0; w < words; w++) {
			uint64_t x = word[w];

			word[w] = x & (((x >> down) & low) | ((x << up) & high));
		}
	}
}

/* The 64 bits that start `shift` bits into word[]. */
static inline uint64_t funnel(const uint64_t *word, int shift)
{
	return word[0] >> shift | word[1] << 1 << (63 - shift);
}

/*
 * Rows of several words with coordinates that straddle them, not wrapping: shift the lot, and
 * clear in the end what came in from the next row.
 */
static void window_rows(const struct bitbox *b, uint64_t *word, int words, int d, int side)
{
	int row = b->block[d] / 64, valid = (b->mesh->side[d] - side + 1) * b->stride[d];

	each_step(step, have, side) {
		int skip = step * b->stride[d] >> 6, shift = step * b->stride[d] & 63;

		for (int w = 0; w < words; w++)
			word[w] &= funnel(word + w + skip, shift);
	}
	for (int w = valid >> 6; w < words; w += row) {
		word[w] &= (UINT64_C(1) << (valid & 63)) - 1;
		for (int i = 1; i < row - (valid >> 6); i++)
			word[w + i] = 0;
	}
}

/* A row of `length` bits twice, end to end. */
static void lay_twice(uint64_t *twice, const uint64_t *at, int row, int length)
{
	int skip = length >> 6, shift = length & 63;

	memset(twice + row, 0, (size_t)(row + 2) * sizeof(*at));
	memcpy(twice, at, (size_t)row * sizeof(*at));
	for (int w = 0; w < row; w++) {
		twice[skip + w] |= at[w] << shift;
		twice[skip + w + 1] |= at[w] >> 1 >> (63 - shift);
	}
}

/* The same on a ring: each row is laid out twice and read from `step` on. */
static void window_ring(const struct bitbox *b, uint64_t *word, int words, int d, int side)
{
	int row = b->block[d] / 64, length = b->mesh->side[d] * b->stride[d];
	uint64_t last = ~UINT64_C(0) >> (63 - ((length - 1) & 63));

	for (uint64_t *at = word; at < word + words; at += row)
		each_step(step, have, side) {
			int skip = step * b->stride[d];

			lay_twice(b->row, at, row, length);
			for (int w = 0; w < row; w++)
				at[w] &= funnel(b->row + w + (skip >> 6), skip & 63);
			at[row - 1] &= last;
		}
}

static void and_words(uint64_t *restrict to, const uint64_t *restrict with, size_t words)
{
	for (size_t w = 0; w < words; w++)
		to[w] &= with[w];
}

/* Coordinates are whole words: planes of them are ANDed. */
static void window_planes(const struct bitbox *b, uint64_t *word, int words, int d, int side)
{
	size_t plane = (size_t)b->stride[d] / 64, all = (size_t)b->mesh->side[d];

	for (uint64_t *at = word; at < word + words; at += plane * all)
		each_step(step, have, side) {
			size_t kept = all - (size_t)step;

			/* The far planes go on with the near ones as they were. */
			if (b->mesh->wrap[d])
				memcpy(b->spare, at, (size_t)step * plane * sizeof(*at));
			for (size_t i = 0; i < kept; i++)
				and_words(at + i * plane, at + (i + (size_t)step) * plane, plane);
			if (b->mesh->wrap[d])
				and_words(at + kept * plane, b->spare, (size_t)step * plane);
			else
				memset(at + kept * plane, 0, (size_t)step * plane * sizeof(*at));
		}
}

static void window(const struct bitbox *b, uint64_t *word, int words, int d, int side)
{
	if (side < 2)
		return;
	if (in_word(b, d))
		window_in_word(b, word, words, d, side);
	else if (b->stride[d] % 64 == 0)
		window_planes(b, word, words, d, side);
	else if (b->mesh->wrap[d])
		window_ring(b, word, words, d, side);
	else
		window_rows(b, word, words, d, side);
}

/*
 * All dimensions but the last plane by plane, so that a plane stays in the first cache, then
 * the last one.
 */
void bitbox_bases(struct bitbox *b, const int16_t *side)
{
	int last = b->mesh->ndims - 1;
	int slab = b->stride[last] % 64 == 0 ? b->stride[last] / 64 : b->words;

	memcpy(b->base, b->free, (size_t)b->words * sizeof(uint64_t));
	for (int w = 0; w < b->words; w += slab)
		for (int d = 0; d < last; d++)
			window(b, b->base + w, slab, d, side[d]);
	window(b, b->base, b->words, last, side[last]);
}

/* ---- required nodes ---- */

/* Sides of the smallest box: the whole dimension less the longest stretch not needed. */
static int needed_extent(const struct bitbox *b, int d)
{
	const struct nodeset *need = &b->needed[d];
	int first = nodeset_next(need, 0), all = b->mesh->side[d], last = first, gap = 0;

	if (first < 0)
		return 1;
	for (int c; (c = nodeset_next(need, last + 1)) >= 0; last = c)
		gap = c - last - 1 > gap ? c - last - 1 : gap;
	if (!b->mesh->wrap[d])
		return last - first + 1;
	return all - (first + all - last - 1 > gap ? first + all - last - 1 : gap);
}

void bitbox_require(struct bitbox *b, const struct nodeset *required)
{
	b->required = required;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		b->extent[d] = 1;
	if (!required)
		return;
	for (int d = 0; d < b->mesh->ndims; d++)
		nodeset_clear_all(&b->needed[d]);
	nodeset_each(i, required)
		for (int d = 0; d < b->mesh->ndims; d++)
			nodeset_add(&b->needed[d], b->mesh->coord[b->mesh->vertex_of[i]][d]);
	for (int d = 0; d < b->mesh->ndims; d++)
		b->extent[d] = needed_extent(b, d);
}

/* allowed[d][c]: do c .. c+side-1 hold every needed coordinate? A sliding count. */
static void find_allowed(struct bitbox *b, int d, int side)
{
	const struct nodeset *need = &b->needed[d];
	int all = b->mesh->side[d], total = nodeset_count(need), inside = 0;

	for (int c = 0; c < side; c++)
		inside += nodeset_has(need, c);
	for (int c = 0; c < all; c++) {
		b->allowed[d][c] = inside == total && (b->mesh->wrap[d] || c + side <= all);
		inside += nodeset_has(need, (c + side) % all) - nodeset_has(need, c);
	}
}

/* From one coordinate vector in the product of allowed coordinates to the next. */
static bool step_allowed(const struct bitbox *b, int *coord)
{
	for (int d = 0; d < b->mesh->ndims; d++) {
		while (++coord[d] < b->mesh->side[d])
			if (b->allowed[d][coord[d]])
				return true;
		for (coord[d] = 0; !b->allowed[d][coord[d]]; coord[d]++)
			;
	}
	return false;
}

void bitbox_restrict(struct bitbox *b, const int16_t *side)
{
	int coord[MESH_MAX_DIMS] = {0};
	bool some = true;

	if (!b->required)
		return;
	for (int d = 0; d < b->mesh->ndims; d++) {
		find_allowed(b, d, side[d]);
		while (coord[d] < b->mesh->side[d] && !b->allowed[d][coord[d]])
			coord[d]++;
		some &= coord[d] < b->mesh->side[d];
	}
	memset(b->spare, 0, (size_t)b->words * sizeof(uint64_t));
	if (some)
		do {
			int bit = bitbox_bit(b, coord);

			b->spare[bit >> 6] |= UINT64_C(1) << (bit & 63);
		} while (step_allowed(b, coord));
	and_words(b->base, b->spare, (size_t)b->words);
}

int bitbox_next(const struct bitbox *b, int from)
{
	const struct nodeset base = {b->words * 64, b->base};

	return nodeset_next(&base, from);
}

void bitbox_coord(const struct bitbox *b, int bit, int *coord)
{
	for (int d = b->mesh->ndims - 1; d >= 0; d--) {
		coord[d] = bit / b->stride[d];
		bit %= b->stride[d];
	}
}
