/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/traffic_gain.h"

#include <stdlib.h>
#include <string.h>

#include "cli/smesh.h"
#include "sim/need.h"
#include "conf/strategies.h"
#include "conf/topoconf.h"
#include "decide/strategy_decide.h"
#include "links/comm.h"
#include "ranks/rankmap.h"

enum { MOST_RANKS = 4096, MOST_KNOWN = 4096 };

struct known {
	int nodes;
	struct comm_grid grid;
	double gain;
};

struct traffic_gain {
	struct topoconf *conf;
	const struct mesh *mesh;
	struct strategy *strategy;
	struct arena arena;
	struct nodeset free;
	int *node, *place; /* [mesh->nnodes], [MOST_RANKS] */
	struct known *known;
	int nknown;
};

struct traffic_gain *traffic_gain_open(const char *topology)
{
	struct traffic_gain *gain = need(calloc(1, sizeof(*gain)));
	struct mesh_err err = {{0}};

	if (!(gain->conf = smesh_read_topology(topology)) || !gain->conf->nmeshes) {
		traffic_gain_close(gain);
		return NULL;
	}
	/* The largest mesh, which each of the jobs fits. */
	gain->mesh = gain->conf->mesh[0];
	for (int m = 1; m < gain->conf->nmeshes; m++)
		if (gain->conf->mesh[m]->nnodes > gain->mesh->nnodes)
			gain->mesh = gain->conf->mesh[m];
	gain->strategy = strategy_new(strategy_for(STRATEGY_DEFAULT), gain->mesh, &err);
	need_array(&gain->arena, gain->node, gain->mesh->nnodes);
	need_array(&gain->arena, gain->place, MOST_RANKS);
	need_done(nodeset_get(&gain->free, gain->mesh->nnodes, &gain->arena));
	nodeset_set_all(&gain->free);
	if (gain->strategy)
		return gain;
	smesh_fail(SMESH_FAILED, "%s", err.text);
	traffic_gain_close(gain);
	return NULL;
}

void traffic_gain_close(struct traffic_gain *gain)
{
	if (!gain)
		return;
	strategy_free(gain->strategy);
	topoconf_free(gain->conf);
	arena_release(&gain->arena);
	free(gain);
}

/* Make the ranks of a pattern a grid of traffic. Returns how many; 0: none. */
static int grid_of(const struct comm_grid *sides, struct traffic_grid *grid)
{
	int ranks = comm_grid_ranks(sides);

	*grid = (struct traffic_grid){.ndims = sides->ndims};
	for (int d = 0; d < sides->ndims; d++) {
		grid->side[d] = sides->side[d];
		grid->weight[d] = 1;
	}
	grid->wrap[0] = sides->ndims == 1 && sides->side[0] > 2; /* a ring */
	return ranks > 1 && ranks <= MOST_RANKS ? ranks : 0;
}

/* Compute the gain on the nodes that an idle machine gives the job. */
static double work_out(struct traffic_gain *gain, const struct comm_grid *sides, int nodes)
{
	struct mesh_state state = {.free = &gain->free};
	struct mesh_request request = {.count = nodes};
	struct mesh_answer chosen = {.node = gain->node};
	struct traffic traffic = {0};
	struct traffic_grid grid;
	struct rankmap_input in = {.mesh = gain->mesh, .node = gain->node, .nnodes = nodes,
		.traffic = &traffic, .grid = &grid, .objective = RANKMAP_PEAK};
	struct rankmap_answer answer = {.place = gain->place};
	int ranks = grid_of(sides, &grid);
	struct mesh_err err;
	double less = -1;

	if (!ranks || nodes < 2 || ranks % nodes ||
		strategy_decide(gain->strategy, &state, &request, &chosen) != MESH_OK)
		return -1;
	in.per_node = ranks / nodes;
	if (!traffic_init_grid(&traffic, &grid, &err) && !rankmap_solve(&in, &answer, &err) &&
		answer.block_peak_load > 0)
		less = 1 - answer.peak_load / answer.block_peak_load;
	traffic_release(&traffic);
	return less;
}

double traffic_gain_of(struct traffic_gain *gain, const struct mesh_pattern *pattern, int nodes)
{
	struct comm_grid sides = pattern->grid;

	if (pattern->kind == COMM_RING)
		sides = (struct comm_grid){.ndims = 1, .side = {nodes}};
	else if (pattern->kind != COMM_GRID || !sides.ndims)
		return -1;
	for (int i = 0; i < gain->nknown; i++)
		if (gain->known[i].nodes == nodes &&
			!memcmp(&gain->known[i].grid, &sides, sizeof(sides)))
			return gain->known[i].gain;
	if (gain->nknown >= MOST_KNOWN)
		return -1;
	need_append(&gain->arena, gain->known, gain->nknown,
		(struct known){nodes, sides, work_out(gain, &sides, nodes)});
	return gain->known[gain->nknown - 1].gain;
}
