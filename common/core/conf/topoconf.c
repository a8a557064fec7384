/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Drafts (draft.h) become meshes.
 */
#include "conf/topoconf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/suggest.h"
#include "base/textfile.h"
#include "conf/draft.h"
#include "graph/linkgraph.h"

#define fail_at(p, at, ...) conffile_fail((p)->err, at, __VA_ARGS__)
#define fail(p, ...) fail_at(p, (p)->at, __VA_ARGS__)

/* Parse the vertex `1,0,2` at text, with *end behind it; -1 with text. */
static int parse_vertex(struct drafts *p, const struct draft *draft, const char *text,
	const char **end)
{
	int c[MESH_MAX_DIMS], v = 0, stride = 1;
	int n = draft_numbers(text, ',', c, end);

	if (n != draft->spec.ndims)
		return fail(p,
			"coordinate '%.*s': expected %d numbers from 0 for mesh %s",
			(int)strcspn(text, ";"), text, draft->spec.ndims, draft->name);
	for (int d = 0; d < n; d++) {
		if (c[d] >= draft->spec.side[d])
			return fail(p,
				"coordinate '%.*s': dimension %d of mesh %s goes from 0 to %d",
				(int)strcspn(text, ";"), text, d + 1, draft->name,
				draft->spec.side[d] - 1);
		v += c[d] * stride;
		stride *= draft->spec.side[d];
	}
	return v;
}

static int mark_holes(struct drafts *p, const struct draft *draft, char *hole, int *nholes)
{
	const char *at = draft->holes;

	*nholes = 0;
	for (int v = draft->spec.nnodes; draft->spec.cabled && v < draft->nvertices; v++) {
		hole[v] = 1;
		++*nholes;
	}
	for (; at; at++) {
		const char *start = at;
		int v = parse_vertex(p, draft, at, &at);

		if (v < 0)
			return -1;
		if (*at && *at != ';')
			return fail(p, "Holes=: expected ';' at '%.32s'", at);
		if (hole[v])
			return fail(
				p, "Holes=: vertex %.*s is there twice", (int)(at - start), start);
		hole[v] = 1;
		++*nholes;
		if (!*at)
			break;
	}
	return 0;
}

static int add_node(struct drafts *p, struct draft *draft, char *name, int vertex,
	const struct conffile_place *at)
{
	int n = draft->nnodes;

	if (!arena_grow(&p->arena, &draft->node_name, n, sizeof(*draft->node_name)) ||
		!arena_grow(&p->arena, &draft->vertex_of, n, sizeof(int)) ||
		!arena_grow(&p->arena, &draft->node_at, n, sizeof(*draft->node_at)))
		return draft_no_memory(p);
	draft->node_name[n] = name;
	draft->vertex_of[n] = vertex;
	draft->node_at[n] = at;
	draft->nnodes++;
	return 0;
}

/* Put the nodes of Nodes= on the vertices that are not holes, in order. */
static int fill_vertices(struct drafts *p, struct draft *draft, const char *hole, int nholes)
{
	int per_vertex = draft->spec.nodes_per_vertex;
	int64_t want = (int64_t)(draft->nvertices - nholes) * per_vertex;
	struct mesh_err why = {{0}};
	char **name;
	int n = hostlist_check(draft->nodes, &why);

	if (n == want)
		n = p->hosts->expand(draft->nodes, &p->arena, &name, &why);
	if (n < 0)
		return fail(p, "Nodes=: %s", why.text);
	if (n != want)
		return fail(p, "Nodes= names %d nodes, mesh %s has room for exactly %lld%s", n,
			draft->name, (long long)want,
			n < want ? " (Holes= are vertices without nodes)" : "");
	for (int i = 0, v = 0; i < n; v++)
		for (int j = 0; !hole[v] && j < per_vertex; j++, i++)
			if (add_node(p, draft, name[i], v, &draft->at))
				return -1;
	return 0;
}

