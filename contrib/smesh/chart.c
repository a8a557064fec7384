/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chart.h"

#include <math.h>

#include "html.h"

enum { WIDTH = 560, HEIGHT = 290, LEFT = 58, RIGHT = 16, TOP = 12, BOTTOM = 52 };

static int hue(int colour)
{
	return (210 + colour * 137) % 360;
}

void chart_colour(FILE *file, const char *property, int colour)
{
	fprintf(file, "style=\"%s:hsl(%d var(--sat) var(--ll))\"", property, hue(colour));
}

struct axes {
	double x_low, x_high, y_high, x_step, y_step;
};

/* 1, 2 or 5 times a power of ten: about `ticks` of them in the span. */
static double nice_step(double span, int ticks)
{
	double rough = span / ticks, power = pow(10, floor(log10(rough > 0 ? rough : 1)));
	double part = rough / power;

	return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static struct axes fit(const struct chart *chart, const struct chart_series *series, int n)
{
	struct axes a = {.x_low = HUGE_VAL, .x_high = -HUGE_VAL, .y_high = chart->y_max};

	for (int i = 0; i < n; i++)
		for (int j = 0; j < series[i].n; j++) {
			a.x_low = fmin(a.x_low, series[i].x[j]);
			a.x_high = fmax(a.x_high, series[i].x[j]);
			if (chart->y_max <= 0)
				a.y_high = fmax(a.y_high, series[i].y[j]);
		}
	if (!(a.x_high > a.x_low)) {
		a.x_low = a.x_low < HUGE_VAL ? a.x_low : 0;
		a.x_high = a.x_low + 1;
	}
	if (!(a.y_high > 0))
		a.y_high = 1;
	a.y_step = nice_step(a.y_high, 4);
	a.y_high = ceil(a.y_high / a.y_step - 1e-9) * a.y_step;
	a.x_step = nice_step(a.x_high - a.x_low, 6);
	return a;
}

static double x_at(const struct axes *a, double x)
{
	return LEFT + (x - a->x_low) / (a->x_high - a->x_low) * (WIDTH - LEFT - RIGHT);
}

static double y_at(const struct axes *a, double y)
{
	return HEIGHT - BOTTOM - y / a->y_high * (HEIGHT - TOP - BOTTOM);
}

static void draw_grid(FILE *file, const struct chart *chart, const struct axes *a)
{
	for (int i = 0; i * a->y_step <= a->y_high * 1.0001; i++)
		fprintf(file, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n", LEFT,
			WIDTH - RIGHT, y_at(a, i * a->y_step), y_at(a, i * a->y_step), LEFT - 6,
			y_at(a, i * a->y_step) + 4, i * a->y_step);
	for (int i = 0; chart->x_label && i < chart->x_labels; i++)
		if (i >= a->x_low && i <= a->x_high)
			fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
				x_at(a, i), HEIGHT - BOTTOM + 19, chart->x_label[i]);
	for (double x = ceil(a->x_low / a->x_step) * a->x_step;
		!chart->x_label && x <= a->x_high * 1.0001; x += a->x_step)
		fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.5g</text>\n",
			x_at(a, x), HEIGHT - BOTTOM + 19, x);
	fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (WIDTH + LEFT) / 2,
		HEIGHT - 6);
	html_text(file, chart->x_title);
	fputs("</text>\n", file);
}

static void draw_series(FILE *file, const struct axes *a, const struct chart_series *s)
{
	fputs("<polyline class=\"series\" ", file);
	chart_colour(file, "stroke", s->colour);
	fputs(" points=\"", file);
	for (int i = 0; i < s->n; i++)
		fprintf(file, "%.1f,%.1f ", x_at(a, s->x[i]), y_at(a, s->y[i]));
	fputs("\"><title>", file);
	html_text(file, s->name);
	fputs("</title></polyline>\n", file);
	for (int i = 0; i < s->n && s->n <= 40; i++) {
		fprintf(file, "<circle r=\"3\" cx=\"%.1f\" cy=\"%.1f\" ", x_at(a, s->x[i]),
			y_at(a, s->y[i]));
		chart_colour(file, "fill", s->colour);
		fputs("><title>", file);
		html_text(file, s->name);
		fprintf(file, ": %.5g</title></circle>\n", s->y[i]);
	}
}

void chart_lines(FILE *file, const struct chart *chart, const struct chart_series *series, int n)
{
	struct axes a = fit(chart, series, n);

	fputs("<div class=\"card\"><h3>", file);
	html_text(file, chart->title);
	fprintf(file, "</h3>\n<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %d\">\n<title>",
		WIDTH, HEIGHT);
	html_text(file, chart->y_title);
	fputs("</title>\n", file);
	draw_grid(file, chart, &a);
	for (int i = 0; i < n; i++)
		draw_series(file, &a, &series[i]);
	fputs("</svg>\n<div class=\"keys\">", file);
	for (int i = 0; i < n; i++) {
		fputs("<span><span class=\"key\" ", file);
		chart_colour(file, "background", series[i].colour);
		fputs("></span>", file);
		html_text(file, series[i].name);
		fputs("</span> ", file);
	}
	fputs("</div></div>\n", file);
}

void chart_bars(FILE *file, const char *title, const char *const *name, const double *value, int n,
	int decimals, int best)
{
	double most = 0;

	for (int i = 0; i < n; i++)
		most = fmax(most, value[i]);
	fputs("<div class=\"card\"><h3>", file);
	html_text(file, title);
	fputs("</h3>\n<div class=\"bars\">\n", file);
	for (int i = 0; i < n; i++) {
		fputs("<span>", file);
		html_text(file, name[i]);
		fprintf(file, "</span><span><i style=\"width:%.2f%%;background:hsl(%d var(--sat) "
			"var(--ll))\"></i></span><span%s>%.*f</span>\n",
			most > 0 ? 100 * value[i] / most : 0, hue(i),
			i == best ? " class=\"best\"" : "", decimals, value[i]);
	}
	fputs("</div></div>\n", file);
}
