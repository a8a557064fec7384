/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sacct --parsable or --parsable2: a line of column names, then one line a job, fields between bars
 * or whatever --delimiter was. Columns are found by name, in any order:
 *
 *   JobID, JobIDRaw|Submit|Start|End|State|ElapsedRaw or Elapsed
 *   |AllocNodes or NNodes, or AllocCPUS, NCPUS or ReqCPUS|TimelimitRaw or Timelimit
 *   |User|Account|QOS|Partition|Cluster
 *
 * A number, Submit, a size, and Elapsed or Start and End are needed. Job steps (12.batch, 12.0),
 * and jobs that had not ended, are counted and left out.
 *
 * Users may write delimiters and line ends into columns of free text. Fields before the first and
 * behind the last such column are certain. Where commas are the delimiter, so is what Slurm lists
 * with commas: NodeList, Partition, the TRES; but pandas puts quotes around such fields.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/textfile.h"
#include "sim/need.h"
#include "sim/trace_format.h"

enum { MAX_COLUMNS = 256 };

enum column {
	ID, RAW_ID, SUBMIT, START, END, STATE, ELAPSED, NODES, CPUS, LIMIT, USER, ACCOUNT, QOS,
	PARTITION, CLUSTER, COLUMNS, FREE_TEXT = COLUMNS, OTHER
};

/* Of several names of a column that a log has, the last one here counts. */
static const struct {
	const char *name;
	enum column column;
} known[] = {{"JobID", ID}, {"JobIDRaw", RAW_ID}, {"Submit", SUBMIT}, {"Start", START},
	{"End", END}, {"State", STATE}, {"Elapsed", ELAPSED}, {"ElapsedRaw", ELAPSED},
	{"NNodes", NODES}, {"AllocNodes", NODES}, {"ReqCPUS", CPUS}, {"NCPUS", CPUS},
	{"AllocCPUS", CPUS}, {"Timelimit", LIMIT}, {"TimelimitRaw", LIMIT}, {"User", USER},
	{"Account", ACCOUNT}, {"QOS", QOS}, {"Partition", PARTITION}, {"Cluster", CLUSTER},
	{"JobName", FREE_TEXT}, {"Comment", FREE_TEXT}, {"SubmitLine", FREE_TEXT},
	{"WorkDir", FREE_TEXT}, {"AdminComment", FREE_TEXT}, {"SystemComment", FREE_TEXT},
	{"Constraints", FREE_TEXT}, {"Reason", FREE_TEXT}, {"StdIn", FREE_TEXT},
	{"StdOut", FREE_TEXT}, {"StdErr", FREE_TEXT}, {"Extra", FREE_TEXT},
	{"Container", FREE_TEXT}, {"Licenses", FREE_TEXT}, {"WCKey", FREE_TEXT}};

struct sacct {
	char delimiter[8];
	char *name[MAX_COLUMNS];
	int at[COLUMNS]; /* -1: there is none */
	int ncolumns;
	int first, last; /* first and last column of free text; ncolumns and -1: none */
	bool elapsed_raw, any; /* any: a job or step has been read */
	const char *header; /* the line of their names */
	bool usable; /* it has all that is needed */
	char **field; /* [TRACE_LINE + 1] of the current job */
	char *open; /* [TRACE_LINE] a job that continues on the next line; or "" */
	int open_line;
};

enum { KNOWN = sizeof(known) / sizeof(known[0]) };

/* The row of a name in known[]; KNOWN: there is none. */
static int find_known(const char *name, size_t length)
{
	int i = 0;

	while (i < KNOWN && (strlen(known[i].name) != length ||
		strncasecmp(name, known[i].name, length) != 0))
		i++;
	return i;
}

static enum column column_called(const char *name)
{
	int i = find_known(name, strlen(name));

	return i < KNOWN ? known[i].column : OTHER;
}

/* Where the quotes end that pandas and R put around fields of CSV; NULL: there are none. */
static char *end_of_quotes(char *field, const char *delimiter)
{
	char *end = delimiter[1] || !strchr(",;\t", *delimiter) || *field != '"'
		? NULL : strchr(field + 1, '"');

	while (end && end[1] == '"')
		end = strchr(end + 2, '"');
	return end && (!end[1] || end[1] == *delimiter) ? end : NULL;
}

/*
 * The next field of *rest, of *length characters, without quotes or blanks around it; NULL: there
 * is none. Behind a delimiter at the end there is an empty one.
 */
