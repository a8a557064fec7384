/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mesh.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_sides(struct mesh *mesh, const struct mesh_spec *spec, struct mesh_err *err)
{
	int n = 1;

	if (spec->ndims < 1 || spec->ndims > MESH_MAX_DIMS)
		return err_printf(err, "a mesh has 1 to %d dimensions, not %d", MESH_MAX_DIMS,
			spec->ndims);
	mesh->ndims = spec->ndims;
	for (int d = 0; d < MESH_MAX_DIMS; d++) {
		bool real = d < spec->ndims;

		mesh->side[d] = real ? spec->side[d] : 1;
		mesh->wrap[d] = real && spec->wrap[d];
		mesh->stride[d] = n;
		if (mesh->side[d] < 1 || mesh->side[d] > MESH_MAX_SIDE)
			return err_printf(err, "side %d of dimension %d is not in 1..%d",
				mesh->side[d], d + 1, MESH_MAX_SIDE);
		if (mesh->side[d] > MESH_MAX_VERTICES / n)
			return err_printf(err, "more than %d vertices", MESH_MAX_VERTICES);
		n *= mesh->side[d];
	}
	mesh->nvertices = n;
	return 0;
}

static void fill_coords(struct mesh *mesh)
{
	for (int v = 0; v < mesh->nvertices; v++)
		for (int d = 0; d < MESH_MAX_DIMS; d++)
			mesh->coord[v][d] = (int16_t)(v / mesh->stride[d] % mesh->side[d]);
}

static int place_nodes(struct mesh *mesh, const struct mesh_spec *spec, struct mesh_err *err)
{
	for (int i = 0; i < mesh->nnodes; i++) {
		int v = spec->vertex_of ? spec->vertex_of[i] : i / spec->nodes_per_vertex;

		if (v < 0 || v >= mesh->nvertices)
			return err_printf(err, "node %d is on vertex %d, not one of 0..%d", i, v,
				mesh->nvertices - 1);
		if (mesh->first[v + 1] == MESH_MAX_NODES_PER_VERTEX)
			return err_printf(err, "more than %d nodes on vertex %d",
				MESH_MAX_NODES_PER_VERTEX, v);
		mesh->vertex_of[i] = v;
		mesh->first[v + 1]++;
	}
	for (int v = 0; v < mesh->nvertices; v++) {
		if (mesh->first[v + 1] > mesh->nodes_per_vertex)
			mesh->nodes_per_vertex = mesh->first[v + 1];
		mesh->first[v + 1] += mesh->first[v];
	}
	/*
	 * first[v] moves to first[v+1] while the nodes of v are added, and is put back after that.
	 */
	for (int i = 0; i < mesh->nnodes; i++)
		mesh->node_at[mesh->first[mesh->vertex_of[i]]++] = i;
	memmove(mesh->first + 1, mesh->first, (size_t)mesh->nvertices * sizeof(*mesh->first));
	mesh->first[0] = 0;
	return 0;
}

static int copy_names(struct mesh *mesh, const struct mesh_spec *spec)
{
	int64_t length = 0;
	char *to;

	for (int i = 0; i < mesh->nnodes; i++)
		length += (int64_t)strlen(spec->node_name[i]) + 1;
	to = arena_get(&mesh->arena, length, 1);
	if (!arena_array(&mesh->arena, mesh->node_name, mesh->nnodes))
		return -1;
	for (int i = 0; i < mesh->nnodes; i++) {
		mesh->node_name[i] = to;
		to = stpcpy(to, spec->node_name[i]) + 1;
	}
	return 0;
}

/*
 * The slot of a name, or the free slot where it would be. The hash's high bits are mixed into its
 * low ones, as names differ in their last digits.
 */
static int *find_slot(const struct mesh *mesh, const char *name)
{
	uint64_t sum = hash_bytes(HASH_BEGIN, name, strlen(name));
	unsigned at = (unsigned)(sum ^ sum >> 32) & mesh->slot_mask;

	while (mesh->slot[at] >= 0 && strcmp(mesh->node_name[mesh->slot[at]], name))
		at = (at + 1) & mesh->slot_mask;
	return &mesh->slot[at];
}

int mesh_index_names(struct mesh *mesh)
{
	unsigned size = 2;

	/* At least half of the slots stay free, so that every search ends soon. */
	while (size < 2 * (unsigned)mesh->nnodes)
		size *= 2;
	mesh->slot_mask = size - 1;
	if (!mesh->slot && !arena_array(&mesh->arena, mesh->slot, size))
		return -1;
	memset(mesh->slot, -1, size * sizeof(int));
	for (int i = 0; i < mesh->nnodes; i++)
		*find_slot(mesh, mesh->node_name[i]) = i;
	return 0;
}

int mesh_node(const struct mesh *mesh, const char *name)
{
	return mesh->slot ? *find_slot(mesh, name) : -1;
}

static int copy_order(struct mesh *mesh, const struct mesh_spec *spec, struct mesh_err *err)
{
	char *seen = arena_get(&mesh->arena, mesh->nvertices, 1);

	if (!arena_array(&mesh->arena, mesh->order, mesh->nvertices))
		return err_printf(err, "out of memory");
	for (int rank = 0; rank < mesh->nvertices; rank++) {
		int v = spec->order[rank];

		if (v < 0 || v >= mesh->nvertices || seen[v])
			return err_printf(err,
				"rank %d of the order: vertex %d is out of range or there twice",
				rank, v);
		seen[v] = 1;
		mesh->order[rank] = v;
	}
	return 0;
}

