/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "sim/need.h"

/* The data for writing a grid. */
struct writer {
	struct arena arena;
	const struct import *import;
	const struct grid *grid;
	const struct mesh_hostlist_ops *hosts;
	FILE *to;
	char name[MESH_MAX_NAME];
	int *first, *node; /* the nodes on vertex v are node[first[v]..first[v+1]-1], by name */
	int *cell, ncells; /* the vertex in each cell, or -1 */
	char **name_of; /* [nnodes] scratch: names of the nodes being written */
	bool *used; /* [ngrids] the grid has nodes */
};

/* --- nodes ------------------------------------------------------------------------------- */

static int nodes_on(const struct writer *w, int cell)
{
	int v = w->cell[cell];

	return v < 0 ? 0 : w->first[v + 1] - w->first[v];
}

static int by_vertex(const void *a, const void *b, void *writer)
{
	const struct cables *c = &((const struct writer *)writer)->import->cables;
	int x = *(const int *)a, y = *(const int *)b, apart = c->vertex_of[x] - c->vertex_of[y];

	return apart ? apart : strverscmp(c->node_name[x], c->node_name[y]);
}

static void group_nodes(struct writer *w)
{
	const struct cables *c = &w->import->cables;

	need_array(&w->arena, w->first, c->nvertices + 1);
	need_array(&w->arena, w->name_of, c->nnodes);
	need_array(&w->arena, w->used, w->import->grids.ngrids);
	need_array(&w->arena, w->node, c->nnodes);
	for (int i = 0; i < c->nnodes; i++) {
		w->node[i] = i;
		w->first[c->vertex_of[i] + 1]++;
	}
	for (int v = 0; v < c->nvertices; v++)
		w->first[v + 1] += w->first[v];
	qsort_r(w->node, (size_t)c->nnodes, sizeof(*w->node), by_vertex, w);
}

static const char *first_node(const struct writer *w, int v)
{
	return w->first[v + 1] > w->first[v]
		       ? w->import->cables.node_name[w->node[w->first[v]]] : NULL;
}

/* What a vertex is called in comments. */
static const char *name_of(const struct writer *w, int v)
{
	return first_node(w, v) ? first_node(w, v) : w->import->cables.vertex_name[v];
}

/* --- one grid ---------------------------------------------------------------------------- */

static void put_coord(const struct writer *w, int cell)
{
	for (int d = 0; d < w->grid->ndims; cell /= w->grid->side[d++])
		fprintf(w->to, "%s%d", d ? "," : "", cell % w->grid->side[d]);
}

/* The cell above another along d, stride[d] apart; -1: none. */
static int cell_up(const struct writer *w, int cell, int d)
{
	int stride = 1, at, up;

	for (int i = 0; i < d; i++)
		stride *= w->grid->side[i];
	at = cell / stride % w->grid->side[d];
	up = grid_next(w->grid, d, at, 1);
	return up < 0 ? -1 : cell + (up - at) * stride;
}

static bool is_down(const struct writer *w, int a, int b)
{
	int v = w->cell[a], u = w->cell[b];

	if (w->import->placed || (v < 0 && u < 0))
		return false;
	return v < 0 || u < 0 || !cables_joined(&w->import->cables, v, u);
}

/* Write the key of broken links, in the form of topology.conf.mesh(5). */
static void put_down_links(const struct writer *w)
{
	const char *before = " DownLinks=";

	for (int cell = 0; cell < w->ncells; cell++)
		for (int d = 0; d < w->grid->ndims; d++) {
			int up = cell_up(w, cell, d);

			if (up < 0 || !is_down(w, cell, up))
				continue;
			fputs(before, w->to);
			put_coord(w, cell);
			fputc(':', w->to);
			put_coord(w, up);
			before = ";";
		}
}

static void put_holes(const struct writer *w)
{
	const char *before = " Holes=";

	for (int cell = 0; cell < w->ncells; cell++)
		if (!nodes_on(w, cell)) {
			fputs(before, w->to);
			put_coord(w, cell);
			before = ";";
		}
}

/* Write Nodes= and Holes=, if all vertices with nodes have the same number. */
static void put_nodes(const struct writer *w)
{
	const struct cables *c = &w->import->cables;
	char **name = w->name_of, *list;
	int n = 0;

	for (int cell = 0; cell < w->ncells; cell++)
		for (int i = 0; i < nodes_on(w, cell); i++)
			name[n++] = c->node_name[w->node[w->first[w->cell[cell]] + i]];
	list = need(w->hosts->compress(name, n));
	fprintf(w->to, " Nodes=%s", list);
	free(list);
	put_holes(w);
}

