/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: is topology.conf right, what does it say, and does slurm.conf agree?
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boxes/bitbox.h"
#include "geometry/curve.h"
#include "graph/linkgraph.h"
#include "geometry/legal.h"
#include "base/hostlist.h"
#include "conf/settings.h"
#include "cli/suggest.h"
#include "cmd/commands.h"
#include "cli/output.h"
#include "sim/human.h"
#include "sim/report.h"
#include "base/textfile.h"

enum { MAX_INCLUDE = 16 };

struct partition {
	const char *name, *nodes; /* what its Nodes= say, or that of DEFAULT */
};

struct names {
	char **name;
	int n;
};

/* What slurm.conf says that concerns us. */
struct slurm_conf {
	const char *path;
	struct arena arena;
	char *select_type, *parameters, *topology_plugin, *plugin_dir, *state_dir;
	char *slurmctld_parameters;
	int ncontrollers; /* SlurmctldHost= lines */
	struct names node; /* of NodeName= lines */
	struct partition *partition; /* [npartitions] */
	const char *has_by_default; /* the Nodes= of PartitionName=DEFAULT */
	int npartitions;
	int depth; /* of Include lines */
	char at[4200],
		parameters_at[4200]; /* FILE:LINE that is read, and that has the parameters */
	struct mesh_err err;
};

struct session {
	const char *topology;
	bool json;
	struct topoconf *conf;
	struct slurm_conf slurm; /* slurm.path NULL: there is none */
	int verdict; /* SMESH_OK, or what the worst of the warnings comes to: the largest */
	json_t *out, *warnings; /* the second is part of the first */
	FILE *text; /* gathered, so that a failure prints nothing */
	char beside[4096];
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	{0, "slurm-conf", "FILE", "the slurm.conf (default: beside topology.conf, if there)",
		OPTION_TEXT, AT(slurm.path)},
	OPTION_JSON,
	{0},
};

/* --- warnings ----------------------------------------------------------------------- */

/* The code is what the command exits with, unless another warning has a larger one. */
__attribute__((format(printf, 3, 4)))
static void warn(struct session *s, int code, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_array_append_new(s->warnings, json_string(text));
	fprintf(s->text, "warning: %s\n", text);
	s->verdict = code > s->verdict ? code : s->verdict;
}

/* "n[0-3] and 5 more", in a buffer. */
static void short_list(char **name, int count, char *text, size_t size)
{
	char *hosts = hostlist_libslurm.compress(name, count);

	snprintf(text, size, "%.200s%s", hosts ? hosts : "?",
		hosts && strlen(hosts) > 200 ? "..." : "");
	free(hosts);
}

/* --- slurm.conf ---------------------------------------------------------------------- */

/* The next KEY=VALUE of a line: a word, or what is in quotes, with blanks around the = or none.
 * False: there are no more. */
static bool next_pair(char **rest, char **key, char **value)
{
	char *at = *rest + strspn(*rest, " \t"), *end = at + strcspn(at, " \t=");

	*key = at;
	at = end + strspn(end, " \t");
	if (*at != '=')
		return false;
	*end = '\0';
	at += 1 + strspn(at + 1, " \t");
	end = *at == '"' ? strchr(at + 1, '"') : NULL;
	*value = end ? at + 1 : at;
	end = end ? end : at + strcspn(at, " \t");
	*rest = end + (*end != '\0');
	*end = '\0';
	return true;
}

static int add_nodes(struct slurm_conf *c, const char *list)
{
	char **name, **to;
	int n;

	if (!strcasecmp(list, "DEFAULT"))
		return 0;
	if (hostlist_check(list, &c->err) < 0 ||
		(n = hostlist_libslurm.expand(list, &c->arena, &name, &c->err)) < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		if (!(to = arena_grow(&c->arena, &c->node.name, c->node.n, sizeof(*to))))
			return err_printf(&c->err, "out of memory");
		*to = name[i];
		c->node.n++;
	}
	return 0;
}

