/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snug/snug_sweep.h"

#include <string.h>

#include "base/simd.h"

/*
 * A piece is processed at once: up to PIECE entries, which stay in the cache; but slabs of SLAB
 * entries or more one by one, which can leave out the rows between them.
 */
enum { PIECE = 4096, SLAB = 64, CHECK = 1 << 16 /* entries between two looks at the clock */ };

/*
 * Room for what dimension d leaves: one slab of the dimensions below in the largest table, or a
 * piece.
 */
static int64_t buffer_room(const struct mesh *mesh, int d, int64_t table)
{
	int64_t room = 1;

	for (int e = 0; e < (d ? d : 1); e++)
		room *= 2 * (int64_t)mesh->side[e] + 3;
	if (room < PIECE)
		room = PIECE;
	return room < table ? room : table;
}

int snug_sweep_init(struct snug_sweep *sweep, const struct mesh *mesh, struct arena *arena)
{
	int64_t entries;

	*sweep = (struct snug_sweep){.mesh = mesh};
	if (sumtable_init(&sweep->free_sum, mesh, arena) ||
		sumtable_init(&sweep->weight_sum, mesh, arena))
		return -1;
	entries = sweep->free_sum.room;
	arena_array(arena, sweep->narrow_sum, entries);
	arena_array(arena, sweep->narrow_open, entries);
	arena_array(arena, sweep->wide_open, entries);
	for (int d = 0; d < mesh->ndims; d++)
		sweep->count[d] = arena_get(arena, buffer_room(mesh, d, entries), sizeof(uint32_t));
	return arena_array(arena, sweep->due, mesh->side[mesh->ndims - 1]) ? 0 : -1;
}

/* The number of entries of a table. */
static int64_t table_size(const struct snug_sweep *sweep)
{
	int top = sweep->mesh->ndims - 1;

	return (int64_t)sweep->free_sum.stride[top] * sweep->free_sum.extent[top];
}

MESH_VECTORISE static void halve(uint16_t *restrict to, const uint32_t *restrict from, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = (uint16_t)from[i];
}

/* Build both tables; without the second if there is no time, as nothing is looked up then. */
static void build(struct snug_sweep *sweep)
{
	sumtable_build(&sweep->free_sum, sweep->nfree, sweep->reach);
	halve(sweep->narrow_sum, sweep->free_sum.sum, table_size(sweep));
	sweep->late |= sweep->budget && mesh_budget_late(sweep->budget);
	if (!sweep->late)
		sumtable_build(&sweep->weight_sum, sweep->weight, sweep->reach);
}

void snug_sweep_load(struct snug_sweep *sweep, const uint32_t *nfree, const uint32_t *weight,
	const int *reach)
{
	sweep->late = false;
	sweep->unchecked = 0;
	sweep->nfree = nfree;
	sweep->weight = weight;
	memcpy(sweep->reach, reach, sizeof(sweep->reach));
	build(sweep);
}

/* Does the box close the ring? It then has one base, and no face in that dimension. */
static bool closed(const struct mesh *mesh, int d, const struct snug_level *level)
{
	return mesh->wrap[d] && level->side[d] == mesh->side[d];
}

static int bases_along(const struct mesh *mesh, int d, const struct snug_level *level)
{
	if (closed(mesh, d, level))
		return 1;
	return mesh->wrap[d] ? mesh->side[d] : mesh->side[d] - level->side[d] + 1;
}

/* Bytes of a count, and of its entry in open[]. */
static size_t width(bool wide)
{
	return wide ? sizeof(uint32_t) : sizeof(uint16_t);
}

/* The entry of open[] for a base number. */
static void *open_at(const struct snug_sweep *sweep, int64_t number)
{
	return sweep->wide ? (void *)(sweep->wide_open + number) : sweep->narrow_open + number;
}

/* Open every base, but not the gaps between rows. */
static void open_all(struct snug_sweep *sweep)
{
	char *open = open_at(sweep, 0);
	size_t size = width(sweep->wide), done = (size_t)sweep->bases[0] * size;

	memset(open, 0xff, done);
	for (int d = 1; d < sweep->mesh->ndims; d++) {
		size_t slab = (size_t)sweep->free_sum.stride[d] * size,
		       all = slab * (size_t)sweep->bases[d];

		memset(open + done, 0, slab - done);
		for (done = slab; done < all; done *= 2)
			memcpy(open + done, open, done < all - done ? done : all - done);
		done = all;
	}
}

