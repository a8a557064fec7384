/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: will slurmctld start with these files, and use the mesh lines?
 */
#include <fnmatch.h>
#include <slurm/slurm.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/conffile.h"
#include "base/suggest.h"
#include "base/textfile.h"
#include "conf/draft.h"
#include "conf/strategynames.h"
#include "cmd/check.h"
#include "cmd/startup.h"
#include "sim/need.h"

static bool is_ours(const char *type)
{
	return strstr(type, "mesh") && strchr(type, '/');
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat one, other;

	return !stat(a, &one) && !stat(b, &other) && one.st_ino == other.st_ino &&
		one.st_dev == other.st_dev;
}

/* 1: the line is ours. */
static int look_at_line(void *data, char *text, struct conffile_place at)
{
	(void)data;
	(void)at;
	for (int i = 0; draft_key(i); i++)
		if (conffile_begins(text, draft_key(i)))
			return 1;
	return 0;
}

/* Slurm's own plugins that read topology.conf accept only their own lines; slurmctld then ends. */
static void check_readers(struct check *s, const char *plugin, bool yaml)
{
	static const char *const readers[] = {
		"topology/tree", "topology/block", "topology/ring", "topology/hypercube"};
	const struct conffile file = {.take = look_at_line, .arena = &s->slurm.arena};
	bool reads = false;
	char path[4096];

	for (unsigned i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		reads |= !strcasecmp(plugin, readers[i]);
	if (yaml && SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0))
		reads = false;
	if (reads && !textfile_beside(s->slurm_conf, "topology.conf", path, sizeof(path)) &&
		conffile_read(&file, path) > 0)
		check_warn_of(s, "TopologyPlugin", SMESH_NO_START,
			"TopologyPlugin=%s: slurmctld will not start, as that refuses the mesh "
			"lines of %s: put them into another file and name it by mesh_conf=",
			plugin, path);
}

/* slurmctld ends if its directory of state is none, or that of another cluster. */
static void check_state(struct check *s)
{
	const char *dir = s->slurm.state_dir, *cluster = s->slurm.cluster;
	char path[4096], name[256];
	struct stat is;
	FILE *file;

	if (dir && !stat(dir, &is) && !S_ISDIR(is.st_mode))
		check_warn_of(s, "StateSaveLocation", SMESH_NO_START,
			"StateSaveLocation=%s: not a directory: slurmctld will not start", dir);
	snprintf(path, sizeof(path), "%s/clustername", dir ? dir : "");
	if (!dir || !cluster || !(file = fopen(path, "re")))
		return;
	/* From 24.11 on it is NAME|ID. */
	if (fscanf(file, "%255[^|]", name) == 1 && strcasecmp(name, cluster) != 0)
		check_warn_of(s, "ClusterName", SMESH_NO_START,
			"ClusterName=%s: %s has %s: slurmctld will not start", cluster, path, name);
	fclose(file);
}

/* slurmctld ends if a directory is missing or not set. */
static bool check_dirs(struct check *s)
{
	char *rest = need_text(&s->slurm.arena, s->slurm.plugin_dir), *one;
	bool good = true;
	struct stat is;

	while ((one = strsep(&rest, ":")))
		if (stat(one, &is) || !S_ISDIR(is.st_mode)) {
			good = false;
			check_warn_of(s, "PluginDir", SMESH_NO_START,
				"PluginDir: %s: no such directory: slurmctld will not start",
				*one ? one : "nothing before or after a colon");
		}
	return good;
}

/* Find a plugin; newer versions have topology/none and topology/default under another name. */
static int find_plugin(struct startup_plugin *p, struct mesh_err *why)
{
	static const char *const next[] = {
		"topology/none", "topology/default", "topology/flat", NULL};
	int found = startup_plugin(p, why);

	for (int i = 0; found == STARTUP_NO_FILE && next[i]; i++)
		if (next[i + 1] && !strcasecmp(p->type, next[i])) {
			p->type = next[i + 1];
			found = startup_plugin(p, why);
		}
	return found;
}