static int place_one(struct drafts *p, struct draft *draft, const struct draft_node *line,
	int *on)
{
	const char *end;
	int v;

	p->at = line->at;
	if (!hostlist_is_name(line->node))
		return fail(p, "MeshNode=%.64s: expected one node name", line->node);
	if ((v = parse_vertex(p, draft, line->coord, &end)) < 0)
		return -1;
	if (*end)
		return fail(p, "Coord=%.64s: expected %d numbers with commas", line->coord,
			draft->spec.ndims);
	if (on[v] >= draft->spec.nodes_per_vertex)
		return fail(p, "Coord=%s of mesh %s is taken (NodesPerVertex=%d)", line->coord,
			draft->name, draft->spec.nodes_per_vertex);
	on[v]++;
	return add_node(p, draft, line->node, v, &line->at);
}

static int place_nodes(struct drafts *p, struct draft *draft, int *on)
{
	for (int i = 0; i < draft->nnodes; i++)
		on[draft->vertex_of[i]]++;
	for (int i = draft->first_node_line; i >= 0; i = p->node_line[i].next)
		if (place_one(p, draft, &p->node_line[i], on))
			return -1;
	p->at = draft->at;
	return draft->nnodes ? 0 : fail(p, "mesh %s has no nodes", draft->name);
}

/* An order file: one vertex number for each rank, one or more to a line. */
struct order_file {
	struct drafts *p;
	int *order;
	int count, nvertices;
	const char *path;
};

static int take_order_line(void *data, char *text, int line)
{
	struct order_file *file = data;
	const char *at = text;

	while (*at) {
		int v = textfile_number(&at, file->nvertices - 1);

		if (v < 0 || (*at && !isspace((unsigned char)*at)))
			return err_at(file->p->err, file->path, line,
				"expected vertex numbers of 0 to %d", file->nvertices - 1);
		if (file->count == file->nvertices)
			return err_at(file->p->err, file->path, line,
				"more than the %d vertices of the mesh", file->nvertices);
		file->order[file->count++] = v;
		while (isspace((unsigned char)*at))
			at++;
	}
	return 0;
}

static int read_order(struct drafts *p, const struct draft *draft, const int **order)
{
	char path[4096];
	struct order_file file = {.p = p, .nvertices = draft->nvertices, .path = path};
	struct mesh_err why = {{0}};

	if (!(*order = arena_array(&p->arena, file.order, draft->nvertices)))
		return draft_no_memory(p);
	if (textfile_beside(p->path, draft->order, path, sizeof(path)))
		return fail(p, "Order=: the path is too long");
	if (textfile_read_config(path, take_order_line, &file, &why)) {
		if (*why.text)
			return fail(p, "Order= names a file: %s", why.text);
		return *p->err->text ? -1 : draft_no_memory(p);
	}
	if (file.count < draft->nvertices)
		return err_printf(p->err, "%s: %d vertices, mesh %s has %d", path, file.count,
			draft->name, draft->nvertices);
	return 0;
}

static struct mesh *finish(struct drafts *p, struct draft *draft)
{
	struct mesh_err why = {{0}};
	struct mesh_spec spec = draft->spec;
	struct mesh *mesh;

	if (draft->order && read_order(p, draft, &spec.order))
		return NULL;
	spec.name = draft->name;
	spec.nnodes = draft->nnodes;
	spec.vertex_of = draft->vertex_of;
	spec.node_name = draft->node_name;
	spec.type = draft->type;
	spec.env = draft->env;
	if (!(mesh = mesh_new(&spec, &why)))
		fail(p, "mesh %s: %s", draft->name, why.text);
	return mesh;
}

static struct mesh *build(struct drafts *p, struct draft *draft)
{
	char *hole = arena_get(&p->arena, draft->nvertices, 1);
	int *on = arena_get(&p->arena, draft->nvertices, sizeof(*on));
	int nholes;

	p->at = draft->at;
	if (!on)
		draft_no_memory(p);
	if (!on || mark_holes(p, draft, hole, &nholes) ||
		(draft->nodes && fill_vertices(p, draft, hole, nholes)) ||
		place_nodes(p, draft, on))
		return NULL;
	return finish(p, draft);
}