static void put_mesh_nodes(const struct writer *w)
{
	for (int cell = 0; cell < w->ncells; cell++)
		for (int i = 0; i < nodes_on(w, cell); i++) {
			int node = w->node[w->first[w->cell[cell]] + i];

			fprintf(w->to, "MeshNode=%s Mesh=%s Coord=",
				w->import->cables.node_name[node], w->name);
			put_coord(w, cell);
			fputc('\n', w->to);
		}
}

static void put_grid(const struct writer *w)
{
	const struct grid *grid = w->grid;
	int most = 0, total = 0, used = 0;

	for (int cell = 0; cell < w->ncells; cell++) {
		int n = nodes_on(w, cell);

		most = n > most ? n : most;
		total += n;
		used += n > 0;
	}
	fprintf(w->to, "MeshName=%s Dims=", w->name);
	for (int d = 0; d < grid->ndims; d++)
		fprintf(w->to, "%s%d", d ? "x" : "", grid->side[d]);
	for (int d = 0; d < grid->ndims; d++)
		fprintf(w->to, "%s%s", d ? "," : " Wrap=", grid->wrap[d] ? "yes" : "no");
	if (most > 1)
		fprintf(w->to, " NodesPerVertex=%d", most);
	if (total == used * most)
		put_nodes(w);
	put_down_links(w);
	fputc('\n', w->to);
	if (total != used * most)
		put_mesh_nodes(w);
}

/* Write the name of mesh number `number`. */
static void name_mesh(char to[MESH_MAX_NAME], const char *name, int number)
{
	snprintf(to, MESH_MAX_NAME, number ? "%.50s%d" : "%.63s", name, number);
}

/* Write the grids; grids of switches without nodes are left out, and have no number. */
static void put_grids(struct writer *w, const char *name)
{
	const struct grids *grids = &w->import->grids;
	int number = 0;

	for (int i = 0; i < grids->ngrids; i++) {
		if (!w->used[i])
			continue;
		w->grid = &grids->grid[i];
		name_mesh(w->name, *w->grid->name ? w->grid->name : name,
			*w->grid->name ? 0 : number);
		number++;
		w->cell = grids_cells(grids, i, &w->arena);
		w->ncells = grid_cells(w->grid, MESH_MAX_VERTICES);
		put_grid(w);
	}
}

/* --- graphs ------------------------------------------------------------------------------ */

static bool in_graph(const struct import *im, int v)
{
	return im->parts.nparts && im->parts.part[im->parts.of[v]].graph;
}

/* Find which grids are written: those with nodes that are in no graph. */
static void find_used(const struct import *im, bool *used)
{
	for (int i = 0; i < im->cables.nnodes; i++) {
		int v = im->cables.vertex_of[i];

		if (!in_graph(im, v) && !(im->hub && im->hub[v]))
			used[im->grids.grid_of[v]] = true;
	}
}

bool import_cables_file(const struct import *import, const char *name, int *i,
	char file[IMPORT_FILE])
{
	bool used[MESH_MAX_MESHES] = {false};
	char mesh[MESH_MAX_NAME];
	int number = 0;

	while (*i < import->parts.nparts && !import->parts.part[*i].graph)
		++*i;
	if (*i >= import->parts.nparts)
		return false;
	find_used(import, used);
	for (int g = 0; g < import->grids.ngrids; g++)
		number += used[g];
	for (int p = 0; p < *i; p++)
		number += import->parts.part[p].graph;
	name_mesh(mesh, name, number);
	snprintf(file, IMPORT_FILE, "%s.cables", mesh);
	++*i;
	return true;
}

void import_write_cables(const struct import *import, int i, FILE *to)
{
	const struct cables *c = &import->cables;
	char **name = need(calloc((size_t)c->nvertices, sizeof(*name)));

	for (int n = 0; n < c->nnodes; n++)
		name[c->vertex_of[n]] = c->node_name[n];
	for (int k = 0; k < c->ncables; k++)
		if (import->parts.of[c->cable[k][0]] == i)
			fprintf(to, "%s %s %d\n", name[c->cable[k][0]], name[c->cable[k][1]],
				c->lanes[k]);
	free(name);
}

