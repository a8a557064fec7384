/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/report_page.h"

#include <stdlib.h>
#include <string.h>

#include "view/html.h"
#include "view/machine.h"
#include "view/script.h"

static int make_order(struct report_page *page)
{
	int n = page->report->nstrategies;

	page->order = calloc((size_t)n, sizeof(*page->order));
	page->rank = calloc((size_t)n, sizeof(*page->rank));
	if (!page->order || !page->rank)
		return -1;
	report_order(page->report, page->order);
	for (int i = 0; i < n; i++)
		page->rank[page->order[i]] = i;
	return 0;
}

int report_page_shown(const struct report_page *page)
{
	return page->report->nstrategies < PAGE_SHOWN ? page->report->nstrategies : PAGE_SHOWN;
}

/* The one compared with comes first in the row, the best beside it. */
int report_page_view(const struct report_page *page, int k)
{
	bool swap = page->report->against >= 0 && page->report->nstrategies > 1 && k < 2;

	return page->order[swap ? 1 - k : k];
}

/* A figure the script draws in; without it, two still pictures. */
static void view(const struct report_page *page, int k, FILE *file)
{
	const struct report *r = page->report;
	struct svg_options svg = {.width = 620, .height = 560};
	int i = report_page_view(page, k);
	struct picture picture;
	char when[64];

	human_text(HUMAN_SECONDS, sim_seconds(page->at), when, sizeof(when));
	fprintf(file, "<figure class=\"card view\" data-view=\"%s\"%s><figcaption><b>%s</b> "
		"<span class=\"now\">after %s</span></figcaption><div class=\"still\">\n",
		r->strategy[i].name, k < 2 ? "" : " hidden", r->strategy[i].name, when);
	memset(&picture, 0, sizeof(picture));
	if (k < 2 && !page->record[i].failed &&
		!record_picture(&page->record[i], page->at, &picture)) {
		snprintf(picture.title, sizeof(picture.title), "%s under %s, after %s",
			r->mesh->name, r->strategy[i].name, when);
		if (page->down)
			picture_mark(&picture, page->down, NODE_DOWN);
		draw_svg(&picture, file, &svg);
	}
	picture_release(&picture);
	fputs("</div></figure>\n", file);
}

static void machine_over_time(const struct report_page *page, FILE *file)
{
	const struct mesh *mesh = page->report->mesh;
	bool wraps = false;
	char shape[96];

	for (int d = 0; d < mesh->ndims; d++)
		wraps |= mesh->wrap[d];
	report_shape(page->report->mesh, shape, sizeof(shape));
	fprintf(file,
		"<h2>The machine over time</h2>\n<p class=\"note\">%s: a square a node, a colour a "
		"job, the same job in the same colour on each map%s.%s</p>\n"
		"<div id=\"machine-controls\" class=\"controls\" hidden></div>\n<div "
		"class=\"views\">\n",
		shape, mesh->ndims > 2 ? "; planes of the first two dimensions" : "",
		wraps ? " Sides marked * wrap around; their edges are dashed." : "");
	for (int k = 0; k < report_page_shown(page); k++)
		view(page, k, file);
	fputs("</div>\n<section id=\"gantt\" hidden><h2>Nodes over time</h2>\n<p "
	      "class=\"note\">Nodes in "
	      "the machine's order from top to bottom, time from left to right.</p>\n"
	      "<div id=\"gantt-rows\"></div></section>\n",
		file);
}

static void data(const struct report_page *page, FILE *file)
{
	const struct record *record[PAGE_SHOWN];
	const char *name[PAGE_SHOWN];
	const double *messages[PAGE_SHOWN];
	struct machine machine = {.mesh = page->report->mesh, .down = page->down, .at = page->at,
		.record = record, .name = name, .nviews = report_page_shown(page),
		.messages = page->messages ? messages : NULL};

	for (int k = 0; k < machine.nviews; k++) {
		int i = report_page_view(page, k);

		record[k] = &page->record[i];
		name[k] = page->report->strategy[i].name;
		messages[k] = page->messages ? page->messages[i] : NULL;
	}
	machine_write(file, machine_json(&machine));
}

static void origin(const struct report *r, FILE *file)
{
	fprintf(file, "<footer><p class=\"note\">smesh %s, %s, seed %llu</p>\n<pre tabindex=\"0\">",
		r->origin.version, r->origin.date, (unsigned long long)r->seed);
	html_text(file, r->origin.command);
	fputs("</pre></footer>\n", file);
}

static void head(const struct report *r, FILE *file)
{
	char title[256], text[1024];

	snprintf(
		title, sizeof(title), "%.120s on %.60s", human_file(r->trace->name), r->mesh->name);
	html_begin(file, title);
	fputs("<h1>", file);
	html_text(file, title);
	fputs("</h1>\n<p class=\"headline\">", file);
	report_headline(r, text, sizeof(text));
	html_text(file, text);
	fputs("</p>\n<p class=\"note\">", file);
	report_setting(r, text, sizeof(text));
	html_text(file, text);
	fputs("</p>\n", file);
}

static void page_script(FILE *file)
{
	fputs("<script>\n", file);
	for (const char *const *line = script_page; *line; line++)
		fputs(*line, file);
	fputs("</script>\n", file);
}

int report_page(struct report_page *page, FILE *file)
{
	int code = make_order(page);

	if (!code) {
		head(page->report, file);
		report_figures(page, file);
		machine_over_time(page, file);
		report_links(page, file);
		report_charts(page, file);
		if (page->report->matrix)
			report_matrix(page->report, file);
		origin(page->report, file);
		data(page, file);
		page_script(file);
		html_end(file);
	}
	free(page->order);
	free(page->rank);
	return code;
}