/* Close n bases of a row from `at` on, and as many in each row above it. */
static void close_columns(struct snug_sweep *sweep, int64_t at, int n, int rows)
{
	int64_t stride = sweep->mesh->ndims > 1 ? sweep->free_sum.stride[1] : 0;

	for (int row = 0; row < rows; row++, at += stride)
		memset(open_at(sweep, at), 0, (size_t)n * width(sweep->wide));
}

/* Close the bases from coordinate `low` of dimension d on; there are sweep->bases[d] of them. */
static void close_bases(struct snug_sweep *sweep, int d, int low)
{
	const int *stride = sweep->free_sum.stride, *bases = sweep->bases;
	int above = d ? d + 1 : 2, ndims = sweep->mesh->ndims, at[MESH_MAX_DIMS] = {0}, e;

	do {
		int64_t from = (int64_t)low * stride[d];

		for (e = above; e < ndims; e++)
			from += (int64_t)at[e] * stride[e];
		if (d)
			memset(open_at(sweep, from), 0,
				(size_t)(bases[d] - low) * (size_t)stride[d] * width(sweep->wide));
		else
			close_columns(sweep, from, bases[0] - low, ndims > 1 ? bases[1] : 1);
		for (e = above; e < ndims && ++at[e] == bases[e]; e++)
			at[e] = 0;
	} while (e < ndims);
}

/*
 * Build the tables again if the boxes are longer than the tables allow, on a torus; true if it
 * did. Short tables make the sweep of small boxes fast.
 */
static bool extend(struct snug_sweep *sweep, const struct snug_level *level)
{
	const struct mesh *mesh = sweep->mesh;
	bool longer = false;

	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && level->side[d] > sweep->reach[d]) {
			int reach = sweep->reach[d] + sweep->reach[d] / 2;

			sweep->reach[d] = reach > level->side[d] ? reach : level->side[d];
			longer = true;
		}
	if (longer)
		build(sweep);
	return longer;
}

/* The base number of the row-th row of bases. */
static int64_t row_number(const struct snug_sweep *sweep, const int *stride, int64_t row)
{
	int64_t at = 0;

	for (int d = 1; d < sweep->mesh->ndims; d++) {
		at += row % sweep->bases[d] * stride[d];
		row /= sweep->bases[d];
	}
	return at;
}

/* Move open[] from the tables' old strides to the present ones. */
static void move_open(struct snug_sweep *sweep, const int *old)
{
	int64_t rows = 1, n = sweep->bases[0], end = table_size(sweep);
	size_t size = width(sweep->wide);

	for (int d = 1; d < sweep->mesh->ndims; d++)
		rows *= sweep->bases[d];
	/* Rows only move up, so the last row goes first. */
	for (int64_t row = rows; row-- > 0;) {
		int64_t to = row_number(sweep, sweep->free_sum.stride, row);

		memmove(open_at(sweep, to), open_at(sweep, row_number(sweep, old, row)),
			(size_t)n * size);
		memset(open_at(sweep, to + n), 0, (size_t)(end - to - n) * size);
		end = to;
	}
}

/*
 * Slabs of the last dimension are processed one after another, thin ones in groups that make a
 * piece. At first all are due.
 */
static void reset_slabs(struct snug_sweep *sweep)
{
	int top = sweep->mesh->ndims - 1, stride = sweep->free_sum.stride[top];

	sweep->slabs = stride < SLAB ? PIECE / stride : 1;
	memset(sweep->due, 0, (size_t)sweep->mesh->side[top] * sizeof(*sweep->due));
}

/* Can a box of this level have more nodes than a narrow count? */
static bool needs_width(const struct mesh *mesh, const struct snug_level *level)
{
	return level->volume * mesh->nodes_per_vertex > INT16_MAX;
}

/* Continue with 32 bits in open[]. */
static void widen(struct snug_sweep *sweep)
{
	int64_t last = sweep->layout.last_base[sweep->mesh->ndims - 1];

	for (int64_t i = 0; i <= last; i++)
		sweep->wide_open[i] = sweep->narrow_open[i] ? UINT32_MAX : 0;
	sweep->wide = true;
}

