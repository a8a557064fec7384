/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SVG: a square a node with its job's letter, and a tooltip. Above MANY nodes the squares get
 * small and neighbours of one job in a row become one bar without letters, so that the file
 * stays small too.
 */
#include "html.h"
#include "picture.h"

enum { MANY = 4096, LARGE_STEP = 15, SMALL_STEP = 5 };

struct canvas {
	FILE *file;
	const struct picture *picture;
	bool standalone, small;
	int step, square;
	struct cell bar; /* small: what is being gathered; bar.node -1: nothing */
	int bar_width;
};

static void svg_begin(void *out, const struct picture *picture, int width, int height)
{
	struct canvas *c = out;
	int w, h;

	c->picture = picture;
	c->small = picture->mesh->nnodes > MANY;
	c->step = c->small ? SMALL_STEP : LARGE_STEP;
	c->square = c->step - 1;
	c->bar.node = -1;
	w = width * c->step + 8;
	h = height * c->step + 8;
	fprintf(c->file, "<svg class=\"map\" role=\"img\" %swidth=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<title>",
		c->standalone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", w, h, w, h);
	html_text(c->file, picture->title);
	fputs("</title>\n", c->file);
	if (c->standalone) {
		fputs("<style>\n", c->file);
		html_map_style(c->file);
		fprintf(c->file, "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"var(--bg)\"/>\n",
			w, h);
	}
}

static void svg_label(void *out, int x, int y, const char *text)
{
	struct canvas *c = out;

	fprintf(c->file, "<text class=\"l\" x=\"%d\" y=\"%d\">", 4 + x * c->step,
		4 + y * c->step + c->step - 4);
	html_text(c->file, text);
	fputs("</text>\n", c->file);
}

static void tooltip(const struct canvas *c, const struct cell *cell)
{
	const struct picture *p = c->picture;
	const struct mesh *mesh = p->mesh;

	fputs("<title>", c->file);
	if (!c->small && mesh->node_name)
		html_text(c->file, mesh->node_name[cell->node]);
	for (int d = 0; !c->small && d < mesh->ndims; d++)
		fprintf(c->file, "%s%d", d ? "," : " (", mesh->coord[mesh->vertex_of[cell->node]][d]);
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
	int x = 4 + cell->x * c->step, y = 4 + cell->y * c->step;
	int width = c->square + (cells - 1) * c->step;

	fprintf(c->file, "<g><rect class=\"%s\"", class_of[cell->kind]);
	if (cell->kind == CELL_JOB)
		fprintf(c->file, " style=\"--h:%d\"", picture_hue(cell->job));
	fprintf(c->file, " x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\">", x, y, width,
		c->square, c->small ? 0 : 2);
	tooltip(c, cell);
	fputs("</rect>", c->file);
	if (cell->job >= 0 && !c->small)
		fprintf(c->file, "<text x=\"%d\" y=\"%d\">%c</text>", x + c->square / 2,
			y + c->square - 4, picture_letter(cell->job));
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
		c->bar.y == cell->y && c->bar.x + c->bar_width == cell->x) {
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

static const struct draw_ops svg_ops = {
	.begin = svg_begin, .label = svg_label, .cell = svg_cell, .end = svg_end};

void draw_svg(const struct picture *picture, FILE *file, int width, bool standalone)
{
	struct canvas canvas = {.file = file, .standalone = standalone};

	picture_draw(picture, width, &svg_ops, &canvas);
}
