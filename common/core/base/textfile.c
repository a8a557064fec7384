/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/textfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, MOST = 1 << 30 };

/* The number of bytes before the next one with a meaning. */
static size_t plain_run(const char *text, size_t size)
{
	static const bool special[256] = {
		['\0'] = true, ['\n'] = true, ['#'] = true, ['\\'] = true};
	size_t n = 0;

	while (n < size && !special[(unsigned char)text[n]])
		n++;
	return n;
}

/*
 * Append the physical line at text[0..size-1] to buffer, without its end, comment and continuation
 * mark. Returns how many bytes of text it took; *more: the line goes on.
 */
static size_t append_line(char *buffer, size_t *length, const char *text, size_t size, bool *more)
{
	size_t i = 0, end = *length, marks = 0; /* backslashes in a row */
	bool comment = false;

	while (i < size && text[i] != '\n') {
		size_t run = plain_run(text + i, size - i);

		/* A line may have 64 MiB, mostly plain bytes: copy these at once. */
		if (!comment)
			memcpy(buffer + end, text + i, run);
		end += comment ? 0 : run;
		marks = run ? 0 : marks;
		i += run;
		if (i == size || text[i] == '\n')
			break;
		comment |= text[i] == '\0' || (text[i] == '#' && marks % 2 == 0);
		marks = text[i] == '\\' ? marks + 1 : 0;
		if (!comment)
			buffer[end++] = text[i];
		i++;
	}
	while (end > *length && isspace((unsigned char)buffer[end - 1]))
		end--;
	for (marks = 0; end - marks > *length && buffer[end - marks - 1] == '\\';)
		marks++;
	*more = marks % 2;
	*length = end - *more;
	return i < size ? i + 1 : i;
}

int textfile_parse(const char *text, size_t size, textfile_line *take, void *data)
{
	bool mark = size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3); /* byte order */
	char *buffer = malloc(size + 1);
	int line = 1, result = 0;

	if (!buffer)
		return -1;
	for (size_t at = mark ? 3 : 0; at < size && !result;) {
		int first = line;
		size_t length = 0;
		bool more = true;
		char *start = buffer;

		for (; more && at < size; line++)
			at += append_line(buffer, &length, text + at, size - at, &more);
		while (length && isspace((unsigned char)buffer[length - 1]))
			length--;
		buffer[length] = '\0';
		while (isspace((unsigned char)*start))
			start++;
		if (*start)
			result = take(data, start, first);
	}
	free(buffer);
	return result;
}

/*
 * Read all of an open file and close it: free() the result. NULL with text. file < 0: it could not
 * be opened, see errno.
 */
static char *slurp(int file, const char *path, size_t most, size_t *size, struct mesh_err *err)
{
	char *text = NULL, *bigger;
	ssize_t got = file < 0 ? -1 : 1;
	size_t room = 0;

	for (*size = 0; got > 0 && *size <= most; *size += got > 0 ? (size_t)got : 0) {
		if (*size == room) {
			room = room ? room * 2 : CHUNK;
			if (!(bigger = realloc(text, room))) {
				got = -1;
				break;
			}
			text = bigger;
		}
		while ((got = read(file, text + *size, room - *size)) < 0 && errno == EINTR)
			;
	}
	if (got) {
		err_printf(err, "%s: %s", path, strerror(got > 0 ? EFBIG : errno));
		free(text);
		text = NULL;
	}
	if (file >= 0)
		close(file);
	return text;
}

/* Open a file of any kind. Wait for the writer of a FIFO, but not for a file that gives nothing. */
static int open_any(const char *path)
{
	struct stat status;
	bool regular = !stat(path, &status) && S_ISREG(status.st_mode);

	return open(path, O_RDONLY | O_CLOEXEC | (regular ? O_NONBLOCK : 0));
}

