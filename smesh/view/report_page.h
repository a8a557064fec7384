/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as one page: a headline, figures, the machine over time, charts. It needs no network;
 * without its script there are the tables.
 */
#ifndef SMESH_REPORT_PAGE_H
#define SMESH_REPORT_PAGE_H

#include "sim/report.h"
#include "view/machine.h"

/* Of more strategies than these, the best are drawn. */
enum { PAGE_SHOWN = 8 };

struct report_page {
	const struct report *report;
	const struct machine_view *view; /* [nstrategies] as in the report, or NULL: figures alone */
	const struct nodeset *down;    /* or NULL */
	int64_t at; /* the moment that is shown first */
	/* Of report_page(): strategies by worth, [nstrategies]; and those drawn. */
	int *order;
	struct machine_view shown[PAGE_SHOWN];
	int nshown;
};

/* 0, or -1 when memory is out. */
int report_page(struct report_page *page, FILE *file);

/* Its table (report_tables.c). */
void report_figures(const struct report_page *page, FILE *file);
/* With contention: how full the links were, and where the script draws them. */
void report_links(const struct report_page *page, FILE *file);

#endif
