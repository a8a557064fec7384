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
	int *cell, ncells; /* the vertex in each cell, or -1 */
	char **name_of; /* [nnodes] scratch: names of the nodes being written */
};

/* --- nodes ------------------------------------------------------------------------------- */

static int by_vertex(const void *a, const void *b, void *cables)
{
	const struct cables *c = cables;
	int x = *(const int *)a, y = *(const int *)b, apart = c->vertex_of[x] - c->vertex_of[y];

	return apart ? apart : strverscmp(c->node_name[x], c->node_name[y]);
}

void import_list(struct import *import)
{
	struct arena *arena = &import->parts.arena;
	struct cables *c = &import->cables;

	need_array(arena, import->first, c->nvertices + 1);
	need_array(arena, import->node, c->nnodes);
	need_array(arena, import->used, import->grids.ngrids);
	for (int i = 0; i < c->nnodes; i++) {
		int v = c->vertex_of[i];

		import->node[i] = i;
		import->first[v + 1]++;
		if (!import_in_graph(import, v) && !(import->hub && import->hub[v]))
			import->used[import->grids.grid_of[v]] = true;
	}
	for (int v = 0; v < c->nvertices; v++)
		import->first[v + 1] += import->first[v];
	qsort_r(import->node, (size_t)c->nnodes, sizeof(*import->node), by_vertex, c);
}

static int nodes_on(const struct writer *w, int cell)
{
	const int *first = w->import->first;
	int v = w->cell[cell];

	return v < 0 ? 0 : first[v + 1] - first[v];
}

/* The name of node i on a vertex, or NULL. */
static char *node_on(const struct import *im, int v, int i)
{
	int at = im->first[v] + i;

	return at < im->first[v + 1] ? im->cables.node_name[im->node[at]] : NULL;
}

/* What a vertex is called in comments. */
static const char *name_of(const struct writer *w, int v)
{
	const char *node = node_on(w->import, v, 0);

	return node ? node : w->import->cables.vertex_name[v];
}

/* --- one grid ---------------------------------------------------------------------------- */

static void put_coord(const struct writer *w, const char *before, int cell)
{
	for (int d = 0; d < w->grid->ndims; cell /= w->grid->side[d++])
		fprintf(w->to, "%s%d", d ? "," : before, cell % w->grid->side[d]);
}

/* Write the key of broken links, in the form of topology.conf.mesh(5). */
static void put_down_links(const struct writer *w)
{
	const char *before = " DownLinks=";

	grid_pairs(cell, up, w->grid) {
		int v = w->cell[cell], u = w->cell[up];

		if (v < 0 || u < 0 ? v == u : cables_joined(&w->import->cables, v, u))
			continue;
		put_coord(w, before, cell);
		put_coord(w, ":", up);
		before = ";";
	}
}

