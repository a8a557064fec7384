/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine as data for the scripts of our pages (machine.js, charts.js): the mesh and its
 * layout, jobs, for each view (a strategy) which job had which cells from when to when, and
 * figures by job size and over time.
 */
#ifndef SMESH_MACHINE_H
#define SMESH_MACHINE_H

#include <jansson.h>

#include "sim/summary.h"
#include "view/layout.h"
#include "view/timeline.h"

/* A strategy of a page. */
struct machine_view {
	const char *name;
	const struct timeline *timeline; /* all of the same trace */
	const struct profile *profile;
	const double *messages; /* engine_result.messages, or NULL */
};

struct machine {
	const struct mesh *mesh;
	const struct layout *layout;
	const struct nodeset *down; /* or NULL */
	int64_t at;		    /* the moment that is shown first, microseconds */
	const struct machine_view *view; /* [nviews] */
	int nviews;
};

/*
 * A new object, or NULL. Maps that would make the page too large are left out, the last ones
 * first.
 */
json_t *machine_json(const struct machine *machine);
#endif
