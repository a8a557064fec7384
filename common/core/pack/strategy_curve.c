/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One-dimensional packing along an ordering of the machine: V. Leung et al., "Processor
 * allocation on Cplant: achieving general processor locality using one-dimensional
 * allocation strategies", section 2.3.
 *
 * Nodes have ranks along the ordering (see curve.h). An interval is a longest run of consecutive
 * free ranks; it does not go around the ends. If there are intervals of at least k nodes, the
 * packer chooses one, and the job gets its first k nodes. Otherwise the job gets the k free nodes
 * of least ring span, which goes around.
 *
 * Required nodes: only intervals with all of them count, and the job moves as far into the
 * interval as is needed to cover them. Without such an interval, the job gets the least span of k
 * free nodes that include them.
 *
 * A bitmap has the free ranks. Only nodes that have changed since the last decision update it, but
 * the answer does not depend on the past. O(n/64 + changes + intervals); if no interval is long
 * enough, O(free ranks).
 */
#include "ask/strategy.h"

#include <stdlib.h>

#include "geometry/curve.h"
#include "pack/ranked.h"

enum packer { SORTED, FIRST_FIT, BEST_FIT, SUM_OF_SQUARES };

struct preset {
	enum curve curve;
	enum packer packer;
};

struct scratch {
	int *order; /* [nvertices] */
	struct ranked ranked;
	int *member; /* [nnodes] scratch: the free ranks */
	int *length; /* [nnodes + 1] intervals of each length; 0 between decisions */
	int *known;  /* [nnodes + 1] the lengths whose length[] is not 0 */
	int nknown;
};

/* A request along the ordering. */
struct line {
	struct scratch *s;
	const struct nodeset *required; /* NULL when there are none */
	int nnodes, count;
	int nrequired, first_required, last_required; /* ranks */
};

/* The chosen part: k of the free ranks in first..last; last >= nnodes goes around the end. */
struct window {
	int first, last;
};

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct preset *preset = strategy->ops->preset;
	const struct mesh *mesh = strategy->mesh;
	struct arena *arena = &strategy->arena;
	struct scratch *s = strategy->scratch = arena_get(arena, 1, sizeof(*s));
	int n = mesh->nnodes;

	if (!s || ranked_init(&s->ranked, mesh, n, arena))
		return -1;
	arena_array(arena, s->order, mesh->nvertices);
	arena_array(arena, s->member, n + 1);
	arena_array(arena, s->length, n + 1);
	arena_array(arena, s->known, n + 1);
	if (arena->out || curve_fill(mesh, preset->curve, s->order))
		return err_printf(err, "out of memory");
	curve_nodes(mesh, s->order, s->ranked.node, s->ranked.rank);
	strategy->order = s->order;
	return 0;
}

static void read_required(struct line *line, const struct nodeset *required)
{
	line->first_required = INT32_MAX;
	line->last_required = -1;
	if (!required)
		return;
	nodeset_each(i, required) {
		int rank = line->s->ranked.rank[i];

		line->nrequired++;
		line->first_required = rank < line->first_required ? rank : line->first_required;
		line->last_required = rank > line->last_required ? rank : line->last_required;
	}
	if (line->nrequired)
		line->required = required;
}

static bool is_required(const struct line *line, int rank)
{
	return line->required && nodeset_has(line->required, line->s->ranked.node[rank]);
}

/* The end of the interval that holds rank: the first rank behind it that is not free. */
static int interval_end(const struct nodeset *set, int rank)
{
	int w = rank >> 6;
	uint64_t busy = ~set->word[w] & ~UINT64_C(0) << (rank & 63);

	while (!busy && ++w < nodeset_words(set->n))
		busy = ~set->word[w];
	return w < nodeset_words(set->n) && 64 * w + __builtin_ctzll(busy) < set->n
		? 64 * w + __builtin_ctzll(busy) : set->n;
}

/* Place the job in the interval from..to-1: at its start, or as far up as required nodes need. */
static bool place(const struct line *line, int from, int to, struct window *window)
{
	int least = line->last_required - line->count + 1;

	from = least > from ? least : from;
	*window = (struct window){from, from + line->count - 1};
	return window->last < to && (!line->required || from <= line->first_required);
}

static void count_length(struct scratch *s, int length)
{
	if (!s->length[length]++)
		s->known[s->nknown++] = length;
}

/* Count the intervals of each length. */
static void count_lengths(struct scratch *s)
{
	int open = 0; /* the length of the interval that reaches this word */

	for (int w = 0; w < nodeset_words(s->ranked.free.n); w++) {
		uint64_t word = s->ranked.free.word[w];
		int at = 0;

		while (word) {
			int busy = __builtin_ctzll(word), run;

			if (busy && open)
				count_length(s, open);
			open = busy ? 0 : open;
			word >>= busy;
			run = ~word ? __builtin_ctzll(~word) : 64;
			at += busy + run;
			open += run;
			if (at >= 64)
				break;
			word >>= run;
			count_length(s, open);
			open = 0;
		}
		if (at < 64 && open) {
			count_length(s, open);
			open = 0;
		}
	}
	if (open)
		count_length(s, open);
}

static void forget_lengths(struct scratch *s)
{
	while (s->nknown)
		s->length[s->known[--s->nknown]] = 0;
}

/*
 * How much the sum of squares of lengths changes if a window of an interval goes: one interval of
 * its length disappears, and what is left on either side appears.
 */
