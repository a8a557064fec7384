/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh defrag: which running jobs to requeue for a box. It says how, and does nothing.
 */
#include <getopt.h>
#include <stdio.h>

#include "cmd/advice.h"
#include "cmd/commands.h"
#include "config/shape.h"
#include "view/state.h"

enum { MESH = 256, STATE, SHAPE, WITHIN, MOST_JOBS = 5 };

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH(MESH),
	{STATE, "state", "FILE",
		"from a file of jobs and nodes instead of Slurm (see smesh(1)); - = input"},
	{'n', "nodes", "N", "for a compact box of N nodes (default: for jobs that wait)"},
	{SHAPE, "shape", "AxBxC", "for a box of these sides"},
	{WITHIN, "within", "HOSTLIST", "with --nodes or --shape: of these nodes"},
	ADVICE_OPTIONS,
	{0},
};

struct session {
	const char *topology, *mesh, *state;
	struct advice_wish wish;
	struct advice_rule rule;
};

/* For those that wait for place, each as if it were alone; the first of them. */
static int say_queue(const struct picture *p, const struct advice_rule *rule)
{
	int said = 0, code = SMESH_OK, one;

	for (int i = 0; i < p->nwaiting && said < MOST_JOBS; i++) {
		const struct picture_waiting *w = &p->waiting[i];
		struct advice_wish wish = advice_wish(w);

		if (!advice_waits(w))
			continue;
		printf("%sjob %s (%s) waits for %d nodes", said++ ? "\n" : "", w->id,
			w->user ? w->user : "-", w->nodes);
		printf(w->box ? " in one box" : "");
		printf(i ? ", behind %d job%s\n" : "\n", i, i == 1 ? "" : "s");
		one = advice_say(p, &wish, rule);
		if (one != SMESH_OK && one != SMESH_NO_FIT && one != SMESH_NEVER)
			return one;
		code = said == 1 ? one : code;
	}
	if (!said)
		puts("no job waits for nodes; --nodes or --shape names a box to have free");
	return code;
}

static int take_option(struct session *s, int key, const char *value)
{
	struct mesh_err err = {{0}};
	int code = advice_take(&s->rule, key, value);

	switch (key) {
	case 't': s->topology = value; return SMESH_OK;
	case MESH: s->mesh = value; return SMESH_OK;
	case STATE: s->state = value; return SMESH_OK;
	case WITHIN: s->wish.within = value; return SMESH_OK;
	case 'n': return options_take_int("nodes", value, 1, INT32_MAX, &s->wish.nodes);
	case SHAPE:
		return shape_parse(value, &s->wish.shape, &err)
			? smesh_fail(SMESH_USAGE, "--shape=%s: %s", value, err.text) : SMESH_OK;
	default: return code < 0 ? SMESH_USAGE : code;
	}
}

static int run(int argc, char **argv)
{
	struct session s = {.rule.most = -1};
	struct topoconf *conf = NULL;
	struct picture picture = {0};
	const char *value;
	int code = SMESH_OK;

	for (int key; !code && (key = options_next(&cmd_defrag, argc, argv, &value)) != -1;)
		code = take_option(&s, key, value);
	if (code)
		return code;
	if (optind < argc)
		return smesh_fail(SMESH_USAGE, "defrag: what is '%s'?", argv[optind]);
	if (s.wish.nodes && s.wish.shape.ndims)
		return smesh_fail(SMESH_USAGE, "--nodes and --shape exclude each other");
	if (s.wish.within && !s.wish.nodes && !s.wish.shape.ndims)
		return smesh_fail(SMESH_USAGE, "--within goes with --nodes or --shape");
	code = state_open(&picture, &conf, s.topology, s.mesh, s.state);
	if (code == SMESH_OK)
		code = s.wish.nodes || s.wish.shape.ndims ? advice_say(&picture, &s.wish, &s.rule)
							  : say_queue(&picture, &s.rule);
	picture_release(&picture);
	topoconf_free(conf);
	return code;
}

const struct command cmd_defrag = {
	.name = "defrag",
	.summary = "which running jobs to requeue for a box: told, never done",
	.usage = "[-t FILE] [--state FILE] [--nodes N | --shape AxBxC] [OPTION]...",
	.options = options,
	.run = run,
};
