/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Line charts and columns for our pages: SVG and plain HTML, no script.
 */
#ifndef SMESH_CHART_H
#define SMESH_CHART_H

#include <stdio.h>

struct chart_series {
	const char *name;
	int colour; /* number of the series in all charts of a page; -1: one of the rest, grey */
	const double *x, *y; /* [n] */
	int n;
};

struct chart {
	const char *title;
	const char *x_title, *y_title;
	const char *const *x_label; /* at x = 0, 1, ..., or NULL: numbers */
	int x_labels;
	double y_max; /* 0: from the data */
	const char *y_unit; /* after figures, or NULL */
};

/* A card with the chart and its key. */
void chart_lines(FILE *file, const struct chart *chart, const struct chart_series *series, int n);

/* The same with columns in groups, up or down from 0; x are whole numbers. */
void chart_columns(FILE *file, const struct chart *chart, const struct chart_series *series, int n);

#endif
