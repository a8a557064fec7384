/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/ranks_choose.h"

#include <stdlib.h>
#include <string.h>

#include "cli/smesh.h"
#include "strategy/strategy.h"
#include "cli/suggest.h"

struct work {
	struct ranks_choose *choose;
	struct rankmap_input input; /* node: those of the strategy at hand */
	const struct nodeset *free;
	int *node;		    /* [nodes of the mesh] of it */
	struct rankmap_answer answer; /* on them; its place[] is ours */
	int *best_node;
	struct rankmap_answer *best;
};

static double value(const struct work *w, double hop_bytes, double peak_load)
{
	return w->input.objective == RANKMAP_PEAK ? peak_load : hop_bytes;
}

/* True: it is the best one now. */
static bool add_row(struct work *w, struct ranks_choice row)
{
	struct ranks_choose *c = w->choose;
	const struct ranks_choice *best = &c->row[c->best];

	c->row[c->nrows++] = row;
	if (c->nrows > 1 &&
		value(w, row.hop_bytes, row.peak_load) >=
			value(w, best->hop_bytes, best->peak_load))
		return false;
	c->best = c->nrows - 1;
	return true;
}

static void keep(struct work *w)
{
	int *place = w->best->place;

	*w->best = w->answer;
	w->best->place = place;
	memcpy(place, w->answer.place, (size_t)w->input.traffic->n * sizeof(int));
	memcpy(w->best_node, w->node, (size_t)w->input.nnodes * sizeof(int));
}

/* Ranks on the nodes at hand, in block order and by `smesh ranks`. */
static int map(struct work *w, const char *name)
{
	const struct rankmap_answer *a = &w->answer;
	struct mesh_err err = {{0}};
	bool best;

	if (rankmap_solve(&w->input, &w->answer, &err))
		return smesh_fail(SMESH_FAILED, "%s", err.text);
	best = add_row(
		w, (struct ranks_choice){name, "block", a->block_hop_bytes, a->block_peak_load});
	best |= add_row(
		w, (struct ranks_choice){name, "smesh ranks", a->hop_bytes, a->peak_load});
	/* Block order is among what rankmap tries: where it is as good, it is the answer. */
	if (best)
		keep(w);
	return SMESH_OK;
}

/* --- strategies -------------------------------------------------------------------------- */

static struct mesh_request request_of(const struct work *w)
{
	const struct traffic_grid *grid = w->input.grid;
	struct mesh_request request = {.count = w->input.nnodes, .seed = w->input.seed};

	if (!grid || grid->ndims < 2 || grid->first_fastest)
		return request;
	request.pattern = COMM_GRID;
	request.grid.ndims = grid->ndims;
	memcpy(request.grid.side, grid->side, sizeof(grid->side));
	return request;
}

static int by_strategy(struct work *w, const struct strategy_ops *ops)
{
	struct mesh_err err = {{0}};
	struct mesh_request request = request_of(w);
	struct mesh_answer answer = {.node = w->node};
	struct strategy *strategy = strategy_new(ops, w->input.mesh, &err);
	enum mesh_result result;

	if (!strategy)
		return smesh_fail(SMESH_FAILED, "%s: %s", ops->name, err.text);
	result =
		strategy_decide(strategy, &(struct mesh_state){.free = w->free}, &request, &answer);
	strategy_free(strategy);
	if (result == MESH_NO_FIT || result == MESH_NEVER)
		return smesh_fail(result == MESH_NEVER ? SMESH_NEVER : SMESH_NO_FIT,
			"%s has no place for %d nodes", ops->name, w->input.nnodes);
	if (result != MESH_OK || answer.count != w->input.nnodes)
		return smesh_fail(SMESH_FAILED, "%s: %s", ops->name,
			*answer.err.text ? answer.err.text : "another number of nodes");
	return map(w, ops->name);
}

/* --- all --------------------------------------------------------------------------------- */

static int each_name(struct work *w, char *names)
{
	char *save = NULL;
	int code = SMESH_OK;

	for (char *name = strtok_r(names, ",", &save); name && code == SMESH_OK;
		name = strtok_r(NULL, ",", &save)) {
		const struct strategy_ops *ops = suggest_strategy(name);

		if (!ops)
			return SMESH_USAGE;
		if (w->choose->nrows + 2 > RANKS_CHOICES)
			return smesh_fail(SMESH_USAGE, "at most %d strategies", RANKS_CHOICES / 2);
		code = by_strategy(w, ops);
	}
	return code == SMESH_OK && !w->choose->nrows
		? smesh_fail(SMESH_USAGE, "-s: no strategy is named")
		: code;
}

int ranks_choose(struct ranks_choose *choose, const struct rankmap_input *input,
	const struct nodeset *free_set, int *node, struct rankmap_answer *answer)
{
	struct work w = {.choose = choose,
		.input = *input,
		.free = free_set,
		.best_node = node,
		.best = answer};
	char *names = strdup(choose->strategies ? choose->strategies : "linear,snug");
	int code;

	w.node = malloc((size_t)input->mesh->nnodes * sizeof(int));
	w.answer.place = malloc((size_t)input->traffic->n * sizeof(int));
	w.input.node = w.node;
	if (names && w.node && w.answer.place)
		code = each_name(&w, names);
	else
		code = smesh_fail(SMESH_FAILED, "out of memory");
	free(names);
	free(w.node);
	free(w.answer.place);
	return code;
}
