/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim --resume FILE: runs that are in the file are not made again, and each new run is added
 * (sim_runs.h).
 */
#include "config.h"

#include <errno.h>
#include <sha2.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/sim_runs.h"
#include "cmd/sim_session.h"

/* A new object: the first line of a file of these runs; NULL after a message. */
static json_t *make_head(struct sim_session *s)
{
	struct sim_report made = {0};
	json_t *out = NULL, *report = NULL, *names = json_array();
	json_t *files = sim_files(s);
	char hash[SHA256_DIGEST_STRING_LENGTH];

	if (files) {
		sim_report_make(s, &made);
		made.report.nstrategies = 0; /* no figures yet */
		if (!s->against)
			made.report.against = -1; /* the whole may have linear */
		report = report_json(&made.report);
	}
	for (int i = 0; i < s->nops; i++)
		json_array_append_new(names, json_string(s->ops[i]->name));
	json_object_set_new(report, "runs", json_integer(s->all_runs));
	if (report)
		out = json_pack("{s:s, s:O, s:O, s:O, s:b, s:i, s:b, s:O}", "version",
			PACKAGE_VERSION, "options", s->options, "files", files, "strategies",
			names, "alike", s->alike, "busiest", made.report.trace->busiest,
			"processors", made.report.trace->processors, "report", report);
	/* Strategies are part of the program, and somebody may work on one. */
	if (out && SHA256File("/proc/self/exe", hash))
		json_object_set_new(out, "program", json_string(hash));
	json_decref(files);
	json_decref(names);
	json_decref(report);
	arena_release(&made.arena);
	return out;
}

struct resumed {
	struct sim_session *session;
	json_t *ours, *theirs; /* the first lines */
};

static int take_head(void *data, json_t *head)
{
	struct resumed *r = data;

	r->theirs = json_incref(head);
	return runs_belong(r->ours, "--resume", head, r->session->resume);
}

/* Take a run; runs of other strategies and parts are ignored. */
static int take_line(void *data, const struct runs_line *line)
{
	struct sim_session *s = ((struct resumed *)data)->session;
	int r = line->run - s->first_run;

	for (int i = 0; i < s->nops && r >= 0 && r < s->repeat; i++)
		if (!strcmp(s->ops[i]->name, line->strategy)) {
			s->runner.task[i * s->repeat + r].summary = line->figures;
			s->runner.task[i * s->repeat + r].done = true;
		}
	return SMESH_OK;
}

/* struct runner's finished(), called by several threads: write a line for the run. */
static void note(void *session, struct runner_task *task)
{
	struct sim_session *s = session;
	int at = (int)(task - s->runner.task);
	json_t *line = runs_json(&(struct runs_line){
		task->ops->name, s->first_run + at % s->repeat, task->summary});

	flockfile(s->journal);
	output_json(s->journal, line, JSON_COMPACT | JSON_REAL_PRECISION(17));
	fflush(s->journal);
	funlockfile(s->journal);
}

/* Lock the file: two processes that write at once would make the same runs. */
static int open_journal(struct sim_session *s)
{
	struct stat is;

	/* /dev/zero has no end. */
	if (!stat(s->resume, &is) && !S_ISREG(is.st_mode))
		return smesh_fail(SMESH_USAGE, "--resume: %s: not a regular file", s->resume);
	if (!(s->journal = fopen(s->resume, "a+e")))
		return smesh_fail(SMESH_USAGE, "--resume: %s: %s", s->resume, strerror(errno));
	if (flock(fileno(s->journal), LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return smesh_fail(SMESH_USAGE, "--resume: %s: another smesh sim is writing it",
			s->resume);
	rewind(s->journal);
	return SMESH_OK;
}

/* Read the file, and write a first line if there is none. */
static int go_on(struct sim_session *s, struct resumed *r)
{
	struct runs_reader reader = {s->resume, take_head, take_line, r, true};
	int code = runs_read(&reader, s->journal);

	if (code)
		return code;
	if (!r->theirs && !reader.whole && ftruncate(fileno(s->journal), 0))
		return smesh_fail(SMESH_USAGE, "--resume: %s: %s", s->resume, strerror(errno));
	fseek(s->journal, 0, SEEK_END);
	if (!r->theirs)
		output_json(s->journal, json_incref(r->ours),
			JSON_COMPACT | JSON_REAL_PRECISION(17));
	else if (!reader.whole)
		fputc('\n', s->journal);
	return fflush(s->journal)
		? smesh_fail(SMESH_FAILED, "--resume: %s: %s", s->resume, strerror(errno))
		: SMESH_OK;
}

int sim_resume(struct sim_session *s)
{
	struct resumed r = {.session = s};
	int code = SMESH_OK, done = 0;

	if (!s->resume)
		return SMESH_OK;
	for (int k = SIM_PAGE; k <= SIM_SWF; k++)
		if (s->file[k].path || s->matrix)
			return smesh_fail(SMESH_USAGE, "--resume and --html, --matrix or files of "
				"jobs exclude each other");
	if (!(r.ours = make_head(s)))
		return SMESH_USAGE;
	if (!(code = open_journal(s)))
		code = go_on(s, &r);
	json_decref(r.ours);
	json_decref(r.theirs);
	s->runner.finished = note;
	s->runner.data = s;
	for (int i = 0; i < s->runner.ntasks; i++)
		done += s->runner.task[i].done;
	if (!code && done)
		smesh_fail(0, "--resume: %d of %d runs were done before", done, s->runner.ntasks);
	return code;
}