/* Write Nodes= and Holes=, if all vertices with nodes have the same number. */
static void put_nodes(const struct writer *w)
{
	const char *before = " Holes=";
	char *list;
	int n = 0;

	for (int cell = 0; cell < w->ncells; cell++)
		for (int i = 0; i < nodes_on(w, cell); i++)
			w->name_of[n++] = node_on(w->import, w->cell[cell], i);
	list = need(w->hosts->compress(w->name_of, n));
	fprintf(w->to, " Nodes=%s", list);
	free(list);
	for (int cell = 0; cell < w->ncells; cell++)
		if (!nodes_on(w, cell)) {
			put_coord(w, before, cell);
			before = ";";
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
	if (!w->import->placed)
		put_down_links(w);
	fputc('\n', w->to);
	for (int cell = 0; cell < w->ncells && total != used * most; cell++)
		for (int i = 0; i < nodes_on(w, cell); i++) {
			fprintf(w->to, "MeshNode=%s Mesh=%s",
				node_on(w->import, w->cell[cell], i), w->name);
			put_coord(w, " Coord=", cell);
			fputc('\n', w->to);
		}
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
		if (!w->import->used[i])
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

/* How many grids are written. */
static int count_used(const struct import *im)
{
	int n = 0;

	for (int i = 0; i < im->grids.ngrids; i++)
		n += im->used[i];
	return n;
}

bool import_cables_file(const struct import *import, const char *name, int *i,
	char file[IMPORT_FILE])
{
	char mesh[MESH_MAX_NAME];
	int number = count_used(import);

	while (*i < import->parts.nparts && !import->parts.part[*i].graph)
		++*i;
	if (*i >= import->parts.nparts)
		return false;
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

	for (int k = 0; k < c->ncables; k++)
		if (import->parts.of[c->cable[k][0]] == i)
			fprintf(to, "%s %s %d\n", node_on(import, c->cable[k][0], 0),
				node_on(import, c->cable[k][1], 0), c->lanes[k]);
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
			w->name_of[n++] = node_on(w->import, v, 0);
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

/* --- all of them --------------------------------------------------------------------------- */

/* Write the cables outside of grids; those of a switch without nodes only as comments. */
static void put_links(const struct writer *w)
{
	const struct cables *c = &w->import->cables;

	for (int i = 0; i < c->ncables; i++) {
		int a = c->cable[i][0], b = c->cable[i][1];

		if (import_in_graph(w->import, a) || grids_along(&w->import->grids, a, b) >= 0)
			continue;
		if (node_on(w->import, a, 0) && node_on(w->import, b, 0))
			fprintf(w->to, "Link=%s,%s\n", name_of(w, a), name_of(w, b));
		else
			fprintf(w->to, "# no node for the cable from %s to %s\n", c->vertex_name[a],
				c->vertex_name[b]);
	}
}

/* Write how much there is. Returns how many cables are in grids that are not written. */
static int put_sums(const struct writer *w)
{
	const struct import *im = w->import;
	int grids = count_used(im), nodes = im->cables.nnodes, inside = 0, left = 0, beside = 0;

	for (int i = 0; im->hub && i < im->cables.nnodes; i++)
		nodes -= im->hub[im->cables.vertex_of[i]];
	for (int i = 0; i < im->cables.ncables; i++) {
		const int *cable = im->cables.cable[i];

		if (import_in_graph(im, cable[0]))
			continue;
		if (grids_along(&im->grids, cable[0], cable[1]) < 0)
			beside++;
		else if (im->used[im->grids.grid_of[cable[0]]])
			inside++;
		else
			left++;
	}
	fprintf(w->to, "# smesh import: %d nodes", nodes);
	if (!im->placed && grids)
		fprintf(w->to, ", %d cables in %d grid%s, %d beside", inside, grids,
			grids == 1 ? "" : "s", beside);
	fputc('\n', w->to);
	return left;
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

/* Write a comment with one number, unless that is 0. */
static void put_count(const struct writer *w, const char *before, int n, const char *behind)
{
	if (n)
		fprintf(w->to, "# %s%d%s\n", before, n, behind);
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
	put_count(w, "lines that begin with #, a label, which count: ", im->labelled, "");
	put_count(w, "lines that begin with # and have a cable's columns, which are left out: ",
		im->commented, "");
}

/* The lanes of most cables along the dimension of a cable; 0: it is in no grid that counts. */
static int usual_lanes(const struct import *im, int cable)
{
	int a = im->cables.cable[cable][0], b = im->cables.cable[cable][1];
	int d = grids_along(&im->grids, a, b);

	return d < 0 || import_in_graph(im, a) || !im->parts.usual ? 0
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
	int n = 0;

	for (int i = 0; i < import->cables.nnodes; i++) {
		int v = import->cables.vertex_of[i], g = import->grids.grid_of[v];

		n += !import_in_graph(import, v) && import->used[g] &&
			grid_cells(&import->grids.grid[g], 2) > 0;
	}
	return import->placed || count_used(import) < 3 ? 0 : n;
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
	int left = put_sums(w);

	for (int v = 0; im->hub && v < im->cables.nvertices; v++)
		if (im->hub[v])
			fprintf(w->to, "# left out: %s, which is cabled to nearly all others\n",
				name_of(w, v));
	if (2 * (int64_t)im->cables.one_way < im->cables.with_ports && im->cables.one_way)
		fprintf(w->to, "# %d of %d cables are seen from one end only\n",
			im->cables.one_way, im->cables.with_ports);
	if (im->cables.once)
		fputs("# each line without ports is a cable: both directions add up\n",
			w->to);
	put_count(w, "", im->cables.again,
		" lines have the ports of a line above: not counted again");
	put_count(w, "left out: grids of switches without nodes, ", left, " cables");
	put_count(w, "", count_moved(w), im->placed
		? " nodes are at several places: the first counts"
		: " nodes are on several switches: those of the largest grid count");
	put_count(w, "left out: ", im->gridless, " topologies that are neither torus3d nor ring");
	if (im->placements)
		fputs("# left out: placements of tori; Shapes= is the key for them\n", w->to);
	put_list(w);
	put_slow(w);
	put_count(w, "left out: ", im->unknown, " cables to chips of which there is no file");
}

void import_write(const struct import *import, const char *name,
	const struct mesh_hostlist_ops *hosts, FILE *to)
{
	struct writer w = {.import = import, .hosts = hosts, .to = to};
	char file[IMPORT_FILE];

	need_array(&w.arena, w.name_of, import->cables.nnodes);
	put_summary(&w);
	put_grids(&w, name);
	for (int i = 0; import_cables_file(import, name, &i, file);)
		put_graph(&w, i - 1, file);
	put_links(&w);
	arena_release(&w.arena);
}
