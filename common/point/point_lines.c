/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "point/point.h"

/* Fewer nodes to choose, or fewer cells for each line: all cells are looked at. */
#define LEAST_TAKE 8
#define LEAST_CELLS 4

static int coordinate(const struct point_cells *cells, const struct mesh *mesh, int cell, int d)
{
	return mesh->coord[cells->vertex[cell]][d];
}

/* ---- lines ---- */

/* From a step along the axis to the next the hops change by those before it, less those after it. */
static void find_middle(struct point_axis *axis, int chosen)
{
	while (axis->middle < axis->high && 2 * (axis->before + axis->count[axis->middle]) < chosen)
		axis->before += axis->count[axis->middle++];
	while (axis->middle > axis->low && 2 * axis->before >= chosen)
		axis->before -= axis->count[--axis->middle];
}

/* How far the box reaches along the axis, and the middle. On a ring only where no way goes round. */
static bool load_axis(struct point *point, const struct point_shell *shell, int d)
{
	const struct mesh *mesh = point->mesh;
	struct point_axis *axis = &point->cells.lines.along[d];
	int c = mesh->coord[shell->centre][d], last = mesh->side[d] - 1;
	int low = c - point->space.below[d] - shell->radius, high = c + point->space.above[d] + shell->radius;

	if (mesh->wrap[d] && (low < 0 || high > last || 2 * (high - low) > last || point->nrequired))
		return false;
	*axis = (struct point_axis){.low = low > 0 ? low : 0, .high = high < last ? high : last,
		.count = point->count[d]};
	while (axis->middle < axis->low)
		axis->before += axis->count[axis->middle++];
	find_middle(axis, point->cells.lines.chosen);
	return true;
}

/* The hops from one coordinate less those from another. */
static int64_t hops_more(const struct point_axis *axis, int chosen, int from, int to)
{
	int low = from < to ? from : to, high = from < to ? to : from, before = axis->before;
	int64_t more = 0;

	for (int q = axis->middle; q < low; q++)
		before += axis->count[q];
	for (int q = axis->middle; q > low; q--)
		before -= axis->count[q - 1];
	for (int q = low; q < high; q++) {
		before += axis->count[q];
		more += 2 * before - chosen;
	}
	return from < to ? more : -more;
}

/* Is the vertex' row in the surface of the box, not only its ends? */
static bool in_face(const struct point *point, const struct point_shell *shell, int v)
{
	const struct mesh *mesh = point->mesh;

	for (int d = 1; d < mesh->ndims; d++)
		if (ball_axis(&point->space, d, mesh->coord[shell->centre][d], mesh->coord[v][d]) ==
			shell->radius)
			return true;
	return false;
}

struct open_line {
	int line, last; /* cell; -1: there is none yet */
};

/* The lines on which the next cell may be. */
struct open_lines {
	int past;  /* the row's last vertex */
	int plane; /* rows that differ in dimension 1 only */
	bool face;
	struct open_line row, edge[2]; /* along dimension 1: below the centre, above it */
};

static void turn_to_row(const struct point *point, const struct point_shell *shell, int v,
	struct open_lines *open)
{
	static const struct open_line none = {-1, -1};
	const struct mesh *mesh = point->mesh;
	int row = v / mesh->side[0], plane = row / mesh->side[1];

	open->past = (row + 1) * mesh->side[0];
	open->face = in_face(point, shell, v);
	open->row = none;
	if (plane != open->plane)
		open->edge[0] = open->edge[1] = none;
	open->plane = plane;
}

/* The cell is the line's last one. */
static void append(struct point_cells *cells, const struct mesh *mesh, struct open_line *to, int axis, int cell)
{
	struct point_lines *lines = &cells->lines;
	int *end;

	if (to->line < 0) {
		to->line = lines->n++;
		lines->axis[to->line] = axis;
		lines->cell[2 * to->line] = lines->cell[2 * to->line + 1] = -1;
	}
	lines->of[cell] = to->line;
	lines->before[cell] = to->last;
	lines->after[cell] = -1;
	if (to->last >= 0)
		lines->after[to->last] = cell;
	to->last = cell;
	end = &lines->cell[2 * to->line];
	if (coordinate(cells, mesh, cell, axis) < lines->along[axis].middle)
		end[0] = cell;
	else if (end[1] < 0)
		end[1] = cell;
}

