/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: is topology.conf right, what does it say, and does slurm.conf agree with it?
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "ask/strategy.h"
#include "base/conffile.h"
#include "base/hostlist.h"
#include "base/suggest.h"
#include "base/textfile.h"
#include "cli/output.h"
#include "cmd/check.h"
#include "cmd/commands.h"
#include "conf/draft.h"
#include "conf/useroptions.h"
#include "sim/human.h"
#include "sim/need.h"

#undef AT
#define AT(member) offsetof(struct check, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	{0, "slurm-conf", "FILE", "the slurm.conf (default: beside topology.conf, if there)",
		OPTION_TEXT, AT(slurm_conf)},
	OPTION_JSON,
	{0},
};

/* --- warnings ----------------------------------------------------------------------- */

void check_warn_of(struct check *s, const char *key, int code, const char *format, ...)
{
	const struct slurmconf_line *line = key ? slurmconf_line(&s->slurm, key) : NULL;
	char text[1024] = "";
	size_t n = 0;
	va_list args;

	if (line)
		n = (size_t)snprintf(text, sizeof(text), "%.400s:%d: ", line->at.path,
			line->at.line);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	json_array_append_new(s->warnings, json_string(text));
	fprintf(s->text, "warning: %s\n", text);
	s->verdict = code > s->verdict ? code : s->verdict;
}

void check_hosts_list(char **name, int count, char *text, size_t size)
{
	char *hosts = hostlist_libslurm.compress(name, count);

	snprintf(text, size, "%.200s%s", hosts ? hosts : "?",
		hosts && strlen(hosts) > 200 ? "..." : "");
	free(hosts);
}

/* --- slurm.conf ---------------------------------------------------------------------- */

/* Add the pairs that are right to good[], those of libraries or the others; tell of the others. */
static bool take_parameters(struct check *s, bool libraries, char *good)
{
	static const char library[] = "mesh_strategies=";
	const struct slurmconf_line *line = slurmconf_line(&s->slurm, "SchedulerParameters");
	char *rest = need_text(&s->slurm.arena, s->slurm.parameters), *pair;
	bool all = true;

	while ((pair = strsep(&rest, ","))) {
		struct mesh_settings one;
		struct mesh_err err;

		pair += strspn(pair, " \t");
		if (libraries == !!strncasecmp(pair, library, strlen(library)))
			continue;
		if (!mesh_settings_parse(pair, &one, &err)) {
			mesh_settings_release(&one);
			strcat(strcat(good, ","), pair);
			continue;
		}
		smesh_fail(SMESH_USAGE, "%s:%d: %s", line->at.path, line->at.line, err.text);
		all = false;
	}
	return all;
}

/* Strategies are known only when the libraries are loaded. */
static void read_parameters(struct check *s)
{
	const char *said = s->slurm.parameters ? s->slurm.parameters : "";
	char *good = need_get(&s->slurm.arena, (int64_t)strlen(said) + 2, 1);
	struct mesh_err err;

	s->has_settings = true;
	if (!mesh_settings_parse(said, &s->settings, &err))
		return;
	s->bad = true;
	if (take_parameters(s, true, good))
		take_parameters(s, false, good);
	need_done(mesh_settings_parse(good, &s->settings, NULL));
}

/* Is a key among the words of a list, without its value? */
static bool is_key_of(const char *list, const char *key, size_t length)
{
	for (; *(list += strspn(list, ", \t")); list += strcspn(list, ","))
		if (!strncasecmp(list, key, length) && list[length] == '=')
			return true;
	return false;
}

static bool is_user_option(const char *word)
{
	for (const struct useroption *o = useroptions_table; o->option; o++)
		if (!strcasecmp(o->option + strlen("mesh-"), word))
			return true;
	return false;
}

/* Warn of a word that Slurm passes over, and we too, though it seems to be meant for us. */
static void check_word(struct check *s, const char *word, const char *key_before)
{
	const char *ours = strcasestr(word, "mesh_"), *why = NULL;
	bool bare = !strchr(word, '=');

	if (ours)
		why = "words are separated by commas alone";
	else if (!strncasecmp(word, "mesh", 4))
		why = "our keys begin with mesh_";
	else if (bare && is_user_option(word))
		why = "mesh_user_options= joins its words by +";
	else if (bare && strchr(word, '/') && !strcasecmp(key_before, "mesh_strategies"))
		why = "mesh_strategies= joins its files by :";
	if (why)
		check_warn_of(s, "SchedulerParameters", 0,
			"SchedulerParameters: '%.64s' is passed over: %s", ours ? ours : word, why);
}

