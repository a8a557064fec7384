/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/slurmconf.h"

#include <slurm/slurm.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "cli/smesh.h"
#include "sim/need.h"

/* Keys whose line has one value. */
static const struct {
	const char *key;
	size_t where;
} values[] = {
	{"ClusterName", offsetof(struct slurmconf, cluster)},
	{"SelectType", offsetof(struct slurmconf, select_type)},
	{"SelectTypeParameters", offsetof(struct slurmconf, select_parameters)},
	{"SchedulerParameters", offsetof(struct slurmconf, parameters)},
	{"TopologyPlugin", offsetof(struct slurmconf, topology_plugin)},
	{"PluginDir", offsetof(struct slurmconf, plugin_dir)},
	{"StateSaveLocation", offsetof(struct slurmconf, state_dir)},
	{"SlurmctldParameters", offsetof(struct slurmconf, slurmctld_parameters)},
	{"AuthType", offsetof(struct slurmconf, auth_type)},
	{"SlurmUser", offsetof(struct slurmconf, slurm_user)},
	{"PlugStackConfig", offsetof(struct slurmconf, plugstack)},
	{"TopologyParam", offsetof(struct slurmconf, topology_param)},
};

const struct slurmconf_plugin slurmconf_plugins[SLURMCONF_PLUGINS] = {
	{"SchedulerType", "sched/"}, {"PreemptType", "preempt/"},
	{"AccountingStorageType", "accounting_storage/"}, {"CredType", "cred/"},
	{"SwitchType", "switch/"}, {"JobAcctGatherType", "jobacct_gather/"},
	{"JobSubmitPlugins", "job_submit/"}, {"NodeFeaturesPlugins", "node_features/"},
	{"PriorityType", "priority/"}, {"MCSPlugin", "mcs/"},
	{"BurstBufferType", "burst_buffer/"}, {"PrepPlugins", "prep/"}, {"AuthAltTypes", "auth/"},
	{"AcctGatherEnergyType", "acct_gather_energy/"},
	{"AcctGatherProfileType", "acct_gather_profile/"},
	{"AcctGatherFilesystemType", "acct_gather_filesystem/"},
	{"AcctGatherInterconnectType", "acct_gather_interconnect/"}};

/* As conffile_pair(), with the operators of Slurm's parser: it reads KEY+=VALUE as KEY=VALUE. */
static int next_pair(char **rest, char **key, char **value)
{
	static const char operators[] = "+-*/";
	int found = conffile_pair(rest, key, value);
	size_t n = strlen(*key);
	char *at = *rest + strspn(*rest, " \t"), *none;

	if (found > 0 && n > 1 && strchr(operators, (*key)[n - 1]))
		(*key)[n - 1] = '\0';
	if (found < 0 && *at && strchr(operators, *at) && at[1] == '=') {
		*rest = at + 1;
		found = conffile_pair(rest, &none, value);
	}
	return found;
}

/*
 * A copy of the value of a key (or of its other spelling) in the rest of a line, which is only
 * read; otherwise the default.
 */
static const char *find_value(struct slurmconf *c, const char *rest, const char *const key[2],
	const char *otherwise)
{
	char *at = need_text(&c->arena, rest), *name, *value;
	int found;

	while ((found = next_pair(&at, &name, &value)))
		if (found > 0 && (!strcasecmp(name, key[0]) || !strcasecmp(name, key[1])))
			otherwise = value;
	return otherwise;
}

static int expand(struct slurmconf *c, const char *list, char ***name)
{
	struct mesh_err why = {{0}};
	int n = hostlist_check_any(list, &why);

	if (n > 0)
		n = hostlist_libslurm.expand(list, &c->arena, name, &why);
	return n < 0 ? conffile_fail(c->err, c->at, "%s", why.text) : n;
}

static int take_nodes(struct slurmconf *c, const char *list, const char *rest)
{
	const char *features = find_value(c, rest, (const char *const[]){"Feature", "Features"},
		c->default_features);
	char **name;
	int n;

	if (!strcasecmp(list, "DEFAULT")) {
		c->default_features = features;
		return 0;
	}
	if ((n = expand(c, list, &name)) < 0)
		return -1;
	for (int i = 0; i < n; i++)
		need_append(&c->arena, c->node, c->nnodes,
			(struct slurmconf_node){name[i], features, c->at});
	return 0;
}

static int take_partition(struct slurmconf *c, const char *name, const char *rest)
{
	const char *nodes =
		find_value(c, rest, (const char *const[]){"Nodes", "Nodes"}, c->default_nodes);

	if (!strcasecmp(name, "DEFAULT")) {
		c->default_nodes = nodes;
		return 0;
	}
	need_append(&c->arena, c->partition, c->npartitions,
		(struct slurmconf_partition){need_text(&c->arena, name), nodes, c->at});
	return 0;
}

static int take_set(struct slurmconf *c, const char *name, const char *rest)
{
	struct slurmconf_set *set = need_next(&c->arena, &c->set, &c->nsets, sizeof(*set));

	set->name = need_text(&c->arena, name);
	set->nodes = find_value(c, rest, (const char *const[]){"Nodes", "Nodes"}, NULL);
	set->feature = find_value(c, rest, (const char *const[]){"Feature", "Feature"}, NULL);
	return 0;
}

static bool names_controller(const char *key)
{
	return !strcasecmp(key, "SlurmctldHost") || !strcasecmp(key, "ControlMachine") ||
		!strcasecmp(key, "BackupController");
}

bool slurmconf_is_here(const char *host)
{
	char name[256] = "";
	size_t length = strcspn(host, ".(,");

	gethostname(name, sizeof(name) - 1);
	return (strcspn(name, ".") == length && !strncasecmp(name, host, length)) ||
		(length == strlen("localhost") && !strncasecmp(host, "localhost", length));
}