/* Rows of the mesh, and where only their ends are in the shell the lines across these. Are they few? */
static bool find_lines(struct point *point, const struct point_shell *shell)
{
	struct point_cells *cells = &point->cells;
	const struct mesh *mesh = point->mesh;
	struct open_lines open = {.past = 0, .plane = -1};

	for (int i = 0; i < cells->n; i++) {
		int v = cells->vertex[i];

		if (v >= open.past)
			turn_to_row(point, shell, v, &open);
		if (open.face)
			append(cells, mesh, &open.row, 0, i);
		else
			append(cells, mesh, &open.edge[mesh->coord[v][0] > mesh->coord[shell->centre][0]], 1, i);
		if (cells->lines.n * LEAST_CELLS > cells->n)
			return false;
	}
	return true;
}

/* ---- their ends ---- */

static void load_end(struct point *point, int centre, int end)
{
	struct point_cells *cells = &point->cells;
	const struct mesh *mesh = point->mesh;
	int cell = cells->lines.cell[end], other = cells->lines.cell[end ^ 1];

	cells->key[end] = cell < 0 ? POINT_TAKEN : 0;
	for (int d = 0; d < mesh->ndims; d++) {
		int at = cells->at[d][end] = coordinate(cells, mesh, cell < 0 ? other : cell, d);

		cells->key[end] += (int)(point->far[d][at] - point->far[d][mesh->coord[centre][d]]);
	}
}

int point_lines_load(struct point *point, const struct point_shell *shell)
{
	struct point_cells *cells = &point->cells;
	struct point_lines *lines = &cells->lines;
	int ends;

	lines->chosen = point->nrequired + point->wanted - shell->take;
	if (!point->space.boxes || !point->ordered || point->mesh->ndims < 2 || shell->take < LEAST_TAKE ||
		!load_axis(point, shell, 0) || !load_axis(point, shell, 1) || !find_lines(point, shell)) {
		lines->n = 0;
		return 0;
	}
	ends = 2 * lines->n;
	for (int end = 0; end < ends; end++)
		load_end(point, shell->centre, end);
	point_cells_end(cells, ends);
	return ends + lines->along[0].high - lines->along[0].low + lines->along[1].high - lines->along[1].low;
}

/* The end moves along the line to a cell from where this end, or the line's other one, is; -1: to none. */
static void move_end(struct point_cells *cells, const struct mesh *mesh, int end, int from, int to)
{
	struct point_lines *lines = &cells->lines;
	int d = lines->axis[end / 2], key = cells->key[from], at = coordinate(cells, mesh, lines->cell[from], d);

	lines->cell[end] = to;
	cells->key[end] = POINT_TAKEN;
	if (to < 0)
		return;
	cells->at[d][end] = coordinate(cells, mesh, to, d);
	cells->key[end] = key + (int)hops_more(&lines->along[d], lines->chosen, at, cells->at[d][end]);
}

void point_lines_take(struct point_cells *cells, const struct mesh *mesh, int cell)
{
	struct point_lines *lines = &cells->lines;
	int before = lines->before[cell], after = lines->after[cell], end = 2 * lines->of[cell];

	if (--cells->rest[cell])
		return;
	if (before >= 0)
		lines->after[before] = after;
	if (after >= 0)
		lines->before[after] = before;
	end += lines->cell[end] != cell;
	move_end(cells, mesh, end, end, end % 2 ? after : before);
}

/* The middle is elsewhere: the line's ends are the cells on its two sides again. */
static void part_line(struct point_cells *cells, const struct mesh *mesh, int line)
{
	struct point_lines *lines = &cells->lines;
	int d = lines->axis[line], *cell = &lines->cell[2 * line];

	for (int side = 0; side < 2; side++)
		/* This end is on the other side: the other end follows it. */
		while (cell[side] >= 0 &&
			(coordinate(cells, mesh, cell[side], d) >= lines->along[d].middle) != side) {
			int end = 2 * line + side, next = side ? lines->after[cell[side]] : lines->before[cell[side]];

			move_end(cells, mesh, end ^ 1, end, cell[side]);
			move_end(cells, mesh, end, end, next);
		}
}

bool point_lines_follow(struct point_cells *cells, const struct mesh *mesh, int cell)
{
	struct point_lines *lines = &cells->lines;
	bool moved[2];

	lines->chosen++;
	for (int d = 0; d < 2; d++) {
		struct point_axis *axis = &lines->along[d];
		int c = coordinate(cells, mesh, cell, d), was = axis->middle;

		axis->count[c]++;
		axis->before += c < was;
		find_middle(axis, lines->chosen);
		moved[d] = axis->middle != was;
	}
	if (!moved[0] && !moved[1])
		return false;
	for (int line = 0; line < lines->n; line++)
		if (moved[lines->axis[line]])
			part_line(cells, mesh, line);
	return true;
}
