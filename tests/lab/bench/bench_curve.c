/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decision times of the packers and the buddies on machines where jobs have come and gone
 * ("jobs"), and where half the nodes are free at random, which is the worst there is for
 * intervals ("noise"): each decision on a state that has nothing to do with the last one. In
 * "next" a job has come or gone since, as it is in life.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "geometry/curve.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

enum { DECISIONS = 401, STATES = 5 };

static struct mesh *cube(int side)
{
	struct mesh_err err;

	return mesh_new(&(struct mesh_spec){.name = "cube",
				.ndims = 3,
				.side = {side, side, side},
				.wrap = {true, true, true},
				.nnodes = side * side * side,
				.nodes_per_vertex = 1},
		&err);
}

/* Jobs of up to 1/64 of the machine along its curve; three of ten have ended. */
static void churned(const struct mesh *mesh, const int *node, uint64_t *seed, struct nodeset *set)
{
	int left = 0;
	bool ended = false;

	nodeset_clear_all(set);
	for (int rank = 0; rank < mesh->nnodes; rank++) {
		if (!left--) {
			left = (int)(random_next(seed) % (uint64_t)(mesh->nnodes / 64));
			ended = random_next(seed) % 10 < 3;
		}
		if (ended)
			nodeset_add(set, node[rank]);
	}
}

static void noise(const struct mesh *mesh, const int *node, uint64_t *seed, struct nodeset *set)
{
	nodeset_clear_all(set);
	for (int rank = 0; rank < mesh->nnodes; rank++)
		if (random_next(seed) & 1)
			nodeset_add(set, node[rank]);
}

/* Each decision on another state, or on one from which a job has gone or come since. */
static void row(const struct strategy_ops *ops, const struct mesh *mesh, struct nodeset *set,
	const char *state_name, double target)
{
	struct mesh_err err;
	struct strategy *strategy = strategy_new(ops, mesh, &err);
	struct mesh_answer answer = {.node = malloc((size_t)mesh->nnodes * sizeof(int))};
	bool next = !strcmp(state_name, "next");
	double took[DECISIONS];

	for (int i = 0; i < DECISIONS; i++) {
		struct mesh_state state = {.free = &set[next ? 0 : i % STATES]};
		struct mesh_request request = {.count = 1 + mesh->nnodes / 256 * (i % 8)};
		double from = bench_us();

		strategy_decide(strategy, &state, &request, &answer);
		took[i] = bench_us() - from;
		/* Jobs of 1/256 of the machine here and there, by node number. */
		for (int n = 0; next && n < mesh->nnodes / 256; n++) {
			int node = (int)((unsigned)i * 7919u % 256u) * (mesh->nnodes / 256) + n;

			set[0].word[node >> 6] ^= UINT64_C(1) << (node & 63);
		}
	}
	qsort(took, DECISIONS, sizeof(*took), bench_by_value);
	printf("%-16s %-5s %3dx%dx%d  median %8.1f us  p90 %8.1f us  (target %.0f us%s)\n",
		ops->name, state_name, mesh->side[0], mesh->side[1], mesh->side[2],
		took[DECISIONS / 2], took[DECISIONS * 9 / 10], target,
		took[DECISIONS / 2] < target ? "" : ": MISSED");
	free(answer.node);
	strategy_free(strategy);
}

static void machine(int side, double target)
{
	static const char *const names[] = {"hilbert-bf", "hilbert-ff", "hilbert-ss",
		"hilbert-sorted", "snake-bf", "row-bf", "mbs", "gmbs"};
	struct mesh *mesh = cube(side);
	int *order = malloc((size_t)mesh->nvertices * sizeof(int));
	int *node = malloc((size_t)mesh->nnodes * sizeof(int));
	struct nodeset jobs[STATES], random[STATES];
	uint64_t seed = 7;

	curve_fill(mesh, CURVE_HILBERT, order);
	curve_nodes(mesh, order, node, NULL);
	for (int s = 0; s < STATES; s++) {
		nodeset_init(&jobs[s], mesh->nnodes);
		nodeset_init(&random[s], mesh->nnodes);
		churned(mesh, node, &seed, &jobs[s]);
		noise(mesh, node, &seed, &random[s]);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct strategy_ops *ops = strategy_find(names[i]);

		if (!ops)
			continue;
		row(ops, mesh, jobs, "jobs", target);
		row(ops, mesh, random, "noise", target);
		row(ops, mesh, jobs, "next", target);
	}
	for (int s = 0; s < STATES; s++) {
		nodeset_release(&jobs[s]);
		nodeset_release(&random[s]);
	}
	free(order);
	free(node);
	mesh_free(mesh);
}

int main(void)
{
	machine(16, 20);
	machine(100, 1000);
	return 0;
}