static char *next_field(char **rest, const char *delimiter, size_t *length)
{
	char *field = *rest, *quotes, *end;

	if (!field)
		return NULL;
	field += strspn(field, " ");
	quotes = end_of_quotes(field, delimiter);
	end = strstr(quotes ? quotes : field, delimiter);
	*rest = end ? end + strlen(delimiter) : NULL;
	if (quotes) {
		field++;
		end = quotes;
	}
	*length = end ? (size_t)(end - field) : strlen(field);
	while (*length && isblank((unsigned char)field[*length - 1]))
		--*length;
	for (; *length && isblank((unsigned char)*field); field++)
		--*length;
	return field;
}

/* Cut text at delimiters. Returns how many fields. */
static int split(const char *delimiter, char *text, char **field, int room)
{
	size_t length;
	int n = 0;

	for (; n < room && (field[n] = next_field(&text, delimiter, &length)); n++)
		field[n][length] = '\0';
	return n;
}

/* --- the first line ----------------------------------------------------------------------- */

/* Find the delimiter in the line of columns; false: none that differs from their text. */
static bool find_delimiter(const char *line, char delimiter[8])
{
	bool quoted = *line == '"';
	size_t name = quoted, n = 0;

	while (isalnum((unsigned char)line[name]))
		name++;
	if (quoted && line[name++] != '"')
		return false;
	name += strspn(line + name, " ");
	while (line[name + n] && !strchr(" \"", line[name + n]) &&
		!isalnum((unsigned char)line[name + n]))
		n++;
	/* a single column has no delimiter: it is refused for missing columns */
	if (!n || n >= 8 || (line[name] == '"' && !quoted))
		return false;
	memcpy(delimiter, line + name, n);
	delimiter[n] = '\0';
	return delimiter[strspn(delimiter, " :.-_+[]/\"'")] != '\0';
}

static bool is_table(const char *line)
{
	char delimiter[8];
	const char *name = line + strspn(line, " \"");

	return isalpha((unsigned char)*name) && !strchr(line, '|') &&
		!find_delimiter(line, delimiter) &&
		(strcasestr(line, "JobID") || strcasestr(line, "Submit") ||
			strcasestr(line, "Elapsed"));
}

static int refuse(struct trace_reader *r, const char *line, struct mesh_err *err)
{
	(void)r;
	(void)line;
	return err_printf(err, "this looks like sacct's output, but its columns are not between "
			       "bars (|): ask sacct for --parsable2");
}

const struct trace_format trace_sacct_table = {.is = is_table, .begin = refuse};

/* Count names of columns between the delimiters. */
static int count_known(const char *line, const char *delimiter)
{
	char *rest = (char *)(uintptr_t)line;
	size_t length;
	int n = 0;

	for (const char *name; (name = next_field(&rest, delimiter, &length));)
		n += find_known(name, length) < KNOWN;
	return n;
}

static bool is_sacct(const char *line)
{
	char delimiter[8];

	return strchr(line, '|') ||
		(find_delimiter(line, delimiter) && count_known(line, delimiter) > 1);
}

/* May a field of the column have the delimiter in it? */
static bool is_free(const struct sacct *s, const char *name)
{
	static const char *const lists[] = {"NodeList", "Partition", "Flags", "Reservation",
		"AllocTRES", "ReqTRES", "AllocGRES", "ReqGRES", "TRESUsage*", NULL};
	const char *const *list = lists;

	if (column_called(name) == FREE_TEXT)
		return true;
	while (*list && fnmatch(*list, name, FNM_CASEFOLD))
		list++;
	return *list && !strcmp(s->delimiter, ",");
}

static int take_column(struct sacct *s, int i, struct mesh_err *err)
{
	const char *name = s->name[i];
	enum column column = column_called(name);
	int row, other;

	if (is_free(s, name)) {
		s->first = s->first < i ? s->first : i;
		s->last = i;
	}
	if (column >= COLUMNS)
		return 0;
	row = find_known(name, strlen(name));
	other = s->at[column] < 0 ? -1
		: find_known(s->name[s->at[column]], strlen(s->name[s->at[column]]));
	if (other == row)
		return err_printf(err, "sacct: two columns %s: expected one", name);
	if (other > row)
		return 0;
	s->at[column] = i;
	s->elapsed_raw |= column == ELAPSED && strlen(name) > strlen("Elapsed");
	return 0;
}

