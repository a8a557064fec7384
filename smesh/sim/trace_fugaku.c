/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The jobs of Fugaku that are published as F-DATA (zenodo.org/records/11467483), written as CSV
 * (the files are Parquet: pandas' to_csv()). Columns are found by name, others are ignored:
 *
 *   jid,usr,adt,sdt,edt,nnuma or nnumr,elpl
 *
 * are the number, user, submission, start, end, nodes (had, or asked for) and limit in seconds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/need.h"
#include "sim/trace_format.h"

enum column { ID, USER, SUBMIT, START, END, HAD, ASKED, LIMIT, COLUMNS };

static const char *const names[COLUMNS] = {
	"jid", "usr", "adt", "sdt", "edt", "nnuma", "nnumr", "elpl"};

/* Cut the next field off, without its quotes ("" is one). NULL: there is none. */
static char *next_field(char **text)
{
	char *from = *text, *to = from, *field = from;
	bool quoted = false;

	if (!from)
		return NULL;
	for (; *from && (quoted || *from != ','); from++)
		if (*from != '"' || (quoted && from[1] == '"' && from++))
			*to++ = *from;
		else
			quoted = !quoted;
	*text = *from ? from + 1 : NULL;
	*to = '\0';
	return field;
}

/* Find the columns by name: at[] is -1 for those that are not there. */
static void find_columns(char *line, int at[COLUMNS])
{
	for (int c = 0; c < COLUMNS; c++)
		at[c] = -1;
	for (int i = 0; line; i++) {
		const char *name = next_field(&line);

		for (int c = 0; c < COLUMNS; c++)
			if (!strcmp(name, names[c]))
				at[c] = i;
	}
}

static bool is_fugaku(const char *line)
{
	char *copy = need(strdup(line));
	int at[COLUMNS];

	find_columns(copy, at);
	free(copy);
	return at[SUBMIT] >= 0 && at[START] >= 0 && at[END] >= 0 &&
		(at[HAD] >= 0 || at[ASKED] >= 0);
}

static int begin(struct trace_reader *r, const char *line, struct mesh_err *err)
{
	int *at = need_get(&r->trace->arena, COLUMNS, sizeof(*at));

	(void)err;
	find_columns(need_text(&r->trace->arena, line), at);
	r->state = at;
	r->trace->nodes = true;
	return 0;
}

/* A whole number from 0, as 12 or 12.0; without one *number stays. */
static int parse(enum column column, const char *text, int64_t most, int64_t *number,
	struct mesh_err *err)
{
	double value;

	if (!text || !*text)
		return 0;
	if (trace_number(text, 0, (double)most, &value) || value > floor(value))
		return err_printf(err, "%s is not a whole number up to %lld: '%.32s'",
			names[column], (long long)most, text);
	*number = (int64_t)value;
	return 0;
}

static int parse_times(struct trace_slurm_job *job, const char *const *value, struct mesh_err *err)
{
	int64_t *const time[] = {&job->submit, &job->start, &job->end};

	for (int i = 0; i < 3; i++)
		if (trace_slurm_time(value[SUBMIT + i], time[i], &job->times))
			return err_printf(err, "%s is not a time: '%.32s'", names[SUBMIT + i],
				value[SUBMIT + i]);
	if (!job->submit)
		return err_printf(err, "adt is empty");
	job->run = job->start && job->end > job->start ? job->end - job->start : 0;
	job->end = job->end ? job->end : -1; /* deleted before it ran */
	return 0;
}

static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	const int *at = r->state;
	const char *value[COLUMNS] = {NULL};
	struct trace_slurm_job job = {.id = r->line};
	enum column nodes;

	for (int i = 0; text; i++) {
		const char *field = next_field(&text);

		for (int c = 0; c < COLUMNS; c++)
			if (at[c] == i)
				value[c] = field;
	}
	if (!value[SUBMIT] || !value[START] || !value[END])
		return err_printf(err, "fields are missing");
	nodes = value[HAD] && *value[HAD] ? HAD : ASKED;
	if (parse_times(&job, value, err) || parse(ID, value[ID], INT64_C(1) << 53, &job.id, err) ||
		parse(nodes, value[nodes], INT32_MAX, &job.count, err) ||
		parse(LIMIT, value[LIMIT], (int64_t)TRACE_LONGEST, &job.limit, err))
		return -1;
	job.user = value[USER];
	return trace_slurm_add(r, &job, err);
}

const struct trace_format trace_fugaku = {.is = is_fugaku, .begin = begin, .line = take_line};
