/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture as JSON, and its jobs as a table (smesh map, top, why). Unknown values are null. Times
 * are seconds from now; hosts are Slurm's host lists. Functions return NULL: a name is not UTF-8.
 */
#ifndef SMESH_PICTURE_JSON_H
#define SMESH_PICTURE_JSON_H

#include <jansson.h>

#include "cli/table.h"
#include "view/picture.h"

/* mesh, nodes (name, coordinates, state, job), jobs and waiting. */
json_t *picture_json(const struct picture *picture);
/* A single job, or waiting job, of the same form. */
json_t *picture_json_job(const struct picture *picture, const struct picture_job *job);
json_t *picture_json_waiting(const struct picture *picture, const struct picture_waiting *waiting);

/* The columns of jobs, running and waiting. */
extern const struct table picture_table;
/*
 * Print the jobs of a picture as a table, or all of it as JSON. SMESH_OK, or another code after a
 * message.
 */
int picture_json_print(const struct picture *picture, const struct table_form *form);

#endif
