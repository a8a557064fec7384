/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plugstack.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH = 8 }; /* files that include files */

static bool find_in(const char *path, int depth, const char *plugin, struct plugstack_line *out);

/* Relative patterns are looked for beside the file that has the line, as Slurm does. */
static bool find_in_all(const char *path, const char *pattern, int depth, const char *plugin,
	struct plugstack_line *out)
{
	const char *slash = strrchr(path, '/');
	char beside[PATH_MAX];
	glob_t files;
	bool found = false;

	snprintf(beside, sizeof(beside), "%.*s%s",
		*pattern != '/' && slash ? (int)(slash - path) + 1 : 0, path, pattern);
	if (glob(beside, 0, NULL, &files))
		return false;
	for (size_t i = 0; i < files.gl_pathc && !found; i++)
		found = find_in(files.gl_pathv[i], depth + 1, plugin, out);
	globfree(&files);
	return found;
}

/* A line is optional|required PLUGIN WORD..., or include PATTERN. */
static bool find_in_line(const char *path, int depth, char *text, const char *plugin,
	struct plugstack_line *out)
{
	char *rest = NULL, *kind, *name, *base;
	size_t length = strcspn(text, "#\n");

	while (length && strchr(" \t", text[length - 1]))
		length--;
	text[length] = '\0';
	kind = strtok_r(text, " \t", &rest);
	name = kind ? strtok_r(NULL, " \t", &rest) : NULL;
	if (!name)
		return false;
	if (!strcasecmp(kind, "include"))
		return find_in_all(path, name, depth, plugin, out);
	base = strrchr(name, '/');
	if (strcmp(base ? base + 1 : name, plugin) != 0)
		return false;
	snprintf(out->file, sizeof(out->file), "%s", path);
	snprintf(out->plugin, sizeof(out->plugin), "%s", name);
	snprintf(out->words, sizeof(out->words), "%s", rest + strspn(rest, " \t"));
	return true;
}

static bool find_in(const char *path, int depth, const char *plugin, struct plugstack_line *out)
{
	struct stat state;
	char *text = NULL;
	size_t room = 0;
	bool found = false;
	FILE *file = depth < DEPTH && !stat(path, &state) && S_ISREG(state.st_mode)
		? fopen(path, "r") : NULL;

	if (!file)
		return false;
	for (int line = 1; !found && getline(&text, &room, file) >= 0; line++) {
		found = find_in_line(path, depth, text, plugin, out);
		if (found && !strcmp(out->file, path))
			out->line = line;
	}
	free(text);
	fclose(file);
	return found;
}

bool plugstack_find(const char *path, const char *plugin, struct plugstack_line *out)
{
	return find_in(path, 0, plugin, out);
}
