/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/trace.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/random.h"

enum { LONGEST_LINE = 1 << 16 };

struct trace_job *trace_add(struct trace *trace)
{
	struct trace_job *job = trace->njobs < INT32_MAX / 2
		? arena_grow(&trace->arena, &trace->job, trace->njobs, sizeof(*job)) : NULL;

	if (!job)
		return NULL;
	trace->njobs++;
	job->user = job->group = job->queue = job->partition = -1;
	return job;
}

/* Users of a log come in runs and are few: looked for from the last one back. */
int trace_user(struct trace *trace, const char *name)
{
	for (int i = trace->nusers - 1; i >= 0; i--)
		if (!strcmp(trace->user[i], name))
			return i;
	char **user = arena_grow(&trace->arena, &trace->user, trace->nusers, sizeof(*user));

	return user && (*user = arena_text(&trace->arena, name)) ? trace->nusers++ : -1;
}

void trace_release(struct trace *trace)
{
	arena_release(&trace->arena);
	memset(trace, 0, sizeof(*trace));
}

/* qsort() may swap equal jobs: their lines, or of generated ones their numbers, decide then. */
static int by_submit(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->line != y->line ? x->line - y->line : (x->id > y->id) - (x->id < y->id);
}

static void start_at_zero(struct trace *trace)
{
	int64_t first = trace->njobs ? trace->job[0].submit : 0;

	for (int i = 0; i < trace->njobs; i++)
		trace->job[i].submit -= first;
}

void trace_sort(struct trace *trace)
{
	if (trace->njobs)
		qsort(trace->job, (size_t)trace->njobs, sizeof(*trace->job), by_submit);
	start_at_zero(trace);
}

struct reader {
	struct trace *trace;
	const struct trace_read_options *options;
	struct sacct_columns sacct;
	bool rfold;
	bool decided; /* the format, by the first line that is not a comment */
};

/* Names of columns, with commas or blanks between them. */
static bool looks_like_sacct(const char *text)
{
	return isalpha((unsigned char)text[strspn(text, " ")]) &&
		(strcasestr(text, "JobID") || strcasestr(text, "Submit") ||
			strcasestr(text, "Elapsed"));
}

/* A line; 0, 1 = enough jobs, -1 with text. */
static int take_line(struct reader *r, char *text, int line, struct mesh_err *err)
{
	int before = r->trace->njobs, taken;

	text[strcspn(text, "\r\n")] = '\0';
	if (!r->decided && *text && *text != ';') {
		r->decided = true;
		if (strchr(text, '|'))
			return sacct_header(&r->sacct, text, err);
		if (looks_like_sacct(text))
			return err_printf(err,
				"this looks like sacct's output, but its columns are not "
				"between bars (|): ask sacct for --parsable2");
		r->rfold = rfold_is(text);
	}
	taken = r->sacct.any ? sacct_line(r->trace, &r->sacct, text, line, err)
		: r->rfold   ? rfold_line(r->trace, text, line, err)
			     : swf_line(r->trace, text, line, err);
	if (taken < 0 && r->options->skip_bad) {
		r->trace->njobs = before;
		trace_count_one(&r->trace->bad, line);
		return 0;
	}
	if (taken <= 0)
		return taken;
	r->trace->read++;
	if (before && r->trace->job[before].submit < r->trace->job[before - 1].submit)
		trace_count_one(&r->trace->out_of_order, line);
	return r->options->max_jobs && r->trace->read >= r->options->max_jobs;
}

/* Why reading ended before the file did; 0 if it did not. */
static int check_end(gzFile file, struct mesh_err *err)
{
	int code;
	const char *text = gzerror(file, &code);

	if (code == Z_OK || code == Z_STREAM_END)
		return 0;
	if (code == Z_BUF_ERROR)
		return err_printf(err, "the compressed data ends too early");
	return err_printf(err, "%s", code == Z_ERRNO ? strerror(errno) : text);
}