static int check_columns(const struct sacct *s, struct mesh_err *err)
{
	if (s->at[ID] < 0 && s->at[RAW_ID] < 0)
		return err_printf(err, "sacct: no column JobID or JobIDRaw, by which jobs and "
				       "their steps are told apart");
	if (s->at[SUBMIT] < 0)
		return err_printf(err, "sacct: no column Submit: ask for JobID,User,Submit,Start,"
				       "End,ElapsedRaw,NNodes,Timelimit by -o");
	if (s->at[NODES] < 0 && s->at[CPUS] < 0)
		return err_printf(err, "sacct: no column NNodes, AllocNodes, NCPUS or AllocCPUS");
	if (s->at[ELAPSED] < 0 && (s->at[START] < 0 || s->at[END] < 0))
		return err_printf(err, "sacct: no column ElapsedRaw, and not both Start and End");
	return 0;
}

/* Take the names of columns. */
static int take_header(struct trace_reader *r, const char *line, struct mesh_err *err)
{
	struct arena *arena = &r->trace->arena;
	struct sacct *s = r->state;
	char *copy = need_text(arena, line);

	memset(s->at, 0xff, sizeof(s->at));
	s->header = need_text(arena, line);
	s->elapsed_raw = s->usable = false;
	s->first = s->ncolumns = split(s->delimiter, copy, s->name, MAX_COLUMNS);
	s->last = -1;
	for (int i = 0; i < s->ncolumns; i++)
		if (take_column(s, i, err))
			return -1;
	if (check_columns(s, err))
		return -1;
	r->trace->no_end |= s->at[END] < 0 && s->at[STATE] < 0;
	s->usable = true;
	return 0;
}

static int begin(struct trace_reader *r, const char *line, struct mesh_err *err)
{
	struct arena *arena = &r->trace->arena;
	struct sacct *s = r->state = need_get(arena, 1, sizeof(*s));

	need_array(arena, s->field, TRACE_LINE + 1);
	need_array(arena, s->open, TRACE_LINE);
	/* A job of a partition called partition has a number first. */
	if (!find_delimiter(line, s->delimiter) || !count_known(line, s->delimiter) ||
		isdigit((unsigned char)*line))
		return err_printf(err, "no names of sacct's columns (JobID, Submit, ...): "
				       "ask for them, without -n");
	return take_header(r, line, err);
}

/* --- lines to the columns ------------------------------------------------------------------ */

/* A column that is used and lies between two columns of free text; or -1. */
static int uncertain(const struct sacct *s)
{
	for (int c = 0; c < COLUMNS; c++)
		if (s->at[c] > s->first && s->at[c] < s->last)
			return s->at[c];
	return -1;
}

/* List the columns of free text: JobName or SubmitLine. */
static void free_columns(const struct sacct *s, char names[256])
{
	int used = 0;

	*names = '\0';
	for (int i = s->first; i <= s->last && used < 256; i++)
		if (is_free(s, s->name[i]))
			used += snprintf(names + used, (size_t)(256 - used), "%s%s",
				used ? " or " : "", s->name[i]);
}

/* Assign the fields of a job to the columns of the first line. */
static int set_columns(struct sacct *s, char *text, struct mesh_err *err)
{
	int n = split(s->delimiter, text, s->field, TRACE_LINE + 1), more = n - s->ncolumns;
	int between = uncertain(s);
	char names[256];

	if (more && s->last < 0)
		return err_printf(err, "%d fields, the first line names %d%s%s%s", n, s->ncolumns,
			more > 0 ? ": is there a '" : "", more > 0 ? s->delimiter : "",
			more > 0 ? "' in one of them? Ask sacct for another --delimiter" : "");
	free_columns(s, names);
	if (more < 0)
		return err_printf(err, "%d fields, the first line names %d: is there a line break "
			"in %s?", n, s->ncolumns, names);
	if (more && between >= 0)
		return err_printf(err, "'%s' in %s, and %s is between them: which has it is not "
			"certain; ask sacct for another --delimiter, that nobody writes, as "
			"--delimiter=@@", s->delimiter, names, s->name[between]);
	memmove(s->field + s->last + 1, s->field + s->last + 1 + more,
		(size_t)(s->ncolumns - s->last - 1) * sizeof(*s->field));
	return 0;
}

static int count_fields(const struct sacct *s, const char *text)
{
	char *rest = (char *)(uintptr_t)text;
	size_t length;
	int n = 0;

	while (next_field(&rest, s->delimiter, &length))
		n++;
	return n;
}