int textfile_read(const char *path, textfile_line *take, void *data, struct mesh_err *err)
{
	size_t size;
	char *text = slurp(open_any(path), path, MOST, &size, err);
	int result = text ? textfile_parse(text, size, take, data) : -1;

	free(text);
	return result;
}

/* Open a file of configuration. A descriptor, or -1 with text. */
static int open_config(const char *path, size_t most, struct mesh_err *err)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (file < 0 || fstat(file, &status)) {
		err_printf(err, "%s: %s", path, strerror(errno));
	} else if (!S_ISREG(status.st_mode)) {
		err_printf(err, "%s: not a regular file", path);
	} else if ((uintmax_t)status.st_size > most) {
		err_printf(err, "%s: larger than %d MiB%s", path, TEXTFILE_MAX_CONFIG >> 20,
			most < TEXTFILE_MAX_CONFIG ? " with the files before it" : "");
	} else {
		return file;
	}
	if (file >= 0)
		close(file);
	return -1;
}

/* Refuse bytes that are no text. 0, or -1 with text. */
static int check_bytes(const char *path, const char *text, size_t size, struct mesh_err *err)
{
	const char *nul = memchr(text, '\0', size);
	int line = 1;

	for (const char *c = text; nul && c < nul; c++)
		line += *c == '\n';
	return nul ? err_at(err, path, line, "a NUL byte (UTF-16? Expected UTF-8)") : 0;
}

int textfile_read_part(const char *path, size_t *left, textfile_line *take, void *data,
	struct mesh_err *err)
{
	int file = open_config(path, *left, err), result;
	size_t size;
	char *text;

	if (file < 0 || !(text = slurp(file, path, *left, &size, err)))
		return -1;
	*left -= size;
	result = check_bytes(path, text, size, err);
	if (!result)
		result = textfile_parse(text, size, take, data);
	free(text);
	return result;
}

int textfile_read_config(const char *path, textfile_line *take, void *data, struct mesh_err *err)
{
	size_t left = TEXTFILE_MAX_CONFIG;

	return textfile_read_part(path, &left, take, data, err);
}

int textfile_yes_no(const char *value, bool *flag)
{
	bool yes = !strcasecmp(value, "yes");

	if (!yes && strcasecmp(value, "no"))
		return -1;
	*flag = yes;
	return 0;
}

int textfile_beside(const char *other, const char *name, char *path, size_t size)
{
	const char *slash = strrchr(other, '/');
	int dir = *name == '/' || !slash ? 0 : (int)(slash - other + 1);

	return snprintf(path, size, "%.*s%s", dir, other, name) < (int)size ? 0 : -1;
}

const char *textfile_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int textfile_number(const char **at, int most)
{
	const char *from = *at;
	int64_t n = 0;

	for (; isdigit((unsigned char)**at); ++*at)
		if ((n = n * 10 + (**at - '0')) > most)
			return -1;
	return *at == from ? -1 : (int)n;
}

enum { TIME_MOST = 999999999 };

int64_t textfile_seconds(const char *text)
{
	int64_t field[3] = {0}, days = -1, first;
	int n = 0;

	if (!strcasecmp(text, "infinite") || !strcasecmp(text, "unlimited"))
		return -1;
	if ((first = textfile_number(&text, TIME_MOST)) < 0)
		return -2;
	if (*text == '-') {
		days = first;
		text++;
		first = textfile_number(&text, TIME_MOST);
	}
	for (field[n++] = first; *text == ':' && n < 3; n++) {
		text++;
		field[n] = textfile_number(&text, TIME_MOST);
	}
	if (*text || field[0] < 0 || field[1] < 0 || field[2] < 0)
		return -2;
	if (days >= 0) /* days-hours:minutes:seconds */
		return ((days * 24 + field[0]) * 60 + field[1]) * 60 + field[2];
	if (n == 3)
		return (field[0] * 60 + field[1]) * 60 + field[2];
	return field[0] * 60 + field[1];
}
