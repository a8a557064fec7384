/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * HTML: the map, which the page's script draws to the width there is, with its legend as a table.
 */
#include "view/html.h"
#include "view/machine.h"
#include "view/picture.h"

static void legend(const struct picture *p, FILE *file)
{
	fputs("<div class=\"scroll\"><table>\n<tr><th>job</th><th>user</th><th>nodes</th>"
	      "<th>mean hops</th></tr>\n", file);
	for (int i = 0; i < p->njobs; i++) {
		const struct picture_job *job = &p->job[i];

		if (!job->count)
			continue;
		fprintf(file, "<tr><td><span class=\"key\" style=\"background:hsl(%d var(--sat) "
			"var(--lum))\"></span>%c ", picture_hue(p, i), picture_letter(i));
		html_text(file, job->id);
		fputs("</td><td>", file);
		html_text(file, job->user ? job->user : "-");
		fprintf(file, "</td><td>%d</td><td>%.3f</td></tr>\n", job->count, job->mean_hops);
	}
	fputs("</table></div>\n", file);
}

void draw_html(const struct picture *p, FILE *file, const struct layout_room *room)
{
	struct picture_count c = picture_count(p);
	struct layout layout;

	html_begin(file, p->title);
	fputs("<h1>", file);
	html_text(file, p->title);
	fprintf(file, "</h1>\n<p class=\"note\">%d nodes: %d busy, <span class=\"key\" "
		"style=\"background:var(--free)\"></span>%d free, <span class=\"key\" "
		"style=\"background:var(--drain)\"></span>%d drained, <span class=\"key\" "
		"style=\"background:var(--bad)\"></span>%d down. Dashed edges wrap around.</p>\n"
		"<div class=\"view\" data-view=\"map\"><div class=\"drawing\"></div></div>\n"
		"<noscript><p>The map needs JavaScript.</p></noscript>\n<h2>Jobs</h2>\n",
		p->mesh->nnodes, c.busy, c.free, c.drained, c.down);
	legend(p, file);
	layout_fit(&layout, p->mesh, room);
	html_end(file, machine_json_picture(p, &layout));
}
