/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Line charts and bars for our pages: SVG and plain HTML, no script.
 */
#ifndef SMESH_CHART_H
#define SMESH_CHART_H

#include <stdio.h>

struct chart_series {
	const char *name;
	int colour; /* number of the series in all charts of a page */
	const double *x, *y; /* [n] */
	int n;
};

struct chart {
	const char *title;
	const char *x_title, *y_title;
	const char *const *x_label; /* at x = 0, 1, ..., or NULL: numbers */
	int x_labels;
	double y_max; /* 0: from the data */
};

/* A card with the chart and its key. */
void chart_lines(FILE *file, const struct chart *chart, const struct chart_series *series, int n);

/* A card with one bar a value; `best` is the index to make bold, or -1. */
void chart_bars(FILE *file, const char *title, const char *const *name, const double *value, int n,
	int decimals, int best);

/* style="" for something in the colour of a series. */
void chart_colour(FILE *file, const char *property, int colour);

#endif
