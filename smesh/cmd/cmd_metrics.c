/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh metrics: writes the machine's figures in Prometheus' text format, for the textfile
 * collector of its node exporter or for any web server.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/outlook.h"
#include "cli/output.h"
#include "cmd/commands.h"

struct session {
	struct command_base base;
	const char *counters, *path;
};

static const struct option_row options[] = {
	STATE_OPTIONS,
	{0, "counters", "FILE", "slurmctld's counters (default: in its StateSaveLocation)",
		OPTION_TEXT, AT(counters)},
	{'o', "output", "FILE", "write there (- = standard output)", OPTION_TEXT, AT(path)},
	{0},
};

/* Write a label, with backslash, quote and new line escaped. */
static void label(FILE *file, char before, const char *name, const char *value)
{
	fprintf(file, "%c%s=\"", before, name);
	for (; *value; value++)
		if (*value == '\n')
			fputs("\\n", file);
		else
			fprintf(file, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
	fputc('"', file);
}

static void head(FILE *file, const char *name, const char *help)
{
	fprintf(file, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

struct sample {
	const char *key, *value; /* a label beside the mesh, or NULL */
	double number;
	const char *box; /* one more label, or NULL */
};

static void put(FILE *file, const struct picture *p, const char *name,
	const struct sample *sample)
{
	fputs(name, file);
	label(file, '{', "mesh", p->mesh->name);
	if (sample->box)
		label(file, ',', "box", sample->box);
	if (sample->key)
		label(file, ',', sample->key, sample->value);
	fprintf(file, isnan(sample->number) ? "} NaN\n" : "} %.10g\n", sample->number);
}

/* Write the boxes that can be had, and the share of places that a failure takes. */
static void write_kinds(FILE *file, const struct picture *p, const struct outlook *o)
{
	static const char boxes[] = "smesh_placeable_boxes", ratio[] = "smesh_failure_places_ratio";

	head(file, boxes, "Boxes of a shape or number of nodes that first fit places side by side, "
		"now and in an hour.");
	for (const struct outlook_kind *k = o->kind; k < o->kind + o->nkinds; k++) {
		put(file, p, boxes, &(struct sample){"when", "now", k->now, k->name});
		put(file, p, boxes, &(struct sample){"when", "hour", k->in_hour, k->name});
	}
	head(file, ratio, "Share of the places for a box that are lost when a node or a link "
		"fails.");
	for (const struct outlook_kind *k = o->kind; k < o->kind + o->nkinds; k++) {
		const struct vacancy_loss *node = &k->risk.node, *link = &k->risk.link;

		put(file, p, ratio, &(struct sample){"node", "mean", node->mean, k->name});
		put(file, p, ratio, &(struct sample){"node", "worst", node->worst, k->name});
		put(file, p, ratio, &(struct sample){"link", "mean", link->mean, k->name});
		put(file, p, ratio, &(struct sample){"link", "worst", link->worst, k->name});
	}
}

static void write_metrics(FILE *file, const struct picture *p, const struct outlook *o)
{
	struct picture_count count = picture_count(p);
	double nodes = 0, oldest = 0;
	bool boxes = !p->mesh->cabled;

	for (int i = 0; i < p->nwaiting; i++) {
		nodes += p->waiting[i].nodes;
		oldest = fmax(oldest, p->waiting[i].since);
	}
	const struct {
		const char *name, *help;
		struct sample sample[4]; /* the first, and others that have a label */
	} all[] = {
		{"smesh_nodes", "Nodes of the mesh by state; a drained node may still be busy.",
			{{"state", "free", count.free, NULL}, {"state", "busy", count.busy, NULL},
				{"state", "drained", count.drained, NULL},
				{"state", "down", count.down, NULL}}},
		{"smesh_jobs", "Jobs on the mesh, and jobs that wait.",
			{{"state", "running", o->running, NULL},
				{"state", "waiting", p->nwaiting, NULL}}},
		{"smesh_largest_free_box_nodes", "Nodes of the largest box of free vertices.",
			{{.number = boxes ? o->largest_box : (double)NAN}}},
		{"smesh_largest_free_box_in_hour_nodes",
			"The same in an hour, by the limits of running jobs.",
			{{.number = boxes ? o->largest_in_hour : (double)NAN}}},
		{"smesh_mean_hops",
			"Hops between two nodes of a job, mean over running jobs of several nodes.",
			{{.number = o->mean_hops}}},
		{"smesh_waiting_nodes", "Nodes that waiting jobs ask for.", {{.number = nodes}}},
		{"smesh_longest_wait_seconds",
			"Time since the submission of the job that waits longest.",
			{{.number = oldest}}},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		head(file, all[i].name, all[i].help);
		for (int n = 0; n < 4 && (!n || all[i].sample[n].key); n++)
			put(file, p, all[i].name, &all[i].sample[n]);
	}
}

/* Open a file if it begins as slurmctld's plugin writes it; NULL with errno. */
static FILE *open_counters(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		if ((strncmp(line, "smesh_", 6) && strncmp(line, "# ", 2)) || !strchr(line, '\n')) {
			fclose(file);
			errno = EINVAL;
			return NULL;
		}
	if (file)
		rewind(file);
	return file;
}

static void copy_counters(FILE *to, FILE *from)
{
	char line[512];

	while (from && fgets(line, sizeof(line), from))
		fputs(line, to);
}

/*
 * Write the cluster's counters if they can be read: not under a stock plugin, and only for users
 * who may read StateSaveLocation. Missing counters do not keep the other figures back.
 */
static void clusters_counters(FILE *file)
{
	char path[4096];
	struct mesh_err err;
	FILE *from;

	if (live_counters(path, sizeof(path), &err))
		return;
	from = open_counters(path);
	if (!from && errno != ENOENT)
		fprintf(file, "# %s: %s\n", path, strerror(errno));
	copy_counters(file, from);
	if (from)
		fclose(from);
}

static int run(void *session)
{
	struct session *wanted = session;
	struct picture *p = &wanted->base.picture;
	FILE *counters = NULL;
	struct outlook now;
	struct output out;
	int code = command_open_state(&wanted->base);

	if (code)
		return code;
	if (wanted->counters && !(counters = open_counters(wanted->counters))) {
		code = smesh_fail(SMESH_USAGE, "%s: %s", wanted->counters,
			errno == EINVAL ? "not slurmctld's counters" : strerror(errno));
	} else if (!(code = output_open(&out, wanted->path ? wanted->path : "-"))) {
		outlook_take(&now, p, &p->arena);
		write_metrics(out.file, p, &now);
		write_kinds(out.file, p, &now);
		copy_counters(out.file, counters);
		if (!wanted->counters && !wanted->base.state)
			clusters_counters(out.file);
		code = output_close(&out);
	}
	if (counters)
		fclose(counters);
	return code;
}

const struct command cmd_metrics = {
	.name = "metrics",
	.summary = "print the machine's figures in Prometheus' text format",
	.usage = "[-t FILE] [--state FILE] [--counters FILE] [-o FILE]",
	.example = "-o /var/lib/prometheus/node-exporter/smesh.prom",
	.options = options,
	.size = sizeof(struct session),
	.run = run,
};