/* Is the field, of a column before the first free text, of the right form? */
static bool is_field(const struct sacct *s, const char *text, enum column column)
{
	char *rest = (char *)(uintptr_t)text, *field = NULL, date[40];
	size_t length;
	int64_t seconds;
	unsigned said = 0;

	if (s->at[column] < 0 || s->at[column] >= s->first)
		return true;
	for (int i = 0; i <= s->at[column]; i++)
		if (!(field = next_field(&rest, s->delimiter, &length)))
			return false;
	if (column != SUBMIT)
		return isdigit((unsigned char)*field);
	snprintf(date, sizeof(date), "%.*s", (int)length, field);
	return !trace_slurm_time(date, &seconds, &said);
}

/* --- fields ------------------------------------------------------------------------------- */

/*
 * Parse [D-]HH:MM:SS, MM:SS, or minutes, with fractions of a second; UNLIMITED and Partition_Limit
 * are 0. A log without seconds has HH:MM.
 */
static int parse_span(const char *text, unsigned times, int64_t *seconds)
{
	const char *colon = times & TIMES_COARSE ? strchr(text, ':') : NULL;
	char whole[32];

	*seconds = 0;
	if (isalpha((unsigned char)*text) || !*text)
		return 0;
	snprintf(whole, sizeof(whole), "%.*s%s", (int)strcspn(text, "."), text,
		colon && !strchr(colon + 1, ':') && !strchr(text, '-') ? ":00" : "");
	*seconds = textfile_seconds(whole);
	return *seconds < 0 || *seconds > INT64_C(10000000000) ? -1 : 0;
}

static int parse_whole(const char *text, int64_t *value)
{
	char *end;

	*value = strtoll(text, &end, 10);
	if (*end == '.') /* pandas writes 60.0 */
		end += 1 + strspn(end + 1, "0");
	return !*text || *end || *value < 0 || *value > INT64_C(10000000000) ? -1 : 0;
}

int trace_parse_size(const char *text, int64_t *size)
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

/* The field of a column, or NULL: there is none. */
static const char *field_of(const struct sacct *s, enum column column)
{
	return s->at[column] < 0 ? NULL : s->field[s->at[column]];
}

/* Parse Elapsed, or End - Start; 0: the job did not run. */
static int parse_run(const struct sacct *s, struct trace_slurm_job *job)
{
	const char *elapsed = field_of(s, ELAPSED);
	int64_t start;

	/* sacct's Elapsed has colons. A number could be seconds or minutes. */
	if (elapsed && !s->elapsed_raw && isdigit((unsigned char)*elapsed) && !strchr(elapsed, ':'))
		return -1;
	if (elapsed)
		return s->elapsed_raw ? parse_whole(elapsed, &job->run)
				      : parse_span(elapsed, job->times, &job->run);
	if (trace_slurm_time(field_of(s, START), &start, &job->times))
		return -1;
	job->run = start && job->end > start ? job->end - start : 0;
	return 0;
}

static int bad_time(const char *column, const char *text, struct mesh_err *err)
{
	return err_printf(err, "%s is not a time: '%.32s': expected YYYY-MM-DDTHH:MM:SS, also with "
		"an offset, or seconds since 1970 (ask sacct without SLURM_TIME_FORMAT)", column,
		text);
}

static int parse_job(const struct sacct *s, struct trace_slurm_job *job, struct mesh_err *err)
{
	const char *count = field_of(s, s->at[NODES] >= 0 ? NODES : CPUS);
	const char *submit = field_of(s, SUBMIT), *end = field_of(s, END);
	const char *limit = field_of(s, LIMIT);

	if (trace_slurm_time(submit, &job->submit, &job->times) || !job->submit)
		return bad_time("Submit", submit, err);
	if (end && trace_slurm_time(end, &job->end, &job->times))
		return bad_time("End", end, err);
	if (field_of(s, START) && trace_slurm_time(field_of(s, START), &job->start, &job->times))
		job->start = 0; /* only needed for a note */
	if (parse_run(s, job))
		return err_printf(err, "the run time is not a time: '%.32s'",
			field_of(s, field_of(s, ELAPSED) ? ELAPSED : START));
	if (trace_parse_size(count, &job->count))
		return err_printf(err, "the size is not a number: '%.32s'", count);
	if (limit && parse_span(limit, job->times, &job->limit))
		return err_printf(err, "Timelimit is not a time: '%.32s'", limit);
	return 0;
}

/* --- jobs ----------------------------------------------------------------------------------- */

