/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/rowset.h"

#include <stdlib.h>
#include <string.h>

int rowset_init(struct rowset *rows, const struct mesh *mesh)
{
	int side = mesh->side[0], row_words = (side + 63) / 64;
	size_t words = (size_t)(mesh->nvertices / side) * (size_t)row_words,
	       nodes = (size_t)mesh->nnodes;

	*rows = (struct rowset){.mesh = mesh, .row_words = row_words};
	rows->slot = malloc(nodes * sizeof(*rows->slot));
	rows->word = calloc(words, sizeof(*rows->word));
	rows->used = malloc(nodes * sizeof(*rows->used));
	rows->first_run = malloc(words * sizeof(*rows->first_run));
	rows->parent = malloc(nodes * sizeof(*rows->parent));
	if (!rows->slot || !rows->word || !rows->used || !rows->first_run || !rows->parent)
		return -1;
	for (int i = 0; i < mesh->nnodes; i++)
		rows->slot[i] =
			mesh->vertex_of[i] / side * 64 * row_words + mesh->vertex_of[i] % side;
	return 0;
}

void rowset_release(struct rowset *rows)
{
	free(rows->slot);
	free(rows->word);
	free(rows->used);
	free(rows->first_run);
	free(rows->parent);
}

void rowset_fill(struct rowset *rows, const int *node, int count)
{
	uint64_t *word = rows->word;
	const int *slot = rows->slot;
	int *used = rows->used, n = 0;

	for (int i = 0; i < rows->nused; i++)
		word[used[i]] = 0;
	for (int i = 0; i < count; i++) {
		int at = slot[node[i]], w = at >> 6;

		/* Every time, and counted once: no branch that is hard to foresee. */
		used[n] = w;
		n += !word[w];
		word[w] |= UINT64_C(1) << (at & 63);
	}
	rows->nused = n;
}

/* The coordinates of a word's row, but for the first. */
static const int16_t *coordinates(const struct rowset *rows, int w)
{
	return rows->mesh->coord[w / rows->row_words * rows->mesh->side[0]];
}

/* The first coordinate of a word's bit 0. */
static int begin_of(const struct rowset *rows, int w)
{
	return w % rows->row_words * 64;
}

int rowset_vertices(const struct rowset *rows, int *vertex)
{
	int n = 0;

	for (int i = 0; i < rows->nused; i++) {
		int w = rows->used[i],
		    first = w / rows->row_words * rows->mesh->side[0] + begin_of(rows, w);

		for (uint64_t rest = rows->word[w]; rest; rest &= rest - 1)
			vertex[n++] = first + __builtin_ctzll(rest);
	}
	return n;
}

/* Rows of one word are added up 64 columns at a time: plane[k] has bit k of all their counts. */
static void count_columns(const struct rowset *rows, int *marginal)
{
	uint64_t plane[32] = {0};
	int planes = 0;

	while (rows->nused >> planes)
		planes++;
	for (int i = 0; i < rows->nused; i++) {
		uint64_t carry = rows->word[rows->used[i]];

		for (int k = 0; carry; k++) {
			uint64_t both = plane[k] & carry;

			plane[k] ^= carry;
			carry = both;
		}
	}
	for (int x = 0; x < rows->mesh->side[0]; x++)
		for (int k = 0; k < planes; k++)
			marginal[x] += (int)(plane[k] >> x & 1) << k;
}

static void count_bits(const struct rowset *rows, int *marginal)
{
	for (int i = 0; i < rows->nused; i++) {
		int *base = marginal + begin_of(rows, rows->used[i]);

		for (uint64_t rest = rows->word[rows->used[i]]; rest; rest &= rest - 1)
			base[__builtin_ctzll(rest)]++;
	}
}

void rowset_marginals(const struct rowset *rows, int *marginal)
{
	const struct mesh *mesh = rows->mesh;

	memset(marginal, 0, (size_t)mesh_sum_of_sides(mesh) * sizeof(*marginal));
	if (rows->row_words == 1)
		count_columns(rows, marginal);
	else
		count_bits(rows, marginal);
	for (int i = 0; i < rows->nused; i++) {
		int w = rows->used[i], count = __builtin_popcountll(rows->word[w]);
		int *base = marginal + mesh->side[0];
		const int16_t *coord = coordinates(rows, w);

		for (int d = 1; d < mesh->ndims; base += mesh->side[d], d++)
			base[coord[d]] += count;
	}
}

