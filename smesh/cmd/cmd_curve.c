/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh curve: print an ordering of the machine and how good it is, or make a better one.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/curve.h"
#include "study/curve_search.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "sim/report.h"

/* The bound looks at all pairs of vertices: not on a machine where that takes minutes. */
enum { BOUND_VERTICES = 20000 };

struct session {
	const char *topology, *mesh_name, *failed, *output;
	enum curve curve;
	bool optimise, ring, json;
	double seconds, falloff;
	uint64_t seed;
	struct topoconf *conf;
	const struct mesh *mesh;
	int *order, nused; /* vertices that count, then the others */
	struct curve_quality quality;
	/* Of --optimise */
	double cost_before, cost, bound; /* bound: -1 where none is known */
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{0, "curve", "NAME",
		"hilbert, ring, snake, snake-long, row; mesh: as Order= says (default)"},
	{0, "optimise", NULL, "improve the ordering, for machines with holes or odd shapes",
		OPTION_FLAG, AT(optimise)},
	{0, "time", "SECONDS", "how long --optimise may take (default 10)", OPTION_DOUBLE,
		AT(seconds), 0.01, 1e6},
	{0, "ring", NULL, "optimise for a ring: the last rank is next to the first", OPTION_FLAG,
		AT(ring)},
	{0, "falloff", "F", "a pair d ranks apart weighs F^d (default 0.5)", OPTION_DOUBLE,
		AT(falloff), 0.01, 0.99},
	{0, "failed", "HOSTLIST", "vertices with only these nodes go to the end", OPTION_TEXT,
		AT(failed)},
	{0, "seed", "N", "for --optimise, which uses random numbers", OPTION_SEED, AT(seed)},
	{'o', "output", "FILE", "write the ordering there, for Order= in topology.conf",
		OPTION_TEXT, AT(output)},
	OPTION_JSON,
	{0},
};

/* --curve */
static int take_curve(void *session, const struct option_row *row, const char *value)
{
	struct session *s = session;

	(void)row;
	s->curve = curve_find(value);
	return s->curve == CURVES ? smesh_fail(SMESH_USAGE,
					    "unknown curve '%s' (see smesh curve --help)", value)
				  : SMESH_OK;
}

/* Vertices with a node that works first, the others after them; the order is kept in both. */
static int set_apart(struct session *s, const struct nodeset *failed)
{
	const struct mesh *mesh = s->mesh;
	int *other = malloc((size_t)mesh->nvertices * sizeof(*other)), nother = 0;

	if (!other)
		return smesh_fail(SMESH_FAILED, "out of memory");
	for (int i = 0; i < mesh->nvertices; i++) {
		int v = s->order[i];
		bool works = false;

		for (int j = mesh->first[v]; j < mesh->first[v + 1]; j++)
			works |= !nodeset_has(failed, mesh->node_at[j]);
		if (works)
			s->order[s->nused++] = v;
		else
			other[nother++] = v;
	}
	memcpy(s->order + s->nused, other, (size_t)nother * sizeof(*other));
	free(other);
	return SMESH_OK;
}

static int make_order(struct session *s)
{
	struct mesh_err err = {{0}};
	struct nodeset failed = {0};
	int code = SMESH_OK;

	s->order = malloc((size_t)s->mesh->nvertices * sizeof(*s->order));
	if (!s->order || nodeset_init(&failed, s->mesh->nnodes) ||
		curve_fill(s->mesh, s->curve, s->order))
		code = smesh_fail(SMESH_FAILED, "out of memory");
	else if (s->failed && smesh_hosts_to_set(s->mesh, s->failed, &failed, &err))
		code = smesh_fail(SMESH_USAGE, "--failed: %s", err.text);
	/* A plain ordering stays as it is; holes are passed over in it by all who use it. */
	else if (s->failed || s->optimise)
		code = set_apart(s, &failed);
	else
		s->nused = s->mesh->nvertices;
	nodeset_release(&failed);
	return code;
}

static int show_progress(void *data, double part, double cost)
{
	const struct session *s = data;
	int done = (int)(part * 40);

	fprintf(stderr, "\r[%.*s%*s] %3.0f%%  cost %.4f (was %.4f) ", done,
		"########################################", 40 - done, "", part * 100, cost,
		s->cost_before);
	return 0;
}

/* Does the order cost as little as any can? */
static bool is_proved(const struct session *s)
{
	return s->bound >= s->cost - 1e-9;
}

