/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: is topology.conf right, what does it say, and does slurm.conf agree?
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
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
#include "base/linkgraph.h"
#include "cli/linkstext.h"
#include "geometry/legal.h"
#include "shared/hostlist_libslurm.h"
#include "config/settings.h"
#include "cli/suggest.h"
#include "cmd/commands.h"
#include "cli/output.h"
#include "sim/human.h"
#include "sim/report.h"
#include "base/textfile.h"

enum { MAX_INCLUDE = 16 };

/* What slurm.conf says that concerns us. */
struct slurm_conf {
	const char *path;
	char *select_type, *parameters, *topology_plugin, *plugin_dir, *state_dir;
	int ncontrollers; /* SlurmctldHost= lines */
	char **node; /* names of NodeName= lines */
	int nnodes;
	char **partition,
		**has; /* of PartitionName= lines, and what their Nodes= say, or that of DEFAULT */
	char *has_by_default;
	int npartitions;
	int depth; /* of Include lines */
	char at[4200],
		parameters_at[4200]; /* FILE:LINE that is read, and that has the parameters */
	struct mesh_err err;
};

struct session {
	const char *topology, *slurm_path;
	bool json;
	struct topoconf *conf;
	struct slurm_conf slurm;
	bool have_slurm;
	int verdict; /* SMESH_OK, or what the worst of the warnings comes to: the largest */
	json_t *out, *warnings; /* the second is part of the first */
	FILE *text; /* gathered, so that a failure prints nothing */
	char beside[4096];
};

#define AT(member) offsetof(struct session, member)

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	{0, "slurm-conf", "FILE", "the slurm.conf (default: beside topology.conf, if there)",
		OPTION_TEXT, AT(slurm_path)},
	OPTION_JSON,
	{0},
};

/* --- warnings ----------------------------------------------------------------------- */

static void warn(struct session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(struct session *s, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_array_append_new(s->warnings, json_string(text));
	fprintf(s->text, "warning: %s\n", text);
}

static void verdict(struct session *s, int code)
{
	if (code > s->verdict)
		s->verdict = code;
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

static void slurm_release(struct slurm_conf *c)
{
	free(c->select_type);
	free(c->parameters);
	free(c->topology_plugin);
	free(c->plugin_dir);
	free(c->state_dir);
	hostlist_free(c->node, c->nnodes);
	hostlist_free(c->partition, c->npartitions);
	hostlist_free(c->has, c->npartitions);
	free(c->has_by_default);
}

static int keep_value(char **where, const char *value)
{
	size_t length = strlen(value);

	if (length > 1 && *value == '"' && value[length - 1] == '"') {
		value++;
		length -= 2;
	}
	free(*where);
	*where = strndup(value, length);
	return *where ? 0 : -1;
}

static int add_nodes(struct slurm_conf *c, char *line)
{
	char *end = line + strcspn(line, " \t"), **name = NULL, **all;
	int n;

	*end = '\0';
	if (!strcasecmp(line, "DEFAULT"))
		return 0;
	if (hostlist_check(line, &c->err) < 0 ||
		(n = hostlist_libslurm.expand(line, &name, &c->err)) < 0)
		return -1;
	all = realloc(c->node, ((size_t)(c->nnodes + n) + 1) * sizeof(*all));
	if (!all) {
		hostlist_free(name, n);
		return err_printf(&c->err, "out of memory");
	}
	memcpy(all + c->nnodes, name, (size_t)n * sizeof(*all));
	c->node = all;
	c->nnodes += n;
	free(name);
	return 0;
}

static int add_partition(struct slurm_conf *c, const char *line)
{
	char **all = realloc(c->partition, ((size_t)c->npartitions + 1) * sizeof(*all)), **has;
	const char *nodes = strcasestr(line, " Nodes=");
	char *said = nodes ? strndup(nodes + 7, strcspn(nodes + 7, " \t")) : NULL;

	if (all)
		c->partition = all;
	if ((has = realloc(c->has, ((size_t)c->npartitions + 1) * sizeof(*has))))
		c->has = has;
	if (!all || !has || (nodes && !said) ||
		!(all[c->npartitions] = strndup(line, strcspn(line, " \t")))) {
		free(said);
		return err_printf(&c->err, "out of memory");
	}
	if (!strcasecmp(all[c->npartitions], "DEFAULT")) {
		free(all[c->npartitions]);
		if (said) {
			free(c->has_by_default);
			c->has_by_default = said;
		}
		return 0;
	}
	has[c->npartitions++] = said ? said : strdup(c->has_by_default ? c->has_by_default : "");
	return 0;
}

static int slurm_line(void *data, char *text, int line);

/* Include FILE: beside the file that says so, unless it is absolute. */
static int include(struct slurm_conf *c, const char *name)
{
	const char *path = c->path, *slash = strrchr(path, '/');
	char file[4096];
	int code;

	if (c->depth == MAX_INCLUDE)
		return err_printf(&c->err, "Include is nested deeper than %d", MAX_INCLUDE);
	if (*name == '/' || !slash)
		snprintf(file, sizeof(file), "%s", name);
	else
		snprintf(file, sizeof(file), "%.*s/%s", (int)(slash - path), path, name);
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
	} keys[] = {{"SelectType=", &c->select_type}, {"SchedulerParameters=", &c->parameters},
		{"TopologyPlugin=", &c->topology_plugin}, {"PluginDir=", &c->plugin_dir},
		{"StateSaveLocation=", &c->state_dir}};

	snprintf(c->at, sizeof(c->at), "%s:%d", c->path, line);
	if (!strncasecmp(text, "NodeName=", 9))
		return add_nodes(c, text + 9);
	c->ncontrollers += !strncasecmp(text, "SlurmctldHost=", 14);
	if (!strncasecmp(text, "PartitionName=", 14))
		return add_partition(c, text + 14);
	if (!strncasecmp(text, "Include", 7) && isspace((unsigned char)text[7]))
		return include(c, text + 7 + strspn(text + 7, " \t"));
	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strncasecmp(text, keys[i].key, strlen(keys[i].key))) {
			if (keys[i].where == &c->parameters)
				memcpy(c->parameters_at, c->at, sizeof(c->at));
			return keep_value(keys[i].where, text + strlen(keys[i].key))
				? err_printf(&c->err, "out of memory") : 0;
		}
	return 0;
}

