/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/layout.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/human.h"

/* Gaps between planes, the height of a label, and the width of two letters. */
struct spaces {
	int gap_x, gap_y, label, two_letters;
};
static const struct spaces terminal = {2, 1, 1, 1}, page = {10, 8, 15, 14};

static int up(int a, int b)
{
	return (a + b - 1) / b;
}

/* How many planes can be side by side, or vertices in one dimension. */
static int most_across(const struct layout *l, const struct mesh *mesh)
{
	return mesh->ndims == 1 ? mesh->side[0] : l->planes;
}

static void arrange(
	struct layout *l, const struct mesh *mesh, const struct spaces *space, int across)
{
	bool line = mesh->ndims == 1, labelled = mesh->ndims > 2;
	int fold = line ? across : mesh->side[0], name;
	int rows = line ? up(mesh->side[0], across) : mesh->side[1];
	char text[96];

	/* The last plane has the largest coordinates, and so the longest name. */
	layout_name(mesh, l->planes - 1, text, sizeof(text));
	name = up((int)strlen(text) * space->two_letters, 2);
	l->fold = fold;
	l->per_row = line ? 1 : across;
	l->plane_width = (l->turned ? rows : fold) * l->block_width * l->step;
	l->plane_height = (l->turned ? fold : rows) * l->block_height * l->step;
	l->label = labelled ? space->label : 0;
	l->pitch_x = (l->plane_width > name ? l->plane_width : name) + space->gap_x;
	l->pitch_y = l->plane_height + l->label + (labelled ? space->gap_y : 0);
	l->width = l->per_row * l->pitch_x - space->gap_x;
	l->height = up(l->planes, l->per_row) * l->pitch_y;
}

static struct layout begin(const struct mesh *mesh, int block_width, int step)
{
	struct layout l = {.block_width = block_width,
		.block_height = up(mesh->nodes_per_vertex, block_width),
		.step = step, .planes = 1};

	for (int d = 2; d < mesh->ndims; d++)
		l.planes *= mesh->side[d];
	return l;
}

void layout_rows(struct layout *l, const struct mesh *mesh, int width)
{
	int across;

	*l = begin(mesh, mesh->nodes_per_vertex, 1);
	across = most_across(l, mesh);
	do
		arrange(l, mesh, &terminal, across);
	while (l->width > width && --across);
}

/*
 * Try layouts with planes as in l, and keep one with larger cells than *best. whole: only with as
 * many planes in the last row as in the others.
 */
static void try_all(struct layout *best, struct layout l, const struct mesh *mesh,
	const struct layout_room *room, bool whole)
{
	for (int across = most_across(&l, mesh); across > 0; across--) {
		int left = l.planes > 1 ? l.planes % across : 0;

		if (whole ? left : left == 1)
			continue;
		for (l.step = best->step + 1; l.step <= room->high; l.step++) {
			arrange(&l, mesh, &page, across);
			if (l.width > room->width || l.height > room->height)
				break;
			*best = l;
		}
	}
}

void layout_fit(struct layout *best, const struct mesh *mesh, const struct layout_room *room)
{
	struct layout_room high = {room->width, INT_MAX, room->low, 2 * room->low};
	struct layout l = begin(mesh, (int)ceil(sqrt(mesh->nodes_per_vertex)), room->low - 1);

	*best = l;
	for (int way = 0; way < 4; way++) {
		l.turned = way % 2 && mesh->ndims > 1;
		try_all(best, l, mesh, room, way < 2);
	}
	if (best->per_row)
		return;
	/* Too high in any case, so cells stay large enough to see. */
	l.turned = false;
	try_all(best, l, mesh, &high, false);
	if (!best->per_row) {
		best->step = room->low;
		arrange(best, mesh, &page, 1);
	}
}

void layout_plane(const struct layout *l, int plane, int *x, int *y)
{
	*x = plane % l->per_row * l->pitch_x;
	*y = plane / l->per_row * l->pitch_y;
}

void layout_vertex(const struct layout *l, const struct mesh *mesh, int v, int *x, int *y)
{
	int sides = mesh->nvertices / l->planes, inside = v % sides;
	int along = inside % l->fold, down = inside / l->fold;

	layout_plane(l, v / sides, x, y);
	*x += (l->turned ? down : along) * l->block_width * l->step;
	*y += l->label + (l->turned ? along : down) * l->block_height * l->step;
}

void layout_name(const struct mesh *mesh, int plane, char *text, size_t size)
{
	*text = '\0';
	for (int d = 2; d < mesh->ndims; d++) {
		human_add(text, size, "%s%c=%d", d > 2 ? " " : "", "xyzuvw"[d],
			plane % mesh->side[d]);
		plane /= mesh->side[d];
	}
}