static const char *known_plugin(const void *list, int i)
{
	static const char *const known[] = {"select/mesh", "select/cons_tres_mesh",
		"select/cons_tres", "select/linear", "topology/mesh", "topology/tree",
		"topology/block", "topology/default", "topology/flat", NULL};

	(void)list;
	return known[i];
}

/* Write to text which of the plugins above was probably meant; nothing if it is one of them. */
static const char *suggest_plugin(const char *key, const char *type, char *text, size_t size)
{
	const char *kind = !strcmp(key, "SelectType") ? "select/" : "topology/", *at;
	char full[64];

	snprintf(full, sizeof(full), "%s%s", strchr(type, '/') ? "" : kind, type);
	for (int i = 0; (at = known_plugin(NULL, i)); i++)
		if (!strcasecmp(type, at))
			return "";
	return suggest(full, known_plugin, NULL, text, size);
}

enum { SLURM_24_05 = 24 << 16 | 5 << 8 };

/* What another host has in Slurm's own directory is unknown here. */
static void tell_no_file(struct check *s, const char *key, const char *type, const char *dirs)
{
	bool known = s->slurm.controls_here || s->slurm.plugin_dir;
	char text[96];
	const char *meant = suggest_plugin(key, type, text, sizeof(text));

	if (s->no_dir && !*meant)
		return; /* it may be in the directory that is missing */
	if (!*meant && !strcmp(type, "topology/mesh") && s->version && s->version < SLURM_24_05)
		meant = "; it is for Slurm 24.05 and newer: take SelectType=select/mesh";
	check_warn_of(s, key, known ? SMESH_NO_START : 0,
		"%s is in no directory of PluginDir%s%s: slurmctld will not start%s%s",
		type, s->slurm.plugin_dir ? "" : ", by default ",
		s->slurm.plugin_dir ? "" : dirs,
		known ? "" : " where that is so (this host is none of its controllers)",
		*meant ? meant : "; add the directory that has its .so file, before Slurm's own");
}

/* Returns the version of a plugin, or 0 where that is unknown or there is no such plugin. */
static unsigned check_plugin(struct check *s, struct startup_plugin *p, const char *key,
	const char *type)
{
	struct mesh_err why;
	int version;

	p->type = type;
	version = find_plugin(p, &why);
	if (version == STARTUP_NO_FILE)
		tell_no_file(s, key, type, p->dirs);
	else if (version < 0)
		check_warn_of(s, key, SMESH_NO_START, "%s: %s: slurmctld will not start", type,
			why.text);
	return version > 0 ? (unsigned)version : 0;
}

/* What has none at its end is no file in some versions. */
static void check_other_plugins(struct check *s, struct startup_plugin *p)
{
	for (int i = 0; i < SLURMCONF_PLUGINS; i++) {
		char *rest = need_text(&s->slurm.arena, s->slurm.plugins[i]), *one, type[256];

		while ((one = strsep(&rest, ","))) {
			if (!*one || !fnmatch("*none", one, 0))
				continue;
			snprintf(type, sizeof(type), "%s%s",
				strchr(one, '/') ? "" : slurmconf_plugins[i].kind, one);
			check_plugin(s, p, slurmconf_plugins[i].key, type);
		}
	}
}

static bool is_of_papers(const char *strategy)
{
	return strategy && strategynames_of_papers(strategy);
}

/* Does slurmctld load the library of papers at its start? Otherwise it does when a job asks. */
static bool needs_papers(const struct check *s)
{
	const struct mesh_settings *settings = &s->settings;
	bool needs = (s->base.conf && mesh_settings_need_extras(settings, s->base.conf)) ||
		is_of_papers(settings->strategy) || is_of_papers(settings->fallback_to);

	for (int i = 0; i < settings->npartitions; i++)
		needs |= is_of_papers(settings->by_partition[i].strategy);
	return needs;
}

/* select/mesh loads this from its own folder; topology/mesh has it inside. */
static void check_papers(struct check *s, struct startup_plugin p)
{
	struct mesh_err why;

	p.type = s->slurm.select_type;
	p.beside = "mesh_strategies_papers.so";
	if (startup_plugin(&p, &why) != -1)
		return;
	if (needs_papers(s))
		check_warn_of(s, "SelectType", SMESH_NO_START, "%s: slurmctld will not start",
			why.text);
	else
		check_warn_of(s, "SelectType", 0, "%s: boxes, lines, rings and the strategies of "
			"papers fail without it", why.text);
}

