/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SVG: a square for each node with its job's letter, and a tooltip. An edge of a plane is dashed
 * if the dimension wraps; lines divide vertices of several nodes. Broken links are red and dashed;
 * they point outwards if they go round, and aslant if they leave the plane.
 */
#include "view/html.h"
#include "view/picture.h"

enum { LETTERS = 11, MARGIN = 4, LEGEND_WIDTH = 200, LEGEND_HEIGHT = 18 };

struct canvas {
	FILE *file;
	const struct picture *picture;
	const struct layout *layout;
	int square; /* the side of a cell */
	struct picture_count count;
};

static bool has_legend(const struct canvas *c)
{
	return c->count.drained || c->count.down;
}

static void begin(const struct canvas *c)
{
	int w = c->layout->width + 2 * MARGIN, h = c->layout->height + 2 * MARGIN;

	if (has_legend(c)) {
		w = w < LEGEND_WIDTH ? LEGEND_WIDTH : w;
		h += LEGEND_HEIGHT;
	}
	fprintf(c->file, "<svg class=\"map\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", w, h, w, h);
	html_put(c->file, "<title>", c->picture->title, "</title>\n<style>\n");
	html_map_style(c->file);
	fprintf(c->file, "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"var(--bg)\"/>\n", w, h);
}

static void svg_label(void *out, int x, int y, const char *text)
{
	struct canvas *c = out;

	fprintf(c->file, "<text class=\"l\" x=\"%d\" y=\"%d\"", MARGIN + x,
		MARGIN + y + c->layout->label - 4);
	html_put(c->file, ">", text, "</text>\n");
}

/* Draw an edge. The upper and lower edges belong to the dimension that goes down. */
static void edge(const struct canvas *c, int x, int y, int dx, int dy)
{
	bool wraps = c->picture->mesh->wrap[c->layout->turned ? !dx : !dy];

	fprintf(c->file, "<path class=\"edge%s\" d=\"M%d %dl%d %d\"/>", wraps ? " wraps" : "", x, y,
		dx, dy);
}

static void svg_plane(void *out, int x, int y)
{
	struct canvas *c = out;
	int w = c->layout->plane_width + 1, h = c->layout->plane_height + 1;
	int left = MARGIN + x - 1, top = MARGIN + y - 1;

	edge(c, left, top, w, 0);
	edge(c, left, top + h, w, 0);
	edge(c, left, top, 0, h);
	edge(c, left + w, top, 0, h);
	fputc('\n', c->file);
}

/* Draw lines between the vertices of each plane, in the gaps that cells have. */
static void borders(const struct canvas *c)
{
	const struct mesh *mesh = c->picture->mesh;
	const struct layout *l = c->layout;

	if (mesh->nodes_per_vertex == 1 || l->step <= 4)
		return;
	fputs("<path class=\"edge vertices\" d=\"", c->file);
	for (int v = 0, x, y, left, top; v < mesh->nvertices; v++) {
		layout_vertex(l, mesh, v, &x, &y);
		layout_plane(l, v / (mesh->nvertices / l->planes), &left, &top);
		if (x > left)
			fprintf(c->file, "M%d.5 %dv%d", MARGIN + x - 1, MARGIN + y,
				l->block_height * l->step);
		if (y > top + l->label)
			fprintf(c->file, "M%d %d.5h%d", MARGIN + x, MARGIN + y - 1,
				l->block_width * l->step);
	}
	fputs("\"/>\n", c->file);
}

static void tooltip(const struct canvas *c, const struct cell *cell)
{
	const struct picture *p = c->picture;
	const struct mesh *mesh = p->mesh;

	fputs("<title>", c->file);
	if (mesh->node_name)
		html_text(c->file, mesh->node_name[cell->node]);
	for (int d = 0; d < mesh->ndims; d++)
		fprintf(c->file, "%s%d", d ? "," : " (",
			mesh->coord[mesh->vertex_of[cell->node]][d]);
	fputs(") ", c->file);
	if (cell->job >= 0)
		html_put(c->file, "job ", p->job[cell->job].id, "");
	fputs(cell->kind == CELL_DOWN ? " down" : cell->kind == CELL_DRAINED ? " drained" : "",
		c->file);
	fputs("</title>", c->file);
}

