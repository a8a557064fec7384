/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How far hop-bytes fall below block order on scattered allocations (mm on a machine that is
 * 40 % busy at random), and how long that takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "ranks/rankmap.h"
#include "conf/strategies.h"
#include "decide/strategy_decide.h"

struct machine {
	const char *name;
	int ndims, side[3];
	bool wrap;
};

struct job {
	int nodes, per_node, ndims, side[3];
};

static const struct machine machines[] = {
	{"16x16x16 torus", 3, {16, 16, 16}, true},
	{"16x16x16 mesh", 3, {16, 16, 16}, false},
	{"64x64 mesh", 2, {64, 64}, false},
};

static const struct job jobs[] = {
	{64, 1, 3, {4, 4, 4}}, {64, 1, 2, {8, 8}}, {128, 1, 3, {8, 4, 4}}, {128, 1, 2, {16, 8}},
	{256, 1, 3, {8, 8, 4}}, {256, 1, 2, {16, 16}}, {512, 1, 3, {8, 8, 8}},
	{512, 1, 2, {32, 16}}, {64, 16, 3, {8, 8, 16}}, {64, 16, 2, {32, 32}},
	{512, 16, 3, {16, 16, 32}}, {512, 16, 2, {128, 64}},
};

static struct mesh *make(const struct machine *m)
{
	struct mesh_spec spec = {
		.name = "m", .ndims = m->ndims, .nnodes = 1, .nodes_per_vertex = 1};

	for (int d = 0; d < m->ndims; d++) {
		spec.side[d] = m->side[d];
		spec.wrap[d] = m->wrap;
		spec.nnodes *= m->side[d];
	}
	return mesh_new(&spec, NULL);
}

static int allocate(const struct mesh *mesh, int count, int *node)
{
	struct nodeset free_set;
	struct mesh_state state = {.free = &free_set};
	struct mesh_answer answer = {.node = node};
	struct strategy *mm = strategy_new(strategy_find("mm"), mesh, NULL);
	uint64_t random = (uint64_t)count;

	nodeset_init(&free_set, mesh->nnodes);
	for (int i = 0; i < mesh->nnodes; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		if (random >> 33 & 1023 && (random >> 40) % 10 >= 4)
			nodeset_add(&free_set, i);
	}
	int result = strategy_decide(mm, &state, &(struct mesh_request){.count = count}, &answer);

	strategy_free(mm);
	nodeset_release(&free_set);
	return result;
}

static void one(const struct mesh *mesh, const struct job *job)
{
	struct traffic_grid grid = {.ndims = job->ndims, .weight = {1, 1, 1}};
	struct rankmap_input input = {.mesh = mesh, .nnodes = job->nodes,
		.per_node = job->per_node, .grid = &grid};
	struct rankmap_answer answer = {0};
	struct traffic traffic;
	struct mesh_err err = {{0}};
	int *node = malloc((size_t)mesh->nnodes * sizeof(*node));

	memcpy(grid.side, job->side, sizeof(job->side));
	answer.place = malloc((size_t)(job->nodes * job->per_node) * sizeof(int));
	allocate(mesh, job->nodes, node);
	traffic_init_grid(&traffic, &grid, &err);
	input.node = node;
	input.traffic = &traffic;

	double from = bench_us();

	if (rankmap_solve(&input, &answer, &err))
		printf("%s\n", err.text);
	printf("%4d x %-2d %3dx%dx%-3d %9.0f", job->nodes, job->per_node, grid.side[0],
		grid.side[1], grid.side[2], answer.block_hop_bytes);
	printf(" %9.0f", answer.hop_bytes);
	printf("  %5.1f %% less  %.2f s\n", 100 - 100 * answer.hop_bytes / answer.block_hop_bytes,
		(bench_us() - from) / 1e6);
	traffic_release(&traffic);
	free(node);
	free(answer.place);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct mesh *mesh = make(&machines[i]);

		printf("%s: nodes x ranks, grid, hop-bytes of block order, mapped\n",
			machines[i].name);
		for (size_t j = 0; mesh && j < sizeof(jobs) / sizeof(jobs[0]); j++)
			one(mesh, &jobs[j]);
		mesh_free(mesh);
	}
	return 0;
}