/* Write how far from a grid a graph is, and its line. */
static void put_graph(const struct writer *w, int i, const char *file)
{
	const struct part *part = &w->import->parts.part[i];
	const struct cables *c = &w->import->cables;
	char *list;
	int n = 0;

	for (int v = 0; v < c->nvertices; v++)
		if (w->import->parts.of[v] == i)
			w->name_of[n++] = c->node_name[w->node[w->first[v]]];
	list = need(w->hosts->compress(w->name_of, n));
	fprintf(w->to, "# %s: %d cables of %d nodes, ", file, part->cables, n);
	if (*w->import->far.text)
		fputs(w->import->far.text, w->to);
	else
		fprintf(w->to,
			"far from any grid: the best has %d of them, misses %d, %d have other "
			"lanes than most", part->inside, part->missing, part->odd);
	if (part->most > PART_LANES * part->least)
		fprintf(w->to, ", and cables of one dimension have %d lanes, of another %d",
			part->least, part->most);
	fprintf(w->to, "\nMeshName=%.*s Nodes=%s Cables=%s\n",
		(int)(strrchr(file, '.') - file), file, list, file);
	free(list);
}

static void put_graphs(const struct writer *w, const char *name)
{
	char file[IMPORT_FILE];

	for (int i = 0; import_cables_file(w->import, name, &i, file);)
		put_graph(w, i - 1, file);
}

/* --- all of them --------------------------------------------------------------------------- */

/* Write the cables outside of grids; those of a switch without nodes only as comments. */
static void put_links(const struct writer *w)
{
	const struct cables *c = &w->import->cables;

	for (int i = 0; i < c->ncables; i++) {
		int a = c->cable[i][0], b = c->cable[i][1];

		if (in_graph(w->import, a) || grids_along(&w->import->grids, a, b) >= 0)
			continue;
		if (first_node(w, a) && first_node(w, b))
			fprintf(w->to, "Link=%s,%s\n", first_node(w, a), first_node(w, b));
		else
			fprintf(w->to, "# no node for the cable from %s to %s\n", c->vertex_name[a],
				c->vertex_name[b]);
	}
}

/* What the comment counts. */
struct count {
	int grids, inside; /* written, and the cables in them */
	int left, beside;  /* cables in grids that are not written, and in no grid */
	int hubs;	   /* nodes that are left out */
};

static struct count count_all(const struct writer *w)
{
	const struct import *im = w->import;
	struct count n = {0};

	for (int i = 0; i < im->grids.ngrids; i++)
		n.grids += w->used[i];
	for (int i = 0; im->hub && i < im->cables.nnodes; i++)
		n.hubs += im->hub[im->cables.vertex_of[i]];
	for (int i = 0; i < im->cables.ncables; i++) {
		const int *cable = im->cables.cable[i];

		if (in_graph(im, cable[0]))
			continue;
		if (grids_along(&im->grids, cable[0], cable[1]) < 0)
			n.beside++;
		else if (w->used[im->grids.grid_of[cable[0]]])
			n.inside++;
		else
			n.left++;
	}
	return n;
}

/* Write a comment about hosts and switches that were left out. */
static void put_hubs(const struct writer *w)
{
	const struct cables *c = &w->import->cables;

	for (int v = 0; w->import->hub && v < c->nvertices; v++)
		if (w->import->hub[v])
			fprintf(w->to, "# left out: %s, which is cabled to nearly all others\n",
				name_of(w, v));
}

/* Count nodes that are on several vertices. */
static int count_moved(struct writer *w)
{
	const struct cables *c = &w->import->cables;
	bool *seen = need_get(&w->arena, c->nnodes, sizeof(*seen));
	int n = 0;

	for (int i = 0; i < c->nalso; i++) {
		n += !seen[c->also[i][0]];
		seen[c->also[i][0]] = true;
	}
	return n;
}

/* Write what a list of cables has beside plain cables. */
static void put_list(const struct writer *w)
{
	const struct import *im = w->import;

	if (im->loops)
		fprintf(w->to, "# left out: %d cables of a node to itself, as of %.64s (: or / in "
			"a name begins a port)\n", im->loops, im->loop);
	for (int out = 0; out < 2; out++)
		for (int i = 0; i < IMPORT_STATUSES && im->status[out][i].cables; i++)
			fprintf(w->to, "# cables with the status '%.32s'%s, which %s: %d\n",
				im->status[out][i].word,
				i < IMPORT_STATUSES - 1 ? "" : " and others",
				out ? "are left out" : "count", im->status[out][i].cables);
	if (im->labelled)
		fprintf(w->to, "# lines that begin with #, a label, which count: %d\n",
			im->labelled);
	if (im->commented)
		fprintf(w->to, "# lines that begin with # and have a cable's columns, which are "
			"left out: %d\n", im->commented);
}