struct named {
	const char *name;
	int number; /* of a node, or of a draft */
	const struct conffile_place *at; /* of a node */
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* A node may be in one place only, among all meshes of the file. */
static int check_unique(struct drafts *p)
{
	int64_t total = 0;
	size_t n = 0;
	struct named *all;
	char where[128];

	for (int i = 0; i < p->ndrafts; i++)
		total += p->draft[i].nnodes;
	if (!arena_array(&p->arena, all, total))
		return draft_no_memory(p);
	for (int i = 0; i < p->ndrafts; i++)
		for (int j = 0; j < p->draft[i].nnodes; j++, n++)
			all[n] = (struct named){p->draft[i].node_name[j], (int)n,
				p->draft[i].node_at[j]};
	qsort(all, n, sizeof(*all), by_name);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(all[i - 1].name, all[i].name))
			return fail_at(p, *all[i].at, "node %.64s is named twice (%s)",
				all[i].name, draft_place(all[i - 1].at, all[i].at, where));
	return 0;
}

static int find_name(const void *name, const void *of)
{
	return strcmp(name, ((const struct named *)of)->name);
}

static const char *name_at(const void *drafts, int at)
{
	const struct drafts *p = drafts;

	return at < p->ndrafts ? p->draft[at].name : NULL;
}

/* Chain the MeshNode= lines of each mesh, in the file's order. */
static int chain_node_lines(struct drafts *p)
{
	struct named *all = arena_get(&p->arena, p->ndrafts, sizeof(*all));
	char text[96];

	if (!all)
		return draft_no_memory(p);
	for (int i = 0; i < p->ndrafts; i++) {
		all[i] = (struct named){p->draft[i].name, i, NULL};
		p->draft[i].first_node_line = -1;
	}
	qsort(all, (size_t)p->ndrafts, sizeof(*all), by_name);
	for (int i = p->nnode_lines - 1; i >= 0; i--) {
		struct draft_node *line = &p->node_line[i];
		const struct named *of =
			bsearch(line->mesh, all, (size_t)p->ndrafts, sizeof(*all), find_name);

		if (!of)
			return fail_at(p, line->at, "Mesh=%.64s is not defined%s", line->mesh,
				suggest(line->mesh, name_at, p, text, sizeof(text)));
		line->next = p->draft[of->number].first_node_line;
		p->draft[of->number].first_node_line = i;
	}
	return 0;
}

/* Apply broken and extra links, when all nodes are known. */
static int link_all(struct drafts *p, const struct topoconf *conf)
{
	const struct linkconf_input input = {
		conf->mesh, conf->nmeshes, p->path, p->hosts, draft_go_on, p};

	for (int i = 0; i < p->ndrafts; i++) {
		struct draft *draft = &p->draft[i];

		if ((draft->down && linkconf_keep(&p->links, (struct linkconf_item){
			    draft->down, draft->at, LINKCONF_DOWN, i})) ||
			(draft->cables && linkconf_keep(&p->links, (struct linkconf_item){
				 draft->cables, draft->at, LINKCONF_CABLES, i})))
			return draft_no_memory(p);
	}
	return linkconf_apply(&p->links, &input, p->err) || p->told ? -1 : 0;
}

static int build_all(struct drafts *p, struct topoconf *conf)
{
	if (!p->ndrafts)
		return err_printf(p->err, "%s: no MeshName= line (man topology.conf.mesh)",
			p->path);
	conf->mesh = calloc((size_t)p->ndrafts, sizeof(*conf->mesh));
	if (!conf->mesh)
		return draft_no_memory(p);
	if (chain_node_lines(p))
		return -1;
	for (int i = 0; i < p->ndrafts; i++) {
		struct mesh *mesh = build(p, &p->draft[i]);

		if (mesh)
			conf->mesh[conf->nmeshes++] = mesh;
		else if (draft_go_on(p))
			return -1;
	}
	return p->told || check_unique(p) ? -1 : link_all(p, conf);
}

/* Parse the lines of the text (NULL: of the file), then build the meshes. */
static struct topoconf *parse(struct drafts *p, const char *text, size_t size)
{
	const struct conffile file = {
		.take = draft_take_line, .data = p, .arena = &p->arena, .err = p->err};
	struct topoconf *conf = calloc(1, sizeof(*conf));
	int bad;

