/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: what controllers, login and compute nodes have of the map and of the plugins.
 */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/conffile.h"
#include "base/hostlist.h"
#include "base/textfile.h"
#include "cmd/check.h"
#include "cmd/startup.h"
#include "conf/spankword.h"
#include "sim/need.h"

/*
 * Compare with the slurmctld in control, which leaves the hash of its map where all others find it
 * (plugin/shared/mesh_files.h).
 */
void check_controllers(struct check *s)
{
	char path[4096], host[256];
	uint64_t hash;
	FILE *file;
	bool known;

	if (!s->slurm.state_dir)
		return;
	snprintf(path, sizeof(path), "%s/mesh_map", s->slurm.state_dir);
	file = fopen(path, "re");
	if (!file && errno != ENOENT && s->slurm.ncontrollers > 1)
		check_warn(s, 0,
			"%s: %s: not compared with the map of the slurmctld in control", path,
			strerror(errno));
	if (!file)
		return;
	known = fscanf(file, "%*d %255s %" SCNx64, host, &hash) == 2;
	fclose(file);
	if (!known || hash == topoconf_hash(s->base.conf))
		return;
	if (s->slurm.ncontrollers > 1 && !slurmconf_is_here(host))
		check_warn(s, SMESH_OTHER_MAP,
			"the map is not that of slurmctld on %s, which has control: copy the right "
			"file to every controller",
			host);
	else
		fprintf(s->text, "slurmctld on %s has another map until scontrol reconfigure\n",
			host);
}

#define EVERYWHERE "put that file on each node, too, and change all copies at once"

/* Note a file that topology.conf names or includes. */
static int note_file(void *session, char *text, struct conffile_place at)
{
	static const char *const keys[] = {"Order", "DownLinksFile", "Cables"};
	struct check *s = session;

	if (strcmp(at.path, s->base.topology) != 0 && at.path != s->included) {
		s->included = at.path;
		check_warn(s, 0,
			"enable_configless does not send Include %s: " EVERYWHERE, at.path);
	}
	for (char *key, *value; conffile_pair(&text, &key, &value) > 0;)
		for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (!strcasecmp(key, keys[i]))
				check_warn(s, 0,
					"enable_configless does not send %s=%s: " EVERYWHERE,
					keys[i], value);
	return 0;
}

/* In configless clusters Slurm sends its own files; of ours only topology.conf. */
void check_configless(struct check *s)
{
	const struct mesh_settings *settings = &s->settings;
	const struct conffile file = {.take = note_file, .data = s, .arena = &s->slurm.arena};

	if (!s->slurm.slurmctld_parameters ||
		!strcasestr(s->slurm.slurmctld_parameters, "enable_configless"))
		return;
	if (settings->conf)
		check_warn_of(s, "SchedulerParameters", 0,
			"enable_configless does not send mesh_conf=%s: " EVERYWHERE,
			settings->conf);
	conffile_read(&file, s->base.topology);
}

/* --- plugstack.conf: by it users have options, and ranks an order ------------------------- */

enum { DEPTH = 8 }; /* files that include files */

struct line {
	const char *path; /* the file that has the line: plugstack.conf, or one that it includes */
	int line;
	const char *kind, *plugin; /* as written; kind: required, optional, or a mistake */
	char *words;		   /* behind the plugin; "" */
};

/* conf= names the map for tasks. */
static void check_spank_map(struct check *s, const struct line *line, const char *path)
{
	struct mesh_err err;
	struct topoconf *conf = topoconf_read(path, &hostlist_libslurm, &err);

	if (!conf)
		check_warn(s, 0, "%s:%d: conf=: %s", line->path, line->line, err.text);
	else if (s->base.conf && topoconf_hash(conf) != topoconf_hash(s->base.conf))
		check_warn(s, 0,
			"%s:%d: conf=%s is not the map of %s", line->path, line->line, path,
			s->base.topology);
	topoconf_free(conf);
}

