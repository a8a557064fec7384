/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How full the links of the machine were, of a report's page.
 */
#include <math.h>

#include "links/links.h"
#include "view/html.h"
#include "view/report_page.h"

/* Over the links that there are. */
struct fullness {
	double mean, most;
	int from, d; /* the fullest: from which vertex, along which dimension */
	bool up;
};

static struct fullness measure(const struct mesh *mesh, const double *messages)
{
	struct fullness f = {.most = -1};
	int links = 0;

	for (int l = 0; l < links_count(mesh); l++) {
		int v = l / 2 / mesh->ndims, d = l / 2 % mesh->ndims;

		if (links_to(mesh, l) < 0)
			continue;
		links++;
		f.mean += messages[l];
		if (messages[l] > f.most)
			f = (struct fullness){f.mean, messages[l], v, d, l % 2};
	}
	f.mean /= links ? links : 1;
	return f;
}

static void row(const struct mesh *mesh, const char *name, const double *messages, FILE *file)
{
	struct fullness f = measure(mesh, messages);

	fprintf(file, "<tr><td>%s</td><td>%.3f</td><td>%.3f</td><td>(", name, f.mean, f.most);
	for (int d = 0; d < mesh->ndims; d++)
		fprintf(file, "%s%d", d ? "," : "", mesh->coord[f.from][d]);
	fprintf(file, ") %s %c</td></tr>\n", f.up ? "up" : "down", "xyzuvw"[f.d]);
}

void report_links(const struct report_page *page, FILE *file)
{
	const struct report *r = page->report;
	double most = 0;

	if (!page->messages)
		return;
	fputs("<h2>Links</h2>\n<p class=\"note\">Messages on a link at once, in the mean over the "
	      "run. "
	      "A message shares a link's bandwidth with the others that are on it.</p>\n"
	      "<div class=\"scroll\" tabindex=\"0\"><table>\n<tr><th>strategy</th><th>mean "
	      "link</th><th>fullest "
	      "link</th><th>which</th></tr>\n",
		file);
	for (int k = 0; k < report_page_shown(page); k++) {
		int i = report_page_view(page, k);

		row(r->mesh, r->strategy[i].name, page->messages[i], file);
		most = fmax(most, measure(r->mesh, page->messages[i]).most);
	}
	fputs("</table></div>\n<div id=\"links\" hidden><p class=\"note\">Bars are links to the "
	      "next node "
	      "in the plane",
		file);
	fputs(r->mesh->ndims > 2 ? ", squares the fullest of a node's links to the next planes"
				 : "",
		file);
	fprintf(file,
		"; a link's colour is of the fuller of its two directions. "
		"<span class=\"keys\">0<span class=\"scale\"></span>%.3f messages</span></p>\n",
		most);
	fputs("<div class=\"views\" id=\"link-views\"></div></div>\n", file);
}