/* Named, or beside topology.conf if there is one. */
static int read_slurm_conf(struct session *s)
{
	const char *slash = strrchr(s->topology, '/');
	struct mesh_err err = {{0}};

	if (!s->slurm_path) {
		snprintf(s->beside, sizeof(s->beside), "%.*sslurm.conf",
			slash ? (int)(slash - s->topology) + 1 : 0, s->topology);
		if (access(s->beside, R_OK))
			return SMESH_OK;
		s->slurm_path = s->beside;
	}
	s->slurm.path = s->slurm_path;
	if (textfile_read(s->slurm_path, slurm_line, &s->slurm, &err)) {
		if (*err.text)
			return smesh_fail(SMESH_USAGE, "%s", err.text);
		return smesh_fail(SMESH_USAGE, "%s: %s", s->slurm.at, s->slurm.err.text);
	}
	s->have_slurm = true;
	json_object_set_new(s->out, "slurm_conf", json_string(s->slurm_path));
	fprintf(s->text, "%s: %d nodes, SelectType=%s\n", s->slurm_path, s->slurm.nnodes,
		s->slurm.select_type ? s->slurm.select_type : "(default)");
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

/* An ordering's quality, in JSON; NULL when memory is out. */
static json_t *order_quality(const struct mesh *mesh, enum curve curve, struct curve_quality *q)
{
	int *order = malloc((size_t)mesh->nvertices * sizeof(int));
	bool fine = order && !curve_fill(mesh, curve, order) && !curve_measure(mesh, order, q);
	json_t *hops = json_array(), *out = NULL;

	for (int i = 0; fine && i < q->ndistances; i++)
		json_array_append_new(hops, json_real(q->mean_hops[i]));
	if (fine)
		out = json_pack("{s:i, s:i, s:i, s:O}", "longest_step", q->longest_step,
			"long_steps", q->long_steps, "closing_step", q->closing_step, "mean_hops",
			hops);
	json_decref(hops);
	free(order);
	return out;
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

static void print_order(
	FILE *to, enum curve curve, const struct mesh *mesh, const struct curve_quality *q)
{
	const char *name = curve != CURVE_MESH ? curve_name(curve)
		: mesh->order                  ? "Order="
					       : "default";

	fprintf(to,
		"  order %-8s longest step %d, longer than 1: %d, last to first %d, mean hops at",
		name, q->longest_step, q->long_steps, q->closing_step);
	for (int i = 0; i < q->ndistances && i < 5; i++)
		fprintf(to, " %d:%.2f", 2 << i, q->mean_hops[i]);
	fputc('\n', to);
}

/* The boxes that jobs may have: how many places each has, and how many of them without a hole. */
static int check_shapes(struct session *s, const struct mesh *mesh, json_t *out)
{
	json_t *list = json_array();
	struct bitbox bits = {0};
	struct nodeset all = {0};

	json_object_set_new(out, "shapes", list);
	if (bitbox_init(&bits, mesh) || nodeset_init(&all, mesh->nnodes)) {
		bitbox_release(&bits);
		return smesh_fail(SMESH_FAILED, "out of memory");
	}
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
			warn(s,
				"mesh %s: a box of %s has a hole wherever Shapes= has it begin: no "
				"job can have one",
				mesh->name, text);
	}
	bitbox_release(&bits);
	nodeset_release(&all);
	return SMESH_OK;
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
	if (!s->json)
		fprintf(s->text, "  links: %d broken, %d extra%s\n", down, mesh->graph->ncables,
			mesh->graph->nmeshes > 1 ? " with the meshes that these join" : "");
	if (!(name = malloc(((size_t)mesh->nnodes + 1) * sizeof(*name))))
		return smesh_fail(SMESH_FAILED, "out of memory");
	n = linkstext_cut_off(mesh, name);
	if (n > 0) {
		short_list(name, n, text, sizeof(text));
		warn(s, "mesh %s: %d node%s cut off from the others by broken links: %s",
			mesh->name, n, n == 1 ? " is" : "s are", text);
	}
	free(name);
	return n < 0 ? smesh_fail(SMESH_FAILED, "out of memory") : SMESH_OK;
}

static int check_mesh(struct session *s, const struct mesh *mesh, json_t *list)
{
	static const enum curve shown[] = {CURVE_MESH, CURVE_HILBERT, CURVE_SNAKE, CURVE_ROW};
	char *hosts = hostlist_libslurm.compress(mesh->node_name, mesh->nnodes);
	json_t *orders = json_object(), *out;

	print_mesh(s->text, mesh, hosts);
	for (unsigned i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		struct curve_quality q;
		json_t *one = order_quality(mesh, shown[i], &q);

		if (!one) {
			free(hosts);
			json_decref(orders);
			return smesh_fail(SMESH_FAILED, "out of memory");
		}
		json_object_set_new(orders, curve_name(shown[i]), one);
		print_order(s->text, shown[i], mesh, &q);
		if (shown[i] == CURVE_MESH && mesh->order && q.longest_step > 2)
			warn(s, "mesh %s: the ordering of Order= has a step of %d hops", mesh->name,
				q.longest_step);
	}
	out = json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:b, s:s, s:o}", "name", mesh->name, "dims",
		report_ints(mesh->side, mesh->ndims), "wrap", report_wrap(mesh), "nodes",
		mesh->nnodes, "nodes_per_vertex", mesh->nodes_per_vertex, "holes", holes_of(mesh),
		"order_given", mesh->order != NULL, "hosts", hosts ? hosts : "", "orders", orders);
	json_array_append_new(list, out);
	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && mesh->side[d] < 3)
			warn(s, "mesh %s: dimension %d has side %d, to wrap it changes nothing",
				mesh->name, d + 1, mesh->side[d]);
	free(hosts);
	if (check_links(s, mesh, out))
		return SMESH_FAILED;
	return check_shapes(s, mesh, out);
}

