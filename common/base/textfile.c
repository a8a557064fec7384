/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/textfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, MOST = 1 << 30 };

/*
 * Append the physical line at text[0..size-1] to buffer, without its end, comment or
 * continuation mark. How many bytes of text it took; *more if the line goes on.
 */
static size_t append_line(char *buffer, size_t *length, const char *text, size_t size, bool *more)
{
	size_t i, end = *length;
	bool comment = false;

	for (i = 0; i < size && text[i] != '\n'; i++) {
		if (text[i] == '\0' || (text[i] == '#' && !(i && text[i - 1] == '\\')))
			comment = true;
		if (!comment)
			buffer[end++] = text[i];
	}
	while (end > *length && isspace((unsigned char)buffer[end - 1]))
		end--;
	*more = !comment && end > *length && buffer[end - 1] == '\\';
	if (*more)
		buffer[end - 1] = ' ';
	*length = end;
	return i < size ? i + 1 : i;
}

int textfile_parse(const char *text, size_t size, textfile_line *take, void *data)
{
	char *buffer = malloc(size + 1);
	int line = 1, result = 0;

	if (!buffer)
		return -1;
	for (size_t at = 0; at < size && !result;) {
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

/* The whole of an open file, malloc()ed; NULL with errno. */
static char *slurp(FILE *file, size_t *size)
{
	char *text = NULL;
	size_t got;

	*size = 0;
	do {
		char *bigger = *size < MOST ? realloc(text, *size + CHUNK) : NULL;

		if (!bigger) {
			if (*size >= MOST)
				errno = EFBIG;
			free(text);
			return NULL;
		}
		text = bigger;
		got = fread(text + *size, 1, CHUNK, file);
		*size += got;
	} while (got);
	if (ferror(file)) {
		free(text);
		text = NULL;
	}
	return text;
}

int textfile_read(const char *path, textfile_line *take, void *data, struct mesh_err *err)
{
	FILE *file = fopen(path, "re");
	size_t size;
	char *text;
	int result;

	if (!file)
		return err_printf(err, "%s: %s", path, strerror(errno));
	text = slurp(file, &size);
	result = text ? 0 : err_printf(err, "%s: %s", path, strerror(errno));
	fclose(file);
	if (!result)
		result = textfile_parse(text, size, take, data);
	free(text);
	return result;
}
