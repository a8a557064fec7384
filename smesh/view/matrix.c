/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/matrix.h"

enum { SIDE = 32 };

/* The block that a rank belongs to. */
static int block_of(const struct traffic *traffic, int rank)
{
	return traffic->n < SIDE ? rank : (int)((int64_t)rank * SIDE / traffic->n);
}

void matrix_text(const struct traffic *traffic, FILE *file)
{
	static const char shade[] = " .:-=+*#";
	int side = traffic->n < SIDE ? traffic->n : SIDE;
	double sent[SIDE][SIDE] = {{0}}, most = 0;

	for (int from = 0; from < traffic->n; from++)
		for (size_t e = traffic->start[from]; e < traffic->start[from + 1]; e++) {
			int y = block_of(traffic, from), x = block_of(traffic, traffic->to[e]);

			sent[y][x] += traffic->weight[e];
			most = sent[y][x] > most ? sent[y][x] : most;
		}
	for (int y = 0; y < side; y++) {
		fputc('|', file);
		for (int x = 0; x < side; x++) {
			int dark = (int)(sent[y][x] / most * ((int)sizeof(shade) - 3));
			char c = shade[sent[y][x] > 0 ? 1 + dark : 0];

			fprintf(file, "%c%c", c, c);
		}
		fputs("|\n", file);
	}
}
