/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "associate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"

enum { IN_LOG = 4, IN_SLURM = 5 };

static const char *const log_key[IN_LOG] = {"user", "group", "queue", "in"};
static const char *const slurm_key[IN_SLURM] = {"user", "account", "qos", "partition", "feature"};

struct rule {
	char *want[IN_LOG];   /* NULL: any */
	char *give[IN_SLURM]; /* NULL: the default */
};

struct associate_map {
	struct rule *rule;
	int count;
};

static int key_index(const char *const *key, int count, const char *text, size_t size)
{
	for (int i = 0; i < count; i++)
		if (strlen(key[i]) == size && !strncmp(key[i], text, size))
			return i;
	return -1;
}

static struct rule *add_rule(struct associate_map *map)
{
	struct rule *more = realloc(map->rule, ((size_t)map->count + 1) * sizeof(*more));

	if (!more)
		return NULL;
	map->rule = more;
	memset(&more[map->count], 0, sizeof(*more));
	return &more[map->count++];
}

/* key=value of the side of the log (given false) or of Slurm's. */
static int take_word(struct rule *rule, bool given, const char *word, struct mesh_err *err)
{
	const char *equal = strchr(word, '=');
	size_t size = equal ? (size_t)(equal - word) : 0;
	int key = key_index(given ? slurm_key : log_key, given ? IN_SLURM : IN_LOG, word, size);
	char **to;

	if (!given && !strcmp(word, "*"))
		return 0;
	if (!equal || key < 0 || !equal[1])
		return err_printf(err, "'%s' is not %s", word,
			given ? "user=, account=, qos=, partition= or feature="
			      : "user=, group=, queue=, in= or *");
	to = given ? &rule->give[key] : &rule->want[key];
	free(*to);
	*to = strdup(equal + 1);
	return *to ? 0 : err_printf(err, "out of memory");
}

static int read_rule(struct associate_map *map, char *line, struct mesh_err *err)
{
	bool given = false;
	struct rule *rule = add_rule(map);
	char *rest = line, *word;

	if (!rule)
		return err_printf(err, "out of memory");
	while ((word = strtok_r(rest, " \t", &rest))) {
		if (!strcmp(word, "->"))
			given = true;
		else if (take_word(rule, given, word, err))
			return -1;
	}
	return !given ? err_printf(err, "no -> in this rule") : 0;
}

struct reading {
	struct associate_map *map;
	const char *path;
	struct mesh_err *err;
};

static int read_line(void *data, char *text, int line)
{
	struct reading *r = data;
	struct mesh_err what = {{0}};

	return read_rule(r->map, text, &what)
		? err_at(r->err, r->path, line, "%s", what.text) : 0;
}

struct associate_map *associate_read(const char *path, struct mesh_err *err)
{
	struct associate_map *map = calloc(1, sizeof(*map));
	struct reading reading = {map, path, err};
	char by_group[] = "* -> account=%group";
	int rc;

	if (!map) {
		err_printf(err, "out of memory");
		return NULL;
	}
	rc = path ? textfile_read(path, read_line, &reading, err) : read_rule(map, by_group, err);
	if (!rc)
		return map;
	associate_free(map);
	return NULL;
}

void associate_free(struct associate_map *map)
{
	for (int i = 0; map && i < map->count; i++) {
		for (int j = 0; j < IN_LOG; j++)
			free(map->rule[i].want[j]);
		for (int j = 0; j < IN_SLURM; j++)
			free(map->rule[i].give[j]);
	}
	if (map)
		free(map->rule);
	free(map);
}

/* ---- jobs ---- */

static void names_of(const struct trace *trace, int job, const char *name[IN_LOG])
{
	const struct trace_job *from = &trace->job[job];
	const int index[IN_LOG] = {from->user, from->group, from->queue, from->partition};

	for (int i = 0; i < IN_LOG; i++)
		name[i] = index[i] >= 0 ? trace->user[index[i]] : NULL;
}

