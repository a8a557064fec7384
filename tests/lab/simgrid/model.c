/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `smesh sim --contention` takes for the time of a round, to hold it against SimGrid.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenario.h"
#include "sim/contention.h"
#include "sim/need.h"

static void prepare_model(const struct mesh *mesh, const struct engine_settings *settings)
{
	(void)mesh;
	(void)settings;
}

static void run_model(const struct scenario *s, double *seconds)
{
	struct contention *net = contention_new(s->mesh, 1);
	struct contention_job **job = need(calloc((size_t)s->njobs + 1, sizeof(*job)));

	for (int i = 0; i < s->njobs; i++)
		job[i] = contention_add(net, s->pattern, s->job[i].node, s->job[i].count, 0);
	contention_solve(net);
	for (int i = 0; i < s->njobs; i++) {
		seconds[i] = s->job[i].sends ? contention_slowdown(job[i]) *
						       contention_reference(job[i]) *
						       SCENARIO_BYTES / SCENARIO_BANDWIDTH
					     : 0;
		contention_remove(net, job[i]);
	}
	contention_free(net);
	free(job);
}

const struct engine engine_model = {"model", prepare_model, run_model};