/* The first is Slurm's own, for authentication: the others must have its version. */
static void check_plugins(struct check *s, const char *dirs, bool base_linear)
{
	const struct slurmconf *c = &s->slurm;
	struct startup_plugin p = {.dirs = dirs, .user = c->slurm_user};
	bool ours = false;

	s->version = check_plugin(s, &p, "AuthType", c->auth_type ? c->auth_type : "auth/munge");
	p.version = s->version;
	if (c->select_type && *c->select_type)
		ours = check_plugin(s, &p, "SelectType", c->select_type) &&
			is_ours(c->select_type);
	if (ours)
		check_papers(s, p);
	if (c->topology_plugin && *c->topology_plugin)
		check_plugin(s, &p, "TopologyPlugin", c->topology_plugin);
	if (c->select_type && is_ours(c->select_type))
		check_plugin(s, &p, "PluginDir", base_linear ? "select/linear"
							     : "select/cons_tres");
	check_other_plugins(s, &p);
}

/*
 * Is the plugin that shares nodes, under ours or alone, not told what to share? Without
 * SelectTypeParameters Slurm had it share cores and memory; since 24.05 only under its own name.
 */
static bool lacks_parameters(const char *select, const char *said, bool shares)
{
	if (said && *said)
		return !shares && (is_ours(select) || strstr(select, "cons_"));
	return SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0) && is_ours(select) &&
		!strstr(select, "cons_tres");
}

/* CR_Core and CR_Core_Memory say it, CR_CORE_DEFAULT_DIST_BLOCK does not. */
static bool says_what_to_share(const char *said)
{
	static const char *const shared[] = {"CR_CPU", "CR_Core", "CR_Socket"};
	bool says = false;

	for (; said && *said; said += strcspn(said, ","), said += *said == ',')
		for (unsigned i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
			size_t n = strlen(shared[i]);
			const char *rest = said + n;

			says |= !strncasecmp(said, shared[i], n) && (!*rest || *rest == ',' ||
				!strncasecmp(rest, "_Memory", 7));
		}
	return says;
}

static void check_parameters(struct check *s, const char *select, bool linear)
{
	const char *said = s->slurm.select_parameters;
	bool shares = says_what_to_share(said);

	if (!linear && lacks_parameters(select, said, shares))
		check_warn_of(s, said ? "SelectTypeParameters" : "SelectType", SMESH_NO_START,
			"SelectTypeParameters=%s: slurmctld will not start: select/cons_tres%s "
			"needs CR_Core, CR_Socket or CR_CPU (or %s)",
			said ? said : "", is_ours(select) ? ", beneath ours," : "",
			is_ours(select) ? "mesh_base=linear" : "select/linear");
	if (shares && !strcasecmp(select, "select/linear"))
		check_warn_of(s, "SelectTypeParameters", SMESH_NO_START,
			"SelectTypeParameters=%s: slurmctld will not start: select/linear shares "
			"no nodes",
			said);
}

/* Does Slurm accept the file? Sets dirs to PluginDir or its default; false: unknown. */
static bool check_parser(struct check *s, char *dirs, size_t size)
{
	struct mesh_err why;
	int takes = startup_parse(s->slurm_conf, s->slurm.slurm_user, dirs, size, &why);

	if (!takes && !s->slurm.plugin_dir && strstr(why.text, "for PluginDir")) {
		fputs("Slurm's plugins are not on this machine: not looked at\n", s->text);
		return false;
	}
	if (!takes)
		check_warn(s, SMESH_NO_START,
			"%s: Slurm %d.%02d.%d does not take it, slurmctld will not start: %s",
			s->slurm_conf, SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER),
			SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER),
			SLURM_VERSION_MICRO(SLURM_VERSION_NUMBER), why.text);
	if (takes <= 0 && s->slurm.plugin_dir)
		snprintf(dirs, size, "%s", s->slurm.plugin_dir);
	return takes > 0 || s->slurm.plugin_dir;
}

