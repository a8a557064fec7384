/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each node is an assignment problem of its own, solved like that between nodes: ranks are halved
 * by their traffic, and exchanged from there. The result is never worse than the ranks in order.
 * O(ranks (log + edges) + exchanges).
 */
#include "ranks/rankfold.h"

#include "ranks/drb.h"

/* Exchanges that annealing tries per rank, and the most in all. */
enum { MOVES_PER_RANK = 200, MAX_MOVES = 20000000 };

struct folder {
	const struct rankfold_input *input;
	int *rank;  /* [nodes * per_node] ranks by node, ascending on each */
	int *local; /* [ranks] the rank's number among its node's ranks */
	int *in_order, *folded; /* [per_node] cores, scratch */
	struct traffic_edge *edge;
};

/* Sort ranks by node; -1: a node does not have per_node of them. next[]: 0 for each node. */
static int sort_ranks(struct folder *f, int *next)
{
	const struct rankfold_input *in = f->input;

	for (int i = 0; i < in->traffic->n; i++) {
		int node = in->place[i];

		if (node < 0 || node >= in->nnodes || next[node] >= in->per_node)
			return -1;
		f->local[i] = next[node]++;
		f->rank[node * in->per_node + f->local[i]] = i;
	}
	return 0;
}

/* Make the traffic inside one node, among its ranks 0..per_node-1. */
static int local_traffic(struct folder *f, int node, struct traffic *local)
{
	const struct traffic *t = f->input->traffic;
	size_t count = 0;

	for (int i = 0; i < f->input->per_node; i++) {
		int rank = f->rank[node * f->input->per_node + i];

		for (size_t e = t->start[rank]; e < t->start[rank + 1]; e++)
			if (rank < t->to[e] && f->input->place[t->to[e]] == node)
				f->edge[count++] = (struct traffic_edge){i,
					f->local[t->to[e]], t->weight[e]};
	}
	return traffic_init(local, f->input->per_node, f->edge, count, NULL);
}

static int fold_node(struct folder *f, int node, struct rankfold_answer *answer)
{
	const struct rankfold_input *in = f->input;
	int64_t moves = (int64_t)MOVES_PER_RANK * in->per_node;
	struct assign_effort effort = {.seed = in->seed,
		.moves = moves < MAX_MOVES / in->nnodes ? moves : MAX_MOVES / in->nnodes};
	struct traffic local;
	/* Ranks are halved again and again by their traffic; the halves stay next to each other. */
	const struct drb_input halves = {.traffic = &local, .parts = in->per_node, .per_node = 1,
		.seed = in->seed};
	double plain, cost = -1;
	const int *best = f->in_order;

	if (local_traffic(f, node, &local))
		return -1;
	for (int i = 0; i < in->per_node; i++)
		f->in_order[i] = i;
	plain = assign_cost(&local, in->cores, f->in_order);
	if (!drb_map(&halves, f->folded))
		cost = assign_improve(&local, in->cores, f->folded, &effort);
	traffic_release(&local);
	if (cost < 0)
		return -1;
	if (cost < plain)
		best = f->folded;
	answer->in_order_distance_bytes += plain;
	answer->distance_bytes += cost < plain ? cost : plain;
	for (int i = 0; i < in->per_node; i++) {
		answer->core[f->rank[node * in->per_node + i]] = best[i];
		if (best[i] != answer->core[f->rank[i]])
			answer->alike = false;
	}
	return 0;
}

int rankfold_solve(const struct rankfold_input *input, struct rankfold_answer *answer,
	struct mesh_err *err)
{
	int ranks = input->traffic->n, *next, result;
	struct folder f = {.input = input};
	struct arena arena = {0};

	if (input->cores->n != input->per_node ||
		(int64_t)input->nnodes * input->per_node != input->traffic->n)
		return err_printf(err, "%d nodes with %d cores each for %d ranks", input->nnodes,
			input->cores->n, input->traffic->n);
	arena_array(&arena, f.rank, ranks);
	arena_array(&arena, f.local, ranks);
	arena_array(&arena, f.in_order, input->per_node);
	arena_array(&arena, f.folded, input->per_node);
	arena_array(&arena, f.edge, (int64_t)input->traffic->start[ranks]);
	next = arena_get(&arena, input->nnodes, sizeof(*next));
	result = next ? 0 : err_printf(err, "out of memory");
	if (!result && sort_ranks(&f, next))
		result = err_printf(err, "not %d ranks on each node", input->per_node);
	answer->distance_bytes = answer->in_order_distance_bytes = 0;
	answer->alike = true;
	for (int node = 0; !result && node < input->nnodes; node++)
		if (fold_node(&f, node, answer))
			result = err_printf(err, "out of memory");
	arena_release(&arena);
	return result;
}
