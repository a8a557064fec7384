/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: is topology.conf right, what does it say, and does slurm.conf agree with it?
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <jansson.h>
#include <slurm/slurm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boxes/bitbox.h"
#include "geometry/curve_measure.h"
#include "graph/linkgraph.h"
#include "geometry/legal.h"
#include "base/conffile.h"
#include "base/hostlist.h"
#include "base/sort.h"
#include "base/suggest.h"
#include "conf/settings.h"
#include "conf/spankword.h"
#include "cmd/commands.h"
#include "cmd/plugstack.h"
#include "cmd/slurmconf.h"
#include "cmd/startup.h"
#include "cli/output.h"
#include "sim/human.h"
#include "sim/need.h"
#include "sim/report.h"
#include "base/textfile.h"

struct names {
	char **name;
	int n;
};

struct session {
	const char *topology;
	bool json;
	struct topoconf *conf;
	const char *slurm_conf; /* NULL: there is none */
	struct slurmconf slurm;
	struct mesh_settings settings; /* of slurm.conf */
	bool has_settings; /* slurm.conf has been read */
	bool no_dir; /* a directory of PluginDir is missing */
	unsigned version; /* of Slurm's own plugins here, as Slurm numbers versions; 0: unknown */
	bool has_spank; /* plugstack.conf loads spank_mesh.so */
	const char *included; /* the last file that topology.conf includes */
	bool bad; /* a file is wrong, and messages have said so */
	int verdict; /* SMESH_OK, or the largest code of the warnings */
	json_t *out, *warnings; /* warnings is part of out */
	FILE *text; /* collected, so that a failure prints nothing */
	char beside[4096], path[4096];
};

static const struct option_row options[] = {
	OPTION_TOPOLOGY,
	{0, "slurm-conf", "FILE", "the slurm.conf (default: beside topology.conf, if there)",
		OPTION_TEXT, AT(slurm_conf)},
	OPTION_JSON,
	{0},
};

/* --- warnings ----------------------------------------------------------------------- */

#define warn(s, code, ...) warn_of(s, NULL, code, __VA_ARGS__)

/*
 * Add a warning, with the line of slurm.conf for a key (NULL, or not there: none). The command
 * exits with the largest code of all warnings.
 */
__attribute__((format(printf, 4, 5)))
static void warn_of(struct session *s, const char *key, int code, const char *format, ...)
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

/* "n[0-3] and 5 more", in a buffer. */
static void short_list(char **name, int count, char *text, size_t size)
{
	char *hosts = hostlist_libslurm.compress(name, count);

	snprintf(text, size, "%.200s%s", hosts ? hosts : "?",
		hosts && strlen(hosts) > 200 ? "..." : "");
	free(hosts);
}

/* --- slurm.conf ---------------------------------------------------------------------- */

/* Add the pairs that are right to good[], those of libraries or the others; tell of the others. */
static bool take_parameters(struct session *s, bool libraries, char *good)
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
static void read_parameters(struct session *s)
{
	const char *said = s->slurm.parameters ? s->slurm.parameters : "";
	char *good = need_get(&s->slurm.arena, (int64_t)strlen(said) + 2, 1);

	if (!take_parameters(s, true, good) || !take_parameters(s, false, good))
		s->bad = true;
	need_done(mesh_settings_parse(good, &s->settings, NULL));
	s->has_settings = true;
}