/* Does slurm.conf lack one of these partitions? */
static bool lacks_partition(struct check *s, const char *list)
{
	char *rest = need_text(&s->slurm.arena, list), *name;
	bool lacks = false;

	while ((name = strsep(&rest, ",")))
		lacks |= slurmconf_partition(&s->slurm, name) == s->slurm.npartitions;
	return lacks;
}

/* What spank_mesh.so does with a value that it cannot use; NULL: it can. It says nothing itself. */
static const char *bad_value(struct check *s, enum spankword which, const char *value)
{
	switch (which) {
	case SPANKWORD_PREFIX:
		return spankword_is_prefix(value) ? NULL
			: "expected letters, digits and '_': SLURM_MESH_ is taken";
	case SPANKWORD_LEARN:
		return !strcmp(value, "yes") || !strcmp(value, "no") || !lacks_partition(s, value)
			? NULL : "neither yes nor no, and slurm.conf has no such partition";
	case SPANKWORD_LEARN_EVERY:
		return *value && !value[strspn(value, "0123456789")] ? NULL
			: "expected a number: 0 is taken";
	case SPANKWORD_LEARN_DIR:
		return *value == '/' ? NULL
			: "expected an absolute path: records are in users' homes";
	case SPANKWORD_MEASURE:
	case SPANKWORD_MPICH:
		return !strcmp(value, "no") || (*value == '/' && !access(value, R_OK)) ? NULL
			: "no such file: only programs of Open MPI are measured";
	default:
		return NULL;
	}
}

/* spank_mesh.so passes over words that it does not know. */
static void check_words(struct check *s, const struct line *line)
{
	char *rest = NULL;

	for (char *word = strtok_r(line->words, " \t", &rest); word;
		word = strtok_r(NULL, " \t", &rest)) {
		const char *value, *wrong;
		enum spankword which = spankword_of(word, &value);

		if (which == SPANKWORD_NONE || (which == SPANKWORD_ORDER &&
			strcmp(value, "auto") != 0 && strcmp(value, "node") != 0))
			check_warn(s, 0,
				"%s:%d: spank_mesh.so does not know '%.40s', and passes over it",
				line->path, line->line, word);
		if ((wrong = bad_value(s, which, value)))
			check_warn(s, 0, "%s:%d: '%.40s': %s", line->path, line->line, word, wrong);
		if (which == SPANKWORD_CONF)
			check_spank_map(s, line, value);
	}
}

/* Can Slurm's commands on this host load spank_mesh.so? NULL, or why not. */
static const char *load_spank(const struct check *s, const char *path, struct mesh_err *why)
{
	bool full = *path == '/';
	char dir[PATH_MAX];
	struct startup_plugin p = {.dirs = full ? dir : s->slurm.plugin_dir, .type = "spank/mesh"};
	int version;

	snprintf(dir, sizeof(dir), "%.*s", full ? (int)(strrchr(path, '/') - path) : 0, path);
	version = p.dirs ? startup_plugin(&p, why) : 0;
	if (version == STARTUP_NO_FILE)
		err_printf(why, "no such file%s", full ? "" : " in PluginDir");
	else if (version > 0 && s->version && version >> 8 != (int)s->version >> 8)
		version = err_printf(why, "it is for Slurm %d.%02d", version >> 16,
			version >> 8 & 255);
	return version < 0 ? why->text : NULL;
}

/* Are the libraries there that spank_mesh.so loads from its folder? */
static void check_beside(struct check *s, const struct line *line)
{
	static const char *const names[] = {"spank_mesh_user.so", "spank_mesh_more.so"};
	char path[PATH_MAX];

	for (size_t i = 0; *line->plugin == '/' && i < sizeof(names) / sizeof(names[0]); i++)
		if (!textfile_beside(line->plugin, names[i], path, sizeof(path)) &&
			access(path, R_OK))
			check_warn(s, 0,
				"%s:%d: %s: %s: orders of ranks and --mesh-learn fail without it",
				line->path, line->line, path, strerror(errno));
}

