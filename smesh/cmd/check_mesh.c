/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh check: what a mesh of topology.conf is, its links, pods and boxes.
 */
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hostlist.h"
#include "base/sort.h"
#include "boxes/bitbox.h"
#include "cmd/check.h"
#include "cmd/cutoff.h"
#include "sim/curve_measure.h"
#include "geometry/legal.h"
#include "graph/linkgraph.h"
#include "sim/human.h"
#include "sim/need.h"
#include "sim/report.h"

static int holes_of(const struct mesh *mesh)
{
	int holes = 0;

	for (int v = 0; v < mesh->nvertices; v++)
		holes += !mesh_nodes_on(mesh, v);
	return holes;
}

/* Are both ends of a cable in the mesh? */
static bool is_inside(const struct mesh *mesh, const struct linkgraph_cable *cable)
{
	const struct linkgraph *graph = mesh->graph;

	return graph->mesh[cable->mesh[0]] == mesh && graph->mesh[cable->mesh[1]] == mesh;
}

/* Print a cabled mesh. */
static void print_cables(FILE *to, const struct mesh *mesh, const char *hosts)
{
	const struct linkgraph *graph = mesh->graph;
	int n = 0, least = INT_MAX, most = 0;

	for (int i = 0; i < graph->ncables; i++) {
		int lanes = graph->cable[i].lanes;

		if (!is_inside(mesh, &graph->cable[i]))
			continue;
		n++;
		least = lanes < least ? lanes : least;
		most = lanes > most ? lanes : most;
	}
	fprintf(to, "mesh %s: %d node%s, %d cable%s", mesh->name, mesh->nnodes,
		human_s(mesh->nnodes), n, human_s(n));
	if (most > least)
		fprintf(to, " of %d to %d lanes", least, most);
	else if (most)
		fprintf(to, " of %d lane%s", most, human_s(most));
	fprintf(to, ": %s\n", hosts);
}

static void print_mesh(FILE *to, const struct mesh *mesh, const char *hosts)
{
	int holes = holes_of(mesh), vertices = mesh->nvertices - holes;
	char sides[64];

	if (mesh->cabled) {
		print_cables(to, mesh, hosts);
		return;
	}
	human_sides(mesh->ndims, mesh->side, sides, sizeof(sides));
	fprintf(to, "mesh %s: %s, wrap ", mesh->name, sides);
	for (int d = 0; d < mesh->ndims; d++)
		fprintf(to, "%s%s", d ? "," : "", mesh->wrap[d] ? "yes" : "no");
	fprintf(to, ", %d node%s on %d vert%s", mesh->nnodes, human_s(mesh->nnodes), vertices,
		vertices == 1 ? "ex" : "ices");
	if (mesh->nodes_per_vertex > 1)
		fprintf(to, " (up to %d each)", mesh->nodes_per_vertex);
	if (holes)
		fprintf(to, ", %d hole%s", holes, human_s(holes));
	fprintf(to, ": %s\n", hosts);
}

/* Warn of an ordering that is not good; smesh curve tells more. */
static void check_order(struct check *s, const struct mesh *mesh)
{
	struct curve_quality q;

	if (!mesh->order)
		return;
	need_done(curve_measure(mesh, mesh->order, &q));
	if (q.longest_step > 2)
		check_warn(s, 0,
			"mesh %s: the ordering of Order= has a step of %d hops", mesh->name,
			q.longest_step);
}

/* Check the boxes that jobs may have: how many places each has, and how many without a hole. */
static void check_shapes(struct check *s, const struct mesh *mesh, json_t *out)
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
		fprintf(s->text, "  shape %s: %d place%s\n", text, places, human_s(places));
		if (!whole)
			check_warn(s, 0,
				"mesh %s: a box of %s has a hole wherever Shapes= has it begin: no "
				"job can have one",
				mesh->name, text);
	}
}