static bool fits(const struct rule *rule, const char *const name[IN_LOG])
{
	for (int i = 0; i < IN_LOG; i++)
		if (rule->want[i] && (!name[i] || strcmp(name[i], rule->want[i])))
			return false;
	return true;
}

/* %group and so on; "log" for what the log does not know. */
static const char *expand(const char *give, const char *const name[IN_LOG])
{
	int key =
		give && *give == '%' ? key_index(log_key, IN_LOG, give + 1, strlen(give + 1)) : -1;

	if (key < 0)
		return give;
	return name[key] ? name[key] : "log";
}

struct association associate_job(
	const struct associate_map *map, const struct trace *trace, int job)
{
	const char *name[IN_LOG], *give[IN_SLURM] = {NULL};

	names_of(trace, job, name);
	for (int i = 0; i < map->count; i++) {
		if (!fits(&map->rule[i], name))
			continue;
		for (int j = 0; j < IN_SLURM; j++)
			give[j] = expand(map->rule[i].give[j], name);
		break;
	}
	if (!give[0])
		give[0] = name[0] ? name[0] : "log";
	return (struct association){give[0], give[1] ? give[1] : "log", give[2], give[3], give[4]};
}

/* ---- what they need ---- */

/* Was this pair, or name (b NULL), met before? Notes it. */
struct met {
	char **text;
	int count;
};

static bool is_new(struct met *met, const char *a, const char *b)
{
	char both[512], **more;

	snprintf(both, sizeof(both), "%s %s", a, b ? b : "");
	for (int i = 0; i < met->count; i++)
		if (!strcmp(met->text[i], both))
			return false;
	more = realloc(met->text, ((size_t)met->count + 1) * sizeof(*more));
	if (!more)
		return true;
	met->text = more;
	met->text[met->count] = strdup(both);
	met->count += met->text[met->count] != NULL;
	return true;
}

static void forget(struct met *met)
{
	for (int i = 0; i < met->count; i++)
		free(met->text[i]);
	free(met->text);
}

/* A QOS has to be there before an association names it, an account before its users. */
static void write_commands(
	const struct associate_map *map, const struct trace *trace, FILE *users, FILE *commands)
{
	struct met user = {0}, account = {0}, qos = {0}, pair = {0};

	for (int i = 0; i < trace->njobs; i++) {
		struct association a = associate_job(map, trace, i);

		if (is_new(&user, a.user, NULL))
			fprintf(users, "%s\n", a.user);
		if (a.qos && strcmp(a.qos, "normal") && is_new(&qos, a.qos, NULL))
			fprintf(commands, "add qos %s\n", a.qos);
		if (is_new(&account, a.account, NULL))
			fprintf(commands, "add account %s\n", a.account);
		if (is_new(&pair, a.user, a.account))
			fprintf(commands, "add user %s account=%s\n", a.user, a.account);
	}
	for (int i = 0; i < pair.count && qos.count; i++) {
		char *space = strchr(pair.text[i], ' ');

		fprintf(commands, "modify user %.*s set qos=normal", (int)(space - pair.text[i]),
			pair.text[i]);
		for (int j = 0; j < qos.count; j++)
			fprintf(commands, ",%.*s", (int)strcspn(qos.text[j], " "), qos.text[j]);
		fprintf(commands, " where account=%s\n", space + 1);
	}
	forget(&user);
	forget(&account);
	forget(&qos);
	forget(&pair);
}

int associate_write(const struct associate_map *map, const struct trace *trace, const char *users,
	const char *commands, struct mesh_err *err)
{
	FILE *to_users = fopen(users, "we"), *to_commands = fopen(commands, "we");
	int rc = 0;

	if (!to_users || !to_commands)
		rc = err_printf(err, "%s: %s", to_users ? commands : users, strerror(errno));
	else
		write_commands(map, trace, to_users, to_commands);
	if (to_users && fclose(to_users))
		rc = err_printf(err, "%s: %s", users, strerror(errno));
	if (to_commands && fclose(to_commands))
		rc = err_printf(err, "%s: %s", commands, strerror(errno));
	return rc;
}