/* rest: of its line. */
static int add_partition(struct slurm_conf *c, const char *name, char *rest)
{
	const char *nodes = c->has_by_default;
	struct partition *partition;

	for (char *key, *value; next_pair(&rest, &key, &value);)
		if (!strcasecmp(key, "Nodes"))
			nodes = arena_text(&c->arena, value);
	if (!strcasecmp(name, "DEFAULT"))
		c->has_by_default = nodes;
	else if ((partition = arena_grow(&c->arena, &c->partition, c->npartitions,
			  sizeof(*partition)))) {
		*partition = (struct partition){arena_text(&c->arena, name), nodes};
		c->npartitions++;
	}
	return c->arena.out ? err_printf(&c->err, "out of memory") : 0;
}

static int slurm_line(void *data, char *text, int line);

/* Include FILE */
static int include(struct slurm_conf *c, const char *name)
{
	const char *path = c->path;
	char file[4096];
	int code;

	if (c->depth == MAX_INCLUDE)
		return err_printf(&c->err, "Include is nested deeper than %d", MAX_INCLUDE);
	if (textfile_beside(path, name, file, sizeof(file)))
		return err_printf(&c->err, "Include: the path is too long");
	c->depth++;
	c->path = file;
	code = textfile_read(file, slurm_line, c, &c->err);
	c->path = path;
	c->depth--;
	return code;
}

static int slurm_line(void *data, char *text, int line)
{
	struct slurm_conf *c = data;
	const struct {
		const char *key;
		char **where;
	} keys[] = {{"SelectType", &c->select_type}, {"SchedulerParameters", &c->parameters},
		{"TopologyPlugin", &c->topology_plugin}, {"PluginDir", &c->plugin_dir},
		{"StateSaveLocation", &c->state_dir},
		{"SlurmctldParameters", &c->slurmctld_parameters}};

	snprintf(c->at, sizeof(c->at), "%s:%d", c->path, line);
	if (!strncasecmp(text, "Include", 7) && isspace((unsigned char)text[7]))
		return include(c, text + 7 + strspn(text + 7, " \t"));
	for (char *key, *value; next_pair(&text, &key, &value);) {
		if (!strcasecmp(key, "NodeName"))
			return add_nodes(c, value);
		if (!strcasecmp(key, "PartitionName"))
			return add_partition(c, value, text);
		c->ncontrollers += !strcasecmp(key, "SlurmctldHost");
		for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (!strcasecmp(key, keys[i].key))
				*keys[i].where = arena_text(&c->arena, value);
		if (!strcasecmp(key, "SchedulerParameters"))
			memcpy(c->parameters_at, c->at, sizeof(c->at));
	}
	return c->arena.out ? err_printf(&c->err, "out of memory") : 0;
}

/* Named, or beside topology.conf if there is one. */
static int read_slurm_conf(struct session *s)
{
	struct slurm_conf *c = &s->slurm;
	struct mesh_err err = {{0}};

	if (!c->path) {
		if (textfile_beside(s->topology, "slurm.conf", s->beside, sizeof(s->beside)) ||
			access(s->beside, R_OK))
			return SMESH_OK;
		c->path = s->beside;
	}
	if (textfile_read(c->path, slurm_line, c, &err))
		return *err.text ? smesh_fail(SMESH_USAGE, "%s", err.text)
				 : smesh_fail(SMESH_USAGE, "%s: %s", c->at, c->err.text);
	json_object_set_new(s->out, "slurm_conf", json_string(c->path));
	fprintf(s->text, "%s: %d nodes, SelectType=%s\n", c->path, c->node.n,
		c->select_type ? c->select_type : "(default)");
	return SMESH_OK;
}

/* --- the meshes ----------------------------------------------------------------------- */

static int holes_of(const struct mesh *mesh)
{
	int holes = 0;

	for (int v = 0; v < mesh->nvertices; v++)
		holes += !mesh_nodes_on(mesh, v);
	return holes;
}

static void print_mesh(FILE *to, const struct mesh *mesh, const char *hosts)
{
	char sides[64];

	human_sides(mesh->ndims, mesh->side, sides, sizeof(sides));
	fprintf(to, "mesh %s: %s, wrap ", mesh->name, sides);
	for (int d = 0; d < mesh->ndims; d++)
		fprintf(to, "%s%s", d ? "," : "", mesh->wrap[d] ? "yes" : "no");
	fprintf(to, ", %d node%s on %d vertices", mesh->nnodes, mesh->nnodes == 1 ? "" : "s",
		mesh->nvertices - holes_of(mesh));
	if (mesh->nodes_per_vertex > 1)
		fprintf(to, " (up to %d each)", mesh->nodes_per_vertex);
	if (holes_of(mesh))
		fprintf(to, ", %d hole%s", holes_of(mesh), holes_of(mesh) == 1 ? "" : "s");
	fprintf(to, ": %s\n", hosts ? hosts : "");
}