void snug_sweep_open(struct snug_sweep *sweep, const struct snug_chain *chain)
{
	const struct snug_level *level = &chain->level[0];
	const struct mesh *mesh = sweep->mesh;

	sweep->chain = chain;
	sweep->wide = needs_width(mesh, level);
	extend(sweep, level);
	for (int d = 0; d < mesh->ndims; d++)
		sweep->bases[d] = bases_along(mesh, d, level);
	open_all(sweep);
	reset_slabs(sweep);
}

/*
 * Offsets from base number i: entries begin at -1. last_base, margin: for the dimensions 0..d the
 * last base, and how far beyond it a box reaches.
 */
static void lay_out(struct snug_sweep *sweep)
{
	const struct snug_level *level = &sweep->chain->level[sweep->level];
	struct snug_layout *out = &sweep->layout;
	int64_t last = 0, margin = 0;

	for (int d = 0; d < sweep->mesh->ndims; d++) {
		int64_t stride = sweep->free_sum.stride[d];

		out->low[d] = stride;
		out->high[d] = (level->side[d] + 1) * stride;
		out->last_base[d] = last += (sweep->bases[d] - 1) * stride;
		out->margin[d] = margin += (level->side[d] + 1) * stride;
	}
}

void snug_sweep_level(struct snug_sweep *sweep, int l)
{
	const struct snug_level *level = &sweep->chain->level[l];
	const struct mesh *mesh = sweep->mesh;
	int old[MESH_MAX_DIMS];

	memcpy(old, sweep->free_sum.stride, sizeof(old));
	if (extend(sweep, level)) {
		move_open(sweep, old);
		reset_slabs(sweep);
	}
	sweep->level = l;
	for (int d = 0; d < mesh->ndims; d++) {
		int bases = bases_along(mesh, d, level);

		if (bases < sweep->bases[d])
			close_bases(sweep, d, bases);
		sweep->bases[d] = bases;
	}
	lay_out(sweep);
	if (needs_width(mesh, level) && !sweep->wide)
		widen(sweep);
	sweep->cornered = false;
}

/* --- counts ----------------------------------------------------------------------------- */

/* n differences of the entries at two offsets. */
struct offsets {
	int64_t low, high, n;
};

/* The result for a piece. */
struct found {
	int32_t most; /* free nodes in a box at an open base */
	uint32_t any; /* 0: no base is open */
};

#define COUNT uint16_t
#define SIGNED int16_t
#define WIDTH(name) name##_narrow
#include "snug/snug_counts.h"

#define COUNT uint32_t
#define SIGNED int32_t
#define WIDTH(name) name##_wide
#include "snug/snug_counts.h"

static void difference(bool wide, void *to, const void *from, const struct offsets *offsets)
{
	if (wide)
		difference_wide(to, from, offsets);
	else
		difference_narrow(to, from, offsets);
}

/* The counts from an entry on. */
static const void *counts_at(bool wide, const void *count, int64_t entry)
{
	return (const char *)count + entry * (int64_t)width(wide);
}

struct walk {
	struct snug_sweep *sweep;
	uint32_t want;
	snug_take *take;
	void *data;
	struct found found;
};

/*
 * The dimensions 0..d with `bases` bases along d: entries of the table, or of what higher
 * dimensions left.
 */
struct piece {
	const void *count;
	int64_t first; /* base number of entry 0 */
	int d, bases;
};

static int64_t last_base(const struct walk *walk, const struct piece *piece)
{
	int64_t last = (piece->bases - 1) * (int64_t)walk->sweep->free_sum.stride[piece->d];

	return last + (piece->d ? walk->sweep->layout.last_base[piece->d - 1] : 0);
}

static void one_piece(struct walk *walk, const struct piece *piece)
{
	struct snug_sweep *sweep = walk->sweep;
	const struct snug_layout *layout = &sweep->layout;
	const void *count = piece->count;
	int64_t last = last_base(walk, piece), apart = layout->high[0] - layout->low[0];
	struct snug_bases bases = {piece->first, 1 + (int)last, sweep->wide, sweep->count[0],
		open_at(sweep, piece->first)};
	struct found found;

	for (int e = piece->d; e > 0; e--) {
		const struct offsets offsets = {
			layout->low[e], layout->high[e], 1 + last + layout->margin[e - 1]};

		difference(sweep->wide, sweep->count[e], count, &offsets);
		count = sweep->count[e];
	}
	count = counts_at(sweep->wide, count, layout->low[0]);
	found = sweep->wide
		? count_most_wide(sweep->count[0], count, bases.open, apart, bases.n)
		: count_most_narrow(sweep->count[0], count, bases.open, apart, bases.n);
	walk->found.any |= found.any;
	walk->found.most = found.most > walk->found.most ? found.most : walk->found.most;
	if (found.most >= (int32_t)walk->want)
		walk->take(walk->data, &bases);
}

