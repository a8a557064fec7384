/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/outlook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/smesh.h"
#include "sim/clear.h"
#include "sim/human.h"
#include "sim/vacancy.h"
#include "view/reason.h"

static const int64_t most_time = INT64_C(10000000000); /* the budget of the search, ns */

bool advice_waits(const struct picture_waiting *w)
{
	struct reason reason;

	return reason_explain(w->reason, &reason) && reason.place;
}

int advice_shape_nodes(const struct picture *p, const struct picture_waiting *w)
{
	return w->shape.ndims ? mesh_shape_nodes(p->mesh, &w->shape) : w->nodes;
}

/* Is a name in the list A,B,...? NULL has all names. */
static bool is_listed(const char *list, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (name && strcspn(at, ",") == length && !strncmp(at, name, length))
			return true;
	return !list;
}

/* The cost of each job in node-seconds, at least one per node, so that fewer jobs are better. */
static struct clear_job *price_jobs(
	const struct picture *p, const struct advice_rule *rule, struct arena *arena)
{
	struct clear_job *job = arena_get(arena, p->njobs, sizeof(*job));

	for (int i = 0; job && i < p->njobs; i++) {
		const struct picture_job *j = &p->job[i];
		bool may = j->ran >= 0 && is_listed(rule->users, j->user) &&
			is_listed(rule->partitions, j->partition);

		job[i] = (struct clear_job){.node = j->node, .count = j->count,
			.cost = may ? j->count * (int64_t)fmax(j->ran, 1) : CLEAR_STAYS};
	}
	return job;
}

static int say_box(const struct mesh *mesh, const struct mesh_box *box, struct nodeset *set,
	struct arena *arena)
{
	int *node = arena_get(arena, mesh->nnodes, sizeof(*node)), all;
	char *hosts = NULL, sides[64];

	nodeset_clear_all(set);
	all = (int)box_volume(mesh->ndims, box->side) * mesh->nodes_per_vertex;
	box_take(mesh, box, all, NULL, set);
	if (node)
		hosts = smesh_nodes_to_hosts(mesh, node, nodeset_members(set, node));
	human_sides(mesh->ndims, box->side, sides, sizeof(sides));
	printf("%s on %s", sides, hosts ? hosts : "?");
	free(hosts);
	return hosts ? SMESH_OK : smesh_fail(SMESH_FAILED, "out of memory");
}

static void say_jobs(const struct picture *p, const struct clear_answer *answer)
{
	char ran[32];

	for (int i = 0; i < answer->njobs; i++) {
		const struct picture_job *job = &p->job[answer->job[i]];

		human_text(HUMAN_SECONDS, job->ran, ran, sizeof(ran));
		printf("  job %s (%s, %d node%s) has run for %s\n", job->id,
			job->user ? job->user : "-", job->count, job->count == 1 ? "" : "s", ran);
	}
	for (int i = 0; i < answer->njobs; i++)
		printf("%s%s", i ? "," : "scontrol requeue ", p->job[answer->job[i]].id);
	putchar('\n');
}

static int say_answer(const struct picture *p, const struct clear_answer *answer,
	struct nodeset *set, struct arena *arena)
{
	int code;

	printf("cheapest place: ");
	code = say_box(p->mesh, &answer->box, set, arena);
	if (!answer->njobs) {
		puts(", which is free");
		return code;
	}
	printf(", for %.1f node-hours of work that is lost%s:\n", (double)answer->cost / 3600,
		answer->late ? " (not all places were looked at)" : "");
	say_jobs(p, answer);
	return code;
}

/* Search boxes of the plan's first rows, on these nodes. */
static int search(const struct picture *p, struct clear_question *question, bool only_own,
	struct nodeset *set, struct arena *arena)
{
	struct mesh_budget budget;
	struct clear_answer answer;
	int found, code = SMESH_OK;

	mesh_budget_start(&budget, most_time);
	found = clear_find(question, &budget, &answer, arena);
	if (found < 0)
		return smesh_fail(SMESH_FAILED, "out of memory");
	if (found)
		code = say_answer(p, &answer, set, arena);
	else
		printf("cheapest place: none%s\n", answer.late ? " was found in the time for it"
			: only_own ? " by jobs of your own alone"
			: ": nodes are down, or their jobs may not be requeued or lose too much");
	return found ? code : SMESH_NO_FIT;
}

int advice_say(
	const struct picture *p, const struct picture_waiting *wish, const struct advice_rule *rule)
{
	const int least[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	struct mesh_request request = {.shape = wish->shape,
		.count = advice_shape_nodes(p, wish)};
	struct boxplan plan = {0};
	struct nodeset set = {0};
	struct arena arena = {0};
	struct clear_job *job = price_jobs(p, rule, &arena);
	struct mesh_err err = {{0}};
	int code;

	if (!job || boxplan_init(&plan, p->mesh, &arena)) {
		code = smesh_fail(SMESH_FAILED, "out of memory");
	} else if (request.count < wish->nodes) {
		printf("cheapest place: never: its shape is of %d nodes, and it asks for %d\n",
			request.count, wish->nodes);
		code = SMESH_NEVER;
	} else if (boxplan_make(&plan, &request, least, &err)) {
		printf("cheapest place: never: %s\n", err.text);
		code = SMESH_NEVER;
	} else if (outlook_usable(p, wish, &set, &arena)) {
		code = smesh_fail(SMESH_FAILED, "out of memory");
	} else {
		struct clear_question question = {.mesh = p->mesh, .usable = &set, .job = job,
			.njobs = p->njobs, .row = plan.row,
			.rows = wish->box || wish->shape.ndims ? plan.count
							       : vacancy_compact(&plan, &request),
			.most = rule->most < 0 ? INT64_MAX : (int64_t)(rule->most * 3600)};

		code = search(p, &question, rule->only_own, &set, &arena);
	}
	arena_release(&arena);
	return code;
}