/* How good an ordering is: smesh curve tells more. */
static int check_order(struct session *s, const struct mesh *mesh)
{
	struct curve_quality q;

	if (!mesh->order)
		return SMESH_OK;
	if (curve_measure(mesh, mesh->order, &q))
		return smesh_fail(SMESH_FAILED, "out of memory");
	if (q.longest_step > 2)
		warn(s, 0, "mesh %s: the ordering of Order= has a step of %d hops", mesh->name,
			q.longest_step);
	return SMESH_OK;
}

/* The boxes that jobs may have: how many places each has, and how many of them without a hole. */
static int check_shapes(struct session *s, const struct mesh *mesh, json_t *out)
{
	json_t *list = json_array();
	struct bitbox bits;
	struct nodeset all;

	json_object_set_new(out, "shapes", list);
	if (bitbox_init(&bits, mesh, &s->slurm.arena) ||
		nodeset_get(&all, mesh->nnodes, &s->slurm.arena))
		return smesh_fail(SMESH_FAILED, "out of memory");
	nodeset_set_all(&all);
	bitbox_load(&bits, &all);
	for (int i = 0; i < mesh->nlegal; i++) {
		const struct mesh_placement *p = &mesh->legal[i];
		int places = legal_places(mesh, p), whole = 0;
		char text[64];

		bitbox_bases(&bits, p->side);
		for (struct legal_walk w = legal_walk(mesh, p); !w.done; legal_next(&w))
			whole += bitbox_is_base(&bits, bitbox_bit(&bits, w.base));
		human_sides(mesh->ndims, p->side, text, sizeof(text));
		json_array_append_new(list,
			json_pack("{s:s, s:i, s:i}", "shape", text, "places", places, "whole",
				whole));
		fprintf(s->text, "  shape %s: %d place%s\n", text, places,
			places == 1 ? "" : "s");
		if (!whole)
			warn(s, 0,
				"mesh %s: a box of %s has a hole wherever Shapes= has it begin: no "
				"job can have one",
				mesh->name, text);
	}
	return SMESH_OK;
}

struct pieces {
	int *of; /* by vertex of the graph: the number of its piece; 0: none yet */
	int n;
};

static bool visit(void *pieces, int v, int hops)
{
	struct pieces *p = pieces;

	(void)hops;
	p->of[v] = p->n;
	return false;
}

/* The nodes that no way leads to from the largest piece of the graph, which may have other meshes,
 * into name[]; how many, or -1: memory is out. */
static int cut_off(const struct mesh *mesh, char **name, struct arena *arena)
{
	struct linkgraph *graph = mesh->graph;
	struct pieces p = {arena_get(arena, graph->real, sizeof(int)), 0};
	int *size = arena_get(arena, graph->real + 1, sizeof(*size)), n = 0, largest = 0;

	if (!size)
		return -1;
	for (int m = 0; m < graph->nmeshes; m++)
		for (int i = 0; i < graph->mesh[m]->nnodes; i++) {
			int v = graph->mesh[m]->graph_first + graph->mesh[m]->vertex_of[i];

			p.n += !p.of[v];
			if (!p.of[v])
				linkgraph_walk(graph, v, visit, &p);
			size[p.of[v]]++;
		}
	for (int i = 1; i <= p.n; i++)
		largest = size[i] > size[largest] ? i : largest;
	for (int i = 0; i < mesh->nnodes; i++)
		if (p.of[mesh->graph_first + mesh->vertex_of[i]] != largest)
			name[n++] = mesh->node_name[i];
	return n;
}

