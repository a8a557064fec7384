/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as one page: table, bars, charts, a map of each strategy. No script, no network.
 */
#ifndef SMESH_REPORT_HTML_H
#define SMESH_REPORT_HTML_H

#include "map/picture.h"
#include "sim/profile.h"
#include "sim/report.h"

struct report_page {
	const struct report *report;
	const struct profile *profile; /* [nstrategies] */
	struct picture *const *picture; /* [nstrategies] each may be NULL */
};

void report_html(const struct report_page *page, FILE *file);

#endif
