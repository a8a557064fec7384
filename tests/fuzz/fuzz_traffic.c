/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a file with the traffic of an application, as smesh ranks reads it. Whatever
 * the bytes, there is one line of text, or traffic for which ranks can be placed: as many on
 * each node as there should be, and no worse than in block order. The same bytes as a grid of
 * ranks, 8x8x8:27: text, or traffic among that many.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "learn/trafficfile.h"
#include "ranks/rankmap.h"

enum { NODES = 8, PER_NODE = 3, RANKS = NODES * PER_NODE };

static const struct mesh *machine(void)
{
	static struct mesh *mesh; /* made once */
	struct mesh_spec spec = {.name = "m", .ndims = 2, .side = {4, 4}, .wrap = {true, false},
		.nnodes = 16, .nodes_per_vertex = 1};

	if (!mesh)
		mesh = mesh_new(&spec, NULL);
	fuzz_require(mesh);
	return mesh;
}

static void check_traffic(const struct traffic *traffic, int ranks, bool directed)
{
	fuzz_require(traffic->n == ranks && traffic->start[0] == 0);
	for (int i = 0; i < ranks; i++) {
		fuzz_require(traffic->start[i] <= traffic->start[i + 1]);
		for (size_t k = traffic->start[i]; k < traffic->start[i + 1]; k++) {
			fuzz_require(traffic->to[k] >= 0 && traffic->to[k] < ranks);
			fuzz_require(traffic->to[k] != i);
			fuzz_require(isfinite(traffic->weight[k]));
			fuzz_require(directed ? traffic->weight[k] != 0 : traffic->weight[k] > 0);
		}
	}
	fuzz_require(traffic->steps <= TRAFFIC_STEPS);
	for (int step = 0; step < traffic->steps; step++)
		check_traffic(&traffic->step[step], ranks, true);
}

/* The local search takes its time, by the load of links 8 s under the sanitizers: now and then. */
static void place_ranks(const struct traffic *traffic, bool search,
	enum rankmap_objective objective)
{
	static const int node[NODES] = {0, 15, 3, 5, 6, 9, 10, 12};
	struct rankmap_input in = {.mesh = machine(), .node = node, .nnodes = NODES,
		.per_node = PER_NODE, .traffic = traffic, .fold_only = !search,
		.objective = objective};
	int place[RANKS], on[NODES] = {0};
	struct rankmap_answer answer = {.place = place};
	struct mesh_err err = {{0}};

	fuzz_require(!rankmap_solve(&in, &answer, &err));
	for (int i = 0; i < RANKS; i++) {
		fuzz_require(place[i] >= 0 && place[i] < NODES);
		on[place[i]]++;
	}
	for (int i = 0; i < NODES; i++)
		fuzz_require(on[i] == PER_NODE);
	fuzz_require(answer.hop_bytes >= 0 && (objective == RANKMAP_PEAK ||
		answer.hop_bytes <= answer.block_hop_bytes));
}

static void try_grid(const uint8_t *data, size_t size)
{
	struct traffic traffic;
	struct traffic_grid grid;
	struct mesh_err err = {{0}};
	char text[64] = "";

	memcpy(text, data, size < sizeof(text) ? size : sizeof(text) - 1);
	if (traffic_grid_parse(&grid, text, &err)) {
		fuzz_require(*err.text);
		fuzz_text(&err);
		return;
	}
	if (traffic_grid_size(&grid, &err) > 4096)
		return;
	fuzz_require(!traffic_init_grid(&traffic, &grid, &err));
	check_traffic(&traffic, traffic_grid_size(&grid, &err), false);
	traffic_release(&traffic);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct traffic traffic = {0};
	struct mesh_err err = {{0}};
	char path[FUZZ_PATH];
	int fd = fuzz_file(data, size, path);

	try_grid(data, size);
	if (trafficfile_read(&traffic, path, RANKS, &err)) {
		fuzz_require(*err.text);
		fuzz_text(&err);
	} else {
		check_traffic(&traffic, RANKS, false);
		place_ranks(&traffic, size % 8 == 0,
			size % 64 ? RANKMAP_HOPS : RANKMAP_PEAK);
	}
	traffic_release(&traffic);
	close(fd);
	return 0;
}