/* Go slab by slab while what is below is too large for one piece. */
static void walk_down(struct walk *walk, const struct piece *piece)
{
	struct snug_sweep *sweep = walk->sweep;
	const struct snug_layout *layout = &sweep->layout;
	int64_t slab = sweep->free_sum.stride[piece->d];
	int d = piece->d;

	if (d < 1 || (slab < SLAB && 1 + last_base(walk, piece) + layout->margin[d - 1] <= PIECE)) {
		one_piece(walk, piece);
		return;
	}
	for (int c = 0; c < piece->bases; c++) {
		struct piece below = {sweep->count[d], piece->first + c * slab, d - 1,
			sweep->bases[d - 1]};
		const struct offsets offsets = {
			.low = c * slab + layout->low[d],
			.high = c * slab + layout->high[d],
			.n = 1 + layout->last_base[d - 1] + layout->margin[d - 1]};

		difference(sweep->wide, sweep->count[d], piece->count, &offsets);
		walk_down(walk, &below);
	}
}

/* Process the slabs of group g. */
static void walk_group(struct walk *walk, int g)
{
	struct snug_sweep *sweep = walk->sweep;
	int top = sweep->mesh->ndims - 1, from = g * sweep->slabs, all = sweep->bases[top];
	int64_t at = from * (int64_t)sweep->free_sum.stride[top];
	const void *sum = sweep->wide ? (void *)sweep->free_sum.sum : sweep->narrow_sum;
	struct piece piece = {counts_at(sweep->wide, sum, at), at, top,
		all - from < sweep->slabs ? all - from : sweep->slabs};

	sweep->unchecked += piece.bases * (int64_t)sweep->free_sum.stride[top];
	walk_down(walk, &piece);
}

/*
 * The next level at which a box of the group can have enough nodes, with `most` at this one: all
 * that a larger box adds may be free.
 */
static int next_due(const struct walk *walk, int last)
{
	const struct snug_sweep *sweep = walk->sweep;
	const struct snug_level *level = sweep->chain->level;
	double missing = (double)((int32_t)walk->want - walk->found.most);
	double volume = level[sweep->level].volume + missing / sweep->mesh->nodes_per_vertex;
	int next = sweep->level + 1;

	while (next <= last && level[next].volume < volume)
		next++;
	return next;
}

static bool late(struct snug_sweep *sweep)
{
	if (sweep->unchecked >= CHECK && sweep->budget) {
		sweep->unchecked = 0;
		sweep->late |= mesh_budget_late(sweep->budget);
	}
	return sweep->late;
}

bool snug_sweep_each(struct snug_sweep *sweep, const struct snug_search *search, snug_take *take,
	void *data)
{
	struct walk walk = {.sweep = sweep, .want = search->want, .take = take, .data = data};
	int all = sweep->bases[sweep->mesh->ndims - 1];
	bool left = false;

	for (int g = 0; g * sweep->slabs < all && !late(sweep); g++) {
		if (sweep->due[g] <= sweep->level) {
			walk.found = (struct found){0, 0};
			walk_group(&walk, g);
			if (!walk.found.any)
				sweep->due[g] = INT32_MAX;
			else if (walk.found.most < (int32_t)search->want)
				sweep->due[g] = next_due(&walk, search->last);
		}
		left |= sweep->due[g] <= search->last;
	}
	return left && !sweep->late;
}

/* --- what is done with bases --------------------------------------------------------------- */

int snug_bases_mark(const struct snug_bases *bases, int at, int n, int want, uint8_t *mark)
{
	if (bases->wide)
		return mark_wide((const uint32_t *)bases->count + at, (uint32_t *)bases->open + at,
			want, mark, n);
	return mark_narrow((const uint16_t *)bases->count + at, (uint16_t *)bases->open + at,
		(int16_t)want, mark, n);
}

void snug_sweep_reopen(struct snug_sweep *sweep, int64_t number)
{
	memset(open_at(sweep, number), 0xff, width(sweep->wide));
}

