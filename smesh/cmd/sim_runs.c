/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/sim_runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/smesh.h"

json_t *runs_json(const struct runs_line *line)
{
	json_t *figures = json_object();

	for (const struct summary_row *row = summary_rows; row->key; row++) {
		double value = summary_value(&line->figures, row);

		json_object_set_new(
			figures, row->key, isfinite(value) ? json_real(value) : json_null());
	}
	return json_pack("{s:s, s:i, s:o}", "strategy", line->strategy, "run", line->run, "figures",
		figures);
}

static void take_figures(struct summary *summary, const json_t *from)
{
	summary_nothing(summary);
	for (const struct summary_row *row = summary_rows; row->key; row++) {
		const json_t *value = json_object_get(from, row->key);

		if (json_is_number(value))
			*(double *)(void *)((char *)summary + row->offset) =
				json_number_value(value);
	}
}

static int take_line(const struct runs_reader *r, const json_t *from)
{
	const json_t *figures = json_object_get(from, "figures");
	struct runs_line line = {json_string_value(json_object_get(from, "strategy")),
		(int)json_integer_value(json_object_get(from, "run")), {0}};

	if (!json_is_object(figures) || !line.strategy)
		return SMESH_OK; /* cut off */
	take_figures(&line.figures, figures);
	return r->line(r->data, &line);
}

static int take_head(const struct runs_reader *r, json_t *head)
{
	if (!json_is_object(json_object_get(head, "options")) ||
		!json_is_object(json_object_get(head, "files")))
		return smesh_fail(SMESH_USAGE, "%s: not written by smesh sim --resume", r->path);
	return r->head(r->data, head);
}

int runs_read(struct runs_reader *r, FILE *file)
{
	char *text = NULL;
	size_t room = 0;
	bool first = true;
	int code = SMESH_OK;

	r->whole = true;
	for (ssize_t length; !code && (length = getline(&text, &room, file)) > 0; first = false) {
		json_t *line = json_loads(text, 0, NULL);

		r->whole = text[length - 1] == '\n';
		if (!first || line || r->whole) /* otherwise there is only half of a first line */
			code = first ? take_head(r, line) : take_line(r, line);
		json_decref(line);
	}
	if (!code && !feof(file))
		code = smesh_fail(SMESH_FAILED, "%s: %s", r->path, strerror(errno));
	free(text);
	return code;
}

/* The first key of a member object whose values differ; NULL: none. */
static const char *differs(const json_t *a, const json_t *b, const char *member)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)a, key, value) {
		const json_t *other = json_object_get(b, key);

		if (member && other) {
			value = json_object_get(value, member);
			other = json_object_get(other, member);
			if (!value && !other)
				continue;
		}
		if (!other || !json_equal(value, (json_t *)(uintptr_t)other))
			return key;
	}
	return NULL;
}

static const char *text_of(const json_t *options, const char *key)
{
	const char *text = json_string_value(json_object_get(options, key));

	return !text ? "not given" : *text ? text : "given";
}

/* Tell of two programs of one version: who works on a strategy compiles it again. */
static void tell_builds(const json_t *head, const char *path, const json_t *other,
	const char *other_path)
{
	const char *ours = json_string_value(json_object_get(head, "program")),
		   *theirs = json_string_value(json_object_get(other, "program"));

	if (ours && theirs && strcmp(ours, theirs))
		smesh_fail(0, "%s: of another build of smesh than %s: strategies may choose other "
			"nodes; no run that is there is made again", path, other_path);
}

int runs_belong(const json_t *head, const char *path, const json_t *other, const char *other_path)
{
	const json_t *a = json_object_get(head, "options"), *b = json_object_get(other, "options");
	const json_t *x = json_object_get(head, "files"), *y = json_object_get(other, "files");
	const char *ours = json_string_value(json_object_get(head, "version")),
		   *theirs = json_string_value(json_object_get(other, "version")), *key;

	if (!ours || !theirs || strcmp(ours, theirs))
		return smesh_fail(SMESH_USAGE, "%s: of another version of smesh, %s, than %s, %s",
			path, ours ? ours : "?", other_path, theirs ? theirs : "?");
	if ((key = differs(x, y, "sha256")) || (key = differs(y, x, "sha256")))
		return smesh_fail(SMESH_USAGE,
			"%s: of another command than %s: --%s is another file", path, other_path,
			key);
	if ((key = differs(x, y, "map")) || (key = differs(y, x, "map")))
		return smesh_fail(SMESH_USAGE,
			"%s: of another command than %s: a file that --%s names is another",
			path, other_path, key);
	if ((key = differs(a, b, NULL)) || (key = differs(b, a, NULL)))
		return smesh_fail(SMESH_USAGE,
			"%s: of another command than %s: --%s is %s there, %s here", path,
			other_path, key, text_of(b, key), text_of(a, key));
	tell_builds(head, path, other, other_path);
	return SMESH_OK;
}
