/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/faults.h"

#include <math.h>
#include <stdlib.h>

#include "sim/random.h"
#include "sim/trace.h"
#include "base/heap.h"

struct faults {
	const struct faults_options *options;
	/* Ids: nodes, then two for each window: its begin and its end. */
	struct heap heap;
	uint64_t *random; /* [nodes] */
	bool *broken;	  /* [nodes] */
	int n;
};

static void push(struct faults *f, int id, int64_t time, bool up)
{
	heap_push(&f->heap,
		(struct heap_item){
			(double)time, up ? id : id + f->n + 2 * f->options->nwindows, id});
}

/* A time to the next failure; more than 140,000 years are never. */
static int64_t lifetime(struct faults *f, int node)
{
	double seconds = sim_random_exponential(&f->random[node], f->options->mtbf);

	return seconds < 4e12 ? (int64_t)(seconds * (double)SIM_SECOND) + 1 : -1;
}

static void plan_failure(struct faults *f, int node, int64_t from)
{
	int64_t after = lifetime(f, node);

	if (after >= 0 && from + after < INT64_MAX / 4)
		push(f, node, from + after, false);
}

struct faults *faults_new(
	const struct faults_options *options, const struct nodeset *down, int n, uint64_t seed)
{
	struct faults *f = calloc(1, sizeof(*f));
	size_t ids = (size_t)n + 2 * (size_t)options->nwindows + 1;

	if (!f)
		return NULL;
	f->options = options;
	f->n = n;
	f->heap.item = calloc(ids, sizeof(*f->heap.item));
	f->random = calloc((size_t)n + 1, sizeof(*f->random));
	f->broken = calloc((size_t)n + 1, sizeof(*f->broken));
	if (!f->heap.item || !f->random || !f->broken) {
		faults_free(f);
		return NULL;
	}
	for (int i = 0; options->mtbf > 0 && i < n; i++) {
		f->random[i] = random_stream(seed, UINT64_C(0xfa17) + (uint64_t)i);
		if (!down || !nodeset_has(down, i))
			plan_failure(f, i, 0);
	}
	for (int w = 0; w < options->nwindows; w++) {
		push(f, n + 2 * w, options->window[w].from, false);
		push(f, n + 2 * w + 1, options->window[w].to, true);
	}
	return f;
}

void faults_free(struct faults *f)
{
	if (!f)
		return;
	free(f->heap.item);
	free(f->random);
	free(f->broken);
	free(f);
}

int64_t faults_next(const struct faults *f)
{
	return f->heap.size ? (int64_t)f->heap.item[0].key : -1;
}

struct faults_event faults_take(struct faults *f)
{
	struct heap_item item = heap_pop(&f->heap);
	struct faults_event event = {.time = (int64_t)item.key, .node = item.id};

	if (item.id >= f->n) {
		event.node = -1;
		event.window = &f->options->window[(item.id - f->n) / 2];
		event.up = (item.id - f->n) & 1;
		return event;
	}
	event.up = f->broken[item.id];
	f->broken[item.id] = !event.up;
	if (event.up)
		plan_failure(f, item.id, event.time);
	else
		push(f, item.id, event.time + f->options->repair, true);
	return event;
}