/* Links that are broken or extra, and nodes that no way leads to from the others. */
static int check_links(struct session *s, const struct mesh *mesh, json_t *out)
{
	char **name, text[256];
	int down = 0, n;

	if (!mesh->graph)
		return SMESH_OK;
	for (int v = 0; mesh->down && v < mesh->nvertices; v++)
		down += __builtin_popcount(mesh->down[v]);
	json_object_set_new(out, "links_down", json_integer(down));
	json_object_set_new(out, "links_extra", json_integer(mesh->graph->ncables));
	fprintf(s->text, "  links: %d broken, %d extra%s\n", down, mesh->graph->ncables,
		mesh->graph->nmeshes > 1 ? " with the meshes that these join" : "");
	if (!arena_array(&s->slurm.arena, name, mesh->nnodes))
		return smesh_fail(SMESH_FAILED, "out of memory");
	n = cut_off(mesh, name, &s->slurm.arena);
	if (n > 0) {
		short_list(name, n, text, sizeof(text));
		warn(s, 0, "mesh %s: %d node%s cut off from the others by broken links: %s",
			mesh->name, n, n == 1 ? " is" : "s are", text);
	}
	return n < 0 ? smesh_fail(SMESH_FAILED, "out of memory") : SMESH_OK;
}

static int check_mesh(struct session *s, const struct mesh *mesh, json_t *list)
{
	char *hosts = hostlist_libslurm.compress(mesh->node_name, mesh->nnodes);
	json_t *out = json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:b, s:s}", "name", mesh->name,
		"dims", report_ints(mesh->side, mesh->ndims), "wrap", report_wrap(mesh), "nodes",
		mesh->nnodes, "nodes_per_vertex", mesh->nodes_per_vertex, "holes", holes_of(mesh),
		"order_given", mesh->order != NULL, "hosts", hosts ? hosts : "");

	json_array_append_new(list, out);
	print_mesh(s->text, mesh, hosts);
	free(hosts);
	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && mesh->side[d] < 3)
			warn(s, 0, "mesh %s: dimension %d has side %d, to wrap it changes nothing",
				mesh->name, d + 1, mesh->side[d]);
	if (check_order(s, mesh) || check_links(s, mesh, out))
		return SMESH_FAILED;
	return check_shapes(s, mesh, out);
}

/* --- agreement ------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_names(const struct names *names)
{
	if (names->n)
		qsort(names->name, (size_t)names->n, sizeof(*names->name), by_text);
}

/* The place of a name among others that are sorted, or -1. */
static int find_name(const struct names *in, char *name)
{
	char **at = in->n ? bsearch(&name, in->name, (size_t)in->n, sizeof(*in->name), by_text)
			  : NULL;

	return at ? (int)(at - in->name) : -1;
}

/* How many names are not among others, which are sorted; in short which. */
static int find_missing(const struct names *from, const struct names *in, char text[256],
	struct arena *arena)
{
	char **missing = arena_get(arena, from->n, sizeof(*missing));
	int n = 0;

	for (int i = 0; missing && i < from->n; i++)
		if (find_name(in, from->name[i]) < 0)
			missing[n++] = from->name[i];
	if (n)
		short_list(missing, n, text, 256);
	return n;
}

/* Names of all meshes, sorted. */
static struct names all_names(const struct topoconf *conf, struct arena *arena)
{
	struct names all = {NULL, 0};
	int n = 0;

	for (int i = 0; i < conf->nmeshes; i++)
		n += conf->mesh[i]->nnodes;
	arena_array(arena, all.name, n);
	for (int i = 0; all.name && i < conf->nmeshes; i++)
		for (int j = 0; j < conf->mesh[i]->nnodes; j++)
			all.name[all.n++] = conf->mesh[i]->node_name[j];
	sort_names(&all);
	return all;
}

/* From then on those of slurm.conf are sorted. */
static void compare_nodes(struct session *s)
{
	struct arena *arena = &s->slurm.arena;
	const struct names mesh = all_names(s->conf, arena), *slurm = &s->slurm.node;
	char text[256];
	int n = find_missing(slurm, &mesh, text, arena);

	if (n)
		warn(s, 0, "%d node%s of slurm.conf %s in no mesh and will be placed without it: "
			"%s", n, n == 1 ? "" : "s", n == 1 ? "is" : "are", text);
	sort_names(slurm);
	if ((n = find_missing(&mesh, slurm, text, arena)))
		warn(s, SMESH_HOLES,
			"%d node%s of a mesh %s not in slurm.conf, a hole until slurmctld knows "
			"%s: %s",
			n, n == 1 ? "" : "s", n == 1 ? "is" : "are", n == 1 ? "it" : "them", text);
}

