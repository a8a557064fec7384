/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as one page: a headline, figures, the machine over time, charts. It needs no network;
 * without its script the machine stands still.
 */
#ifndef SMESH_REPORT_PAGE_H
#define SMESH_REPORT_PAGE_H

#include "view/record.h"
#include "sim/profile.h"
#include "sim/report.h"

/* Of more strategies than these, the best are drawn and the rest is grey. */
enum { PAGE_SHOWN = 8 };

struct report_page {
	const struct report *report;
	const struct profile *profile; /* [nstrategies] */
	const struct record *record;   /* [nstrategies] */
	const struct nodeset *down;    /* or NULL */
	int64_t at; /* the moment that is shown first */
	const double **messages; /* [nstrategies] engine_result.messages; NULL without contention */
	/* Of report_page(): strategies by worth, and where in that each is; [nstrategies]. */
	int *order, *rank;
};

/* The page's order and rank are made here. 0, or -1 when memory is out. */
int report_page(struct report_page *page, FILE *file);

/* Its parts. */
void report_figures(const struct report_page *page, FILE *file);
void report_matrix(const struct report *report, FILE *file);
/* What differs between strategies by job size and over time; what does not is said in a line. */
void report_charts(const struct report_page *page, FILE *file);
/* With contention: how full the links were, as a table and as figures for the script. */
void report_links(const struct report_page *page, FILE *file);
/* The strategy in the k-th place of a row of figures, k < report_page_shown(). */
int report_page_view(const struct report_page *page, int k);
int report_page_shown(const struct report_page *page);

#endif