/* Warn of words of SchedulerParameters that do nothing. */
static void check_words(struct check *s)
{
	char *rest = need_text(&s->slurm.arena, s->slurm.parameters), *word, key[32] = "";

	while ((word = strsep(&rest, ","))) {
		size_t length;

		word += strspn(word, " \t");
		length = strcspn(word, "=");
		if (strncasecmp(word, "mesh_", 5) != 0) {
			check_word(s, word, key);
			continue;
		}
		snprintf(key, sizeof(key), "%.*s", (int)length, word);
		if (rest && is_key_of(rest, word, length))
			check_warn_of(s, "SchedulerParameters", 0,
				"SchedulerParameters: %.64s does nothing: %.*s= is there again, "
				"and the last one counts", word, (int)length, word);
	}
}

/* Read the slurm.conf that was named, or the one beside topology.conf. */
static void read_slurm_conf(struct check *s)
{
	struct mesh_err err = {{0}};

	if (!s->slurm_conf) {
		if (textfile_beside(s->base.topology, "slurm.conf", s->beside, sizeof(s->beside)) ||
			access(s->beside, R_OK))
			return;
		s->slurm_conf = s->beside;
	}
	if (slurmconf_read(&s->slurm, s->slurm_conf, &err))
		smesh_fail(SMESH_USAGE, "%s", err.text);
	else
		read_parameters(s);
	s->bad |= !s->has_settings || s->slurm.bad;
}

/* Read slurm.conf. Without -t choose the map that slurmctld reads. */
static int choose_topology(struct check *s)
{
	const char **topology = &s->base.topology;
	bool given = *topology;

	if (!given)
		*topology = smesh_beside_slurm_conf("topology.conf", s->path, sizeof(s->path));
	read_slurm_conf(s);
	if (given)
		return SMESH_OK;
	if (s->has_settings && s->settings.conf)
		*topology = s->settings.conf;
	else if (access(s->path, F_OK))
		return smesh_fail(SMESH_USAGE, "no topology.conf: %s: %s (name one with -t FILE; "
			"smesh import writes one)", s->path, strerror(errno));
	return SMESH_OK;
}

/* What lines of topology.conf begin with, ours and Slurm's. */
static const char *line_begins(const void *list, int at)
{
	static const char *const slurms[] = {
		"SwitchName", "LinkSpeed", "BlockName", "BlockSizes", "RingName", NULL};
	int ours = 0;

	(void)list;
	while (draft_line(ours) && ours < at)
		ours++;
	return draft_line(ours) ? draft_line(ours) : slurms[at - ours];
}

/* A file of broken links that is not there breaks none, be it not written yet or misspelt. */
static void note_down_links(const struct check *s, char *text, struct conffile_place at)
{
	const char *name = conffile_value(text);
	char path[4096];

	if (!textfile_beside(s->base.topology, name, path, sizeof(path)) && access(path, F_OK))
		fprintf(s->text, "note: %s:%d: DownLinksFile=%s is not there: it breaks no link\n",
			at.path, at.line, name);
}

/* Has a name in a host list two brackets of several values before its last one? */
static bool is_reordered(const char *list)
{
	int counting = 0, several = 0; /* brackets of several values before; is this one? */
	bool inside = false;

	for (; *list && counting < 2; list++) {
		if (!inside && strchr(", \t", *list))
			counting = several = 0;
		if (*list == '[') {
			counting += several;
			several = 0;
		}
		inside = *list == '[' || (inside && *list != ']');
		several |= inside && strchr("-,", *list);
	}
	return counting > 1;
}

/* In r[0-1]c[0-1]n[0-1] Slurm counts n fastest, but r before c: few mean that. */
static void note_brackets(struct check *s, const char *line, struct conffile_place at)
{
	char *text = need_text(&s->slurm.arena, line);

	for (char *key, *value; conffile_pair(&text, &key, &value) > 0;)
		if (!strcasecmp(key, "Nodes") && is_reordered(value))
			check_warn(s, 0, "%s:%d: Nodes=%.40s: of three or more brackets Slurm "
				"counts the last one fastest, then the first, and the last but one "
				"slowest: write several lists if another order is meant", at.path,
				at.line, value);
}

/* Behind another key, as where a line end was lost, MeshName= is passed over. */
static void note_behind(struct check *s, const char *line, struct conffile_place at)
{
	char *text = need_text(&s->slurm.arena, line), *first = NULL;

	for (char *key, *value; conffile_pair(&text, &key, &value) > 0;) {
		if (first && (!strcasecmp(key, "MeshName") || !strcasecmp(key, "MeshNode")))
			check_warn(s, 0, "%s:%d: %s=%.40s behind %s= is passed over: expected it "
				"on a line of its own", at.path, at.line, key, value, first);
		first = first ? first : key;
	}
}

/*
 * A line that is neither ours nor Slurm's is passed over in topology.conf: a key of ours may be
 * misspelt, or the line above is to be continued. A line that begins with Mesh is an error already.
 */
