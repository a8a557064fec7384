/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/textfile.h"
#include "conf/shape.h"
#include "cli/output.h"
#include "sim/human.h"
#include "sim/need.h"
#include "cli/smesh.h"

enum { WORDS = 12 }; /* more than any line may have */

/* A job, and the line that it is on. */
struct seen {
	const char *id;
	int line;
};

struct reader {
	struct picture *picture;
	const struct topoconf *conf;
	struct mesh_err err;
	int line;
	int odd;	/* the first line with a node that no mesh has; 0: none */
	struct seen *seen; /* [nseen] running and waiting */
	int nseen;
};

static struct picture_job *add_job(
	struct reader *r, char *const *word, int words, const struct nodeset *set)
{
	struct picture *p = r->picture;
	int *node = need_get(&p->arena, nodeset_count(set), sizeof(*node));
	struct picture_job *job = picture_add(p,
		(struct picture_owner){.id = word[0],
			.user = strcmp(word[1], "-") ? word[1] : NULL,
			.partition = words > 5 ? word[5] : NULL},
		node, nodeset_members(set, node));

	need_append(&p->arena, r->seen, r->nseen, (struct seen){job->id, r->line});
	return job;
}

static int by_id(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order ? order : x->line - y->line;
}

/* Is each job there once? -1 with text about the first line that has one again. O(n log n). */
static int check_once(struct reader *r)
{
	const struct seen *s = r->seen, *twice = NULL;
	int n = r->nseen;

	if (n)
		qsort(r->seen, (size_t)n, sizeof(*s), by_id);
	for (int i = 1; i < n; i++)
		if (!strcmp(s[i - 1].id, s[i].id) && (!twice || s[i].line < twice->line))
			twice = &s[i];
	r->line = twice ? twice->line : r->line;
	return twice ? err_printf(&r->err, "job %.32s is there twice", twice->id) : 0;
}

static bool take_pattern(const char *word, char pattern[MESH_PATTERN_WORD])
{
	struct mesh_pattern parsed;
	struct mesh_err err;

	if (strncmp(word, "pattern=", 8) || mesh_pattern_parse(word + 8, &parsed, &err))
		return false;
	snprintf(pattern, MESH_PATTERN_WORD, "%s", word + 8);
	return true;
}

/* Put the nodes of a list that the mesh has into a set; other meshes' nodes are ignored. */
static int take_hosts(struct reader *r, const char *text, struct nodeset *set)
{
	struct arena *arena = &r->picture->arena;
	int left = smesh_hosts_here(r->picture->mesh, text, set, arena, &r->err);
	struct nodeset other;

	for (int i = 0; left > 0 && !r->odd && i < r->conf->nmeshes; i++) {
		if (r->conf->mesh[i] == r->picture->mesh)
			continue;
		if (smesh_hosts_here(r->conf->mesh[i], text, &other, arena, &r->err) < 0)
			return -1;
		left -= nodeset_count(&other);
	}
	if (left > 0 && !r->odd)
		r->odd = r->line;
	return left < 0 ? -1 : 0;
}

/* JOB USER HOSTLIST [LEFT|- [RAN|- [PARTITION]]] [pattern=]; down and drain are no jobs. */
static int take_nodes(struct reader *r, char *const *word, int words)
{
	struct picture *p = r->picture;
	struct nodeset set;
	double time[2] = {-1, -1};
	char pattern[MESH_PATTERN_WORD] = "";
	struct picture_job *job;
	bool down, mark;

	if (words > 3 && take_pattern(word[words - 1], pattern))
		words--;
	for (int i = 3; i < 5 && i < words; i++)
		if (strcmp(word[i], "-") != 0 && options_double(word[i], 0, 1e10, &time[i - 3]))
			words = 0;
	down = words > 2 && !strcasecmp(word[0], "down");
	mark = down || (words > 2 && !strcasecmp(word[0], "drain"));
	if (words < 3 || words > (mark ? 3 : 6) || (mark && strcmp(word[1], "-") != 0))
		return err_printf(&r->err,
			"expected JOB USER HOSTLIST [SECONDS-LEFT [SECONDS-RUN [PARTITION]]], or "
			"down or drain in the place of JOB: down - HOSTLIST");
	if (!mark && !strcmp(word[1], "-") && !strpbrk(word[0], "0123456789"))
		return err_printf(&r->err, "'%.32s' is no job's number, and of the states of nodes "
			"down and drain are known", word[0]);
	if (take_hosts(r, word[2], &set))
		return -1;
	if (mark) {
		picture_mark(p, &set, down ? NODE_DOWN : NODE_DRAINED);
	} else if (nodeset_count(&set)) {
		job = add_job(r, word, words, &set);
		job->left = time[0];
		job->ran = time[1];
		memcpy(job->pattern, pattern, sizeof(pattern));
	}
	return 0;
}