/* Read the slurm.conf that was named, or the one beside topology.conf. */
static void read_slurm_conf(struct session *s)
{
	struct mesh_err err = {{0}};

	if (!s->slurm_conf) {
		if (textfile_beside(s->topology, "slurm.conf", s->beside, sizeof(s->beside)) ||
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
static int choose_topology(struct session *s)
{
	bool given = s->topology;

	if (!given)
		s->topology = smesh_beside_slurm_conf("topology.conf", s->path, sizeof(s->path));
	read_slurm_conf(s);
	if (given)
		return SMESH_OK;
	if (s->has_settings && s->settings.conf)
		s->topology = s->settings.conf;
	else if (access(s->path, F_OK))
		return smesh_fail(SMESH_USAGE, "no topology.conf: %s: %s (name one with -t FILE; "
			"smesh import writes one)", s->path, strerror(errno));
	return SMESH_OK;
}

static void tell_slurm_conf(struct session *s)
{
	json_object_set_new(s->out, "slurm_conf", json_string(s->slurm_conf));
	fprintf(s->text, "%s: %d nodes, SelectType=%s\n", s->slurm_conf, s->slurm.nnodes,
		s->slurm.select_type ? s->slurm.select_type : "(default)");
}

/* --- the meshes ----------------------------------------------------------------------- */

static int holes_of(const struct mesh *mesh)
{
	int holes = 0;

	for (int v = 0; v < mesh->nvertices; v++)
		holes += !mesh_nodes_on(mesh, v);
	return holes;
}

/* Print a cabled mesh. */
static void print_cables(FILE *to, const struct mesh *mesh, const char *hosts)
{
	const struct linkgraph *graph = mesh->graph;
	int n = 0, least = INT_MAX, most = 0;

	for (int i = 0; i < graph->ncables; i++) {
		const struct linkgraph_cable *cable = &graph->cable[i];

		if (graph->mesh[cable->mesh[0]] != mesh || graph->mesh[cable->mesh[1]] != mesh)
			continue;
		n++;
		least = cable->lanes < least ? cable->lanes : least;
		most = cable->lanes > most ? cable->lanes : most;
	}
	fprintf(to, "mesh %s: %d node%s, %d cable%s", mesh->name, mesh->nnodes,
		mesh->nnodes == 1 ? "" : "s", n, n == 1 ? "" : "s");
	if (most > least)
		fprintf(to, " of %d to %d lanes", least, most);
	else if (most)
		fprintf(to, " of %d lane%s", most, most == 1 ? "" : "s");
	fprintf(to, ": %s\n", hosts ? hosts : "");
}

static void print_mesh(FILE *to, const struct mesh *mesh, const char *hosts)
{
	char sides[64];

	if (mesh->cabled) {
		print_cables(to, mesh, hosts);
		return;
	}
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

/* Warn of an ordering that is not good; smesh curve tells more. */
static void check_order(struct session *s, const struct mesh *mesh)
{
	struct curve_quality q;

	if (!mesh->order)
		return;
	need_done(curve_measure(mesh, mesh->order, &q));
	if (q.longest_step > 2)
		warn(s, 0, "mesh %s: the ordering of Order= has a step of %d hops", mesh->name,
			q.longest_step);
}

/* Check the boxes that jobs may have: how many places each has, and how many without a hole. */
static void check_shapes(struct session *s, const struct mesh *mesh, json_t *out)
{
	json_t *list = json_array();
	struct bitbox bits;
	struct nodeset all;

	json_object_set_new(out, "shapes", list);
	need_done(bitbox_init(&bits, mesh, &s->slurm.arena));
	need_done(nodeset_get(&all, mesh->nnodes, &s->slurm.arena));
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

/*
 * Find the nodes that cannot be reached from the largest piece of the graph, which may have other
 * meshes, in name[]. How many.
 */
static int cut_off(const struct mesh *mesh, char **name, struct arena *arena)
{
	struct linkgraph *graph = mesh->graph;
	struct pieces p = {need_get(arena, graph->real, sizeof(int)), 0};
	int *size = need_get(arena, graph->real + 1, sizeof(*size)), n = 0, largest = 0;

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

/* Tell how many cables of a cabled mesh have how many lanes, most lanes first. */
static void tell_lanes(struct session *s, const struct mesh *mesh, json_t *out)
{
	const struct linkgraph *graph = mesh->graph;
	uint64_t *lanes = need_get(&s->slurm.arena, graph->ncables, sizeof(*lanes));
	json_t *list = json_array();
	int n = 0;

	for (int i = 0; i < graph->ncables; i++)
		if (graph->mesh[graph->cable[i].mesh[0]] == mesh &&
			graph->mesh[graph->cable[i].mesh[1]] == mesh)
			lanes[n++] = UINT64_MAX - (uint64_t)graph->cable[i].lanes;
	sort_u64(lanes, n);
	fputs(n ? "  cables: " : "", s->text);
	for (int i = 0, j; i < n; i = j) {
		int is = (int)(UINT64_MAX - lanes[i]);

		for (j = i; j < n && lanes[j] == lanes[i];)
			j++;
		json_array_append_new(list, json_pack("{s:i, s:i}", "lanes", is, "cables", j - i));
		fprintf(s->text, "%d of %d lane%s%s", j - i, is, is == 1 ? "" : "s",
			j < n ? ", " : "\n");
	}
	json_object_set_new(out, "cables", list);
}

/* Tell the pods of a cabled mesh (graph/linkgraph.h), where it has any. */
static void tell_pods(struct session *s, const struct mesh *mesh, json_t *out)
{
	const struct linkgraph *graph = mesh->graph;
	int least = INT_MAX, most = 0, pods = 0, alone = 0;

	if (graph->nmeshes > 1 || graph->npods < 2)
		return;
	for (int i = 0; i < graph->npods; i++) {
		int n = graph->pod_nodes[i];

		pods += n > 1;
		alone += n == 1;
		least = n > 1 && n < least ? n : least;
		most = n > most ? n : most;
	}
	json_object_set_new(out, "pods", json_pack("{s:i, s:i, s:i, s:i}", "pods", pods,
		"least", least, "most", most, "alone", alone));
	fprintf(s->text, "  pods, which the widest cables join: %d of %d", pods, least);
	if (most > least)
		fprintf(s->text, " to %d", most);
	fprintf(s->text, " nodes");
	if (alone)
		fprintf(s->text, ", and %d node%s in none", alone, alone == 1 ? "" : "s");
	fputc('\n', s->text);
}

/* Report broken and extra links, and nodes that cannot be reached. */
static void check_links(struct session *s, const struct mesh *mesh, json_t *out)
{
	char **name, text[256];
	int down = 0, n;

	if (!mesh->graph)
		return;
	for (int v = 0; mesh->down && v < mesh->nvertices; v++)
		down += __builtin_popcount(mesh->down[v]);
	json_object_set_new(out, "links_down", json_integer(down));
	json_object_set_new(out, "links_extra", json_integer(mesh->graph->ncables));
	if (mesh->cabled) {
		tell_lanes(s, mesh, out);
		tell_pods(s, mesh, out);
	} else {
		fprintf(s->text, "  links: %d broken, %d extra%s\n", down, mesh->graph->ncables,
			mesh->graph->nmeshes > 1 ? " with the meshes that these join" : "");
	}
	need_array(&s->slurm.arena, name, mesh->nnodes);
	n = cut_off(mesh, name, &s->slurm.arena);
	if (n > 0) {
		short_list(name, n, text, sizeof(text));
		warn(s, 0, "mesh %s: %d node%s cut off from the others%s: %s", mesh->name, n,
			n == 1 ? " is" : "s are",
			mesh->cabled ? "" : " by broken links", text);
	}
}

static void check_mesh(struct session *s, const struct mesh *mesh, json_t *list)
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
	check_order(s, mesh);
	check_links(s, mesh, out);
	check_shapes(s, mesh, out);
}

/* --- agreement ------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* n9 before n10 */
static int by_number(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Is a name among others, which are sorted? */
static bool has_name(const struct names *in, char *name)
{
	return in->n && bsearch(&name, in->name, (size_t)in->n, sizeof(*in->name), by_text);
}

/* How many names are not among others, which are sorted; text has a short list of them. */
static int find_missing(const struct names *from, const struct names *in, char text[256],
	struct arena *arena)
{
	char **missing = need_get(arena, from->n, sizeof(*missing));
	int n = 0;

	for (int i = 0; i < from->n; i++)
		if (!has_name(in, from->name[i]))
			missing[n++] = from->name[i];
	if (n) {
		qsort(missing, (size_t)n, sizeof(*missing), by_number);
		short_list(missing, n, text, 256);
	}
	return n;
}

/* The names of all meshes' nodes, sorted. */
static struct names all_names(const struct topoconf *conf, struct arena *arena)
{
	struct names all = {NULL, 0};
	int n = 0;

	for (int i = 0; i < conf->nmeshes; i++)
		n += conf->mesh[i]->nnodes;
	need_array(arena, all.name, n);
	for (int i = 0; i < conf->nmeshes; i++)
		for (int j = 0; j < conf->mesh[i]->nnodes; j++)
			all.name[all.n++] = conf->mesh[i]->node_name[j];
	if (all.n)
		qsort(all.name, (size_t)all.n, sizeof(*all.name), by_text);
	return all;
}

/* The node names of slurm.conf, sorted and each once. */
static struct names slurm_names(struct slurmconf *c)
{
	struct names all = {NULL, 0};

	need_array(&c->arena, all.name, c->nnodes);
	for (int i = 0; i < c->nnodes; i++)
		if (!i || strcmp(c->node[i].name, c->node[i - 1].name) != 0)
			all.name[all.n++] = c->node[i].name;
	return all;
}

static void compare_nodes(struct session *s)
{
	struct arena *arena = &s->slurm.arena;
	const struct names mesh = all_names(s->conf, arena), slurm = slurm_names(&s->slurm);
	char text[256];
	int n = find_missing(&slurm, &mesh, text, arena);

	if (n)
		warn(s, 0, "%d node%s of slurm.conf %s in no mesh and will be placed without it: "
			"%s", n, n == 1 ? "" : "s", n == 1 ? "is" : "are", text);
	if ((n = find_missing(&mesh, &slurm, text, arena)))
		warn(s, SMESH_HOLES,
			"%d node%s of a mesh %s not in slurm.conf, a hole until slurmctld knows "
			"%s: %s",
			n, n == 1 ? "" : "s", n == 1 ? "is" : "are", n == 1 ? "it" : "them", text);
	if (n == mesh.n)
		warn(s, SMESH_HOLES, "no node of a mesh is in slurm.conf: write names as NodeName= "
			"does, with the same leading zeros and without a domain");
}

/* Slurm keeps the last line for a key alone. slurmctld ends if a name is there twice. */
static void find_twice(struct session *s)
{
	const struct slurmconf *c = &s->slurm;

	for (int i = 0; i < c->nlines; i++) {
		const struct slurmconf_line *line = &c->line[i];
		const struct slurmconf_line *last = slurmconf_line(c, line->key);

		if (line != last)
			warn(s, 0, "%s:%d: %s= does nothing: it is there again (%s:%d), and Slurm "
				"keeps the last one", line->at.path, line->at.line, line->key,
				last->at.path, last->at.line);
	}
	for (int i = 1; i < c->nnodes; i++) {
		const struct slurmconf_node *node = &c->node[i];

		if (strcmp(node->name, node[-1].name) != 0)
			continue;
		warn(s, SMESH_NO_START,
			"%s:%d: NodeName=%s is there twice (%s:%d): slurmctld will not start",
			node->at.path, node->at.line, node->name, node[-1].at.path,
			node[-1].at.line);
		break; /* one of a range is enough */
	}
	for (int i = 0; i < c->npartitions; i++) {
		const struct slurmconf_partition *p = &c->partition[i];
		int first = slurmconf_partition(c, p->name);

		if (first != i)
			warn(s, SMESH_NO_START,
				"%s:%d: PartitionName=%s is there twice (%s:%d): slurmctld will "
				"not start",
				p->at.path, p->at.line, p->name, c->partition[first].at.path,
				c->partition[first].at.line);
	}
}

/* Slurm 25.05 and later ignores TopologyPlugin if there is a topology.yaml. Is there one? */
static bool look_for_yaml(struct session *s, bool selected, bool topology)
{
	char yaml[4096];

	if (textfile_beside(s->slurm_conf, "topology.yaml", yaml, sizeof(yaml)) ||
		access(yaml, F_OK))
		return false;
	if (selected)
		warn(s, 0,
			"%s: from Slurm 25.05 on jobs of partitions that it gives a topology of "
			"torus3d, block or ring are placed by that, not by the mesh lines",
			yaml);
	if (topology)
		warn(s, selected ? 0 : SMESH_UNUSED,
			"%s: Slurm 25.05 and later read it and leave TopologyPlugin=%s aside", yaml,
			s->slurm.topology_plugin);
	return true;
}

static void compare_partitions(struct session *s, const struct mesh_settings *settings)
{
	for (int i = 0; i < settings->npartitions; i++) {
		const char *name = settings->by_partition[i].partition;

		if (slurmconf_partition(&s->slurm, name) == s->slurm.npartitions)
			warn_of(s, "SchedulerParameters", 0,
				"SchedulerParameters: mesh_%s_%s does nothing: slurm.conf has no "
				"partition %s",
				settings->by_partition[i].ops ? "strategy" : "pattern", name, name);
	}
}

/*
 * Warn if jobs of a partition could go elsewhere, while jobs of a smaller partition that shares
 * its nodes cannot.
 */
static void compare_overlap(struct session *s, const struct nodeset *set)
{
	enum { SHOWN = 10 };
	const struct slurmconf *c = &s->slurm;
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
	struct slurmconf *c = &s->slurm;
	struct nodeset *set = need_get(&c->arena, c->npartitions, sizeof(*set));
	struct mesh_err why;

	for (int i = 0; i < c->npartitions; i++)
		if (slurmconf_nodes(c, &c->partition[i], &set[i], &why))
			warn(s, SMESH_NO_START, "%s: slurmctld will not start", why.text);
	compare_overlap(s, set);
}

/* --- will slurmctld start? ------------------------------------------------------------- */

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
	for (int i = 0; topoconf_key(i); i++)
		if (conffile_begins(text, topoconf_key(i)))
			return 1;
	return 0;
}

/* Slurm's own plugins that read topology.conf accept only their own lines; slurmctld then ends. */
static void check_readers(struct session *s, const char *plugin, bool yaml)
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
		warn_of(s, "TopologyPlugin", SMESH_NO_START,
			"TopologyPlugin=%s: slurmctld will not start, as that refuses the mesh "
			"lines of %s: put them into another file and name it by mesh_conf=",
			plugin, path);
}

/* slurmctld ends if its directory of state is none, or that of another cluster. */
static void check_state(struct session *s)
{
	const char *dir = s->slurm.state_dir, *cluster = s->slurm.cluster;
	char path[4096], name[256];
	struct stat is;
	FILE *file;

	if (dir && !stat(dir, &is) && !S_ISDIR(is.st_mode))
		warn_of(s, "StateSaveLocation", SMESH_NO_START,
			"StateSaveLocation=%s: not a directory: slurmctld will not start", dir);
	snprintf(path, sizeof(path), "%s/clustername", dir ? dir : "");
	if (!dir || !cluster || !(file = fopen(path, "re")))
		return;
	/* From 24.11 on it is NAME|ID. */
	if (fscanf(file, "%255[^|]", name) == 1 && strcasecmp(name, cluster) != 0)
		warn_of(s, "ClusterName", SMESH_NO_START,
			"ClusterName=%s: %s has %s: slurmctld will not start", cluster, path, name);
	fclose(file);
}

/* slurmctld ends if a directory is missing or not set. */
static bool check_dirs(struct session *s)
{
	char *rest = need_text(&s->slurm.arena, s->slurm.plugin_dir), *one;
	bool good = true;
	struct stat is;

	while ((one = strsep(&rest, ":")))
		if (stat(one, &is) || !S_ISDIR(is.st_mode)) {
			good = false;
			warn_of(s, "PluginDir", SMESH_NO_START,
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

/* What another host has in Slurm's own directory is unknown here. */
static void tell_no_file(struct session *s, const char *key, const char *type, const char *dirs)
{
	bool known = s->slurm.controls_here || s->slurm.plugin_dir;
	char text[96];
	const char *meant = suggest_plugin(key, type, text, sizeof(text));

	if (s->no_dir && !*meant)
		return; /* it may be in the directory that is missing */
	warn_of(s, key, known ? SMESH_NO_START : 0,
		"%s is in no directory of PluginDir%s%s: slurmctld will not start%s%s",
		type, s->slurm.plugin_dir ? "" : ", by default ",
		s->slurm.plugin_dir ? "" : dirs,
		known ? "" : " where that is so (this host is none of its controllers)",
		*meant ? meant : "; add the directory that has its .so file, before Slurm's own");
}

/* Returns the version of a plugin, or 0 where that is unknown or there is no such plugin. */
static unsigned check_plugin(struct session *s, struct startup_plugin *p, const char *key,
	const char *type)
{
	struct mesh_err why;
	int version;

	p->type = type;
	version = find_plugin(p, &why);
	if (version == STARTUP_NO_FILE)
		tell_no_file(s, key, type, p->dirs);
	else if (version < 0)
		warn_of(s, key, SMESH_NO_START, "%s: %s: slurmctld will not start", type,
			why.text);
	return version > 0 ? (unsigned)version : 0;
}

/* What has none at its end is no file in some versions. */
static void check_other_plugins(struct session *s, struct startup_plugin *p)
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

/* The first is Slurm's own, for authentication: the others must have its version. */
static void check_plugins(struct session *s, const char *dirs, bool base_linear)
{
	const struct slurmconf *c = &s->slurm;
	struct startup_plugin p = {.dirs = dirs, .user = c->slurm_user};

	s->version = check_plugin(s, &p, "AuthType", c->auth_type ? c->auth_type : "auth/munge");
	p.version = s->version;
	if (c->select_type && *c->select_type)
		check_plugin(s, &p, "SelectType", c->select_type);
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

static void check_parameters(struct session *s, const char *select, bool linear)
{
	const char *said = s->slurm.select_parameters;
	bool shares = says_what_to_share(said);

	if (!linear && lacks_parameters(select, said, shares))
		warn_of(s, said ? "SelectTypeParameters" : "SelectType", SMESH_NO_START,
			"SelectTypeParameters=%s: slurmctld will not start: select/cons_tres%s "
			"needs CR_Core, CR_Socket or CR_CPU (or %s)",
			said ? said : "", is_ours(select) ? ", beneath ours," : "",
			is_ours(select) ? "mesh_base=linear" : "select/linear");
	if (shares && !strcasecmp(select, "select/linear"))
		warn_of(s, "SelectTypeParameters", SMESH_NO_START,
			"SelectTypeParameters=%s: slurmctld will not start: select/linear shares "
			"no nodes",
			said);
}

/* Does Slurm accept the file? Sets dirs to PluginDir or its default; false: unknown. */
static bool check_parser(struct session *s, char *dirs, size_t size)
{
	struct mesh_err why;
	int takes = startup_parse(s->slurm_conf, s->slurm.slurm_user, dirs, size, &why);

	if (!takes && !s->slurm.plugin_dir && strstr(why.text, "for PluginDir")) {
		fputs("Slurm's plugins are not on this machine: not looked at\n", s->text);
		return false;
	}
	if (!takes)
		warn(s, SMESH_NO_START,
			"%s: Slurm %d.%02d.%d does not take it, slurmctld will not start: %s",
			s->slurm_conf, SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER),
			SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER),
			SLURM_VERSION_MICRO(SLURM_VERSION_NUMBER), why.text);
	if (takes <= 0 && s->slurm.plugin_dir)
		snprintf(dirs, size, "%s", s->slurm.plugin_dir);
	return takes > 0 || s->slurm.plugin_dir;
}

/* slurmctld reads the map that slurm.conf names, as SlurmUser: can it? */
static void check_map(struct session *s, const struct mesh_settings *settings)
{
	const char *path = settings->conf;
	struct mesh_err why;
	char beside[4096];
	bool same;

	if (!path && !textfile_beside(s->slurm_conf, "topology.conf", beside, sizeof(beside)))
		path = beside;
	same = path && is_same_file(path, s->topology);
	if (same && !s->conf)
		return; /* messages have said why */
	if (!path || (!same && !settings->conf)) {
		fprintf(s->text, "slurmctld reads %s, not %s\n", beside, s->topology);
		return;
	}
	if (*path != '/' && settings->conf)
		warn_of(s, "SchedulerParameters", 0,
			"mesh_conf=%s: not an absolute path: slurmctld looks for it in the "
			"directory that it was started in",
			path);
	if (startup_map(path, s->slurm.slurm_user, &why))
		warn(s, SMESH_NO_START, "slurmctld will not start: %s", why.text);
	else if (!same)
		fprintf(s->text, "slurmctld reads %s, not %s: mesh_conf=\n", path, s->topology);
}

/* --- agreement of controllers ------------------------------------------------------------ */

/*
 * Compare with the slurmctld in control, which leaves the hash of its map where all others find it
 * (plugin/shared/mesh_state.h).
 */
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
	if (s->slurm.ncontrollers > 1 && !slurmconf_is_here(host))
		warn(s, SMESH_OTHER_MAP,
			"the map is not that of slurmctld on %s, which has control: copy the right "
			"file to every controller",
			host);
	else
		fprintf(s->text, "slurmctld on %s has another map until scontrol reconfigure\n",
			host);
}

/* The first mesh_ key of SchedulerParameters, and its length; NULL: there is none. */
static const char *first_key(const struct session *s, int *length)
{
	const char *at = s->slurm.parameters ? s->slurm.parameters : "";

	while (*(at += strspn(at, ", \t")) && strncasecmp(at, "mesh_", 5) != 0)
		at += strcspn(at, ",");
	*length = (int)strcspn(at, "=,");
	return *at ? at : NULL;
}

/* Without our keys in slurm.conf a switch may be still to come; with them it looks forgotten. */
static void tell_unused(struct session *s)
{
	int length;
	const char *key = first_key(s, &length);

	if (key)
		warn_of(s, "SchedulerParameters", SMESH_UNUSED,
			"neither SelectType nor TopologyPlugin names mesh: %.*s= and the mesh "
			"lines are not used (is SelectType=select/mesh missing?)", length, key);
	else
		warn(s, 0,
			"neither SelectType nor TopologyPlugin names mesh: the mesh lines are not "
			"used");
}

/* Compare SelectType and TopologyPlugin. */
static void compare_types(struct session *s, const struct mesh_settings *settings)
{
	const char *select = s->slurm.select_type ? s->slurm.select_type : "",
		   *topology = s->slurm.topology_plugin ? s->slurm.topology_plugin : "";
	char dirs[8192];

	if (!strcasecmp(topology, "topology/3d_torus"))
		warn_of(s, "TopologyPlugin", SMESH_NO_START,
			"TopologyPlugin=%s: slurmctld will not start: it needs a Slurm built for "
			"three dimensions, and select/mesh does without", topology);
	check_readers(s, topology, look_for_yaml(s, is_ours(select), is_ours(topology)));
	if (!is_ours(select) && !is_ours(topology))
		tell_unused(s);
	else
		check_map(s, settings);
	check_parameters(s, select, settings->base_linear);
	check_state(s);
	s->no_dir = !check_dirs(s);
	if (s->no_dir)
		snprintf(dirs, sizeof(dirs), "%s", s->slurm.plugin_dir);
	if (s->no_dir || check_parser(s, dirs, sizeof(dirs)))
		check_plugins(s, dirs, settings->base_linear);
}

/* A line that is neither ours nor Slurm's is passed over in topology.conf: a key of ours may be
 * misspelt, or the line above is to be continued. */
static int note_line(void *session, char *text, struct conffile_place at)
{
	static const char *const known[] = {"MeshName", "MeshNode", "MeshType", "Link",
		"DownLinksFile", "SwitchName", "LinkSpeed", "BlockName", "BlockSizes", "RingName"};

	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (conffile_begins(text, known[i]))
			return 0;
	warn(session, 0,
		"%s:%d: '%.40s' begins no line of ours or Slurm's: it is passed over (is a "
		"backslash missing at the end of the line above?)", at.path, at.line,
		strsep(&text, "= \t"));
	return 0;
}

static void check_lines(struct session *s)
{
	const struct conffile file = {.take = note_line, .data = s, .arena = &s->slurm.arena};

	conffile_read(&file, s->topology);
}

#define EVERYWHERE "put that file on each node, too, and change all copies at once"

/* Note a file that topology.conf names or includes. */
static int note_file(void *session, char *text, struct conffile_place at)
{
	static const char *const keys[] = {"Order", "DownLinksFile", "Cables"};
	struct session *s = session;

	if (strcmp(at.path, s->topology) != 0 && at.path != s->included) {
		s->included = at.path;
		warn(s, 0, "enable_configless does not send Include %s: " EVERYWHERE, at.path);
	}
	for (char *key, *value; conffile_pair(&text, &key, &value) > 0;)
		for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (!strcasecmp(key, keys[i]))
				warn(s, 0, "enable_configless does not send %s=%s: " EVERYWHERE,
					keys[i], value);
	return 0;
}

/* conf= names the map for tasks. */
static void check_spank_map(struct session *s, const struct plugstack_line *line, const char *path)
{
	struct mesh_err err;
	struct topoconf *conf = topoconf_read(path, &hostlist_libslurm, &err);

	if (!conf)
		warn(s, 0, "%s:%d: conf=: %s", line->path, line->line, err.text);
	else if (s->conf && topoconf_hash(conf) != topoconf_hash(s->conf))
		warn(s, 0, "%s:%d: conf=%s is not the map of %s", line->path, line->line, path,
			s->topology);
	topoconf_free(conf);
}

/* spank_mesh.so passes over words that it does not know. */
static void check_words(struct session *s, const struct plugstack_line *line)
{
	char *rest = NULL;

	for (char *word = strtok_r(line->words, " \t", &rest); word;
		word = strtok_r(NULL, " \t", &rest)) {
		const char *value;
		enum spankword which = spankword_of(word, &value);

		if (which == SPANKWORD_NONE || (which == SPANKWORD_ORDER &&
			strcmp(value, "auto") != 0 && strcmp(value, "node") != 0))
			warn(s, 0, "%s:%d: spank_mesh.so does not know '%.40s', and passes over it",
				line->path, line->line, word);
		if (which == SPANKWORD_CONF)
			check_spank_map(s, line, value);
	}
}

/* Can Slurm's commands on this host load spank_mesh.so? NULL, or why not. */
static const char *load_spank(const struct session *s, const char *path, struct mesh_err *why)
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

/* A line of plugstack.conf. */
static void check_spank_line(void *data, const struct plugstack_line *line)
{
	struct session *s = data;
	const char *base = strrchr(line->plugin, '/');
	bool required = !strcasecmp(line->kind, "required");
	bool ours = !strcmp(base ? base + 1 : line->plugin, "spank_mesh.so");
	struct mesh_err why;
	const char *wrong = *line->plugin == '/' && access(line->plugin, R_OK) ? strerror(errno)
		: ours ? load_spank(s, line->plugin, &why) : NULL;

	if (!required && strcasecmp(line->kind, "optional") != 0) {
		warn(s, 0, "%s:%d: Slurm passes over '%.40s ...': a line begins with required, "
			"optional or include", line->path, line->line, line->kind);
		return;
	}
	if (wrong && (required || ours))
		warn(s, 0, "%s:%d: %s: %s: %s", line->path, line->line, line->plugin,
			wrong, required ? "no job can be submitted where that is so"
			: "srun and sbatch print an error each time, and know no --mesh options");
	if (!ours)
		return;
	s->has_spank = true;
	if (!wrong)
		fprintf(s->text, "options for users: %s%s%s (%s)\n", line->plugin,
			*line->words ? " " : "", line->words, line->path);
	check_words(s, line);
}

/* By plugstack.conf users have options, and ranks an order. */
static void check_plugstack(struct session *s)
{
	char beside[PATH_MAX];
	const char *path = s->slurm.plugstack;

	if (!path && textfile_beside(s->slurm_conf, "plugstack.conf", beside, sizeof(beside)))
		return;
	path = path ? path : beside;
	plugstack_each(path, check_spank_line, s);
	if (!s->has_spank)
		fprintf(s->text, "note: %s does not load spank_mesh.so: users have no --mesh "
			"options, and ranks are in node order\n", path);
}

/* In configless clusters Slurm sends its own files; of ours only topology.conf. */
static void check_configless(struct session *s, const struct mesh_settings *settings)
{
	const struct conffile file = {.take = note_file, .data = s, .arena = &s->slurm.arena};

	if (!s->slurm.slurmctld_parameters ||
		!strcasestr(s->slurm.slurmctld_parameters, "enable_configless"))
		return;
	if (settings->conf)
		warn_of(s, "SchedulerParameters", 0,
			"enable_configless does not send mesh_conf=%s: " EVERYWHERE,
			settings->conf);
	conffile_read(&file, s->topology);
}

static void compare(struct session *s)
{
	const struct mesh_settings *settings = &s->settings;

	tell_slurm_conf(s);
	if (s->conf && !s->slurm.bad)
		compare_nodes(s);
	find_twice(s);
	compare_types(s, settings);
	if (s->conf)
		compare_controllers(s);
	json_object_set_new(s->out, "strategy", json_string(settings->ops->name));
	fprintf(s->text, "strategy %s", settings->ops->name);
	for (int i = 0; i < settings->npartitions; i++)
		if (settings->by_partition[i].ops)
			fprintf(s->text, ", %s in partition %s",
				settings->by_partition[i].ops->name,
				settings->by_partition[i].partition);
	fputc('\n', s->text);
	compare_partitions(s, settings);
	if (!s->slurm.bad)
		look_for_overlap(s);
	check_configless(s, settings);
	check_plugstack(s);
}

/* What an administrator looks for first. */
static void tell_verdict(struct session *s)
{
	size_t n = json_array_size(s->warnings);

	if (n)
		fprintf(s->text, "%zu warning%s\n", n, n == 1 ? "" : "s");
	else
		fprintf(s->text, "no mistake found%s\n",
			s->has_settings ? "" : " in the map; there is no slurm.conf beside it");
}

/* Judge all that can be read: what is wrong in one file does not hide what is wrong in another. */
static void check(struct session *s)
{
	json_t *list = json_array();

	json_object_set_new(s->out, "topology_conf", json_string(s->topology));
	json_object_set_new(s->out, "meshes", list);
	s->conf = smesh_read_topology(s->topology);
	s->bad |= !s->conf;
	if (s->conf)
		json_object_set_new(s->out, "map_hash", json_sprintf("%016" PRIx64,
			topoconf_hash(s->conf)));
	check_lines(s);
	for (int i = 0; s->conf && i < s->conf->nmeshes; i++)
		check_mesh(s, s->conf->mesh[i], list);
	if (s->has_settings)
		compare(s);
	tell_verdict(s);
}

/*
 * Print the map, and then all findings, on standard output. After a message nothing is there, and
 * the warnings are messages, too.
 */
static void report(struct session *s)
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

static int run(int argc, char **argv)
{
	struct session s = {0};
	int code = options_read(&cmd_check, argc, argv, &s);

	if (code)
		return code;
	code = choose_topology(&s);
	if (code == SMESH_OK) {
		report(&s);
		code = s.bad ? SMESH_USAGE : s.verdict;
	}
	if (s.has_settings)
		mesh_settings_release(&s.settings);
	arena_release(&s.slurm.arena);
	topoconf_free(s.conf);
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