/* --- agreement ------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Which of from[] is not in the sorted list: to *out, a malloc()ed array; how many. */
static int missing_from(char **from, int n, char **sorted, int nsorted, char ***out)
{
	int count = 0;

	*out = malloc(((size_t)n + 1) * sizeof(**out));
	for (int i = 0; *out && i < n; i++)
		if (!bsearch(&from[i], sorted, (size_t)nsorted, sizeof(*sorted), by_text))
			(*out)[count++] = from[i];
	return count;
}

/* Names of all meshes, sorted; borrowed names in a malloc()ed array. */
static char **all_names(const struct topoconf *conf, int *count)
{
	char **all;
	int n = 0;

	for (int i = 0; i < conf->nmeshes; i++)
		n += conf->mesh[i]->nnodes;
	all = malloc(((size_t)n + 1) * sizeof(*all));
	*count = 0;
	for (int i = 0; all && i < conf->nmeshes; i++)
		for (int j = 0; j < conf->mesh[i]->nnodes; j++)
			all[(*count)++] = conf->mesh[i]->node_name[j];
	if (all)
		qsort(all, (size_t)*count, sizeof(*all), by_text);
	return all;
}

static void compare_nodes(struct session *s)
{
	struct slurm_conf *c = &s->slurm;
	int nmesh, n;
	char **mesh = all_names(s->conf, &nmesh), **missing, text[256];

	if (!mesh)
		return;
	n = missing_from(c->node, c->nnodes, mesh, nmesh, &missing);
	if (n && missing) {
		short_list(missing, n, text, sizeof(text));
		warn(s, "%d node%s of slurm.conf %s in no mesh and will be placed without it: %s",
			n, n == 1 ? "" : "s", n == 1 ? "is" : "are", text);
	}
	free(missing);
	if (c->nnodes)
		qsort(c->node, (size_t)c->nnodes, sizeof(*c->node), by_text);
	n = missing_from(mesh, nmesh, c->node, c->nnodes, &missing);
	if (n && missing) {
		short_list(missing, n, text, sizeof(text));
		warn(s,
			"%d node%s of a mesh %s not in slurm.conf, a hole until slurmctld knows "
			"%s: %s",
			n, n == 1 ? "" : "s", n == 1 ? "is" : "are", n == 1 ? "it" : "them", text);
		verdict(s, SMESH_HOLES);
	}
	free(missing);
	free(mesh);
}

