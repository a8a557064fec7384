/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/chart.h"

#include <math.h>
#include <stdbool.h>

#include "view/html.h"

enum { WIDTH = 560, HEIGHT = 290, LEFT = 76, RIGHT = 16, TOP = 12, BOTTOM = 52 };

/* style="" for something in the colour of a series. */
static void chart_colour(FILE *file, const char *property, int colour)
{
	if (colour < 0)
		fprintf(file, "style=\"%s:var(--line)\"", property);
	else
		fprintf(file, "style=\"%s:hsl(%d var(--sat) var(--ll))\"", property,
			(210 + colour * 137) % 360);
}

struct axes {
	double x_low, x_high, y_low, y_high, x_step, y_step;
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
			a.y_low = fmin(a.y_low, series[i].y[j]);
			if (chart->y_max <= 0)
				a.y_high = fmax(a.y_high, series[i].y[j]);
		}
	if (!(a.x_high > a.x_low)) {
		a.x_low = a.x_low < HUGE_VAL ? a.x_low : 0;
		a.x_high = a.x_low + 1;
	}
	if (!(a.y_high > 0))
		a.y_high = 1;
	a.y_step = nice_step(a.y_high - a.y_low, 4);
	a.y_low = floor(a.y_low / a.y_step + 1e-9) * a.y_step;
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
	return HEIGHT - BOTTOM - (y - a->y_low) / (a->y_high - a->y_low) * (HEIGHT - TOP - BOTTOM);
}

static void draw_grid(FILE *file, const struct chart *chart, const struct axes *a)
{
	int lines = (int)lround((a->y_high - a->y_low) / a->y_step);

	for (int i = 0; i <= lines; i++) {
		double value = a->y_low + i * a->y_step;
		bool zero = fabs(value) < a->y_step / 2;

		fprintf(file,
			"<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
			"<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g%s</text>\n",
			zero ? "zero" : "grid", LEFT, WIDTH - RIGHT, y_at(a, value), y_at(a, value),
			LEFT - 6, y_at(a, value) + 4, zero ? 0 : value,
			chart->y_unit ? chart->y_unit : "");
	}
	for (int i = 0; chart->x_label && i < chart->x_labels; i++)
		if (i >= a->x_low && i <= a->x_high)
			fprintf(file,
				"<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
				x_at(a, i), HEIGHT - BOTTOM + 19, chart->x_label[i]);
	for (double x = ceil(a->x_low / a->x_step) * a->x_step;
		!chart->x_label && x <= a->x_high * 1.0001; x += a->x_step)
		fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.5g</text>\n",
			x_at(a, x), HEIGHT - BOTTOM + 19, x);
	fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (WIDTH + LEFT) / 2,
		HEIGHT - 6);
	html_text(file, chart->x_title);
	fprintf(file,
		"</text>\n<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">",
		(TOP + HEIGHT - BOTTOM) / 2);
	html_text(file, chart->y_title);
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

static void begin(FILE *file, const struct chart *chart)
{
	fputs("<div class=\"card\"><h3>", file);
	html_text(file, chart->title);
	fprintf(file, "</h3>\n<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %d\">\n<title>",
		WIDTH, HEIGHT);
	html_text(file, chart->title);
	fputs("</title>\n", file);
}

/* The points, for the script to hand out: RFC 4180. */
static void write_data(
	FILE *file, const struct chart *chart, const struct chart_series *series, int n)
{
	fprintf(file, "<script type=\"text/csv\">strategy,\"%s\",\"%s\"\n", chart->x_title,
		chart->y_title);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < series[i].n; j++) {
			if (chart->x_label)
				fprintf(file, "%s,%s,%.6g\n", series[i].name,
					chart->x_label[(int)series[i].x[j]], series[i].y[j]);
			else
				fprintf(file, "%s,%.6g,%.6g\n", series[i].name, series[i].x[j],
					series[i].y[j]);
		}
	fputs("</script>", file);
}

/* The key, best first: series are drawn in their order, or backwards. One for all that are grey. */
static void end(FILE *file, const struct chart *chart, const struct chart_series *series, int n,
	bool backwards)
{
	bool rest = false;

	fputs("</svg>\n<div class=\"keys\">", file);
	for (int j = 0; j < n; j++) {
		int i = backwards ? n - 1 - j : j;

		if (series[i].colour < 0 && rest)
			continue;
		rest |= series[i].colour < 0;
		fputs("<span><span class=\"key\" ", file);
		chart_colour(file, "background", series[i].colour);
		fputs("></span>", file);
		html_text(file, series[i].colour < 0 ? "the rest" : series[i].name);
		fputs("</span> ", file);
	}
	fputs("</div>", file);
	write_data(file, chart, series, n);
	fputs("</div>\n", file);
}

void chart_lines(FILE *file, const struct chart *chart, const struct chart_series *series, int n)
{
	struct axes a = fit(chart, series, n);

	begin(file, chart);
	draw_grid(file, chart, &a);
	for (int i = 0; i < n; i++)
		draw_series(file, &a, &series[i]);
	end(file, chart, series, n, true);
}

/* Where a column stands in its group, and how wide all groups are. */
struct group {
	int at, of;
	double width;
};

static void draw_column(FILE *file, const struct axes *a, const struct chart_series *s, int point,
	const struct group *group)
{
	double zero = y_at(a, 0), top = y_at(a, s->y[point]), wide = group->width / group->of;
	double x = x_at(a, s->x[point]) - group->width / 2 + wide * group->at;

	fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1\" ", x,
		fmin(zero, top), fmax(wide - 1, 1), fmax(fabs(zero - top), 0.5));
	chart_colour(file, "fill", s->colour);
	fputs("><title>", file);
	html_text(file, s->name);
	fprintf(file, ": %.3g</title></rect>\n", s->y[point]);
}

void chart_columns(FILE *file, const struct chart *chart, const struct chart_series *series, int n)
{
	struct axes a = fit(chart, series, n);

	/* Half a group on either side. */
	a.x_low -= 0.5;
	a.x_high += 0.5;
	begin(file, chart);
	draw_grid(file, chart, &a);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < series[i].n; j++) {
			struct group group = {
				i, n, 0.8 * (WIDTH - LEFT - RIGHT) / (a.x_high - a.x_low)};

			draw_column(file, &a, &series[i], j, &group);
		}
	end(file, chart, series, n, false);
}
