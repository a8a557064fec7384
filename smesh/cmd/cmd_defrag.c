/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh defrag: which running jobs to requeue for a box. It says how, and does nothing.
 */
#include <stdio.h>

#include "cmd/advice.h"
#include "cmd/commands.h"
#include "conf/shape.h"
#include "sim/human.h"
#include "sim/need.h"

enum { MOST_JOBS = 5 };

struct session {
	struct command_base base;
	const char *shape, *within;
	struct picture_waiting wish;
	struct advice_rule rule;
};

static const struct option_row options[] = {
	STATE_OPTIONS,
	{'n', "nodes", "N", "for a compact box of N nodes (default: for jobs that wait)",
		OPTION_INT, AT(wish.nodes), 1, INT32_MAX},
	{0, "shape", "AxBxC", "for a box of these sides, which no job need wait for",
		OPTION_TEXT, AT(shape)},
	{0, "within", "HOSTLIST", "with --nodes or --shape: of these nodes", OPTION_TEXT,
		AT(within)},
	ADVICE_OPTIONS,
	TABLE_OPTIONS,
	{0},
};

static const struct option_rule rules[] = {
	{RULE_ONE, "--nodes and --shape exclude each other"},
	{RULE_WITH, "--within goes with --nodes or --shape"},
	{0},
};

static const struct table table = {
	.columns = "job|user|count|box|nodes|node_hours|requeue|all_places|why_not",
	.usual = "job,user,count,box,node_hours,requeue,nodes"};

/* Add the row of a job, or say it. */
static int tell(const struct session *s, const struct picture_waiting *w, json_t *rows)
{
	const struct picture *p = &s->base.picture;
	int code;

	if (!rows)
		return advice_say(p, w, &s->rule);
	return json_array_append_new(rows, advice_json(p, w, &s->rule, &code))
		? smesh_fail(SMESH_FAILED, "no table: a name is not UTF-8") : code;
}

static void say_job(const struct picture_waiting *w, int said, int ahead)
{
	printf("%sjob %s (%s) waits for %d node%s%s", said ? "\n" : "", w->id,
		w->user ? w->user : "-", w->nodes, human_s(w->nodes),
		w->box ? " in one box" : "");
	printf(ahead ? ", behind %d job%s\n" : "\n", ahead, human_s(ahead));
}

/* Advise each job that waits for place, as if it were alone; and the first of them. */
static int tell_queue(const struct session *s, json_t *rows)
{
	const struct picture *p = &s->base.picture;
	int said = 0, code = SMESH_OK, one, first;

	for (int i = 0; i < p->nwaiting && said < MOST_JOBS; i++) {
		const struct picture_waiting *w = &p->waiting[i];

		if (!advice_waits(w))
			continue;
		if (!rows)
			say_job(w, said, advice_ahead(p, w, &first));
		one = tell(s, w, rows);
		if (one != SMESH_OK && one != SMESH_NO_FIT && one != SMESH_NEVER)
			return one;
		code = said++ ? code : one;
	}
	if (!said && !rows)
		puts("no job waits for nodes; --nodes or --shape names a box to have free");
	return code;
}

static int run(void *session)
{
	struct session *s = session;
	struct picture *p = &s->base.picture;
	struct picture_waiting *wish = &s->wish;
	struct mesh_err err = {{0}};
	json_t *rows;
	int code;

	if (s->shape && shape_parse(s->shape, &wish->shape, &err))
		return smesh_fail(SMESH_USAGE, "--shape=%s: %s", s->shape, err.text);
	if ((code = command_open_state(&s->base)))
		return code;
	if (s->within) {
		need_done(nodeset_get(&wish->may, p->mesh->nnodes, &p->arena));
		if (smesh_hosts_to_set(p->mesh, s->within, &wish->may, &err))
			return smesh_fail(SMESH_USAGE, "--within=%s: %s", s->within, err.text);
	}
	rows = table_wanted(&s->base.form) ? json_array() : NULL;
	code = wish->nodes || wish->shape.ndims ? tell(s, wish, rows) : tell_queue(s, rows);
	if (rows && (code == SMESH_OK || code == SMESH_NO_FIT || code == SMESH_NEVER))
		table_print(&table, &s->base.form, json_incref(rows));
	json_decref(rows);
	return code;
}

const struct command cmd_defrag = {
	.name = "defrag",
	.summary = "say which running jobs to requeue for a box; nothing is done",
	.usage = "[-t FILE] [--state FILE] [--nodes N | --shape AxBxC] [OPTION]...",
	.example = "--shape 4x4x2 --users ann",
	.options = options,
	.rules = rules,
	.table = &table,
	.size = sizeof(struct session),
	.usual = &(const struct session){.rule.most = -1},
	.run = run,
};
