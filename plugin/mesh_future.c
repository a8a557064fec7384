/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * WILL_RUN for jobs that wait for a box. The stock plugin takes jobs away in order of their
 * ends until the job fits somewhere; it does not know boxes. But a strategy can be asked
 * about any future: free nodes only grow as jobs end, so the first end that leaves a box is
 * found by bisection. Offered that box and nothing else, the stock plugin says exactly when
 * it is free.
 */
#include <stdlib.h>

#include "mesh_attempt.h"
#include "mesh_runs.h"

/* The ends of running jobs, and the nodes that may be had at each. */
struct ends {
	time_t *until;	 /* [node_record_count] */
	time_t *at;	 /* [n] ascending, each once */
	int n;
	bitstr_t *now;	 /* nodes that can be had now */
	bitstr_t *then;	 /* scratch: those at a later time */
};

static int by_time(const void *a, const void *b)
{
	return (*(const time_t *)a > *(const time_t *)b) - (*(const time_t *)a < *(const time_t *)b);
}

static void ends_init(struct ends *e, struct attempt *a)
{
	time_t now = time(NULL);
	int n = 0;

	e->until = xcalloc((size_t)node_record_count + 1, sizeof(*e->until));
	e->at = xcalloc((size_t)node_record_count + 1, sizeof(*e->at));
	e->then = bit_alloc(node_record_count);
	mesh_runs_until(e->until, now);
	for (int i = 0; i < node_record_count; i++) {
		if (!bit_test(a->given, i))
			continue;
		/* Neither idle nor in a job: completing, or about to be. */
		if (!e->until[i] && !bit_test(idle_node_bitmap, i))
			e->until[i] = now + 1;
		if (e->until[i])
			e->at[n++] = e->until[i];
	}
	qsort(e->at, (size_t)n, sizeof(*e->at), by_time);
	for (int i = 0; i < n; i++)
		if (!e->n || e->at[e->n - 1] != e->at[i])
			e->at[e->n++] = e->at[i];
	/* A shared node may host the job while others run there: only the stock plugin knows. */
	e->now = a->want.whole_nodes ? NULL : delegate_probe(a);
	if (!e->now)
		e->now = bit_alloc(node_record_count);
}

static void ends_release(struct ends *e)
{
	xfree(e->until);
	xfree(e->at);
	FREE_NULL_BITMAP(e->now);
	FREE_NULL_BITMAP(e->then);
}

static bool box_at(struct attempt *a, struct ends *e, time_t when, struct proposal *best)
{
	bit_copybits(e->then, a->given);
	for (int i = 0; i < node_record_count; i++)
		if (e->until[i] > when && !bit_test(e->now, i))
			bit_clear(e->then, i);
	a->when = when;
	propose(a, e->then, a->want.request.count, best);
	a->when = 0;
	return best->part != NULL;
}

/* The first of e->at[] that leaves a box; e->n if none does. */
static int first_end(struct attempt *a, struct ends *e, struct proposal *best)
{
	int low = 0, high = e->n;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (box_at(a, e, e->at[middle], best))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

int future_box(struct attempt *a)
{
	struct proposal best = {.nodes = bit_alloc(node_record_count)};
	struct ends ends = {0};
	int rc = SLURM_ERROR, i;

	ends_init(&ends, a);
	i = first_end(a, &ends, &best);
	/* Where the stock plugin does not take the box (memory, GRES), another may be free later. */
	for (int tries = 0; i < ends.n && tries < 8 && rc != SLURM_SUCCESS; i++, tries++)
		if (box_at(a, &ends, ends.at[i], &best))
			rc = delegate(a, best.nodes);
	ends_release(&ends);
	FREE_NULL_BITMAP(best.nodes);
	return rc;
}