	if (!conf) {
		draft_no_memory(p);
		return NULL;
	}
	bad = text ? conffile_parse(&file, text, size, p->path) : conffile_read(&file, p->path);
	if (bad && !*p->err->text)
		draft_no_memory(p);
	if (bad || p->told || build_all(p, conf)) {
		topoconf_free(conf);
		conf = NULL;
	}
	arena_release(&p->links.arena);
	arena_release(&p->arena);
	return conf;
}

struct topoconf *topoconf_read(const char *path, const struct mesh_hostlist_ops *hosts,
	struct mesh_err *err)
{
	struct drafts p = {.path = path, .at.path = path, .hosts = hosts, .err = err};

	return parse(&p, NULL, 0);
}

struct topoconf *topoconf_check(const char *path, const struct mesh_hostlist_ops *hosts,
	void (*tell)(const char *text))
{
	struct mesh_err err = {{0}};
	struct drafts p = {
		.path = path, .at.path = path, .hosts = hosts, .err = &err, .tell = tell};
	struct topoconf *conf = parse(&p, NULL, 0);

	if (!conf && *err.text)
		tell(err.text);
	return conf;
}

struct topoconf *topoconf_parse(const char *text, size_t size, const char *path,
	const struct mesh_hostlist_ops *hosts, struct mesh_err *err)
{
	struct drafts p = {.path = path, .at.path = path, .hosts = hosts, .err = err};

	return parse(&p, text, size);
}

void topoconf_free(struct topoconf *conf)
{
	if (!conf)
		return;
	for (int i = 0; i < conf->nmeshes; i++)
		mesh_free(conf->mesh[i]);
	free(conf->mesh);
	free(conf);
}

static uint64_t hash_ints(uint64_t hash, const int *n, int count)
{
	for (int i = 0; n && i < count; i++)
		hash = hash_add(hash, (uint64_t)n[i]);
	return hash;
}

static uint64_t hash_mesh(uint64_t hash, const struct mesh *mesh)
{
	hash = hash_bytes(hash, mesh->name, strlen(mesh->name) + 1);
	hash = hash_ints(hash, mesh->side, MESH_MAX_DIMS);
	hash = hash_bytes(hash, mesh->wrap, sizeof(mesh->wrap));
	hash = hash_ints(
		hash, (const int[]){mesh->ndims, mesh->nnodes, mesh->nlegal, mesh->legal_exact}, 4);
	hash = hash_ints(hash, mesh->vertex_of, mesh->nnodes);
	for (int i = 0; i < mesh->nnodes; i++)
		hash = hash_bytes(hash, mesh->node_name[i], strlen(mesh->node_name[i]) + 1);
	hash = hash_ints(hash, mesh->order, mesh->nvertices);
	for (int i = 0; i < mesh->nlegal; i++) {
		hash = hash_ints(hash, mesh->legal[i].side, MESH_MAX_DIMS);
		hash = hash_ints(hash, mesh->legal[i].step, MESH_MAX_DIMS);
		hash = hash_ints(hash, mesh->legal[i].seed, MESH_MAX_DIMS);
	}
	if (mesh->down)
		hash = hash_bytes(hash, mesh->down, (size_t)mesh->nvertices);
	for (int i = 0; mesh->graph && i < mesh->graph->ncables; i++) {
		const struct linkgraph_cable *cable = &mesh->graph->cable[i];

		hash = hash_ints(hash, cable->mesh, 2);
		hash = hash_ints(hash, cable->vertex, 2);
		hash = hash_add(hash, (uint64_t)cable->weight);
		if (cable->lanes)
			hash = hash_add(hash, (uint64_t)cable->lanes);
	}
	if (*mesh->type)
		hash = hash_bytes(hash, mesh->type, strlen(mesh->type));
	return hash_ints(hash, mesh->node_side, MESH_MAX_DIMS);
}

uint64_t topoconf_hash(const struct topoconf *conf)
{
	uint64_t hash = HASH_BEGIN;

	for (int i = 0; i < conf->nmeshes; i++)
		hash = hash_mesh(hash, conf->mesh[i]);
	return hash;
}
