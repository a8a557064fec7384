/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads job logs from files: the table of formats, lines, compression.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/need.h"
#include "sim/trace_format.h"

/* The first format that accepts the first line is taken. JSON has no lines: its brace tells it. */
static const struct trace_format *const formats[] = {&trace_events, &trace_torque, &trace_fugaku,
	&trace_filetxt, &trace_sacct_table, &trace_sacct, &trace_rfold, &trace_swf};

int trace_number(const char *text, double least, double most, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end == text || *end ? -1 : !(*value >= least && *value <= most);
}

int trace_took(struct trace_reader *r, int taken)
{
	const struct trace *trace = r->trace;
	int n = trace->njobs;

	if (taken < 0 && r->options->skip_bad) {
		trace_count_one(&r->trace->bad, r->line);
		return 0;
	}
	if (taken <= 0)
		return taken;
	r->trace->read++;
	if (n > 1 && trace->job[n - 1].submit < trace->job[n - 2].submit)
		trace_count_one(&r->trace->out_of_order, r->line);
	return r->options->max_jobs && trace->read >= r->options->max_jobs;
}

/* Take a line. 0; 1: enough jobs; -1 with text. */
static int take_line(struct trace_reader *r, char *text, struct mesh_err *err)
{
	char *end = text + strcspn(text, "\r\n");

	if (end[strspn(end, "\r\n")])
		return err_printf(err, "lines end with carriage returns alone: expected newlines, "
			"as by tr '\\r' '\\n'");
	*end = '\0';
	if (!r->format) {
		if (*text == ';')
			swf_comment(r->trace, text);
		if (!*text || *text == ';' || *text == '#')
			return 0;
		for (int i = 0; !r->format; i++)
			r->format = formats[i]->is(text) ? formats[i] : NULL;
		if (r->format->begin)
			return r->format->begin(r, text, err);
	}
	if (!r->format->all && (!*text || *text == r->format->comment))
		return 0;
	return trace_took(r, r->format->line(r, text, err));
}

/* Why reading ended before the file did; 0: it did not. */
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

/* What has compressed a file that begins so, beside gzip, which zlib reads; NULL: nothing. */
static const char *compressor(const char *text)
{
	static const char *const begin[][2] = {
		{"\xfd" "7zXZ", "xz"}, {"BZh", "bzip2"}, {"(\xb5/\xfd", "zstd"}};

	for (int i = 0; i < 3; i++)
		if (!strncmp(text, begin[i][0], strlen(begin[i][0])))
			return begin[i][1];
	return NULL;
}

static int read_lines(struct trace_reader *r, gzFile file, struct mesh_err *err)
{
	char *text = need_get(&r->trace->arena, TRACE_LINE, 1);
	const char *by;
	int result = 0;

	for (int line = r->line + 1; !result && gzgets(file, text, TRACE_LINE); line++) {
		if (line == 1 && (by = compressor(text)))
			return err_printf(err, "compressed by %s: %s -dc FILE | smesh ... "
				"--trace=-", by, by);
		r->line = line;
		if (strlen(text) == TRACE_LINE - 1)
			return err_printf(
				err, "the line has more than %d characters", TRACE_LINE - 2);
		/* Half a line is the end of the file, or of what can be read. */
		if (!strchr(text, '\n') && check_end(file, err))
			return -1;
		if (!strchr(text, '\n') && !gzeof(file))
			return err_printf(err, "a NUL byte (UTF-16? Expected UTF-8)");
		result = take_line(r, text, err);
	}
	if (result || check_end(file, err))
		return result > 0 ? 0 : -1;
	result = r->format && r->format->end ? trace_took(r, r->format->end(r, err)) : 0;
	return result < 0 ? -1 : 0;
}

/* Skip a byte order mark, and blanks and empty lines. Returns what follows. */
static int first_byte(struct trace_reader *r, gzFile file)
{
	static const char mark[] = "\xef\xbb\xbf";
	int i, c = 0;

	for (i = 0; i < 3 && (c = gzgetc(file)) == (unsigned char)mark[i];)
		i++;
	if (i == 3)
		c = gzgetc(file);
	else
		while (c >= 0 && i > 0) { /* it was no mark */
			gzungetc(c, file);
			c = (unsigned char)mark[--i];
		}
	for (; c >= 0 && isspace(c); c = gzgetc(file))
		r->line += c == '\n';
	if (c >= 0)
		gzungetc(c, file);
	return c;
}

/* Why a line was not understood: a page that says "404" may be named log.swf.gz. */
static int bad_line(const char *path, gzFile file, int line, const char *why, struct mesh_err *err)
{
	if (!fnmatch("*.gz", path, 0) && gzdirect(file))
		return err_printf(err,
			"%s: not compressed by gzip, though its name says so, and as text: "
			"line %d: %s",
			path, line, why);
	return line ? err_at(err, path, line, "%s", why) : err_printf(err, "%s: %s", path, why);
}

static int read_file(struct trace_reader *r, gzFile file, const char *path, struct mesh_err *err)
{
	struct mesh_err why = {{0}};
	int c;

	gzbuffer(file, 1 << 17);
	c = first_byte(r, file);
	if (c == 0xff || c == 0xfe)
		return err_printf(err, "%s: UTF-16: expected UTF-8", path);
	if (!(c == '{' || c == '[' ? json_jobs(r, file, &why) : read_lines(r, file, &why))) {
		/* What was left out is told by whoever asked. */
		if (r->trace->njobs || r->trace->not_ended.jobs || r->trace->partial.jobs ||
			r->trace->no_whole.jobs || r->trace->bad.jobs || r->trace->arrays.jobs)
			return 0;
		err_printf(&why, r->trace->steps.jobs ? "no jobs, only steps: a number with a "
			"point, as 7.0, is a step's" : "no jobs");
	}
	return bad_line(path, file, r->line, why.text, err);
}

int trace_read(struct trace *trace, const char *path, const struct trace_read_options *options,
	struct mesh_err *err)
{
	static const struct trace_read_options none;
	struct trace_reader r = {.trace = trace, .options = options ? options : &none};
	bool standard = !strcmp(path, "-");
	struct stat is;
	gzFile file;
	int result;

	memset(trace, 0, sizeof(*trace));
	/* gzopen() opens directories too. */
	if (!standard && !stat(path, &is) && S_ISDIR(is.st_mode))
		return err_printf(err, "%s: is a directory", path);
	errno = 0;
	file = standard ? gzdopen(dup(STDIN_FILENO), "r") : gzopen(path, "re");
	if (!file)
		return err_printf(err, "%s: %s", path, strerror(errno ? errno : ENOMEM));
	trace->name = need_text(&trace->arena, standard ? "standard input" : path);
	result = read_file(&r, file, path, err);
	gzclose_r(file);
	trace_sort(trace);
	trace_slurm_drop_again(trace);
	return result;
}
