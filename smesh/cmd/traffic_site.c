/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/traffic_site.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/smesh.h"
#include "config/jobpattern.h"

/* By enum comm_pattern; then mix; then jobs of which nothing is known. */
enum { UNKNOWN = MESH_PATTERN_MIX + 1, KINDS };

struct site {
	FILE *comm; /* NULL: not wanted */
	struct sum {
		int jobs;
		double hours; /* nodes times hours */
		double told, inside; /* of those whose share of time in MPI is known; and that */
	} by[KINDS], all;
};

static const char *name_of(int kind)
{
	if (kind == UNKNOWN)
		return "not known";
	return kind == MESH_PATTERN_MIX ? "mix" : comm_pattern_name((enum comm_pattern)kind);
}

static void add_job(struct sum *sum, double hours, int share)
{
	sum->jobs++;
	sum->hours += hours;
	sum->told += share < 0 ? 0 : hours;
	sum->inside += share < 0 ? 0 : hours * share / 100;
}

static bool take_line(struct site *site, const char *line)
{
	char id[32], word[MESH_PATTERN_WORD];
	struct mesh_pattern pattern = {.kind = UNKNOWN, .share = -1};
	double nodes, seconds;
	int rest = 0;

	if (sscanf(line, "%31[0-9]|%lf|%lf|%n", id, &nodes, &seconds, &rest) != 3 || !rest ||
		!(nodes >= 0 && seconds >= 0 && nodes * seconds < 1e18))
		return false;
	mesh_pattern_in(line + rest, word, &pattern);
	add_job(&site->by[pattern.kind], nodes * seconds / 3600, pattern.share);
	add_job(&site->all, nodes * seconds / 3600, pattern.share);
	if (site->comm && pattern.kind < COMM_PATTERNS) {
		fprintf(site->comm, "%s %.*s", id, (int)strcspn(word, ","), word);
		if (pattern.share >= 0)
			fprintf(site->comm, " %d", pattern.share);
		fputc('\n', site->comm);
	}
	return true;
}

static int read_all(struct site *site, FILE *file, const char *path)
{
	char *line = NULL;
	size_t room = 0;
	int number = 0, code = SMESH_OK;

	while (!code && getline(&line, &room, file) > 0) {
		number++;
		if (*line != '\n' && strncmp(line, "JobIDRaw|", 9) != 0 && !take_line(site, line))
			code = smesh_fail(SMESH_USAGE,
				"%s:%d: expected JobIDRaw|NNodes|ElapsedRaw|SystemComment,"
				" as sacct -aXPn writes it",
				path, number);
	}
	free(line);
	return code;
}

/* The share of time in MPI, weighted by node-hours, in percent; of no job known: negative. */
static double inside(const struct sum *sum)
{
	return sum->told > 0 ? 100 * sum->inside / sum->told : -1;
}

static void put_row(const char *name, const struct sum *sum, double all)
{
	char share[16] = "-";

	if (inside(sum) >= 0)
		snprintf(share, sizeof(share), "%.1f%%", inside(sum));
	printf("%-12s %8d %12.1f %6.1f%% %7s\n", name, sum->jobs, sum->hours,
		all > 0 ? 100 * sum->hours / all : 0, share);
}

static void put(const struct site *site)
{
	int most = MESH_PATTERN_MIX;
	double known = 0;

	printf("%-12s %8s %12s %7s %7s\n", "pattern", "jobs", "node-hours", "share", "in MPI");
	for (int k = 0; k < KINDS; k++) {
		if (site->by[k].jobs)
			put_row(name_of(k), &site->by[k], site->all.hours);
		known += k == UNKNOWN ? 0 : site->by[k].hours;
		if (k < UNKNOWN && site->by[k].hours > site->by[most].hours)
			most = k;
	}
	put_row("all", &site->all, site->all.hours);
	if (most != MESH_PATTERN_MIX && most != COMM_NONE && site->by[most].hours > known / 2)
		printf("\nSchedulerParameters=mesh_pattern=%s is right for %.0f%% of what is "
		       "known\n",
			name_of(most), 100 * site->by[most].hours / known);
}

static void put_json(const struct site *site)
{
	json_t *list = json_array();

	for (int k = 0; k < KINDS; k++)
		if (site->by[k].jobs)
			json_array_append_new(list,
				json_pack("{s:s, s:i, s:f, s:o}", "pattern",
					k == UNKNOWN ? "unknown" : name_of(k), "jobs",
					site->by[k].jobs, "node_hours", site->by[k].hours,
					"mpi_percent", inside(&site->by[k]) < 0
						? json_null()
						: json_real(inside(&site->by[k]))));
	output_json(stdout, list, JSON_INDENT(1));
}

int traffic_site(const char *path, const char *comm_file, bool json)
{
	FILE *file = path ? fopen(path, "re") : stdin;
	struct site site = {.comm = comm_file ? fopen(comm_file, "we") : NULL};
	int code = SMESH_OK;

	if (!file || (comm_file && !site.comm))
		code = smesh_fail(SMESH_USAGE, "%s: %s", file ? comm_file : path, strerror(errno));
	if (!code)
		code = read_all(&site, file, path ? path : "standard input");
	if (file && path)
		fclose(file);
	if (site.comm && fclose(site.comm) && !code)
		code = smesh_fail(SMESH_FAILED, "%s: %s", comm_file, strerror(errno));
	if (!code && json)
		put_json(&site);
	else if (!code)
		put(&site);
	return code;
}