/* The marks of draw_text.c: a colour alone does not say whose node it is, nor that it is down. */
static void svg_cell(void *out, const struct cell *cell)
{
	static const char mark_of[] = {[CELL_DRAINED] = '%', [CELL_DOWN] = '#', [CELL_JOB] = 0,
		[CELL_FREE] = 0};
	static const char *const class_of[] = {[CELL_FREE] = "free", [CELL_JOB] = "job",
		[CELL_DRAINED] = "drain", [CELL_DOWN] = "down"};
	const struct canvas *c = out;
	int step = c->layout->step, x = MARGIN + cell->x, y = MARGIN + cell->y;
	char mark;

	if (cell->kind == CELL_HOLE)
		return;
	mark = (char)(cell->job >= 0 ? picture_letter(cell->job) : mark_of[cell->kind]);
	fprintf(c->file, "<g><rect class=\"%s\"", class_of[cell->kind]);
	if (cell->kind == CELL_JOB)
		fprintf(c->file, " style=\"--h:%d\"", picture_hue(c->picture, cell->job));
	fprintf(c->file, " x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\">", x, y,
		c->square, c->square, step < 8 ? 0 : 2);
	tooltip(c, cell);
	fputs("</rect>", c->file);
	if (mark && step >= LETTERS)
		fprintf(c->file, "<text x=\"%d\" y=\"%d\">%c</text>", x + c->square / 2,
			y + c->square / 2 + 3, mark);
	fputs("</g>\n", c->file);
}

static void broken_link(const struct canvas *c, int v, int d)
{
	const struct mesh *mesh = c->picture->mesh;
	const struct layout *l = c->layout;
	bool round = mesh->coord[v][d] == mesh->side[d] - 1;
	int x, y, dx, dy, w = l->block_width * l->step / 2, h = l->block_height * l->step / 2;

	layout_vertex(l, mesh, v, &x, &y);
	layout_vertex(l, mesh, round ? v - mesh->stride[d] : v + mesh->stride[d], &dx, &dy);
	dx = d > 1 ? w : round ? (x - dx) / 2 : dx - x;
	dy = d > 1 ? -h : round ? (y - dy) / 2 : dy - y;
	fprintf(c->file, "<path class=\"broken\" d=\"M%d %dl%d %d\"/>\n", MARGIN + x + w,
		MARGIN + y + h, dx, dy);
}

/* Say what the marks and colours of nodes mean that take no job. */
static void legend(const struct canvas *c)
{
	if (!has_legend(c))
		return;
	fprintf(c->file, "<text class=\"l legend\" x=\"%d\" y=\"%d\">", MARGIN,
		c->layout->height + 2 * MARGIN + LEGEND_HEIGHT - 6);
	if (c->count.drained)
		fprintf(c->file, "<tspan class=\"drain\">&#9632;</tspan> %% drained %d ",
			c->count.drained);
	if (c->count.down)
		fprintf(c->file, "<tspan class=\"down\">&#9632;</tspan> # down %d", c->count.down);
	fputs("</text>\n", c->file);
}

static const struct draw_ops svg_ops = {svg_label, svg_plane, svg_cell};

void draw_svg(const struct picture *picture, FILE *file, const struct layout_room *room)
{
	const struct mesh *mesh = picture->mesh;
	struct layout layout;
	struct canvas canvas = {.file = file, .picture = picture, .layout = &layout,
		.count = picture_count(picture)};

	layout_fit(&layout, mesh, room);
	canvas.square = layout.step - (layout.step > 4);
	begin(&canvas);
	picture_draw(picture, &layout, &svg_ops, &canvas);
	borders(&canvas);
	legend(&canvas);
	for (int v = 0; mesh->down && v < mesh->nvertices; v++)
		for (int d = 0; d < mesh->ndims; d++)
			if (mesh_is_down(mesh, v, d))
				broken_link(&canvas, v, d);
	fputs("</svg>\n", file);
}
