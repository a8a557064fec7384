/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/smesh.h"
#include "cmd/outlook.h"
#include "sim/clear.h"
#include "sim/human.h"
#include "sim/need.h"
#include "sim/vacancy.h"
#include "view/reason.h"

static const int64_t MOST_TIME = INT64_C(10000000000); /* the budget of the search, ns */

bool advice_waits(const struct picture_waiting *w)
{
	struct reason reason;

	return reason_explain(w->reason, &reason) && reason.place;
}

/* Can both jobs have some node? */
static bool compete(const struct picture_waiting *a, const struct picture_waiting *b)
{
	if (!a->may.word || !b->may.word)
		return true;
	nodeset_each(i, &a->may)
		if (nodeset_has(&b->may, i))
			return true;
	return false;
}

int advice_ahead(const struct picture *p, const struct picture_waiting *w, int *first)
{
	int n = 0;

	for (int i = (int)(w - p->waiting) - 1; i >= 0; i--) {
		if (!advice_waits(&p->waiting[i]) || !compete(w, &p->waiting[i]))
			continue;
		*first = i;
		n++;
	}
	return n;
}

bool advice_spans(const struct picture *p, const struct picture_waiting *w)
{
	int all = 0;

	for (int i = 0; p->conf && i < p->conf->nmeshes; i++)
		all += p->conf->mesh[i]->nnodes;
	return !w->box && !w->shape.ndims && w->nodes > p->mesh->nnodes && w->nodes <= all;
}

int advice_shape_nodes(const struct picture *p, const struct picture_waiting *w)
{
	return w->shape.ndims ? mesh_shape_nodes(p->mesh, &w->shape) : w->nodes;
}

bool advice_outgrown(const struct picture *p, const struct picture_waiting *w)
{
	int of_shape = advice_shape_nodes(p, w);

	return of_shape < w->nodes && of_shape <= p->mesh->nnodes;
}

/* Is a name in the list A,B,...? NULL has all names. */
static bool is_listed(const char *list, const char *name)
{
	return !list || (name && smesh_is_listed(list, name, strlen(name)));
}

/* The cost of each job in node-seconds, at least one per node, so that fewer jobs are better. */
static struct clear_job *price_jobs(
	const struct picture *p, const struct advice_rule *rule, struct arena *arena)
{
	struct clear_job *job = need_get(arena, p->njobs, sizeof(*job));

	for (int i = 0; i < p->njobs; i++) {
		const struct picture_job *j = &p->job[i];
		bool may = j->ran >= 0 && is_listed(rule->users, j->user) &&
			is_listed(rule->partitions, j->partition);

		job[i] = (struct clear_job){.node = j->node, .count = j->count,
			.cost = may ? j->count * (int64_t)fmax(j->ran, 1) : CLEAR_STAYS};
	}
	return job;
}

/* The answer. */
struct advice {
	struct mesh_err why; /* there is none */
	struct clear_answer answer;
	char box[64]; /* its sides */
	char *hosts;
};

/* Name the box and its nodes. */
static void name_box(struct advice *a, const struct mesh *mesh, struct nodeset *set,
	struct arena *arena)
{
	const struct mesh_box *box = &a->answer.box;
	int *node = need_get(arena, mesh->nnodes, sizeof(*node)), all;
	char *hosts;

	nodeset_clear_all(set);
	all = (int)box_volume(mesh->ndims, box->side) * mesh->nodes_per_vertex;
	box_take(mesh, box, all, NULL, set);
	hosts = smesh_nodes_to_hosts(mesh, node, nodeset_members(set, node));
	a->hosts = need_text(arena, hosts);
	free(hosts);
	human_sides(mesh->ndims, box->side, a->box, sizeof(a->box));
}

static void say_jobs(const struct picture *p, const struct clear_answer *answer)
{
	char ran[32];

	for (int i = 0; i < answer->njobs; i++) {
		const struct picture_job *job = &p->job[answer->job[i]];

		human_text(HUMAN_SECONDS, job->ran, ran, sizeof(ran));
		printf("  job %s (%s, %d node%s) has run for %s\n", job->id,
			job->user ? job->user : "-", job->count, human_s(job->count), ran);
	}
	for (int i = 0; i < answer->njobs; i++)
		printf("%s%s", i ? "," : "scontrol requeue ", p->job[answer->job[i]].id);
	putchar('\n');
}

/* No whole box will do. Find one with a broken link inside. */
static bool find_broken(struct advice *a, struct clear_question *question,
	struct mesh_budget *budget, struct arena *arena)
{
	if (!question->mesh->down || question->any_links || a->answer.late)
		return false;
	question->any_links = true;
	return clear_find(question, budget, &a->answer, arena);
}

/* Search boxes of the plan's first rows, on these nodes. boxed: the job asked for a box. */
static int search(struct advice *a, struct clear_question *question, bool boxed, bool only_own,
	struct arena *arena)
{
	struct mesh_budget budget;
	struct nodeset set;
	bool whole, broken;