int mesh_placement_check(
	const struct mesh_placement *p, const struct mesh_spec *spec, struct mesh_err *err)
{
	for (int d = 0; d < spec->ndims; d++) {
		int all = spec->side[d];

		if (p->side[d] < 1 || p->side[d] > all)
			return err_printf(
				err, "the machine has a side of %d in dimension %d", all, d + 1);
		if (p->step[d] < 1 || p->step[d] > all || p->seed[d] < 0 || p->seed[d] >= all)
			return err_printf(err,
				"places are 1 to %d apart in dimension %d, from 0 to %d on", all,
				d + 1, all - 1);
		if (!spec->wrap[d] && p->seed[d] + p->side[d] > all)
			return err_printf(
				err, "its first place is over the edge in dimension %d", d + 1);
	}
	return 0;
}

static int copy_legal(struct mesh *mesh, const struct mesh_spec *spec, struct mesh_err *err)
{
	if (spec->nlegal < 0 || spec->nlegal > MESH_MAX_PLACEMENTS)
		return err_printf(err, "more than %d shapes", MESH_MAX_PLACEMENTS);
	mesh->legal_exact = spec->legal_exact;
	if (!arena_array(&mesh->arena, mesh->legal, spec->nlegal))
		return err_printf(err, "out of memory");
	for (int i = 0; i < spec->nlegal; i++) {
		struct mesh_placement *to = &mesh->legal[mesh->nlegal++];

		if (mesh_placement_check(&spec->legal[i], spec, err))
			return -1;
		*to = (struct mesh_placement){{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {0}};
		for (int d = 0; d < mesh->ndims; d++) {
			to->side[d] = spec->legal[i].side[d];
			to->step[d] = spec->legal[i].step[d];
			to->seed[d] = spec->legal[i].seed[d];
		}
	}
	return 0;
}

static int build(struct mesh *mesh, const struct mesh_spec *spec, struct mesh_err *err)
{
	struct arena *arena = &mesh->arena;

	if (!spec->name || !*spec->name || strlen(spec->name) >= sizeof(mesh->name))
		return err_printf(err, "the name of a mesh has 1 to %d characters",
			MESH_MAX_NAME - 1);
	strcpy(mesh->name, spec->name);
	if (set_sides(mesh, spec, err))
		return -1;
	if (spec->nnodes < 1 || spec->nnodes > MESH_MAX_NODES)
		return err_printf(err, "%d nodes: not in 1..%d", spec->nnodes, MESH_MAX_NODES);
	if (!spec->vertex_of && spec->nodes_per_vertex < 1)
		return err_printf(err, "%d nodes per vertex", spec->nodes_per_vertex);
	mesh->nnodes = spec->nnodes;
	mesh->cabled = spec->cabled;
	for (int d = 0; d < MESH_MAX_DIMS; d++)
		mesh->node_side[d] = d < mesh->ndims ? spec->node_side[d] : 1;
	if (spec->type)
		snprintf(mesh->type, sizeof(mesh->type), "%s", spec->type);
	if (spec->env && !(mesh->env = arena_text(arena, spec->env)))
		return err_printf(err, "out of memory");
	if (copy_legal(mesh, spec, err))
		return -1;
	arena_array(arena, mesh->vertex_of, mesh->nnodes);
	arena_array(arena, mesh->node_at, mesh->nnodes);
	arena_array(arena, mesh->first, mesh->nvertices + 1);
	if (!arena_array(arena, mesh->coord, mesh->nvertices))
		return err_printf(err, "out of memory");
	fill_coords(mesh);
	if (place_nodes(mesh, spec, err))
		return -1;
	if (spec->node_name && (copy_names(mesh, spec) || mesh_index_names(mesh)))
		return err_printf(err, "out of memory");
	return spec->order ? copy_order(mesh, spec, err) : 0;
}

struct mesh *mesh_new(const struct mesh_spec *spec, struct mesh_err *err)
{
	struct mesh *mesh = calloc(1, sizeof(*mesh));

	if (!mesh)
		err_printf(err, "out of memory");
	else if (build(mesh, spec, err)) {
		mesh_free(mesh);
		mesh = NULL;
	}
	return mesh;
}

void mesh_free(struct mesh *mesh)
{
	if (!mesh)
		return;
	if (mesh->graph)
		mesh->drop_graph(mesh->graph);
	arena_release(&mesh->arena);
	free(mesh);
}

int mesh_break(struct mesh *mesh, int v, int d)
{
	if (!mesh->down && !arena_array(&mesh->arena, mesh->down, mesh->nvertices))
		return -1;
	mesh->down[v] |= (uint8_t)(1 << d);
	return 0;
}

int mesh_vertex(const struct mesh *mesh, const int *coord)
{
	int v = 0;

	for (int d = 0; d < mesh->ndims; d++)
		v += coord[d] * mesh->stride[d];
	return v;
}

int mesh_hops(const struct mesh *mesh, int v, int w)
{
	int hops = 0;

	for (int d = 0; d < mesh->ndims; d++)
		hops += mesh_axis_hops(mesh, d, mesh->coord[v][d], mesh->coord[w][d]);
	return hops;
}

int mesh_neighbours(const struct mesh *mesh, int v, int *to)
{
	int n = 0;

	for (int d = 0; d < mesh->ndims && !mesh->cabled; d++) {
		int c = mesh->coord[v][d], side = mesh->side[d], stride = mesh->stride[d];
		bool round = mesh->wrap[d] && side > 2;

		if (c + 1 < side || round)
			to[n++] = v + (c + 1 < side ? stride : (1 - side) * stride);
		if (c > 0 || round)
			to[n++] = v + (c > 0 ? -stride : (side - 1) * stride);
	}
	return n;
}
