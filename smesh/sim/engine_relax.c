/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Jobs that want a torus and, after a wait, take a mesh box of that size (engine_relax).
 */
#include "sim/engine_state.h"

int64_t engine_relax_time(const struct engine *e, int job)
{
	const struct trace_job *j = &e->trace->job[job];

	if (!e->options->relax.on || !j->shape.ndims || !j->shape.torus)
		return INT64_MAX;
	return engine_submitted(j, &e->result->record[job]) + e->options->relax.after;
}

int64_t engine_next_relax(const struct engine *e)
{
	int64_t next = -1;

	for (int at = e->head; e->options->relax.on && at < e->tail; at++) {
		int64_t time = engine_relax_time(e, e->queue[at]);

		if (time > e->now && time < INT64_MAX && (next < 0 || time < next))
			next = time;
	}
	return next;
}

void engine_take_relax(struct engine *e)
{
	if (e->options->relax.on && e->head < e->tail &&
		engine_relax_time(e, e->queue[e->head]) == e->now)
		e->head_failed = false;
}

enum mesh_result engine_ask_relaxed(struct engine *e, const struct mesh_state *state,
	const struct mesh_request *request, struct engine_question question,
	struct mesh_answer *answer)
{
	enum mesh_result result = strategy_decide(e->strategy, state, request, answer);
	struct mesh_request mesh = *request;
	int64_t from = engine_relax_time(e, question.job);

	e->result->record[question.job].relaxed = false;
	if (from == INT64_MAX || result == MESH_OK || result == MESH_ERROR ||
		(result == MESH_NO_FIT && question.then < from))
		return result;
	mesh.shape.torus = false;
	e->result->record[question.job].relaxed = true;
	return strategy_decide(e->strategy, state, &mesh, answer);
}