/* The lanes of most cables along the dimension of a cable; 0: it is in no grid that counts. */
static int usual_lanes(const struct import *im, int cable)
{
	int a = im->cables.cable[cable][0], b = im->cables.cable[cable][1];
	int d = grids_along(&im->grids, a, b);

	return d < 0 || in_graph(im, a) || !im->parts.usual ? 0
		: im->parts.usual[im->grids.grid_of[a] * GRID_DIMS + d];
}

int import_count_slow(const struct import *import)
{
	int n = 0;

	for (int i = 0; i < import->cables.ncables; i++)
		n += import->cables.lanes[i] < usual_lanes(import, i);
	return n;
}

int import_count_apart(const struct import *import)
{
	bool used[MESH_MAX_MESHES] = {false};
	int n = 0, grids = 0;

	find_used(import, used);
	for (int g = 0; g < import->grids.ngrids; g++)
		grids += used[g];
	for (int i = 0; i < import->cables.nnodes; i++) {
		int v = import->cables.vertex_of[i], g = import->grids.grid_of[v];

		n += !in_graph(import, v) && used[g] &&
			grid_cells(&import->grids.grid[g], 2) > 0;
	}
	return import->placed || grids < 3 ? 0 : n;
}

int64_t import_count_holes(const struct import *import, int64_t *cells)
{
	*cells = 0;
	for (int i = 0; i < import->grids.ngrids; i++)
		*cells += grid_cells(&import->grids.grid[i], MESH_MAX_VERTICES);
	return import->placed ? *cells - import->grids.nvertices : 0;
}

int import_stride(const struct import *import, int grid, int d)
{
	int stride = 0;

	for (int v = 0; v < import->grids.nvertices; v++)
		for (int at = import->grids.grid_of[v] == grid ? import->grids.at[v][d] : 0; at;) {
			int rest = stride % at;

			stride = at;
			at = rest;
		}
	return stride;
}

/* Write the cables that are slower than those beside them, up to some. */
static void put_slow(const struct writer *w)
{
	const struct cables *c = &w->import->cables;
	enum { SOME = 16 };

	for (int i = 0, n = 0; i < c->ncables && n < SOME; i++) {
		int lanes = usual_lanes(w->import, i);

		if (c->lanes[i] >= lanes)
			continue;
		n++;
		fprintf(w->to, "# slow: the cable from %s to %s has %d lanes, most along its "
			"dimension have %d\n", name_of(w, c->cable[i][0]),
			name_of(w, c->cable[i][1]), c->lanes[i], lanes);
	}
}

static void put_summary(struct writer *w)
{
	const struct import *im = w->import;
	const struct count n = count_all(w);
	int moved = count_moved(w);

	fprintf(w->to, "# smesh import: %d nodes", im->cables.nnodes - n.hubs);
	if (!im->placed && n.grids)
		fprintf(w->to, ", %d cables in %d grid%s, %d beside", n.inside, n.grids,
			n.grids == 1 ? "" : "s", n.beside);
	fputc('\n', w->to);
	put_hubs(w);
	if (2 * (int64_t)im->cables.one_way < im->cables.with_ports && im->cables.one_way)
		fprintf(w->to, "# %d of %d cables are seen from one end only\n",
			im->cables.one_way, im->cables.with_ports);
	if (n.left)
		fprintf(w->to, "# left out: grids of switches without nodes, %d cables\n", n.left);
	if (moved)
		fprintf(w->to, "# %d nodes are %s\n", moved, im->placed ?
			"at several places: the first counts" :
			"on several switches: those of the largest grid count");
	if (im->gridless)
		fprintf(w->to, "# left out: %d topologies that are neither torus3d nor ring\n",
			im->gridless);
	if (im->placements)
		fputs("# left out: placements of tori; Shapes= is the key for them\n", w->to);
	put_list(w);
	put_slow(w);
	if (im->unknown)
		fprintf(w->to, "# left out: %d cables to chips of which there is no file\n",
			im->unknown);
}

void import_write(const struct import *import, const char *name,
	const struct mesh_hostlist_ops *hosts, FILE *to)
{
	struct writer w = {.import = import, .hosts = hosts, .to = to};

	group_nodes(&w);
	find_used(import, w.used);
	put_summary(&w);
	put_grids(&w, name);
	put_graphs(&w, name);
	put_links(&w);
	arena_release(&w.arena);
}
