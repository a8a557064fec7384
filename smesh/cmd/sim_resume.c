/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim --resume FILE: a journal of what has been simulated. Its first line says of which
 * command; then a line for each run that is done, with its figures to the last digit. A line that
 * was cut off when the program was stopped counts for nothing.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sim_session.h"

static json_t *figures(const struct summary *summary)
{
	json_t *out = json_object();

	for (const struct summary_row *row = summary_rows; row->key; row++) {
		double value = summary_value(summary, row);

		json_object_set_new(
			out, row->key, isfinite(value) ? json_real(value) : json_null());
	}
	return out;
}

static void take_figures(struct summary *summary, const json_t *from)
{
	for (const struct summary_row *row = summary_rows; row->key; row++) {
		const json_t *value = json_object_get(from, row->key);

		*(double *)(void *)((char *)summary + row->offset) =
			json_is_number(value) ? json_number_value(value) : (double)NAN;
	}
}

/* Whole lines only. */
static void take_line(struct runner *runner, const char *text)
{
	json_t *line = json_loads(text, 0, NULL);
	json_int_t task = json_integer_value(json_object_get(line, "run"));
	const json_t *summary = json_object_get(line, "figures");

	if (json_is_object(summary) && task >= 0 && task < runner->ntasks) {
		take_figures(&runner->task[task].summary, summary);
		runner->task[task].done = true;
	}
	json_decref(line);
}

/* The lines of a journal of the same command; *whole: the last one has an end. */
static int read_journal(struct sim_session *s, FILE *file, const json_t *identity, bool *whole)
{
	char *text = NULL;
	size_t room = 0;
	json_t *first = NULL;
	int code = SMESH_OK;

	*whole = true;
	for (ssize_t length; (length = getline(&text, &room, file)) > 0;) {
		*whole = text[length - 1] == '\n';
		if (first) {
			take_line(&s->runner, text);
			continue;
		}
		if (!(first = json_loads(text, 0, NULL)) ||
			!json_equal(first, (json_t *)(uintptr_t)identity)) {
			code = smesh_fail(SMESH_USAGE,
				"--resume: %s is of another command, of other files or another "
				"version",
				s->resume);
			break;
		}
	}
	json_decref(first);
	free(text);
	return code;
}

/* struct runner's finished(), of several threads: a line for what is done. */
static void note(void *session, struct runner_task *task)
{
	struct sim_session *s = session;
	json_t *line = json_pack("{s:i, s:o}", "run", (int)(task - s->runner.task), "figures",
		figures(&task->summary));

	flockfile(s->journal);
	output_json(s->journal, line, JSON_COMPACT | JSON_REAL_PRECISION(17));
	fflush(s->journal);
	funlockfile(s->journal);
}

int sim_resume(struct sim_session *s)
{
	json_t *identity;
	FILE *before;
	bool whole = true;
	int code = SMESH_OK, done = 0;

	if (!s->resume)
		return SMESH_OK;
	if (s->html || s->matrix || sim_jobs_any(&s->jobs, false))
		return smesh_fail(SMESH_USAGE,
			"--resume and --html, --matrix or files of jobs exclude each other");
	if (!(identity = sim_identity(s)))
		return SMESH_USAGE;
	if ((before = fopen(s->resume, "r"))) {
		code = read_journal(s, before, identity, &whole);
		fclose(before);
	}
	if (!code && !(s->journal = fopen(s->resume, "a")))
		code = smesh_fail(SMESH_USAGE, "--resume: %s: %s", s->resume, strerror(errno));
	if (!code && !fseek(s->journal, 0, SEEK_END) && ftell(s->journal) == 0)
		output_json(s->journal, json_incref(identity), JSON_COMPACT);
	else if (!code && !whole)
		fputc('\n', s->journal);
	json_decref(identity);
	s->runner.finished = note;
	s->runner.data = s;
	for (int i = 0; i < s->runner.ntasks; i++)
		done += s->runner.task[i].done;
	if (!code && done)
		smesh_fail(0, "--resume: %d of %d runs were done before", done, s->runner.ntasks);
	return code;
}
