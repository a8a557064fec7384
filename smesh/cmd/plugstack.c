/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plugstack.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/textfile.h"

enum { DEPTH = 8 }; /* files that include files */

struct reader {
	plugstack_take *take;
	void *data;
	int depth;
};

static void read_file(struct reader *r, const char *path);

/* Relative patterns are looked for beside the file that has the line, as Slurm does. */
static void read_all(struct reader *r, const char *path, const char *pattern)
{
	char beside[PATH_MAX];
	glob_t files;

	if (textfile_beside(path, pattern, beside, sizeof(beside)) ||
		glob(beside, 0, NULL, &files))
		return;
	for (size_t i = 0; i < files.gl_pathc; i++)
		read_file(r, files.gl_pathv[i]);
	globfree(&files);
}

/* A line is optional|required PLUGIN WORD..., or include PATTERN. */
static void read_line(struct reader *r, char *text, struct plugstack_line line)
{
	size_t length = strcspn(text, "#\n");

	while (length && strchr(" \t", text[length - 1]))
		length--;
	text[length] = '\0';
	line.kind = strtok_r(text, " \t", &line.words);
	line.plugin = line.kind ? strtok_r(NULL, " \t", &line.words) : NULL;
	if (!line.plugin)
		return;
	line.words += strspn(line.words, " \t");
	if (!strcasecmp(line.kind, "include"))
		read_all(r, line.path, line.plugin);
	else
		r->take(r->data, &line);
}

static void read_file(struct reader *r, const char *path)
{
	struct plugstack_line line = {.path = path};
	struct stat state;
	char *text = NULL;
	size_t room = 0;
	FILE *file = r->depth < DEPTH && !stat(path, &state) && S_ISREG(state.st_mode)
		? fopen(path, "r") : NULL;

	if (!file)
		return;
	r->depth++;
	while (getline(&text, &room, file) >= 0) {
		line.line++;
		read_line(r, text, line);
	}
	r->depth--;
	free(text);
	fclose(file);
}

void plugstack_each(const char *path, plugstack_take *take, void *data)
{
	struct reader r = {take, data, 0};

	read_file(&r, path);
}