/* Keep the value of a key, and its line. */
static void take_value(struct slurmconf *c, const char *key, char **to, const char *value)
{
	*to = need_text(&c->arena, value);
	need_append(&c->arena, c->line, c->nlines, (struct slurmconf_line){key, c->at});
}

static void take_pair(struct slurmconf *c, const char *key, const char *value)
{
	/* ControlMachine may be a list. */
	for (const char *host = names_controller(key) ? value : NULL; host;
		host = strchr(host, ',')) {
		host += *host == ',';
		c->ncontrollers++;
		c->controls_here |= slurmconf_is_here(host);
	}
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (!strcasecmp(key, values[i].key))
			take_value(c, values[i].key, (char **)((char *)c + values[i].where),
				value);
	for (int i = 0; i < SLURMCONF_PLUGINS; i++)
		if (!strcasecmp(key, slurmconf_plugins[i].key))
			take_value(c, slurmconf_plugins[i].key, &c->plugins[i], value);
}

static int take_line(void *data, char *text, struct conffile_place at)
{
	static const struct {
		const char *key;
		int (*take)(struct slurmconf *c, const char *name, const char *rest);
	} lines[] = {{"NodeName", take_nodes}, {"PartitionName", take_partition},
		{"NodeSet", take_set}};
	struct slurmconf *c = data;
	char *key, *value;

	c->at = at;
	while (next_pair(&text, &key, &value) > 0) {
		for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
			if (!strcasecmp(key, lines[i].key)) {
				if (!lines[i].take(c, value, text))
					return 0;
				/* Go on behind a wrong line. */
				smesh_fail(SMESH_USAGE, "%s", c->err->text);
				*c->err->text = '\0';
				c->bad = true;
				return 0;
			}
		take_pair(c, key, value);
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct slurmconf_node *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->at.line - y->at.line;
}

int slurmconf_read(struct slurmconf *c, const char *path, struct mesh_err *err)
{
	const struct conffile file = {.take = take_line, .data = c, .arena = &c->arena, .err = err,
		.cluster = &c->cluster, .any_kind = true,
		.skip_globs = SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0),
		.beside_own = SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)};

	c->err = err;
	if (conffile_read(&file, path))
		return -1;
	if (c->nnodes)
		qsort(c->node, (size_t)c->nnodes, sizeof(*c->node), by_name);
	return 0;
}

const struct slurmconf_line *slurmconf_line(const struct slurmconf *c, const char *key)
{
	int i = c->nlines - 1;

	while (i >= 0 && strcmp(c->line[i].key, key) != 0)
		i--;
	return i < 0 ? NULL : &c->line[i];
}

static int of_name(const void *name, const void *node)
{
	return strcmp(name, ((const struct slurmconf_node *)node)->name);
}

int slurmconf_partition(const struct slurmconf *c, const char *name)
{
	int p = 0;

	while (p < c->npartitions && strcmp(c->partition[p].name, name) != 0)
		p++;
	return p;
}

/* --- the nodes of a partition --------------------------------------------------------- */

/* The names that are still to be looked up; NULL: done. */
struct names {
	char **name;
	int n;
};

/* Add a list of names. ALL, if that is a keyword, goes into the set at once. 0, or -1 with text. */
static int add_list(struct slurmconf *c, const char *list, bool keyword, struct names *names,
	struct nodeset *set)
{
	char **name;
	int n;

	if (keyword && !strcasecmp(list, "ALL")) {
		nodeset_set_all(set);
		return 0;
	}
	n = expand(c, list, &name);
	for (int i = 0; i < n; i++)
		need_append(&c->arena, names->name, names->n, name[i]);
	return n < 0 ? -1 : 0;
}

/*
 * Replace a node set's name by the set. As in Slurm: each set once, in the order of their lines.
 * From 22.05.0 to 22.05.8 ALL was a node of that name.
 */
static int replace_set(struct slurmconf *c, const struct slurmconf_set *one, struct names *names,
	struct nodeset *set)
{
	bool found = false;

	for (int i = 0; i < names->n; i++)
		if (names->name[i] && !strcmp(names->name[i], one->name)) {
			names->name[i] = NULL;
			found = true;
		}
	for (int i = 0; found && one->feature && i < c->nnodes; i++)
		if (smesh_is_listed(c->node[i].features, one->feature, strlen(one->feature)))
			nodeset_add(set, i);
	return found && one->nodes ? add_list(c, one->nodes,
		SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(22, 5, 9), names, set) : 0;
}

int slurmconf_nodes(struct slurmconf *c, const struct slurmconf_partition *partition,
	struct nodeset *set, struct mesh_err *err)
{
	struct names names = {NULL, 0};
	int bad;

	c->err = err;
	c->at = partition->at;
	*err->text = '\0';
	need_done(nodeset_get(set, c->nnodes, &c->arena));
	bad = partition->nodes ? add_list(c, partition->nodes, true, &names, set) : 0;
	for (int i = 0; i < c->nsets && !bad; i++)
		bad = replace_set(c, &c->set[i], &names, set);
	for (int i = 0; i < names.n && !bad; i++) {
		const char *name = names.name[i];
		const struct slurmconf_node *node = name && c->nnodes ? bsearch(name, c->node,
			(size_t)c->nnodes, sizeof(*c->node), of_name) : NULL;

		if (node)
			nodeset_add(set, (int)(node - c->node));
		else if (name)
			bad = conffile_fail(err, c->at, "%s is no node and no node set", name);
	}
	return bad ? -1 : 0;
}
