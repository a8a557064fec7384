/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh curve: print an ordering of the machine and how good it is.
 */
#include <jansson.h>
#include <stdio.h>

#include "sim/curve_measure.h"
#include "cli/output.h"
#include "cmd/commands.h"
#include "sim/need.h"
#include "sim/report.h"

struct session {
	struct command_base base;
	const char *output;
	enum curve curve;
	bool json;
	int *order;
	struct curve_quality quality;
};

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	OPTION_MESH,
	{0, "curve", "mesh|hilbert|ring|snake|snake-long|row",
		"which ordering; mesh: that of Order=, or hilbert (mesh)",
		OPTION_CHOICE, AT(curve), CURVE_MESH},
	{'o', "output", "FILE", "write the ordering there, for Order= in topology.conf",
		OPTION_TEXT, AT(output)},
	OPTION_JSON,
	{0},
};

static void print_json(const struct session *s, FILE *to)
{
	json_t *mean = json_object(), *out;

	for (int i = 0; i < s->quality.ndistances; i++) {
		char distance[16];

		snprintf(distance, sizeof(distance), "%d", 2 << i);
		json_object_set_new(mean, distance, json_real(s->quality.mean_hops[i]));
	}
	out = json_pack("{s:s, s:s, s:o, s:i, s:i, s:i, s:o}", "curve", curve_name(s->curve),
		"mesh", s->base.mesh->name, "order",
		report_ints(s->order, s->base.mesh->nvertices), "longest_step",
		s->quality.longest_step, "long_steps", s->quality.long_steps, "closing_step",
		s->quality.closing_step, "mean_hops", mean);
	output_json(to, out, JSON_COMPACT | JSON_REAL_PRECISION(12));
}

/* Print an order file: comments, then one vertex to a line. */
static void print_order(const struct session *s, FILE *to)
{
	const struct curve_quality *q = &s->quality;

	fprintf(to, "# mesh %s, curve %s: vertex at each rank, for Order= in topology.conf\n",
		s->base.mesh->name, curve_name(s->curve));
	fprintf(to, "# longest step %d, steps longer than one hop %d, last to first %d\n",
		q->longest_step, q->long_steps, q->closing_step);
	fprintf(to, "# mean hops by rank distance:");
	for (int i = 0; i < q->ndistances; i++)
		fprintf(to, " %d: %.3f", 2 << i, q->mean_hops[i]);
	fputc('\n', to);
	for (int i = 0; i < s->base.mesh->nvertices; i++)
		fprintf(to, "%d\n", s->order[i]);
}

static int run(void *session)
{
	struct session *s = session;
	struct output out;
	int code;

	if (command_open_mesh(&s->base))
		return SMESH_USAGE;
	need_array(&s->base.arena, s->order, s->base.mesh->nvertices);
	need_done(curve_fill(s->base.mesh, s->curve, s->order));
	need_done(curve_measure(s->base.mesh, s->order, &s->quality));
	if (s->output) {
		if ((code = output_open(&out, s->output)))
			return code;
		print_order(s, out.file);
		if ((code = output_close(&out)))
			return code;
	}
	if (s->json)
		print_json(s, output_is_standard(s->output) ? stderr : stdout);
	else if (!s->output)
		print_order(s, stdout);
	return SMESH_OK;
}

const struct command cmd_curve = {
	.name = "curve",
	.summary = "print an ordering of the machine and how good it is",
	.usage = "[-t FILE] [OPTION]...",
	.example = "-t topology.conf --curve ring -o ring.order",
	.options = options,
	.size = sizeof(struct session),
	.usual = &(const struct session){.curve = CURVE_MESH},
	.run = run,
};
