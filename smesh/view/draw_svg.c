/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SVG: a square a node with its job's letter, and a tooltip. Above MANY nodes neighbours of one
 * job in a row become one bar without letters, so that the file stays small. An edge of a plane is
 * dashed where the dimension wraps.
 */
#include "view/html.h"
#include "view/picture.h"

enum { MANY = 4096, LETTERS = 11, MARGIN = 4 };

struct canvas {
	FILE *file;
	const struct picture *picture;
	const struct layout *layout;
	bool standalone, small;
	int square; /* side of a cell */
	struct cell bar; /* small: what is being gathered; bar.node -1: nothing */
	int bar_width;
};

static void svg_begin(void *out, const struct picture *picture, int width, int height)
{
	struct canvas *c = out;
	int w, h;

	c->picture = picture;
	c->small = picture->mesh->nnodes > MANY;
	c->square = c->layout->step - (c->layout->step > 4);
	c->bar.node = -1;
	w = width + 2 * MARGIN;
	h = height + 2 * MARGIN;
	fprintf(c->file, "<svg class=\"map\" role=\"img\" %swidth=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<title>",
		c->standalone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", w, h, w, h);
	html_text(c->file, picture->title);
	fputs("</title>\n", c->file);
	if (c->standalone) {
		fputs("<style>\n", c->file);
		html_map_style(c->file);
		fprintf(c->file,
			"</style>\n<rect width=\"%d\" height=\"%d\" fill=\"var(--bg)\"/>\n", w, h);
	}
}

static void svg_label(void *out, int x, int y, const char *text)
{
	struct canvas *c = out;

	fprintf(c->file, "<text class=\"l\" x=\"%d\" y=\"%d\">", MARGIN + x,
		MARGIN + y + c->layout->label - 4);
	html_text(c->file, text);
	fputs("</text>\n", c->file);
}

/* The upper and lower edge belong to the dimension that goes down. */
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

static void tooltip(const struct canvas *c, const struct cell *cell)
{
	const struct picture *p = c->picture;
	const struct mesh *mesh = p->mesh;

	fputs("<title>", c->file);
	if (!c->small && mesh->node_name)
		html_text(c->file, mesh->node_name[cell->node]);
	for (int d = 0; !c->small && d < mesh->ndims; d++)
		fprintf(c->file, "%s%d", d ? "," : " (",
			mesh->coord[mesh->vertex_of[cell->node]][d]);
	fputs(c->small ? "" : ") ", c->file);
	if (cell->job >= 0) {
		fputs("job ", c->file);
		html_text(c->file, p->job[cell->job].id);
	}
	fputs(cell->kind == CELL_DOWN ? " down" : cell->kind == CELL_DRAINED ? " drained" : "",
		c->file);
	fputs("</title>", c->file);
}

static void draw_bar(const struct canvas *c, const struct cell *cell, int cells)
{
	static const char *const class_of[] = {[CELL_FREE] = "free", [CELL_JOB] = "job",
		[CELL_DRAINED] = "drain", [CELL_DOWN] = "down"};
	int step = c->layout->step, x = MARGIN + cell->x, y = MARGIN + cell->y;
	int width = c->square + (cells - 1) * step;

	fprintf(c->file, "<g><rect class=\"%s\"", class_of[cell->kind]);
	if (cell->kind == CELL_JOB)
		fprintf(c->file, " style=\"--h:%d\"", picture_hue(c->picture, cell->job));
	fprintf(c->file, " x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\">", x, y, width,
		c->square, step < 8 ? 0 : 2);
	tooltip(c, cell);
	fputs("</rect>", c->file);
	if (cell->job >= 0 && !c->small && step >= LETTERS)
		fprintf(c->file, "<text x=\"%d\" y=\"%d\">%c</text>", x + c->square / 2,
			y + c->square / 2 + 3, picture_letter(cell->job));
	fputs("</g>\n", c->file);
}

static void flush_bar(struct canvas *c)
{
	if (c->bar.node >= 0)
		draw_bar(c, &c->bar, c->bar_width);
	c->bar.node = -1;
}

static void svg_cell(void *out, const struct cell *cell)
{
	struct canvas *c = out;

	if (cell->kind == CELL_HOLE)
		return;
	if (!c->small) {
		draw_bar(c, cell, 1);
		return;
	}
	if (c->bar.node >= 0 && c->bar.kind == cell->kind && c->bar.job == cell->job &&
		c->bar.y == cell->y &&
		c->bar.x + c->bar_width * c->layout->step == cell->x) {
		c->bar_width++;
		return;
	}
	flush_bar(c);
	c->bar = *cell;
	c->bar_width = 1;
}

static void svg_end(void *out)
{
	struct canvas *c = out;

	flush_bar(c);
	fputs("</svg>\n", c->file);
}

static const struct draw_ops svg_ops = {.begin = svg_begin, .label = svg_label, .plane = svg_plane,
	.cell = svg_cell, .end = svg_end};

void draw_svg(const struct picture *picture, FILE *file, const struct svg_options *options)
{
	struct layout layout;
	struct canvas canvas = {.file = file, .standalone = options->standalone, .layout = &layout};

	layout_fit(&layout, picture->mesh, options->room);
	picture_draw(picture, &layout, &svg_ops, &canvas);
}
