/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One-dimensional packing along an ordering of the machine: V. Leung et al., "Processor
 * allocation on Cplant: achieving general processor locality using one-dimensional
 * allocation strategies", section 2.3.
 *
 * Nodes have ranks along the ordering (see curve.h). An interval is a longest run of
 * consecutive ranks that are free; it does not go around the ends. If intervals of at least
 * k nodes exist, the packer says which one, and the job gets its first k nodes. Otherwise
 * the job gets the k free nodes of least ring span, which does go around.
 *
 * Required nodes: only intervals with all of them count, and the job is moved as far into
 * the interval as it takes to cover them; without such an interval, the span is the least of
 * those of k free nodes with the required ones among them.
 *
 * O(n): one pass over the ranks, one over the free ones.
 */
#include "strategy.h"

#include <stdlib.h>
#include <string.h>

#include "curve.h"

enum packer { SORTED, FIRST_FIT, BEST_FIT, SUM_OF_SQUARES };

struct preset {
	enum curve curve;
	enum packer packer;
};

struct scratch {
	int *order;  /* [nvertices] */
	int *node;   /* [nnodes] node at each rank */
	int *free;   /* [nnodes] ranks that are free, ascending */
	int *length; /* [nnodes + 1] intervals of each length; 0 between decisions */
};

/* A request along the ordering. Places are indices into free[]. */
struct line {
	const struct scratch *s;
	const struct nodeset *required; /* NULL when there are none */
	int nnodes, nfree, count;
	int first_required, last_required; /* places; -1 when there are none */
};

/* Chosen: `count` of the free ranks at places first..last (around the end if last >= nfree). */
struct window {
	int first, last;
};

static int init(struct strategy *strategy, struct mesh_err *err)
{
	const struct preset *preset = strategy->ops->preset;
	const struct mesh *mesh = strategy->mesh;
	struct scratch *s = calloc(1, sizeof(*s));
	size_t n = (size_t)mesh->nnodes;

	strategy->scratch = s;
	if (s) {
		s->order = malloc((size_t)mesh->nvertices * sizeof(int));
		s->node = malloc(n * sizeof(int));
		s->free = malloc((n + 1) * sizeof(int));
		s->length = calloc(n + 1, sizeof(int));
	}
	if (!s || !s->order || !s->node || !s->free || !s->length ||
		curve_fill(mesh, preset->curve, s->order))
		return err_printf(err, "out of memory");
	curve_nodes(mesh, s->order, s->node, NULL);
	strategy->order = s->order;
	return 0;
}

static void release(struct strategy *strategy)
{
	struct scratch *s = strategy->scratch;

	if (s) {
		free(s->order);
		free(s->node);
		free(s->free);
		free(s->length);
	}
	free(s);
}

static bool is_required(const struct line *line, int place)
{
	return line->required && nodeset_has(line->required, line->s->node[line->s->free[place]]);
}

/* The ranks that are free. Without a branch: whether the next one is free is anyone's guess. */
static void read_state(struct line *line, const struct nodeset *free_set)
{
	int n = 0;

	for (int rank = 0; rank < line->nnodes; rank++) {
		line->s->free[n] = rank;
		n += nodeset_has(free_set, line->s->node[rank]);
	}
	line->nfree = n;
	line->first_required = line->last_required = -1;
	for (int i = 0; line->required && i < n; i++)
		if (is_required(line, i)) {
			if (line->first_required < 0)
				line->first_required = i;
			line->last_required = i;
		}
}

/* The interval that begins at place i ends before the place returned. */
static int interval_end(const struct line *line, int i)
{
	const int *rank = line->s->free;

	for (i++; i < line->nfree && rank[i] == rank[i - 1] + 1; i++)
		;
	return i;
}

static bool fits(const struct line *line, int from, int to)
{
	return to - from >= line->count && (!line->required ||
		(from <= line->first_required && line->last_required < to &&
			line->last_required - line->first_required < line->count));
}

/* The job as near to the interval's start as its required nodes permit. */
static struct window place_in(const struct line *line, int from)
{
	int least = line->last_required - line->count + 1;

	from = least > from ? least : from;
	return (struct window){from, from + line->count - 1};
}

static void count_lengths(const struct line *line, int step)
{
	for (int i = 0, end; i < line->nfree; i = end) {
		end = interval_end(line, i);
		line->s->length[end - i] += step;
	}
}

