/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/matrix.h"

#include <stdlib.h>

#include "view/html.h"

struct blocks {
	int side;
	double *cell, most; /* [side * side]; the largest of them */
};

static int add_up(struct blocks *b, const struct traffic *traffic, int most_side)
{
	*b = (struct blocks){traffic->n < most_side ? traffic->n : most_side, NULL, 0};
	b->cell = calloc((size_t)(b->side * b->side), sizeof(*b->cell));
	if (!b->cell)
		return -1;
	for (int from = 0; from < traffic->n; from++)
		for (size_t e = traffic->start[from]; e < traffic->start[from + 1]; e++) {
			int64_t y = (int64_t)from * b->side / traffic->n;
			int64_t x = (int64_t)traffic->to[e] * b->side / traffic->n;
			double *cell = &b->cell[y * b->side + x];

			*cell += traffic->weight[e];
			b->most = *cell > b->most ? *cell : b->most;
		}
	return 0;
}

int matrix_text(const struct traffic *traffic, FILE *file)
{
	static const char shade[] = " .:-=+*#";
	enum { SIDE = 32, SHADES = sizeof(shade) - 2 };
	struct blocks b;

	if (add_up(&b, traffic, SIDE))
		return -1;
	for (int y = 0; y < b.side; y++) {
		fputc('|', file);
		for (int x = 0; x < b.side; x++) {
			double sent = b.cell[y * b.side + x];
			char c = shade[sent > 0 ? 1 + (int)(sent / b.most * (SHADES - 1)) : 0];

			fprintf(file, "%c%c", c, c);
		}
		fputs("|\n", file);
	}
	free(b.cell);
	return 0;
}

int matrix_svg(const struct traffic *traffic, const char *title, FILE *file)
{
	enum { SIDE = 64 };
	struct blocks b;

	if (add_up(&b, traffic, SIDE))
		return -1;
	fprintf(file, "<svg class=\"map\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" "
		"width=\"640\" viewBox=\"0 0 %d %d\">\n<title>", b.side, b.side);
	html_text(file, title);
	fputs("</title>\n<style>\n", file);
	html_map_style(file);
	fprintf(file, "</style>\n<rect class=\"free\" width=\"%d\" height=\"%d\"/>\n", b.side,
		b.side);
	for (int i = 0; i < b.side * b.side; i++)
		if (b.cell[i] > 0)
			fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"1\" height=\"1\" "
				"fill=\"var(--hot)\" fill-opacity=\"%.2f\"/>\n", i % b.side,
				i / b.side, 0.1 + 0.9 * b.cell[i] / b.most);
	fputs("</svg>\n", file);
	free(b.cell);
	return 0;
}
