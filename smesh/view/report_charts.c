/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The charts of a report's page.
 */
#include <math.h>
#include <stdlib.h>

#include "view/chart.h"
#include "view/html.h"
#include "view/report_page.h"

enum what { HOPS, HOPS_SAVED, TIME_SAVED, WAIT, SLOWDOWN, BUSY, BOX, QUEUE };

static const char *const sizes[PROFILE_SIZES] = {"1", "2", "4", "8", "16", "32", "64", "128", "256",
	"512", "1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k", "256k", "512k", "1M", "2M",
	"4M", "8M", "16M", "32M"};

/* In percent of b, what a is less. */
static double saved(double a, double b)
{
	return b > 0 ? 100 * (1 - a / b) : 0;
}

static double by_size(const struct report_page *page, enum what what, int strategy, int class)
{
	const struct profile *p = &page->profile[strategy], *q;

	q = &page->profile[page->report->against < 0 ? strategy : page->report->against];
	switch (what) {
	case HOPS_SAVED: return saved(p->mean_hops[class], q->mean_hops[class]);
	case TIME_SAVED: return saved(p->mean_stretch[class], q->mean_stretch[class]);
	case WAIT: return p->mean_wait[class] / 3600;
	case SLOWDOWN: return p->mean_slowdown[class];
	default: return p->mean_hops[class];
	}
}

/* The points of one chart for one strategy; how many. Jobs of one node have no hops. */
static int points(
	const struct report_page *page, enum what what, int strategy, double *x, double *y)
{
	const struct profile *p = &page->profile[strategy];
	int n = 0;

	for (int i = 0; what >= BUSY && (what != BOX || p->has_box) && i < PROFILE_BINS; i++, n++) {
		x[n] = (i + 0.5) * p->end / PROFILE_BINS / 86400;
		y[n] = what == QUEUE ? p->waiting[i] : 100 * (what == BOX ? p->box : p->busy)[i];
	}
	for (int i = what < WAIT; what < BUSY && i < PROFILE_SIZES; i++)
		if (p->jobs[i]) {
			x[n] = i;
			y[n++] = by_size(page, what, strategy, i);
		}
	return n;
}

/* Do two series look alike? */
static bool alike(const struct chart_series *a, const struct chart_series *b)
{
	double most = 0, apart = 0;

	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++) {
		most = fmax(most, fmax(fabs(a->y[i]), fabs(b->y[i])));
		apart = fmax(apart, fabs(a->y[i] - b->y[i]));
	}
	return apart <= 0.01 * most;
}

/* Series of strategies with room for their points. */
struct many {
	struct chart_series *series;
	double *room;
	int n;
};

/*
 * Lines: the rest first, so that the best are drawn above it; columns: the best first. The one
 * compared with is left out of what was saved against it.
 */
static int make_series(
	const struct report_page *page, enum what what, bool columns, struct many *many)
{
	enum { COLUMNS = 5 };
	const struct report *r = page->report;
	int n = columns && r->nstrategies > COLUMNS ? COLUMNS : r->nstrategies;

	many->n = 0;
	many->series = calloc((size_t)n, sizeof(*many->series));
	many->room = calloc((size_t)n * 2 * PROFILE_BINS, sizeof(*many->room));
	for (int j = 0; many->series && many->room && j < n; j++) {
		double *x = many->room + (size_t)many->n * 2 * PROFILE_BINS, *y = x + PROFILE_BINS;
		int k = columns ? j : n - 1 - j, i = page->order[k];

		if (!columns || i != r->against)
			many->series[many->n++] = (struct chart_series){r->strategy[i].name,
				k < PAGE_SHOWN ? k : -1, x, y, points(page, what, i, x, y)};
	}
	return many->series && many->room ? 0 : -1;
}

static bool all_alike(const struct many *many)
{
	for (int i = 1; i < many->n; i++)
		if (!alike(&many->series[0], &many->series[i]))
			return false;
	return many->n > 1;
}

enum { WANTED = 8 };
struct wanted {
	enum what what;
	struct chart chart;
	bool columns;
};

/* Draws it; false: it is the same for all, which makes no chart. */
static bool draw(const struct report_page *page, const struct wanted *w, FILE *file)
{
	struct many many = {0};
	bool drawn = true;

	if (!make_series(page, w->what, w->columns, &many) && many.n) {
		if (w->columns)
			chart_columns(file, &w->chart, many.series, many.n);
		else if (all_alike(&many))
			drawn = false;
		else
			chart_lines(file, &w->chart, many.series, many.n);
	}
	free(many.series);
	free(many.room);
	return drawn;
}

void report_charts(const struct report_page *page, FILE *file)
{
	const struct report *r = page->report;
	bool compared = r->against >= 0 && r->nstrategies > 1;
	char hops_title[128], time_title[128];
	bool same[WANTED] = {false};
	const struct wanted wanted[WANTED] = {
		{HOPS_SAVED,
			{hops_title, "nodes of the job, up to", "percent of hops", sizes,
				PROFILE_SIZES, 0, "%"},
			true},
		{TIME_SAVED,
			{time_title, "nodes of the job, up to", "percent of the run time", sizes,
				PROFILE_SIZES, 0, "%"},
			true},
		{HOPS,
			{"Mean hops by job size", "nodes of the job, up to", "mean hops", sizes,
				PROFILE_SIZES, 0, NULL},
			false},
		{WAIT,
			{"Mean wait by job size", "nodes of the job, up to", "hours", sizes,
				PROFILE_SIZES, 0, " h"},
			false},
		{SLOWDOWN,
			{"Mean slowdown by job size", "nodes of the job, up to",
				"turnaround over run time", sizes, PROFILE_SIZES, 0, NULL},
			false},
		{BUSY, {"Utilisation over time", "days", "percent of the nodes", NULL, 0, 100, "%"},
			false},
		{QUEUE, {"Jobs that wait, over time", "days", "jobs", NULL, 0, 0, NULL}, false},
		{BOX,
			{"Largest free box over time", "days", "percent of the vertices", NULL, 0,
				100, "%"},
			false},
	};

	snprintf(hops_title, sizeof(hops_title), "Hops saved against %s, by job size",
		compared ? r->strategy[r->against].name : "");
	snprintf(time_title, sizeof(time_title), "Run time saved against %s, by job size",
		compared ? r->strategy[r->against].name : "");
	fputs("<h2>Jobs and time</h2>\n<div class=\"cards charts\">\n", file);
	for (unsigned i = 0; i < WANTED; i++)
		if ((wanted[i].what != HOPS_SAVED || compared) &&
			(wanted[i].what != TIME_SAVED || (compared && r->share > 0)) &&
			(wanted[i].what != BOX || page->profile[0].has_box))
			same[i] = !draw(page, &wanted[i], file);
	fputs("</div>\n", file);
	for (unsigned i = 0; i < WANTED; i++)
		if (same[i])
			fprintf(file, "<p class=\"note\">The same for all: %s.</p>\n",
				wanted[i].chart.title);
}