/* --- faces -------------------------------------------------------------------------------- */

/* Add the corners of a box that is `grown` by one at both ends along dimension d. */
static void add_corners(const struct snug_sweep *sweep, int grown, struct snug_corners *to)
{
	const struct snug_layout *layout = &sweep->layout;
	int ndims = sweep->mesh->ndims;

	for (int c = 0; c < 1 << ndims; c++) {
		int64_t at = 0;
		int low = 0;

		for (int d = 0; d < ndims; d++) {
			int64_t more = d == grown ? sweep->free_sum.stride[d] : 0;

			low += !(c >> d & 1);
			at += c >> d & 1 ? layout->high[d] + more : layout->low[d] - more;
		}
		if (low % 2)
			to->minus[to->n] = at;
		else
			to->plus[to->n] = at;
		to->n += c & 1; /* each sign gets every second corner */
	}
}

/* For each dimension that the box does not close: the grown box less the box. */
static void find_corners(struct snug_sweep *sweep)
{
	const struct snug_level *level = &sweep->chain->level[sweep->level];

	sweep->grown.n = sweep->box.n = 0;
	sweep->faced = 0;
	for (int d = 0; d < sweep->mesh->ndims; d++)
		if (!closed(sweep->mesh, d, level)) {
			add_corners(sweep, d, &sweep->grown);
			sweep->faced++;
		}
	add_corners(sweep, -1, &sweep->box);
	sweep->cornered = true;
}

/* to[i] += a[i] - b[i] */
MESH_VECTORISE static void add_difference(uint32_t *restrict to, const uint32_t *restrict a,
	const uint32_t *restrict b, int n)
{
	for (int i = 0; i < n; i++)
		to[i] += a[i] - b[i];
}

/* The same for four entries of each sign. */
MESH_VECTORISE static void add_differences(uint32_t *restrict to, const uint32_t *from,
	const int64_t *plus, const int64_t *minus, int n)
{
	const uint32_t *a = from + plus[0], *b = from + plus[1], *c = from + plus[2],
		       *d = from + plus[3];
	const uint32_t *e = from + minus[0], *f = from + minus[1], *g = from + minus[2];
	const uint32_t *h = from + minus[3];

	for (int i = 0; i < n; i++)
		to[i] += a[i] - e[i] + (b[i] - f[i]) + (c[i] - g[i]) + (d[i] - h[i]);
}

/* Add to sum[i], for n bases side by side. */
static void add_sums(const uint32_t *from, const struct snug_corners *corners, uint32_t *sum, int n)
{
	int c = 0;

	for (; c + 4 <= corners->n; c += 4)
		add_differences(sum, from, corners->plus + c, corners->minus + c, n);
	for (; c < corners->n; c++)
		add_difference(sum, from + corners->plus[c], from + corners->minus[c], n);
}

uint32_t snug_sweep_face(struct snug_sweep *sweep, int64_t number)
{
	const uint32_t *from = sweep->weight_sum.sum + number;
	uint32_t inside = 0, weight = 0;

	if (!sweep->cornered)
		find_corners(sweep);
	for (int c = 0; c < sweep->box.n; c++)
		inside += from[sweep->box.plus[c]] - from[sweep->box.minus[c]];
	for (int c = 0; c < sweep->grown.n; c++)
		weight += from[sweep->grown.plus[c]] - from[sweep->grown.minus[c]];
	return weight - (uint32_t)sweep->faced * inside;
}

MESH_VECTORISE
void snug_sweep_faces(struct snug_sweep *sweep, int64_t number, int n, uint32_t *weight)
{
	const uint32_t *from = sweep->weight_sum.sum + number;
	uint32_t inside[SNUG_BLOCK] = {0};

	if (!sweep->cornered)
		find_corners(sweep);
	add_sums(from, &sweep->box, inside, n);
	for (int i = 0; i < n; i++)
		weight[i] = -(uint32_t)sweep->faced * inside[i];
	add_sums(from, &sweep->grown, weight, n);
}

void snug_sweep_base(const struct snug_sweep *sweep, int64_t number, int *base)
{
	for (int d = sweep->mesh->ndims - 1; d > 0; d--) {
		base[d] = (int)(number / sweep->free_sum.stride[d]);
		number -= (int64_t)base[d] * sweep->free_sum.stride[d];
	}
	base[0] = (int)number;
}
