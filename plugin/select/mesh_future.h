/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When will there be a box, or room?
 */
#ifndef MESH_FUTURE_H
#define MESH_FUTURE_H

#include "shared/mesh_attempt.h"

/*
 * The first time at which the running jobs' ends leave a box; like a WILL_RUN. a->hopeless says that
 * there is none in the time that is asked about.
 */
int mesh_future_box(struct mesh_attempt *a);
/*
 * The same for any nodes, for jobs of whole nodes that do not fit now: of one mesh, or of several
 * where the job may span them.
 */
int mesh_future_room(struct mesh_attempt *a);

#endif
