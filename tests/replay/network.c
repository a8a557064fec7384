/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "network.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "sim/jobcomm.h"
#include "sim/contention.h"

/* Times are whole ticks: microseconds more or less, as they happen on the clock, change nothing. */
enum { TICK = SIM_SECOND / 10 };

struct network {
	struct arena arena; /* of the arrays */
	struct contention *links;
	struct jobcomm *comm; /* [njobs] */
	const struct trace *trace;
	double share;
	int64_t since; /* up to when `left` holds */
	bool changed;  /* since the last solution */
	int *running, nrunning;
	struct work {
		struct contention_job *traffic; /* NULL: it does not run */
		double left, pace;
	} *work; /* [njobs] */
};

struct network *network_new(const struct mesh *mesh, const struct trace *trace, double share,
	uint64_t seed, struct mesh_err *err)
{
	struct jobcomm_options options = {.share = share, .seed = seed};
	struct network *net = calloc(1, sizeof(*net));
	struct trace_byjob lines = {{0}};

	if (!net || jobcomm_parse("mix", &options.mix, err)) {
		free(net);
		return NULL;
	}
	net->trace = trace;
	net->share = share;
	net->links = contention_new(mesh, seed);
	net->comm = jobcomm_make(trace, &options, &lines, &net->arena, err);
	arena_array(&net->arena, net->work, trace->njobs);
	arena_array(&net->arena, net->running, trace->njobs);
	if (net->links && net->comm && !net->arena.out)
		return net;
	network_free(net);
	err_printf(err, "out of memory");
	return NULL;
}

void network_free(struct network *net)
{
	if (!net)
		return;
	while (net->nrunning)
		network_stop(net, net->running[0], net->since);
	contention_free(net->links);
	arena_release(&net->arena);
	free(net);
}

/* What all have done up to now. */
static void advance(struct network *net, int64_t now)
{
	now -= now % TICK;
	for (int i = 0; i < net->nrunning; i++) {
		struct work *w = &net->work[net->running[i]];

		w->left -= (double)(now - net->since) / w->pace;
	}
	net->since = now;
}

int network_start(struct network *net, int job, const int *node, int64_t now)
{
	const struct trace_job *from = &net->trace->job[job];
	struct work *w = &net->work[job];

	network_stop(net, job, now);
	*w = (struct work){contention_add(net->links, net->comm[job].kind, node, from->count, 0),
		(double)from->run, 1};
	if (!w->traffic)
		return -1;
	net->running[net->nrunning++] = job;
	net->changed = true;
	return 0;
}

void network_stop(struct network *net, int job, int64_t now)
{
	int at = 0;

	advance(net, now);
	if (!net->work[job].traffic)
		return;
	while (net->running[at] != job)
		at++;
	net->running[at] = net->running[--net->nrunning];
	contention_remove(net->links, net->work[job].traffic);
	net->work[job].traffic = NULL;
	net->changed = true;
}

static void solve(struct network *net)
{
	contention_solve(net->links);
	for (int i = 0; i < net->nrunning; i++) {
		struct work *w = &net->work[net->running[i]];

		w->pace = 1 - net->share + net->share * contention_slowdown(w->traffic);
	}
	net->changed = false;
}

int64_t network_next(struct network *net, int *job)
{
	int64_t first = INT64_MAX;

	if (net->changed)
		solve(net);
	for (int i = 0; i < net->nrunning; i++) {
		const struct work *w = &net->work[net->running[i]];
		int64_t end = net->since + (int64_t)ceil(fmax(w->left, 0) * w->pace / TICK) * TICK;

		if (end < first || (end == first && net->running[i] < *job)) {
			first = end;
			*job = net->running[i];
		}
	}
	return first;
}
