/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAP = 2, LETTER_WIDTH = 7, LETTER_HEIGHT = 15, NAME = 96 };

static int up(int a, int b)
{
	return (a + b - 1) / b;
}

static int longest_name(const struct mesh *mesh, int planes)
{
	char text[NAME];

	/* The last plane has the largest coordinates. */
	layout_name(mesh, planes - 1, text, sizeof(text));
	return (int)strlen(text);
}

static void measure_planes(struct layout *l, const struct mesh *mesh)
{
	int rows = mesh->ndims > 1 ? mesh->side[1] : up(mesh->side[0], l->fold);

	l->plane_width = l->fold * l->block_width;
	l->plane_height = rows * l->block_height;
	l->planes = mesh->ndims > 2 ? mesh->nvertices / (mesh->side[0] * mesh->side[1]) : 1;
}

static void arrange(struct layout *l, int per_row)
{
	l->per_row = per_row < 1 ? 1 : per_row > l->planes ? l->planes : per_row;
	l->width = l->per_row * l->pitch_x - GAP;
	l->height = up(l->planes, l->per_row) * l->pitch_y;
}

void layout_rows(struct layout *l, const struct mesh *mesh, int width)
{
	int c = mesh->nodes_per_vertex;

	memset(l, 0, sizeof(*l));
	l->block_width = c;
	l->block_height = 1;
	l->fold = mesh->side[0];
	if (mesh->ndims == 1 && l->fold * c > width)
		l->fold = width > c ? width / c : 1;
	measure_planes(l, mesh);
	l->label = mesh->ndims > 2;
	/* A letter of the terminal is half a cell wide. */
	l->pitch_x = l->plane_width + GAP;
	if (up(longest_name(mesh, l->planes), 2) > l->plane_width)
		l->pitch_x = up(longest_name(mesh, l->planes), 2) + GAP;
	l->pitch_y = l->plane_height + (mesh->ndims > 2 ? GAP : 0);
	arrange(l, (width + GAP) / l->pitch_x);
}

/* With cells of so many pixels. */
static void layout_step(struct layout *l, const struct mesh *mesh, int step, int width)
{
	int name = up(longest_name(mesh, l->planes) * LETTER_WIDTH, step);

	if (mesh->ndims == 1) {
		l->fold = width / step / l->block_width;
		l->fold = l->fold < 1 ? 1 : l->fold > mesh->side[0] ? mesh->side[0] : l->fold;
	}
	measure_planes(l, mesh);
	l->label = mesh->ndims > 2 ? up(LETTER_HEIGHT, step) : 0;
	l->pitch_x = (l->plane_width > name ? l->plane_width : name) + GAP;
	l->pitch_y = l->plane_height + l->label + (mesh->ndims > 2 ? 1 : 0);
	arrange(l, (width / step + GAP) / l->pitch_x);
}

int layout_fit(struct layout *l, const struct mesh *mesh, const struct layout_room *room)
{
	int step, wide = 0;

	memset(l, 0, sizeof(*l));
	l->block_width = (int)ceil(sqrt(mesh->nodes_per_vertex));
	l->block_height = up(mesh->nodes_per_vertex, l->block_width);
	l->fold = mesh->side[0];
	measure_planes(l, mesh);
	for (step = room->high; step >= room->low; step--) {
		layout_step(l, mesh, step, room->width);
		if (l->width * step > room->width)
			continue;
		if (!wide)
			wide = step;
		if (l->height * step <= room->height)
			return step;
	}
	/* Too high in any case: no smaller than what is still easy to see. */
	step = wide > 2 * room->low ? 2 * room->low : wide ? wide : room->low;
	layout_step(l, mesh, step, room->width);
	return step;
}

void layout_plane(const struct layout *l, int plane, int *x, int *y)
{
	*x = plane % l->per_row * l->pitch_x;
	*y = plane / l->per_row * l->pitch_y;
}

void layout_vertex(const struct layout *l, const struct mesh *mesh, int v, int *x, int *y)
{
	int sides = mesh->ndims > 1 ? mesh->side[0] * mesh->side[1] : mesh->side[0];
	int inside = v % sides;

	layout_plane(l, v / sides, x, y);
	*x += inside % l->fold * l->block_width;
	*y += l->label + inside / l->fold * l->block_height;
}

void layout_name(const struct mesh *mesh, int plane, char *text, size_t size)
{
	static const char names[MESH_MAX_DIMS + 1] = "xyzuvw";
	size_t used = 0;

	*text = '\0';
	for (int d = 2; d < mesh->ndims && used < size; d++) {
		used += (size_t)snprintf(text + used, size - used, "%s%c=%d", d > 2 ? " " : "",
			names[d], plane % mesh->side[d]);
		plane /= mesh->side[d];
	}
}