static int64_t squares(int *length, int from, int to, struct window window)
{
	int left[2] = {window.first - from, to - 1 - window.last};
	int64_t change = 1 - 2 * (int64_t)length[to - from]--;

	for (int i = 0; i < 2; i++)
		if (left[i])
			change += 1 + 2 * (int64_t)length[left[i]]++;
	for (int i = 0; i < 2; i++)
		length[left[i]] -= left[i] > 0;
	length[to - from]++;
	return change;
}

/* Find the interval that the packer likes best. */
static bool find_interval(const struct line *line, enum packer packer, struct window *best)
{
	struct scratch *s = line->s;
	int64_t least = INT64_MAX;

	if (packer == SUM_OF_SQUARES)
		count_lengths(s);
	for (int from = 0, to; (from = nodeset_next(&s->ranked.free, from)) >= 0; from = to) {
		struct window window;
		int64_t cost = 0;

		to = interval_end(&s->ranked.free, from);
		if (to - from < line->count || !place(line, from, to, &window))
			continue;
		if (packer == BEST_FIT)
			cost = to - from - line->count;
		else if (packer == SUM_OF_SQUARES)
			cost = squares(s->length, from, to, window);
		if (cost < least) {
			least = cost;
			*best = window;
		}
		if (!cost && packer != SUM_OF_SQUARES)
			break;
	}
	forget_lengths(s);
	return least < INT64_MAX;
}

/*
 * The k free ranks of least span. The window may hold more free ranks, so as to have required
 * ones.
 */
static struct window least_span(const struct line *line)
{
	int *rank = line->s->member, n = nodeset_members(&line->s->ranked.free, rank);
	int least = INT32_MAX, required = line->last_required;
	struct window best = {0, 0};

	for (int i = 0, end = line->count - 1; i < n; i++, end++) {
		int last = end < n ? rank[end] : rank[end - n] + line->nnodes;

		last = required > last ? required : last;
		if (last - rank[i] + 1 < least) {
			least = last - rank[i] + 1;
			best = (struct window){rank[i], last};
		}
		/* For later starts this required rank is reached around the end. */
		if (is_required(line, rank[i]))
			required = rank[i] + line->nnodes;
	}
	return best;
}

/* What is taken so far. Places count from the window's first rank, beyond the end + nnodes. */
struct taken {
	int optional; /* may still be taken */
	int first, last, gap;
};

static void take_rank(
	const struct line *line, struct mesh_answer *answer, struct taken *taken, int at)
{
	int rank = at < line->nnodes ? at : at - line->nnodes;
	bool must = is_required(line, rank);

	if (!must && !taken->optional)
		return;
	taken->optional -= !must;
	answer->node[answer->count++] = line->s->ranked.node[rank];
	taken->first = taken->first < 0 ? at : taken->first;
	taken->gap = taken->last >= 0 && at - taken->last - 1 > taken->gap ? at - taken->last - 1
									   : taken->gap;
	taken->last = at;
}

/* Take the free ranks from..to; their places are `turn` higher. */
static void take_ranks(const struct line *line, struct mesh_answer *answer, struct taken *taken,
	struct window window, int turn)
{
	int from = window.first, to = window.last;

	for (int w = from >> 6; from <= to && w <= to >> 6; w++) {
		uint64_t word = line->s->ranked.free.word[w] &
			nodeset_range(from, to - from + 1, w);

		for (; word && answer->count < line->count; word &= word - 1)
			take_rank(line, answer, taken, turn + 64 * w + __builtin_ctzll(word));
	}
}

/* Take the required ranks of a window and its first other ones. Their ring span is the cost. */
static void take(const struct line *line, struct window window, struct mesh_answer *answer)
{
	struct taken taken = {line->count - line->nrequired, -1, -1, 0};
	int n = line->nnodes, around;

	take_ranks(line, answer, &taken,
		(struct window){window.first, window.last < n ? window.last : n - 1}, 0);
	take_ranks(line, answer, &taken, (struct window){0, window.last - n}, n);
	around = taken.first + n - taken.last - 1;
	answer->cost = n - (around > taken.gap ? around : taken.gap);
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	enum packer packer = ((const struct preset *)strategy->ops->preset)->packer;
	struct line line = {.s = strategy->scratch, .nnodes = strategy->mesh->nnodes,
		.count = request->count};
	struct window window = {0, line.nnodes - 1};

	ranked_read(&line.s->ranked, state->free);
	read_required(&line, request->required);
	if (packer != SORTED && !find_interval(&line, packer, &window))
		window = least_span(&line);
	take(&line, window, answer);
	return MESH_OK;
}

#define ROW(CURVE, ID, PACKER, NAME, TEXT)                                  \
	{                                                                   \
		.name = CURVE "-" NAME,                                     \
		.summary = TEXT " along the " CURVE " ordering",            \
		.source = "Leung et al. 2002",                              \
		.time = "O(n/64 + k + intervals + nodes changed)",          \
		.flags = STRATEGY_NO_RUNS,                                  \
		.preset = &(const struct preset){ID, PACKER},               \
		.init = init,                                               \
		.decide = decide,                                           \
	}

#define ROWS(CURVE, ID)                                                     \
	ROW(CURVE, ID, BEST_FIT, "bf", "tightest free interval"),           \
	ROW(CURVE, ID, FIRST_FIT, "ff", "first free interval"),             \
	ROW(CURVE, ID, SUM_OF_SQUARES, "ss", "free interval by sum of squares"), \
	ROW(CURVE, ID, SORTED, "sorted", "first free nodes")

const struct strategy_ops strategy_curve_family[] = {
	ROWS("hilbert", CURVE_MESH),
	ROWS("snake", CURVE_SNAKE),
	ROWS("row", CURVE_ROW),
	{0},
};