static int optimise(struct session *s)
{
	bool watched = isatty(STDERR_FILENO);
	struct curve_goal goal;
	struct curve_search search = {.seed = s->seed, .budget_ns = (int64_t)(s->seconds * 1e9),
		.progress = watched ? show_progress : NULL, .data = s};

	curve_goal_init(&goal, s->mesh, s->ring, s->falloff);
	s->cost_before = curve_cost(&goal, s->order, s->nused);
	if (curve_improve(&goal, &search, s->order, s->nused))
		return smesh_fail(SMESH_FAILED, "out of memory");
	if (watched)
		fputs("\r\033[K", stderr);
	s->cost = curve_cost(&goal, s->order, s->nused);
	s->bound = s->nused <= BOUND_VERTICES ? curve_bound(&goal, s->order, s->nused) : -1;
	return SMESH_OK;
}

static void add_goal(json_t *out, const struct session *s)
{
	json_object_set_new(out, "cost_before", json_real(s->cost_before));
	json_object_set_new(out, "cost", json_real(s->cost));
	json_object_set_new(out, "proved", json_boolean(is_proved(s)));
	if (s->bound < 0)
		return;
	json_object_set_new(out, "bound", json_real(s->bound));
	json_object_set_new(
		out, "gap", json_real(s->cost > 0 ? (s->cost - s->bound) / s->cost : 0));
}

static void print_json(const struct session *s, FILE *to)
{
	json_t *mean = json_object(), *out;

	for (int i = 0; i < s->quality.ndistances; i++) {
		char distance[16];

		snprintf(distance, sizeof(distance), "%d", 2 << i);
		json_object_set_new(mean, distance, json_real(s->quality.mean_hops[i]));
	}
	out = json_pack("{s:s, s:s, s:o, s:i, s:i, s:i, s:o}", "curve", curve_name(s->curve),
		"mesh", s->mesh->name, "order",
		report_ints(s->order, s->mesh->nvertices), "longest_step", s->quality.longest_step,
		"long_steps", s->quality.long_steps, "closing_step", s->quality.closing_step,
		"mean_hops", mean);
	if (s->optimise)
		add_goal(out, s);
	output_json(to, out, JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* An order file: what there is to say as comments, then a vertex a line. */
static void print_order(const struct session *s, FILE *to)
{
	const struct curve_quality *q = &s->quality;

	fprintf(to, "# mesh %s, curve %s%s: vertex at each rank, for Order= in topology.conf\n",
		s->mesh->name, curve_name(s->curve), s->optimise ? ", optimised" : "");
	fprintf(to, "# longest step %d, steps longer than one hop %d, last to first %d\n",
		q->longest_step, q->long_steps, q->closing_step);
	fprintf(to, "# mean hops by rank distance:");
	for (int i = 0; i < q->ndistances; i++)
		fprintf(to, " %d: %.3f", 2 << i, q->mean_hops[i]);
	fputc('\n', to);
	if (s->optimise) {
		fprintf(to, "# cost %.6f, was %.6f", s->cost, s->cost_before);
		if (is_proved(s))
			fprintf(to, ", proved to be the least");
		else if (s->bound >= 0)
			fprintf(to, ", at least %.6f (gap %.1f %%)", s->bound,
				s->cost > 0 ? 100 * (s->cost - s->bound) / s->cost : 0);
		fputc('\n', to);
	}
	for (int i = 0; i < s->mesh->nvertices; i++)
		fprintf(to, "%d\n", s->order[i]);
}

static int write_order(const struct session *s)
{
	struct output out;

	if (output_open(&out, s->output))
		return SMESH_USAGE;
	print_order(s, out.file);
	return output_close(&out);
}

static int curve(struct session *s)
{
	int code;

	if (!(s->mesh = smesh_open_mesh(&s->conf, s->topology, s->mesh_name)))
		return SMESH_USAGE;
	if ((code = make_order(s)) || (s->optimise && (code = optimise(s))))
		return code;
	if (curve_measure(s->mesh, s->order, &s->quality))
		return smesh_fail(SMESH_FAILED, "out of memory");
	if (s->output && (code = write_order(s)))
		return code;
	if (s->json)
		print_json(s, output_is_standard(s->output) ? stderr : stdout);
	else if (!s->output)
		print_order(s, stdout);
	return SMESH_OK;
}

static int run(int argc, char **argv)
{
	struct session s = {.curve = CURVE_MESH, .seconds = 10, .falloff = 0.5, .seed = 1};
	int code = options_read(&cmd_curve, argc, argv, &s);

	if (code)
		return code;
	code = curve(&s);
	free(s.order);
	topoconf_free(s.conf);
	return code;
}

const struct command cmd_curve = {
	.name = "curve",
	.summary = "print an ordering of the machine and how good it is, or optimise one",
	.usage = "-t FILE [OPTION]...",
	.options = options,
	.take = take_curve,
	.run = run,
};