/* Names of columns once more, as where logs were joined? A job has numbers, names are none. */
static bool is_header(const struct sacct *s, const char *text)
{
	char *rest = (char *)(uintptr_t)text;
	bool number = false;
	size_t length;

	for (const char *field; (field = next_field(&rest, s->delimiter, &length));)
		number |= isdigit((unsigned char)*field) != 0;
	return !number && count_known(text, s->delimiter) > 1;
}

/* The sizes of all jobs of a log are of one kind. */
static int note_kind(struct trace *trace, bool nodes, struct mesh_err *err)
{
	if (trace->njobs && trace->nodes != nodes)
		return err_printf(err, "sizes are %s, and %s above: expected NNodes in both logs",
			nodes ? "nodes" : "processors", nodes ? "processors" : "nodes");
	trace->nodes = nodes;
	trace->only_processors = !nodes;
	return 0;
}

/* Take a whole job or step. */
static int take_job(struct trace_reader *r, char *text, struct mesh_err *err)
{
	struct sacct *s = r->state;
	struct trace_slurm_job job = {.id = -1, .end = -1};
	const char *raw;

	if (!s->usable)
		return err_printf(err, "the line of columns above it has not all that is needed");
	if (set_columns(s, text, err))
		return -1;
	s->any = true;
	raw = field_of(s, RAW_ID);
	job.name = field_of(s, s->at[ID] >= 0 ? ID : RAW_ID);
	if (strchr(job.name, '.')) {
		trace_count_one(&r->trace->steps, r->line);
		return 0;
	}
	/* It may be that of a step: 12345678_12.batch in 12 columns. */
	if (*job.name && job.name[strlen(job.name) - 1] == '+')
		return err_printf(err, "the number '%.32s' is cut off: ask sacct for --parsable2",
			job.name);
	if (parse_job(s, &job, err) || note_kind(r->trace, s->at[NODES] >= 0, err))
		return -1;
	job.id = raw ? strtoll(raw, NULL, 10) : -1;
	job.state = field_of(s, STATE);
	job.user = field_of(s, USER);
	job.account = field_of(s, ACCOUNT);
	job.qos = field_of(s, QOS);
	job.partition = field_of(s, PARTITION);
	job.cluster = field_of(s, CLUSTER);
	return trace_slurm_add(r, &job, err);
}

/* Take the job that is open, whether it is too short or long enough by now. */
static int take_open(struct trace_reader *r, struct mesh_err *err)
{
	struct sacct *s = r->state;
	int taken;

	r->line = s->open_line;
	taken = take_job(r, s->open, err);
	*s->open = '\0';
	return taken;
}

/* Append a line to the job that is open. */
static int append(struct trace_reader *r, const char *text, struct mesh_err *err)
{
	struct sacct *s = r->state;
	size_t used = strlen(s->open);

	if (used + 1 + strlen(text) >= TRACE_LINE)
		return err_printf(err, "the job of line %d has more than %d characters",
			s->open_line, TRACE_LINE);
	s->open[used] = '\n';
	strcpy(s->open + used + 1, text);
	return count_fields(s, s->open) < s->ncolumns ? 0 : take_open(r, err);
}

static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	struct sacct *s = r->state;
	int n = count_fields(s, text), line = r->line;
	bool header = is_header(s, text);
	/* Does a job begin with this line, rather than continue in it? */
	bool begins =
		is_field(s, text, ID) && is_field(s, text, RAW_ID) && is_field(s, text, SUBMIT);

	if (*s->open && !header && !(begins && n >= s->ncolumns))
		return append(r, text, err);
	if (*s->open && trace_took(r, take_open(r, err)))
		return -1;
	r->line = line;
	if (header)
		return strcmp(text, s->header) ? take_header(r, text, err) : 0;
	if (!*text)
		return 0;
	if (n < s->ncolumns && begins && n > s->first) {
		strcpy(s->open, text);
		s->open_line = r->line;
		return 0;
	}
	/* The rest of the last column of the job before. */
	if (n < s->ncolumns && !begins && s->any && s->last == s->ncolumns - 1)
		return 0;
	return take_job(r, text, err);
}

static int end(struct trace_reader *r, struct mesh_err *err)
{
	const struct sacct *s = r->state;

	return *s->open ? take_open(r, err) : 0;
}

const struct trace_format trace_sacct = {
	.is = is_sacct, .begin = begin, .line = take_line, .end = end, .all = true};
