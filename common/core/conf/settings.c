/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/settings.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/suggest.h"
#include "base/textfile.h"
#include "conf/useroptions.h"

enum { MOST_USEC = 60000000 };

typedef int take_value(struct mesh_settings *settings, const char *value, struct mesh_err *err);

static int keep(
	struct mesh_settings *settings, const char *value, char **text, struct mesh_err *err)
{
	*text = arena_text(&settings->arena, value);
	return *text ? 0 : err_printf(err, "out of memory");
}

static int take_pattern(struct mesh_settings *settings, const char *value, struct mesh_err *err)
{
	return mesh_pattern_parse(value, &settings->pattern, err);
}

static int take_base(struct mesh_settings *settings, const char *value, struct mesh_err *err)
{
	settings->base_linear = !strcmp(value, "linear");
	if (settings->base_linear || !strcmp(value, "cons_tres"))
		return 0;
	return err_printf(err, "expected cons_tres or linear, not '%.64s'", value);
}

static int take_fallback(struct mesh_settings *settings, const char *value, struct mesh_err *err)
{
	settings->fallback_to = NULL;
	return strcmp(value, "wait") ? keep(settings, value, &settings->fallback_to, err) : 0;
}

static int take_max_wait(struct mesh_settings *settings, const char *value, struct mesh_err *err)
{
	settings->max_wait = textfile_seconds(value);
	return settings->max_wait >= -1
		? 0
		: err_printf(err, "not a time like 30, 2:00:00 or infinite: '%.64s'", value);
}

static int take_flag(bool *flag, const char *value, struct mesh_err *err)
{
	return textfile_yes_no(value, flag)
		? err_printf(err, "expected yes or no, not '%.64s'", value)
		: 0;
}

static int take_usec(int64_t *number, const char *value, struct mesh_err *err)
{
	const char *end = value;
	int read = textfile_number(&end, MOST_USEC);

	if (read < 0 || *end)
		return err_printf(err, "expected microseconds, 0 to %d, not '%.64s'", MOST_USEC,
			value);
	*number = read;
	return 0;
}

/* The bits that a word of mesh_user_options= means; -1: none. */
static int option_bits(const char *word, size_t length)
{
	const struct useroption *o = useroptions_table;

	if (length == 3 && !strncmp(word, "all", length))
		return MESH_USER_ALL;
	if (length == 4 && !strncmp(word, "none", length))
		return 0;
	for (; o->option; o++) {
		const char *name = o->option + strlen("mesh-");

		if (strlen(name) == length && !strncmp(name, word, length))
			return (int)o->bit;
	}
	return -1;
}

/* all, none, or names joined by + (a comma ends the value in SchedulerParameters) */
static int take_user_options(struct mesh_settings *settings, const char *value,
	struct mesh_err *err)
{
	char known[128] = "";
	unsigned bits = 0;

	for (const struct useroption *o = useroptions_table; o->option; o++)
		snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s",
			*known ? "+" : "", o->option + strlen("mesh-"));
	for (size_t length; *value; value += length + (value[length] == '+')) {
		int more = option_bits(value, length = strcspn(value, "+"));

		if (more < 0)
			return err_printf(err, "expected all, none, or some of %s, not '%.64s'",
				known, value);
		bits |= (unsigned)more;
	}
	settings->user_options = bits;
	return 0;
}

/* Every key, except mesh_strategy_PARTITION and mesh_pattern_PARTITION. */
static const struct {
	const char *name;
	take_value *take; /* for OTHER */
	enum { OTHER, TEXT, USEC, FLAG } kind;
	size_t at; /* else the offset of a char *, an int64_t or a bool */
} keys[] = {
	{"mesh_strategy", NULL, TEXT, offsetof(struct mesh_settings, strategy)},
	{"mesh_pattern", take_pattern, OTHER, 0},
	{"mesh_base", take_base, OTHER, 0},
	{"mesh_conf", NULL, TEXT, offsetof(struct mesh_settings, conf)},
	{"mesh_fallback", take_fallback, OTHER, 0},
	{"mesh_max_wait", take_max_wait, OTHER, 0},
	{"mesh_max_time", NULL, USEC, offsetof(struct mesh_settings, max_time)},
	{"mesh_max_cycle", NULL, USEC, offsetof(struct mesh_settings, max_cycle)},
	{"mesh_user_options", take_user_options, OTHER, 0},
	{"mesh_comment", NULL, FLAG, offsetof(struct mesh_settings, comment)},
	{"mesh_log", NULL, FLAG, offsetof(struct mesh_settings, log)},
	{"mesh_span", NULL, FLAG, offsetof(struct mesh_settings, span)},
	{"mesh_tight_plans", NULL, FLAG, offsetof(struct mesh_settings, tight_plans)},
	{"mesh_strategies", NULL, TEXT, offsetof(struct mesh_settings, libraries)},
};

static int take_key(
	struct mesh_settings *settings, unsigned i, const char *value, struct mesh_err *err)
{
	void *at = (char *)settings + keys[i].at;

