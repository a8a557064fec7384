/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as one page: a headline, figures, the machine over time, charts. The page needs no
 * network. Without its script it shows the tables.
 */
#ifndef SMESH_REPORT_PAGE_H
#define SMESH_REPORT_PAGE_H

#include "sim/report.h"
#include "view/machine.h"

/* The most strategies that are drawn: the best ones. */
enum { PAGE_SHOWN = 8 };

struct report_page {
	const struct report *report;
	const struct machine_view *view; /* [nstrategies] as in the report, or NULL: only figures */
	const struct nodeset *down;    /* or NULL */
	int64_t at; /* the moment that is shown first */
	/* Set by report_page(): strategies by worth, [nstrategies]; and those that are drawn. */
	int *order;
	struct machine_view shown[PAGE_SHOWN];
	int nshown;
};

/* Write the page. */
void report_page(struct report_page *page, FILE *file);

/* Write the table of the page (report_tables.c). */
void report_figures(const struct report_page *page, FILE *file);
/* With contention: write how full the links were, and the place where the script draws them. */
void report_links(const struct report_page *page, FILE *file);

#endif