static void check_line(struct check *s, const struct line *line)
{
	bool required = !strcmp(line->kind, "required"); /* Slurm wants small letters */
	bool ours = !strcmp(textfile_name(line->plugin), "spank_mesh.so");
	struct mesh_err why;
	const char *wrong = *line->plugin == '/' && access(line->plugin, R_OK) ? strerror(errno)
		: ours ? load_spank(s, line->plugin, &why) : NULL;

	if (!required && strcmp(line->kind, "optional") != 0) {
		check_warn(s, 0,
			"%s:%d: Slurm passes over '%.40s ...': a line begins with required, "
			"optional or include", line->path, line->line, line->kind);
		return;
	}
	if (wrong && (required || ours))
		check_warn(s, 0, "%s:%d: %s: %s: %s", line->path, line->line, line->plugin,
			wrong, required ? "no job can be submitted where that is so"
			: "srun and sbatch print an error each time, and know no --mesh options");
	if (!ours)
		return;
	if (s->has_spank)
		check_warn(s, 0,
			"%s:%d: spank_mesh.so is in a line above, too: expected one line, as Slurm "
			"loads it for each", line->path, line->line);
	s->has_spank = true;
	if (!wrong) {
		check_beside(s, line);
		fprintf(s->text, "options for users: %s%s%s (%s)\n", line->plugin,
			*line->words ? " " : "", line->words, line->path);
	}
	check_words(s, line);
}

static void read_file(struct check *s, const char *path, int depth);

/* Relative patterns are looked for beside the file that has the line, as Slurm does. */
static void read_all(struct check *s, const char *path, const char *pattern, int depth)
{
	char beside[PATH_MAX];
	glob_t files;

	if (textfile_beside(path, pattern, beside, sizeof(beside)) ||
		glob(beside, 0, NULL, &files))
		return;
	for (size_t i = 0; i < files.gl_pathc; i++)
		read_file(s, files.gl_pathv[i], depth);
	globfree(&files);
}

/* A line is optional|required PLUGIN WORD..., or include PATTERN. */
static void read_line(struct check *s, char *text, struct line line, int depth)
{
	size_t length = strcspn(text, "#\n");
	bool bad;

	while (length && strchr(" \t", text[length - 1]))
		length--;
	text[length] = '\0';
	bad = length && text[length - 1] == '\r';
	if (bad) {
		text[length - 1] = '\0';
		check_warn(s, 0, "%s:%d: the line ends with a carriage return, which to Slurm is a "
			"part of its last word", line.path, line.line);
	}
	line.kind = strtok_r(text, " \t", &line.words);
	line.plugin = line.kind ? strtok_r(NULL, " \t", &line.words) : NULL;
	if (!line.plugin || (bad && !*line.words))
		return;
	line.words += strspn(line.words, " \t");
	if (!strcmp(line.kind, "include"))
		read_all(s, line.path, line.plugin, depth);
	else
		check_line(s, &line);
}

/* A file that cannot be read has no lines. */
static void read_file(struct check *s, const char *path, int depth)
{
	struct line line = {.path = path};
	struct stat state;
	char *text = NULL;
	size_t room = 0;
	FILE *file = depth < DEPTH && !stat(path, &state) && S_ISREG(state.st_mode)
		? fopen(path, "r") : NULL;

	while (file && getline(&text, &room, file) >= 0) {
		line.line++;
		read_line(s, text, line, depth + 1);
	}
	free(text);
	if (file)
		fclose(file);
}

void check_plugstack(struct check *s)
{
	char beside[PATH_MAX];
	const char *path = s->slurm.plugstack;

	if (!path && textfile_beside(s->slurm_conf, "plugstack.conf", beside, sizeof(beside)))
		return;
	path = path ? path : beside;
	read_file(s, path, 0);
	if (!s->has_spank)
		fprintf(s->text, "note: %s does not load spank_mesh.so: users have no --mesh "
			"options, and ranks are in node order\n", path);
}