	switch (keys[i].kind) {
	case TEXT: return keep(settings, value, at, err);
	case USEC: return take_usec(at, value, err);
	case FLAG: return take_flag(at, value, err);
	default: return keys[i].take(settings, value, err);
	}
}

const char *mesh_settings_key(int i)
{
	return i < (int)(sizeof(keys) / sizeof(*keys)) ? keys[i].name : NULL;
}

static struct mesh_partition_settings *find_partition(const struct mesh_settings *settings,
	const char *partition)
{
	for (int i = 0; partition && i < settings->npartitions; i++)
		if (!strcmp(settings->by_partition[i].partition, partition))
			return &settings->by_partition[i];
	return NULL;
}

/* The entry of a partition, made if there is none; NULL with text. */
static struct mesh_partition_settings *partition_entry(struct mesh_settings *settings,
	const char *partition, struct mesh_err *err)
{
	struct mesh_partition_settings *entry = find_partition(settings, partition);

	if (entry)
		return entry;
	entry = arena_grow(&settings->arena, &settings->by_partition, settings->npartitions,
		sizeof(*entry));
	if (!entry || !(entry->partition = arena_text(&settings->arena, partition))) {
		err_printf(err, "out of memory");
		return NULL;
	}
	entry->pattern.kind = MESH_PATTERN_UNSAID;
	settings->npartitions++;
	return entry;
}

/* Take a key that ends with a partition's name. 1: the key is none. */
static int take_partition(struct mesh_settings *settings, const char *key, const char *value,
	struct mesh_err *err)
{
	static const char strategy[] = "mesh_strategy_", pattern[] = "mesh_pattern_";
	bool first = !strncasecmp(key, strategy, strlen(strategy));
	size_t length = first ? strlen(strategy) : strlen(pattern);
	struct mesh_partition_settings *entry;

	if ((!first && strncasecmp(key, pattern, length) != 0) || !key[length])
		return 1;
	if (!(entry = partition_entry(settings, key + length, err)))
		return -1;
	if (!first)
		return mesh_pattern_parse(value, &entry->pattern, err);
	return keep(settings, value, &entry->strategy, err);
}

static const char *key_name(const void *list, int i)
{
	(void)list;
	return mesh_settings_key(i);
}

static int take_pair(struct mesh_settings *settings, char *pair, struct mesh_err *err)
{
	char *value = strchr(pair, '=');
	struct mesh_err why = {{0}};
	char meant[96];
	int result;

	if (!value || !value[1])
		return err_printf(err, "SchedulerParameters: %.64s has no value", pair);
	*value++ = '\0';
	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcasecmp(pair, keys[i].name)) {
			if (!take_key(settings, i, value, &why))
				return 0;
			return err_printf(err, "SchedulerParameters: %s: %s", pair, why.text);
		}
	if ((result = take_partition(settings, pair, value, &why)) > 0)
		return err_printf(err, "SchedulerParameters: unknown key '%.64s'%s", pair,
			suggest(pair, key_name, NULL, meant, sizeof(meant)));
	return result ? err_printf(err, "SchedulerParameters: %.64s: %s", pair, why.text) : 0;
}

int mesh_settings_read(const char *line, struct mesh_settings *settings, struct mesh_err *err)
{
	char *copy = strdup(line ? line : ""), *save;
	int result = copy ? 0 : err_printf(err, "out of memory");

	*settings = (struct mesh_settings){
		.pattern = {.kind = MESH_PATTERN_MIX},
		.max_wait = -1,
		.max_time = 100000,
		.max_cycle = -1,
		.span = true,
		.user_options = MESH_USER_ALL,
	};
	for (char *pair = copy ? strtok_r(copy, ",", &save) : NULL; pair && !result;
		pair = strtok_r(NULL, ",", &save)) {
		pair += strspn(pair, " \t");
		if (!strncasecmp(pair, "mesh_", 5))
			result = take_pair(settings, pair, err);
	}
	free(copy);
	/* A site without a limit for one decision wants none for all of them. */
	if (settings->max_cycle < 0)
		settings->max_cycle = settings->max_time ? 1000000 : 0;
	if (result)
		mesh_settings_release(settings);
	return result;
}

void mesh_settings_release(struct mesh_settings *settings)
{
	arena_release(&settings->arena);
	*settings = (struct mesh_settings){0};
}

const struct strategy_ops *mesh_settings_strategy(const struct mesh_settings *settings,
	const char *partition)
{
	const struct mesh_partition_settings *entry = find_partition(settings, partition);

	return entry && entry->ops ? entry->ops : settings->ops;
}

const struct mesh_pattern *mesh_settings_pattern(const struct mesh_settings *settings,
	const char *partition)
{
	const struct mesh_partition_settings *entry = find_partition(settings, partition);

	return entry && entry->pattern.kind >= 0 ? &entry->pattern : &settings->pattern;
}
