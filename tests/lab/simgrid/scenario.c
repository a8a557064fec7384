/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario.h"

#include <stdlib.h>

#include "base/random.h"

static bool sends(const struct scenario_job *job)
{
	for (int d = 0; d < job->draws; d++)
		for (int rank = 0; rank < job->count; rank++)
			for (int i = job->round[d].start[rank]; i < job->round[d].start[rank + 1];
				i++)
				if (job->vertex[rank] != job->vertex[job->round[d].to[i]])
					return true;
	return false;
}

/* The job's nodes in the order of its ranks, as vertices. */
static int place_ranks(struct scenario_job *job, const struct mesh *mesh)
{
	job->vertex = malloc(((size_t)job->count + 1) * sizeof(int));
	for (int i = 0; job->vertex && i < job->count; i++)
		job->vertex[i] = mesh->vertex_of[job->node[i]];
	return job->vertex ? 0 : -1;
}

static int make_job(struct scenario_job *job, const struct mesh *mesh,
	const struct scenario_settings *settings, const struct scenario_nodes *nodes, int at)
{
	uint64_t state = random_stream(settings->seed, (uint64_t)at);

	job->count = nodes->count;
	job->node = nodes->node;
	if (place_ranks(job, mesh))
		return -1;
	job->draws = settings->pattern == COMM_RANDOM ? SCENARIO_DRAWS : 1;
	for (int d = 0; d < job->draws; d++) {
		const struct comm_spec spec = {settings->pattern, nodes->count, mesh->ndims,
			settings->peers, random_next(&state)};

		if (comm_round_init(&job->round[d], &spec))
			return -1;
	}
	job->sends = sends(job);
	/* As many messages a rank in each draw. */
	job->senders = settings->at_once ? job->round[0].start[job->count] : job->count;
	return 0;
}

int scenario_init(struct scenario *scenario, const struct mesh *mesh,
	const struct scenario_settings *settings, const struct scenario_nodes *jobs, int njobs)
{
	*scenario = (struct scenario){.mesh = mesh, .rounds = settings->rounds,
		.pattern = settings->pattern, .at_once = settings->at_once};
	scenario->job = calloc((size_t)njobs + 1, sizeof(*scenario->job));
	if (!scenario->job)
		return -1;
	scenario->njobs = njobs;
	for (int i = 0; i < njobs; i++)
		if (make_job(&scenario->job[i], mesh, settings, &jobs[i], i))
			return -1;
	return 0;
}

void scenario_release(struct scenario *scenario)
{
	for (int i = 0; i < scenario->njobs; i++) {
		for (int d = 0; d < SCENARIO_DRAWS; d++)
			comm_round_release(&scenario->job[i].round[d]);
		free(scenario->job[i].vertex);
	}
	free(scenario->job);
}

struct scenario_messages scenario_messages(
	const struct scenario *scenario, int job, int round, int sender)
{
	const struct scenario_job *j = &scenario->job[job];
	const struct comm_round *r = &j->round[round % j->draws];
	int rank = sender, above = j->count;
	struct scenario_messages m;

	if (scenario->at_once) /* whose message it is */
		for (rank = 0; rank + 1 < above;) {
			int middle = (rank + above) / 2;

			if (r->start[middle] <= sender)
				rank = middle;
			else
				above = middle;
		}
	m = (struct scenario_messages){rank, r->start[rank], r->start[rank + 1], 0};
	m.bytes = SCENARIO_BYTES / (m.end - m.first);
	if (scenario->at_once) {
		m.first = sender;
		m.end = sender + 1;
	}
	return m;
}

double scenario_time(const struct scenario *scenario, const struct scenario_clock *clock)
{
	if (clock->rounds < 2 || scenario->rounds < 2)
		return clock->last;
	return (clock->last - clock->first) / (clock->rounds - 1);
}
