/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/conffile.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/textfile.h"

/* One reading of a file and of all that it includes. */
struct reading {
	const struct conffile *c;
	const char *first, *path; /* the file that the reading began with, and the current one */
	int depth, files;
	size_t left; /* bytes that may still be read */
};

static int take_line(void *reading, char *text, int line);

/* Replace each %c in the name by the cluster's, in small letters. 0, or -1: it is too long. */
static int expand(const char *name, const char *cluster, char *to, size_t size)
{
	size_t n = 0;

	for (; *name && n < size; name++) {
		if (name[0] != '%' || name[1] != 'c') {
			to[n++] = *name;
			continue;
		}
		for (const char *c = cluster; *c && n < size; c++)
			to[n++] = (char)tolower((unsigned char)*c);
		name++;
	}
	if (n == size)
		return -1;
	to[n] = '\0';
	return 0;
}

/* Write the path of an included file to path[size]. 0, or -1 with text. */
static int find_file(const struct reading *r, struct conffile_place at, const char *name,
	char *path, size_t size)
{
	const char *cluster = r->c->cluster ? *r->c->cluster : NULL;
	char full[4096];

	if (strstr(name, "%c") && !cluster)
		return conffile_fail(r->c->err, at,
			"Include %.64s: %%c is the ClusterName= of a line above, and there is none",
			name);
	if (expand(name, cluster, full, sizeof(full)) ||
		textfile_beside(r->c->beside_own ? at.path : r->first, full, path, size))
		return conffile_fail(r->c->err, at, "Include: the path is too long");
	return 0;
}

/* Read a file that an Include names. If it cannot be read, the error is at the Include. */
static int read_included(struct reading *r, struct conffile_place at, const char *path)
{
	char *kept = arena_text(r->c->arena, path);
	struct mesh_err why = {{0}};
	int result;

	if (!kept)
		return -1;
	r->depth++;
	r->path = kept;
	result = textfile_read_part(kept, &r->left, take_line, r, &why);
	r->path = at.path;
	r->depth--;
	return *why.text ? conffile_fail(r->c->err, at, "Include: %s", why.text) : result;
}

/* Include NAME */
static int include(struct reading *r, char *name, int line)
{
	const struct conffile_place at = {r->path, line};
	char *end = name + strcspn(name, " \t"), path[4096];
	struct mesh_err *err = r->c->err;

	if (end[strspn(end, " \t")])
		return conffile_fail(err, at, "expected Include FILE, not more words");
	*end = '\0';
	if (r->c->skip_globs && strchr(name, '*'))
		return 0;
	if (r->depth == CONFFILE_DEPTH)
		return conffile_fail(err, at, "Include is nested deeper than %d", CONFFILE_DEPTH);
	if (++r->files > CONFFILE_FILES)
		return conffile_fail(err, at, "Include: more than %d files", CONFFILE_FILES);
	return find_file(r, at, name, path, sizeof(path)) ? -1 : read_included(r, at, path);
}

/* Remove backslashes; the character behind one is a plain one. */
static void strip_escapes(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		from += from[0] == '\\' && from[1];
		*to++ = *from;
	}
	*to = '\0';
}

static int take_line(void *reading, char *text, int line)
{
	struct reading *r = reading;

	if (strchr(text, '\\'))
		strip_escapes(text);
	if (!strncasecmp(text, "Include", 7) && isspace((unsigned char)text[7]))
		return include(r, text + 7 + strspn(text + 7, " \t"), line);
	return r->c->take(r->c->data, text, (struct conffile_place){r->path, line});
}

static void begin(struct reading *r, const struct conffile *c, const char *path)
{
	*r = (struct reading){c, path, path, .left = TEXTFILE_MAX_CONFIG};
	if (c->err)
		*c->err->text = '\0';
}

int conffile_read(const struct conffile *c, const char *path)
{
	struct reading r;

	begin(&r, c, path);
	return c->any_kind ? textfile_read(path, take_line, &r, c->err)
			   : textfile_read_part(path, &r.left, take_line, &r, c->err);
}

int conffile_parse(const struct conffile *c, const char *text, size_t size, const char *path)
{
	struct reading r;

	begin(&r, c, path);
	return textfile_parse(text, size, take_line, &r);
}

/* The end of a value: a quote before a blank if the value begins with one; else a blank. */
static char *value_end(char *value, bool *quoted)
{
	char *end = *value == '"' ? strchr(value + 1, '"') : NULL;

	*quoted = end && (!end[1] || isspace((unsigned char)end[1]));
	return *quoted ? end : value + strcspn(value, " \t");
}

int conffile_pair(char **rest, char **key, char **value)
{
	char *at = *rest + strspn(*rest, " \t"), *end = at + strcspn(at, " \t=");
	bool quoted;

	*key = at;
	if (!*at)
		return 0;
	at = end + strspn(end, " \t");
	if (*at != '=') {
		*rest = end + (*end != '\0');
		*end = '\0';
		return -1;
	}
	*end = '\0';
	at += 1 + strspn(at + 1, " \t");
	end = value_end(at, &quoted);
	*value = at + quoted;
	*rest = end + (*end != '\0');
	*end = '\0';
	return 1;
}

bool conffile_begins(const char *line, const char *key)
{
	size_t length = strlen(key);

	return !strncasecmp(line, key, length) &&
		line[length + strspn(line + length, " \t")] == '=';
}

char *conffile_value(char *line)
{
	char *value = strchr(line, '=') + 1, *end;
	bool quoted;

	value += strspn(value, " \t");
	end = value_end(value, &quoted);
	if (!quoted || end[1])
		return value;
	*end = '\0';
	return value + 1;
}