static int note_line(void *session, char *text, struct conffile_place at)
{
	static const char *const above = "is a backslash missing at the end of the line above?";
	const char *known, *word;
	char meant[128];

	if (conffile_begins(text, "DownLinksFile"))
		note_down_links(session, text, at);
	if (conffile_begins(text, "MeshName"))
		note_brackets(session, text, at);
	else if (strncasecmp(text, "Mesh", 4) != 0)
		note_behind(session, text, at);
	for (int i = 0; (known = line_begins(NULL, i)); i++)
		if (conffile_begins(text, known))
			return 0;
	if (!strncasecmp(text, "Mesh", 4))
		return 0;
	word = strsep(&text, "= \t");
	suggest(word, line_begins, NULL, meant, sizeof(meant));
	if (!*meant)
		snprintf(meant, sizeof(meant), " (%s)", above);
	for (int i = 0; draft_key(i); i++)
		if (!strcasecmp(word, draft_key(i)))
			snprintf(meant, sizeof(meant),
				" (it belongs behind MeshName= or MeshNode=: %s)", above);
	check_warn(session, 0, "%s:%d: '%.40s' begins no line of ours or Slurm's: it is passed "
		"over%s", at.path, at.line, word, meant);
	return 0;
}

static void compare(struct check *s)
{
	const struct mesh_settings *settings = &s->settings;

	json_object_set_new(s->out, "slurm_conf", json_string(s->slurm_conf));
	fprintf(s->text, "%s: %d node%s, SelectType=%s\n", s->slurm_conf, s->slurm.nnodes,
		human_s(s->slurm.nnodes),
		s->slurm.select_type ? s->slurm.select_type : "(default)");
	if (s->base.conf && !s->slurm.bad)
		check_nodes(s);
	check_twice(s);
	check_start(s);
	if (s->base.conf)
		check_controllers(s);
	json_object_set_new(s->out, "strategy", json_string(settings->ops->name));
	fprintf(s->text, "strategy %s", settings->ops->name);
	for (int i = 0; i < settings->npartitions; i++)
		if (settings->by_partition[i].ops)
			fprintf(s->text, ", %s in partition %s",
				settings->by_partition[i].ops->name,
				settings->by_partition[i].partition);
	fputc('\n', s->text);
	check_words(s);
	check_partitions(s);
	if (!s->slurm.bad)
		check_overlap(s);
	check_configless(s);
	check_plugstack(s);
}

/* What an administrator looks for first. */
static void tell_verdict(struct check *s)
{
	size_t n = json_array_size(s->warnings);

	if (n)
		fprintf(s->text, "%zu warning%s\n", n, human_s((int64_t)n));
	else
		fprintf(s->text, "no mistake found%s\n",
			s->has_settings ? "" : " in the map; there is no slurm.conf beside it");
}

/* Judge all that can be read: what is wrong in one file does not hide what is wrong in another. */
static void check(struct check *s)
{
	const struct conffile lines = {.take = note_line, .data = s, .arena = &s->slurm.arena};
	json_t *list = json_array();

	json_object_set_new(s->out, "topology_conf", json_string(s->base.topology));
	json_object_set_new(s->out, "meshes", list);
	s->base.conf = smesh_read_topology(s->base.topology);
	s->bad |= !s->base.conf;
	if (s->base.conf)
		json_object_set_new(s->out, "map_hash", json_sprintf("%016" PRIx64,
			topoconf_hash(s->base.conf)));
	conffile_read(&lines, s->base.topology);
	for (int i = 0; s->base.conf && i < s->base.conf->nmeshes; i++)
		check_mesh(s, s->base.conf->mesh[i], list);
	if (s->has_settings)
		compare(s);
	tell_verdict(s);
}

/*
 * Print the map, and then all findings, on standard output. After a message nothing is there, and
 * the warnings are messages, too.
 */
static void report(struct check *s)
{
	char *text = NULL;
	size_t size = 0;

	s->out = json_object();
	s->warnings = json_array();
	json_object_set_new(s->out, "warnings", s->warnings);
	s->text = need(open_memstream(&text, &size));
	check(s);
	need_done(fclose(s->text));
	for (size_t i = 0; s->bad && i < json_array_size(s->warnings); i++)
		smesh_fail(SMESH_USAGE, "warning: %s",
			json_string_value(json_array_get(s->warnings, i)));
	if (!s->bad && !s->json)
		fputs(text, stdout);
	if (!s->bad && s->json)
		output_json(stdout, json_incref(s->out), JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	free(text);
	json_decref(s->out);
}

static int run(void *session)
{
	struct check *s = session;

	if (choose_topology(s))
		return SMESH_USAGE;
	report(s);
	return s->bad ? SMESH_USAGE : s->verdict;
}

static void end(void *session)
{
	struct check *s = session;

	if (s->has_settings)
		mesh_settings_release(&s->settings);
	arena_release(&s->slurm.arena);
}

const struct command cmd_check = {
	.name = "check",
	.summary = "say what topology.conf and slurm.conf mean, and what is wrong",
	.usage = "[-t FILE] [--slurm-conf FILE] [--json]",
	.example = "-t topology.conf",
	.options = options,
	.size = sizeof(struct check),
	.run = run,
	.end = end,
};
