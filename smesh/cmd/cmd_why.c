/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh why JOBID: why a job waits, who is in the way, when it will start and by which rule.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/state.h"
#include "cmd/outlook.h"
#include "sim/human.h"
#include "cmd/commands.h"

enum { SHOWN = 5 };

struct session {
	const char *topology, *mesh_name, *state;
	struct advice_rule rule;
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	OPTION_STATE,
	ADVICE_OPTIONS,
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

static int say_running(const struct picture *p, const struct picture_job *job)
{
	char left[32] = "no limit";

	if (job->left >= 0)
		human_text(HUMAN_SECONDS, job->left, left, sizeof(left));
	printf("job %s (%s) runs: %d node%s on %s, %.2f hops between two, time left: %s\n", job->id,
		whose(job->user), job->count, job->count == 1 ? "" : "s", p->mesh->name,
		job->mean_hops, left);
	say_pattern(job->pattern);
	return SMESH_OK;
}

/* The running jobs whose ends make room, soonest first. */
static void say_in_the_way(const struct picture *p, const int *order, int ends)
{
	char left[32];

	printf("in the way:");
	for (int i = 0; i < ends && i < SHOWN; i++) {
		const struct picture_job *job = &p->job[order[i]];

		human_text(HUMAN_SECONDS, job->left, left, sizeof(left));
		printf("%s job %s (%s, %d node%s, %s left)", i ? "," : "", job->id,
			whose(job->user), job->count, job->count == 1 ? "" : "s", left);
	}
	if (ends > SHOWN)
		printf(" and %d more", ends - SHOWN);
	putchar('\n');
}

static void say_when(const struct picture *p, const struct picture_waiting *w, int ahead)
{
	int *order = malloc(((size_t)p->njobs + 1) * sizeof(*order));
	int ends = order ? outlook_ends(p, w, order) : -2;
	const char *what = w->box ? "a free box of that size" : "that many free nodes";
	char text[32];

	if (ends > 0) {
		say_in_the_way(p, order, ends);
		human_text(HUMAN_SECONDS, p->job[order[ends - 1]].left, text, sizeof(text));
		printf("room: %s when job %s ends, in %s at the latest by the limits of running "
			"jobs\n", what, p->job[order[ends - 1]].id, text);
	} else if (!ends) {
		printf("room: there is %s now, but %s\n", what,
			ahead ? "jobs of higher priority come first"
			      : "slurmctld has the reason above");
	} else if (ends == -1) {
		printf("room: unknown, as nodes are down or running jobs have no time limit\n");
	}
	if (w->start >= 0) {
		human_text(HUMAN_SECONDS, w->start, text, sizeof(text));
		printf("slurmctld expects it to start in %s\n", text);
	}
	free(order);
}

/* Where it is place that it waits for: for a box, or for more nodes than are free. */
static int say_advice(const struct picture *p, const struct picture_waiting *w,
	const struct outlook *now, const struct advice_rule *rule)
{
	int code;

	if (!advice_waits(w) || (!w->box && now->free_nodes >= w->nodes))
		return SMESH_OK;
	code = advice_say(p, w, rule);
	return code == SMESH_NO_FIT || code == SMESH_NEVER ? SMESH_OK : code;
}

static int say_waiting(const struct picture *p, const struct picture_waiting *w,
	const struct outlook *now, const struct advice_rule *rule)
{
	int ahead = (int)(w - p->waiting);
	char since[48] = "";

	if (w->since >= 0) {
		snprintf(since, sizeof(since), " since ");
		human_text(HUMAN_SECONDS, w->since, since + strlen(since),
			sizeof(since) - strlen(since));
	}
	printf("job %s (%s) waits%s: %d %snode%s, reason %s\n", w->id, whose(w->user), since,
		w->nodes, w->box ? "contiguous " : "", w->nodes == 1 ? "" : "s", w->why);
	say_pattern(w->pattern);
	printf("free: %d of %d nodes, the largest free box has %d\n", now->free_nodes,
		p->mesh->nnodes, now->largest_box);
	if (ahead)
		printf("before it in the queue: %d job%s, first job %s (%s, %d node%s)\n", ahead,
			ahead > 1 ? "s" : "", p->waiting[0].id, whose(p->waiting[0].user),
			p->waiting[0].nodes, p->waiting[0].nodes == 1 ? "" : "s");
	if (w->nodes > p->mesh->nnodes) {
		printf("room: never, mesh %s has %d nodes\n", p->mesh->name, p->mesh->nnodes);
		return SMESH_OK;
	}
	say_when(p, w, ahead);
	return say_advice(p, w, now, rule);
}

static int say(const struct picture *p, const char *id, const struct advice_rule *rule)
{
	for (int i = 0; i < p->nwaiting; i++)
		if (picture_is_job(p->waiting[i].id, p->waiting[i].number, id)) {
			struct arena arena = {0};
			struct outlook now;
			int code = outlook_take(&now, p, &arena)
				? smesh_fail(SMESH_FAILED, "out of memory")
				: say_waiting(p, &p->waiting[i], &now, rule);

			arena_release(&arena);
			return code;
		}
	for (int i = 0; i < p->njobs; i++)
		if (p->job[i].count && picture_is_job(p->job[i].id, p->job[i].number, id))
			return say_running(p, &p->job[i]);
	return smesh_fail(SMESH_USAGE,
		"no job %s runs on mesh %s or waits (squeue lists jobs)", id, p->mesh->name);
}

static int run(int argc, char **argv)
{
	struct session s = {.rule.most = -1};
	struct picture picture = {0};
	int code = options_read(&cmd_why, argc, argv, &s);

	if (code)
		return code;
	if (optind != argc - 1)
		return smesh_fail(SMESH_USAGE, "why: one JOBID is needed (squeue lists them)");
	code = state_open(&picture, s.topology, s.mesh_name, s.state);
	if (code == SMESH_OK)
		code = say(&picture, argv[optind], &s.rule);
	picture_release(&picture);
	return code;
}

const struct command cmd_why = {
	.name = "why",
	.summary = "say why a job waits, who is in the way, when it will start",
	.usage = "[-t FILE] [--state FILE] [OPTION]... JOBID",
	.example = "4711",
	.options = options,
	.operands = 1,
	.run = run,
};
