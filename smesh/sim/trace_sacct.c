/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sacct --parsable or --parsable2: a line of column names, then one line a job, fields
 * between bars. Columns are found by name, in any order:
 *
 *   JobID|Submit|Start|End|ElapsedRaw or Elapsed|NNodes or AllocNodes, or NCPUS or AllocCPUS
 *   |TimelimitRaw or Timelimit|User|Account|QOS|Partition
 *
 * Submit, a size, and Elapsed or Start and End are needed. Job steps (12.batch, 12.0) are
 * counted and left out.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "conf/settings.h"
#include "sim/trace.h"
#include "base/textfile.h"

enum { MAX_COLUMNS = 256 };

/* Later names win over earlier ones of the same column. SACCT_COLUMNS: none of ours. */
static enum sacct_column column_called(const char *name)
{
	static const struct {
		const char *name;
		enum sacct_column column;
	} known[] = {{"JobID", SACCT_ID}, {"Submit", SACCT_SUBMIT}, {"Start", SACCT_START},
		{"End", SACCT_END}, {"Elapsed", SACCT_ELAPSED}, {"ElapsedRaw", SACCT_ELAPSED},
		{"NNodes", SACCT_NODES}, {"AllocNodes", SACCT_NODES}, {"NCPUS", SACCT_CPUS},
		{"AllocCPUS", SACCT_CPUS}, {"ReqCPUS", SACCT_CPUS}, {"Timelimit", SACCT_LIMIT},
		{"TimelimitRaw", SACCT_LIMIT}, {"User", SACCT_USER}, {"JobName", SACCT_NAME},
		{"Account", SACCT_ACCOUNT}, {"QOS", SACCT_QOS}, {"Partition", SACCT_PARTITION}};

	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcasecmp(name, known[i].name))
			return known[i].column;
	return SACCT_COLUMNS;
}

/* Cut text at bars; how many fields. After a bar at the end is an empty one. */
static int split(char *text, char **field)
{
	int n = 0;

	for (; text && n < MAX_COLUMNS; field[n - 1] = strsep(&text, "|"))
		n++;
	return n;
}

/* A line into the columns of the first one. Bars too many are in the name of a job. */
static int split_line(const struct sacct_columns *c, char *text, char **field, struct mesh_err *err)
{
	int n = split(text, field), more = n - c->ncolumns;

	if (more && (more < 0 || c->at[SACCT_NAME] < 0))
		return err_printf(err, "%d fields, the first line names %d", n, c->ncolumns);
	for (int i = 1; i <= more; i++)
		field[c->at[SACCT_NAME] + i][-1] = '|';
	for (int i = c->at[SACCT_NAME] + 1; more && i < c->ncolumns; i++)
		field[i] = field[i + more];
	return 0;
}

int sacct_header(struct sacct_columns *c, const char *text, struct mesh_err *err)
{
	char *copy = strdup(text), *field[MAX_COLUMNS];

	*c = (struct sacct_columns){.any = true};
	memset(c->at, 0xff, sizeof(c->at));
	if (!copy)
		return err_printf(err, "out of memory");
	c->ncolumns = split(copy, field);
	for (int i = 0; i < c->ncolumns; i++) {
		enum sacct_column column = column_called(field[i]);

		if (column == SACCT_COLUMNS ||
			(c->at[column] >= 0 && (!strncasecmp(field[i], "Req", 3) ||
				!strcasecmp(field[i], "Elapsed"))))
			continue;
		c->at[column] = i;
		c->elapsed_raw |= column == SACCT_ELAPSED && strlen(field[i]) > strlen("Elapsed");
	}
	free(copy);
	if (c->at[SACCT_SUBMIT] < 0)
		return err_printf(err, "sacct: no column Submit");
	if (c->at[SACCT_NODES] < 0 && c->at[SACCT_CPUS] < 0)
		return err_printf(err, "sacct: no column NNodes, AllocNodes, NCPUS or AllocCPUS");
	if (c->at[SACCT_ELAPSED] < 0 && (c->at[SACCT_START] < 0 || c->at[SACCT_END] < 0))
		return err_printf(err, "sacct: no column ElapsedRaw, and not both Start and End");
	return 0;
}

/* YYYY-MM-DDTHH:MM:SS to seconds on a clock without time zones; 0 for Unknown and None. */
static int parse_date(const char *text, int64_t *seconds)
{
	struct tm tm = {0};
	char extra;
	int n = sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%c", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		&tm.tm_hour, &tm.tm_min, &tm.tm_sec, &extra);

	*seconds = 0;
	if (!strcmp(text, "Unknown") || !strcmp(text, "None") || !*text)
		return 0;
	if (n != 6 || tm.tm_year < 1970 || tm.tm_mon < 1 || tm.tm_mon > 12)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	*seconds = timegm(&tm);
	return *seconds < 0 ? -1 : 0;
}

