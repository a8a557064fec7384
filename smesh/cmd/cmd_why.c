/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh why JOBID: why a job waits, who is in the way, when it will start and by which rule.
 */
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/picture_json.h"
#include "view/reason.h"
#include "cmd/advice.h"
#include "cmd/outlook.h"
#include "sim/human.h"
#include "sim/need.h"
#include "cmd/commands.h"

enum { SHOWN = 5 };

struct session {
	struct command_base base;
	struct advice_rule rule;
};

static const struct option_row options[] = {
	STATE_OPTIONS,
	ADVICE_OPTIONS,
	TABLE_OPTIONS,
	{0},
};

static const char *whose(const char *user)
{
	return user ? user : "-";
}

/* learnt: grid 16x8x8, 34% of the time in MPI */
static void say_pattern(const char *pattern)
{
	bool learnt = !strncmp(pattern, "learnt:", 7);

	if (!*pattern)
		return;
	printf("%s: ", learnt ? "learnt" : "said to send");
	for (const char *c = pattern + (learnt ? 7 : 0); *c; c++)
		printf("%s%c", *c == ',' ? "," : "", strchr(":,", *c) ? ' ' : *c);
	puts(learnt && strchr(pattern, '%') ? " of the time in MPI" : "");
}

/* Text of the least hops that as many nodes could have, or "". */
static const char *least_hops(
	const struct picture *p, const struct picture_job *job, char *text, size_t size)
{
	double least = job->count > 1 ? outlook_least_hops(p, job->count) : (double)NAN;

	*text = '\0';
	if (least < job->mean_hops - 0.005)
		snprintf(text, size, "; on an idle %.32s the best is %.2f", p->mesh->name, least);
	else if (!isnan(least))
		snprintf(text, size, ", the best that %.32s has", p->mesh->name);
	return text;
}

static int say_running(const struct picture *p, const struct picture_job *job)
{
	char left[32] = "no limit", least[80];

	if (job->left >= 0)
		human_text(HUMAN_SECONDS, job->left, left, sizeof(left));
	printf("job %s (%s) runs: %d node%s on %s, %.2f hops between two%s, time left: %s\n",
		job->id, whose(job->user), job->count, human_s(job->count), p->mesh->name,
		job->mean_hops, least_hops(p, job, least, sizeof(least)), left);
	say_pattern(job->pattern);
	return SMESH_OK;
}

/* Print the running jobs whose ends make room, soonest first. */
static void say_in_the_way(const struct picture *p, const int *order, int ends)
{
	char left[32];

	printf("in the way:");
	for (int i = 0; i < ends && i < SHOWN; i++) {
		const struct picture_job *job = &p->job[order[i]];

		human_text(HUMAN_SECONDS, job->left, left, sizeof(left));
		printf("%s job %s (%s, %d node%s, %s left)", i ? "," : "", job->id,
			whose(job->user), job->count, human_s(job->count), left);
	}
	if (ends > SHOWN)
		printf(" and %d more", ends - SHOWN);
	putchar('\n');
}

static void say_start(const struct picture_waiting *w)
{
	char text[32];

	if (w->start < 0)
		return;
	human_text(HUMAN_SECONDS, w->start, text, sizeof(text));
	printf("slurmctld expects it to start in %s\n", text);
}

/* Print when there is room. A time only if slurmctld has none and no other job can come between. */
static void say_room(const struct picture *p, const struct picture_waiting *w, const int *order,
	int ends, int ahead)
{
	const struct picture_job *last = ends > 0 ? &p->job[order[ends - 1]] : NULL;
	const char *rest = ahead ? ", but jobs of higher priority come first" : "";
	char text[32];

	if (ends < 0) {
		puts("room: unknown, as nodes are down or running jobs have no time limit");
	} else if (last) {
		printf("room: %s when job %s ends%s",
			w->box ? "a free box of that size" : "enough free nodes", last->id, rest);
		human_text(HUMAN_SECONDS, last->left, text, sizeof(text));
		if (!ahead && w->start < 0)
			printf(", in %s at the latest by the limits of running jobs", text);
		putchar('\n');
	} else {
		printf("room: %s now%s", w->box ? "a free box is there"
			: "enough free nodes are there", rest);
		if (!ahead)
			printf("; if %s the CPUs, memory and GRES, slurmctld starts the job in its "
				"next cycles", w->box ? "its nodes have" : "they have");
		putchar('\n');
	}
}

