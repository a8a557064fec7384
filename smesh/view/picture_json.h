/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture as JSON (smesh map --json, smesh why --json). What is not known is null. Times are
 * seconds from now; hosts are lists as Slurm writes them. NULL when memory is out.
 */
#ifndef VIEW_PICTURE_JSON_H
#define VIEW_PICTURE_JSON_H

#include <jansson.h>

#include "view/picture.h"

/* mesh, nodes (name, coordinates, state, job), jobs and waiting. */
json_t *picture_json(const struct picture *picture);
/* One of each, as they are there. */
json_t *picture_json_job(const struct picture *picture, const struct picture_job *job);
json_t *picture_json_waiting(const struct picture *picture, const struct picture_waiting *waiting);

/* One of these on standard output, which is taken over. SMESH_OK, or SMESH_FAILED after a message. */
int picture_json_print(json_t *json);

#endif
