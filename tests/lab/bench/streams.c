/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "streams.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/engine.h"
#include "sim/generate.h"
#include "conf/strategies.h"

#define JOBS_EACH 12 /* placements for each state recorded, and as many before the first */

struct recorder {
	struct nodeset free;
	struct stream_state *state;
	const struct trace *trace;
	const struct mesh *mesh;
	int *node; /* of all jobs, one after another */
	int *first, *count;
	int nnodes, placed, most, n;
};

/* Jobs of one node are placed in no time by all strategies. */
static void keep(struct recorder *r, int count)
{
	struct stream_state *to = &r->state[r->n];

	if (r->placed < r->trace->njobs / 2 || r->n == r->most || count < 2 ||
		r->n * JOBS_EACH / 2 > r->placed - r->trace->njobs / 2)
		return;
	if (nodeset_init(&to->free, r->mesh->nnodes))
		return;
	nodeset_copy(&to->free, &r->free);
	to->count = count;
	r->n++;
}

static void placed(void *data, int job, const int *node, int count, int64_t now)
{
	struct recorder *r = data;

	(void)now;
	keep(r, count);
	r->placed++;
	r->first[job] = r->nnodes;
	r->count[job] = count;
	for (int i = 0; i < count; i++) {
		r->node[r->nnodes++] = node[i];
		nodeset_del(&r->free, node[i]);
	}
}

static void ended(void *data, int job, int64_t now)
{
	struct recorder *r = data;

	(void)now;
	for (int i = 0; i < r->count[job]; i++)
		nodeset_add(&r->free, r->node[r->first[job] + i]);
}

static int run(struct recorder *r)
{
	struct engine_options options = {.scheduler = ENGINE_EASY, .backfill_depth = 20, .seed = 1,
		.stop_at = -1, .hops_only = true, .placed = placed, .ended = ended, .data = r};
	struct engine_result result;
	struct mesh_err err;
	size_t nodes = 0, jobs = (size_t)r->trace->njobs;
	int code;

	for (int j = 0; j < r->trace->njobs; j++)
		nodes += (size_t)r->trace->job[j].count;
	r->node = malloc((nodes + 1) * sizeof(int));
	r->first = calloc(jobs + 1, sizeof(int));
	r->count = calloc(jobs + 1, sizeof(int));
	if (!r->node || !r->first || !r->count || nodeset_init(&r->free, r->mesh->nnodes))
		return -1;
	nodeset_set_all(&r->free);
	code = engine_run(&result,
		&(struct engine_input){r->mesh, r->trace, strategy_for(STRATEGY_DEFAULT)}, &options,
		&err);
	if (code)
		fprintf(stderr, "%s\n", err.text);
	engine_release(&result);
	return code;
}

int stream_record(const struct mesh *mesh, double load, int most, struct stream_state *state)
{
	struct generate_options jobs = {.model = "lublin", .jobs = most * JOBS_EACH, .seed = 1};
	struct trace trace;
	struct recorder r = {.state = state, .trace = &trace, .mesh = mesh, .most = most};
	struct mesh_err err;
	int code = generate(&trace, mesh, &jobs, &err);

	if (!code) {
		generate_estimates(&trace, 3, 1);
		trace_set_load(&trace, mesh->nnodes, load);
		code = run(&r);
	}
	nodeset_release(&r.free);
	free(r.node);
	free(r.first);
	free(r.count);
	trace_release(&trace);
	return code ? -1 : r.n;
}

void stream_release(struct stream_state *state, int n)
{
	for (int i = 0; i < n; i++)
		nodeset_release(&state[i].free);
}
