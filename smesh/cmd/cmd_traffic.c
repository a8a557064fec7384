/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh traffic: what jobs sent, as srun --mesh-learn has measured it.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/output.h"
#include "cmd/commands.h"
#include "cmd/readtraffic.h"
#include "cmd/traffic_gain.h"
#include "conf/jobpattern.h"
#include "learn/records.h"
#include "learn/runs.h"
#include "learn/trafficfile.h"
#include "links/comm.h"
#include "sim/human.h"
#include "sim/trace.h"

struct session {
	struct command_base base; /* topology NULL: do not compute gains */
	const char *named; /* --directory, or NULL */
	char directory[RECORDS_PATH];
	int ranks;
	const char *comm_file;
	bool json;
	int operands;
	char **operand; /* the operands behind the verb */
};

static const struct option_row options[] = {
	{0, "directory", "DIR", "where the records are (~/.local/share/slurm-mesh/traffic)",
		OPTION_TEXT, AT(named)},
	{'p', "ranks", "N", "the record of so many ranks (default: the newest of that name)",
		OPTION_INT, AT(ranks), 1, 1 << 16},
	{0, "comm-file", "FILE", "site: write the patterns of jobs here, for smesh sim --comm-file",
		OPTION_TEXT, AT(comm_file)},
	{'t', "topology", "FILE", "site: say what orders of ranks would gain on this machine",
		OPTION_TEXT, AT_MAP(topology)},
	OPTION_JSON,
	{0},
};

/* What a rank sends on average, in MB/s. */
static double rate_of(const struct record *record)
{
	return record->seconds > 0 ? record->bytes / record->seconds / record->ranks / 1e6 : 0;
}

/* The share of time in MPI, or -. */
static const char *share_of(const struct record *record, char text[16])
{
	if (record->share < 0)
		return "-";
	snprintf(text, 16, "%.0f%%", 100 * record->share);
	return text;
}

/* A number; null if it is below 0. */
static json_t *real_or_null(double value)
{
	return value < 0 ? json_null() : json_real(value);
}

static json_t *json_of(const struct record *record)
{
	return json_pack("{s:s, s:i, s:s, s:f, s:f, s:f, s:I, s:s, s:o}", "name", record->name,
		"ranks", record->ranks, "pattern", record->pattern, "seconds", record->seconds,
		"bytes", record->bytes, "messages", record->messages, "written",
		(json_int_t)record->written, "path", record->path, "mpi_percent",
		real_or_null(100 * record->share));
}