/* Read within=HOSTLIST and the like into *set, if the word begins with the key. */
static bool take_set(struct reader *r, const char *word, const char *key, struct nodeset *set)
{
	size_t length = strlen(key);

	return !strncmp(word, key, length) && !take_hosts(r, word + length, set);
}

/* Take a word from the end of a line into w; false: it is none of these. */
static bool take_wish(struct reader *r, struct picture_waiting *w, const char *word)
{
	struct mesh_err err;

	if (!strcmp(word, "contiguous"))
		return w->box = true;
	if (!strncmp(word, "shape=", 6))
		return w->box = !shape_parse(word + 6, &w->shape, &err);
	return take_set(r, word, "within=", &w->may) || take_set(r, word, "require=", &w->must) ||
		take_pattern(word, w->pattern);
}

/* waiting JOB USER NODES WHY [SINCE] [contiguous|shape=AxB] [within=HOSTLIST] [require=HOSTLIST]
 * [pattern=] */
static int take_waiting(struct reader *r, char *const *word, int words)
{
	struct picture_waiting w = {.since = -1, .start = -1};
	struct picture *p = r->picture;
	long nodes = 0;

	while (words > 5 && take_wish(r, &w, word[words - 1]))
		words--;
	if (words < 5 || words > 6 || options_int(word[3], 1, INT32_MAX, &nodes) ||
		(words == 6 && options_double(word[5], 0, 1e10, &w.since)))
		return err_printf(&r->err,
			"expected waiting JOB USER NODES WHY [SECONDS-SINCE] "
			"[contiguous|shape=AxBxC] [within=HOSTLIST] [require=HOSTLIST]");
	w.id = word[1];
	w.user = strcmp(word[2], "-") ? word[2] : NULL;
	w.nodes = (int)nodes;
	w.why = word[4];
	picture_wait(p, &w);
	need_append(&p->arena, r->seen, r->nseen,
		(struct seen){p->waiting[p->nwaiting - 1].id, r->line});
	return 0;
}

static int take_line(void *data, char *text, int line)
{
	struct reader *r = data;
	char *word[WORDS], *save, *at = strtok_r(text, " \t", &save);
	int words = 0;

	for (; at && words < WORDS; at = strtok_r(NULL, " \t", &save))
		word[words++] = at;
	r->line = line;
	return words && !strcasecmp(word[0], "waiting") ? take_waiting(r, word, words)
						     : take_nodes(r, word, words);
}

static int from_file(struct picture *p, const struct topoconf *conf, const char *path)
{
	struct reader r = {.picture = p, .conf = conf};
	bool standard = output_is_standard(path);
	struct mesh_err err = {{0}};

	if (textfile_read(standard ? "/dev/stdin" : path, take_line, &r, &err) ||
		check_once(&r)) {
		if (*r.err.text)
			return smesh_fail(SMESH_USAGE, "%s:%d: %s", path, r.line, r.err.text);
		need_done(!*err.text);
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	}
	if (r.odd)
		smesh_fail(SMESH_OK, "%s:%d: a node of no mesh is left out; so are others", path,
			r.odd);
	snprintf(p->title, sizeof(p->title), "%s, %.90s", p->mesh->name,
		standard ? "standard input" : textfile_name(path));
	picture_measure(p);
	return SMESH_OK;
}

int state_take(struct picture *p, struct topoconf *conf, const char *path)
{
	static bool found;
	struct mesh_err err = {{0}};

	if (path)
		return from_file(p, conf, path);
	if (!found && live_find(&err))
		return smesh_fail(SMESH_USAGE, "%s", err.text);
	found = true;
	return live_read(p, conf, &err) ? smesh_fail(SMESH_FAILED, "%s", err.text) : SMESH_OK;
}

int state_open(struct picture *p, const char *topology, const char *name, const char *path)
{
	const struct mesh *mesh = smesh_open_mesh(&p->conf, topology, name);

	if (!mesh)
		return SMESH_USAGE;
	picture_init(p, mesh);
	return state_take(p, p->conf, path);
}
