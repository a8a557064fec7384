/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/smesh.h"
#include "cmd/sim_session.h"
#include "conf/strategies.h"
#include "conf/topoconf.h"
#include "sim/need.h"

/* --- the identity ------------------------------------------------------------------------ */

static int add_file(json_t *files, const char *option, const char *path)
{
	char hash[SHA256_DIGEST_STRING_LENGTH];
	struct stat is;

	if (!path)
		return 0;
	if (!strcmp(path, "-"))
		return smesh_fail(SMESH_USAGE, "--%s: standard input cannot be read again", option);
	if (!stat(path, &is) && !S_ISREG(is.st_mode))
		return smesh_fail(SMESH_USAGE,
			"--%s: %s: not a file that can be read again, as --save and --resume need",
			option, path);
	if (!SHA256File(path, hash))
		return smesh_fail(SMESH_USAGE, "--%s: %s: %s", option, path, strerror(errno));
	return json_object_set_new(
		files, option, json_pack("{s:s, s:s}", "path", path, "sha256", hash));
}

/* Options that change what is written, not what is computed. */
static const struct {
	const char *name;
	bool value;
} outputs[] = {{"--save", true}, {"--resume", true}, {"--threads", true}, {"--html", true},
	{"--per-run", true}, {"--latex", false},
	{"--placements", true}, {"--per-job", true}, {"--batsim", true}, {"--swf", true},
	{"--json", false}, {"-j", false}, {"--csv", false}};

/*
 * How many words an output option takes: 2 with a value behind it; 0: it is no such option. Options
 * may be cut short: getopt_long() has taken them, so they are the beginning of one option alone.
 */
static int output_words(const char *word)
{
	size_t length = strcspn(word, "=");

	for (unsigned i = 0; i < sizeof(outputs) / sizeof(*outputs) && length > 1; i++)
		if (!strncmp(word, outputs[i].name, length) &&
			(word[1] == '-' ? length > 2 : !outputs[i].name[length]))
			return outputs[i].value && !word[length] ? 2 : 1;
	return 0;
}

static json_t *arguments(const struct sim_session *s)
{
	json_t *out = json_array();

	for (int i = 1, words; i < s->base.argc; i++) {
		if ((words = output_words(s->base.argv[i]))) {
			i += words - 1;
			continue;
		}
		if (json_array_append_new(out, json_string(s->base.argv[i]))) {
			smesh_fail(SMESH_USAGE, "an argument is not UTF-8");
			json_decref(out);
			return NULL;
		}
	}
	return out;
}

bool sim_is_output(const char *option)
{
	for (unsigned i = 0; i < sizeof(outputs) / sizeof(*outputs); i++)
		if (!strcmp(outputs[i].name + 2, option))
			return true;
	return false;
}

json_t *sim_files(const struct sim_session *s)
{
	char beside[4096];
	json_t *files = json_object();
	const char *topology = s->base.topology ? s->base.topology
		: smesh_beside_slurm_conf("topology.conf", beside, sizeof(beside));

	if (add_file(files, "topology", topology) ||
		add_file(files, "trace", s->workload.trace) ||
		add_file(files, "comm-file", s->comm.file) ||
		add_file(files, "shape-file", s->workload.shapes)) {
		json_decref(files);
		return NULL;
	}
	/* A map may name other files, of broken links or cables. */
	json_object_set_new(json_object_get(files, "topology"), "map",
		json_sprintf("%016" PRIx64, s->map_hash));
	/* A strategy that was compiled again is another one. */
	for (int i = 0; smesh_strategy_files[i]; i++) {
		char option[32];

		snprintf(option, sizeof(option), "strategies.%d", i + 1);
		if (add_file(files, option, smesh_strategy_files[i])) {
			json_decref(files);
			return NULL;
		}
	}
	return files;
}

/* The identity of a run: {"arguments": [...], "files": {...}, "version"}; NULL after a message. */
static json_t *identity(const struct sim_session *s)
{
	json_t *files = sim_files(s), *words = files ? arguments(s) : NULL;

	if (!words) {
		json_decref(files);
		return NULL;
	}
	return json_pack(
		"{s:s, s:o, s:o}", "version", PACKAGE_VERSION, "arguments", words, "files", files);
}