/* slurmctld reads the map that slurm.conf names, as SlurmUser: can it? */
static void check_map(struct check *s)
{
	const struct mesh_settings *settings = &s->settings;
	const char *path = settings->conf;
	struct mesh_err why;
	char beside[4096];
	bool same;

	if (!path && !textfile_beside(s->slurm_conf, "topology.conf", beside, sizeof(beside)))
		path = beside;
	same = path && is_same_file(path, s->base.topology);
	if (same && !s->base.conf)
		return; /* messages have said why */
	if (!path || (!same && !settings->conf)) {
		fprintf(s->text, "slurmctld reads %s, not %s\n", beside, s->base.topology);
		return;
	}
	if (*path != '/' && settings->conf)
		check_warn_of(s, "SchedulerParameters", 0,
			"mesh_conf=%s: not an absolute path: slurmctld looks for it in the "
			"directory that it was started in",
			path);
	if (startup_map(path, s->slurm.slurm_user, &why))
		check_warn(s, SMESH_NO_START, "slurmctld will not start: %s", why.text);
	else if (!same)
		fprintf(s->text, "slurmctld reads %s, not %s: mesh_conf=\n", path,
			s->base.topology);
}

/* Slurm 25.05 and later ignores TopologyPlugin if there is a topology.yaml. Is there one? */
static bool look_for_yaml(struct check *s, bool selected, bool topology)
{
	char yaml[4096];

	if (textfile_beside(s->slurm_conf, "topology.yaml", yaml, sizeof(yaml)) ||
		access(yaml, F_OK))
		return false;
	if (selected)
		check_warn(s, 0,
			"%s: from Slurm 25.05 on jobs of partitions that it gives a topology of "
			"torus3d, block or ring are placed by that, not by the mesh lines",
			yaml);
	if (topology)
		check_warn(s, selected ? 0 : SMESH_UNUSED,
			"%s: Slurm 25.05 and later read it and leave TopologyPlugin=%s aside", yaml,
			s->slurm.topology_plugin);
	return true;
}

/* The first mesh_ key of SchedulerParameters, and its length; NULL: there is none. */
static const char *first_key(const struct check *s, int *length)
{
	const char *at = s->slurm.parameters ? s->slurm.parameters : "";

	while (*(at += strspn(at, ", \t")) && strncasecmp(at, "mesh_", 5) != 0)
		at += strcspn(at, ",");
	*length = (int)strcspn(at, "=,");
	return *at ? at : NULL;
}

/* Without our keys in slurm.conf a switch may be still to come; with them it looks forgotten. */
static void tell_unused(struct check *s)
{
	int length;
	const char *key = first_key(s, &length);

	if (key)
		check_warn_of(s, "SchedulerParameters", SMESH_UNUSED,
			"neither SelectType nor TopologyPlugin names mesh: %.*s= and the mesh "
			"lines are not used (is SelectType=select/mesh missing?)", length, key);
	else
		check_warn(s, 0,
			"neither SelectType nor TopologyPlugin names mesh: the mesh lines are not "
			"used");
}

/* Compare SelectType and TopologyPlugin. */
void check_start(struct check *s)
{
	const struct mesh_settings *settings = &s->settings;
	const char *select = s->slurm.select_type ? s->slurm.select_type : "",
		   *topology = s->slurm.topology_plugin ? s->slurm.topology_plugin : "";
	char dirs[8192];

	if (!strcasecmp(topology, "topology/3d_torus"))
		check_warn_of(s, "TopologyPlugin", SMESH_NO_START,
			"TopologyPlugin=%s: slurmctld will not start: it needs a Slurm built for "
			"three dimensions, and select/mesh does without", topology);
	check_readers(s, topology, look_for_yaml(s, is_ours(select), is_ours(topology)));
	if (!is_ours(select) && !is_ours(topology))
		tell_unused(s);
	else
		check_map(s);
	check_parameters(s, select, settings->base_linear);
	check_state(s);
	s->no_dir = !check_dirs(s);
	if (s->no_dir)
		snprintf(dirs, sizeof(dirs), "%s", s->slurm.plugin_dir);
	if (s->no_dir || check_parser(s, dirs, sizeof(dirs)))
		check_plugins(s, dirs, settings->base_linear);
}