/* Would there be room in boxes with a broken link inside? */
static bool links_forbid(const struct picture *p, const struct picture_waiting *w, int *order)
{
	struct picture_waiting any = *w;

	any.shape.any_links = true;
	return w->box && p->mesh->down && outlook_ends(p, &any, order) >= 0;
}

static void say_when(struct picture *p, const struct picture_waiting *w, int ahead)
{
	int *order = need_get(&p->arena, p->njobs, sizeof(*order));
	int ends = outlook_ends(p, w, order);

	if (ends > 0)
		say_in_the_way(p, order, ends);
	if (ends < 0 && links_forbid(p, w, order))
		puts("room: not before a link is mended: every box that becomes free has a broken "
			"link inside");
	else
		say_room(p, w, order, ends, ahead);
	say_start(w);
}

/* Advise a job that waits for a box, or for more nodes than are free. */
static int say_advice(const struct picture *p, const struct picture_waiting *w, int free_nodes,
	const struct advice_rule *rule)
{
	int code;

	if (!w->box && free_nodes >= w->nodes)
		return SMESH_OK;
	if (w->must.word) {
		puts("cheapest place: not looked for, as it requires nodes by name");
		return SMESH_OK;
	}
	code = advice_say(p, w, rule);
	return code == SMESH_NO_FIT || code == SMESH_NEVER ? SMESH_OK : code;
}

/* Print the free nodes that it may have. Returns how many. */
static int say_free(struct picture *p, const struct picture_waiting *w)
{
	struct nodeset set;
	struct outlook now;
	int n;

	outlook_take(&now, p, &p->arena);
	outlook_free(p, w, &set, &p->arena);
	n = nodeset_count(&set);
	printf("free: %d of %d node%s", now.free_nodes, p->mesh->nnodes,
		human_s(p->mesh->nnodes));
	if (!p->mesh->cabled)
		printf(", the largest free box has %d", now.largest_box);
	if (n < now.free_nodes)
		printf("; it may have %d of them", n);
	putchar('\n');
	return n;
}

/* Has an update made the job too large? No command would accept it so. */
static bool say_outgrown(const struct picture *p, const struct picture_waiting *w)
{
	int of_shape = advice_shape_nodes(p, w);

	if (!advice_outgrown(p, w))
		return false;
	printf("room: never, its shape is of %d node%s and it asks for %d: scontrol update "
		"JobId=%s NumNodes=%d, with NumCPUs= to match\n", of_shape, human_s(of_shape),
		w->nodes, w->id, of_shape);
	return true;
}

/* A mesh that could hold the job; NULL: none. */
static const struct mesh *find_mesh(const struct picture *p, const struct picture_waiting *w)
{
	struct mesh_err err;

	for (int i = 0; i < p->conf->nmeshes; i++) {
		const struct mesh *mesh = p->conf->mesh[i];

		if (w->nodes <= mesh->nnodes && !outlook_never(mesh, w, &err))
			return mesh;
	}
	return NULL;
}

/* The job waits for place: print who is in the way, when there is room, and what to clear. */
static int say_place(struct picture *p, const struct picture_waiting *w,
	const struct advice_rule *rule)
{
	int first = 0, ahead = advice_ahead(p, w, &first), free_nodes = say_free(p, w);
	const struct picture_waiting *head = &p->waiting[first];
	const struct mesh *other = NULL;
	struct mesh_err err;
	bool never = outlook_never(p->mesh, w, &err);

	if (never || w->nodes > p->mesh->nnodes)
		other = find_mesh(p, w);
	if (ahead)
		printf("before it in the queue: %d job%s, first job %s (%s, %d node%s)\n", ahead,
			human_s(ahead), head->id, whose(head->user), head->nodes,
			human_s(head->nodes));
	if (other) {
		printf("room: never on mesh %s, see --mesh=%s\n", p->mesh->name, other->name);
		say_start(w);
		return SMESH_OK;
	}
	if (advice_spans(p, w)) {
		printf("room: not looked for: it asks for %d nodes, and so for several meshes, as "
			"%s has %d\n", w->nodes, p->mesh->name, p->mesh->nnodes);
		say_start(w);
		return SMESH_OK;
	}
	if (w->nodes > p->mesh->nnodes) {
		printf("room: never, as mesh %s has %d node%s and it asks for %d\n", p->mesh->name,
			p->mesh->nnodes, human_s(p->mesh->nnodes), w->nodes);
		return SMESH_OK;
	}
	if (say_outgrown(p, w))
		return SMESH_OK;
	if (never) {
		printf("room: never: %s\n", err.text);
		return SMESH_OK;
	}
	say_when(p, w, ahead);
	return say_advice(p, w, free_nodes, rule);
}