int sim_write_save(struct sim_session *s, const struct report *report, FILE *file)
{
	json_t *out = identity(s);

	if (!out)
		return SMESH_USAGE;
	if (json_object_set_new(out, "result", report_json(report))) {
		json_decref(out);
		out = NULL;
	}
	return output_json(file, out, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
}

/* --- again ------------------------------------------------------------------------------- */

/* Is the map the one that was read? Other files may be part of it. */
static int check_map(const char *path, const json_t *file)
{
	const char *wanted = json_string_value(json_object_get(file, "map"));
	struct topoconf *conf = wanted ? smesh_read_topology(path) : NULL;
	char now[24] = "";

	if (conf)
		snprintf(now, sizeof(now), "%016" PRIx64, topoconf_hash(conf));
	topoconf_free(conf);
	if (!wanted || !strcmp(now, wanted))
		return SMESH_OK;
	return smesh_fail(SMESH_USAGE, "--again: a file that %s names is not what it was", path);
}

/* Are the files those that were read? Loads objects of strategies. */
static int check_files(const json_t *files)
{
	const char *option;
	struct mesh_err err;
	json_t *file;

	json_object_foreach((json_t *)(uintptr_t)files, option, file) {
		const char *path = json_string_value(json_object_get(file, "path"));
		const char *wanted = json_string_value(json_object_get(file, "sha256"));
		char hash[SHA256_DIGEST_STRING_LENGTH];

		if (!path || !wanted)
			return smesh_fail(SMESH_USAGE,
				"--again: of --%s neither path nor hash is known", option);
		if (!SHA256File(path, hash))
			return smesh_fail(SMESH_USAGE, "--again: %s: %s", path, strerror(errno));
		if (strcmp(hash, wanted))
			return smesh_fail(
				SMESH_USAGE, "--again: %s is not the file that it was", path);
		if (!strcmp(option, "topology") && check_map(path, file))
			return SMESH_USAGE;
		if (!strncmp(option, "strategies.", 11) && strategies_load(path, &err))
			return smesh_fail(SMESH_USAGE, "--again: %s", err.text);
	}
	return SMESH_OK;
}

static int copy_arguments(const json_t *words, struct command_base *base, struct arena *arena)
{
	size_t n = json_array_size(words);

	need_array(arena, base->argv, (int64_t)n + 2);
	base->argv[0] = need_text(arena, "sim");
	base->argc = (int)n + 1;
	for (size_t i = 1; i <= n; i++)
		if (!(base->argv[i] = need_text(arena,
			json_string_value(json_array_get(words, i - 1)))))
			return smesh_fail(SMESH_USAGE, "--again: argument %zu is not text", i);
	return SMESH_OK;
}

int sim_saved(const char *path, struct command_base *base, json_t **result, struct arena *arena)
{
	json_error_t error;
	json_t *in = json_load_file(path, JSON_DISABLE_EOF_CHECK, &error); /* may be of --resume */
	const char *version = json_string_value(json_object_get(in, "version"));
	int code;

	*result = NULL;
	if (!in)
		return error.line < 0 ? smesh_fail(SMESH_USAGE, "--again: %s", error.text)
				      : smesh_fail(SMESH_USAGE, "--again: %s:%d: %s", path,
						error.line, error.text);
	*result = json_incref(json_object_get(in, "result"));
	if (!version || !*result)
		code = smesh_fail(SMESH_USAGE, "--again: %s: not written by --save%s", path,
			json_object_get(in, "strategies")
				? " but by --resume: smesh gather reads it" : "");
	else if (!(code = check_files(json_object_get(in, "files"))))
		code = copy_arguments(json_object_get(in, "arguments"), base, arena);
	if (!code && strcmp(version, PACKAGE_VERSION))
		smesh_fail(0, "--again: %s was written by smesh %s, this is %s", path, version,
			PACKAGE_VERSION);
	json_decref(in);
	return code;
}

/* Is a figure compared? Times of decisions, and dates and commands, differ from run to run. */
static bool compared(const char *key)
{
	return strncmp(key, "decision_", 9) && strcmp(key, "date") && strcmp(key, "command") &&
	       strcmp(key, "version");
}

struct tally {
	int figures, different;
	bool whole; /* both are of one version: a figure that was missing then is a difference */
};

static char *value_text(const json_t *value)
{
	return need(value ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17))
			  : strdup("nothing"));
}

static void compare(const char *name, const json_t *then, const json_t *now, struct tally *tally)
{
	char longer[512];
	const char *key;
	json_t *value;
	size_t i;

	if (json_is_object(then) && json_is_object(now)) {
		json_t *all = json_copy((json_t *)(uintptr_t)then);

		if (tally->whole)
			json_object_update_missing(all, (json_t *)(uintptr_t)now);
		json_object_foreach(all, key, value) {
			snprintf(longer, sizeof(longer), "%s%s%s", name, *name ? "." : "", key);
			if (compared(key))
				compare(longer, json_object_get(then, key),
					json_object_get(now, key), tally);
		}
		json_decref(all);
	} else if (json_is_array(then) && json_array_size(then) == json_array_size(now)) {
		json_array_foreach((json_t *)(uintptr_t)then, i, value) {
			snprintf(longer, sizeof(longer), "%s[%zu]", name, i);
			compare(longer, value, json_array_get(now, i), tally);
		}
	} else {
		tally->figures++;
		if (!then || !json_equal((json_t *)(uintptr_t)then, (json_t *)(uintptr_t)now)) {
			char *was = value_text(then), *is = value_text(now);

			tally->different++;
			printf("%s: %s then, %s now\n", name, was, is);
			free(was);
			free(is);
		}
	}
}

int sim_compare(const json_t *then, const json_t *now)
{
	struct tally tally = {.whole = json_equal(json_object_get(then, "version"),
				      json_object_get(now, "version"))};

	compare("", then, now, &tally);
	if (!tally.different)
		printf("the same: %d figures, digit by digit\n", tally.figures);
	fflush(stdout); /* before the message about it */
	return tally.different ? smesh_fail(SMESH_FAILED, "--again: %d of %d figures differ",
					 tally.different, tally.figures)
			       : SMESH_OK;
}
