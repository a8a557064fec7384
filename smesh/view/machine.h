/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine as data for the script of our pages (machine.js): the mesh, jobs, and for each view
 * (a strategy, or the machine as it is) which job had which cells from when to when.
 */
#ifndef SMESH_MACHINE_H
#define SMESH_MACHINE_H

#include <jansson.h>
#include <stdio.h>

#include "view/record.h"

struct machine {
	const struct mesh *mesh;
	const struct nodeset *down; /* or NULL */
	int64_t at;		    /* the moment that is shown first, microseconds */
	const struct record *const *record; /* [nviews], of the same trace */
	const char *const *name;	    /* [nviews] */
	int nviews;
	const double *const *messages; /* [nviews] engine_result.messages; or NULL */
};

/* A new object, or NULL. Views that would make the page too large are left out, from the end. */
json_t *machine_json(const struct machine *machine);
/* Of one picture, without time. */
json_t *machine_json_picture(const struct picture *picture, const char *name);

/* The data and the script, where the page has its elements with data-view; takes the object. */
void machine_write(FILE *file, json_t *data);

#endif