/*
 * The farthest pair differs most in one of the 2^(d-1) signed sums of coordinates, that of the
 * first being +; and in a row only its ends count.
 */
int rowset_diameter(const struct rowset *rows)
{
	enum { MAX_SIGNS = 1 << (MESH_MAX_DIMS - 1) };
	const struct mesh *mesh = rows->mesh;
	int low[MAX_SIGNS], high[MAX_SIGNS], signs = 1 << (mesh->ndims - 1), most = 0;

	for (int s = 0; s < signs; s++) {
		low[s] = INT32_MAX;
		high[s] = INT32_MIN;
	}
	for (int i = 0; i < rows->nused; i++) {
		int w = rows->used[i];
		int first = begin_of(rows, w) + __builtin_ctzll(rows->word[w]);
		int last = begin_of(rows, w) + 63 - __builtin_clzll(rows->word[w]);
		const int16_t *coord = coordinates(rows, w);

		for (int s = 0; s < signs; s++) {
			int sum = 0;

			for (int d = 1; d < mesh->ndims; d++)
				sum += s >> (d - 1) & 1 ? -coord[d] : coord[d];
			low[s] = sum + first < low[s] ? sum + first : low[s];
			high[s] = sum + last > high[s] ? sum + last : high[s];
		}
	}
	for (int s = 0; rows->nused && s < signs; s++)
		most = high[s] - low[s] > most ? high[s] - low[s] : most;
	return most;
}

/* --- components: runs of bits that are joined ---------------------------------------------- */

/* The first bits of its runs. */
static uint64_t starts(uint64_t word)
{
	return word & ~(word << 1);
}

/* The number of the run that a bit of word w belongs to. */
static int run_of(const struct rowset *rows, int w, int bit)
{
	uint64_t to_bit = ~UINT64_C(0) >> (63 - bit);

	return rows->first_run[w] + __builtin_popcountll(starts(rows->word[w]) & to_bit) - 1;
}

static int root(int *parent, int i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

/* 1 if they were two pieces. */
static int join(struct rowset *rows, int a, int b)
{
	a = root(rows->parent, a);
	b = root(rows->parent, b);
	rows->parent[a] = b;
	return a != b;
}

/* The runs of two words of neighbouring rows, bit below bit. How many pieces fewer that makes. */
static int join_rows(struct rowset *rows, int w, int other)
{
	int joined = 0;

	for (uint64_t both = rows->word[w] & rows->word[other]; both;) {
		int bit = __builtin_ctzll(both);

		joined += join(rows, run_of(rows, w, bit), run_of(rows, other, bit));
		both &= both + (both & -both); /* the rest of a run says the same */
	}
	return joined;
}

/* A word with the next one of its row, or the last of a ring with its first. */
static int join_along(struct rowset *rows, int w)
{
	const struct mesh *mesh = rows->mesh;
	int at = w % rows->row_words, last = at == rows->row_words - 1;
	int bit = last ? (mesh->side[0] - 1) & 63 : 63, next = last ? w - at : w + 1;

	if ((last && !mesh->wrap[0]) || !(rows->word[w] >> bit & 1) || !(rows->word[next] & 1))
		return 0;
	return join(rows, run_of(rows, w, bit), run_of(rows, next, 0));
}

/* A word with that one step down each other dimension. */
static int join_across(struct rowset *rows, int w)
{
	const struct mesh *mesh = rows->mesh;
	const int16_t *coord = coordinates(rows, w);
	int joined = 0;

	for (int d = 1; d < mesh->ndims; d++) {
		int step = mesh->stride[d] / mesh->side[0] * rows->row_words;

		if (coord[d])
			joined += join_rows(rows, w, w - step);
		else if (mesh->wrap[d])
			joined += join_rows(rows, w, w + (mesh->side[d] - 1) * step);
	}
	return joined;
}

int rowset_components(struct rowset *rows)
{
	int runs = 0, joined = 0;

	for (int i = 0; i < rows->nused; i++) {
		int w = rows->used[i];

		rows->first_run[w] = runs;
		runs += __builtin_popcountll(starts(rows->word[w]));
	}
	for (int i = 0; i < runs; i++)
		rows->parent[i] = i;
	for (int i = 0; i < rows->nused; i++)
		joined += join_along(rows, rows->used[i]) + join_across(rows, rows->used[i]);
	return runs - joined;
}