/* Slurm 25.05 and later: where there is a topology.yaml, TopologyPlugin is not looked at. */
static void look_for_yaml(struct session *s, bool selected, bool topology)
{
	char yaml[4096];

	if (textfile_beside(s->slurm.path, "topology.yaml", yaml, sizeof(yaml)) ||
		access(yaml, F_OK))
		return;
	if (selected)
		warn(s, 0,
			"%s: from Slurm 25.05 on jobs of partitions that it gives a topology of "
			"torus3d, block or ring are placed by that, not by the mesh lines",
			yaml);
	if (topology)
		warn(s, selected ? 0 : SMESH_UNUSED,
			"%s: Slurm 25.05 and later read it and leave TopologyPlugin=%s aside", yaml,
			s->slurm.topology_plugin);
}

static void compare_partitions(struct session *s, const struct mesh_settings *settings)
{
	for (int i = 0; i < settings->npartitions; i++) {
		const char *name = settings->by_partition[i].partition;
		int p = 0;

		while (p < s->slurm.npartitions &&
			strcmp(s->slurm.partition[p].name, name) != 0)
			p++;
		if (p == s->slurm.npartitions)
			warn(s, 0,
				"SchedulerParameters: mesh_%s_%s does nothing: slurm.conf has no "
				"partition %s",
				settings->by_partition[i].ops ? "strategy" : "pattern", name, name);
	}
}

/* The nodes of a partition, by their place in the sorted list of all; what is no host list has
 * none. */
static int nodes_of(struct slurm_conf *c, const char *text, struct nodeset *set)
{
	char **name = NULL;
	int n = 0;

	if (nodeset_get(set, c->node.n, &c->arena))
		return -1;
	if (!strcasecmp(text, "ALL"))
		nodeset_set_all(set);
	else if (*text && hostlist_check(text, &c->err) >= 0)
		n = hostlist_libslurm.expand(text, &c->arena, &name, &c->err);
	for (int i = 0; i < n; i++) {
		int at = find_name(&c->node, name[i]);

		if (at >= 0)
			nodeset_add(set, at);
	}
	return 0;
}

/* Where jobs of a partition can go elsewhere and those of a smaller one that shares its nodes
 * cannot. */
static void compare_overlap(struct session *s, const struct nodeset *set)
{
	enum { SHOWN = 10 };
	const struct slurm_conf *c = &s->slurm;
	json_t *list = json_array();
	int found = 0;

	for (int a = 0; a < c->npartitions; a++)
		for (int b = 0; b < c->npartitions; b++) {
			const char *name = c->partition[a].name, *with = c->partition[b].name;
			int mine = nodeset_count(&set[a]), theirs = nodeset_count(&set[b]),
			    shared = 0;

			nodeset_each(i, &set[a])
				shared += nodeset_has(&set[b], i);
			if (!shared || shared == theirs || mine > theirs ||
				(mine == theirs && a > b))
				continue;
			json_array_append_new(list,
				json_pack("{s:s, s:s, s:i, s:i, s:i}", "partition", name, "with",
					with, "nodes", mine, "shared", shared, "others",
					theirs - shared));
			if (found++ < SHOWN)
				fprintf(s->text,
					"partition %s shares %d of its %d nodes with partition %s, "
					"which has %d others\n",
					name, shared, mine, with, theirs - shared);
		}
	if (found > SHOWN)
		fprintf(s->text, "and %d more pairs of partitions overlap so\n", found - SHOWN);
	json_object_set_new(s->out, "uneven_partitions", list);
}

static void look_for_overlap(struct session *s)
{
	struct slurm_conf *c = &s->slurm;
	struct nodeset *set = arena_get(&c->arena, c->npartitions, sizeof(*set));

	for (int i = 0; i < c->npartitions; i++)
		if (!set || nodes_of(c, c->partition[i].nodes, &set[i]))
			return;
	compare_overlap(s, set);
}