static void path_beside_slurm_conf(
	const struct session *s, const char *name, char *path, size_t size)
{
	const char *slash = strrchr(s->slurm.path, '/');

	snprintf(path, size, "%.*s%s", slash ? (int)(slash - s->slurm.path) + 1 : 0, s->slurm.path,
		name);
}

/* Slurm 25.05 and later: where there is a topology.yaml, TopologyPlugin is not looked at. */
static void look_for_yaml(struct session *s, bool selected, bool topology)
{
	char yaml[4096];

	path_beside_slurm_conf(s, "topology.yaml", yaml, sizeof(yaml));
	if (access(yaml, F_OK) || !(selected || topology))
		return;
	if (selected)
		warn(s,
			"%s: from Slurm 25.05 on jobs of partitions that it gives a topology of "
			"torus3d, "
			"block or ring are placed by that, not by the mesh lines",
			yaml);
	else
		verdict(s, SMESH_UNUSED);
	if (topology)
		warn(s, "%s: Slurm 25.05 and later read it and leave TopologyPlugin=%s aside", yaml,
			s->slurm.topology_plugin);
}

static void compare_partitions(struct session *s, const struct mesh_settings *settings)
{
	for (int i = 0; i < settings->npartitions; i++) {
		const char *name = settings->by_partition[i].partition;
		int p = 0;

		while (p < s->slurm.npartitions && strcmp(s->slurm.partition[p], name) != 0)
			p++;
		if (p == s->slurm.npartitions)
			warn(s,
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

	if (nodeset_init(set, c->nnodes))
		return -1;
	if (!text || !strcasecmp(text, "ALL"))
		nodeset_set_all(set);
	else if (*text && hostlist_check(text, &c->err) >= 0)
		n = hostlist_libslurm.expand(text, &name, &c->err);
	for (int i = 0; i < n; i++) {
		char **at =
			bsearch(&name[i], c->node, (size_t)c->nnodes, sizeof(*c->node), by_text);

		if (at)
			nodeset_add(set, (int)(at - c->node));
	}
	hostlist_free(name, n < 0 ? 0 : n);
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
			int mine = nodeset_count(&set[a]), theirs = nodeset_count(&set[b]),
			    shared = 0;

			nodeset_each(i, &set[a])
				shared += nodeset_has(&set[b], i);
			if (!shared || shared == theirs || mine > theirs ||
				(mine == theirs && a > b))
				continue;
			json_array_append_new(list,
				json_pack("{s:s, s:s, s:i, s:i, s:i}", "partition", c->partition[a],
					"with", c->partition[b], "nodes", mine, "shared", shared,
					"others", theirs - shared));
			if (found++ < SHOWN)
				fprintf(s->text,
					"partition %s shares %d of its %d nodes with partition %s, "
					"which has %d others\n",
					c->partition[a], shared, mine, c->partition[b],
					theirs - shared);
		}
	if (found > SHOWN)
		fprintf(s->text, "and %d more pairs of partitions overlap so\n", found - SHOWN);
	json_object_set_new(s->out, "uneven_partitions", list);
}

static void look_for_overlap(struct session *s)
{
	struct slurm_conf *c = &s->slurm;
	struct nodeset *set = calloc((size_t)c->npartitions + 1, sizeof(*set));
	bool fine = set;

	if (c->nnodes)
		qsort(c->node, (size_t)c->nnodes, sizeof(*c->node), by_text);
	for (int i = 0; fine && i < c->npartitions; i++)
		fine = !nodes_of(c, c->has[i], &set[i]);
	if (fine)
		compare_overlap(s, set);
	for (int i = 0; set && i < c->npartitions; i++)
		nodeset_release(&set[i]);
	free(set);
}

/* The plugins of Slurm that read topology.conf know no lines but their own, and slurmctld ends. */
static void check_readers(struct session *s, const char *plugin)
{
	static const char *const readers[] = {
		"topology/tree", "topology/block", "topology/hypercube"};
	struct stat ours, theirs;
	char path[4096];

	path_beside_slurm_conf(s, "topology.conf", path, sizeof(path));
	if (stat(s->topology, &ours) || stat(path, &theirs) || ours.st_ino != theirs.st_ino ||
		ours.st_dev != theirs.st_dev)
		return;
	for (unsigned i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (!strcasecmp(plugin, readers[i])) {
			warn(s,
				"TopologyPlugin=%s: slurmctld will not start, as that refuses the "
				"mesh lines of %s: put "
				"them into another file and name it by mesh_conf=",
				plugin, path);
			verdict(s, SMESH_NO_START);
		}
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
	char *all = s->slurm.plugin_dir ? strdup(s->slurm.plugin_dir) : NULL, *rest = all, *one;
	unsigned found = 0;
	struct stat is;

	if (!all)
		return;
	while ((one = strsep(&rest, ":"))) {
		if (stat(one, &is) || !S_ISDIR(is.st_mode)) {
			warn(s, "PluginDir: %s: no such directory: slurmctld will not start",
				*one ? one : "nothing before or after a colon");
			verdict(s, SMESH_NO_START);
		}
		for (int i = 0; i < ntypes; i++)
			found |= (unsigned)has_plugin(one, type[i]) << i;
	}
	for (int i = 0; i < ntypes; i++)
		if (!(found >> i & 1)) {
			warn(s, "%s is in no directory of PluginDir: slurmctld will not start",
				type[i]);
			verdict(s, SMESH_NO_START);
		}
	free(all);
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
 * (plugin/shared/mesh_peer.h). */
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
		warn(s, "%s: %s: not compared with the map of the slurmctld in control", path,
			strerror(errno));
	if (!file)
		return;
	known = fscanf(file, "%*d %255s %" SCNx64, host, &hash) == 2;
	fclose(file);
	if (!known || hash == topoconf_hash(s->conf))
		return;
	if (s->slurm.ncontrollers > 1 && !is_this_host(host)) {
		warn(s,
			"the map is not that of slurmctld on %s, which has control: copy the right "
			"file to every controller",
			host);
		verdict(s, SMESH_OTHER_MAP);
	} else {
		fprintf(s->text, "slurmctld on %s has another map until scontrol reconfigure\n",
			host);
	}
}

/* What SelectType and TopologyPlugin say. */
static void compare_types(struct session *s)
{
	const char *type[2] = {s->slurm.select_type, s->slurm.topology_plugin}, *loaded[2];
	bool ours = false;
	int n = 0;

	for (int i = 0; i < 2; i++) {
		type[i] = type[i] ? type[i] : "";
		ours |= strstr(type[i], "mesh") && strchr(type[i], '/');
		if (strchr(type[i], '/') && !is_renamed(type[i]))
			loaded[n++] = type[i];
	}
	look_for_yaml(s, strstr(type[0], "mesh"), strstr(type[1], "mesh"));
	if (!ours)
		warn(s,
			"neither SelectType nor TopologyPlugin names mesh: the mesh lines are not "
			"used");
	check_readers(s, type[1]);
	check_plugins(s, loaded, n);
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
	if (settings.retired)
		warn(s, "SchedulerParameters: %s has no effect any more", settings.retired);
	json_object_set_new(s->out, "strategy", json_string(settings.ops->name));
	fprintf(s->text, "strategy %s", settings.ops->name);
	for (int i = 0; i < settings.npartitions; i++)
		if (settings.by_partition[i].ops)
			fprintf(s->text, ", %s in partition %s", settings.by_partition[i].ops->name,
				settings.by_partition[i].partition);
	fputc('\n', s->text);
	compare_partitions(s, &settings);
	look_for_overlap(s);
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
	if (code == SMESH_OK && s->have_slurm)
		code = compare(s);
	return code;
}

static int run(int argc, char **argv)
{
	struct session s = {0};
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
	slurm_release(&s.slurm);
	topoconf_free(s.conf);
	json_decref(s.out);
	return code;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "validate topology.conf and slurm.conf, and say what they mean",
	.usage = "[-t FILE] [--slurm-conf FILE] [--json]",
	.options = options,
	.run = run,
};
