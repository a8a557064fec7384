/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boxes/bitbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/axis.h"
#include "geometry/legal.h"

/* Pad to a power of two within a word, else to whole words. */
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
		/* Vertices are consecutive bits as long as nothing is padded. */
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

/*
 * The words that windows along d process at a time: a plane of the last dimension if it has whole
 * words, and all words for the last dimension.
 */
static int slab_words(const struct bitbox *b, int d)
{
	int last = b->mesh->ndims - 1;

	return d < last && b->stride[last] % 64 == 0 ? b->stride[last] / 64 : b->words;
}

/* For each limit, mask the bits of a word whose coordinate along d is below it. */
static int make_masks(struct bitbox *b, int d, struct arena *arena)
{
	int side = b->mesh->side[d];

	if (!arena_array(arena, b->below[d], side + 1))
		return -1;
	for (int limit = 1; limit <= side; limit++)
		for (int bit = 0; bit < 64; bit++)
			if (bit % b->block[d] / b->stride[d] < limit)
				b->below[d][limit] |= UINT64_C(1) << bit;
	return 0;
}

static void find_whole(struct bitbox *b)
{
	const struct mesh *mesh = b->mesh;

	b->straight = mesh->nodes_per_vertex == 1 && mesh->nnodes == mesh->nvertices;
	for (int v = 0; v < mesh->nvertices; v++) {
		if (mesh_nodes_on(mesh, v) == mesh->nodes_per_vertex)
			bitbox_set(b->whole, bitbox_vertex(b, v));
		b->straight &= mesh->node_at[v < mesh->nnodes ? v : 0] == v;
	}
}

static int init_dim(struct bitbox *b, int d, struct arena *arena)
{
	arena_array(arena, b->allowed[d], b->mesh->side[d]);
	arena_array(arena, b->needed[d], b->mesh->side[d]);
	return in_word(b, d) ? make_masks(b, d, arena) : 0;
}

static struct bitbox_legal *find_legal(const struct bitbox *b, const int *side)
{
	size_t size = (size_t)b->mesh->ndims * sizeof(*side);

	for (int i = 0; i < b->nlegal; i++)
		if (!memcmp(b->legal[i].side, side, size))
			return &b->legal[i];
	return NULL;
}

/* Boxes of the same sides may be on several grids; all grids count. */
static int add_legal(
	struct bitbox *b, const struct mesh_placement *placement, struct arena *arena)
{
	struct bitbox_legal *at = find_legal(b, placement->side);
	bool anywhere = legal_everywhere(b->mesh, placement);

	if (!at) {
		at = &b->legal[b->nlegal++];
		memcpy(at->side, placement->side, sizeof(at->side));
		if (!anywhere && !arena_array(arena, at->base, b->words))
			return -1;
	} else if (anywhere) {
		at->base = NULL;
	}
	if (!at->base)
		return 0;
	for (struct legal_walk w = legal_walk(b->mesh, placement); !w.done; legal_next(&w))
		bitbox_set(at->base, bitbox_bit(b, w.base));
	return 0;
}

static int make_legal(struct bitbox *b, struct arena *arena)
{
	const struct mesh *mesh = b->mesh;

	if (!arena_array(arena, b->legal, mesh->nlegal))
		return -1;
	for (int i = 0; i < mesh->nlegal; i++)
		if (add_legal(b, &mesh->legal[i], arena))
			return -1;
	return 0;
}

/* Set the bits of vertices whose link up along d is whole, if any link is broken. */
static int make_up(struct bitbox *b, int d, struct arena *arena)
{
	const struct mesh *mesh = b->mesh;
	bool any = false;

	for (int v = 0; v < mesh->nvertices && !any; v++)
		any = mesh_is_down(mesh, v, d);
	if (!any)
		return 0;
	if (!arena_array(arena, b->up[d], b->words))
		return -1;
	for (int v = 0; v < mesh->nvertices; v++)
		if (!mesh_is_down(mesh, v, d))
			bitbox_set(b->up[d], bitbox_vertex(b, v));
	return 0;
}

static int make_sound(struct bitbox *b, int slack, struct arena *arena)
{
	int n = b->mesh->nvertices;

	if (!b->mesh->down)
		return 0;
	b->nsound = 1 + BITBOX_SOUND / b->words < n ? 1 + BITBOX_SOUND / b->words : n;
	for (int d = 0; d < b->mesh->ndims; d++)
		if (make_up(b, d, arena))
			return -1;
	arena_array(arena, b->links, b->words + slack);
	arena_array(arena, b->sound, (int64_t)b->nsound * b->words);
	arena_array(arena, b->sound_of, b->nsound);
	return nodeset_get(&b->unsound, n, arena);
}