static int read_lines(struct reader *r, gzFile file, char *text, int *line, struct mesh_err *err)
{
	int result = 0;

	for (*line = 1; !result && gzgets(file, text, LONGEST_LINE); ++*line) {
		if (strlen(text) == LONGEST_LINE - 1)
			return err_printf(
				err, "the line has more than %d characters", LONGEST_LINE - 2);
		/* Half a line is the end of the file, for better or worse. */
		if (!strchr(text, '\n') && check_end(file, err))
			return -1;
		result = take_line(r, text, *line, err);
		if (result < 0)
			return -1;
	}
	return result ? 0 : check_end(file, err);
}

/* gzopen() opens it, too. */
static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* Why a line was not understood; a page that says "404" may well be called log.swf.gz. */
static int bad_line(const char *path, gzFile file, int line, const char *why, struct mesh_err *err)
{
	if (!fnmatch("*.gz", path, 0) && gzdirect(file))
		return err_printf(err,
			"%s: not compressed by gzip, though its name says so, and as text: "
			"line %d: %s",
			path, line, why);
	return err_at(err, path, line, "%s", why);
}

int trace_read(struct trace *trace, const char *path, const struct trace_read_options *options,
	struct mesh_err *err)
{
	static const struct trace_read_options none;
	struct reader r = {.trace = trace, .options = options ? options : &none};
	bool standard = !strcmp(path, "-");
	struct mesh_err why = {{0}};
	int line = 0, result;
	char *text;
	gzFile file;

	memset(trace, 0, sizeof(*trace));
	if (!standard && is_directory(path))
		return err_printf(err, "%s: is a directory", path);
	errno = 0;
	file = standard ? gzdopen(dup(STDIN_FILENO), "r") : gzopen(path, "re");
	if (!file)
		return err_printf(err, "%s: %s", path, errno ? strerror(errno) : "out of memory");
	gzbuffer(file, 1 << 17);
	text = arena_get(&trace->arena, LONGEST_LINE, 1);
	trace->name = arena_text(&trace->arena, standard ? "standard input" : path);
	if (!text || !trace->name)
		result = err_printf(err, "%s: out of memory", path);
	else if ((result = read_lines(&r, file, text, &line, &why)))
		bad_line(path, file, line, why.text, err);
	gzclose_r(file);
	if (!result && !trace->njobs)
		result = err_at(err, path, line, "no jobs");
	trace_sort(trace);
	return result;
}

void trace_fit(struct trace *trace, const struct trace_fit_options *options)
{
	int kept = 0, per_node = trace->nodes ? 1 : options->procs_per_node;

	for (int i = 0; i < trace->njobs; i++) {
		struct trace_job *job = &trace->job[i];

		if (job->run <= 0 || job->count <= 0) {
			trace_count_one(
				job->run <= 0 ? &trace->no_time : &trace->no_size, job->line);
			continue;
		}
		job->count = (job->count - 1) / per_node + 1;
		if (job->count > options->nnodes) {
			trace_count_one(&trace->too_large, job->line);
			if (options->too_large == TRACE_DROP)
				continue;
			job->count = options->nnodes;
			job->shape.ndims = 0;
		}
		trace->job[kept++] = *job;
	}
	trace->njobs = kept;
	trace->nodes = true;
	start_at_zero(trace);
}

double trace_load(const struct trace *trace, int nnodes)
{
	double work = 0, span = trace->njobs ? (double)trace->job[trace->njobs - 1].submit : 0;

	for (int i = 0; i < trace->njobs; i++)
		work += (double)trace->job[i].count * (double)trace->job[i].run;
	return span > 0 ? work / (span * nnodes) : 0;
}

/* Products of large numbers stop here, 3,000 years out. */
static const double longest = 1e17;

void trace_set_load(struct trace *trace, int nnodes, double load)
{
	double factor = trace_load(trace, nnodes) / load;

	for (int i = 0; i < trace->njobs; i++)
		trace->job[i].submit =
			llround(fmin((double)trace->job[i].submit * factor, longest));
}

void trace_shake(struct trace *trace, int64_t spread, uint64_t seed)
{
	uint64_t random = random_stream(seed, 2);

	for (int i = 0; i < trace->njobs; i++)
		trace->job[i].submit += sim_random_int(&random, -spread, spread);
	trace_sort(trace);
}