static void put_record(const struct record *record)
{
	char when[32] = "", share[16];
	time_t written = (time_t)record->written;
	struct tm tm;

	if (localtime_r(&written, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d", &tm);
	printf("%-24s %7d  %-22s %10.3g %10.3g %10.1f %6s  %s\n", record->name, record->ranks,
		record->pattern, record->bytes, record->messages, rate_of(record),
		share_of(record, share), when);
}

static int list_records(struct session *s)
{
	struct mesh_err err = {{0}};
	struct record *record;
	int n = records_list(s->directory, &s->base.arena, &record, &err);
	json_t *list;

	if (n < 0)
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	list = s->json ? json_array() : NULL;
	if (!list && n > 0)
		printf("%-24s %7s  %-22s %10s %10s %10s %6s  %s\n", "name", "ranks", "pattern",
			"bytes", "messages", "MB/s/rank", "in MPI", "measured");
	if (!n)
		smesh_fail(0, "no records in %s: srun --mesh-learn makes them", s->directory);
	for (int i = 0; i < n; i++)
		if (list)
			json_array_append_new(list, json_of(&record[i]));
		else
			put_record(&record[i]);
	return list ? output_json(stdout, list, JSON_INDENT(1)) : SMESH_OK;
}

static int find(struct session *s, struct record *record)
{
	if (s->operands != 1)
		return smesh_fail(SMESH_USAGE, "traffic: one NAME is needed");
	if (!records_find(s->directory, s->operand[0], s->ranks, record))
		return smesh_fail(SMESH_USAGE, "nothing is known of '%s' (see smesh traffic list)",
			s->operand[0]);
	return SMESH_OK;
}

enum { SIDE = 32 };

/* The block that a rank belongs to. */
static int block_of(const struct traffic *traffic, int rank)
{
	return traffic->n < SIDE ? rank : (int)((int64_t)rank * SIDE / traffic->n);
}

/* Draw the matrix: at most 32 x 32 blocks of ranks, darker where more is sent. */
static void draw_matrix(const struct traffic *traffic)
{
	static const char shade[] = " .:-=+*#";
	int side = traffic->n < SIDE ? traffic->n : SIDE;
	double sent[SIDE][SIDE] = {{0}}, most = 0;

	for (int from = 0; from < traffic->n; from++)
		for (size_t e = traffic->start[from]; e < traffic->start[from + 1]; e++) {
			int y = block_of(traffic, from), x = block_of(traffic, traffic->to[e]);

			sent[y][x] += traffic->weight[e];
			most = sent[y][x] > most ? sent[y][x] : most;
		}
	for (int y = 0; y < side; y++) {
		putchar('|');
		for (int x = 0; x < side; x++) {
			char c = sent[y][x] > 0
				? shade[1 + (int)(sent[y][x] / most * ((int)sizeof(shade) - 3))]
				: *shade;

			printf("%c%c", c, c);
		}
		puts("|");
	}
}

/* In JSON this is a list of one record, without its matrix. */
static int show(struct session *s)
{
	struct mesh_err err = {{0}};
	struct traffic traffic = {0};
	struct record record;
	char share[16];
	int code = find(s, &record);

	if (!code && s->json)
		return output_json(stdout, json_pack("[o]", json_of(&record)), JSON_INDENT(1));
	if (code)
		return code;
	if (record.matrix && trafficfile_read(&traffic, record.path, record.ranks, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	printf("%s: %d rank%s, %s, %.1f MB/s a rank in %.1f s, %s of the time in MPI\n%s\n",
		record.name, record.ranks, human_s(record.ranks), record.pattern,
		rate_of(&record), record.seconds, share_of(&record, share), record.path);
	if (record.matrix)
		draw_matrix(&traffic);
	traffic_release(&traffic);
	return SMESH_OK;
}

/* Who wants nothing known of a program must hear of its other records. */
static int forget(struct session *s)
{
	struct record record, other;
	int code = find(s, &record);

	if (!code && unlink(record.path))
		return smesh_fail(SMESH_FAILED, "%s: %s", record.path, strerror(errno));
	if (!code && records_find(s->directory, record.name, 0, &other))
		smesh_fail(0, "removed what was known of %d ranks; there is still a record of %d",
			record.ranks, other.ranks);
	return code;
}

/* NAME FILE...: import files as trafficfile.h reads them, one of each rank, or one with -p. */
static int import(struct session *s)
{
	int files = s->operands - 1, ranks = files > 1 ? files : s->ranks;
	struct record record = {.ranks = ranks, .runs = 1};
	struct mesh_err err = {{0}};
	struct traffic traffic = {0};
	struct traffic_run run;
	int code;

	if (files < 1 || ranks < 1)
		return smesh_fail(SMESH_USAGE,
			"traffic import NAME FILE...: a file of each rank, or one and -p");
	code = readtraffic(&traffic, s->operand + 1, ranks, &run);
	if (!code) {
		progname_clean(s->operand[0], record.name);
		record.bytes = traffic_total(&traffic);
		record.messages = run.messages;
		record.share = run.share;
		record.matrix = traffic.start[ranks] / 2 <= RECORDS_PAIRS;
		patternfind(&traffic, ranks, record.pattern);
		if (records_write(s->directory, &record, &traffic, &err))
			code = smesh_fail(SMESH_USAGE, "%s", err.text);
	}
	traffic_release(&traffic);
	return code;
}

/* --- a site's jobs, from Slurm's accounting: select/mesh writes each job's pattern into its
 * SystemComment, so users' records are not read -------------------------------------------- */

/* Kinds: enum comm_pattern; then mix; then unknown. */
enum { UNKNOWN = MESH_PATTERN_MIX + 1, KINDS };

struct site {
	const char *path; /* of sacct's lines */
	FILE *comm; /* NULL: not wanted */
	struct traffic_gain *gain; /* NULL: not wanted */
	struct sum {
		int jobs;
		double hours; /* nodes times hours */
		double told, inside; /* of jobs whose share of time in MPI is known; that time */
		double judged, spared; /* of inside: where an order could help; and what it saves */
	} by[KINDS], all;
};

static const char *name_of(int kind)
{
	if (kind == UNKNOWN)
		return "not known";
	return kind == MESH_PATTERN_MIX ? "mix" : comm_pattern_name(kind);
}

static void add_job(struct sum *sum, double hours, int share)
{
	sum->jobs += hours > 0; /* not what was cancelled before it ran */
	sum->hours += hours;
	sum->told += share < 0 ? 0 : hours;
	sum->inside += share < 0 ? 0 : hours * share / 100;
}

/* Add what a job with a known share would have saved by the learnt order. */
static void add_gain(struct site *site, const struct mesh_pattern *pattern, double hours, int nodes)
{
	double part = site->gain && pattern->share >= 0
		? traffic_gain_of(site->gain, pattern, nodes) : -1;
	double inside = hours * pattern->share / 100;

	if (part < 0)
		return;
	site->by[pattern->kind].judged += inside;
	site->by[pattern->kind].spared += inside * part;
	site->all.judged += inside;
	site->all.spared += inside * part;
}

/* ID|NODES|SECONDS|COMMENT */
static int take_line(void *data, char *line, int number)
{
	struct site *site = data;
	char id[32], size[32], word[MESH_PATTERN_WORD];
	struct mesh_pattern pattern = {.kind = UNKNOWN, .share = -1};
	int64_t nodes = 0;
	double seconds, hours;
	int rest = 0;

	line[strcspn(line, "\r\n")] = '\0';
	if (!*line || !strncmp(line, "JobIDRaw|", 9))
		return SMESH_OK;
	if (sscanf(line, "%31[0-9]|%31[^|]|%lf|%n", id, size, &seconds, &rest) != 3 || !rest ||
		trace_parse_size(size, &nodes) || !(seconds >= 0 && seconds < 1e10))
		return smesh_fail(SMESH_USAGE,
			"%s:%d: expected JobIDRaw|NNodes|ElapsedRaw|SystemComment, as sacct -aXPn "
			"writes it",
			output_is_standard(site->path) ? "standard input" : site->path, number);
	hours = (double)nodes * seconds / 3600;
	mesh_pattern_in(line + rest, word, &pattern);
	add_job(&site->by[pattern.kind], hours, pattern.share);
	add_job(&site->all, hours, pattern.share);
	add_gain(site, &pattern, hours, (int)nodes);
	if (site->comm && pattern.kind < COMM_PATTERNS) {
		fprintf(site->comm, "%s %.*s", id, (int)strcspn(word, ","), word);
		if (pattern.share >= 0)
			fprintf(site->comm, " %d", pattern.share);
		fputc('\n', site->comm);
	}
	return SMESH_OK;
}

/* The share of time in MPI, weighted by node-hours, in percent; negative: known of no job. */
static double inside(const struct sum *sum)
{
	return sum->told > 0 ? 100 * sum->inside / sum->told : -1;
}

static void put_row(FILE *to, const char *name, const struct sum *sum, double all)
{
	char share[16] = "-";

	if (inside(sum) >= 0)
		snprintf(share, sizeof(share), "%.1f%%", inside(sum));
	fprintf(to, "%-12s %8d %12.1f %6.1f%% %7s\n", name, sum->jobs, sum->hours,
		all > 0 ? 100 * sum->hours / all : 0, share);
}

static void put_rows(const struct site *site, FILE *to)
{
	int most = MESH_PATTERN_MIX;
	double known = 0;

	fprintf(to, "%-12s %8s %12s %7s %7s\n", "pattern", "jobs", "node-hours", "share", "in MPI");
	for (int k = 0; k < KINDS; k++) {
		if (site->by[k].jobs)
			put_row(to, name_of(k), &site->by[k], site->all.hours);
		known += k == UNKNOWN ? 0 : site->by[k].hours;
		if (k < UNKNOWN && site->by[k].hours > site->by[most].hours)
			most = k;
	}
	put_row(to, "all", &site->all, site->all.hours);
	if (most != MESH_PATTERN_MIX && most != COMM_NONE && site->by[most].hours > known / 2)
		fprintf(to,
			"\nSchedulerParameters=mesh_pattern=%s is right for %.0f%% of what is "
			"known\n",
			name_of(most), 100 * site->by[most].hours / known);
}

/* The time in MPI follows the most loaded link, if it is all waiting for that link. */
static void put_gain(const struct site *site, FILE *to)
{
	if (!site->gain)
		return;
	if (site->all.judged > 0)
		fprintf(to,
			"\nof %.1f node-hours in MPI that are of rings and grids at most %.1f "
			"(%.1f%% of all node-hours) are spared by ranks in the order that is "
			"learnt, against that of nodes\n",
			site->all.judged, site->all.spared,
			100 * site->all.spared / site->all.hours);
	else
		fputs("\nnothing can be said of a gain: of no ring or grid that fits a mesh the "
		      "share of time in MPI is known\n", to);
}

static void put_json(const struct site *site, FILE *to)
{
	json_t *list = json_array();

	for (int k = 0; k < KINDS; k++) {
		const struct sum *sum = &site->by[k];

		if (sum->jobs)
			json_array_append_new(list,
				json_pack("{s:s, s:i, s:f, s:o, s:o}", "pattern",
					k == UNKNOWN ? "unknown" : name_of(k), "jobs", sum->jobs,
					"node_hours", sum->hours, "mpi_percent",
					real_or_null(inside(sum)), "spared_node_hours",
					sum->judged > 0 ? json_real(sum->spared) : json_null()));
	}
	output_json(to, list, JSON_INDENT(1));
}

/*
 * Print node-hours by pattern for the jobs in a file (default: standard input) that `sacct -aXPn
 * -o JobIDRaw,NNodes,ElapsedRaw,SystemComment` has written. With --comm-file also write a line ID
 * PATTERN for each job whose pattern is known, for smesh sim --comm-file.
 */
static int site(struct session *s)
{
	struct site site = {.path = s->operands ? s->operand[0] : "-"};
	FILE *to = output_is_standard(s->comm_file) ? stderr : stdout;
	struct output comm = {.file = NULL};
	int code;

	if (s->operands > 1)
		return smesh_fail(SMESH_USAGE, "traffic site: one file of sacct's at most");
	if (s->comm_file && (code = output_open(&comm, s->comm_file)))
		return code;
	site.comm = comm.file;
	if (s->base.topology && !(site.gain = traffic_gain_open(s->base.topology))) {
		output_drop(&comm);
		return SMESH_USAGE;
	}
	if (!(code = smesh_read_lines(site.path, take_line, &site)) &&
		!(code = output_close(&comm))) {
		(s->json ? put_json : put_rows)(&site, to);
		if (!s->json)
			put_gain(&site, to);
	}
	traffic_gain_close(site.gain);
	output_drop(&comm);
	return code;
}

static const struct verb {
	const char *name;
	int (*run)(struct session *s);
	bool of_records;
} verbs[] = {{"list", list_records, true}, {"show", show, true}, {"forget", forget, true},
	{"import", import, true}, {"site", site, false}, {0}};

/* Open the user's own records, unless others are named, and add the runs that have ended. */
static int open_directory(struct session *s)
{
	struct mesh_err err = {{0}};

	/* Behind it there is room for a record's name. */
	if (s->named && strlen(s->named) > RECORDS_PATH - 2 * RECORDS_NAME)
		return smesh_fail(SMESH_USAGE, "--directory: the name has more than %d characters",
			RECORDS_PATH - 2 * RECORDS_NAME);
	if (s->named)
		snprintf(s->directory, sizeof(s->directory), "%s", s->named);
	if (!*s->directory && records_directory(getenv("XDG_DATA_HOME"),
		getenv("HOME"), NULL, s->directory, &err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	if (runs_collect(s->directory, NULL, &err))
		smesh_fail(0, "%s", err.text);
	return SMESH_OK;
}

static int run(void *session)
{
	struct session *s = session;
	const char *name = s->base.noperands ? *s->base.operand : "list";
	const struct verb *v = verbs;

	s->operands = s->base.noperands ? s->base.noperands - 1 : 0;
	s->operand = s->base.operand + 1;
	while (v->name && strcmp(v->name, name) != 0)
		v++;
	if (!v->name)
		return smesh_fail(SMESH_USAGE,
			"traffic %s: expected list, show, forget, import or site", name);
	if (v->of_records && (s->base.topology || s->comm_file))
		smesh_fail(0, "--%s has no effect on traffic %s",
			s->base.topology ? "topology" : "comm-file", v->name);
	return v->of_records && open_directory(s) ? SMESH_USAGE : v->run(s);
}

const struct command cmd_traffic = {
	.name = "traffic",
	.summary = "say what jobs sent, as srun --mesh-learn has measured it",
	.usage = "[list | show NAME | forget NAME | import NAME FILE... | site [FILE]] [OPTION]",
	.example = "show wing",
	.options = options,
	.operands = 1 << 20,
	.size = sizeof(struct session),
	.run = run,
};