/* [D-]HH:MM:SS, MM:SS, or minutes, with fractions of a second; 0 for UNLIMITED and
 * Partition_Limit. */
static int parse_span(const char *text, int64_t *seconds)
{
	char whole[32];

	*seconds = 0;
	if (isalpha((unsigned char)*text) || !*text)
		return 0;
	snprintf(whole, sizeof(whole), "%.*s", (int)strcspn(text, "."), text);
	*seconds = textfile_seconds(whole);
	return *seconds < 0 || *seconds > INT64_C(10000000000) ? -1 : 0;
}

static int parse_whole(const char *text, int64_t *value)
{
	char *end;

	*value = strtoll(text, &end, 10);
	return !*text || *end || *value < 0 || *value > INT64_C(10000000000) ? -1 : 0;
}

/*
 * A number of nodes or processors: sacct writes 1024 as 1K and 1536 as 1.50K unless it was asked
 * for --noconvert.
 */
static int parse_size(const char *text, int64_t *size)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;
	double value;

	if (!isdigit((unsigned char)*text))
		return -1;
	value = strtod(text, &end);
	if (*end) {
		unit = strchr(units, toupper((unsigned char)*end));
		if (!unit || end[1])
			return -1;
		for (const char *at = units; at <= unit; at++)
			value *= 1024;
	}
	if (!(value <= INT32_MAX))
		return -1;
	*size = llround(value);
	return fabs(value - (double)*size) > 1e-6 && !*end ? -1 : 0;
}

/* Elapsed, or End - Start; 0 when it did not run. */
static int parse_run(const struct sacct_columns *c, char *const *field, int64_t *run)
{
	int64_t start, end;

	if (c->at[SACCT_ELAPSED] >= 0)
		return c->elapsed_raw ? parse_whole(field[c->at[SACCT_ELAPSED]], run)
				      : parse_span(field[c->at[SACCT_ELAPSED]], run);
	if (parse_date(field[c->at[SACCT_START]], &start) ||
		parse_date(field[c->at[SACCT_END]], &end))
		return -1;
	*run = start && end > start ? end - start : 0;
	return 0;
}

static int name_in(struct trace *trace, char *const *field, int column)
{
	return column >= 0 && *field[column] ? trace_user(trace, field[column]) : -1;
}

int sacct_line(struct trace *trace, const struct sacct_columns *c, char *text, int line,
	struct mesh_err *err)
{
	int64_t submit, run, limit = 0, size;
	char *field[MAX_COLUMNS], *count;
	struct trace_job *job;

	if (!*text)
		return 0;
	if (split_line(c, text, field, err))
		return -1;
	if (c->at[SACCT_ID] >= 0 && strchr(field[c->at[SACCT_ID]], '.')) {
		trace_count_one(&trace->steps, line);
		return 0;
	}
	count = field[c->at[c->at[SACCT_NODES] >= 0 ? SACCT_NODES : SACCT_CPUS]];
	if (parse_date(field[c->at[SACCT_SUBMIT]], &submit) || !submit)
		return err_printf(err, "Submit is not a time: '%.32s'", field[c->at[SACCT_SUBMIT]]);
	if (parse_run(c, field, &run))
		return err_printf(err, "the run time is not a time");
	if (parse_size(count, &size))
		return err_printf(err, "the size is not a number: '%.32s'", count);
	if (c->at[SACCT_LIMIT] >= 0 && parse_span(field[c->at[SACCT_LIMIT]], &limit))
		return err_printf(err, "Timelimit is not a time: '%.32s'",
			field[c->at[SACCT_LIMIT]]);
	if (!(job = trace_add(trace)))
		return err_printf(err, "out of memory");
	job->id = c->at[SACCT_ID] >= 0 ? strtoll(field[c->at[SACCT_ID]], NULL, 10) : line;
	job->submit = submit * SIM_SECOND;
	job->run = run * SIM_SECOND;
	job->estimate = limit * SIM_SECOND;
	job->count = (int)size;
	job->line = line;
	job->user = name_in(trace, field, c->at[SACCT_USER]);
	job->group = name_in(trace, field, c->at[SACCT_ACCOUNT]);
	job->queue = name_in(trace, field, c->at[SACCT_QOS]);
	job->partition = name_in(trace, field, c->at[SACCT_PARTITION]);
	trace->nodes = c->at[SACCT_NODES] >= 0;
	return 1;
}