/* Print a line, with the job's ID in place of ID. */
static void say_line(const char *head, const char *text, const char *id)
{
	printf("%s: ", head);
	for (; *text; text++)
		if (!strncmp(text, "ID", 2) && strchr(" ,)", text[2])) {
			fputs(id, stdout);
			text++;
		} else {
			putchar(*text);
		}
	putchar('\n');
}

/* 8 nodes, a box of 4x2; or 8 contiguous nodes */
static void say_size(const struct picture_waiting *w)
{
	char wish[96];

	picture_wish(w, wish, sizeof(wish));
	if (w->shape.ndims)
		printf("%d node%s, %s", w->nodes, human_s(w->nodes), wish);
	else
		printf("%d %s%snode%s", w->nodes, wish, *wish ? " " : "", human_s(w->nodes));
}

static int say_waiting(struct picture *p, const struct picture_waiting *w,
	const struct advice_rule *rule)
{
	struct reason reason;
	char since[32] = "";

	if (w->since >= 0)
		human_text(HUMAN_SECONDS, w->since, since, sizeof(since));
	printf("job %s (%s) waits%s%s: ", w->id, whose(w->user), *since ? " since " : "", since);
	say_size(w);
	printf(", reason %s\n", w->why);
	say_pattern(w->pattern);
	if (!reason_explain(w->reason, &reason)) {
		puts("means: not known to smesh; see squeue(1), JOB REASON CODES");
		return SMESH_OK;
	}
	if (reason.place)
		return say_place(p, w, rule);
	say_outgrown(p, w);
	say_line("means", reason.means, w->id);
	say_line("helps", reason.helps, w->id);
	if (reason.timed)
		say_start(w);
	return SMESH_OK;
}

static int say(struct picture *p, const char *id, const struct session *s)
{
	const struct table_form *form = &s->base.form;

	for (int i = 0; i < p->nwaiting; i++)
		if (picture_is_job(p->waiting[i].id, p->waiting[i].number, id))
			return table_wanted(form) ? table_print(&picture_table, form,
					picture_json_waiting(p, &p->waiting[i]))
				: say_waiting(p, &p->waiting[i], &s->rule);
	for (int i = 0; i < p->njobs; i++)
		if (p->job[i].count && picture_is_job(p->job[i].id, p->job[i].number, id))
			return table_wanted(form) ? table_print(&picture_table, form,
					picture_json_job(p, &p->job[i]))
				: say_running(p, &p->job[i]);
	return smesh_fail(SMESH_USAGE,
		"no job %s runs on mesh %s or waits (squeue lists jobs)", id, p->mesh->name);
}

/* Only users who may requeue the jobs of others are shown these. */
static void mind_asker(struct session *s)
{
	const struct passwd *user;

	if (s->base.state || live_may_requeue())
		return;
	user = getpwuid(getuid());
	s->rule.users = need_text(&s->base.arena, user ? user->pw_name : "?");
	s->rule.only_own = true;
}

static int run(void *session)
{
	struct session *s = session;
	int code;

	if (s->base.noperands != 1)
		return smesh_fail(SMESH_USAGE, "why: one JOBID is needed (squeue lists them)");
	if ((code = command_open_state(&s->base)))
		return code;
	mind_asker(s);
	return say(&s->base.picture, *s->base.operand, s);
}

const struct command cmd_why = {
	.name = "why",
	.summary = "say why a job waits, who is in the way, when it will start",
	.usage = "[-t FILE] [--state FILE] [OPTION]... JOBID",
	.example = "4711",
	.options = options,
	.table = &picture_table,
	.size = sizeof(struct session),
	.usual = &(const struct session){.rule.most = -1},
	.operands = 1,
	.run = run,
};
