/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "geometry/box.h"

#include "base/nodeset.h"

bool box_vertex_is_in(const struct mesh *mesh, int v, const struct nodeset *set)
{
	for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
		if (!nodeset_has(set, mesh->node_at[i]))
			return false;
	return true;
}

/* Cut a box where it runs over the edge: up to 2^ndims flat boxes in piece[]. Returns how many. */
static int unwrap(const struct mesh *mesh, const struct mesh_box *box, struct mesh_box *piece)
{
	int pieces = 1;

	piece[0] = *box;
	for (int d = 0; d < mesh->ndims; d++) {
		int over = box->base[d] + box->side[d] - mesh->side[d];

		if (over <= 0)
			continue;
		for (int i = 0; i < pieces; i++) {
			piece[pieces + i] = piece[i];
			piece[pieces + i].base[d] = 0;
			piece[pieces + i].side[d] = over;
			piece[i].side[d] -= over;
		}
		pieces *= 2;
	}
	return pieces;
}

struct snake {
	const struct mesh *mesh;
	const struct mesh_box *box;
	int dim[MESH_MAX_DIMS]; /* fastest first */
	int offset[MESH_MAX_DIMS];
	bool down[MESH_MAX_DIMS];
	int vertex;
};

/*
 * One step in snake order: advance the first dimension that can go on in its direction, and turn
 * the ones before it round. False at the end.
 */
static bool snake_step(struct snake *s)
{
	for (int i = 0; i < s->mesh->ndims; i++) {
		int d = s->dim[i], all = s->mesh->side[d];
		int step = s->down[d] ? -1 : 1, next = s->offset[d] + step;
		int from = s->box->base[d] + s->offset[d], to = s->box->base[d] + next;

		if (next >= 0 && next < s->box->side[d]) {
			s->offset[d] = next;
			from -= from >= all ? all : 0;
			to -= to >= all ? all : 0;
			s->vertex += (to - from) * s->mesh->stride[d];
			return true;
		}
		s->down[d] = !s->down[d];
	}
	return false;
}

/* Add all nodes of a flat box, row by row: node_at[] has the nodes of a row together. */
static void take_rows(const struct mesh *mesh, const struct mesh_box *box, struct nodeset *set)
{
	int at[MESH_MAX_DIMS], d;

	for (d = 0; d < mesh->ndims; d++)
		at[d] = box->base[d];
	do {
		int v = mesh_vertex(mesh, at);

		for (int i = mesh->first[v]; i < mesh->first[v + box->side[0]]; i++)
			nodeset_add(set, mesh->node_at[i]);
		for (d = 1; d < mesh->ndims && ++at[d] == box->base[d] + box->side[d]; d++)
			at[d] = box->base[d];
	} while (d < mesh->ndims);
}

void box_take(const struct mesh *mesh, const struct mesh_box *box, int count,
	const struct nodeset *required, struct nodeset *set)
{
	struct snake snake = {.mesh = mesh, .box = box, .vertex = mesh_vertex(mesh, box->base)};
	int room = count - (required ? nodeset_count(required) : 0);

	if (box_volume(mesh->ndims, box->side) * mesh->nodes_per_vertex == count) {
		struct mesh_box piece[1 << MESH_MAX_DIMS];

		for (int i = unwrap(mesh, box, piece); i--;)
			take_rows(mesh, &piece[i], set);
		return;
	}
	axis_sort(mesh->ndims, box->side, snake.dim);
	do {
		int v = snake.vertex;

		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++) {
			bool must = required && nodeset_has(required, mesh->node_at[i]);

			if (!must && !room)
				continue;
			nodeset_add(set, mesh->node_at[i]);
			room -= !must;
			if (!--count)
				return;
		}
	} while (snake_step(&snake));
}

void box_remove(const struct mesh *mesh, const struct mesh_box *box, struct nodeset *set)
{
	box_each(v, mesh, box)
		for (int i = mesh->first[v]; i < mesh->first[v + 1]; i++)
			nodeset_del(set, mesh->node_at[i]);
}