/* Tell how many cables of a cabled mesh have how many lanes, most lanes first. */
static void tell_lanes(struct check *s, const struct mesh *mesh, json_t *out)
{
	const struct linkgraph *graph = mesh->graph;
	uint64_t *lanes = need_get(&s->slurm.arena, graph->ncables, sizeof(*lanes));
	json_t *list = json_array();
	int n = 0;

	for (int i = 0; i < graph->ncables; i++)
		if (is_inside(mesh, &graph->cable[i]))
			lanes[n++] = UINT64_MAX - (uint64_t)graph->cable[i].lanes;
	sort_u64(lanes, n);
	fputs(n ? "  cables: " : "", s->text);
	for (int i = 0, j; i < n; i = j) {
		int is = (int)(UINT64_MAX - lanes[i]);

		for (j = i; j < n && lanes[j] == lanes[i];)
			j++;
		json_array_append_new(list, json_pack("{s:i, s:i}", "lanes", is, "cables", j - i));
		fprintf(s->text, "%d of %d lane%s%s", j - i, is, human_s(is),
			j < n ? ", " : "\n");
	}
	json_object_set_new(out, "cables", list);
}

/* Tell the pods of a cabled mesh (graph/linkgraph.h), where it has any. */
static void tell_pods(struct check *s, const struct mesh *mesh, json_t *out)
{
	const struct linkgraph *graph = mesh->graph;
	const int *pod = graph->pod + mesh->graph_first;
	int least = INT_MAX, most = 0, pods = 0, alone = 0, first = graph->npods, end = 0;

	for (int v = 0; v < mesh->nvertices; v++) {
		first = pod[v] < first ? pod[v] : first;
		end = pod[v] < end ? end : pod[v] + 1;
	}
	if (end - first < 2)
		return;
	for (int i = first; i < end; i++) {
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
		fprintf(s->text, ", and %d node%s in none", alone, human_s(alone));
	fputc('\n', s->text);
}

/* How many cables end in the mesh, and how many of these in another mesh, too? */
static int count_extra(const struct mesh *mesh, int *across)
{
	const struct linkgraph *graph = mesh->graph;
	int n = 0;

	*across = 0;
	for (int i = 0; i < graph->ncables; i++) {
		const int *end = graph->cable[i].mesh;
		int here = (graph->mesh[end[0]] == mesh) + (graph->mesh[end[1]] == mesh);

		n += here > 0;
		*across += here == 1;
	}
	return n;
}

/* Report broken and extra links, and nodes that cannot be reached. */
static void check_links(struct check *s, const struct mesh *mesh, json_t *out)
{
	char **name, text[256];
	int down = mesh->cables_down, extra, across, n;

	if (!mesh->graph)
		return;
	extra = count_extra(mesh, &across);
	for (int v = 0; mesh->down && v < mesh->nvertices; v++)
		down += __builtin_popcount(mesh->down[v]);
	json_object_set_new(out, "links_down", json_integer(down));
	json_object_set_new(out, "links_extra", json_integer(extra));
	if (mesh->cabled) {
		tell_lanes(s, mesh, out);
		if (down)
			fprintf(s->text, "  broken cables: %d\n", down);
		tell_pods(s, mesh, out);
	} else {
		fprintf(s->text, "  links: %d broken, %d extra", down, extra);
		if (across)
			fprintf(s->text, ", %d of them to other meshes", across);
		fputc('\n', s->text);
	}
	need_array(&s->slurm.arena, name, mesh->nnodes);
	n = nodes_cut_off(mesh, name, &s->slurm.arena);
	if (n > 0) {
		check_hosts_list(name, n, text, sizeof(text));
		check_warn(s, 0,
			"mesh %s: %d node%s cut off from the others%s: %s", mesh->name, n,
			n == 1 ? " is" : "s are",
			mesh->cabled ? "" : " by broken links", text);
	}
}

void check_mesh(struct check *s, const struct mesh *mesh, json_t *list)
{
	char *hosts = need(hostlist_libslurm.compress(mesh->node_name, mesh->nnodes));
	json_t *out = json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:b, s:s}", "name", mesh->name,
		"dims", report_ints(mesh->side, mesh->ndims), "wrap", report_wrap(mesh), "nodes",
		mesh->nnodes, "nodes_per_vertex", mesh->nodes_per_vertex, "holes", holes_of(mesh),
		"order_given", mesh->order != NULL, "hosts", hosts);

	json_array_append_new(list, out);
	print_mesh(s->text, mesh, hosts);
	free(hosts);
	for (int d = 0; d < mesh->ndims; d++)
		if (mesh->wrap[d] && mesh->side[d] < 3)
			check_warn(s, 0,
				"mesh %s: dimension %d has side %d, to wrap it makes no way "
				"shorter", mesh->name, d + 1, mesh->side[d]);
	check_order(s, mesh);
	check_links(s, mesh, out);
	check_shapes(s, mesh, out);
}
