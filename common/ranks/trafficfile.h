/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files with the traffic of an application, for smesh ranks and srun --mesh-ranks: lines RANK RANK BYTES.
 */
#ifndef MESH_TRAFFICFILE_H
#define MESH_TRAFFICFILE_H

#include "base/err.h"
#include "ranks/traffic.h"

/* Read the traffic among `ranks` ranks. 0, and traffic_release() it; or -1 with `FILE:LINE: text`. */
int trafficfile_read(struct traffic *traffic, const char *path, int ranks, struct mesh_err *err);

#endif
