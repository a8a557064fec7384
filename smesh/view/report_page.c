/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/report_page.h"

#include <stdlib.h>

#include "base/textfile.h"
#include "sim/need.h"
#include "view/html.h"

/* The room for a map beside another. */
static const struct layout_room room = {620, 500, 2, 40};

/* Write a figure that the script draws in. */
static void figure(const struct report_page *page, int k, FILE *file)
{
	const struct machine_view *view = &page->shown[k];
	char when[64];

	human_text(HUMAN_SECONDS, sim_seconds(page->at), when, sizeof(when));
	fprintf(file, "<figure class=\"card view\" data-view=\"%s\"%s><figcaption><b>%s</b> "
		"<span class=\"now\">after %s</span></figcaption><div class=\"drawing\"></div>"
		"</figure>\n", view->name, k < 2 ? "" : " hidden", view->name, when);
}

static void machine_over_time(
	const struct report_page *page, const struct layout *layout, FILE *file)
{
	const struct report *r = page->report;
	const struct mesh *mesh = r->mesh;
	bool wraps = false;
	char shape[96], run[96] = "";

	for (int d = 0; d < mesh->ndims; d++)
		wraps |= mesh->wrap[d];
	report_shape(mesh, shape, sizeof(shape));
	if (r->runs > 1 || r->first_run > 1)
		snprintf(run, sizeof(run), "Maps and charts are of run %d. ", r->first_run);
	fprintf(file, "<section>\n<h2>The machine over time</h2>\n<p class=\"note\">%s%s: a "
		"square a node, a colour and a letter a job, the same on each map%s%s%s%s%s</p>\n"
		"<div id=\"machine-controls\" class=\"controls\" hidden>"
		"<button type=\"button\">Play</button>"
		"<select aria-label=\"speed\"><option value=\"0.25\">&#188;&#215;"
		"<option value=\"0.5\">&#189;&#215;<option value=\"1\" selected>1&#215;"
		"<option value=\"2\">2&#215;<option value=\"4\">4&#215;</select>"
		"<input type=\"range\" min=\"0\" step=\"any\" aria-label=\"time\">"
		"<output></output></div>\n<div class=\"views\">\n",
		run, shape, mesh->nodes_per_vertex > 1 ? "; lines between vertices" : "",
		mesh->ndims > 2 ? "; planes of x and y" : "",
		layout->turned ? ", y to the right." : ".",
		page->down && nodeset_count(page->down) ? " Red, with #: a node that is down." : "",
		wraps ? " Sides marked * wrap around: dashed edges." : "");
	for (int k = 0; k < page->nshown; k++)
		figure(page, k, file);
	fputs("</div>\n<noscript><p>Maps and charts need JavaScript.</p></noscript>\n"
	      "<div id=\"gantt\" hidden><h2>Nodes over time</h2>\n<p class=\"note\">Nodes in "
	      "the machine's order from top to bottom, time from left to right.</p>\n"
	      "</div></section>\n", file);
}

static json_t *data(const struct report_page *page, const struct layout *layout)
{
	const struct report *r = page->report;
	struct machine machine = {.mesh = r->mesh, .layout = layout, .down = page->down,
		.at = page->at, .view = page->shown, .nviews = page->nshown};
	json_t *out = machine_json(&machine);

	if (r->against >= 0 && r->nstrategies > 1)
		json_object_set_new(out, "against", json_string(r->strategy[r->against].name));
	json_object_set_new(out, "share", json_real(r->share));
	return out;
}

static void origin(const struct report *r, FILE *file)
{
	fprintf(file, "<footer><p class=\"note\">smesh %s, %s, seed %llu</p>\n<pre tabindex=\"0\">",
		r->origin.version, r->origin.date, (unsigned long long)r->seed);
	html_put(file, "", r->origin.command, "</pre></footer>\n");
}

static void head(const struct report *r, FILE *file)
{
	char title[512], text[1024];

	snprintf(title, sizeof(title), "%s%.120s on %.60s", r->title ? r->title : "",
		textfile_name(r->trace->name), r->mesh->name);
	html_begin(file, title);
	html_put(file, "<h1>", title, "</h1>\n");
	report_headline(r, text, sizeof(text));
	html_put(file, "<p class=\"headline\">", r->headline ? r->headline : text, "</p>\n");
	report_setting(r, text, sizeof(text));
	html_put(file, "<p class=\"note\">", text, "</p>\n");
	report_notes(r, text, sizeof(text));
	if (r->caveat || *text)
		html_put(file, "<p class=\"note\">", r->caveat ? r->caveat : text, "</p>\n");
	if (r->advice)
		html_put(file, "<p>", r->advice, "</p>\n");
}

void report_page(struct report_page *page, FILE *file)
{
	const struct report *r = page->report;
	bool swap = r->against >= 0 && r->nstrategies > 1;
	struct layout layout;

	page->order = need(calloc((size_t)r->nstrategies, sizeof(*page->order)));
	report_order(r, page->order);
	/* What is drawn: first the strategy compared with, beside it the best. */
	page->nshown = r->nstrategies < PAGE_SHOWN ? r->nstrategies : PAGE_SHOWN;
	for (int k = 0; page->view && k < page->nshown; k++)
		page->shown[k] = page->view[page->order[swap && k < 2 ? 1 - k : k]];
	layout_fit(&layout, r->mesh, &room);
	head(r, file);
	report_figures(page, file);
	if (page->view) {
		machine_over_time(page, &layout, file);
		report_links(page, file);
	}
	fputs("<section id=\"charts\" hidden><h2>Jobs and time</h2></section>\n", file);
	origin(r, file);
	html_end(file, page->view ? data(page, &layout) : NULL);
	free(page->order);
}