	mesh_budget_start(&budget, MOST_TIME);
	whole = clear_find(question, &budget, &a->answer, arena);
	broken = !whole && find_broken(a, question, &budget, arena);
	if (whole || (broken && !boxed)) {
		need_done(nodeset_get(&set, question->mesh->nnodes, arena));
		name_box(a, question->mesh, &set, arena);
		return SMESH_OK;
	}
	a->answer.njobs = 0;
	err_printf(&a->why, "none%s", a->answer.late ? " was found in the time for it"
		: broken ? ": every box that could be cleared has a broken link inside"
		: only_own ? " by jobs of your own alone"
		: ": nodes are down, or their jobs may not be requeued or lose too much");
	return SMESH_NO_FIT;
}

static int find(struct advice *a, const struct picture *p, const struct picture_waiting *wish,
	const struct advice_rule *rule, struct arena *arena)
{
	const int least[MESH_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	struct mesh_request request = {.shape = wish->shape,
		.count = advice_shape_nodes(p, wish)};
	struct boxplan plan = {0};
	struct nodeset set = {0};
	struct clear_job *job = price_jobs(p, rule, arena);
	bool boxed = wish->box || wish->shape.ndims;
	struct mesh_err err = {{0}};

	if (p->mesh->cabled) {
		err_printf(&a->why, "%s, as mesh %s has cables (Cables=), and no boxes",
			boxed ? "never" : "not looked for", p->mesh->name);
		return boxed ? SMESH_NEVER : SMESH_NO_FIT;
	}
	if (advice_spans(p, wish)) {
		err_printf(&a->why,
			"not looked for: it asks for %d nodes, and so for several meshes",
			wish->nodes);
		return SMESH_NO_FIT;
	}
	need_done(boxplan_init(&plan, p->mesh, arena));
	if (advice_outgrown(p, wish)) {
		err_printf(&a->why, "never: its shape is of %d nodes, and it asks for %d",
			request.count, wish->nodes);
		return SMESH_NEVER;
	}
	if (boxplan_make(&plan, &request, least, &err)) {
		err_printf(&a->why, "never: %s", err.text);
		return SMESH_NEVER;
	}
	if ((rule->users && !*rule->users) || (rule->partitions && !*rule->partitions)) {
		err_printf(&a->why, "none: --users= or --partitions= is empty");
		return SMESH_NO_FIT;
	}
	outlook_usable(p, wish, &set, arena);
	if (nodeset_count(&set) < request.count) {
		err_printf(&a->why, "none: %d nodes are wanted, %d are up%s", request.count,
			nodeset_count(&set), wish->may.word ? " and allowed" : "");
		return SMESH_NO_FIT;
	}
	return search(a, &(struct clear_question){.mesh = p->mesh, .usable = &set, .job = job,
			.njobs = p->njobs, .row = plan.row,
			.rows = boxed ? plan.count : vacancy_compact(&plan, &request),
			.any_links = wish->shape.any_links,
			.most = rule->most < 0 ? INT64_MAX : (int64_t)(rule->most * 3600)},
		boxed, rule->only_own, arena);
}

int advice_say(
	const struct picture *p, const struct picture_waiting *wish, const struct advice_rule *rule)
{
	struct arena arena = {0};
	struct advice a = {.box = ""};
	int code = find(&a, p, wish, rule, &arena);

	if (code == SMESH_NO_FIT || code == SMESH_NEVER)
		printf("cheapest place: %s\n", a.why.text);
	else if (code == SMESH_OK && !a.answer.njobs)
		printf("cheapest place: %s on %s, which is free\n", a.box, a.hosts);
	if (code == SMESH_OK && a.answer.njobs) {
		printf("cheapest place: %s on %s, for %.1f node-hours of work that is lost%s:\n",
			a.box, a.hosts, (double)a.answer.cost / 3600,
			a.answer.late ? " (not all places were looked at)" : "");
		say_jobs(p, &a.answer);
	}
	arena_release(&arena);
	return code;
}

json_t *advice_json(const struct picture *p, const struct picture_waiting *wish,
	const struct advice_rule *rule, int *code)
{
	struct arena arena = {0};
	struct advice a = {.box = ""};
	json_t *jobs = json_array(), *row = NULL;
	bool found = !(*code = find(&a, p, wish, rule, &arena));

	for (int i = 0; i < a.answer.njobs; i++)
		json_array_append_new(jobs, json_string(p->job[a.answer.job[i]].id));
	row = json_pack("{s:s?, s:s?, s:i, s:s?, s:s?, s:o, s:o, s:b, s:s?}", "job", wish->id,
		"user", wish->user, "count", advice_shape_nodes(p, wish), "box",
		found ? a.box : NULL, "nodes", a.hosts, "node_hours",
		found ? json_real((double)a.answer.cost / 3600) : json_null(), "requeue", jobs,
		"all_places", !a.answer.late, "why_not", found ? NULL : a.why.text);
	arena_release(&arena);
	return row;
}