/* The plugins of Slurm that read topology.conf know no lines but their own, and slurmctld ends. */
static void check_readers(struct session *s, const char *plugin)
{
	static const char *const readers[] = {
		"topology/tree", "topology/block", "topology/hypercube"};
	struct stat ours, theirs;
	char path[4096];

	if (textfile_beside(s->slurm.path, "topology.conf", path, sizeof(path)) ||
		stat(s->topology, &ours) || stat(path, &theirs) || ours.st_ino != theirs.st_ino ||
		ours.st_dev != theirs.st_dev)
		return;
	for (unsigned i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (!strcasecmp(plugin, readers[i]))
			warn(s, SMESH_NO_START,
				"TopologyPlugin=%s: slurmctld will not start, as that refuses the "
				"mesh lines of %s: put them into another file and name it by "
				"mesh_conf=",
				plugin, path);
}

/* Is select_mesh.so, of select/mesh, in the directory? */
static bool has_plugin(const char *directory, const char *type)
{
	char path[4096];
	const char *slash = strchr(type, '/');

	snprintf(path, sizeof(path), "%s/%.*s_%s.so", directory, (int)(slash - type), type,
		slash + 1);
	return !access(path, F_OK);
}

/* Newer versions know these under another name. */
static bool is_renamed(const char *type)
{
	return !strcasecmp(type, "topology/default") || !strcasecmp(type, "topology/none");
}

/* slurmctld ends where a directory is not there, or has no name, and where a plugin is in none of
 * them. */
static void check_plugins(struct session *s, const char *const *type, int ntypes)
{
	char *rest = arena_text(&s->slurm.arena, s->slurm.plugin_dir), *one;
	unsigned found = 0;
	struct stat is;

	if (!rest)
		return;
	while ((one = strsep(&rest, ":"))) {
		if (stat(one, &is) || !S_ISDIR(is.st_mode))
			warn(s, SMESH_NO_START,
				"PluginDir: %s: no such directory: slurmctld will not start",
				*one ? one : "nothing before or after a colon");
		for (int i = 0; i < ntypes; i++)
			found |= (unsigned)has_plugin(one, type[i]) << i;
	}
	for (int i = 0; i < ntypes; i++)
		if (!(found >> i & 1))
			warn(s, SMESH_NO_START,
				"%s is in no directory of PluginDir: slurmctld will not start; "
				"add the one with its .so file", type[i]);
}

/* Is it this machine's? Names may be with or without a domain. */
static bool is_this_host(const char *host)
{
	char name[256] = "";
	size_t length = strcspn(host, ".");

	gethostname(name, sizeof(name) - 1);
	return strcspn(name, ".") == length && !strncasecmp(name, host, length);
}

/* The slurmctld in control leaves the hash of its map where all others find it
 * (plugin/shared/mesh_state.h). */
static void compare_controllers(struct session *s)
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
		warn(s, 0, "%s: %s: not compared with the map of the slurmctld in control", path,
			strerror(errno));
	if (!file)
		return;
	known = fscanf(file, "%*d %255s %" SCNx64, host, &hash) == 2;
	fclose(file);
	if (!known || hash == topoconf_hash(s->conf))
		return;
	if (s->slurm.ncontrollers > 1 && !is_this_host(host))
		warn(s, SMESH_OTHER_MAP,
			"the map is not that of slurmctld on %s, which has control: copy the right "
			"file to every controller",
			host);
	else
		fprintf(s->text, "slurmctld on %s has another map until scontrol reconfigure\n",
			host);
}

/* What SelectType and TopologyPlugin say. */
static void compare_types(struct session *s)
{
	const char *type[2] = {s->slurm.select_type, s->slurm.topology_plugin}, *loaded[3];
	bool ours = false;
	int n = 0;

	for (int i = 0; i < 2; i++) {
		type[i] = type[i] ? type[i] : "";
		ours |= strstr(type[i], "mesh") && strchr(type[i], '/');
		if (strchr(type[i], '/') && !is_renamed(type[i]))
			loaded[n++] = type[i];
	}
	if (strstr(type[0], "mesh") && strchr(type[0], '/'))
		loaded[n++] = "select/cons_tres"; /* beneath ours; select/linear is beside it */
	look_for_yaml(s, strstr(type[0], "mesh"), strstr(type[1], "mesh"));
	if (!ours)
		warn(s, 0,
			"neither SelectType nor TopologyPlugin names mesh: the mesh lines are not "
			"used");
	check_readers(s, type[1]);
	check_plugins(s, loaded, n);
}

#define EVERYWHERE "put that file on each node, too, and change all copies at once"

/* One line of topology.conf: a file that it names. */
static int note_file(void *session, char *text, int line)
{
	static const char *const keys[] = {"Order", "DownLinksFile", "Cables"};
	struct session *s = session;

	(void)line;
	for (char *key, *value; next_pair(&text, &key, &value);)
		for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (!strcasecmp(key, keys[i]))
				warn(s, 0, "enable_configless does not send %s=%s: " EVERYWHERE,
					keys[i], value);
	return 0;
}