int bitbox_init(struct bitbox *b, const struct mesh *mesh, struct arena *arena)
{
	int slack = 2;

	*b = (struct bitbox){.mesh = mesh};
	set_layout(b);
	for (int d = 0; d < mesh->ndims; d++)
		if (init_dim(b, d, arena))
			return -1;
	/* The last block is read past its end by less than its length. */
	slack += b->block[mesh->ndims - 1] / 64;
	arena_array(arena, b->whole, b->words);
	arena_array(arena, b->free, b->words);
	arena_array(arena, b->base, b->words + slack);
	arena_array(arena, b->spare, b->words + slack);
	if (make_legal(b, arena) || make_sound(b, slack, arena))
		return -1;
	find_whole(b);
	if (b->straight)
		return 0;
	if (!arena_array(arena, b->bit_of, mesh->nnodes))
		return -1;
	for (int i = 0; i < mesh->nnodes; i++)
		b->bit_of[i] = bitbox_vertex(b, mesh->vertex_of[i]);
	return 0;
}

/* ---- a free set into our layout ---- */

/* Copy the vertices of one chunk, from v on, to their place. */
static void load_chunk(struct bitbox *b, const struct nodeset *set, int v, int bit)
{
	const uint64_t *from = set->word + (v >> 6);
	uint64_t *to = b->free + (bit >> 6), last = 0;
	int shift = v & 63, whole = b->chunk >> 6, rest = b->chunk & 63;

	for (int w = 0; w < whole; w++)
		to[w] = shift ? from[w] >> shift | from[w + 1] << (64 - shift) : from[w];
	if (!rest)
		return;
	last = from[whole] >> shift;
	if (shift + rest > 64)
		last |= from[whole + 1] << (64 - shift);
	to[whole] |= (last & ((UINT64_C(1) << rest) - 1)) << (bit & 63);
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

/* A window grows from 1 to side by doubling; all kinds of windows take the same steps. */
#define each_step(step, have, side) \
	for (int have = 1, step; have < (side) && \
		(step = have < (side) - have ? have : (side) - have); have += step)

/* Blocks of at most a word: do all steps word by word. */
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

/* to = from AND (from shifted down), over all words at once, across rows. */
static void and_shifted(uint64_t *restrict to, const uint64_t *restrict from, size_t words,
	int bits)
{
	const uint64_t *at = from + (bits >> 6);
	int shift = bits & 63;

	for (size_t w = 0; w < words; w++)
		to[w] = from[w] & (at[w] >> shift | at[w + 1] << 1 << (63 - shift));
}

/* Round a ring: the last `again` of a block's `length` bits continue with its first ones. */
static void and_round(uint64_t *to, const uint64_t *from, int length, int again)
{
	int first = length - again;

	for (int w = first >> 6; w < (length + 63) >> 6; w++) {
		int at = w * 64 - first, shift = at & 63;
		uint64_t mask = nodeset_range(first, again, w), begin;

		if (at < 0)
			begin = from[0] << -at;
		else
			begin = from[at >> 6] >> shift | from[(at >> 6) + 1] << 1 << (63 - shift);
		to[w] = (to[w] & ~mask) | (from[w] & begin & mask);
	}
}

/*
 * Blocks of whole words: shift all words at once, to and fro between two buffers. In the end clear
 * the bits that came from the next block.
 */
static void window_blocks(const struct bitbox *b, uint64_t *word, int words, int d, int side)
{
	int block = b->block[d] / 64, stride = b->stride[d], length = b->mesh->side[d] * stride;
	int valid = b->mesh->wrap[d] ? length : length - (side - 1) * stride;
	uint64_t *from = word, *to = b->spare;

	each_step(step, have, side) {
		uint64_t *done = to;

		and_shifted(to, from, (size_t)words, step * stride);
		for (int at = 0; b->mesh->wrap[d] && at < words; at += block)
			and_round(to + at, from + at, length, step * stride);
		to = from;
		from = done;
	}
	for (int at = 0; at < words; at += block)
		for (int w = 0; w < block; w++)
			word[at + w] = from[at + w] & nodeset_range(0, valid, w);
}

static void and_words(uint64_t *restrict to, const uint64_t *restrict with, size_t words)
{
	for (size_t w = 0; w < words; w++)
		to[w] &= with[w];
}

static void window(const struct bitbox *b, uint64_t *word, int words, int d, int side)
{
	if (side < 2)
		return;
	if (in_word(b, d))
		window_in_word(b, word, words, d, side);
	else
		window_blocks(b, word, words, d, side);
}

/*
 * Do all dimensions but the last plane by plane, so that a plane stays in the first cache; then
 * the last one.
 */
static void windows(const struct bitbox *b, uint64_t *word, const int *side)
{
	int last = b->mesh->ndims - 1, slab = last ? slab_words(b, 0) : b->words;

	for (int w = 0; w < b->words; w += slab)
		for (int d = 0; d < last; d++)
			window(b, word + w, slab, d, side[d]);
	window(b, word, b->words, last, side[last]);
}

void bitbox_bases(struct bitbox *b, const int *side)
{
	memcpy(b->base, b->free, (size_t)b->words * sizeof(uint64_t));
	windows(b, b->base, side);
}

/* ---- broken links ---- */

/* Find the bases of the boxes of these sides whose links along d are whole. */
static void find_sound(struct bitbox *b, const int *side, int d)
{
	int links[MESH_MAX_DIMS];

	memcpy(links, side, sizeof(links));
	/* One link less than vertices, except all round a ring. */
	links[d] -= !b->mesh->wrap[d] || side[d] < b->mesh->side[d];
	memcpy(b->links, b->up[d], (size_t)b->words * sizeof(uint64_t));
	windows(b, b->links, links);
}

/* The number of these sides: the vertex at the far corner of a box with its base at vertex 0. */
static int number_of(const struct bitbox *b, const int *side)
{
	int number = 0;

	for (int d = 0; d < b->mesh->ndims; d++)
		number += (side[d] - 1) * b->mesh->stride[d];
	return number;
}

static const uint64_t *sound_bases(struct bitbox *b, const int *side)
{
	int number = number_of(b, side), slot = number % b->nsound;
	struct nodeset sound = {b->words * 64, b->sound + (int64_t)slot * b->words};

	if (b->sound_of[slot] == number + 1)
		return sound.word;
	b->sound_of[slot] = number + 1;
	memset(sound.word, 0xff, (size_t)b->words * sizeof(uint64_t));
	for (int d = 0; d < b->mesh->ndims; d++) {
		if (!b->up[d] || side[d] == 1)
			continue;
		find_sound(b, side, d);
		and_words(sound.word, b->links, (size_t)b->words);
	}
	if (nodeset_next(&sound, 0) < 0)
		nodeset_add(&b->unsound, number);
	return sound.word;
}

/* Remove bases with broken links. If no box is free there is nothing to do. */
static void restrict_links(struct bitbox *b, const int *side)
{
	if (b->sound && !b->any_links && bitbox_next(b, 0) >= 0)
		and_words(b->base, sound_bases(b, side), (size_t)b->words);
}

/* ---- required nodes ---- */

void bitbox_require(struct bitbox *b, const struct nodeset *required)
{
	const struct mesh *mesh = b->mesh;
	int first;

	b->required = required;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		b->extent[d] = 1;
	for (int d = 0; required && d < mesh->ndims; d++) {
		memset(b->needed[d], 0, (size_t)mesh->side[d] * sizeof(int));
		nodeset_each(i, required)
			b->needed[d][mesh->coord[mesh->vertex_of[i]][d]] = 1;
		b->extent[d] = axis_stretch(b->needed[d], mesh->side[d], mesh->wrap[d], &first);
		b->extent[d] += !b->extent[d];
	}
}

/* allowed[d][c]: do c .. c+side-1 hold every needed coordinate? By a sliding count. */
static void find_allowed(struct bitbox *b, int d, int side)
{
	const int *need = b->needed[d];
	int all = b->mesh->side[d], total = 0, inside = 0;

	for (int c = 0; c < all; c++) {
		total += need[c];
		inside += c < side ? need[c] : 0;
	}
	for (int c = 0; c < all; c++) {
		b->allowed[d][c] = inside == total && (b->mesh->wrap[d] || c + side <= all);
		inside += need[(c + side) % all] - need[c];
	}
}

/* Go to the next vector of allowed coordinates. */
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

static void restrict_legal(struct bitbox *b, const int *side)
{
	const struct bitbox_legal *legal = find_legal(b, side);

	if (b->nlegal && !legal)
		memset(b->base, 0, (size_t)b->words * sizeof(uint64_t));
	else if (legal && legal->base)
		and_words(b->base, legal->base, (size_t)b->words);
}

void bitbox_restrict(struct bitbox *b, const int *side)
{
	int coord[MESH_MAX_DIMS] = {0};
	bool some = true;

	restrict_legal(b, side);
	restrict_links(b, side);
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
		do
			bitbox_set(b->spare, bitbox_bit(b, coord));
		while (step_allowed(b, coord));
	and_words(b->base, b->spare, (size_t)b->words);
}

void bitbox_places(struct bitbox *b, const int *side)
{
	if (b->sound && !b->any_links && nodeset_has(&b->unsound, number_of(b, side))) {
		memset(b->base, 0, (size_t)b->words * sizeof(uint64_t));
		return;
	}
	bitbox_bases(b, side);
	bitbox_restrict(b, side);
}

int bitbox_first(struct bitbox *b, const int *side)
{
	bitbox_places(b, side);
	return bitbox_next(b, 0);
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