/*
 * What the sum of squares changes by if the first k of an interval go: one interval fewer of
 * its length, one more of what is left. Required nodes in its middle may leave two.
 */
static int64_t squares(const struct line *line, int from, int to)
{
	struct window window = place_in(line, from);
	int left[2] = {window.first - from, to - 1 - window.last};
	int *length = line->s->length;
	int64_t change = 1 - 2 * (int64_t)length[to - from]--;

	for (int i = 0; i < 2; i++)
		if (left[i])
			change += 1 + 2 * (int64_t)length[left[i]]++;
	for (int i = 0; i < 2; i++)
		length[left[i]] -= left[i] > 0;
	length[to - from]++;
	return change;
}

/* The interval that the packer likes best. */
static bool find_interval(const struct line *line, enum packer packer, struct window *best)
{
	int64_t least = INT64_MAX;
	bool found = false;

	for (int i = 0, end; i < line->nfree; i = end) {
		end = interval_end(line, i);
		if (!fits(line, i, end))
			continue;
		int64_t cost = packer == FIRST_FIT ? 0
			: packer == BEST_FIT	   ? end - i
						   : squares(line, i, end);

		if (cost < least) {
			least = cost;
			*best = place_in(line, i);
			found = true;
		}
		if (packer == FIRST_FIT)
			break;
	}
	return found;
}

/* Ranks from place i to place j, around the end when j >= nfree. */
static int span_of(const struct line *line, int i, int j)
{
	const int *rank = line->s->free;

	return j < line->nfree ? rank[j] - rank[i] + 1
			       : rank[j - line->nfree] + line->nnodes - rank[i] + 1;
}

/* The window of least span with k free places and all required ones in it. */
static struct window least_span(const struct line *line)
{
	struct window best = {0, 0};
	int least = INT32_MAX, last_required = line->last_required;

	for (int i = 0; i < line->nfree; i++) {
		int j = i + line->count - 1, span;

		j = last_required > j ? last_required : j;
		span = span_of(line, i, j);
		if (span < least) {
			least = span;
			best = (struct window){i, j};
		}
		/* From the next place on, this one is reached around the end. */
		if (is_required(line, i))
			last_required = i + line->nfree;
	}
	return best;
}

/* The required places of a window, and its first others, as nodes. Their ring span is the cost. */
static void take(const struct line *line, struct window window, struct mesh_answer *answer)
{
	int optional = line->count - (line->required ? nodeset_count(line->required) : 0);
	int first = -1, last = -1, gap = 0;

	for (int i = window.first; i <= window.last; i++) {
		int place = i < line->nfree ? i : i - line->nfree;
		int rank = line->s->free[place] + (i < line->nfree ? 0 : line->nnodes);
		bool must = is_required(line, place);

		if (!must && !optional)
			continue;
		optional -= !must;
		answer->node[answer->count++] = line->s->node[line->s->free[place]];
		first = first < 0 ? rank : first;
		gap = last >= 0 && rank - last - 1 > gap ? rank - last - 1 : gap;
		last = rank;
	}
	if (first + line->nnodes - last - 1 > gap)
		gap = first + line->nnodes - last - 1;
	answer->cost = line->nnodes - gap;
}

static enum mesh_result decide(struct strategy *strategy, const struct mesh_state *state,
	const struct mesh_request *request, struct mesh_answer *answer)
{
	enum packer packer = ((const struct preset *)strategy->ops->preset)->packer;
	struct line line = {.s = strategy->scratch, .nnodes = strategy->mesh->nnodes,
		.count = request->count};
	struct window window;

	if (request->required && nodeset_count(request->required))
		line.required = request->required;
	read_state(&line, state->free);
	window = (struct window){0, line.nfree - 1};
	if (packer == SUM_OF_SQUARES)
		count_lengths(&line, 1);
	if (packer != SORTED && !find_interval(&line, packer, &window))
		window = least_span(&line);
	if (packer == SUM_OF_SQUARES)
		count_lengths(&line, -1);
	take(&line, window, answer);
	return MESH_OK;
}

#define ROW(CURVE, ID, PACKER, NAME, TEXT)                                  \
	{                                                                   \
		.name = CURVE "-" NAME,                                     \
		.summary = TEXT " along the " CURVE " ordering",            \
		.source = "Leung et al. 2002",                              \
		.time = "O(n)",                                             \
		.preset = &(const struct preset){ID, PACKER},               \
		.init = init,                                               \
		.release = release,                                         \
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
