/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/traffic_site.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/smesh.h"
#include "config/jobpattern.h"

/* By enum comm_pattern; then mix; then jobs of which nothing is known. */
enum { UNKNOWN = MESH_PATTERN_MIX + 1, KINDS };

struct site {
	FILE *comm; /* NULL: not wanted */
	struct sum {
		int jobs;
		double hours; /* nodes times hours */
	} by[KINDS], all;
};

static const char *name_of(int kind)
{
	if (kind == UNKNOWN)
		return "not known";
	return kind == MESH_PATTERN_MIX ? "mix" : comm_pattern_name((enum comm_pattern)kind);
}

/* The pattern in a SystemComment, also as a word. */
static int kind_in(const char *comment, char word[64])
{
	const char *at = strstr(comment, "pattern=");
	struct mesh_pattern pattern;
	struct mesh_err err;

	if (!at || sscanf(at, "pattern=%63[^ ;|\n]", word) != 1 ||
		mesh_pattern_parse(word, &pattern, &err))
		return UNKNOWN;
	return pattern.kind;
}

static bool take_line(struct site *site, const char *line)
{
	char id[32], word[64];
	double nodes, seconds;
	int kind, rest = 0;

	if (sscanf(line, "%31[0-9]|%lf|%lf|%n", id, &nodes, &seconds, &rest) != 3 || !rest ||
		!(nodes >= 0 && seconds >= 0 && nodes * seconds < 1e18))
		return false;
	kind = kind_in(line + rest, word);
	site->by[kind].jobs++;
	site->by[kind].hours += nodes * seconds / 3600;
	site->all.jobs++;
	site->all.hours += nodes * seconds / 3600;
	if (site->comm && kind < COMM_PATTERNS)
		fprintf(site->comm, "%s %s\n", id, word);
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

static void put(const struct site *site)
{
	int most = MESH_PATTERN_MIX;
	double known = 0;

	printf("%-12s %8s %12s %7s\n", "pattern", "jobs", "node-hours", "share");
	for (int k = 0; k < KINDS; k++) {
		if (site->by[k].jobs)
			printf("%-12s %8d %12.1f %6.1f%%\n", name_of(k), site->by[k].jobs,
				site->by[k].hours,
				site->all.hours > 0 ? 100 * site->by[k].hours / site->all.hours
						    : 0);
		known += k == UNKNOWN ? 0 : site->by[k].hours;
		if (k < UNKNOWN && site->by[k].hours > site->by[most].hours)
			most = k;
	}
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
				json_pack("{s:s, s:i, s:f}", "pattern",
					k == UNKNOWN ? "unknown" : name_of(k), "jobs",
					site->by[k].jobs, "node_hours", site->by[k].hours));
	json_dumpf(list, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(list);
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