/* Slurm sends its own files: of ours it knows topology.conf alone. */
static void check_configless(struct session *s, const struct mesh_settings *settings)
{
	struct mesh_err err;

	if (!s->slurm.slurmctld_parameters ||
		!strcasestr(s->slurm.slurmctld_parameters, "enable_configless"))
		return;
	if (settings->conf)
		warn(s, 0, "enable_configless does not send mesh_conf=%s: " EVERYWHERE,
			settings->conf);
	textfile_read(s->topology, note_file, s, &err);
}

static const char *setting_name(const void *list, int at)
{
	(void)list;
	return mesh_settings_key(at);
}

/* Where it stands, and of a key that there is not, which one was probably meant. */
static int fail_settings(const struct slurm_conf *c, const char *why)
{
	const char *quote = strstr(why, "unknown key '");
	char word[80] = "", text[96] = "";

	if (quote) {
		quote += strlen("unknown key '");
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(quote, "'"), quote);
		suggest(word, setting_name, NULL, text, sizeof(text));
	}
	return smesh_fail(SMESH_USAGE, "%s: %s%s", c->parameters_at, why, text);
}

static int compare(struct session *s)
{
	struct mesh_settings settings;
	struct mesh_err err = {{0}};

	compare_nodes(s);
	compare_types(s);
	compare_controllers(s);
	if (mesh_settings_parse(s->slurm.parameters, &settings, &err))
		return fail_settings(&s->slurm, err.text);
	json_object_set_new(s->out, "strategy", json_string(settings.ops->name));
	fprintf(s->text, "strategy %s", settings.ops->name);
	for (int i = 0; i < settings.npartitions; i++)
		if (settings.by_partition[i].ops)
			fprintf(s->text, ", %s in partition %s", settings.by_partition[i].ops->name,
				settings.by_partition[i].partition);
	fputc('\n', s->text);
	compare_partitions(s, &settings);
	look_for_overlap(s);
	check_configless(s, &settings);
	mesh_settings_release(&settings);
	return SMESH_OK;
}

static int check(struct session *s)
{
	json_t *list = json_array();
	int code = SMESH_OK;

	json_object_set_new(s->out, "topology_conf", json_string(s->topology));
	json_object_set_new(s->out, "meshes", list);
	if (!s->conf->nmeshes)
		return smesh_fail(SMESH_USAGE, "%s: no MeshName= line", s->topology);
	for (int i = 0; code == SMESH_OK && i < s->conf->nmeshes; i++)
		code = check_mesh(s, s->conf->mesh[i], list);
	if (code == SMESH_OK)
		code = read_slurm_conf(s);
	if (code == SMESH_OK && s->slurm.path)
		code = compare(s);
	return code;
}

static int run(int argc, char **argv)
{
	struct session s = {.slurm.has_by_default = ""};
	char path[4096], *text = NULL;
	size_t size = 0;
	int code = options_read(&cmd_check, argc, argv, &s);

	if (code)
		return code;
	code = SMESH_USAGE;
	if (!s.topology)
		s.topology = smesh_beside_slurm_conf("topology.conf", path, sizeof(path));
	s.out = json_object();
	s.warnings = json_array();
	json_object_set_new(s.out, "warnings", s.warnings);
	s.text = open_memstream(&text, &size);
	if (!s.text)
		code = smesh_fail(SMESH_FAILED, "out of memory");
	else if ((s.conf = smesh_read_topology(s.topology)))
		code = check(&s);
	if (s.text && !fclose(s.text) && code == SMESH_OK && !s.json)
		fputs(text, stdout);
	if (code == SMESH_OK && s.json)
		output_json(stdout, json_incref(s.out), JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	if (code == SMESH_OK)
		code = s.verdict;
	free(text);
	arena_release(&s.slurm.arena);
	topoconf_free(s.conf);
	json_decref(s.out);
	return code;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "say what topology.conf and slurm.conf mean, and what is wrong",
	.usage = "[-t FILE] [--slurm-conf FILE] [--json]",
	.example = "-t topology.conf",
	.options = options,
	.run = run,
};
